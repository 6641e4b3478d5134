"""Marking a class, and what is stored of it.

pipeline     submissions in, marks out: the flow of `grader grade`
result_keys  what decides a result, as one digest
store        results and runs in one SQLite file
diff         which marks changed between two runs, and why
demo         a class of right, wrong and hostile submissions
"""
