"""Marking a class, and what is stored of it.

grader       submissions in, marks out: `Grader`, and the flow of `grader grade`
pending      what is being judged, and who waits for it
result_keys  what decides a result, as one digest
store        results and runs in one SQLite file
diff         which marks changed between two runs, and why
demo         a class of right, wrong and hostile submissions
"""
