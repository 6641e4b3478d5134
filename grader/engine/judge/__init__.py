"""TRUSTED process: pytest, the hidden suites, the solutions, every expected value.

__main__       launches the sandbox, then answers its client
judge          one job; each suite is proved on its solution
runs           runs of pytest over suites, until every result counts
suites         the suites of a course, their solutions, how pytest is called
recorder       the plugin of one run in the judge: seats, results
plugin         pytest: fixtures and markers
pytest_entry   the plugin in an author's own pytest
standalone     the seats of an author's own pytest; one has no processes, for a debugger
outcome        what came of a test, with the texts for student and teacher
example        the call of a failed test, what was expected and what came
trial          an expression on a student's code, without a suite
naming         the known mistake that gives a student's results on the same inputs
budget         what the judge itself may spend on one submission
"""
