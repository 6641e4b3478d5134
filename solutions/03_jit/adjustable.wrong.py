"""Wrong answers to adjustable; each cell is a suffix to the solution."""

from functools import partial

import jax


def _changer(settings):
    def change(**new):
        if new.keys() - settings.keys():
            raise ValueError
        settings.update(new)

    return change


# %% as_it_was
# The settings are read while the function is traced, and become constants of the program.
# Do: Pass the settings to the compiled function as an argument.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_change_counts, test_it_counts_for_each_shape,
# test_two_pairs_have_settings_of_their_own, test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    return jax.jit(lambda x: f(x, **settings)), _changer(settings)


# %% default_value
# A default value that isn't passed isn't an argument: it is read while tracing.
# Do: Pass the settings in each call.
# Breaks: Returns 2
# Fails: test_a_change_counts, test_it_counts_for_each_shape,
# test_two_pairs_have_settings_of_their_own, test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    @jax.jit
    def run(x, settings=settings):
        return f(x, **settings)

    return run, _changer(settings)


# %% bound_at_the_start
# `partial` keeps the first settings.
# Do: Read the settings in each call, outside the compiled function.
# Breaks: Returns 2
# Fails: test_a_change_counts, test_it_counts_for_each_shape,
# test_two_pairs_have_settings_of_their_own, test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    return jax.jit(partial(f, **settings)), _changer(dict(settings))


# %% new_program_for_nobody
# A change makes a new compiled function, but the caller still has the old one.
# Do: Return a function that reads the settings when it is called.
# Breaks: Returns 4
# Fails: test_a_change_counts, test_it_counts_for_each_shape,
# test_two_pairs_have_settings_of_their_own, test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    run = jax.jit(partial(f, **settings))

    def change(**new):
        nonlocal run
        if new.keys() - settings.keys():
            raise ValueError
        settings.update(new)
        run = jax.jit(partial(f, **settings))

    return run, change


# %% not_compiled
# Without `jit`, the values are right, but `f` is executed in Python in each call.
# Do: Keep `jit`, and pass the settings as an argument.
# Breaks: Returns 3
# Fails: test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    return lambda x: f(x, **settings), _changer(settings)


# %% compiled_in_each_call
# Each call makes a new function for `jit`, which is traced again.
# Do: Call `jit` once, and pass the settings as an argument.
# Breaks: Returns 3
# Fails: test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    return lambda x: jax.jit(partial(f, **settings))(x), _changer(settings)


# %% forgets_its_programs
# Each change discards the compiled programs, so a slider compiles at each step.
# Do: Let one program serve all values: they have to be arguments.
# Breaks: Returns 3
# Fails: test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    run = jax.jit(lambda x: f(x, **settings))
    update = _changer(settings)

    def change(**new):
        update(**new)
        run.clear_cache()

    return run, change


# %% static_settings
# Static settings are constants of a program for each value, and an array can't be static.
# Do: Leave the settings traced.
# Breaks: Returns 3
# Fails: test_the_first_settings_count, test_it_counts_for_each_shape,
# test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    compiled = jax.jit(f, static_argnames=tuple(settings))
    return lambda x: compiled(x, **settings), _changer(settings)


# %% settings_of_all
# The settings are global, so one pair changes those of another.
# Do: Store the settings of each pair separately.
# Breaks: Returns 7
# Fails: test_two_pairs_have_settings_of_their_own
_ALL = {}


def adjustable(f, **settings):
    _ALL.clear()
    _ALL.update(settings)
    compiled = jax.jit(f)
    return lambda x: compiled(x, **_ALL), _changer(_ALL)


# %% forgets_the_others
# A change replaces all settings, so unnamed ones are gone.
# Do: Keep each setting that isn't named.
# Breaks: Returns 5
# Fails: test_a_change_counts, test_two_pairs_have_settings_of_their_own,
# test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    compiled, names = jax.jit(f), settings.keys()

    def change(**new):
        nonlocal settings
        if new.keys() - names:
            raise ValueError
        settings = new

    return lambda x: compiled(x, **settings), change


# %% changes_only
# Only changed settings are passed, so the initial ones are missing.
# Do: Start with the initial settings, and pass all of them.
# Breaks: Returns 2
# Fails: test_the_first_settings_count, test_an_unknown_setting_is_refused, test_a_change_counts,
# test_it_counts_for_each_shape, test_two_pairs_have_settings_of_their_own,
# test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    compiled, changed = jax.jit(f), {}

    def change(**new):
        if new.keys() - settings.keys():
            raise ValueError
        changed.update(new)

    return lambda x: compiled(x, **changed), change


# %% checked_too_late
# The settings are changed before the names are checked.
# Do: Check all names first, as before.
# Breaks: Returns 6
# Fails: test_an_unknown_setting_is_refused
def adjustable(f, **settings):
    compiled = jax.jit(f)

    def change(**new):
        for name, value in new.items():
            if name not in settings:
                raise ValueError
            settings[name] = value

    return lambda x: compiled(x, **settings), change


# %% unchecked
# An unknown setting is accepted, and the next call fails.
# Do: Keep checking the names.
# Breaks: Returns 6
# Fails: test_an_unknown_setting_is_refused
def adjustable(f, **settings):
    compiled = jax.jit(f)
    return lambda x: compiled(x, **settings), settings.update


# %% harmless
# General faults that are allowed, with the reason.
{"other_containers": "A pair of any kind gives its two functions."}


# %% traced_only
# The operations are kept for each shape, and executed one at a time, without a compiler.
# Do: Compile the function of x and the settings with `jax.jit`.
# Breaks: Returns 2
# Fails: test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    traces = {}

    def run(x):
        kind = x.shape, x.dtype
        if kind not in traces:
            traces[kind] = jax.make_jaxpr(lambda x, now: f(x, **now))(x, settings)
        kept, now = traces[kind], jax.tree.leaves(settings)
        return jax.core.eval_jaxpr(kept.jaxpr, kept.consts, x, *now)[0]

    return run, _changer(settings)


# %% once missed
# %% other_way_round
# The two functions are returned in the wrong order.
# Breaks: Returns 1
# Fails: test_the_first_settings_count, test_an_unknown_setting_is_refused, test_a_change_counts,
# test_it_counts_for_each_shape, test_two_pairs_have_settings_of_their_own,
# test_it_is_traced_once_for_each_shape
def adjustable(f, **settings):
    compiled = jax.jit(f)
    return _changer(settings), lambda x: compiled(x, **settings)
