"""Raises SystemExit(0), KeyboardInterrupt and GeneratorExit, which few handlers catch (F03).

Exercise: 01_arrays/set_row
Outcome: raised
"""

import itertools

exits = itertools.cycle([SystemExit(0), KeyboardInterrupt(), GeneratorExit()])


def set_row(x, i, row):
    raise next(exits)
