"""The sheet: recording, editing, voiding, totals and closing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.common.errors import Code, Reason, Refused, VersionConflict
from domain.common.money import CENT, MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY, line_total
from domain.common.policy import Actor
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from domain.sheets.sheet import MAX_LINES, PatientSheet, Usage
from tests.assertions import refused
from tests.builders import NOON, TODAY, a_detail, a_newcomer, a_nurse, a_product, a_sheet, a_supervisor, an_admin

D = Decimal


def edited(
    sheet: PatientSheet,
    detail: Detail,
    quantity: str = "1",
    *,
    total: str | None = None,
    recall_reason: str | None = None,
) -> None:
    """Edit quantity and total; product, staff member and area stay."""
    product = a_product(id=detail.product_id, price="99.99")
    given_total = None if total is None else D(total)
    sheet.edit(
        detail,
        product,
        D(quantity),
        total=given_total,
        staff_id=detail.staff_id,
        area_id=detail.area_id,
        recall_reason=recall_reason,
        use_reason=detail.use_reason,
    )


def corrected(sheet: PatientSheet, admission_date: date = TODAY, first_used: date | None = None) -> None:
    sheet.update_admission(
        patient_id=21,
        room_id=22,
        admission_date=admission_date,
        diagnosis="Asma",
        doctor="Dr. Sol",
        first_used=first_used,
    )


# --- recording -------------------------------------------------------------------------------------------------------


def test_a_detail_costs_unit_price_times_quantity() -> None:
    detail = a_detail(a_sheet(), a_product("12.50"), "2.5")
    assert (detail.unit_price, detail.quantity, detail.total) == (D("12.50"), D("2.5"), D("31.25"))


def test_a_detail_keeps_the_price_at_the_time_of_recording() -> None:
    sheet, product = a_sheet(), a_product("12.50")
    before = a_detail(sheet, product)
    product.price = D("20.00")
    after = a_detail(sheet, product)
    assert (before.unit_price, before.total) == (D("12.50"), D("12.50"))
    assert (after.unit_price, after.total) == (D("20.00"), D("20.00"))


def test_a_detail_has_user_product_staff_area_and_time() -> None:
    sheet = a_sheet()
    detail = sheet.record(
        Usage(product=a_product(id=5), quantity=D(1), day=TODAY, staff_id=31, area_id=41),
        by=a_supervisor(user_id=2),
        at=NOON,
    )
    assert (detail.sheet_id, detail.product_id, detail.user_id) == (sheet.id, 5, 2)
    assert (detail.staff_id, detail.area_id, detail.created_at, detail.day) == (31, 41, NOON, TODAY)


def test_each_detail_increases_the_total_of_the_sheet() -> None:
    sheet = a_sheet()
    a_detail(sheet, a_product("12.50"), "2")
    a_detail(sheet, a_product("0.01"), "1")
    assert sheet.total == D("25.01")


def test_a_quantity_of_zero_is_recorded_and_costs_nothing() -> None:
    sheet = a_sheet()
    assert a_detail(sheet, quantity="0").total == sheet.total == 0


def test_the_total_of_the_largest_sheet_fits_into_64_bits() -> None:
    assert line_total(MAX_PRICE, MAX_QUANTITY) <= MAX_LINE_TOTAL
    assert MAX_LINES * MAX_LINE_TOTAL / CENT < 2**63


@pytest.mark.parametrize("price", [D("0.01"), D("999.99"), MAX_PRICE])
@pytest.mark.parametrize("by", [a_nurse(), a_supervisor()])
def test_a_line_total_does_not_depend_on_the_other_lines(price: Decimal, by: Actor) -> None:
    sheet = a_sheet(total=(MAX_LINES - 1) * MAX_LINE_TOTAL, lines=MAX_LINES - 1)
    detail = a_detail(sheet, a_product(str(price)), str(MAX_QUANTITY), by=by)
    assert detail.total == line_total(price, MAX_QUANTITY)
    assert sheet.total == (MAX_LINES - 1) * MAX_LINE_TOTAL + detail.total


def test_a_full_sheet_takes_no_more_lines() -> None:
    sheet, other = a_sheet(lines=MAX_LINES), a_sheet(id=8)
    before, detail = replace(sheet), a_detail(other)
    with pytest.raises(Refused) as refused:
        a_detail(sheet)
    assert refused.value.reasons == (Reason(Code.SHEET_FULL, None, {"most": MAX_LINES}),)
    with pytest.raises(Refused) as refused:
        other.move_detail_to(detail, sheet, by=an_admin(), product=a_product())
    assert refused.value.reasons == (Reason(Code.SHEET_FULL, "to_sheet_id", {"most": MAX_LINES}),)
    assert sheet == before
    assert (other.lines, detail.sheet_id) == (1, other.id)


def test_a_quantity_can_be_corrected_on_a_full_sheet() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, quantity="6")
    sheet.lines = MAX_LINES
    corrected = sheet.correct_quantity(detail, D(5), by=a_nurse(), at=NOON, reason="Cantidad corregida")
    assert (sheet.lines, sheet.total) == (MAX_LINES, corrected.total)
    assert (detail.voided, corrected.voided) == (True, False)
    assert (corrected.quantity, corrected.corrected_from, corrected.version) == (D(5), D(6), 1)


@pytest.mark.parametrize("by", [a_nurse(user_id=9), a_newcomer()])
def test_correcting_needs_the_permission_to_void(by: Actor) -> None:
    sheet = a_sheet()
    detail = a_detail(sheet)
    before = replace(sheet), replace(detail)
    with refused(Code.DETAIL_NOT_OWN):
        sheet.correct_quantity(detail, D(5), by=by, at=NOON, reason="x")
    assert (sheet, detail) == before


def test_a_sheet_counts_its_lines_that_are_not_voided() -> None:
    sheet, other = a_sheet(), a_sheet(id=8)
    first, second, third = a_detail(sheet), a_detail(sheet), a_detail(sheet)
    assert sheet.lines == 3
    sheet.move_detail_to(first, other, by=an_admin(), product=a_product())
    assert (sheet.lines, other.lines) == (2, 1)
    sheet.void(second, by=an_admin(), at=NOON)
    sheet.remove_imported(second)
    assert sheet.lines == 1
    sheet.remove_imported(third)
    assert sheet.lines == 0


def test_a_line_moved_there_and_back_keeps_its_total() -> None:
    sheet, other = a_sheet(), a_sheet(id=8, total=(MAX_LINES - 1) * MAX_LINE_TOTAL, lines=MAX_LINES - 1)
    detail = a_detail(sheet, a_product("19.99"), "3", by=a_nurse())
    sheet.move_detail_to(detail, other, by=a_nurse(), product=a_product())
    other.move_detail_to(detail, sheet, by=a_nurse(), product=a_product())
    assert (detail.total, sheet.total) == (D("59.97"), D("59.97"))


def test_a_move_with_a_reason_keeps_a_total_set_by_hand() -> None:
    product, source, target = a_product("4.20"), a_sheet(), a_sheet(id=8)
    detail = a_detail(source, product, "3")
    edited(source, detail, "3", total="9.99")
    source.move_detail_to(detail, target, by=a_nurse(), product=product, use_reason=UseReason.DROPPED)
    assert (detail.total, source.total, target.total) == (D("9.99"), D(0), D("9.99"))
    target.move_detail_to(detail, source, by=a_nurse(), product=product, use_reason=UseReason.OPENED, billed_waste=())
    assert (detail.unbilled, detail.total, source.total, target.total) == (Unbilled.WASTED, D(0), D(0), D(0))


def test_a_piece_with_a_serial_number_is_not_divided() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet)
    detail.serial = "S1"
    half = D("0.5")
    with refused((Code.SERIAL_QUANTITY, "quantity")):
        sheet.return_quantity(detail, half, by=a_nurse())
    with refused((Code.SERIAL_QUANTITY, "quantity")):
        sheet.mark_wasted(detail, half, UseReason.DROPPED, billed=(), at=NOON)
    assert (detail.quantity, sheet.total) == (D(1), D("12.50"))
    assert sheet.mark_wasted(detail, D(1), UseReason.DROPPED, billed=(), at=NOON) is None
    sheet.return_quantity(detail, D(1), by=a_nurse())
    assert (detail.quantity, detail.returned) == (D(0), D(1))


# --- editing ---------------------------------------------------------------------------------------------------------


def test_a_new_quantity_keeps_the_unit_price() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, a_product("12.50"), "1")
    edited(sheet, detail, "3")
    assert (detail.unit_price, detail.quantity, detail.total, sheet.total) == (D("12.50"), D(3), D("37.50"), D("37.50"))


def test_another_product_sets_its_current_price() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, a_product("12.50", id=5), "2")
    sheet.edit(
        detail, a_product("7.00", id=6), D(2), total=None, staff_id=None, area_id=None, use_reason=detail.use_reason
    )
    assert (detail.product_id, detail.unit_price, detail.total, sheet.total) == (6, D("7.00"), D("14.00"), D("14.00"))


def test_a_given_total_is_stored_unchanged() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, a_product("12.50"), "2")
    edited(sheet, detail, "2", total="20.00")
    assert (detail.unit_price, detail.total, sheet.total) == (D("12.50"), D("20.00"), D("20.00"))


def test_a_given_total_of_zero_is_not_a_missing_one() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, a_product("12.50"), "2")
    edited(sheet, detail, "2", total="0.00")
    assert detail.total == sheet.total == 0


def test_an_edit_without_a_total_computes_it_again() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, a_product("12.50"), "2")
    edited(sheet, detail, "2", total="20.00")
    edited(sheet, detail, "2")
    assert detail.total == sheet.total == D("25.00")


def test_a_reason_for_using_a_recalled_lot_stays_until_the_next() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet)
    kept = []
    for reason in ("No había otro", None, "Era el último"):
        edited(sheet, detail, recall_reason=reason)
        kept.append(detail.recall_reason)
    assert kept == ["No había otro", "No había otro", "Era el último"]


def test_edits_keep_author_and_time_of_recording() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, by=a_nurse(user_id=1))
    sheet.edit(detail, a_product(id=6), D(9), total=D(1), staff_id=77, area_id=78, use_reason=detail.use_reason)
    assert (detail.user_id, detail.created_at, detail.day) == (1, NOON, TODAY)
    assert (detail.staff_id, detail.area_id) == (77, 78)


# --- voiding ---------------------------------------------------------------------------------------------------------


def test_a_voided_detail_does_not_count() -> None:
    sheet = a_sheet()
    kept, removed = a_detail(sheet, quantity="1"), a_detail(sheet, quantity="4")
    sheet.void(removed, by=an_admin(), at=NOON)
    assert sheet.total == kept.total


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (a_nurse(user_id=1), True),
        (a_nurse(user_id=99), False),
        (a_newcomer(user_id=1), False),
        (a_supervisor(), True),
        (an_admin(), True),
    ],
)
def test_ward_staff_void_own_details_and_other_roles_any(who: Actor, may: bool) -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, by=a_nurse(user_id=1))
    total = sheet.total
    if may:
        sheet.void(detail, by=who, at=NOON)
        assert sheet.total == 0
    else:
        with refused(Code.DETAIL_NOT_OWN):
            sheet.void(detail, by=who, at=NOON)
        assert sheet.total == total


# --- closing ---------------------------------------------------------------------------------------------------------


def test_closing_sets_the_time_and_freezes_the_total() -> None:
    sheet = a_sheet()
    a_detail(sheet, quantity="2")
    sheet.close(NOON, TODAY)
    assert (sheet.closed, sheet.closed_at, sheet.total) == (True, NOON, D("25.00"))


@pytest.mark.parametrize(
    "change",
    [
        corrected,
        lambda sheet: a_detail(sheet),
        lambda sheet: edited(sheet, a_detail(a_sheet()), "3"),
        lambda sheet: sheet.void(a_detail(a_sheet()), by=an_admin(), at=NOON),
        lambda sheet: sheet.close(NOON + timedelta(hours=1), TODAY),
    ],
    ids=["correct", "record", "edit", "remove", "close"],
)
def test_a_closed_sheet_cannot_be_changed(change: Callable[[PatientSheet], object]) -> None:
    sheet = a_sheet()
    a_detail(sheet)
    sheet.close(NOON, TODAY)
    before = replace(sheet)
    with pytest.raises(Refused) as refused:
        change(sheet)
    assert [reason.code for reason in refused.value.reasons] == [Code.SHEET_CLOSED]
    assert sheet == before


def test_a_refused_edit_does_not_change_the_detail() -> None:
    sheet = a_sheet()
    detail = a_detail(sheet)
    sheet.close(NOON, TODAY)
    before = replace(detail)
    with pytest.raises(Refused):
        edited(sheet, detail, "3")
    assert detail == before


def test_a_reopened_sheet_can_be_changed_again() -> None:
    sheet = a_sheet()
    a_detail(sheet)
    sheet.close(NOON, TODAY)
    sheet.reopen()
    assert not sheet.closed
    a_detail(sheet)
    assert sheet.total == D("25.00")


def test_only_a_closed_sheet_is_reopened() -> None:
    with pytest.raises(Refused) as refused:
        a_sheet().reopen()
    assert [reason.code for reason in refused.value.reasons] == [Code.SHEET_NOT_CLOSED]


# --- dates before the admission --------------------------------------------------------------------------------------

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("does", "code", "day", "admission"),
    [
        (lambda sheet: a_detail(sheet), Code.USED_BEFORE_ADMISSION, TODAY, TODAY + DAY),
        (lambda sheet: sheet.close(NOON, TODAY), Code.DISCHARGED_BEFORE_ADMISSION, TODAY, TODAY + DAY),
        (lambda sheet: corrected(sheet, TODAY, TODAY - DAY), Code.USED_BEFORE_ADMISSION, TODAY - DAY, TODAY),
    ],
    ids=["record", "close", "correct"],
)
def test_dates_before_the_admission_are_refused(
    does: Callable[[PatientSheet], object], code: Code, day: date, admission: date
) -> None:
    sheet = a_sheet(admission_date=TODAY + DAY)
    before = replace(sheet)
    with pytest.raises(Refused) as refused:
        does(sheet)
    assert refused.value.reasons == (Reason(code, "admission_date", {"day": day, "admission": admission}),)
    assert sheet == before


def test_use_and_discharge_on_the_day_of_admission_are_allowed() -> None:
    sheet = a_sheet()
    a_detail(sheet)
    corrected(sheet, TODAY - DAY, TODAY)
    corrected(sheet, TODAY, TODAY)
    sheet.close(NOON, TODAY)
    assert sheet.closed


def test_an_unchanged_admission_date_is_not_checked_again() -> None:
    """Old sheets may have a wrong admission date.

    Their other fields can still be updated.
    """
    sheet = a_sheet()
    corrected(sheet, TODAY, TODAY - DAY)
    assert sheet.doctor == "Dr. Sol"


def test_a_planned_admission_can_be_moved_before_any_use() -> None:
    sheet = a_sheet()
    corrected(sheet, TODAY + 30 * DAY)
    assert sheet.admission_date == TODAY + 30 * DAY


# --- versions --------------------------------------------------------------------------------------------------------


def test_every_change_increases_the_version_of_the_sheet() -> None:
    sheet = a_sheet()
    seen = [sheet.version]
    detail = a_detail(sheet)
    seen.append(sheet.version)
    edited(sheet, detail, "2")
    seen.append(sheet.version)
    corrected(sheet)
    seen.append(sheet.version)
    sheet.void(detail, by=an_admin(), at=NOON)
    seen.append(sheet.version)
    sheet.close(NOON, TODAY)
    seen.append(sheet.version)
    sheet.reopen()
    seen.append(sheet.version)
    assert seen == [1, 2, 3, 4, 5, 6, 7]


CHANGES: dict[str, Callable[[PatientSheet, Detail], object]] = {
    "edit": lambda sheet, detail: edited(sheet, detail, "2"),
    "void": lambda sheet, detail: sheet.void(detail, by=an_admin(), at=NOON),
    "return": lambda sheet, detail: sheet.return_quantity(detail, D(1), by=a_nurse()),
    "waste": lambda sheet, detail: sheet.mark_wasted(detail, D(3), UseReason.DROPPED, billed=(), at=NOON),
    "partial waste": lambda sheet, detail: sheet.mark_wasted(detail, D(1), UseReason.DROPPED, billed=(), at=NOON),
    "move": lambda sheet, detail: sheet.move_detail_to(detail, a_sheet(id=9), by=a_nurse()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_increases_the_version_of_the_detail(change: str) -> None:
    sheet = a_sheet()
    detail = a_detail(sheet, quantity="3")
    CHANGES[change](sheet, detail)
    assert detail.version == 2


@pytest.mark.parametrize("thing", [a_sheet(version=3), replace(a_detail(a_sheet()), version=3)])
def test_an_outdated_version_is_refused(thing: PatientSheet | Detail) -> None:
    thing.ensure_version(None)
    thing.ensure_version(frozenset({3}))
    thing.ensure_version(frozenset({1, 3}))
    for outdated in (frozenset({2}), frozenset[int]()):
        with pytest.raises(VersionConflict):
            thing.ensure_version(outdated)


# --- any sequence of changes -----------------------------------------------------------------------------------------

PRICES = st.decimals(0, 10_000, places=2)
QUANTITIES = st.decimals(0, 1_000, places=3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("record"), PRICES, QUANTITIES),
        st.tuples(st.just("record included"), PRICES, QUANTITIES),
        st.tuples(st.just("edit quantity"), st.integers(0, 9), QUANTITIES),
        st.tuples(st.just("edit product"), st.integers(0, 9), PRICES),
        st.tuples(st.just("set total"), st.integers(0, 9), PRICES),
        st.tuples(st.just("remove"), st.integers(0, 9)),
    ),
    max_size=25,
)


@given(STEPS)
@settings(max_examples=150)
def test_the_total_is_the_sum_of_details_after_any_changes(steps: list[tuple[str, Decimal | int, Decimal]]) -> None:
    sheet = a_sheet()
    details: list[Detail] = []
    for step in steps:
        if step[0] == "record":
            details.append(a_detail(sheet, a_product(str(step[1])), str(step[2])))
        elif step[0] == "record included":
            details.append(a_detail(sheet, a_product(str(step[1]), included_in_stay=True), str(step[2])))
        elif details:
            detail = details[int(step[1]) % len(details)]
            if step[0] == "edit quantity":
                edited(sheet, detail, str(step[2]))
                assert detail.total == (0 if detail.unbilled else line_total(detail.unit_price, step[2]))
            elif step[0] == "edit product":
                other = a_product(str(step[2]), id=detail.product_id + 1)
                sheet.edit(
                    detail,
                    other,
                    detail.quantity,
                    total=None,
                    staff_id=None,
                    area_id=None,
                    use_reason=detail.use_reason,
                )
            elif step[0] == "set total" and detail.unbilled and step[2]:
                with refused((Code.TOTAL_UNBILLED, "total")):
                    edited(sheet, detail, str(detail.quantity), total=str(step[2]))
            elif step[0] == "set total":
                edited(sheet, detail, str(detail.quantity), total=str(step[2]))
            else:
                # Compare by identity: another detail may be equal.
                details = [other for other in details if other is not detail]
                sheet.void(detail, by=an_admin(), at=NOON)
        assert sheet.total == sum((detail.total for detail in details), D(0))
        assert not any(detail.total for detail in details if detail.unbilled)
    sheet.close(NOON, TODAY)
    assert sheet.total == sum((detail.total for detail in details), D(0))
