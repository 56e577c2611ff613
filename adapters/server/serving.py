"""The worker processes of a server: begun together, ended together (graceful shutdown), and what they share."""

import errno
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from adapters.observability.logs import SERVER_LOGGER, set_up_logs
from adapters.server.ipc import DRAIN, WORKER_SOCKET_DIR
from adapters.server.open_connections import MAX_CONNECTIONS, raise_fd_limit, room
from adapters.settings import Settings

# What is being answered when the end comes has so long, and then is broken off: all is over within 10 seconds.
_LAST_ANSWERS_SECONDS = 6


# Whoever connects and does not send a whole request's head in this time, or after an answer asks nothing more, is cut
# off: their connection is worth nothing to them, and many of them are worth something to whoever attacks us.
IDLE_TIMEOUT_SECONDS = 20

# So many connections wait at a process until it takes them up, where the machine allows it (net.core.somaxconn).
_BACKLOG = 2_048

# The processes of a server that was killed a moment ago may still be there.
_PATIENCE_SECONDS = 2
_BETWEEN_TRIES_SECONDS = 0.1


class CannotServe(Exception):
    """The address cannot be served at; says why and what to do."""


def run_server(settings: Settings, tell: Callable[[str], None] = lambda _: None) -> None:
    """Serve until told to end; ``tell`` is told where, and what a person should know. Raise ``CannotServe``."""
    files = raise_fd_limit()
    with _reserve_port(settings.host, settings.port):
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        tell(f"Consumo is at http://{host}:{settings.port} (Ctrl-C ends it)")
        if room() < MAX_CONNECTIONS:
            tell(
                f"This machine lets a process open {files:,} files: no more than {room():,} connections can be open at "
                "once in each. Raise that limit (ulimit -Hn, LimitNOFILE of a service)."
            )
        _serve(settings)


def _serve(settings: Settings) -> None:
    set_up_logs(settings.log_format)
    server = Granian(
        "adapters.server.asgi:create",
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        workers_kill_timeout=_LAST_ANSWERS_SECONDS,
        respawn_failed_workers=True,
        websockets=False,
        # Where HTTP/2 is taken too, who sends nothing at all is waited for without end. Balancers speak HTTP/1.1 to us.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=IDLE_TIMEOUT_SECONDS * 1_000),
        backlog=_BACKLOG,
        # That many connections of each process, idle ones included. How many requests are worked on at once is bounded
        # by the threads for them.
        backpressure=room(),
        log_access=False,
        log_level=LogLevels.warning,
        # Nothing of its own: its records go where those of the process go.
        log_dictconfig={"loggers": {SERVER_LOGGER: {"propagate": True}}},
    )
    if settings.drain_seconds:
        _drain_first(server, settings.drain_seconds)
    with tempfile.TemporaryDirectory(prefix="consumo-") as folder:
        os.environ[WORKER_SOCKET_DIR] = folder
        server.serve()


@contextmanager
def _reserve_port(host: str, port: int, *, patience: float = _PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the port, so that no other server takes it as long as we serve. Raise ``CannotServe`` where one has it.

    Each of our processes listens for itself, at a port that it shares with the others (SO_REUSEPORT), which the kernel
    allows to any process of the same user: requests would be dealt to two databases.
    """
    until = time.monotonic() + patience
    while True:
        try:
            held = _held(host, port)
            break
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() >= until:
                raise CannotServe(_why_not(error, host, port)) from None
            time.sleep(_BETWEEN_TRIES_SECONDS)
    with held:
        # From now on it stands in the way of all but our own processes, and takes up no connection itself.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        held.shutdown(socket.SHUT_RDWR)
        yield


def _held(host: str, port: int) -> socket.socket:
    """A socket at that port. Raise ``OSError`` where anybody listens there; old connections do not count."""
    held = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host, port))
        held.listen()
    except OSError:
        held.close()
        raise
    return held


def _why_not(error: OSError, host: str, port: int) -> str:
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


def _drain_first(server: Any, seconds: int) -> None:
    """When told to end, say for a while that we are not ready, and serve on: load balancers send nobody any more."""
    end_now = server.signal_handler_interrupt
    draining = threading.Event()

    def drain(signum: int, _: object) -> None:
        # Who tells it twice, or at a terminal, is in a hurry.
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
