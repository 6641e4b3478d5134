"""Sandboxed children of the judge: how they start, speak, are limited and end.

host           a sandbox, its zygote, and the children that it forks
child          talks to one hostile process and enforces its limits
seat           the processes of one submission
clock          the time that is charged to its code, on a busy machine, too
usage          what the kernel tells of a child: threads, memory, disk; cores to use
zygote_state   what children inherit of the zygote, so that a change is seen
isolation      tries to break each layer of isolation on this machine
faults         whose fault a failure is
evidence       what a test asked for, and which call gave which result
"""
