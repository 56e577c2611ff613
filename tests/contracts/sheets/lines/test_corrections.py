"""Contract of every store: voiding, moving and returning lines.

Nothing is deleted, and every total stays the sum of the lines that count.
"""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.people.merge_patients import MergeDraft
from application.sheets.detail_views import DetailQuery, Voided
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.offline.late_entries import DismissDraft, LateEntryDraft, RecordLateDraft
from application.sheets.transfer_patient import TransferDraft
from domain.common.errors import Forbidden, NotFound, Refused
from domain.common.policy import Actor
from tests.builders import TODAY, Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.lines.test_corrections import SLIP, faults, forget_answers, listed, returned, story, total


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


# --- voiding ---------------------------------------------------------------------------------------------------------


def test_a_voided_line_keeps_who_when_and_why_and_counts_nowhere(ward: Ward, sheet_id: int) -> None:
    kept, slip = ward.detail(sheet_id, "1"), ward.detail(sheet_id, "4", by=ward.nurse)
    at = ward.clock.advance(minutes=1)
    view = ward.use_cases.details.void(ward.nurse, slip["id"], SLIP, frozenset({1}))
    assert view["voided"] == {
        "at": at,
        "by": {"id": ward.nurse.user_id, "name": "Nuria Paz"},
        "reason": "Producto equivocado",
    }
    assert (view["version"], "total" in view) == (2, False)
    assert total(ward, sheet_id) == Decimal("12.50")
    assert [line["id"] for line in listed(ward)] == [kept["id"]]
    everything = listed(ward, Voided.INCLUDE, consumption_sheet_id=sheet_id)
    assert [(line["id"], "voided" in line) for line in everything] == [(slip["id"], True), (kept["id"], False)]
    [struck] = listed(ward, Voided.ONLY, since=TODAY - timedelta(days=1), until=TODAY)
    assert (struck["id"], struck["total"], struck["voided"]) == (slip["id"], Decimal("50.00"), view["voided"])
    exported = list(ward.use_cases.details.reader.iterate(ward.admin, DetailQuery(voided=Voided.ONLY)))
    assert [line["voided"] for line in exported] == [view["voided"]]
    with pytest.raises(NotFound):
        ward.use_cases.details.reader.one(ward.admin, slip["id"])
    assert story(ward, sheet_id) == ["sheet.opened", "detail.added", "detail.added", "detail.voided"]
    assert faults(ward) == []


def test_deleting_a_line_voids_it_without_a_reason(ward: Ward, sheet_id: int) -> None:
    slip = ward.detail(sheet_id)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    [struck] = listed(ward, Voided.ONLY)
    # A user without a profile is named by the account.
    assert struck["voided"]["by"] == {"id": ward.admin.user_id, "name": "admin@consumo.test"}
    assert struck["voided"]["reason"] is None
    with pytest.raises(NotFound):
        ward.use_cases.details.delete(ward.admin, slip["id"])


# --- idempotency without a time limit --------------------------------------------------------------------------------


def test_a_retry_of_several_lines_records_nothing(ward: Ward, sheet_id: int) -> None:
    key = IdempotencyKey("k-2", "body")
    draft = DetailsDraft(items=tuple(DetailDraft(product_id=ward.product_id, quantity=Decimal(n)) for n in (1, 2, 3)))
    first = ward.use_cases.details.record_many(ward.nurse, sheet_id, draft, idempotency_key=key)
    forget_answers(ward)
    again = ward.use_cases.details.record_many(ward.nurse, sheet_id, draft, idempotency_key=key)
    assert again.replayed
    assert [line["id"] for line in again.answer["items"]] == [line["id"] for line in first.answer["items"]]
    assert len(listed(ward)) == 3


# --- moving ----------------------------------------------------------------------------------------------------------


