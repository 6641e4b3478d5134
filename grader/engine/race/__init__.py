"""Verdicts on speed that noise can't flip.

races          the fixture `race`
track          the processes of a race
evidence       the statistics: ratios -> passed, failed, undecided. Pure
threshold      what an author should change: the baseline, or the factor. Pure
verdicts       verdicts of earlier runs, in the cache
floor          what is timed runs alone on the machine
"""
