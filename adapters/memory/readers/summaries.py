"""Totals and summaries of sheets, in memory."""

from datetime import date
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.details import is_untraced
from adapters.memory.readers.products import product_view
from adapters.memory.readers.usual_products import usual_of
from application.ports.readers.sheets import IncompleteLine, SheetTotals
from application.views.details import RepeatableLineView
from application.views.summaries import IncompleteImplantView, SummaryLineView
from domain.anomalies import far_out
from domain.money import ZERO
from domain.sheet import Detail
from domain.summary import DayCategorySubtotal, Subtotal


class MemorySummaries:
    """Totals and summaries of sheets."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def days(self, sheet_id: int) -> list[date]:
        """List the days on which something was used, oldest first."""
        return sorted({line.day for line in self._lines(sheet_id) if line.quantity})

    def products(self, sheet_id: int, day: date | None) -> list[RepeatableLineView]:
        """List the active products used on that day, or on all, by first use."""
        used: dict[int, list[Decimal]] = {}
        for line in sorted(self._lines(sheet_id), key=lambda line: line.id):
            if line.quantity and day in (None, line.day):
                used.setdefault(line.product_id, []).append(line.quantity)
        lines = [
            RepeatableLineView(
                product=product_view(self._data, each), quantity=sum(some, start=Decimal(0)), times=len(some)
            )
            for each, some in used.items()
        ]
        return [line for line in lines if line["product"]["active"]]

    def totals(self, sheet_id: int) -> SheetTotals | None:
        """Return the sheet's totals; None if there is no such sheet."""
        sheet = self._data.sheets.get(sheet_id)
        if sheet is None:
            return None
        products, categories = self._data.products, self._data.categories
        portions = [
            DayCategorySubtotal(line.day, categories[products[line.product_id].category_id], Subtotal(1, line.total))
            for line in self._lines(sheet_id)
        ]
        return SheetTotals(sheet.version, sheet.admission_date, sheet.closed_at, portions)

    def incomplete_lines(self, sheet_id: int) -> list[IncompleteLine]:
        """List the incomplete lines, oldest first."""
        lines = [
            IncompleteLine(
                self._view(line),
                without_quantity=line.quantity == ZERO,
                without_price=line.unit_price == line.total == ZERO,
                implant=self._incomplete_implant(line),
            )
            for line in self._lines(sheet_id)
        ]
        return [line for line in lines if line.without_quantity or line.without_price or line.implant]

    def far_out_lines(self, sheet_id: int, ask_above_total: Decimal | None) -> list[SummaryLineView]:
        """List the lines that are far out, oldest first."""
        return [
            self._view(line)
            for line in self._lines(sheet_id)
            if far_out(line.quantity, line.total, usual_of(self._data, line.product_id), ask_above_total)
        ]

    def _incomplete_implant(self, line: Detail) -> IncompleteImplantView | None:
        if not is_untraced(self._data, line):
            return None
        return IncompleteImplantView(
            **self._view(line), lot=line.lot, serial=line.serial, implant_reason=line.implant_reason
        )

    def _view(self, line: Detail) -> SummaryLineView:
        return SummaryLineView(
            id=line.id,
            product_id=line.product_id,
            product_name=self._data.products[line.product_id].name,
            product_code=self._data.products[line.product_id].code,
            quantity=line.quantity,
            created_at=line.created_at,
        )

    def _lines(self, sheet_id: int) -> list[Detail]:
        lines = [line for line in self._data.counted if line.sheet_id == sheet_id]
        return sorted(lines, key=lambda line: (line.created_at, line.id))
