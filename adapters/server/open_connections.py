"""How many connections people and programs hold open to a process, and for how many it has room."""

import os
import resource
from contextlib import suppress
from pathlib import Path

# Of a process: whoever has a page open keeps one, and most of them are idle (22 kB each).
MAX_CONNECTIONS = 16_384

# As in docs/operations/consumo.service.
_FILES = 65_536
# What else a process has open: its databases, files that are sent and received, what it listens on.
_OTHER_FILES = 512
_MIN_CONNECTIONS = 128

_SOCKET_TABLES = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
_LISTENING = "0A"


def raise_fd_limit() -> int:
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
        return MAX_CONNECTIONS
    return max(_MIN_CONNECTIONS, min(MAX_CONNECTIONS, files - _OTHER_FILES))


def connections_at(port: int) -> int:
    """Count the connections to this port that this process holds open.

    Descriptors are only listed, never opened, duplicated or closed: closing any descriptor of the SQLite database file
    drops all locks of the process on that file (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    connected = _sockets_connected_to(port)
    with os.scandir("/proc/self/fd") as descriptors:
        return sum(_socket_behind(descriptor.path) in connected for descriptor in descriptors)


def can_count_connections() -> bool:
    """Whether this system lists the sockets of a process: Linux does."""
    return _SOCKET_TABLES[0].exists()


def _sockets_connected_to(port: int) -> set[str]:
    """List the connected sockets of this machine whose own port this is, as ``/proc/self/fd`` names them."""
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
        return os.readlink(descriptor)  # noqa: PTH115 - of thousands, Path takes five times as long
    except FileNotFoundError:
        # Closed meanwhile.
        return ""
