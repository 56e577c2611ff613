"""Fair queues: a share for each hospital and each of its users."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

import pytest

from adapters.http.workers.fair_queue import HEAVY_WORK, LONG_WORK, FairQueue, Owner, QueueFull
from tests.pace import PATIENCE

A = Owner(1, "a")
# Of the second hospital is d.
OWNERS = {"a": A, "b": Owner(1, "b"), "c": Owner(1, "c"), "d": Owner(2, "a")}


def wait_for(*works: Future[Any]) -> None:
    for work in works:
        work.result(PATIENCE)


def event_sort_key(*tries: tuple[str, str], threads: int = 1) -> list[str]:
    """Queue tries while all threads are busy; returns the order of execution."""
    pool, order = FairQueue(threads, "test"), list[str]()
    begun, go_on = [Event() for _ in range(threads)], Event()

    def occupy(thread: int) -> None:
        begun[thread].set()
        go_on.wait(PATIENCE)

    def note(name: str) -> Callable[[], None]:
        return lambda: order.append(name)

    async def run_all() -> None:
        busy = [asyncio.create_task(pool.run(A, partial(occupy, thread))) for thread in range(threads)]
        for event in begun:
            await asyncio.to_thread(event.wait, PATIENCE)
        tasks = [asyncio.create_task(pool.run(OWNERS[owner], note(name))) for owner, name in tries]
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
    pool = FairQueue(2, "test")

    async def run() -> None:
        assert await pool.run(A, lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await pool.run(A, lambda: 1 // 0)

    asyncio.run(run())
    pool._threads.shutdown()
    assert (pool._jobs, pool._hospitals) == ({}, {})


def test_work_of_a_cancelled_caller_is_skipped() -> None:
    pool, begun, go_on, run = FairQueue(1, "test"), Event(), Event(), list[str]()

    def occupy() -> None:
        begun.set()
        go_on.wait(PATIENCE)

    async def cancel() -> None:
        busy = asyncio.create_task(pool.run(A, occupy))
        await asyncio.to_thread(begun.wait, 60)
        gone = asyncio.create_task(pool.run(A, lambda: run.append("gone")))
        last = asyncio.create_task(pool.run(A, lambda: run.append("last")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(busy, last)

    asyncio.run(cancel())
    assert run == ["last"]


def test_another_hospital_is_next_however_many_users_wait() -> None:
    tries = [(owner, f"{owner}{number}") for number in range(3) for owner in "bc"]
    assert event_sort_key(*tries, ("d", "d0"), ("d", "d1"))[:4] == ["d0", "b0", "d1", "c0"]


def test_a_full_queue_rejects_its_owner_alone() -> None:
    pool, go_on, order = FairQueue(1, "test", max_waiting=2), Event(), list[str]()
    held = [pool.submit(A, partial(go_on.wait, PATIENCE)) for _ in range(3)]
    with pytest.raises(QueueFull):
        pool.submit(A, partial(order.append, "a"))
    others = [pool.submit(OWNERS[name], partial(order.append, name)) for name in "bcd"]
    go_on.set()
    wait_for(*held, *others)
    assert sorted(order) == ["b", "c", "d"]
    pool.submit(A, partial(order.append, "again")).result(PATIENCE)
    assert order[-1] == "again"


def test_max_running_leaves_threads_to_others() -> None:
    pool, go_on, order = FairQueue(2, "test", max_running=1), Event(), list[str]()
    first = pool.submit(A, partial(go_on.wait, PATIENCE))
    waiting = [pool.submit(A, partial(order.append, f"a{number}")) for number in range(3)]
    for name in "bd":
        pool.submit(OWNERS[name], partial(order.append, name)).result(PATIENCE)
    assert order == ["b", "d"]
    go_on.set()
    wait_for(first, *waiting)
    assert order[2:] == ["a0", "a1", "a2"]


def test_heavy_work_and_files_have_a_share_for_each_user() -> None:
    for queue in (HEAVY_WORK, LONG_WORK):
        go_on = Event()
        held: list[Future[Any]] = []
        with suppress(QueueFull):
            while len(held) < 100:
                held.append(queue.submit(A, partial(go_on.wait, PATIENCE)))
        assert len(held) < 30
        other = queue.submit(OWNERS["b"], lambda: "done")
        go_on.set()
        assert other.result(PATIENCE) == "done"
        for work in held:
            work.result(PATIENCE)
