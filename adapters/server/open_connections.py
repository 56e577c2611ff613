"""How many connections people and programs hold open to a process, and for how many it has room."""

import os
import resource
import socket
from contextlib import suppress
from pathlib import Path

# Of a process: whoever has a page open keeps one, and most of them are idle (22 kB each).
MOST_CONNECTIONS = 16_384

# As in docs/operations/consumo.service.
_FILES = 65_536
# What else a process has open: its databases, files that are sent and received, what it listens on.
_OTHER_FILES = 512
_FEWEST_CONNECTIONS = 128


def make_room() -> int:
    """Let this process, and those that it starts, open as many files as the machine allows; how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Where it is forbidden it stays as it is.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def room() -> int:
    """How many connections to this process may be open: a connection too many would be one that nobody can take up."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(_FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, files - _OTHER_FILES))


def connections_at(port: int) -> int:
    """How many connections to that port of its own this process has open; the server does not tell."""
    return sum(_is_at(int(entry.name), port) for entry in Path("/dev/fd").iterdir())


def _is_at(descriptor: int, port: int) -> bool:
    copy = -1
    try:
        copy = os.dup(descriptor)
        one = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=copy)
    except OSError:
        # Closed meanwhile, or no socket.
        if copy >= 0:
            os.close(copy)
        return False
    with one, suppress(OSError):
        # What listens has nobody at the other end.
        one.getpeername()
        own = one.getsockname()
        return isinstance(own, tuple) and own[1] == port
    return False
