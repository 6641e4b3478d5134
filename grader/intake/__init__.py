"""A path -> a Submission. Executes nothing.

__main__  the process that reads
layouts   a class folder of any platform -> who submitted what, and when
reader    the files at a path -> a submission: which file answers which exercise
apart     reading in a process of its own, with a budget for each submission
archive   folders and zips, file by file, within limits
notebook  a Jupyter notebook -> the Python text of its code cells
source    the text of a Python file: decoded, searched for definitions, made safe to print
cells     an author's answers to one exercise, right and wrong ones, each in a cell
"""
