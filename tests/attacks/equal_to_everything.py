"""Returns an object that equals everything, is close to everything, and has no difference (F02).

Exercise: 01_arrays/set_row
Outcome: raised
Demo: beats a bare `assert x == y`
"""


class Anything:
    shape = dtype = ndim = size = property(lambda self: self)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __getattr__(self, name):
        return self

    def __le__(self, other):
        return True

    def __sub__(self, other):
        return 0

    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __ge__, __rsub__, __abs__ = __le__, __sub__, lambda self: 0
    __bool__ = __contains__ = lambda self, *args: True


def set_row(x, i, row):
    return Anything()
