"""Recording a detail."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.products import ProductDraft
from application.sheets.lines.detail_draft import DetailDraft
from domain.common.errors import Code, NotFound, Reason, Refused
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import audit_log, nothing_written


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    ward.sheet()  # so that the sheet's id differs from all other ids
    return ward.sheet()["id"]


def test_a_detail_keeps_the_current_price_of_its_product(ward: Ward, sheet_id: int) -> None:
    before = ward.detail(sheet_id, "2")
    dearer = ProductDraft(name="Gasa estéril", price=Decimal(20), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, ward.product_id, dearer)
    after = ward.detail(sheet_id, "2")
    assert (before["unit_price"], before["total"]) == (Decimal("12.50"), Decimal(25))
    assert (after["unit_price"], after["total"]) == (Decimal(20), Decimal(40))
    kept = ward.use_cases.details.reader.one(ward.admin, before["id"])
    assert (kept["unit_price"], kept["total"]) == (Decimal("12.50"), Decimal(25))
    assert kept["product"]["price"] == 20
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"] == 65


def test_the_answer_equals_a_later_read_of_the_detail(ward: Ward, sheet_id: int) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano"))
    person = ward.staff("Luis", "Gil")
    added = ward.detail(sheet_id, "2.5", staff_id=person.id, area_id=area.id)
    assert added == ward.use_cases.details.reader.one(ward.admin, added["id"])
    assert (added["staff_id"], added["area_id"], added["created_at"]) == (person.id, area.id, ward.clock.now)
    assert (added["consumption_sheet_id"], added["user_id"]) == (sheet_id, ward.admin.user_id)


def test_ward_staff_always_record_for_their_own_profile(ward: Ward, sheet_id: int) -> None:
    other = ward.staff("Luis", "Gil")
    for sent in (other.id, 0, None, 999):
        assert ward.detail(sheet_id, by=ward.nurse, staff_id=sent)["staff_id"] == ward.nurse.staff_id


def test_supervisors_record_for_any_staff_member_or_none(ward: Ward, sheet_id: int) -> None:
    other = ward.staff("Luis", "Gil")
    staff_ids = [ward.detail(sheet_id, by=ward.supervisor, staff_id=sent)["staff_id"] for sent in (other.id, 0, None)]
    assert staff_ids == [other.id, None, None]


def test_the_sheet_of_the_path_overrides_the_one_in_the_body(ward: Ward, sheet_id: int) -> None:
    other_id = ward.sheet()["id"]
    assert ward.detail(sheet_id, consumption_sheet_id=other_id)["consumption_sheet_id"] == sheet_id


def test_the_sheet_can_be_given_in_the_body(ward: Ward, sheet_id: int) -> None:
    draft = ward.detail_draft(consumption_sheet_id=sheet_id)
    assert ward.use_cases.details.add(ward.nurse, draft).answer["consumption_sheet_id"] == sheet_id


@pytest.mark.parametrize(
    ("filled_in", "code"), [(None, Code.REQUIRED), (0, Code.REQUIRED), (99, Code.REFERENCE_UNKNOWN)]
)
def test_a_sheet_in_the_body_must_exist(ward: Ward, filled_in: int | None, code: Code) -> None:
    with nothing_written(ward), refused((code, "consumption_sheet_id")):
        ward.use_cases.details.add(ward.nurse, ward.detail_draft(consumption_sheet_id=filled_in))


def test_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.detail(99)


def test_all_errors_of_a_detail_are_reported_at_once(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with (
        nothing_written(ward),
        refused(
            (Code.NUMBER_EXPECTED, "area_id"),
            (Code.NEGATIVE, "quantity"),
            (Code.REFERENCE_UNKNOWN, "product_id"),
            (Code.REFERENCE_UNKNOWN, "staff_id"),
            Code.SHEET_CLOSED,
        ),
    ):
        ward.detail(
            sheet_id, "-1", product_id=99, staff_id=99, parse_errors=(Reason(Code.NUMBER_EXPECTED, "area_id"),)
        )  # fmt: skip


def test_an_empty_draft_reports_all_missing_fields(ward: Ward) -> None:
    with refused(
        (Code.REQUIRED, "consumption_sheet_id"), (Code.REQUIRED, "product_id"), (Code.REQUIRED, "quantity")
    ):  # fmt: skip
        ward.use_cases.details.add(ward.nurse, DetailDraft())


@pytest.mark.parametrize("field", ["product_id", "staff_id", "area_id"])
def test_references_of_a_detail_must_exist(ward: Ward, sheet_id: int, field: str) -> None:
    unknown: dict[str, Any] = {field: 99}
    with nothing_written(ward), refused((Code.REFERENCE_UNKNOWN, field)):
        ward.detail(sheet_id, **unknown)


@pytest.mark.parametrize(
    ("quantity", "code"),
    [("-0.001", Code.NEGATIVE), ("0.0001", Code.QUANTITY_TOO_FINE), ("10000", Code.QUANTITY_TOO_LARGE)],
)
def test_a_quantity_out_of_range_is_refused_and_not_trimmed(
    ward: Ward, sheet_id: int, quantity: str, code: Code
) -> None:
    with nothing_written(ward), refused((code, "quantity")):
        ward.detail(sheet_id, quantity)


def test_an_inactive_product_is_refused(ward: Ward, sheet_id: int) -> None:
    old = ward.product("Termómetro de mercurio", active=0)
    with nothing_written(ward), refused((Code.PRODUCT_INACTIVE, "product_id")):
        ward.detail(sheet_id, product_id=old.id)


def test_recording_before_the_admission_is_one_of_the_errors(ward: Ward) -> None:
    planned = ward.sheet(admission_date=TODAY + timedelta(days=1))["id"]
    with nothing_written(ward), refused((Code.USED_BEFORE_ADMISSION, "admission_date"), (Code.REQUIRED, "product_id")):
        ward.detail(planned, product_id=0)
    ward.clock.advance(hours=17)  # still the day before in the hospital, but the day itself in UTC
    with nothing_written(ward), refused((Code.USED_BEFORE_ADMISSION, "admission_date")):
        ward.detail(planned)
    ward.clock.advance(hours=1)
    assert ward.detail(planned)["id"]


def test_ward_staff_see_no_price_total_or_category_code(ward: Ward, sheet_id: int) -> None:
    answer = ward.detail(sheet_id, by=ward.nurse)
    assert not {"unit_price", "total"} & answer.keys()
    assert "price" not in answer["product"]
    assert "code" not in answer["product"]["category"]


def test_consumption_is_counted_by_the_hospitals_day(ward: Ward, sheet_id: int) -> None:
    late, still_the_same_day, the_next = "2091-05-04T03:00", "2091-05-04T05:59", "2091-05-04T06:00"
    for moment in (late, still_the_same_day, the_next):
        ward.clock.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        ward.detail(sheet_id)
    assert ward.use_cases.sheets.reader.one(ward.nurse, sheet_id)["consumptions"] == [
        {
            "created_at": datetime(2091, 5, 4, 3, 0, tzinfo=UTC),
            "details": 2,
            "last_recorded_at": datetime(2091, 5, 4, 5, 59, tzinfo=UTC),
        },
        {
            "created_at": datetime(2091, 5, 4, 6, 0, tzinfo=UTC),
            "details": 1,
            "last_recorded_at": datetime(2091, 5, 4, 6, 0, tzinfo=UTC),
        },
    ]


# --- time of use ------------------------------------------------------------------------------------------------------


def test_a_future_use_is_refused_except_for_a_fast_clock(ward: Ward, sheet_id: int) -> None:
    ahead = ward.clock.now + timedelta(minutes=5)
    assert ward.detail(sheet_id, occurred_at=ahead)["occurred_at"] == ward.clock.now
    with nothing_written(ward), refused((Code.USED_IN_FUTURE, "occurred_at"), (Code.REQUIRED, "product_id")):
        ward.detail(sheet_id, occurred_at=ahead + timedelta(seconds=1), product_id=0)


def test_ward_staff_record_three_days_back_supervisors_all_stay(
    ward: Ward,
) -> None:
    sheet_id = ward.sheet(admission_date=TODAY - timedelta(days=9))["id"]
    long_ago = ward.clock.now - timedelta(hours=72)
    assert ward.detail(sheet_id, by=ward.nurse, occurred_at=long_ago)["occurred_at"] == long_ago
    longer_ago = long_ago - timedelta(seconds=1)
    with nothing_written(ward), refused((Code.USED_TOO_LONG_AGO, "occurred_at")):
        ward.detail(sheet_id, by=ward.nurse, occurred_at=longer_ago)
    for by in (ward.supervisor, ward.admin):
        assert ward.detail(sheet_id, by=by, occurred_at=longer_ago)["occurred_at"] == longer_ago


def test_a_use_before_the_admission_is_refused(ward: Ward, sheet_id: int) -> None:
    with nothing_written(ward), refused((Code.USED_BEFORE_ADMISSION, "occurred_at")):
        ward.detail(sheet_id, by=ward.nurse, occurred_at=ward.clock.now - timedelta(days=1))


# --- acknowledgements -------------------------------------------------------------------------------------------------


def test_an_acknowledged_question_is_stored_and_logged(ward: Ward) -> None:
    planned = ward.sheet(admission_date=TODAY + timedelta(days=1))["id"]
    with nothing_written(ward), pytest.raises(Refused) as asked:
        ward.detail(planned, by=ward.supervisor)
    assert [reason.acknowledgeable for reason in asked.value.reasons] == [True]

    said = (Code.USED_BEFORE_ADMISSION, Code.PRODUCT_INACTIVE, "no such code")
    added = ward.detail(planned, by=ward.supervisor, acknowledged=said)
    assert added["acknowledged"] == [Code.USED_BEFORE_ADMISSION]
    assert ward.use_cases.details.reader.one(ward.admin, added["id"])["acknowledged"] == [Code.USED_BEFORE_ADMISSION]
    [reported] = [each.changes for each in audit_log(ward) if each.action == "detail.added"]
    assert reported["acknowledged"] == (None, "moment.before_admission")
    # A code without a question is not stored.
    assert ward.detail(ward.sheet()["id"], acknowledged=said)["acknowledged"] == []


def test_errors_that_are_no_questions_cannot_be_acknowledged(ward: Ward, sheet_id: int) -> None:
    planned = ward.sheet(admission_date=TODAY + timedelta(days=1))["id"]
    with pytest.raises(Refused) as no:
        ward.detail(planned, by=ward.nurse, acknowledged=(Code.USED_BEFORE_ADMISSION,))
    assert [reason.acknowledgeable for reason in no.value.reasons] == [False]
    old = ward.product("Termómetro de mercurio", active=0)
    with nothing_written(ward), refused((Code.PRODUCT_INACTIVE, "product_id")):
        ward.detail(sheet_id, product_id=old.id, acknowledged=(Code.PRODUCT_INACTIVE,))
