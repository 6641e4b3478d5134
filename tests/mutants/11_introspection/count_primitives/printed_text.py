"""The printed program is searched, and a program that occurs twice is printed once.

Fails: test_jitted_functions_are_looked_into
"""

import re
from collections import Counter

import jax


def count_primitives(f, *args):
    text = str(jax.make_jaxpr(f)(*args))
    return dict(Counter(re.findall(r"\] = (\w+)", text)))
