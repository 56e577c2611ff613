"""Number of open client connections of a process, and its limit."""

import os
import resource
from contextlib import suppress
from pathlib import Path

# Limit per process. Each open page holds one connection, and most of them are idle (22 kB each).
MAX_CONNECTIONS = 16_384

# The same as in docs/operations/consumo.service.
_WANTED_FD_LIMIT = 65_536
# Other open files of a process: databases, uploads, downloads, listening sockets.
_RESERVED_FILES = 512
_MIN_CONNECTIONS = 128

_SOCKET_TABLES = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_LISTENING = "0A"


def raise_fd_limit() -> int:
    """Raise the file descriptor limit for this process and its children.

    Return the limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED_FD_LIMIT if hard == resource.RLIM_INFINITY else min(_WANTED_FD_LIMIT, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Where raising it is forbidden, the limit stays as it is.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def room() -> int:
    """Return how many connections this process may hold open.

    A connection beyond that could not be accepted for lack of file descriptors.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(_MIN_CONNECTIONS, min(MAX_CONNECTIONS, files - _RESERVED_FILES))


def connections_at(port: int) -> int:
    """Count the connections to this port that this process holds open.

    Descriptors are only listed, never opened, duplicated or closed: closing any descriptor of the SQLite database file
    drops all locks of the process on that file (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    connected = _sockets_connected_to(port)
    with os.scandir("/proc/self/fd") as descriptors:
        return sum(_socket_behind(descriptor.path) in connected for descriptor in descriptors)


def can_count_connections() -> bool:
    """Return whether the system lists the sockets of a process, as Linux does."""
    return _SOCKET_TABLES[0].exists()


def _sockets_connected_to(port: int) -> set[str]:
    """List connected sockets with this local port, as in ``/proc/self/fd``."""
    found = set()
    for table in _SOCKET_TABLES:
        # Without IPv6 there is no tcp6.
        with suppress(FileNotFoundError), table.open() as rows:
            next(rows)
            for row in rows:
                _, local, _, state, _, _, _, _, _, inode, *_ = row.split(None, 10)
                if state != _LISTENING and int(local.rpartition(":")[2], 16) == port:
                    found.add(f"socket:[{inode}]")
    return found


def _socket_behind(descriptor: str) -> str:
    try:
        return os.readlink(descriptor)  # noqa: PTH115 - Path takes five times as long, for thousands
    except FileNotFoundError:
        # It was closed meanwhile.
        return ""
