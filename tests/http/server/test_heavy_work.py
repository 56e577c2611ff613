"""The queue of exports, reports and PDFs, which never delays recording."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from adapters.http.controllers import fhir
from adapters.http.controllers.sheets import sheets
from adapters.http.requests import request
from adapters.http.responses import lists
from adapters.http.workers.fair_queue import RETRY_AFTER_SECONDS, FairQueue, Owner
from tests.http.hospital import SHEETS, Caller, Hospital
from tests.pace import PATIENCE

A = Owner(1, "a")


def test_a_failed_job_frees_its_slot() -> None:
    async def come() -> list[str]:
        heavy = FairQueue(1, "test", max_waiting=0)
        said = []
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await heavy.run(A, lambda: 1 // 0)
            said.append(await heavy.run(A, lambda: "done"))
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
        heavy = FairQueue(1, "test", max_waiting=0)
        slow = heavy.stream(A, pieces())
        assert await anext(slow) == "a"
        assert [piece async for piece in heavy.stream(A, iter("xyz"))] == ["x", "y", "z"]
        assert await heavy.run(A, lambda: "done") == "done"
        assert not ended
        await slow.aclose()  # type: ignore[attr-defined]
        assert ended

    asyncio.run(come())


@contextmanager
def no_free_slots(monkeypatch: pytest.MonkeyPatch, who: Caller) -> Iterator[None]:
    """Keep the only slot of a user's heavy work occupied."""
    heavy = FairQueue(2, "test", max_running=1, max_waiting=0)
    go = threading.Event()
    with monkeypatch.context() as patched:
        for controller in (sheets, fhir, lists):
            patched.setattr(controller, "HEAVY_WORK", heavy)
        # The application of the tests is that of the only hospital.
        patched.setattr(request, "id", lambda _: 1, raising=False)
        held = heavy.submit(Owner(1, who.user_id), lambda: go.wait(PATIENCE))
        try:
            yield
        finally:
            go.set()
            held.result(60)


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
    with no_free_slots(monkeypatch, hospital.supervisor):
        for what, ask in HEAVY.items():
            assert (what, ask(hospital, hospital.supervisor, sheet)) == (what, 503)
            # Authorization comes first, and takes no slot.
            assert (what, ask(hospital, hospital.stranger, sheet)) == (what, 401)
        reported = hospital.supervisor.speaking("en").get("/api/products?format=csv")
        assert (reported.json()["code"], reported.headers["retry-after"]) == (
            "too_many_at_once",
            str(RETRY_AFTER_SECONDS),
        )
        assert reported.json()["message"].startswith("You already have many papers, reports or files in progress.")
        # Others are served meanwhile.
        assert HEAVY["csv"](hospital, hospital.admin, sheet) == 200
        # Recording, and the reads that it needs, use no slot.
        assert hospital.add_detail(opened, by=hospital.nurse)["id"]
        assert hospital.nurse.get("/api/products").status_code == 200
        assert hospital.nurse.get(f"{SHEETS}/{opened}").status_code == 200
        assert hospital.nurse.get(f"/fhir/R4/Encounter/{opened}").status_code == 200
    for what, ask in HEAVY.items():
        assert (what, ask(hospital, hospital.supervisor, sheet)) == (what, 200)
