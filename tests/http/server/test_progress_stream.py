"""Progress streams to slow clients."""

import asyncio
import tracemalloc
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.http.responses.progress_stream import ClientDisconnected, ProgressStream
from application.common.store_errors import StoreUnavailable, UnavailableReason

LINES, LETTERS = 2_000, 10_000


def with_a_teller(do: Callable[[ProgressStream], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        teller = ProgressStream()
        try:
            return await do(teller)
        finally:
            teller.close()

    return asyncio.run(run())


def test_lines_for_a_slow_client_are_not_kept_in_memory() -> None:
    def work(teller: ProgressStream) -> None:
        for number in range(LINES):
            teller.send_line({"number": number, "text": "x" * LETTERS})

    async def listen_late(teller: ProgressStream) -> None:
        tracemalloc.start()
        await asyncio.to_thread(work, teller)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < LINES * LETTERS / 10
        for number in range(LINES):
            line = await teller.next()
            assert isinstance(line, bytes)
            assert line.startswith(b'{"number":%d,' % number)
            assert line.endswith(b'"}\n')

    with_a_teller(listen_late)


def test_a_closed_stream_raises_client_disconnected() -> None:
    async def close(teller: ProgressStream) -> None:
        teller.send_line({})
        teller.close()
        with pytest.raises(ClientDisconnected):
            teller.send_line({})
        with pytest.raises(ClientDisconnected):
            teller.must_be_connected()

    with_a_teller(close)


def test_a_full_disk_raises_store_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    # Writing to /dev/full fails like on a full disk.
    monkeypatch.setattr(
        "adapters.http.responses.progress_stream.TemporaryFile", partial(Path("/dev/full").open, "r+b", buffering=0)
    )

    async def fill(teller: ProgressStream) -> None:
        with pytest.raises(StoreUnavailable) as caught:
            teller.send_line({})
        assert caught.value.reason is UnavailableReason.FULL

    with_a_teller(fill)
