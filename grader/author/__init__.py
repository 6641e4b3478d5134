"""Tools that prove a course, and that make a new exercise.

verify     stub, solution, right and wrong answers: does the suite judge each as it should?
static     what is wrong with the files, before anything is graded
sentences  what a text demands, and which wrong answers break it
marked_tests  the tests of a suite, read from its text
kept_results  what was judged on this machine, and hasn't changed since
strength   which changes to a solution no test notices: small ones of its code (mutations), and
           general faults around it (`sabotage`, a package)
stub_examples  the examples of a stub, on answers that must pass them
known_mistakes  what wrong answers show in the examples, for `grader check`
claims     answers, each with the result that its author claims for it; grades many at once
learn      wrong answers of a class that no known mistake explains, as new known mistakes
handout    what a student may have, and proof that it gives nothing away
scaffold   a small exercise that works, for an author to change   (templates: its files)
"""
