"""An automated grader for JAX courses, in which no submission can touch its mark.

    cli          click: every command by name   (commands/: parse, call, print, exit code)
    pipeline     the flow: paths -> submissions -> what the store lacks -> judges -> marks
    store        runs in SQLite: what was judged once is kept   (keys: what decides a result)
    diff         whose marks moved between two runs, and why
    verify       proof of a course -> every Problem at once   (claims: what is graded for it)
    strength     mutations of the solutions -> how strong a suite is   (mutations: their making)
    start        lays out the course for a student   (notebooks: as those)
    watch        a check on every save   (session: what it is about; saves; terminal: keys, screen)
    handin       a student's work as a zip   (hints, progress: what was shown, what was found)
    check        a student's examples on the student's own code   (work: where that lies;
                 children: plain processes that stay warm; conditions: which JAX this is)
    ci           what a push or a pull request asks for   (changes: asked of git)
    bundle       an autograder for Gradescope, as a zip   (autograder: what grades in it)
    handout      what a student may have, and proof that it gives nothing away
    scaffold     a small exercise that works, for an author to turn into another
    demo doctor  a class to look at; what this machine can isolate
    executors/   where judges run: slots on this machine, the workers of a cluster
    intake       a path -> Submission; executes nothing   (archive, notebook, source: its parts)
    course       catalogue and paths; the only module that knows where course files are
    scoring      results -> marks. Pure
    evidence     the ratios of a race -> passed, failed, undecided. Pure
    feedback/    an error or a wrong value -> what it means and what to do. Pure
    reports/     records -> text, json, pages, gradebooks   (formats: all of them by name)
    wire         values over a pipe: msgpack and raw buffers, capped; never pickle
    arrays       wire records <-> numpy and jax; for the two processes below
    model errors the nouns, and what can go wrong   (records: nouns as plain data, and back)

Two packages are processes, started by name and imported by nobody:

    judge/       TRUSTED: pytest, hidden suites, solutions, clock      python -m grader.judge
    worker/      HOSTILE: the student's module, nothing worth stealing python -m grader.worker
    sandbox/     how a worker is confined

Imports point downwards; `tests/test_architecture.py` holds it.
"""

__version__ = "0.1.0"
