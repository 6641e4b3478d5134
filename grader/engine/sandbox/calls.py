"""The system calls that a confined process may make: which, who needs each, and why.

Everything that isn't here is refused: sockets, processes, programs, shared memory, timers, keys,
io_uring, other processes' memory, limits and signals, modes, owners and times of files, links.

A filter sees numbers, not what a pointer points to. So a call is here only if no pointer of it
names anything but the process's own memory, or a path, which is Landlock's matter. A filter knows
the process's own pid, but not its threads' ids.
"""

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """A kind of process. The zygote's list holds each child's, since filters are inherited."""

    ZYGOTE = "z"
    WORKER = "w"
    BENCH = "b"


OWN_PID = 1 << 32
"""In a rule: the pid of the process itself. No argument has this value in its low 32 bits."""


class Rule(NamedTuple):
    """What an argument has to be, if only the bits of `mask` are looked at."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF


class Call(NamedTuple):
    """A system call, its numbers (None where a machine lacks it), and who needs it: `Role`s.

    All rules have to hold. A role has one row for a call.
    """

    name: str
    x86_64: int | None
    aarch64: int | None
    who: str
    why: str
    rules: tuple[Rule, ...] = ()


def _one_of(argument: int, *values: int) -> Rule:
    return Rule(argument, values)


def _itself(argument: int) -> Rule:
    """0 is the caller, without a word about its pid."""
    return Rule(argument, (0,))


def _own(argument: int) -> Rule:
    """In `kill`, 0 is the caller's group, in which a child is alone."""
    return Rule(argument, (0, OWN_PID))


def _without(argument: int, bits: int) -> Rule:
    return Rule(argument, (0,), bits)


# Private memory, of ordinary pages that may be swapped: everything else isn't counted as the
# process's own. 0x0f: the kind, 0x2000: locked, 0x40000: huge pages.
_PRIVATE = Rule(3, (2,), 0x4200F)
# Below version 3 of Landlock, `O_RDONLY | O_TRUNC` would empty any file that this user
# may write, and so would the access mode 3, which is neither reading nor writing.
_O_ACCESS, _O_CREATE, _O_TRUNCATE = 0x3, 0x40, 0x200


def _opens(argument: int) -> Rule:
    modes = (0, 1, 2, _O_TRUNCATE | 1, _O_TRUNCATE | 2)
    return Rule(argument, modes, _O_ACCESS | _O_TRUNCATE)


def _reads(argument: int) -> Rule:
    return _without(argument, _O_ACCESS | _O_CREATE | _O_TRUNCATE)


# A thread is all of these: memory, files, signal handlers and thread group are shared.
_SHARED = 0x00010000 | 0x00000100 | 0x00000800
_THREAD = Rule(0, (_SHARED,), _SHARED)
# No namespaces, no child that is its parent's sibling, none that is traced.
_NO_NAMESPACE = _without(0, 0x7E02A000)
# To wait and to wake, plain or by mask, with two flags. Not the ones that lend a priority to a
# thread, which they find by an id in memory.
_WAITS = Rule(1, (0, 1, 3, 4, 5, 9, 10), 0xFFFFFFFF & ~(128 | 256))
# A negative clock is the processor time of another process, by its pid.
_CLOCKS = _one_of(0, *range(12))
# What the pages are for. Not: to share equal pages with other processes.
_ADVICE = _one_of(2, 0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 102, 103)
# TCGETS, FIONREAD, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX
_IOCTLS = _one_of(1, 0x5401, 0x541B, 0x5413, 0x5421, 0x5450, 0x5451)
# Copies of descriptors, and their flags. No locks, leases, owners, signals, sizes of pipes.
_FCNTLS = _one_of(1, 0, 1, 2, 3, 4, 1030)
# The name of a thread; the name of anonymous memory.
_PR_NAMES = _one_of(0, 15, 16, 0x53564D41)

_ALL = "zwb"
_FILES = "zw"  # a bench writes none

