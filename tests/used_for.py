"""Lines of areas and waste for tests, and their parts computed without SQL."""

from collections.abc import Iterable
from decimal import Decimal

from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.used_for import Part
from domain.common.money import ZERO, line_total
from domain.hospital.use_reason import UseReason
from domain.sheets.detail import Detail, Unbilled
from tests.builders import Ward

WASTE = (UseReason.OPENED, UseReason.DROPPED, UseReason.DEFECTIVE, UseReason.EXPIRED)


def waste(ward: Ward, detail_id: int, quantity: Decimal, reason: UseReason = UseReason.DROPPED) -> list[int]:
    """Throw away a part of a line; return the ids of its lines."""
    draft = WasteDraft(quantity=quantity, use_reason=reason)
    return [one["id"] for one in ward.use_cases.details.mark_waste(ward.admin, detail_id, draft).answer["items"]]


def use_for_area(ward: Ward, detail_id: int) -> None:
    """Make a line one of its area, which is not charged."""
    with ward.store.begin() as work:
        detail = work.details.get(detail_id)
        assert detail
        detail.unbilled, detail.total = Unbilled.AREA, ZERO
        work.details.save(detail)


def part_of(line: Detail) -> Part:
    """Return the part of all use to which a line belongs."""
    if line.use_reason in WASTE:
        return Part.WASTED
    return Part.AREA if line.unbilled is Unbilled.AREA else Part.TREATMENT


def lines_of(ward: Ward, sheet_ids: Iterable[int]) -> list[Detail]:
    """Return the lines of sheets that count."""
    with ward.store.begin_read_only() as work:
        return [line for sheet_id in sheet_ids for line in work.details.on_sheet(sheet_id) if not line.voided]


def sums_of(lines: Iterable[Detail]) -> tuple[int, Decimal, Decimal]:
    """Return number, quantity and total of lines."""
    lines = list(lines)
    quantity = sum((line.quantity for line in lines), Decimal(0))
    return len(lines), quantity, sum((line.total for line in lines), Decimal(0))


def value_of(lines: Iterable[Detail]) -> Decimal:
    """Return what lines are worth, charged or not."""
    return sum((line_total(line.unit_price, line.quantity) for line in lines), Decimal(0))
