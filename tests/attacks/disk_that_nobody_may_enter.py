"""Makes folders of mode 0, sockets and pipes, which are hard to delete (R03, A04).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import os
import socket


def set_row(x, i, row):
    for k in range(20):
        os.makedirs(f"closed{k}/inner", mode=0o700, exist_ok=True)
        for make in (
            lambda k=k: os.mkdir(f"closed{k}/inner/nothing", mode=0),
            lambda k=k: os.mkfifo(f"closed{k}/pipe"),
            lambda k=k: os.symlink("/", f"closed{k}/link"),
            lambda k=k: socket.socket(socket.AF_UNIX).bind(f"closed{k}/socket"),
            lambda k=k: os.mkdir(f"closed{k}/\n\x1b[2J -rf *"),
        ):
            try:
                make()
            except OSError:
                continue
    return x
