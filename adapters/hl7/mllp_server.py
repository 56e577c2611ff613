"""MLLP server: takes messages over the network, one after the other on each connection, each answered once kept."""

import asyncio
import logging
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address

from adapters.hl7.mllp import END, LONGEST, START, framed

log = logging.getLogger("consumo.hl7")

# Whoever began a message ends it within this time.
SECONDS_FOR_THE_REST = 30.0
# What is under way when the server is told to end has this time.
SECONDS_TO_END = 5.0

Network = IPv4Network | IPv6Network


@dataclass
class MllpServer:
    """Answers each message with what ``answer`` says, in a thread."""

    answer: Callable[[bytes], bytes]
    allowed: Sequence[Network] = ()
    seconds_for_the_rest: float = SECONDS_FOR_THE_REST
    _connections: set[asyncio.Task[None]] = field(default_factory=set)
    _ending: bool = False

    async def listen(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> asyncio.Server:
        """Take connections there from now on."""
        return await asyncio.start_server(self._serve, host, port, limit=LONGEST, ssl=tls)

    async def end(self, server: asyncio.Server) -> None:
        """Take no more connections; the messages that came whole are answered."""
        self._ending = True
        server.close()
        waiting = [task for task in self._connections if not task.done()]
        for task in waiting:
            # Whoever waits for the next message stops; who works on one goes on.
            if not getattr(task, "at_work", False):
                task.cancel()
        if waiting:
            await asyncio.wait(waiting, timeout=SECONDS_TO_END)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a connection is a task"
        self._connections.add(task)
        try:
            if self._is_allowed(writer):
                await self._take_all(task, reader, writer)
            else:
                log.warning("A connection from an address that is not allowed was closed")
        except (
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
            TimeoutError,
            ConnectionError,
            OSError,
        ) as error:
            if not isinstance(error, asyncio.IncompleteReadError) or error.partial:
                log.warning("A connection was closed within a message: %s", type(error).__name__)
        except asyncio.CancelledError:
            # The server ends, and nothing was under way.
            pass
        finally:
            self._connections.discard(task)
            writer.close()
            with suppress(Exception):
                await writer.wait_closed()

    async def _take_all(
        self, task: asyncio.Task[None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while not self._ending:
            # Between messages there may be any silence; what is no beginning of one is passed over.
            begun = await reader.readexactly(1)
            if begun != START:
                continue
            async with asyncio.timeout(self.seconds_for_the_rest):
                message = (await reader.readuntil(END))[: -len(END)]
            task.at_work = True  # type: ignore[attr-defined]
            answer = await asyncio.to_thread(self.answer, message)
            writer.write(framed(answer))
            await writer.drain()
            task.at_work = False  # type: ignore[attr-defined]

    def _is_allowed(self, writer: asyncio.StreamWriter) -> bool:
        host = (writer.get_extra_info("peername") or ("",))[0]
        return not self.allowed or any(ip_address(host) in network for network in self.allowed)
