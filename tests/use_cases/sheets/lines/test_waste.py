"""Supplies that were thrown away: the whole of a line, or a part of it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.closing.reopen_sheet import ReopenDraft
from application.common.idempotency import IdempotencyKey
from application.reports.views import ConsumptionQuery
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.recalls import RecallDraft
from domain.common.errors import Code, NotFound, VersionConflict
from domain.common.policy import Actor
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Unbilled
from tests.assertions import refused
from tests.builders import Ward, a_ward
from tests.use_cases.billing.test_charging import close, reported
from tests.use_cases.sheets.lines.test_corrections import faults, listed, story, total

D = Decimal


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def wasted(
    ward: Ward,
    line: DetailView,
    quantity: str = "1",
    reason: str = "dropped",
    *,
    billed: tuple[UseReason, ...] = tuple(UseReason),
    by: Actor | None = None,
    **how: Any,
) -> list[DetailView]:
    mark_waste = replace(ward.use_cases.details.mark_waste, billed_waste=billed)
    draft = WasteDraft(quantity=D(quantity), use_reason=reason)
    return mark_waste(by or ward.admin, line["id"], draft, **how).answer["items"]


def amounts(*lines: DetailView) -> list[tuple[Any, ...]]:
    return [(one["quantity"], one["total"], one["use_reason"], one["unbilled"]) for one in lines]


def test_a_wasted_line_is_charged_until_the_hospital_decides(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    [marked] = wasted(ward, line, "2")
    assert amounts(marked) == [(D(2), D("25.00"), UseReason.DROPPED, None)]
    assert marked["version"] == line["version"] + 1
    assert total(ward, sheet_id) == D("25.00")
    assert story(ward, sheet_id)[-1] == "detail.wasted"
    assert faults(ward) == []


def test_a_part_becomes_a_line_of_its_own(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "3", by=ward.nurse, lot="L-1")
    ward.clock.advance(hours=1)
    left, part = wasted(ward, line, "1")
    assert amounts(left, part) == [(D(2), D("25.00"), None, None), (D(1), D("12.50"), UseReason.DROPPED, None)]
    assert left["version"] == line["version"] + 1
    own = {"id", "quantity", "total", "version", "use_reason", "created_at", "occurred_at"}
    assert {name: part[name] for name in part.keys() - own} == {name: left[name] for name in left.keys() - own}  # type: ignore[literal-required]
    assert part["occurred_at"] == line["created_at"]
    assert total(ward, sheet_id) == D("37.50")
    assert story(ward, sheet_id)[-2:] == ["detail.edited", "detail.wasted"]
    assert faults(ward) == []


def test_the_hospital_decides_which_waste_is_charged(ward: Ward, sheet_id: int) -> None:
    billed = (UseReason.OPENED,)
    line = ward.detail(sheet_id, "3")
    left, part = wasted(ward, line, "1", billed=billed)
    [opened] = wasted(ward, left, "2", "opened", billed=billed)
    assert amounts(part, opened) == [
        (D(1), D(0), UseReason.DROPPED, Unbilled.WASTED),
        (D(2), D("25.00"), UseReason.OPENED, None),
    ]
    assert total(ward, sheet_id) == D("25.00")
    assert faults(ward) == []


def test_a_mark_is_taken_back(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "3")
    _, part = wasted(ward, line, "1", billed=())
    undone = ward.use_cases.details.unmark_waste(ward.nurse, part["id"])
    assert undone["use_reason"] is None
    assert total(ward, sheet_id) == D("37.50")
    assert len(listed(ward, consumption_sheet_id=sheet_id)) == 2
    assert story(ward, sheet_id)[-1] == "detail.waste_undone"
    with refused(Code.WASTE_NONE):
        ward.use_cases.details.unmark_waste(ward.nurse, part["id"])


def test_an_included_product_stays_included(ward: Ward, sheet_id: int) -> None:
    gloves = ward.product("Guantes", "3.00", included_in_stay=True).id
    [marked] = wasted(ward, ward.detail(sheet_id, product_id=gloves), billed=())
    assert marked["unbilled"] == Unbilled.INCLUDED
    assert ward.use_cases.details.unmark_waste(ward.admin, marked["id"])["unbilled"] == Unbilled.INCLUDED


def test_a_total_set_by_hand_stays_with_the_whole_line(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    draft = DetailDraft(product_id=ward.product_id, quantity=D(2), total=D(5))
    line = ward.use_cases.details.edit(ward.admin, line["id"], draft)
    with refused((Code.WASTE_TOTAL_SET, "quantity")):
        wasted(ward, line, "1")
    assert amounts(*wasted(ward, line, "2")) == [(D(2), D(5), UseReason.DROPPED, None)]


def test_an_edit_keeps_that_a_line_is_not_charged(ward: Ward, sheet_id: int) -> None:
    other = ward.product("Venda", "4.00").id
    [marked] = wasted(ward, ward.detail(sheet_id), billed=())
    edited = ward.use_cases.details.edit(ward.admin, marked["id"], DetailDraft(product_id=other, quantity=D(2)))
    assert amounts(edited) == [(D(2), D(0), UseReason.DROPPED, Unbilled.WASTED)]


@pytest.mark.parametrize(("billed", "unbilled"), [((), Unbilled.WASTED), (tuple(UseReason), None)])
def test_another_product_is_charged_as_waste(
    ward: Ward, sheet_id: int, billed: tuple[UseReason, ...], unbilled: Unbilled | None
) -> None:
    gloves = ward.product("Guantes", "3.00", included_in_stay=True).id
    [marked] = wasted(ward, ward.detail(sheet_id, product_id=gloves), billed=billed)
    edit = replace(ward.use_cases.details.edit, billed_waste=billed)
    draft = DetailDraft(product_id=ward.product_id, quantity=D(1))
    assert edit(ward.admin, marked["id"], draft)["unbilled"] == unbilled


def test_invalid_marks_are_refused_and_change_nothing(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    with refused((Code.USE_REASON_NOT_HERE, "use_reason")):
        wasted(ward, line, "1", "crash_cart")
    with refused((Code.CHOICE_UNKNOWN, "use_reason")):
        wasted(ward, line, "1", "lost")
    with refused((Code.REQUIRED, "use_reason"), (Code.REQUIRED, "quantity")):
        ward.use_cases.details.mark_waste(ward.admin, line["id"], WasteDraft())
    with refused((Code.REQUIRED, "quantity")):
        wasted(ward, line, "0")
    with refused((Code.WASTE_TOO_MUCH, "quantity")):
        wasted(ward, line, "2.001")
    with pytest.raises(VersionConflict):
        wasted(ward, line, "2", expected=frozenset({9}))
    with pytest.raises(NotFound):
        ward.use_cases.details.mark_waste(ward.admin, 999, WasteDraft(quantity=D(1), use_reason="opened"))
    assert listed(ward, consumption_sheet_id=sheet_id) == [line]
    wasted(ward, line, "2")
    with refused(Code.WASTE_MARKED):
        wasted(ward, line, "2")
    ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Repetida"))
    with refused(Code.DETAIL_VOIDED):
        ward.use_cases.details.unmark_waste(ward.admin, line["id"])


def test_a_part_is_as_fine_as_the_product(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2", product_id=ward.product("Catéter", decimals=0).id)
    with refused((Code.QUANTITY_TOO_FINE, "quantity")):
        wasted(ward, line, "0.5")


def test_a_closed_sheet_takes_no_marks(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.SHEET_CLOSED):
        wasted(ward, line)


def test_a_repeated_request_marks_once(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "3")
    key = IdempotencyKey("k-1", "")
    first = wasted(ward, line, idempotency_key=key)
    ward.clock.advance(seconds=1)
    assert wasted(ward, line, idempotency_key=key) == first
    assert len(listed(ward, consumption_sheet_id=sheet_id)) == 2


def test_the_author_is_notified(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "3", by=ward.nurse)
    wasted(ward, line, "1")
    [notice] = ward.use_cases.reports.list_notices(ward.nurse)["items"]
    assert (notice["kind"], notice["quantity"], notice["new_quantity"]) == ("wasted", D(3), D(1))


def test_an_implant_that_was_thrown_away_is_in_no_patient(ward: Ward, sheet_id: int) -> None:
    stent = ward.product("Stent", "900.00", implant=True).id
    [marked] = wasted(ward, ward.detail(sheet_id, product_id=stent))
    assert ward.use_cases.sheets.summarize(ward.admin, sheet_id)["incomplete_implants"] == []
    [registered] = ward.use_cases.implants.list.page(ward.admin, DetailQuery())["items"]
    assert (registered["id"], registered["use_reason"]) == (marked["id"], UseReason.DROPPED)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with refused(Code.IMPLANTS_NONE):
        ward.use_cases.implants.print_card(ward.admin, sheet_id)


def test_what_is_recorded_is_used_or_wasted(ward: Ward, sheet_id: int) -> None:
    line = ward.detail(sheet_id, "10")
    _, first = wasted(ward, line, "2.5", "opened")
    wasted(ward, line, "1.25", "expired")
    ward.use_cases.details.unmark_waste(ward.admin, first["id"])
    lines = listed(ward, consumption_sheet_id=sheet_id)
    assert sum(one["quantity"] for one in lines) == 10
    assert sum(one["quantity"] for one in lines if one["use_reason"]) == D("1.25")
    query = ConsumptionQuery(since=ward.clock().date() - timedelta(1), until=ward.clock().date() + timedelta(1))
    assert ward.use_cases.reports.consumption.page(ward.admin, query)["sums"]["quantity"] == 10


def test_billing_gets_waste_that_is_charged() -> None:
    ward = a_ward(charging=True)
    sheet_id = ward.sheet()["id"]
    line = ward.detail(sheet_id, "3")
    close(ward, sheet_id)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Se cayó uno"))
    wasted(ward, line, "1", billed=())
    close(ward, sheet_id)
    sent = [(one.kind, one.quantity, one.total) for one in reported(ward)]
    assert sent == [("CG", D(3), D("37.50")), ("CD", D(3), D("37.50")), ("CG", D(2), D("25.00"))]
    assert faults(ward) == []


def test_a_part_of_a_recalled_lot_is_a_recalled_use(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.recalls.open(ward.admin, RecallDraft(product_id=ward.product_id, lot="L-9", reason="Fuga"))
    line = ward.detail(sheet_id, "3", lot="L-9", acknowledged=("lot.recalled",), recall_reason="No había otro")
    left, part = wasted(ward, line, "1")
    uses = ward.use_cases.reports.read_worklist(ward.supervisor)["recalled_uses"]
    assert {use["detail_id"] for use in uses} == {left["id"], part["id"]}
