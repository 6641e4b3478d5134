"""What a suite can use, in the judge's process. Suites import it from `grader.suite`.

submission     the student's module as a suite sees it
program        a function of a submission as an exported program
compare        assert_close and similar checks
calls          a call in the student's words
facts          the facts of a program as numbers that know what they count
plain_asserts  the same of a plain `assert` or `numpy.testing`
codec          the suite's values as records of the wire, and back
sent_code      a suite's function as bytes for a worker
"""
