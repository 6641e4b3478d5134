"""Verdicts on speed that noise can't flip.

races          the fixture `race`, and verdicts of earlier runs, in the cache
track          the processes of a race
floor          what is timed runs alone on the machine
"""
