"""Lines that are recorded as thrown away at once, on a patient's sheet."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.offline.late_entries import LateEntryDraft, RecordLateDraft
from domain.common.errors import Code
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Unbilled
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.sheets.lines.test_corrections import story, total

D = Decimal


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def record(
    ward: Ward,
    sheet_id: int,
    reason: str | None = "dropped",
    *,
    billed: tuple[UseReason, ...] = (),
    key: IdempotencyKey | None = None,
    **particulars: Any,
) -> DetailView:
    add = replace(ward.use_cases.details.add, billed_waste=billed)
    draft = ward.detail_draft("2", use_reason=reason, **particulars)
    return add(ward.admin, draft, sheet_id=sheet_id, idempotency_key=key).answer


def amounts(line: DetailView) -> tuple[Any, ...]:
    return line["quantity"], line["total"], line["use_reason"], line["unbilled"]


def test_the_hospital_decides_what_recorded_waste_costs(ward: Ward, sheet_id: int) -> None:
    dropped = record(ward, sheet_id, billed=(UseReason.OPENED,))
    opened = record(ward, sheet_id, "opened", billed=(UseReason.OPENED,))
    used = record(ward, sheet_id, None)
    assert [amounts(one) for one in (dropped, opened, used)] == [
        (D(2), D(0), UseReason.DROPPED, Unbilled.WASTED),
        (D(2), D("25.00"), UseReason.OPENED, None),
        (D(2), D("25.00"), None, None),
    ]
    assert dropped["unit_price"] == D("12.50")
    assert total(ward, sheet_id) == D("50.00")
    assert story(ward, sheet_id)[-3:] == ["detail.added"] * 3
    ward.use_cases.details.unmark_waste(ward.admin, dropped["id"])
    assert total(ward, sheet_id) == D("75.00")


def test_several_lines_may_be_recorded_as_waste_at_once(ward: Ward, sheet_id: int) -> None:
    items = tuple(
        DetailDraft(product_id=ward.product_id, quantity=D(1), use_reason=reason) for reason in ("expired", None)
    )
    recorded = ward.use_cases.details.record_many(ward.nurse, sheet_id, DetailsDraft(items=items)).answer["items"]
    assert [one["use_reason"] for one in recorded] == [UseReason.EXPIRED, None]
    assert "unbilled" not in recorded[0], "prices are hidden from ward staff"


@pytest.mark.parametrize("reason", ["lost", "DROPPED", "x" * 300, "dropped\0"])
def test_unknown_reasons_are_refused_with_the_known_ones(ward: Ward, sheet_id: int, reason: str) -> None:
    with refused((Code.CHOICE_UNKNOWN, "use_reason")):
        record(ward, sheet_id, reason)


def test_an_expired_lot_is_asked_about_unless_that_is_why(ward: Ward, sheet_id: int) -> None:
    expired: dict[str, Any] = {"lot": "L1", "expiry": TODAY - timedelta(days=1), "acknowledged": ()}
    with refused((Code.LOT_EXPIRED, "expiry")):
        record(ward, sheet_id, "dropped", **expired)
    assert record(ward, sheet_id, "expired", **expired)["use_reason"] is UseReason.EXPIRED


def test_a_wasted_implant_needs_no_serial_number(ward: Ward, sheet_id: int) -> None:
    plate = ward.product("Placa", "90.00", implant=True).id
    with refused((Code.IMPLANT_INCOMPLETE, "lot")):
        record(ward, sheet_id, None, product_id=plate, acknowledged=())
    assert "warnings" not in record(ward, sheet_id, "opened", product_id=plate, acknowledged=())


def test_a_line_moved_as_waste_is_charged_as_waste(ward: Ward, sheet_id: int) -> None:
    line, other = record(ward, sheet_id, None), ward.sheet(patient_id=ward.patient("Luis", "Soto").id)["id"]
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=other, reason="Era del otro", use_reason="dropped")
    [moved] = replace(ward.use_cases.details.move, billed_waste=())(ward.admin, sheet_id, draft)["moved"]
    assert amounts(moved) == (D(2), D(0), UseReason.DROPPED, Unbilled.WASTED)
    assert (total(ward, sheet_id), total(ward, other)) == (D(0), D(0))


def test_waste_in_a_late_entry_stays_waste_when_it_is_recorded(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    draft = LateEntryDraft(
        items=(ward.detail_draft("1", use_reason="dropped"),), occurred_at=ward.clock() - timedelta(minutes=5)
    )
    key = IdempotencyKey("late", "f")
    late = ward.use_cases.late_entries.submit(ward.nurse, sheet_id, draft, idempotency_key=key).answer
    ward.use_cases.sheets.undo_closing(ward.admin, sheet_id)
    ward.use_cases.late_entries.record(ward.admin, late["id"], RecordLateDraft())
    [recorded] = ward.use_cases.details.reader.page(ward.admin, DetailQuery(consumption_sheet_id=sheet_id))["items"]
    assert recorded["use_reason"] == UseReason.DROPPED
