"""A course: its files, and what its catalogue may say.

course     how a course is found, and where each of its files is
catalog    what a catalogue may say
notes      the hints, the picture and the explanation of an exercise
raced      what a race of a `fast` exercise is about, from its stub
docstring  the sections of a docstring, which is the text of an exercise
"""
