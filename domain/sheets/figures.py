"""Figures of lines: what reports and months add up."""

from decimal import Decimal
from typing import NamedTuple

from domain.common.money import ZERO, ZERO_QUANTITY


class Figures(NamedTuple):
    """Sums of lines that count.

    ``value`` is price times quantity, also of lines that are not charged.
    """

    lines: int
    quantity: Decimal
    returned: Decimal
    total: Decimal
    value: Decimal

    def plus(self, other: "Figures") -> "Figures":
        return Figures(
            self.lines + other.lines,
            self.quantity + other.quantity,
            self.returned + other.returned,
            self.total + other.total,
            self.value + other.value,
        )

    def minus(self, other: "Figures") -> "Figures":
        return Figures(
            self.lines - other.lines,
            self.quantity - other.quantity,
            self.returned - other.returned,
            self.total - other.total,
            self.value - other.value,
        )


NO_FIGURES = Figures(0, ZERO_QUANTITY, ZERO_QUANTITY, ZERO, ZERO)
