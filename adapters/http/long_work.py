"""Work that takes its time: done in a thread of its own, one after another, and told line by line as it goes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.background_tasks import BackgroundTask
from litestar.response import Stream

from adapters.http.errors import answer_exception

Answer = TypeVar("Answer")

# One at a time in each process: two would be no quicker, and need twice the memory. Requests have other threads.
_THREAD = ThreadPoolExecutor(1, thread_name_prefix="long-work")

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class NobodyWaits(Exception):
    """Whoever asked for the work has gone."""


def in_turn(work: Callable[[], Answer]) -> Awaitable[Answer]:
    """What the work comes to, when its turn has come and it is done."""
    return asyncio.get_running_loop().run_in_executor(_THREAD, work)


class Teller:
    """What the work tells its progress to, from its thread."""

    def __init__(self) -> None:
        self.gone = Event()
        self._loop = asyncio.get_running_loop()
        self._told: asyncio.Queue[Any] = asyncio.Queue()

    def tell(self, line: object) -> None:
        """Tell one more thing. Raise ``NobodyWaits`` where nobody hears it."""
        self.must_be_heard()
        # When the server ends, its loop may have ended already.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._told.put_nowait, line)

    def must_be_heard(self) -> None:
        """Raise ``NobodyWaits`` where nobody hears any more."""
        if self.gone.is_set():
            raise NobodyWaits

    async def next(self) -> Any:
        """The next thing that was told."""
        return await self._told.get()


class _Last:
    """The last thing that is told: the answer, or what went wrong."""

    def __init__(self, answer: object) -> None:
        self.answer = answer


async def told_as_it_goes(request: Request[Any, Any, Any], work: Callable[[Teller], object], *, last: str) -> Stream:
    """The work's lines of JSON as they come; the answer is in the last one, under the name ``last``.

    What goes wrong before anything was told is raised. Later the last line says so, under the name ``error``. When the
    caller goes away, the work is told so.
    """
    teller = Teller()

    def run() -> None:
        try:
            told = _Last(work(teller))
        except Exception as error:  # noqa: BLE001 - told to the caller
            told = _Last(error)
        with suppress(NobodyWaits):
            teller.tell(told)

    in_turn(run)
    first = await teller.next()
    if isinstance(first, _Last) and isinstance(first.answer, Exception):
        raise first.answer

    async def lines() -> AsyncIterator[bytes]:
        line = first
        try:
            while not isinstance(line, _Last):
                yield _ENCODER.encode(line) + b"\n"
                line = await teller.next()
        finally:
            teller.gone.set()
        if isinstance(line.answer, Exception):
            yield _ENCODER.encode({"error": answer_exception(request, line.answer).content}) + b"\n"
        else:
            yield _ENCODER.encode({last: line.answer}) + b"\n"

    # Where the answer was not even begun, its end is told here.
    return Stream(lines(), media_type="application/x-ndjson", background=BackgroundTask(teller.gone.set))
