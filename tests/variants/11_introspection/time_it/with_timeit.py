"""The standard library's `timeit`, which divides nothing by itself."""

import timeit

import jax


def time_it(f, *args):
    def call():
        jax.block_until_ready(f(*args))

    call()
    number = 5
    return timeit.timeit(call, number=number) / number
