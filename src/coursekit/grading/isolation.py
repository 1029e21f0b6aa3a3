"""Inside the sandbox: what a process gives up for good before it runs a student's code.

The zygote that forks a process for each submission is itself in a sandbox, so all this separates one submission from
the next and from the zygote: namespaces of its own (user, process ids, mounts, IPC), fresh folders in memory, no
capability, limits, and a list of system calls that no notebook needs.

Source: namespaces(7), user_namespaces(7), capabilities(7), seccomp(2); the calls are those that Docker's default
profile and bubblewrap's authors advise against.
"""

import contextlib
import ctypes
import errno
import os
import platform
import resource
import struct
import sys
from collections.abc import Collection
from pathlib import Path

from coursekit.grading.limits import Limits

_NEW = {"ns": 0x00020000, "ipc": 0x08000000, "user": 0x10000000, "pid": 0x20000000}
_NOSUID, _NODEV, _NOEXEC, _BIND, _RECURSIVE = 2, 4, 8, 4096, 16384
_SET_DUMPABLE, _SET_SECCOMP, _CAPBSET_DROP, _SET_NO_NEW_PRIVS = 4, 22, 24, 38
_LAST_CAPABILITY = 63
_CAPABILITY_VERSION_3 = 0x20080522

# name: (x86_64, aarch64); shared memory, message queues and memory files would not count as any process's memory
_REFUSED_CALLS = {
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190), "fsopen": (430, 430), "move_mount": (429, 429), "open_tree": (428, 428),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_libc = ctypes.CDLL(None, use_errno=True)


def hide_from_others(*, hidden: bool = True) -> None:
    """Make this process one that no other of the same user may trace or look into; or an ordinary one again."""
    _check(_libc.prctl(_SET_DUMPABLE, int(not hidden), 0, 0, 0), "prctl(PR_SET_DUMPABLE)")


def open_anew(but: Collection[int]) -> None:
    """Open anew all files that are open but these: who shares one shares its position, its locks, what is written.

    The three standard ones, of which one is the zygote's log, lead nowhere.
    """
    for fd in {int(name) for name in os.listdir("/proc/self/fd")} - {*but}:  # noqa: PTH208
        with contextlib.suppress(OSError):  # that of the list itself, closed by now
            new = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY) if fd > 2 else os.open(os.devnull, os.O_RDWR)  # noqa: PLR2004
            os.lseek(new, os.lseek(fd, 0, os.SEEK_CUR), os.SEEK_SET)  # where a reader's buffer believes it is
            os.dup2(new, fd, inheritable=fd <= 2)  # noqa: PLR2004
            os.close(new)


def enter_own_namespaces() -> None:
    """Move into namespaces of one's own; the next child is process 1 of the new process ids.

    Raises:
        OSError: the host does not allow it inside a sandbox.
    """
    uid, gid = os.getuid(), os.getgid()
    hide_from_others(hidden=False)  # a hidden process may not write its own maps
    _check(_libc.unshare(_NEW["user"] | _NEW["pid"] | _NEW["ns"] | _NEW["ipc"]), "unshare")
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
    Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")  # of this namespace: none within it


def mount_fresh_folders(limits: Limits) -> None:
    """Put empty folders in memory where the last submission may have written, and a /proc of these processes alone."""
    size = f"size={limits.disk_bytes},nr_inodes=4096,mode=1777"
    below = {prefix for prefix in (sys.prefix, sys.base_prefix) if prefix.startswith("/tmp/")}  # noqa: S108
    pythons = {prefix: os.open(prefix, os.O_PATH) for prefix in below}  # would be covered: shown again
    for place in ("/tmp", "/dev/shm"):  # noqa: S108  the sandbox's own
        _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, size)
    for prefix, folder in pythons.items():
        Path(prefix).mkdir(parents=True)
        _mount(f"/proc/self/fd/{folder}", prefix, "", _BIND | _RECURSIVE, "")
        os.close(folder)
    try:
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "")
    except OSError:  # some hosts forbid a second /proc: then there is none
        _mount("tmpfs", "/proc", "tmpfs", _NOSUID | _NODEV, "size=0,mode=555")


def give_up_privileges() -> None:
    """Drop every capability, of this process and of whatever it executes."""
    _check(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)")
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)  # fails for those that this kernel does not know
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def limit_resources(limits: Limits, *, shared_user: bool) -> None:
    """Set the kernel's limits for each process, and the number of processes, where the user is the sandbox's own."""
    seconds = int(limits.run_seconds + limits.test_seconds) + 1
    for kind, value in {
        resource.RLIMIT_AS: limits.process_bytes,
        resource.RLIMIT_FSIZE: limits.disk_bytes,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_CPU: seconds,
    }.items():
        resource.setrlimit(kind, (value, value))
    if not shared_user:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits.processes, limits.processes))


def refuse_dangerous_calls() -> bool:
    """Refuse, with EPERM, the system calls that no notebook needs; whether this processor's numbers are known."""
    if platform.machine() not in _ARCHITECTURES:
        return False
    at, architecture = _ARCHITECTURES[platform.machine()]
    code = _filter(architecture, sorted(numbers[at] for numbers in _REFUSED_CALLS.values()), _CLONE[at], _CLONE3[at])
    program = _Program(len(code) // 8, ctypes.create_string_buffer(code, len(code)))
    _check(_libc.prctl(_SET_SECCOMP, 2, ctypes.byref(program), 0, 0), "prctl(PR_SET_SECCOMP)")
    return True


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    def __init__(self, length: int, code: ctypes.Array[ctypes.c_char]) -> None:
        super().__init__(length, ctypes.cast(code, ctypes.c_void_p))
        self.code = code  # kept alive


def _filter(architecture: int, refused: list[int], clone: int, clone3: int) -> bytes:
    """The classic BPF program: another architecture is killed, some calls fail, clone makes no user namespace."""
    load, equal, at_least, has_bits, end = 0x20, 0x15, 0x35, 0x45, 0x06
    deny, unknown, allow, kill = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS, 0x7FFF0000, 0x80000000
    code = [(load, 0, 0, 4), (equal, 1, 0, architecture), (end, 0, 0, kill), (load, 0, 0, 0)]
    code += [(at_least, 0, 1, 0x40000000), (end, 0, 0, deny)]  # x32, which has numbers of its own
    code += [(equal, 0, 1, clone3), (end, 0, 0, unknown)]  # its flags are out of sight; libc goes on with clone
    for number in refused:
        code += [(equal, 0, 1, number), (end, 0, 0, deny)]
    code += [(equal, 0, 3, clone), (load, 0, 0, 16), (has_bits, 0, 1, _NEW["user"]), (end, 0, 0, deny)]
    code += [(end, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _mount(source: str, target: str, kind: str, flags: int, options: str) -> None:
    arguments = (text.encode() for text in (source, target, kind))
    _check(_libc.mount(*arguments, ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
