"""The queue of exports, reports and PDFs, which never delays recording."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from adapters.http.controllers import fhir, sheets
from adapters.http.responses import lists
from adapters.http.workers.heavy_work import RETRY_AFTER_SECONDS, HeavyWork, QueueFull
from tests.http.hospital import SHEETS, Caller, Hospital
from tests.pace import PATIENCE


def in_order(number: int, *, at_once: int, max_waiting: int) -> list[int | str]:
    """The order in which `number` consecutive jobs finish or are rejected."""
    done: list[int | str] = []
    go = threading.Event()

    async def come() -> None:
        heavy = HeavyWork(at_once, max_waiting)

        def work(which: int) -> None:
            go.wait(PATIENCE)
            done.append(which)

        async def ask(which: int) -> None:
            try:
                await heavy.run(lambda: work(which))
            except QueueFull:
                done.append(f"{which} too many")

        async with asyncio.TaskGroup() as everybody:
            for which in range(number):
                everybody.create_task(ask(which))
                await asyncio.sleep(0)
            go.set()

    asyncio.run(come())
    return done


def test_heavy_work_is_fifo_and_rejects_when_the_queue_is_full() -> None:
    assert in_order(6, at_once=1, max_waiting=9) == [0, 1, 2, 3, 4, 5]
    assert in_order(6, at_once=1, max_waiting=3) == ["4 too many", "5 too many", 0, 1, 2, 3]


def test_a_failed_job_frees_its_slot() -> None:
    async def come() -> list[str]:
        heavy = HeavyWork(1, 0)
        said = []
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await heavy.run(lambda: 1 // 0)
            said.append(await heavy.run(lambda: "done"))
        return said

    assert asyncio.run(come()) == ["done"] * 3


def test_a_slow_reader_holds_no_slot_and_closing_ends_the_stream() -> None:
    ended = []

    def pieces() -> Iterator[str]:
        try:
            yield from "abc"
        finally:
            ended.append(True)

    async def come() -> None:
        heavy = HeavyWork(1, 0)
        slow = heavy.stream(pieces())
        assert await anext(slow) == "a"
        assert [piece async for piece in heavy.stream(iter("xyz"))] == ["x", "y", "z"]
        assert await heavy.run(lambda: "done") == "done"
        assert not ended
        await slow.aclose()  # type: ignore[attr-defined]
        assert ended

    asyncio.run(come())


@contextmanager
def no_free_slots(monkeypatch: pytest.MonkeyPatch, *, max_waiting: int) -> Iterator[None]:
    """Keep the only slot of heavy work occupied."""
    heavy = HeavyWork(1, max_waiting)
    go, begun = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        go.wait(PATIENCE)

    with monkeypatch.context() as patched:
        patched.setattr(sheets, "HEAVY_WORK", heavy)
        patched.setattr(fhir, "HEAVY_WORK", heavy)
        patched.setattr(lists, "HEAVY_WORK", heavy)
        holding = threading.Thread(target=lambda: asyncio.run(heavy.run(hold)))
        holding.start()
        begun.wait(PATIENCE)
        try:
            yield
        finally:
            go.set()
            holding.join()


HEAVY: dict[str, Callable[[Hospital, Caller, int], int]] = {
    "csv": lambda _, who, __: who.get("/api/products?format=csv").status_code,
    "xlsx": lambda _, who, __: who.get("/api/products?format=xlsx").status_code,
    "csv by its type": lambda _, who, __: who.get("/api/products", accept="text/csv").status_code,
    "a sheet's details": lambda _, who, sheet: who.get(f"{SHEETS}/{sheet}/consumption-details?format=csv").status_code,
    "report": lambda _, who, __: who.get("/api/reports/consumption").status_code,
    "report on paper": lambda _, who, __: who.get("/api/reports/consumption?format=pdf").status_code,
    "fhir": lambda _, who, __: who.get("/fhir/R4/Patient?_count=1").status_code,
    "fhir by a form": lambda _, who, __: who.call("POST", "/fhir/R4/Patient/_search", b"_count=1").status_code,
    "paper": lambda _, who, sheet: who.get(f"{SHEETS}/{sheet}/pdf").status_code,
}


def test_with_all_slots_taken_only_heavy_work_is_503(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = hospital.closed_sheet()
    opened = hospital.open_sheet()
    with no_free_slots(monkeypatch, max_waiting=0):
        for what, ask in HEAVY.items():
            assert (what, ask(hospital, hospital.supervisor, sheet)) == (what, 503)
            # Authorization comes first, and takes no slot.
            assert (what, ask(hospital, hospital.stranger, sheet)) == (what, 401)
        reported = hospital.supervisor.speaking("en").get("/api/products?format=csv")
        assert (reported.json()["code"], reported.headers["retry-after"]) == (
            "too_many_at_once",
            str(RETRY_AFTER_SECONDS),
        )
        assert reported.json()["message"].startswith("Too many reports and exports are in progress.")
        # Recording, and the reads that it needs, use no slot.
        assert hospital.add_detail(opened, by=hospital.nurse)["id"]
        assert hospital.nurse.get("/api/products").status_code == 200
        assert hospital.nurse.get(f"{SHEETS}/{opened}").status_code == 200
        assert hospital.nurse.get(f"/fhir/R4/Encounter/{opened}").status_code == 200
    for what, ask in HEAVY.items():
        assert (what, ask(hospital, hospital.supervisor, sheet)) == (what, 200)
