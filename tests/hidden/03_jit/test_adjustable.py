"""adjustable(f, **settings): a compiled function whose settings can change.

The stub is a program that keeps the settings of the first call of each shape. When `f` is traced, a
`Callback` of this suite sees it.
"""

import jax
import numpy as np
import pytest

from grader.suite import Callback, assert_close, case, raises


def tone(x, gain, offset):
    return gain * x + offset


def other(x, gain, offset):
    return gain * (x - offset)


def turned(x, gain):
    """It adds a number of the dtype of x, which is 0."""
    return x[::-1] + (0 * gain).astype(x.dtype)


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def value(rng):
    return float(np.float32(rng.uniform(1, 5)))


@pytest.mark.hint("Are the initial settings used until one changes?")
def test_the_first_settings_count(submission, rng):
    """Before a change, the function has the initial settings, for each shape."""
    gain, offset = value(rng), value(rng)
    run, _ = submission.adjustable(tone, gain=gain, offset=offset)
    for shape in ((3,), (2, 4), (3,)):
        x = draw(rng, *shape)
        assert_close(run(x), tone(x, gain, offset))
    run, _ = submission.adjustable(turned, gain=np.float32(gain))
    for name, dtype in (("whole numbers", np.int32), ("half precision", np.float16)):
        with case(f"for {name}", hint="Does your code change what goes in or comes out?"):
            x = rng.integers(-9, 9, size=4).astype(dtype)
            if dtype == np.float16:
                x[1] = np.nan
            assert_close(run(x), x[::-1], nonfinite=True)


@pytest.mark.hint("Is the name of each setting checked before one of them changes?")
def test_an_unknown_setting_is_refused(submission, rng):
    """An unknown name raises ValueError, and then no setting changes."""
    gain, offset, x = value(rng), value(rng), draw(rng, 3)
    run, change = submission.adjustable(tone, gain=gain, offset=offset)
    with raises(ValueError):
        change(gian=7.0)
    with raises(ValueError):
        change(gain=7.0, ofset=7.0)
    assert_close(run(x), tone(x, gain, offset))


@pytest.mark.points(3)
@pytest.mark.hint("When does the Python code of a compiled function read a setting?")
def test_a_change_counts(submission, rng):
    """After a change, the next call has the new setting, and the others stay."""
    settings, x = {"gain": value(rng), "offset": value(rng)}, draw(rng, 5)
    run, change = submission.adjustable(tone, **settings)
    assert_close(run(x), tone(x, **settings))
    for names in (["gain"], ["offset"], ["gain", "offset"], ["gain"]):
        new = {name: settings[name] + value(rng) for name in names}
        change(**new)
        settings |= new
        with case(f"after a change of {' and '.join(names)}"):
            assert_close(run(x), tone(x, **settings))


@pytest.mark.points(2)
@pytest.mark.hint("Does each shape have the same settings at each moment? Can one be an array?")
def test_it_counts_for_each_shape(submission, rng):
    """A change applies to old and new shapes, and a setting can be an array."""
    small, large, new = draw(rng, 3), draw(rng, 6, 3), draw(rng, 2, 3)
    gain, offset = value(rng), draw(rng, 3)
    run, change = submission.adjustable(other, gain=gain, offset=offset)
    for x in (small, large):
        assert_close(run(x), other(x, gain, offset))
    gain, offset = gain + 1, offset + 1
    change(offset=offset, gain=gain)
    for name, x in (("small", small), ("large", large), ("new", new)):
        with case(f"for an array of a {name} shape"):
            assert_close(run(x), other(x, gain, offset))


@pytest.mark.hint("Is something stored outside the two functions?")
def test_two_pairs_have_settings_of_their_own(submission, rng):
    """A change in one pair changes nothing in another pair of the same function."""
    x, gain, offset = draw(rng, 4), value(rng), value(rng)
    run, change = submission.adjustable(tone, gain=gain, offset=offset)
    second, change_second = submission.adjustable(tone, gain=-gain, offset=offset)
    with case("before a change"):
        assert_close([run(x), second(x)], [tone(x, gain, offset), tone(x, -gain, offset)])
    change(offset=offset + 1)
    change_second(gain=gain + 2)
    with case("after a change of each"):
        assert_close([run(x), second(x)], [tone(x, gain, offset + 1), tone(x, gain + 2, offset)])


def slid(adjustable, note, x, small, gains):
    """What comes out while a slider moves, and whether it is compiled. It notes each trace."""

    def noting(x, gain, offset):
        note(x.ndim)
        return gain * x + offset

    run, change = adjustable(noting, gain=1.5, offset=0.5)
    found = [run(x), run(small)]
    for gain in gains:
        change(gain=gain)
        found.append(run(x))
    found.append(run(small))
    try:
        # In a trace, a compiled function is a call.
        return found, "jit[" in str(jax.make_jaxpr(run)(x))
    except TypeError:
        # One that was compiled for a shape ahead of its calls can't be traced.
        return found, True


@pytest.mark.points(2)
@pytest.mark.hint("Is the function compiled? And is it compiled again when only a value changes?")
def test_it_is_traced_once_for_each_shape(submission, rng):
    """The function is traced once for each shape, however often a slider moves."""
    traced, x, small = [], draw(rng, 2, 3), draw(rng, 3)
    gains = [value(rng) for _ in range(6)]
    run = submission.adjustable.used_by(slid).observed()
    found, is_compiled = run(Callback(lambda axes: traced.append(int(axes))), x, small, gains)
    assert is_compiled, "the function isn't compiled"
    first, last = (tone(small, gain, 0.5) for gain in (1.5, gains[-1]))
    assert_close(found, [tone(x, 1.5, 0.5), first, *(tone(x, g, 0.5) for g in gains), last])
    for axes in (1, 2):
        times = traced.count(axes)
        # A right answer may look at the shape of the result first.
        assert 1 <= times <= 2, f"for one shape, `f` is traced {times} times"
