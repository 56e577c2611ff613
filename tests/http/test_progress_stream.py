"""What long work tells to whoever listens slowly, and where there is no room for it."""

import asyncio
import threading
import tracemalloc
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.http.progress_stream import ClientDisconnected, ProgressStream, Turns, run_exclusively
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


def test_one_persons_work_keeps_nobody_elses_waiting_however_much_of_it_there_is() -> None:
    turns, go, order = Turns(2), threading.Event(), list[str]()
    first = turns.take(1, lambda: go.wait(20))
    others = [turns.take(1, partial(order.append, f"first {number}")) for number in range(5)]
    turns.take(2, partial(order.append, "second")).result(20)
    turns.take(3, partial(order.append, "third")).result(20)
    assert order == ["second", "third"]
    go.set()
    assert first.result(20)
    for other in others:
        other.result(20)
    assert order[2:] == [f"first {number}" for number in range(5)]


def test_who_has_much_work_lets_others_go_first() -> None:
    turns, go, order = Turns(1), threading.Event(), list[int]()
    works: list[Future[Any]] = [turns.take(1, lambda: go.wait(20))]
    works += [turns.take(user_id, partial(order.append, user_id)) for user_id in (1, 1, 1, 2, 3)]
    go.set()
    for work in works:
        work.result(20)
    assert order == [2, 3, 1, 1, 1]


def test_there_is_another_turn_after_what_failed() -> None:
    turns = Turns(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            turns.take(1, lambda: 1 // 0).result(20)
    assert turns.take(1, lambda: "done").result(20) == "done"


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
