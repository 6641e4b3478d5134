"""Puts an out-of-band byte before its answer, which stream sockets treat in their own way (F06).

Exercise: 01_arrays/set_row
Outcome: failed | crashed
"""

import os
import socket
import stat


def set_row(x, i, row):
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                # With a family, Python asks the kernel nothing about it.
                channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(number))
                channel.send(b"!", socket.MSG_OOB)
        except OSError:
            continue
    return x
