"""The hashing threads: one queue per address, served round-robin."""

import asyncio
from collections.abc import Callable
from functools import partial
from threading import Event

import pytest

from adapters.http.workers.fair_threads import FairThreads
from tests.pace import PATIENCE


def event_sort_key(*tries: tuple[str, str], threads: int = 1) -> list[str]:
    """Queue tries while all threads are busy; returns the order of execution."""
    pool, order = FairThreads(threads, "test"), list[str]()
    begun, go_on = [Event() for _ in range(threads)], Event()

    def occupy(thread: int) -> None:
        begun[thread].set()
        go_on.wait(PATIENCE)

    def note(name: str) -> Callable[[], None]:
        return lambda: order.append(name)

    async def run_all() -> None:
        busy = [asyncio.create_task(pool.run("a", partial(occupy, thread))) for thread in range(threads)]
        for event in begun:
            await asyncio.to_thread(event.wait, 60)
        tasks = [asyncio.create_task(pool.run(address, note(name))) for address, name in tries]
        # Each task runs until it is queued.
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*busy, *tasks)

    asyncio.run(run_all())
    return order


def test_another_address_is_next_however_long_the_first_queue_is() -> None:
    tries = [("a", f"a{number}") for number in range(300)]
    order = event_sort_key(*tries, ("b", "b0"), ("c", "c0"), ("b", "b1"))
    assert order[:3] == ["b0", "c0", "a0"]
    assert order.index("b1") == 3
    assert [name for name in order if name[0] == "a"] == [name for _, name in tries]


def test_work_of_one_address_runs_in_order() -> None:
    assert event_sort_key(*[("a", f"a{number}") for number in range(5)]) == [f"a{number}" for number in range(5)]


def test_results_and_errors_are_returned_and_idle_queues_removed() -> None:
    pool = FairThreads(2, "test")

    async def run() -> None:
        assert await pool.run("a", lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await pool.run("a", lambda: 1 // 0)

    asyncio.run(run())
    pool._threads.shutdown()
    assert pool._queues == {}


def test_work_of_a_cancelled_caller_is_skipped() -> None:
    pool, begun, go_on, run = FairThreads(1, "test"), Event(), Event(), list[str]()

    def occupy() -> None:
        begun.set()
        go_on.wait(PATIENCE)

    async def cancel() -> None:
        busy = asyncio.create_task(pool.run("a", occupy))
        await asyncio.to_thread(begun.wait, 60)
        gone = asyncio.create_task(pool.run("a", lambda: run.append("gone")))
        last = asyncio.create_task(pool.run("a", lambda: run.append("last")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(busy, last)

    asyncio.run(cancel())
    assert run == ["last"]
