"""From a job to its results: judges, and the processes that they start.

Everybody outside enters through `executors`; suites import from `grader.suite`.

executors/    ENTRY: where judges run, on this machine or on a Dask cluster
judge/        TRUSTED process: pytest, hidden suites, solutions
suite/        what a suite can use: the submission, its programs, comparisons
race/         verdicts on speed
processes/    sandboxed children of the judge: start, speak, limit, end
worker/       HOSTILE process: the student's module, and nothing worth stealing
bench/        programs only: checks, facts, runs
sandbox/      how a child is confined
wire/         values over a pipe

Judge and worker are programs. Nobody imports them, but for an author's debugger
(`judge/standalone.py`).
"""
