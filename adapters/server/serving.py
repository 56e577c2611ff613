"""Worker processes of the server: start, shared port, graceful shutdown."""

import errno
import fcntl
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from adapters.observability.logs import SERVER_LOGGER, set_up_logs
from adapters.server.ipc import DRAIN, WORKER_SOCKET_DIR
from adapters.server.open_connections import MAX_CONNECTIONS, raise_fd_limit, room
from adapters.settings.read_settings import Settings
from adapters.sql.engine.connections import is_sqlite, to_url

# Timeout of requests in progress at shutdown, after which they are cut off. The whole shutdown takes at most 10
# seconds.
_GRACE_SECONDS = 6


# Idle timeout: a connection is closed if a whole request head, or the next request, does not arrive in this time. Such
# connections are of no use to their clients, and many of them would serve an attacker.
IDLE_TIMEOUT_SECONDS = 20

# Listen backlog of a process, subject to the system's limit (net.core.somaxconn).
_BACKLOG = 2_048

# Retry period for the port: processes of a server that was just killed may still hold it.
_PORT_TIMEOUT_SECONDS = 2
_RETRY_SECONDS = 0.1


# How long an old process goes on serving beside its successor when the server is reloaded.
_OVERLAP_SECONDS = 10.0


class CannotServe(Exception):
    """The address cannot be used; the message says why and what to do."""


def run_server(settings: Settings, announce: Callable[[str], None] = lambda _: None) -> None:
    """Run the server until it is stopped.

    ``announce`` receives the address and warnings for the operator. Raise ``CannotServe``.
    """
    files = raise_fd_limit()
    with _reserve_port(settings.host, settings.port):
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        announce(f"Consumo is at http://{host}:{settings.port} (Ctrl-C ends it)")
        if settings.passkey_host not in (None, urlsplit(settings.public_address).hostname):
            announce(f"Passkeys work at http://{settings.passkey_host}:{settings.port}: not by an IP address.")
        if room() < MAX_CONNECTIONS:
            announce(
                f"This machine lets a process open {files:,} files: no more than {room():,} connections can be open at "
                "once in each. Raise that limit (ulimit -Hn, LimitNOFILE of a service)."
            )
        _serve(settings)


@contextmanager
def reserve_database(database_url: str, *, patience: float = _PORT_TIMEOUT_SECONDS) -> Iterator[None]:
    """Reserve an SQLite database, so that no other server works on it.

    Raise ``CannotServe``. Writers wait for each other within one server only.
    """
    url = to_url(database_url)
    if not is_sqlite(url) or not url.database or url.database == ":memory:":
        yield
        return
    # Not the database itself: on network disks this lock would be one of SQLite's own.
    file = Path(f"{url.database}-server")
    with file.open("ab") as held:
        until = time.monotonic() + patience
        while not _lock(held.fileno()):
            if time.monotonic() >= until:
                raise CannotServe(
                    f"Cannot serve {url.database}: another server is working on it. End that one; several servers need "
                    "PostgreSQL."
                )
            time.sleep(_RETRY_SECONDS)
        yield


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed. Return False if another process has."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class _Server(MPServer):
    """Reloads each process only when its successor has had time to start."""

    def _reload(self, spawn_target: Any, target_loader: Any) -> None:
        former = self.respawn_interval
        self.respawn_interval = _OVERLAP_SECONDS
        try:
            super()._reload(spawn_target, target_loader)  # type: ignore[no-untyped-call]
        finally:
            # It also tells a worker that keeps crashing from one that was reloaded.
            self.respawn_interval = former


def _serve(settings: Settings) -> None:
    set_up_logs(settings.log_format)
    server = _Server(
        "adapters.server.asgi:create",
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        workers_kill_timeout=_GRACE_SECONDS,
        respawn_failed_workers=True,
        websockets=False,
        # HTTP/1 only: with HTTP/2 enabled, a connection that sends nothing has no timeout. Load balancers use HTTP/1.1
        # to us.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=IDLE_TIMEOUT_SECONDS * 1_000),
        backlog=_BACKLOG,
        # Maximum of connections per process, including idle ones. Concurrent work is bounded by the request threads.
        backpressure=room(),
        log_access=False,
        log_level=LogLevels.warning,
        # No handlers of its own: its records go to the handlers of the process.
        log_dictconfig={"loggers": {SERVER_LOGGER: {"propagate": True}}},
    )
    if settings.drain_seconds:
        _drain_before_shutdown(server, settings.drain_seconds)
    with tempfile.TemporaryDirectory(prefix="consumo-") as folder:
        os.environ[WORKER_SOCKET_DIR] = folder
        server.serve()


@contextmanager
def _reserve_port(host: str, port: int, *, patience: float = _PORT_TIMEOUT_SECONDS) -> Iterator[None]:
    """Reserve the port, so that no other server takes it while we serve.

    Raise ``CannotServe`` if it is in use. Each of our worker processes listens at the same port (SO_REUSEPORT). The
    kernel would allow this to any process of the same user, and requests would be distributed to two databases.
    """
    until = time.monotonic() + patience
    while True:
        try:
            held = _bind(host, port)
            break
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() >= until:
                raise CannotServe(_error_message(error, host, port)) from None
            time.sleep(_RETRY_SECONDS)
    with held:
        # From now on the socket blocks all processes except our own, and accepts no connections itself.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        held.shutdown(socket.SHUT_RDWR)
        yield


def _bind(host: str, port: int) -> socket.socket:
    """Bind a socket to the port. Raise ``OSError`` if the port is in use.

    Closed connections in TIME_WAIT do not count.
    """
    held = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host, port))
        held.listen()
    except OSError:
        held.close()
        raise
    return held


def _error_message(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            why = "another server is there already. End that one, or set another CONSUMO_PORT."
        case errno.EADDRNOTAVAIL:
            why = "this machine has no such address. Set another CONSUMO_HOST."
        case errno.EACCES:
            why = "this port is not for everybody. Set a CONSUMO_PORT from 1024 on."
        case _:
            why = f"{error.strerror}."
    return f"Cannot serve at {host}, port {port}: {why}"


def _drain_before_shutdown(server: Any, seconds: int) -> None:
    """On SIGTERM report not ready for a while before shutting down.

    Requests are still served meanwhile, and load balancers stop sending new ones.
    """
    end_now = server.signal_handler_interrupt
    draining = threading.Event()

    def drain(signum: int, _: object) -> None:
        # A second signal, or Ctrl-C in a terminal, skips draining.
        if draining.is_set() or signum == signal.SIGINT:
            end_now()
            return
        draining.set()
        for worker in server.wrks:
            with suppress(ProcessLookupError):
                os.kill(worker._id(), DRAIN)
        later = threading.Timer(seconds, end_now)
        later.daemon = True
        later.start()

    server.signal_handler_interrupt = drain