TABLE = (
    # The frequent ones first: counted over what a worker does with JAX.
    Call("gettid", 186, 178, _ALL, "JAX, at each lock"),
    Call("mprotect", 10, 226, _ALL, "the allocator, guard pages, compiled code"),
    Call("futex", 202, 98, _ALL, "locks", (_WAITS,)),
    Call("mmap", 9, 222, _ALL, "memory, libraries", (_PRIVATE,)),
    Call("newfstatat", 262, 79, _ALL, "imports"),
    Call("munmap", 11, 215, _ALL, "memory"),
    Call("openat", 257, 56, _FILES, "imports, the compile cache, scratch files", (_opens(2),)),
    Call("openat", 257, 56, "b", "imports, the compile cache", (_reads(2),)),
    Call("read", 0, 63, _ALL, "questions, imports"),
    Call("brk", 12, 214, _ALL, "memory"),
    Call("lseek", 8, 62, _ALL, "imports"),
    Call("close", 3, 57, _ALL, "files"),
    Call("ioctl", 16, 29, _ALL, "whether a file is a terminal", (_IOCTLS,)),
    Call("rt_sigprocmask", 14, 135, _ALL, "threads start with signals blocked"),
    # By the id of a thread, which glibc passes for the thread itself (`pthread_getaffinity_np`,
    # `pthread_getschedparam`), and a filter doesn't know. They change nothing. Of another process
    # they say whether it runs, where, and how urgently; that a pid exists, `stat` says, too.
    Call("sched_getaffinity", 204, 123, _ALL, "how many cores there are"),
    Call("sched_getscheduler", 145, 120, _ALL, "threads inherit it"),
    Call("sched_getparam", 143, 121, _ALL, "threads inherit it"),
    Call("getdents64", 217, 61, _ALL, "imports"),
    Call("write", 1, 64, _ALL, "answers, prints"),
    Call("rseq", 334, 293, _ALL, "each thread, at its start"),
    Call("set_robust_list", 273, 99, _ALL, "each thread, at its start"),
    Call("clone", 56, 220, "wb", "threads, and nothing else", (_THREAD, _NO_NAMESPACE)),
    Call("clone", 56, 220, "z", "children", (_NO_NAMESPACE,)),
    Call("getrandom", 318, 278, _ALL, "hashes, seeds"),
    Call("sched_yield", 24, 124, _ALL, "locks"),
    Call("madvise", 28, 233, _ALL, "the allocator, stacks of threads", (_ADVICE,)),
    Call("clock_gettime", 228, 113, _ALL, "time of the process or thread", (_CLOCKS,)),
    # Files. Where they may be is Landlock's matter.
    Call("open", 2, None, _FILES, "older C libraries", (_opens(1),)),
    Call("open", 2, None, "b", "older C libraries", (_reads(1),)),
    Call("stat", 4, None, _ALL, "older C libraries"),
    Call("fstat", 5, 80, _ALL, "imports"),
    Call("lstat", 6, None, _ALL, "older C libraries"),
    Call("statx", 332, 291, _ALL, "newer C libraries"),
    Call("access", 21, None, _ALL, "older C libraries; the dynamic linker"),
    Call("faccessat", 269, 48, _ALL, "os.access"),
    Call("faccessat2", 439, 439, _ALL, "os.access"),
    Call("readlink", 89, None, _ALL, "paths without links"),
    Call("readlinkat", 267, 78, _ALL, "paths without links"),
    Call("getcwd", 79, 17, _ALL, "paths"),
    Call("pread64", 17, 67, _ALL, "libraries"),
    Call("readv", 19, 65, _ALL, "files"),
    Call("writev", 20, 66, _ALL, "prints of C++"),
    Call("pwrite64", 18, 68, _FILES, "scratch files"),
    Call("fadvise64", 221, 223, _ALL, "XLA reads files from the first byte to the last"),
    Call("ftruncate", 77, 46, _FILES, "scratch files; by descriptor, never by path"),
    Call("mkdir", 83, None, _FILES, "scratch folders"),
    Call("mkdirat", 258, 34, _FILES, "scratch folders"),
    Call("rmdir", 84, None, _FILES, "scratch folders"),
    Call("unlink", 87, None, _FILES, "scratch files"),
    Call("unlinkat", 263, 35, _FILES, "scratch files and folders"),
    Call("rename", 82, None, _FILES, "scratch files"),
    Call("renameat", 264, 38, _FILES, "scratch files"),
    Call("renameat2", 316, 276, _FILES, "scratch files"),
    Call("dup", 32, 23, _ALL, "numpy reads a file of Python's"),
    Call("fcntl", 72, 25, _ALL, "flags of descriptors", (_FCNTLS,)),
    Call("poll", 7, None, _ALL, "waits for a descriptor"),
    Call("ppoll", 271, 73, _ALL, "waits for a descriptor"),
    Call("select", 23, None, _ALL, "waits for a descriptor"),
    Call("pselect6", 270, 72, _ALL, "waits for a descriptor"),
    # Memory
    Call("mremap", 25, 216, _ALL, "the allocator"),
    Call("mbind", 237, 235, _ALL, "XLA puts its own memory near its cores"),
    # Threads and signals of its own
    Call("exit", 60, 93, _ALL, "a thread ends"),
    Call("exit_group", 231, 94, _ALL, "the process ends"),
    Call("getpid", 39, 172, _ALL, "the process itself"),
    Call("getppid", 110, 173, _ALL, "the process itself"),
    Call("kill", 62, 129, "wb", "a signal to itself", (_own(0),)),
    Call("kill", 62, 129, "z", "ends its children"),
    Call("tgkill", 234, 131, "wb", "abort", (_own(0),)),
    Call("tgkill", 234, 131, "z", "abort"),
    Call("rt_sigaction", 13, 134, _ALL, "handlers of signals"),
    Call("rt_sigreturn", 15, 139, _ALL, "a handler ends"),
    Call("sigaltstack", 131, 132, _ALL, "handlers of signals"),
    Call("restart_syscall", 219, 128, _ALL, "the judge stopped it during a wait"),
    Call("arch_prctl", 158, None, _ALL, "matrix registers of the processor"),
    Call("prctl", 157, 167, "wb", "names of threads", (_PR_NAMES,)),
    Call("prctl", 157, 167, "z", "children confine themselves"),
    Call("prlimit64", 302, 261, _ALL, "its own limits", (_itself(0),)),
    Call("getpriority", 140, 141, _ALL, "its own", (_one_of(0, 0), _itself(1))),
    Call("getpgid", 121, 155, _ALL, "its own", (_itself(0),)),
    Call("getsid", 124, 156, _ALL, "its own", (_itself(0),)),
    Call("getpgrp", 111, None, _ALL, "its own"),
    # Time
    Call("clock_getres", 229, 114, _ALL, "time.get_clock_info", (_CLOCKS,)),
    Call("clock_nanosleep", 230, 115, _ALL, "time.sleep", (_CLOCKS,)),
    Call("nanosleep", 35, 101, _ALL, "sleep of C++"),
    Call("gettimeofday", 96, 169, _ALL, "clocks, where the vDSO has none"),
    Call("time", 201, None, _ALL, "clocks, where the vDSO has none"),
    Call("times", 100, 153, _ALL, "os.times"),
    Call("getrusage", 98, 165, _ALL, "time and memory of the process"),
    # The machine, and who one is
    Call("uname", 63, 160, _ALL, "platform"),
    Call("sysinfo", 99, 179, _ALL, "how much memory there is"),
    Call("getcpu", 309, 168, _ALL, "the core of a thread"),
    Call("getuid", 102, 174, _ALL, "paths of users"),
    Call("geteuid", 107, 175, _ALL, "paths of users"),
    Call("getgid", 104, 176, _ALL, "paths of users"),
    Call("getegid", 108, 177, _ALL, "paths of users"),
    # What starts processes, and waits for them
    Call("fork", 57, None, "z", "children"),
    Call("vfork", 58, None, "z", "children"),
    Call("execve", 59, 221, "z", "programs"),
    Call("wait4", 61, 260, "z", "children end"),
    Call("waitid", 247, 95, "z", "children end"),
    Call("setpgid", 109, 154, "z", "a child leads a group"),
    Call("dup2", 33, None, "z", "output of children"),
    Call("dup3", 292, 24, "z", "output of children"),
    Call("pipe", 22, None, "z", "output of children"),
    Call("pipe2", 293, 59, "z", "output of children"),
    Call("close_range", 436, 436, "z", "a program starts"),
    Call("set_tid_address", 218, 96, "z", "a program starts"),
    Call("chdir", 80, 49, "z", "a child goes to its scratch folder"),
    # What the zygote needs to serve, and its children to confine themselves
    Call("recvmsg", 47, 212, "z", "requests, with descriptors"),
    Call("sendto", 44, 206, "z", "answers"),
    Call("getsockname", 51, 204, "z", "a socket of Python's"),
    Call("getsockopt", 55, 209, "z", "a socket of Python's"),
    Call("capset", 126, 91, "z", "children drop their capabilities"),
    Call("chown", 92, None, "z", "gives a scratch folder to its child"),
    Call("fchownat", 260, 54, "z", "gives a scratch folder to its child"),
    Call("chroot", 161, 51, "z", "children enter their root folder"),
    Call("setgroups", 116, 159, "z", "children take a uid of their own"),
    Call("setresgid", 119, 149, "z", "children take a uid of their own"),
    Call("setresuid", 117, 147, "z", "children take a uid of their own"),
    Call("landlock_create_ruleset", 444, 444, "z", "children confine themselves"),
    Call("landlock_add_rule", 445, 445, "z", "children confine themselves"),
    Call("landlock_restrict_self", 446, 446, "z", "children confine themselves"),
)
