"""Pure functions: records -> what somebody reads.

text   a class, one submission, a course's problems, in a terminal (rich)
files  results.json for programs, details.json for teachers
check  a student's own examples, in a terminal
"""
