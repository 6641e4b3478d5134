"""Pure functions: records -> what somebody reads.

formats  every format of `--report` by name; to a file, or to standard output
         (plain, json_, csv_, canvas, moodle, junit, gradescope, github, html)
saved    a results.json read back
told     a student's feedback as plain lines; sheet: cells that no spreadsheet runs

text   a class, one submission, a course's problems, in a terminal (rich)
files  results.json for programs, details.json for teachers
check  a student's own examples, in a terminal
"""
