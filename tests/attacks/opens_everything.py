"""Opens files and sockets until there are no descriptors left (R08).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import os
import socket

kept = []


def set_row(x, i, row):
    try:
        while True:
            kept.append(os.open("/dev/zero", os.O_RDONLY))
            kept.append(socket.socketpair())
    except OSError:
        return x
