"""Recording several details at once: all of them or none."""

from datetime import timedelta
from decimal import Decimal

import pytest

from application.common.idempotency import IdempotencyKey
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.several_details import MAX_BATCH_SIZE
from domain.common.errors import Code, NotFound, Reason
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import audit_log, nothing_written


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    ward.sheet()  # so that the sheet's id differs from all other ids
    return ward.sheet()["id"]


def test_a_batch_records_details_in_the_order_of_the_request(ward: Ward, sheet_id: int) -> None:
    tape = ward.product("Esparadrapo", "0.35")
    ward.detail(sheet_id)
    recorded = ward.details(sheet_id, ward.detail_draft("3", product_id=tape.id), ward.detail_draft("2"))
    assert [(one["product_id"], one["quantity"], one["total"]) for one in recorded] == [
        (tape.id, Decimal(3), Decimal("1.05")),
        (ward.product_id, Decimal(2), Decimal(25)),
    ]
    assert recorded == [ward.use_cases.details.reader.one(ward.admin, one["id"]) for one in recorded]
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"] == Decimal("38.55")


def test_a_batch_writes_the_same_audit_entries_as_single_calls(ward: Ward, sheet_id: int) -> None:
    single = ward.detail(sheet_id, "2", by=ward.nurse)
    recorded = ward.details(sheet_id, *[ward.detail_draft("2")] * 3, by=ward.nurse)
    entries = {one.entity_id: one for one in audit_log(ward) if one.action == "detail.added"}
    assert list(entries) == [single["id"], *(one["id"] for one in recorded)]
    assert len({str((one.changes, one.user_id, one.sheet_id)) for one in entries.values()}) == 1


def test_a_serial_number_twice_in_a_batch_is_asked_about(ward: Ward, sheet_id: int) -> None:
    tape = ward.product("Esparadrapo", "0.35")
    items = [ward.detail_draft(serial="S9"), ward.detail_draft(product_id=tape.id, serial="S9")]
    with nothing_written(ward), refused((Code.SERIAL_USED, "items.2.serial")):
        ward.details(sheet_id, *items, ward.detail_draft(serial="S9"))
    again = ward.detail_draft(serial="S9", acknowledged=(Code.SERIAL_USED,))
    assert [one["serial"] for one in ward.details(sheet_id, *items, again)] == ["S9"] * 3


def test_ward_staff_record_for_themselves_and_see_no_price(ward: Ward, sheet_id: int) -> None:
    other = ward.staff("Luis", "Gil")
    drafts = [ward.detail_draft(staff_id=other.id), ward.detail_draft(staff_id=999)]
    for one in ward.details(sheet_id, *drafts, by=ward.nurse):
        assert one["staff_id"] == ward.nurse.staff_id
        assert not {"unit_price", "total"} & one.keys()
        assert "price" not in one["product"]


def test_supervisors_record_for_any_staff_member_or_none(ward: Ward, sheet_id: int) -> None:
    other = ward.staff("Luis", "Gil")
    drafts = [ward.detail_draft(staff_id=staff_id) for staff_id in (other.id, 0, None)]
    recorded = ward.details(sheet_id, *drafts, by=ward.supervisor)
    assert [one["staff_id"] for one in recorded] == [other.id, None, None]


def test_all_errors_are_reported_at_once_and_none_is_recorded(ward: Ward, sheet_id: int) -> None:
    old = ward.product("Termómetro de mercurio", active=0)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with (
        nothing_written(ward),
        refused(
            (Code.NEGATIVE, "items.1.quantity"),
            (Code.REFERENCE_UNKNOWN, "items.1.staff_id"),
            (Code.NUMBER_EXPECTED, "items.2.quantity"),
            (Code.PRODUCT_INACTIVE, "items.2.product_id"),
            (Code.REQUIRED, "items.3.product_id"),
            (Code.REQUIRED, "items.3.quantity"),
            Code.SHEET_CLOSED,
        ),
    ):
        ward.details(
            sheet_id,
            ward.detail_draft(),
            ward.detail_draft("-1", staff_id=999),
            DetailDraft(product_id=old.id, parse_errors=(Reason(Code.NUMBER_EXPECTED, "quantity"),)),
            DetailDraft(),
        )


def test_the_line_that_exceeds_a_full_sheet_is_named(
    ward: Ward, sheet_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.sheets.sheet.MAX_LINES", 2)
    with nothing_written(ward), refused((Code.SHEET_FULL, "items.2")):
        ward.details(sheet_id, *[ward.detail_draft()] * 3)


@pytest.mark.parametrize("items", [None, ()])
def test_a_batch_must_not_be_empty(ward: Ward, sheet_id: int, items: tuple[DetailDraft, ...] | None) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "items")):
        ward.use_cases.details.record_many(ward.nurse, sheet_id, DetailsDraft(items=items))


def test_the_size_of_a_batch_is_limited(ward: Ward, sheet_id: int) -> None:
    assert len(ward.details(sheet_id, *[ward.detail_draft()] * MAX_BATCH_SIZE)) == MAX_BATCH_SIZE
    with nothing_written(ward), refused((Code.ITEMS_TOO_MANY, "items")):
        ward.details(sheet_id, *[ward.detail_draft()] * (MAX_BATCH_SIZE + 1))


def test_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.details(99, ward.detail_draft())


def test_recording_before_the_admission_is_refused(ward: Ward) -> None:
    planned = ward.sheet(admission_date=TODAY + timedelta(days=1))["id"]
    with nothing_written(ward), refused((Code.USED_BEFORE_ADMISSION, "admission_date")):
        ward.details(planned, ward.detail_draft(), ward.detail_draft())


def test_the_same_key_records_nothing_and_repeats_the_answer(ward: Ward, sheet_id: int) -> None:
    draft, key = DetailsDraft(items=(ward.detail_draft(), ward.detail_draft("2"))), IdempotencyKey("k", "f")
    first = ward.use_cases.details.record_many(ward.nurse, sheet_id, draft, idempotency_key=key)
    with nothing_written(ward):
        again = ward.use_cases.details.record_many(ward.nurse, sheet_id, draft, idempotency_key=key)
    assert (first.replayed, again.replayed, again.answer) == (False, True, first.answer)
