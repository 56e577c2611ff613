"""What is changed on lines of an earlier month."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from adapters.sql.sheets.tables import details, month_changes
from application.sheets.detail_views import DetailView
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import NotFound, Refused
from domain.common.money import line_total
from domain.sheets.month_change import MonthChangeKind
from tests.builders import Ward, a_ward
from tests.use_cases.sheets.test_notices import correct, edit
from tests.use_cases.stored import kept

D = Decimal
LAST_EVENING = datetime(2091, 5, 31, 20, tzinfo=UTC)
KEY = ("day", "area_id", "product_id", "unbilled", "use_reason")
FIGURES = ("lines", "quantity", "returned", "total", "value")


@pytest.fixture
def ward() -> Ward:
    ward = a_ward()
    ward.clock.now = LAST_EVENING
    return ward


def changes(ward: Ward) -> list[Any]:
    return kept(ward).rows(month_changes)


def figures(ward: Ward) -> Counter[tuple[Any, ...]]:
    """Return the sums of all lines by their key and figure, from the rows."""
    sums: Counter[tuple[Any, ...]] = Counter()
    for row in kept(ward).rows(details):
        if row.voided_at:
            continue
        value = line_total(row.unit_price, row.quantity)
        for name, figure in zip(FIGURES, (1, row.quantity, row.returned, row.total, value), strict=True):
            sums[*(getattr(row, part) for part in KEY), name] += figure
    return sums


def changed(ward: Ward) -> Counter[tuple[Any, ...]]:
    sums: Counter[tuple[Any, ...]] = Counter()
    for row in changes(ward):
        for name in FIGURES:
            sums[*(getattr(row, part) for part in KEY), name] += getattr(row, name)
    return sums


def void(ward: Ward, line: DetailView) -> None:
    ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Repetida"))


def send_back(ward: Ward, line: DetailView) -> None:
    ward.use_cases.details.return_part(ward.admin, line["id"], ReturnDraft(quantity=D(1), reason="unused"))


def waste(ward: Ward, line: DetailView) -> None:
    ward.use_cases.details.mark_waste(ward.admin, line["id"], WasteDraft(quantity=D(1), use_reason="dropped"))


def unmark(ward: Ward, line: DetailView) -> None:
    draft = WasteDraft(quantity=D(1), use_reason="dropped")
    part = ward.use_cases.details.mark_waste(ward.admin, line["id"], draft).answer["items"][-1]
    ward.use_cases.details.unmark_waste(ward.admin, part["id"])


def move_to_area(ward: Ward, line: DetailView) -> None:
    page = ward.use_cases.area_sheets.open(ward.admin, ward.area_id).view["id"]
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=page, reason="Del área", use_reason="cleaning")
    ward.use_cases.details.move(ward.admin, line["consumption_sheet_id"], draft)


ACTS: dict[str, tuple[Callable[[Ward, DetailView], Any], list[tuple[Any, ...]]]] = {
    "voided": (void, [("voided", -1, D(-3), D("-37.50"))]),
    "returned": (send_back, [("returned", 0, D(-1), D("-12.50"))]),
    "corrected": (
        lambda ward, line: correct(ward, line, "5", by=ward.admin),
        [("corrected", -1, D(-3), D("-37.50")), ("corrected", 1, D(5), D("62.50"))],
    ),
    "wasted": (waste, [("wasted", 0, D(-1), D("-12.50")), ("wasted", 1, D(1), D("12.50"))]),
    "not wasted": (
        unmark,
        [
            *(("wasted", 0, D(-1), D("-12.50")), ("wasted", 1, D(1), D("12.50"))),
            *(("wasted", -1, D(-1), D("-12.50")), ("wasted", 1, D(1), D("12.50"))),
        ],
    ),
    "moved": (move_to_area, [("moved", -1, D(-3), D("-37.50")), ("moved", 1, D(3), D(0))]),
    "edited": (
        lambda ward, line: edit(ward, line, by=ward.admin, product_id=ward.product("Venda", "2.00").id),
        [("edited", -1, D(-3), D("-37.50")), ("edited", 1, D(3), D("6.00"))],
    ),
    "deleted": (
        lambda ward, line: ward.use_cases.sheets.delete(ward.admin, line["consumption_sheet_id"]),
        [("deleted", -1, D(-3), D("-37.50"))],
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_change_in_a_later_month_is_kept(ward: Ward, act: str) -> None:
    make, expected = ACTS[act]
    line = ward.detail(ward.sheet()["id"], "3", by=ward.nurse)
    ward.clock.advance(hours=20)
    make(ward, line)
    assert [(row.kind, row.lines, row.quantity, row.total) for row in changes(ward)] == expected
    assert {(row.day.isoformat(), row.made_on.isoformat(), row.user_id) for row in changes(ward)} == {
        ("2091-05-31", "2091-06-01", ward.admin.user_id)
    }


@pytest.mark.parametrize("act", ACTS)
def test_a_change_in_the_same_month_is_not(ward: Ward, act: str) -> None:
    make, _ = ACTS[act]
    line = ward.detail(ward.sheet()["id"], "3", by=ward.nurse)
    make(ward, line)
    assert changes(ward) == []


def test_december_is_before_january(ward: Ward) -> None:
    ward.clock.now = LAST_EVENING.replace(month=12)
    line = ward.detail(ward.sheet()["id"], "3")
    ward.clock.advance(hours=20)
    void(ward, line)
    assert [row.day.isoformat() for row in changes(ward)] == ["2091-12-31"]


def test_a_late_line_is_a_change_of_its_month(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.clock.advance(hours=20)
    ward.detail(sheet_id, "2", occurred_at=LAST_EVENING)
    ward.detail(sheet_id, "4")
    assert [(row.kind, row.quantity) for row in changes(ward)] == [(MonthChangeKind.RECORDED, D(2))]


def test_a_move_in_one_area_leaves_the_month_as_it_was(ward: Ward) -> None:
    line = ward.detail(ward.sheet()["id"], "2", by=ward.nurse)
    other = ward.sheet(patient_id=ward.patient("Luis", "Gil").id)["id"]
    ward.clock.advance(hours=20)
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=other, reason="Otro paciente")
    ward.use_cases.details.move(ward.admin, line["consumption_sheet_id"], draft)
    assert changes(ward) == []


@pytest.mark.parametrize("seed", range(8))
def test_a_month_and_its_changes_are_today(ward: Ward, seed: int) -> None:
    draws = Random(seed)
    sheet_id = ward.sheet()["id"]
    gloves = ward.product("Guantes", "3.00", included_in_stay=True).id
    lines = [
        ward.detail(
            sheet_id,
            str(draws.randint(1, 9)),
            product_id=draws.choice((ward.product_id, gloves)),
            area_id=draws.choice((ward.area_id, None)),
        )
        for _ in range(12)
    ]
    before = figures(ward)
    ward.clock.advance(hours=20)
    acts = [make for name, (make, _) in ACTS.items() if name != "deleted"]
    for _ in range(25):
        try:
            draws.choice(acts)(ward, draws.choice(lines))
        except (NotFound, Refused):
            continue
    late = ward.detail(sheet_id, "2", occurred_at=LAST_EVENING)
    draws.choice(acts)(ward, late)
    after = figures(ward)
    after.subtract(before)
    assert +after == +changed(ward)
    assert -after == -changed(ward)
