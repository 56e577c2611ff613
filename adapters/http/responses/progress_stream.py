"""Long-running work, one job per user, with NDJSON progress."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from adapters.http.requests.upload import translate_disk_full
from adapters.http.responses.errors import answer_exception

LINES = "application/x-ndjson"

Answer = TypeVar("Answer")

# Number of users whose jobs run at once in a process. With one, a file that takes minutes would block all other users.
# More would need more memory and be no faster. Requests have other threads.
PEOPLE_AT_ONCE = 2

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class ClientDisconnected(Exception):
    """The client disconnected."""


class Turns:
    """A job queue that runs one job per user at a time and alternates users."""

    def __init__(self, people_at_once: int) -> None:
        self._threads = ThreadPoolExecutor(people_at_once, thread_name_prefix="long-work")
        # User id to the jobs waiting behind that user's running job.
        self._waiting: dict[int, deque[Callable[[], None]]] = {}
        self._lock = Lock()

    def submit(self, user_id: int, work: Callable[[], Answer]) -> "Future[Answer]":
        """Queue a job; the future has its result."""
        done: Future[Answer] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - raised in the caller
                done.set_exception(error)

        with self._lock:
            if user_id in self._waiting:
                self._waiting[user_id].append(run)
                return done
            self._waiting[user_id] = deque()
        self._threads.submit(self._run, user_id, run)
        return done

    def _run(self, user_id: int, run: Callable[[], None]) -> None:
        run()
        with self._lock:
            waiting = self._waiting[user_id]
            if not waiting:
                del self._waiting[user_id]
                return
            following = waiting.popleft()
        # The thread pool accepts no more jobs when the process ends.
        with suppress(RuntimeError):
            self._threads.submit(self._run, user_id, following)


TURNS = Turns(PEOPLE_AT_ONCE)


def run_exclusively(user_id: int, work: Callable[[], Answer]) -> Awaitable[Answer]:
    """Queue a job behind the user's other jobs and return its result."""
    return asyncio.wrap_future(TURNS.submit(user_id, work))


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


async def stream_progress(
    request: Request[Any, Any, Any], user_id: int, work: Callable[[ProgressStream], object], *, last: str
) -> Stream:
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

    run_exclusively(user_id, run)
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
