"""Pure functions: records -> texts to read.

redaction  what a student may read; every report that a student can get goes through it
results    results.json for programs, details.json for teachers

gradebooks  tables for spreadsheets and for the gradebooks of Canvas and Moodle
junit, gradescope, github   files and lines that other programs read
html       one page for the class, and one for each student; counts of a class; colours of a page

sentences  a student's feedback as plain lines
"""
