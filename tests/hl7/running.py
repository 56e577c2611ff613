"""Run an MLLP server in a thread, or in a process that can die."""

import asyncio
import os
import signal
import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from adapters.hl7.mllp_server import MllpServer
from tests.pace import PATIENCE


@contextmanager
def listening(server: MllpServer, tls: ssl.SSLContext | None = None) -> Iterator[tuple[str, int]]:
    """Run the server on a free port until the block ends."""
    loop, ready = asyncio.new_event_loop(), threading.Event()
    found: list[asyncio.Server] = []

    async def begin() -> None:
        found.append(await server.listen("127.0.0.1", 0, tls))
        ready.set()

    def run() -> None:
        loop.run_until_complete(begin())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(PATIENCE)
    try:
        yield found[0].sockets[0].getsockname()[:2]
    finally:
        asyncio.run_coroutine_threadsafe(server.end(found[0]), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()


def main(url: str, way: str) -> None:
    """Receive messages into a database.

    With ``dies`` the process kills itself between storing the first message and answering it.
    """
    from contextlib import closing

    from adapters.sql.store import SqlStore
    from tests.builders import ZONE, SettableClock, a_ward, use_cases_on
    from tests.hl7.messages import a_receiver

    with closing(SqlStore(url, ZONE)) as store:
        with store.begin_read_only() as work:
            is_new = not work.users.administrators()
        ward = a_ward(store) if is_new else None
        use_cases = ward.use_cases if ward else use_cases_on(store, clock=SettableClock())
        receiver = a_receiver(use_cases)
        if way == "dies":
            receiver = replace(receiver, count=lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        with listening(MllpServer(receiver.answer)) as (_, port):
            print(port, flush=True)
            signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
