"""Marking a class, and what is stored of it.

grading      the flow: submissions -> what is left to judge -> a run with every mark
roster       the people of a class, and whose a submission is
teams        who works together on an assignment
attempts     which attempt of a person counts for each exercise
settle       what every attempt earned -> one mark for each person
decisions    what a teacher decided about marks, in a file
runs         stored runs, with the decisions of today
similar      programs of a class as files for Dolos and compare50
pending      what is being judged, and who waits for it
result_keys  what decides a result, as one digest
store        results and runs in one SQLite file
diff         which marks changed between two runs, and why
demo         a class of right, wrong and hostile submissions
"""
