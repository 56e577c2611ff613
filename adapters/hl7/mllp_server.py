"""MLLP server: takes messages over the network, one after the other on each connection, each answered once kept."""

import asyncio
import logging
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address

from adapters.hl7.mllp import END, MAX_MESSAGE_BYTES, START, framed

log = logging.getLogger("consumo.hl7")

# A connection is closed that is silent for this time before its first message, and for that time after one.
SECONDS_UNTIL_THE_FIRST = 60.0
SECONDS_OF_SILENCE = 3_600.0
# A message that was begun is complete within this time, and its answer is taken within it.
READ_TIMEOUT = 30.0
# What is under way when the server is told to end has this time.
SHUTDOWN_TIMEOUT = 5.0
# A hospital's systems hold some dozens. Each may hold a message that is not complete yet.
MAX_CONNECTIONS = 512
# What stands between two messages, such as a line end, is passed over.
MAX_BYTES_BETWEEN = 1_024
# The rest of a message that is too long is passed over, so that its sender gets an answer.
MAX_BYTES_PASSED_OVER = 4_000_000

Network = IPv4Network | IPv6Network


class NoMessage(Exception):
    """What comes over a connection is no message, or has no end."""


@dataclass(eq=False)
class _Connection:
    """A connection: whether a message came over it, and since when it waits for the next one."""

    task: asyncio.Task[None]
    since: float
    has_sent: bool = False
    is_at_work: bool = False


@dataclass
class MllpServer:
    """Answers each message with what ``answer`` says, in a thread.

    If there are too many connections, one of them is closed for each new one: if possible one over which no message
    came, and of these the one that has waited longest.
    """

    answer: Callable[[bytes], bytes]
    allowed: Sequence[Network] = ()
    max_connections: int = MAX_CONNECTIONS
    seconds_until_the_first: float = SECONDS_UNTIL_THE_FIRST
    seconds_of_silence: float = SECONDS_OF_SILENCE
    seconds_for_the_rest: float = READ_TIMEOUT
    _connections: set[_Connection] = field(default_factory=set)
    _ending: bool = False

    async def listen(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> asyncio.Server:
        """Take connections there from now on."""
        handshake = None if tls is None else self.seconds_for_the_rest
        return await asyncio.start_server(
            self._serve, host, port, limit=MAX_MESSAGE_BYTES, ssl=tls, ssl_handshake_timeout=handshake
        )

    async def end(self, server: asyncio.Server) -> None:
        """Take no more connections; the messages that came whole are answered."""
        self._ending = True
        server.close()
        waiting = list(self._connections)
        for connection in waiting:
            if not connection.is_at_work:
                connection.task.cancel()
        if waiting:
            await asyncio.wait([connection.task for connection in waiting], timeout=SHUTDOWN_TIMEOUT)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a connection is a task"
        connection = _Connection(task, time.monotonic())
        try:
            if not self._is_allowed(writer):
                log.warning("A connection from an address that is not allowed was closed")
            elif not self._has_room():
                log.warning("A connection was closed: %d others are at work", self.max_connections)
            else:
                self._connections.add(connection)
                await self._take_all(connection, reader, writer)
        except (asyncio.IncompleteReadError, NoMessage, TimeoutError, OSError) as error:
            if not isinstance(error, asyncio.IncompleteReadError) or error.partial:
                log.warning("A connection was closed within a message: %s", type(error).__name__)
        except asyncio.CancelledError:
            # The server ends, or another connection takes its place, and nothing was under way.
            pass
        except Exception:
            log.exception("A connection was closed")
        finally:
            self._connections.discard(connection)
            if connection.is_at_work:
                # The answer was not taken: it is not waited for any more.
                writer.transport.abort()
            else:
                writer.close()
            with suppress(Exception):
                await writer.wait_closed()

    def _has_room(self) -> bool:
        """Whether there is room for one connection more, for which another one may be closed."""
        if len(self._connections) < self.max_connections:
            return True
        waiting = [connection for connection in self._connections if not connection.is_at_work]
        if not waiting:
            return False
        closed = min(waiting, key=lambda connection: (connection.has_sent, connection.since))
        self._connections.discard(closed)
        closed.task.cancel()
        return True

    async def _take_all(
        self, connection: _Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while not self._ending and await self._has_begun(connection, reader):
            async with asyncio.timeout(self.seconds_for_the_rest):
                message = await _rest(reader)
            connection.is_at_work = True
            answer = await asyncio.to_thread(self.answer, message)
            writer.write(framed(answer))
            async with asyncio.timeout(self.seconds_for_the_rest):
                await writer.drain()
            connection.is_at_work, connection.has_sent, connection.since = False, True, time.monotonic()

    async def _has_begun(self, connection: _Connection, reader: asyncio.StreamReader) -> bool:
        """Whether a message has begun; not if the connection is silent for too long. Raise ``NoMessage``."""
        silence = self.seconds_of_silence if connection.has_sent else self.seconds_until_the_first
        try:
            async with asyncio.timeout(silence):
                for _ in range(MAX_BYTES_BETWEEN):
                    if await reader.readexactly(1) == START:
                        return True
        except TimeoutError:
            return False
        raise NoMessage

    def _is_allowed(self, writer: asyncio.StreamWriter) -> bool:
        host = (writer.get_extra_info("peername") or ("",))[0]
        return not self.allowed or any(ip_address(host) in network for network in self.allowed)


async def _rest(reader: asyncio.StreamReader) -> bytes:
    """A message that has begun; of one that is too long only the beginning. Raise ``NoMessage`` if it has no end."""
    beginning, passed_over = b"", 0
    while passed_over <= MAX_BYTES_PASSED_OVER:
        try:
            rest = await reader.readuntil(END)
        except asyncio.LimitOverrunError as error:
            passed_over += error.consumed
            piece = await reader.readexactly(error.consumed)
            beginning = beginning or piece
        else:
            return beginning or rest[: -len(END)]
    raise NoMessage
