"""Rules of what areas use for no patient."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.common.errors import Code, Refused
from domain.common.money import ZERO, line_total
from domain.hospital.use_reason import WASTE, UseReason
from domain.sheets.detail import Detail, Unbilled
from domain.sheets.sheet import MAX_LINES, AreaSheet, PatientSheet, Sheet, Usage
from tests.assertions import refused
from tests.builders import NOON, TODAY, a_nurse, a_product, a_sheet, a_supervisor

OF_AREAS = tuple(reason for reason in UseReason if not reason.is_waste)


def a_page(id: int = 9, area_id: int = 3, lines: int = 0) -> AreaSheet:
    return AreaSheet(id=id, area_id=area_id, lines=lines, month=date(2026, 11, 1))


def used(sheet: Sheet, reason: UseReason | None = None, quantity: str = "2", price: str = "4.20") -> Detail:
    usage = Usage(product=a_product(price), quantity=Decimal(quantity), day=TODAY, area_id=7, use_reason=reason)
    return sheet.record(usage, by=a_nurse(), at=NOON)


@pytest.mark.parametrize("reason", UseReason)
def test_a_line_of_an_area_is_charged_to_nobody(reason: UseReason) -> None:
    page = a_page()
    line = used(page, reason)
    assert (line.unbilled, line.total, line.unit_price, page.total) == (Unbilled.AREA, ZERO, Decimal("4.20"), ZERO)
    assert (line.area_id, line.room_id, line.use_reason) == (3, None, reason)
    assert not line.is_total_set


def test_each_kind_of_sheet_has_its_reasons() -> None:
    with refused((Code.REQUIRED, "use_reason")):
        used(a_page())
    for reason in OF_AREAS:
        with refused((Code.USE_REASON_NOT_HERE, "use_reason")):
            used(a_sheet(), reason)
    for reason in WASTE:
        assert used(a_sheet(), reason).use_reason is reason


def test_a_full_page_names_the_area() -> None:
    with pytest.raises(Refused) as caught:
        used(a_page(lines=MAX_LINES), UseReason.OTHER)
    [reason] = caught.value.reasons
    assert (reason.code, reason.params) == (Code.SHEET_FULL, {"most": MAX_LINES, "area": 3})


def test_a_line_of_an_area_gets_no_total() -> None:
    page = a_page()
    line = used(page, UseReason.OTHER)
    for total, is_charged in ((Decimal(5), False), (None, True)):
        with refused((Code.TOTAL_UNBILLED, "charged" if is_charged else "total")):
            page.edit(
                line, a_product(), line.quantity, total=total, is_charged=is_charged, staff_id=None, area_id=3,
                use_reason=UseReason.OTHER,
            )  # fmt: skip


@pytest.mark.parametrize(
    ("by", "hours", "is_too_old"), [(a_nurse(), 72, False), (a_nurse(), 73, True), (a_supervisor(), 9_000, False)]
)
def test_lines_of_areas_stay_after_72_hours(by: object, hours: int, is_too_old: bool) -> None:
    page, sheet, at = a_page(), a_sheet(), NOON + timedelta(hours=hours)
    line = used(page, UseReason.OTHER)
    found = page.check_age(line, by=by, at=at)  # type: ignore[arg-type]
    assert [reason.code for reason in found] == ([Code.DETAIL_TOO_OLD] if is_too_old else [])
    assert sheet.check_age(used(sheet), by=by, at=at) == []  # type: ignore[arg-type]


def test_a_line_moved_to_an_area_is_no_longer_charged() -> None:
    sheet, page = a_sheet(), a_page()
    line = used(sheet)
    with refused((Code.REQUIRED, "use_reason")):
        sheet.move_detail_to(line, page, by=a_nurse(), product=a_product("4.20"))
    sheet.move_detail_to(line, page, by=a_nurse(), product=a_product("4.20"), use_reason=UseReason.CRASH_CART)
    assert (line.total, line.unbilled, line.area_id, line.room_id) == (ZERO, Unbilled.AREA, 3, None)
    assert (sheet.total, sheet.lines, page.total, page.lines) == (ZERO, 0, ZERO, 1)
    with refused((Code.USE_REASON_NOT_HERE, "use_reason")):
        page.move_detail_to(line, sheet, by=a_nurse(), product=a_product(), use_reason=UseReason.CLEANING)
    page.move_detail_to(line, sheet, by=a_nurse(), product=a_product("99.00"))
    assert (line.total, line.unbilled, line.use_reason) == (Decimal("8.40"), None, None)
    assert (line.room_id, sheet.total, sheet.lines, page.lines) == (sheet.room_id, Decimal("8.40"), 1, 0)


def test_waste_moved_to_a_patient_stays_waste() -> None:
    sheet, page = a_sheet(), a_page()
    line = used(page, UseReason.DROPPED)
    page.move_detail_to(line, sheet, by=a_nurse(), product=a_product(), billed_waste=())
    assert (line.use_reason, line.unbilled, line.total) == (UseReason.DROPPED, Unbilled.WASTED, ZERO)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("record", "move", "void", "return", "correct")),
        st.integers(0, 3),
        st.sampled_from(("1", "2", "0.5")),
        st.sampled_from((None, *UseReason)),
    ),
    max_size=30,
)


def _does(sheets: Sequence[Sheet], lines: list[Detail], step: tuple[str, int, str, UseReason | None]) -> None:
    act, number, quantity, reason = step
    sheet = sheets[number % len(sheets)]
    here = [line for line in lines if line.sheet_id == sheet.id and not line.voided]
    by, product = a_nurse(), a_product("3.33")
    if act == "record":
        lines.append(used(sheet, reason, quantity, "3.33"))
    elif not here:
        return
    elif act == "move":
        target = sheets[(number + 1) % len(sheets)]
        sheet.move_detail_to(here[0], target, by=by, product=product, use_reason=reason, billed_waste=())
    elif act == "void":
        sheet.void(here[0], by=by, at=NOON)
    elif act == "return":
        sheet.return_quantity(here[0], min(Decimal(quantity), here[0].quantity), by=by)
    else:
        lines.append(sheet.correct_quantity(here[0], Decimal(quantity), by=by, at=NOON, reason="Dedo"))


@given(steps=STEPS)
def test_totals_are_those_of_lines_that_are_charged(steps: list[tuple[str, int, str, UseReason | None]]) -> None:
    sheets: list[Sheet] = [a_sheet(id=1), a_page(id=2), a_sheet(id=3), a_page(id=4, area_id=5)]
    lines: list[Detail] = []
    for step in steps:
        with suppress(Refused):
            _does(sheets, lines, step)
        for sheet in sheets:
            here = [line for line in lines if line.sheet_id == sheet.id and not line.voided]
            assert (sheet.total, sheet.lines) == (sum(line.total for line in here), len(here))
            for line in here:
                assert (line.unbilled is Unbilled.AREA) == isinstance(sheet, AreaSheet)
                assert line.total == (0 if line.unbilled else line_total(line.unit_price, line.quantity))
                assert line.use_reason in sheet.reasons
                assert (line.room_id is None) == isinstance(sheet, AreaSheet)
                assert isinstance(sheet, PatientSheet) or line.area_id == sheet.area_id  # type: ignore[attr-defined]
