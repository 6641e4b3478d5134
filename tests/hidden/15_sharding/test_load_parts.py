"""load_parts(read, shape, mesh): the values, what was read, and which device holds what.

A callback of this suite reads from numbers that only the judge has. It notes which rows it was
asked for, and the judge compares the result with its numbers. So `timed` stands here without a
clock: the result is right only if the rows were asked for. Where a part is, the worker says.
Numbers are read while Python runs, so no program is judged.
"""

import jax
import numpy as np
import pytest

from grader.suite import Callback, assert_close, case


def make_mesh(devices):
    """So many devices: the last ones, in reverse."""
    kinds, used = (jax.sharding.AxisType.Auto,), jax.devices()[::-1][:devices]
    return jax.make_mesh((devices,), ("data",), axis_types=kinds, devices=used)


def loaded(load, read, shape, devices):
    """The array, which is read by way of the judge."""
    return load(lambda start, stop: np.asarray(read(start, stop)), shape, make_mesh(devices))


def told(load, read, shape, devices):
    """For each device of the mesh, which rows it holds."""
    found, mesh = loaded(load, read, shape, devices), make_mesh(devices)
    held = {piece.device: piece for piece in found.addressable_shards}

    def text(device):
        if device not in held:
            return "nothing"
        piece = held[device]
        return f"shape {piece.data.shape} from row {piece.index[0].start or 0}"

    return [text(device) for device in mesh.devices.flat]


class Disk:
    """Rows to read, and notes of what was read."""

    def __init__(self, rng, shape, dtype=np.float32):
        self.rows = rng.integers(-100, 100, size=shape).astype(dtype)
        self.calls = []

    def read(self, start, stop):
        start, stop = int(start), int(stop)
        assert 0 <= start < stop, f"`read` is called with start = {start} and stop = {stop}"
        self.calls.append((start, stop))
        return self.rows[start:stop]

    def values(self, submission, devices):
        run = submission.load_parts.used_by(loaded).timed()
        found = run(Callback(self.read), self.rows.shape, devices)
        assert_close(found, self.rows)


@pytest.mark.words
@pytest.mark.hint("Which rows belong to which device? And which axis is sharded?")
def test_the_array_has_the_rows_in_order(submission, rng):
    """On eight devices, the array has all rows in their order."""
    for shape in ((8, 3), (24, 8)):
        Disk(rng, shape).values(submission, 8)


@pytest.mark.words
@pytest.mark.points(4)
@pytest.mark.hint("Do you call `read` once for all rows, or once for each part that JAX requests?")
def test_no_call_reads_more_than_a_part(submission, rng):
    """No call of `read` requests more rows than one device holds."""
    for rows, devices in ((40, 8), (12, 2)):
        disk = Disk(rng, (rows, 5))
        disk.values(submission, devices)
        most = max(stop - start for start, stop in disk.calls)
        assert most <= rows // devices, (
            f"with {rows} rows on {devices} devices, a call asks for {most} rows"
        )


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("How often does your code read a row, and for which device?")
def test_each_row_is_read_once(submission, rng):
    """No row is read twice, and no call reads rows of two devices, on any number of devices."""
    for devices in (8, 4, 2):
        disk = Disk(rng, (16, 2))
        disk.values(submission, devices)
        rows = sorted(row for start, stop in disk.calls for row in range(start, stop))
        assert rows == list(range(16)), "A row is read more than once."
        size = 16 // devices
        for start, stop in disk.calls:
            assert start // size == (stop - 1) // size, (
                f"on {devices} devices, a call asks for the rows {start} to {stop - 1}"
            )


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("Does each device of the mesh hold its own rows, and nothing else?")
def test_each_device_holds_its_part(submission, rng):
    """Each device of the mesh holds its part of the rows, in the order of the mesh."""
    for devices in (8, 3):
        disk = Disk(rng, (24, 2))
        run = submission.load_parts.used_by(told).observed()
        found = run(Callback(disk.read), disk.rows.shape, devices)
        size = 24 // devices
        assert found == [f"shape ({size}, 2) from row {size * i}" for i in range(devices)]


@pytest.mark.words
def test_details(submission, rng):
    """It works on one device, for one axis or three, and for other dtypes."""
    with case("on one device", hint="If a device holds all rows, its slice has no start."):
        Disk(rng, (6, 2)).values(submission, 1)
    with case("for one axis", hint="How many entries does the index have?"):
        Disk(rng, (16,)).values(submission, 8)
    with case("for three axes", hint="Only the first axis is sharded."):
        Disk(rng, (16, 2, 3)).values(submission, 8)
    for dtype in (np.int32, np.float16):
        with case(f"for {np.dtype(dtype)}", hint="`read` determines the dtype."):
            Disk(rng, (16, 2), dtype).values(submission, 8)
