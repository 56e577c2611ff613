"""Long work, of each person one at a time, with its progress as a stream of lines (NDJSON)."""

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

from adapters.http.errors import answer_exception
from adapters.http.upload import translate_disk_full

LINES = "application/x-ndjson"

Answer = TypeVar("Answer")

# Users whose files a process reads at once: with one, a file that takes minutes would keep all others waiting.
# More would need more memory, and be no quicker. Requests have other threads.
PEOPLE_AT_ONCE = 2

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class ClientDisconnected(Exception):
    """Whoever asked for the work has gone."""


class Turns:
    """The turns that people take: each has one piece of work done, and then lets the others go first."""

    def __init__(self, people_at_once: int) -> None:
        self._threads = ThreadPoolExecutor(people_at_once, thread_name_prefix="long-work")
        # What waits for the work that is being done for a person, by the person's id.
        self._waiting: dict[int, deque[Callable[[], None]]] = {}
        self._lock = Lock()

    def take(self, user_id: int, work: Callable[[], Answer]) -> "Future[Answer]":
        """What the work comes to, when that person's turn has come and it is done."""
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
        # When the process ends, it takes no more work.
        with suppress(RuntimeError):
            self._threads.submit(self._run, user_id, following)


TURNS = Turns(PEOPLE_AT_ONCE)


def run_exclusively(user_id: int, work: Callable[[], Answer]) -> Awaitable[Answer]:
    """What the work comes to, when that person's turn has come and it is done."""
    return asyncio.wrap_future(TURNS.take(user_id, work))


class ProgressStream:
    """What the work tells its progress to, from its thread.

    What was told and not taken yet lies on disk: there may be much of it, and whoever takes it may be slow.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._told: asyncio.Queue[int | _Last] = asyncio.Queue()
        self._lock = Lock()
        with translate_disk_full():
            self._lines = TemporaryFile()  # noqa: SIM115 - closed when nobody hears any more
        self._taken = 0

    def tell(self, line: object) -> None:
        """Tell one more thing. Raise ``ClientDisconnected`` where nobody hears it."""
        told = _ENCODER.encode(line) + b"\n"
        with self._lock, translate_disk_full():
            self.must_be_connected()
            self._lines.seek(0, 2)
            self._lines.write(told)
            self._lines.flush()
        self._put(len(told))

    def must_be_connected(self) -> None:
        """Raise ``ClientDisconnected`` where nobody hears any more."""
        if self._lines.closed:
            raise ClientDisconnected

    def end(self, last: "_Last") -> None:
        """Tell the last thing."""
        self._put(last)

    async def next(self) -> "bytes | _Last":
        """The next line that was told, or the last thing."""
        told = await self._told.get()
        if isinstance(told, _Last):
            return told
        with self._lock:
            self._lines.seek(self._taken)
            line = self._lines.read(told)
        self._taken += told
        return line

    def close(self) -> None:
        """Nobody hears any more."""
        with self._lock:
            self._lines.close()

    def _put(self, told: "int | _Last") -> None:
        # When the server ends, its loop may have ended already.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._told.put_nowait, told)


class _Last:
    """The last thing that is told: the answer, or what went wrong."""

    def __init__(self, answer: object) -> None:
        self.answer = answer


async def stream_progress(
    request: Request[Any, Any, Any], user_id: int, work: Callable[[ProgressStream], object], *, last: str
) -> Stream:
    """The work's lines of JSON as they come; the answer is in the last one, under the name ``last``.

    What goes wrong before anything was told is raised. Later the last line says so, under the name ``error``. When the
    caller goes away, the work is told so.
    """
    teller = ProgressStream()

    def run() -> None:
        try:
            teller.end(_Last(work(teller)))
        except Exception as error:  # noqa: BLE001 - told to the caller
            teller.end(_Last(error))

    run_exclusively(user_id, run)
    first = await teller.next()
    if isinstance(first, _Last) and isinstance(first.answer, Exception):
        teller.close()
        raise first.answer

    async def lines() -> AsyncIterator[bytes]:
        line = first
        try:
            while not isinstance(line, _Last):
                yield line
                line = await teller.next()
        finally:
            teller.close()
        if isinstance(line.answer, Exception):
            yield _ENCODER.encode({"error": answer_exception(request, line.answer).content}) + b"\n"
        else:
            yield _ENCODER.encode({last: line.answer}) + b"\n"

    # Where the answer was not even begun, its end is told here.
    return Stream(lines(), media_type=LINES, background=BackgroundTask(teller.close))
