"""What all packages share. Nothing here imports another package.

model           exercises, people, results, checks; outcomes and their signs; records as bytes
errors          what can go wrong, each with its exit code
scoring         results -> marks. Pure
inputs          a program -> the seed of its random inputs. Pure
digests         the digest of data, of files and of code
files           files that are written whole, and zips
cache           what this machine need not do twice
safe_text       how a name, a number or a student's text is shown
evidence        the statistics of a race, and what its author should change
student_code    a notebook's module, run cell by cell; where a student's file raised
"""
