"""The commands, a module for each kind of reader: parse, call, print, exit code. No decisions.

Everything but click is imported by the command that needs it, so that `grader --help` is
instant.
"""
