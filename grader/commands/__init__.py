"""The commands, a module for each kind of user. They parse, call and print, but decide nothing.

student    start watch hint explain show list check submit
teacher    grade demo
marks      report feedback decide diff similar
author     verify mutate sabotage mistakes race new handout
delivery   ci gradescope
serve      serve (start, links, forget, receipt)
lti        serve lti (invite, add, show, remove)
operator   doctor
magic      `%%check` in a notebook
options    what commands share

A command imports what it needs when it runs, so that `grader --help` is instant.
"""
