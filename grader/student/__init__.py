"""The commands for students, in plain processes and without a sandbox.

start            lays out the course, as files or as notebooks
notebooks        a topic of the course -> a notebook; lines as Jupyter counts them
watch            threads for saves, keys and checks, and the loop that draws
watch_state      what `watch` decides: events in, checks and a View out
terminal         single keys, and a screen that we draw
check            has examples run, and puts facts into words
example_pool     the processes that run examples: started, asked, replaced
autofix          changes that a program can make, tried on a copy first
workspace        where a student's work is, and its text
progress         what is remembered of a student's work
guidance         the next hint, what a student reads after success, advice on the installed JAX
race             times a program of a student against the stub's
submit           packs the work into a zip to submit; remote: submits it to a server

In the process that runs a student's code (`python -m grader.student.examples`):

examples         loads a file, runs its examples, and finds facts
doctests         the examples in docstrings: their text, what they print, raise and ask for
literals         the values that an example shows, read from its text
mistakes         known mistakes, by what they show in the examples
pictures         shapes of calls, and numbers for the course's own pictures

In both:

facts            what such a process is asked, and what it answers
"""
