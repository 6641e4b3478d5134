"""The commands for students, in plain processes and without a sandbox.

start            lays out the course, as files or as notebooks
notebook_writer  a topic of the course -> a notebook
watch            threads for saves, keys and checks, and the loop that draws
session          what `watch` decides: events in, checks and a View out
terminal         single keys, and a screen that we draw
check            runs the examples of an exercise, and puts facts into words
example_pool     the processes that run examples: started, asked, replaced
facts            what such a process is asked, and what it answers
examples         what runs in such a process
output           what an example prints and shows
error_text       the words of an exception, as an example has them
docstrings       the examples of a file, and what stands above each
shown            the values that an example shows, read from its text
mistakes         known mistakes, by what they show in the examples
surroundings     the shared state that a student's file could change for the next one
workspace        where a student's work is, and its text
progress         what is remembered of a student's work
cures            cures that are tried on a copy before they are told
cell_lines       in a notebook, lines as Jupyter counts them
hints            the next hint
pictures         shapes of calls, and numbers for the course's own pictures
explanations     what a student reads after success
jax_version      advice on the installed JAX
submit           packs the work into a zip to hand in
"""
