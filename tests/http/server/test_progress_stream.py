"""Progress streams to slow clients, and turns between users."""

import asyncio
import threading
import tracemalloc
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.http.responses.progress_stream import ClientDisconnected, ProgressStream, Turns, run_exclusively
from application.ports.unit_of_work import StoreUnavailable, UnavailableReason
from tests.pace import PATIENCE

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
        await run_exclusively(1, lambda: work(teller))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < LINES * LETTERS / 10
        for number in range(LINES):
            line = await teller.next()
            assert isinstance(line, bytes)
            assert line.startswith(b'{"number":%d,' % number)
            assert line.endswith(b'"}\n')

    with_a_teller(listen_late)


def test_work_of_one_user_leaves_a_thread_for_others() -> None:
    turns, go, order = Turns(2), threading.Event(), list[str]()
    first = turns.submit(1, lambda: go.wait(PATIENCE))
    others = [turns.submit(1, partial(order.append, f"first {number}")) for number in range(5)]
    turns.submit(2, partial(order.append, "second")).result(PATIENCE)
    turns.submit(3, partial(order.append, "third")).result(PATIENCE)
    assert order == ["second", "third"]
    go.set()
    assert first.result(PATIENCE)
    for other in others:
        other.result(PATIENCE)
    assert order[2:] == [f"first {number}" for number in range(5)]


def test_users_with_less_work_go_first() -> None:
    turns, go, order = Turns(1), threading.Event(), list[int]()
    works: list[Future[Any]] = [turns.submit(1, lambda: go.wait(PATIENCE))]
    works += [turns.submit(user_id, partial(order.append, user_id)) for user_id in (1, 1, 1, 2, 3)]
    go.set()
    for work in works:
        work.result(PATIENCE)
    assert order == [2, 3, 1, 1, 1]


def test_a_failed_job_frees_its_turn() -> None:
    turns = Turns(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            turns.submit(1, lambda: 1 // 0).result(PATIENCE)
    assert turns.submit(1, lambda: "done").result(PATIENCE) == "done"


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