def test_concurrent_moves_in_opposite_directions_do_not_deadlock(ward: Ward, sheet_id: int) -> None:
    other = ward.sheet()["id"]
    here, there = ([ward.detail(sheet, "1")["id"] for _ in range(10)] for sheet in (sheet_id, other))

    def move(source: int, target: int, line: int) -> Callable[[], Any]:
        draft = MoveDraft(detail_ids=(line,), to_sheet_id=target, reason="Otro paciente")
        return lambda: ward.use_cases.details.move(ward.admin, source, draft)

    calls = [move(sheet_id, other, line) for line in here] + [move(other, sheet_id, line) for line in there]
    assert [one for one in at_once(calls) if isinstance(one, Exception)] == []
    assert {line["id"] for line in listed(ward, consumption_sheet_id=other)} == set(here)
    assert total(ward, sheet_id) == total(ward, other) == 125
    assert faults(ward) == []


# --- returns ---------------------------------------------------------------------------------------------------------


def test_ten_of_twenty_concurrent_returns_of_ten_succeed(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10")
    outcomes = at_once([lambda: returned(ward, line, "1")] * 20)
    assert sum(isinstance(one, dict) for one in outcomes) == 10
    assert sum(isinstance(one, Refused) for one in outcomes) == 10
    assert total(ward, sheet_id) == 0
    assert faults(ward) == []


# --- a random week ---------------------------------------------------------------------------------------------------


class BadWeek:
    """Random operations of several people on a few sheets."""

    def __init__(self, ward: Ward, seed: int) -> None:
        self.ward, self.any = ward, random.Random(seed)
        self.sheets = [ward.sheet()["id"] for _ in range(3)]
        self.lines: list[int] = []
        self.late: list[int] = []
        self.done: Counter[str] = Counter()
        self.rooms = [
            ward.room_id,
            ward.use_cases.rooms.create(ward.admin, RoomDraft(name="102", status=1, type=1, area_id=ward.area_id)).id,
        ]
        self.patients = [ward.patient_id, ward.patient("Ana", "Ríos").id]
        # The weights make closed sheets reopen soon: little else can happen on them.
        self.gestures = [
            *[self.add, self.edit, self.give_back, self.move, self.reopen] * 2,
            *[self.several, self.void, self.transfer, self.undo_transfer, self.merge, self.unmerge],
            *[self.arrive_late, self.arrive_late, self.record_late, self.record_late, self.dismiss_late],
        ]

    def step(self) -> None:
        """Run one random operation; a refused one must not change anything."""
        gesture = self.any.choice([*self.gestures, self.close])
        before = faults(self.ward)
        try:
            gesture(self.any.choice([self.ward.nurse, self.ward.supervisor, self.ward.admin]))
            self.done[gesture.__name__] += 1
        except (Refused, Forbidden, NotFound):
            self.done["refused"] += 1
        assert (before, faults(self.ward)) == ([], []), gesture.__name__
        for sheet_id in self.sheets:
            self.stays_follow_one_another(sheet_id)

    def stays_follow_one_another(self, sheet_id: int) -> None:
        sheet = self.ward.use_cases.sheets.reader.one(self.ward.admin, sheet_id)
        stays = sheet["stays"]
        assert [stay["until"] for stay in stays[:-1]] == [stay["from"] for stay in stays[1:]]
        assert stays[-1]["room"]["id"] == sheet["room_id"]

    @property
    def quantity(self) -> str:
        return str(Decimal(self.any.randint(0, 9_000)) / 1000)

    @property
    def sheet(self) -> int:
        return self.any.choice(self.sheets)

    @property
    def line(self) -> int:
        return self.any.choice(self.lines or [1])

    def add(self, who: Actor) -> None:
        self.lines.append(self.ward.detail(self.sheet, self.quantity, by=who)["id"])

    def several(self, who: Actor) -> None:
        drafts = [self.ward.detail_draft(self.quantity) for _ in range(3)]
        self.lines += [line["id"] for line in self.ward.details(self.sheet, *drafts, by=who)]

    def edit(self, who: Actor) -> None:
        by_hand = {"total": Decimal(self.any.randint(0, 9_000)) / 100} if self.any.random() < 0.3 else {}
        self.ward.use_cases.details.edit(who, self.line, self.ward.detail_draft(self.quantity, **by_hand))

    def void(self, who: Actor) -> None:
        if self.any.random() < 0.5:
            self.ward.use_cases.details.delete(who, self.line)
        else:
            self.ward.use_cases.details.void.several(who, VoidDraft(ids=(self.line, self.line), reason="Repetidas"))

    def give_back(self, who: Actor) -> None:
        draft = ReturnDraft(quantity=Decimal(self.any.randint(1, 2)), reason="unused", total=Decimal("1.00"))
        self.ward.use_cases.details.return_part(who, self.line, draft)

    def move(self, who: Actor) -> None:
        source = self.sheet
        there = [line["id"] for line in listed(self.ward, consumption_sheet_id=source)]
        draft = MoveDraft(detail_ids=tuple(there[:2]), to_sheet_id=self.sheet, reason="Otro paciente")
        self.ward.use_cases.details.move(who, source, draft)

    def transfer(self, who: Actor) -> None:
        self.ward.use_cases.sheets.transfer_patient(who, self.sheet, TransferDraft(room_id=self.any.choice(self.rooms)))

    def undo_transfer(self, who: Actor) -> None:
        self.ward.use_cases.sheets.undo_transfer(who, self.sheet)

    def merge(self, who: Actor) -> None:
        other, survivor = self.any.sample(self.patients, 2)
        self.ward.use_cases.patients.merge(who, other, MergeDraft(into_id=survivor, reason="La misma persona"))

    def unmerge(self, who: Actor) -> None:
        self.ward.use_cases.patients.unmerge(who, self.any.choice(self.patients))

    def arrive_late(self, who: Actor) -> None:
        draft = LateEntryDraft(items=(self.ward.detail_draft(self.quantity),), occurred_at=self.ward.clock.now)
        key = IdempotencyKey(f"late {len(self.late)}", "x")
        kept = self.ward.use_cases.late_entries.submit(who, self.sheet, draft, idempotency_key=key)
        self.late.append(kept.answer["id"])

    def record_late(self, who: Actor) -> None:
        self.ward.use_cases.late_entries.record(who, self.any.choice(self.late or [1]), RecordLateDraft())

    def dismiss_late(self, who: Actor) -> None:
        draft = DismissDraft(reason="Ya está en la hoja")
        self.ward.use_cases.late_entries.dismiss(who, self.any.choice(self.late or [1]), draft)

    def close(self, who: Actor) -> None:
        self.ward.use_cases.sheets.close(who, self.sheet)

    def reopen(self, who: Actor) -> None:
        self.ward.use_cases.sheets.reopen(who, self.sheet, ReopenDraft(reason="Falta una línea"))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.walk)])
def test_after_random_operations_everything_adds_up(ward: Ward, seed: int) -> None:
    week = BadWeek(ward, seed)
    for _ in range(300):
        ward.clock.advance(minutes=3)
        week.step()
    assert week.done.keys() == {gesture.__name__ for gesture in week.gestures} | {"close", "refused"}


def test_check_consistency_reports_what_does_not_add_up(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    with ward.store.begin() as work:
        detail = work.details.get(line["id"])
        assert detail
        detail.total += 1
        detail.returned = Decimal(1)
        work.details.save(detail)
    assert [(one.kind, one.expected, one.found) for one in faults(ward)] == [
        ("total", Decimal("26.00"), Decimal("25.00")),
        ("returned", 0, 1),
    ]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with ward.store.begin() as work:
        detail.created_at = ward.clock.advance(days=1)
        work.details.save(detail)
    reported = [(one.kind, one.sheet_id, one.detail_id) for one in faults(ward)]
    assert ("after_closing", sheet_id, line["id"]) in reported
    assert ("closing", sheet_id, None) in reported
