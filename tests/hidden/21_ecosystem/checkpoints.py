"""What the suites about checkpoints share.

The judge saves a checkpoint of numbers that only the judge has. A student's process may lock no
file, so it can't save. It gets the files by a callback, and writes them into a folder of its own.
So `timed` stands in these suites without a clock: a result is right only if its numbers were read
from these files.
"""

import asyncio
import logging
import os
import pathlib
import selectors
import tempfile

from grader.suite import Callback


def saved(tree):
    """The files of a checkpoint of this tree: their bytes by name. Each array has its own files."""
    import orbax.checkpoint as ocp

    logging.getLogger("absl").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "saved"
        with ocp.PyTreeCheckpointer(use_ocdbt=False) as checkpointer:
            checkpointer.save(path, tree)
        files = [file for file in path.rglob("*") if file.is_file()]
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def handed(files):
    """A function that hands the files over."""
    return Callback(lambda: files)


def at_a_path(restore, files, use, *args):
    """What `use` makes of the student's function, of the path of the checkpoint, and of the rest.

    The grader sends the module of this function along, with all that it needs.
    """
    return use(restore, written(files()), *args)


def written(files):
    """The path of a folder with these files."""
    logging.getLogger("absl").setLevel(logging.ERROR)
    asyncio.set_event_loop_policy(Policy())
    path = os.path.join(tempfile.mkdtemp(), "checkpoint")
    for name, data in files.items():
        file = os.path.join(path, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as stream:
            stream.write(data)
    return path


class Loop(asyncio.SelectorEventLoop):
    """An event loop without a socket, for Orbax: it looks for new work each millisecond."""

    def __init__(self):
        super().__init__(selectors.PollSelector())

    def _make_self_pipe(self):
        self._internal_fds = 0
        self._tick()

    def _tick(self):
        self.call_later(0.001, self._tick)

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


class Policy(asyncio.DefaultEventLoopPolicy):
    """It makes such loops."""

    def new_event_loop(self):
        return Loop()
