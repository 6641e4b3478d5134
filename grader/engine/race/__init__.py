"""Verdicts on speed that noise can't flip.

races          the fixture `race`
track          the processes of a race
verdicts       verdicts of earlier runs, in the cache
floor          what is timed runs alone on the machine
"""
