"""MLLP server: acknowledges each message after storing it.

Each connection sends its messages one after the other.
"""

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address

from adapters.hl7.mllp import END, MAX_MESSAGE_BYTES, START, framed
from adapters.hl7.splitting import last_message_begin

log = logging.getLogger("consumo.hl7")

# Idle timeouts of a connection: before its first message, and after a message.
SECONDS_UNTIL_THE_FIRST = 60.0
SECONDS_OF_SILENCE = 3_600.0
# Timeout for each piece of a frame that has begun, and for sending its answers.
READ_TIMEOUT = 30.0
# Time for requests in progress when the server stops.
SHUTDOWN_TIMEOUT = 5.0
# A hospital's systems hold some dozens of connections. Each may hold an incomplete message.
MAX_CONNECTIONS = 512
# Maximum number of bytes between two messages, such as line ends, that are skipped.
MAX_BYTES_BETWEEN = 1_024
# A message's header may be cut between two pieces of a frame.
_OVERLAP = 16
# Maximum length of a frame. It may have many messages.
MAX_FRAME_BYTES = 64_000_000

Network = IPv4Network | IPv6Network


class NoMessage(Exception):
    """The data of a connection is no message, or has no end."""


@dataclass(eq=False)
class _Connection:
    """A connection: whether it has sent a message, and since when it waits."""

    task: asyncio.Task[None]
    since: float
    has_sent: bool = False
    is_at_work: bool = False


@dataclass
class MllpServer:
    """Answers messages by calling ``answer`` in a thread.

    ``answer`` gets one or more messages of a frame, and returns their acknowledgements.

    At the maximum number of connections, each new one closes another one: preferably one that never sent a message, and
    of these the one that has waited longest.
    """

    answer: Callable[[bytes], list[bytes]]
    allowed: Sequence[Network] = ()
    max_connections: int = MAX_CONNECTIONS
    max_frame_bytes: int = MAX_FRAME_BYTES
    seconds_until_the_first: float = SECONDS_UNTIL_THE_FIRST
    seconds_of_silence: float = SECONDS_OF_SILENCE
    seconds_for_the_rest: float = READ_TIMEOUT
    _connections: set[_Connection] = field(default_factory=set)
    _ending: bool = False

    async def listen(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> asyncio.Server:
        """Start to accept connections."""
        handshake = None if tls is None else self.seconds_for_the_rest
        return await asyncio.start_server(
            self._serve, host, port, limit=MAX_MESSAGE_BYTES, ssl=tls, ssl_handshake_timeout=handshake
        )

    async def end(self, server: asyncio.Server) -> None:
        """Stop accepting connections, and finish messages that are complete."""
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
        host = (writer.get_extra_info("peername") or ("",))[0]
        try:
            if not self._is_allowed(host):
                log.warning("A connection from %s was closed: the address is not allowed", host)
            elif not self._has_room():
                log.warning("A connection from %s was closed: %d others are at work", host, self.max_connections)
            else:
                self._connections.add(connection)
                await self._process_all(connection, reader, writer)
        except (asyncio.IncompleteReadError, NoMessage, TimeoutError, OSError) as error:
            if not isinstance(error, asyncio.IncompleteReadError) or error.partial:
                log.warning("A connection from %s was closed within a message: %s", host, type(error).__name__)
        except asyncio.CancelledError:
            # The server stops, or another connection takes this one's place. Nothing was in progress.
            pass
        except Exception:
            log.exception("A connection from %s was closed", host)
        finally:
            self._connections.discard(connection)
            if connection.is_at_work:
                # The client did not read the answer: do not wait for it any longer.
                writer.transport.abort()
            else:
                writer.close()
            with suppress(Exception):
                await writer.wait_closed()

    def _has_room(self) -> bool:
        """Return whether another connection fits, closing a waiting one if needed."""
        if len(self._connections) < self.max_connections:
            return True
        waiting = [connection for connection in self._connections if not connection.is_at_work]
        if not waiting:
            return False
        closed = min(waiting, key=lambda connection: (connection.has_sent, connection.since))
        self._connections.discard(closed)
        closed.task.cancel()
        return True

    async def _process_all(
        self, connection: _Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while not self._ending and await self._message_begins(connection, reader):
            answers: list[bytes] = []
            async for messages in _read_frame(reader, self.seconds_for_the_rest, self.max_frame_bytes):
                connection.is_at_work = True
                answers += await asyncio.to_thread(self.answer, messages)
            # After the whole frame, because some senders do not read before they have sent it.
            writer.writelines(framed(answer) for answer in answers)
            async with asyncio.timeout(self.seconds_for_the_rest):
                await writer.drain()
            connection.is_at_work, connection.has_sent, connection.since = False, True, time.monotonic()

    async def _message_begins(self, connection: _Connection, reader: asyncio.StreamReader) -> bool:
        """Return whether a message has begun; False after the idle timeout.

        Raise ``NoMessage``.
        """
        silence = self.seconds_of_silence if connection.has_sent else self.seconds_until_the_first
        try:
            async with asyncio.timeout(silence):
                for _ in range(MAX_BYTES_BETWEEN):
                    if await reader.readexactly(1) == START:
                        return True
        except TimeoutError:
            return False
        raise NoMessage

    def _is_allowed(self, host: str) -> bool:
        return not self.allowed or any(ip_address(host) in network for network in self.allowed)


async def _read_frame(reader: asyncio.StreamReader, timeout_seconds: float, max_bytes: int) -> AsyncIterator[bytes]:
    """Yield the rest of a frame in pieces of whole messages.

    Of a message that is too long only the beginning is kept. Raise ``NoMessage`` if the frame has no end.
    """
    kept = b""
    size = 0
    ended = False
    while not ended:
        async with asyncio.timeout(timeout_seconds):
            piece, ended = await _read_piece(reader)
        size += len(piece)
        if size > max_bytes:
            raise NoMessage
        kept += piece
        if ended:
            break
        begin = last_message_begin(kept)
        if begin:
            yield kept[:begin]
            kept = kept[begin:]
        elif len(kept) > MAX_MESSAGE_BYTES + _OVERLAP:
            # The last bytes may be the beginning of the next message's header.
            kept = kept[: MAX_MESSAGE_BYTES + 1] + kept[-_OVERLAP:]
    yield kept


async def _read_piece(reader: asyncio.StreamReader) -> tuple[bytes, bool]:
    """Read a piece of the frame; return whether the frame ended."""
    try:
        return (await reader.readuntil(END))[: -len(END)], True
    except asyncio.LimitOverrunError as error:
        return await reader.readexactly(error.consumed), False
