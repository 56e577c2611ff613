"""Which changes to a line its author is notified of."""

from dataclasses import replace
from decimal import Decimal

import pytest

from domain.common.policy import Actor
from domain.sheets.detail import Detail
from domain.sheets.notice import NoticeKind, notice_of_change
from tests.builders import NOON, a_detail, a_nurse, a_product, a_sheet, a_supervisor


def a_line() -> Detail:
    return replace(a_detail(a_sheet(), quantity="11"), id=3)


def kind_of(after: Detail, by: Actor | None = None) -> NoticeKind | None:
    notice = notice_of_change(a_line(), after, by=by or a_supervisor(), at=NOON)
    return notice.kind if notice else None


def test_each_change_by_others_has_its_kind() -> None:
    line, by = a_line(), a_supervisor()
    sheet, target = a_sheet(lines=1, total=line.total), a_sheet(id=8)
    voided, moved, returned, edited = (replace(line) for _ in range(4))
    sheet.void(voided, by=by, at=NOON)
    sheet.move_detail_to(moved, target, by=by, product=a_product())
    sheet.return_quantity(returned, Decimal(3), by=by)
    sheet.edit(edited, a_product(id=6), Decimal(11), total=None, staff_id=None, area_id=None, use_reason=None)
    corrected = replace(sheet.correct_quantity(replace(line), Decimal(1), by=by, at=NOON, reason="Dedo"), id=9)
    assert kind_of(voided) is NoticeKind.VOIDED
    assert kind_of(moved) is NoticeKind.MOVED
    assert kind_of(returned) is NoticeKind.RETURNED
    assert kind_of(edited) is NoticeKind.PRODUCT_CORRECTED
    assert kind_of(replace(line, quantity=Decimal(1))) is NoticeKind.QUANTITY_CORRECTED
    assert kind_of(corrected) is NoticeKind.QUANTITY_CORRECTED


@pytest.mark.parametrize(
    "changed",
    [{"total": Decimal(1)}, {"unit_price": Decimal(1)}, {"staff_id": None}, {"area_id": 5}, {"lot": "L-1"}, {}],
)
def test_price_staff_area_and_pack_leave_no_notice(changed: dict[str, object]) -> None:
    assert kind_of(replace(a_line(), version=2, **changed)) is None  # type: ignore[arg-type]


def test_own_changes_leave_no_notice() -> None:
    assert kind_of(replace(a_line(), quantity=Decimal(1)), by=a_nurse()) is None


def test_a_correction_after_a_return_is_a_correction() -> None:
    line = replace(a_line(), returned=Decimal(2))
    instead = replace(line, id=9, quantity=Decimal(4), returned=None)
    notice = notice_of_change(line, instead, by=a_supervisor(), at=NOON)
    assert notice
    assert (notice.kind, notice.detail_id, notice.quantity, notice.new_quantity) == (
        NoticeKind.QUANTITY_CORRECTED,
        9,
        Decimal(11),
        Decimal(4),
    )
