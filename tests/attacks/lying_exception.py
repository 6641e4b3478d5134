"""Raises an exception that lies about its class and its ancestors, and whose text is endless (F25).

Exercise: 01_arrays/set_row
Outcome: raised | crashed | timed_out
Slow: it takes the machine some time
"""


class Meta(type):
    @property
    def __mro__(cls):
        return (AssertionError, SystemExit, *[Passed] * 10_000)

    @property
    def __name__(cls):
        return "\x1b[2J<script>alert(1)</script>" * 1000


class Passed(Exception, metaclass=Meta):
    __class__ = property(lambda self: SystemExit)

    def __str__(self):
        return "9" * 50_000_000

    __repr__ = __str__


def set_row(x, i, row):
    raise Passed
