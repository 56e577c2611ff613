"""What long work tells to whoever listens slowly, and where there is no room for it."""

import asyncio
import tracemalloc
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.http.progress_stream import ClientDisconnected, ProgressStream, in_turn
from application.ports.unit_of_work import StoreUnavailable, UnavailableReason

LINES, LETTERS = 2_000, 10_000


def with_a_teller(do: Callable[[ProgressStream], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        teller = ProgressStream()
        try:
            return await do(teller)
        finally:
            teller.close()

    return asyncio.run(run())


def test_what_a_slow_listener_has_not_taken_yet_takes_no_memory() -> None:
    def work(teller: ProgressStream) -> None:
        for number in range(LINES):
            teller.tell({"number": number, "text": "x" * LETTERS})

    async def listen_late(teller: ProgressStream) -> None:
        tracemalloc.start()
        await in_turn(lambda: work(teller))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < LINES * LETTERS / 10
        for number in range(LINES):
            line = await teller.next()
            assert isinstance(line, bytes)
            assert line.startswith(b'{"number":%d,' % number)
            assert line.endswith(b'"}\n')

    with_a_teller(listen_late)


def test_whoever_hangs_up_is_told_nothing_more() -> None:
    async def close(teller: ProgressStream) -> None:
        teller.tell({})
        teller.close()
        with pytest.raises(ClientDisconnected):
            teller.tell({})
        with pytest.raises(ClientDisconnected):
            teller.must_be_connected()

    with_a_teller(close)


def test_a_full_disk_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    # Writing there is as on a disk that is full.
    monkeypatch.setattr(
        "adapters.http.progress_stream.TemporaryFile", partial(Path("/dev/full").open, "r+b", buffering=0)
    )

    async def fill(teller: ProgressStream) -> None:
        with pytest.raises(StoreUnavailable) as caught:
            teller.tell({})
        assert caught.value.reason is UnavailableReason.FULL

    with_a_teller(fill)
