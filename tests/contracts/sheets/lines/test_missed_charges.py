"""Contract of every store: pairs of products, and questions about missing ones."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.ports import SheetProducts
from domain.sheets.missed_charges import LEARNING_LEASE, LEARNING_WINDOW, MAX_DENIALS, MIN_SUPPORT
from tests.builders import Ward
from tests.contracts.common.concurrently import at_once
from tests.use_cases.sheets.lines.test_missed_charges import (
    answer,
    asked,
    closed_sheet_with,
    figures,
    learned,
    questions,
    sheet_with,
)


@pytest.fixture
def catheter(ward: Ward) -> int:
    return ward.product("Catéter venoso 20G").id


@pytest.fixture
def dressing(ward: Ward) -> int:
    return ward.product("Apósito transparente", code="AP-1", unit="pieza").id


def test_pairs_are_learned_from_lines_that_count(ward: Ward, catheter: int, dressing: int) -> None:
    # Closed before the window.
    closed_sheet_with(ward, catheter)
    ward.clock.now += LEARNING_WINDOW + timedelta(seconds=1)
    for _ in range(MIN_SUPPORT - 1):
        closed_sheet_with(ward, catheter, dressing)
    # Recorded twice, it still counts once.
    closed_sheet_with(ward, catheter, dressing, dressing)
    for _ in range(8):
        closed_sheet_with(ward, ward.product_id)
    voided, returned, kept = (sheet_with(ward, catheter) for _ in range(3))
    line = ward.detail(voided, product_id=dressing)["id"]
    ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=(line,), reason="Equivocada"))
    for sheet_id, back in ((returned, 2), (kept, 1)):
        line = ward.detail(sheet_id, "2", product_id=dressing)["id"]
        draft = ReturnDraft(quantity=Decimal(back), reason="unused")
        ward.use_cases.details.return_part(ward.admin, line, draft)
    for sheet_id in (voided, returned, kept):
        ward.use_cases.sheets.close(ward.admin, sheet_id)
    # An open one.
    sheet_with(ward, catheter)
    assert ward.use_cases.missed_charges.learn() == 2
    assert figures(ward, catheter, dressing) == (MIN_SUPPORT + 3, MIN_SUPPORT + 1, 0)
    assert figures(ward, dressing, catheter) == (MIN_SUPPORT + 1, MIN_SUPPORT + 1, 0)


def test_closed_sheets_are_read_in_pages(ward: Ward, catheter: int, dressing: int) -> None:
    ids = []
    for number in range(5):
        # Two are closed at the same moment.
        ward.clock.advance(minutes=number % 2)
        ids.append(closed_sheet_with(ward, catheter, *[dressing] * (number % 2)))
    empty = closed_sheet_with(ward)
    found: list[SheetProducts] = []
    last: SheetProducts | None = None
    while True:
        with ward.store.read() as views:
            page = views.missed_charges.closed_sheets(ward.clock.now - timedelta(days=1), last, most=2)
        if not page:
            break
        found, last = found + page, page[-1]
    assert [sheet.sheet_id for sheet in found] == [empty, *reversed(ids)]
    assert [set(sheet.products) for sheet in found] == [
        set(),
        *({catheter}, {catheter, dressing}, {catheter}, {catheter, dressing}, {catheter}),
    ]


def test_a_missing_product_is_asked_about_without_price(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing), (dressing, catheter))
    sheet_id = sheet_with(ward, catheter)
    [question] = questions(ward, sheet_id)
    assert question == {
        "product": {"id": dressing, "code": "AP-1", "name": "Apósito transparente", "unit": "pieza", "active": True},
        "because_id": catheter,
        "because": "Catéter venoso 20G",
        "sheets": 100,
        "together": 99,
    }
    assert ward.use_cases.missed_charges.list(ward.admin, sheet_id)["items"] == [question]
    line = ward.detail(sheet_id, product_id=dressing)["id"]
    assert asked(ward, sheet_id) == []
    ward.use_cases.details.void.several(ward.admin, VoidDraft(ids=(line,), reason="Equivocada"))
    assert asked(ward, sheet_id) == [dressing]


def test_answers_and_silencing_are_audited(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    for _ in range(MAX_DENIALS):
        sheet_id = sheet_with(ward, catheter)
        for _ in range(2):
            answer(ward, sheet_id, catheter, dressing)
    query = AuditQuery(action="sheet.missed_charge_answered", limit=MAX_DENIALS + 1)
    entries = ward.use_cases.audit.reader.page(ward.admin, query)["items"]
    assert len(entries) == MAX_DENIALS
    user = entries[0]["user"]
    assert user is not None
    assert (entries[0]["entity_id"], user["id"]) == (sheet_id, ward.nurse.user_id)
    assert entries[0]["changes"] == {
        "product_id": [None, dressing],
        "because_id": [None, catheter],
        "used": [None, False],
        "denials": [None, MAX_DENIALS],
        "asked": [None, False],
    }
    assert entries[1]["changes"]["asked"] == [None, True]


def test_only_the_pairs_denied_most_are_kept(ward: Ward, catheter: int) -> None:
    others = [ward.product(f"Producto {number}").id for number in range(4)]
    learned(ward, *((catheter, other) for other in others))
    for place, times in enumerate((1, 3, 0, 2)):
        for _ in range(times):
            answer(ward, sheet_with(ward, catheter), catheter, others[place])
    learned(ward)
    assert [figures(ward, catheter, other) for other in others] == [None, (0, 0, 3), None, (0, 0, 2)]


def test_answers_are_deleted_with_sheets_or_once_old(ward: Ward, catheter: int, dressing: int) -> None:
    learned(ward, (catheter, dressing))
    deleted, closed, kept = (sheet_with(ward, catheter) for _ in range(3))
    for sheet_id in (deleted, closed, kept):
        answer(ward, sheet_id, catheter, dressing)
    ward.use_cases.sheets.delete(ward.admin, deleted)
    ward.use_cases.sheets.close(ward.admin, closed)
    ward.clock.now += LEARNING_WINDOW + timedelta(days=1)
    ward.use_cases.missed_charges.learn()
    with ward.store.read() as views:
        found: Sequence[object] = [views.missed_charges.answers(each) for each in (deleted, closed, kept)]
    assert found == [{}, {}, {dressing: False}]


def test_one_of_several_processes_learns_each_night(ward: Ward) -> None:
    learn = ward.use_cases.missed_charges.learn
    assert sorted(at_once([learn] * 6), key=str) == [0, None, None, None, None, None]
    # Noon in UTC is 6 o'clock in the hospital: the next night begins in 21 hours.
    ward.clock.advance(hours=20, minutes=59)
    assert learn() is None
    ward.clock.advance(minutes=1)
    assert learn() == 0


def test_a_killed_learning_is_started_over(ward: Ward) -> None:
    at = ward.clock.now
    with ward.store.begin() as work:
        assert work.job_leases.claim("learn_missed_charges", at, at + LEARNING_LEASE)
    assert ward.use_cases.missed_charges.learn() is None
    ward.clock.now += LEARNING_LEASE
    assert ward.use_cases.missed_charges.learn() == 0
