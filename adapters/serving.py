"""The processes of a server: begun together, ended together, and what they share."""

import os
import signal
import tempfile
import threading
from contextlib import suppress
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from adapters.asgi import DRAIN, MEETING_PLACE
from adapters.settings import Settings

# What is being answered when the end comes has so long, and then is broken off: all is over within 10 seconds.
_LAST_ANSWERS_SECONDS = 6


def run_server(settings: Settings) -> None:
    """Serve until told to end. Raise ``RuntimeError`` when that cannot begin."""
    server = Granian(
        "adapters.asgi:create",
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        workers_kill_timeout=_LAST_ANSWERS_SECONDS,
        respawn_failed_workers=True,
        websockets=False,
        log_access=False,
        log_level=LogLevels.warning,
    )
    if settings.drain_seconds:
        _drain_first(server, settings.drain_seconds)
    with tempfile.TemporaryDirectory(prefix="consumo-") as folder:
        os.environ[MEETING_PLACE] = folder
        server.serve()


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
