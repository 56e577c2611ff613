"""Long-running work with NDJSON progress."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Lock
from typing import TypeVar

import msgspec
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from adapters.http.requests.request import ApiRequest
from adapters.http.requests.upload import translate_disk_full
from adapters.http.responses.errors import answer_exception
from adapters.http.workers.fair_queue import LONG_WORK

LINES = "application/x-ndjson"

Answer = TypeVar("Answer")

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class ClientDisconnected(Exception):
    """The client disconnected."""


class ProgressStream:
    """Progress lines from a worker thread to the response.

    Unread lines are stored on disk: there may be many, and a client may be slow.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[int | _Final] = asyncio.Queue()
        self._lock = Lock()
        with translate_disk_full():
            self._lines = TemporaryFile()  # noqa: SIM115 - closed by close()
        self._taken = 0

    def send_line(self, line: object) -> None:
        """Send a line. Raise ``ClientDisconnected``."""
        item = _ENCODER.encode(line) + b"\n"
        with self._lock, translate_disk_full():
            self.must_be_connected()
            self._lines.seek(0, 2)
            self._lines.write(item)
            self._lines.flush()
        self._enqueue(len(item))

    def must_be_connected(self) -> None:
        """Raise ``ClientDisconnected`` if the stream is closed."""
        if self._lines.closed:
            raise ClientDisconnected

    def end(self, last: "_Final") -> None:
        """Send the final item."""
        self._enqueue(last)

    async def next(self) -> "bytes | _Final":
        """Wait for the next line, or the final item."""
        item = await self._queue.get()
        if isinstance(item, _Final):
            return item
        with self._lock:
            self._lines.seek(self._taken)
            line = self._lines.read(item)
        self._taken += item
        return line

    def close(self) -> None:
        """Close the stream: the client disconnected, or has read everything."""
        with self._lock:
            self._lines.close()

    def _enqueue(self, item: "int | _Final") -> None:
        # When the server ends, its event loop may have ended already.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)


class _Final:
    """The final item: the result, or an exception."""

    def __init__(self, answer: object) -> None:
        self.answer = answer


async def stream_progress(request: ApiRequest, work: Callable[[ProgressStream], object], *, last: str) -> Stream:
    """Stream the work's progress as JSON lines.

    The last line has the result under the name ``last``, or a problem under ``error``. An exception before the first
    line is raised. If the client disconnects, the next line that the work sends raises ``ClientDisconnected``.
    """
    stream = ProgressStream()

    def run() -> None:
        try:
            stream.end(_Final(work(stream)))
        except Exception as error:  # noqa: BLE001 - sent in the last line
            stream.end(_Final(error))

    LONG_WORK.submit(request.owner, run)
    first = await stream.next()
    if isinstance(first, _Final) and isinstance(first.answer, Exception):
        stream.close()
        raise first.answer

    async def lines() -> AsyncIterator[bytes]:
        line = first
        try:
            while not isinstance(line, _Final):
                yield line
                line = await stream.next()
        finally:
            stream.close()
        if isinstance(line.answer, Exception):
            yield _ENCODER.encode({"error": answer_exception(request, line.answer).content}) + b"\n"
        else:
            yield _ENCODER.encode({last: line.answer}) + b"\n"

    # Closes the stream if the response was never started.
    return Stream(lines(), media_type=LINES, background=BackgroundTask(stream.close))
