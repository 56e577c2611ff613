"""Totals of a sheet, grouped by day and category.

Every place that adds up or prints lines uses this grouping.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from domain.catalogue.product import Category
from domain.common.money import ZERO
from domain.common.text import fold

Line = TypeVar("Line")

# Days without lines are listed this far back, so that a very long stay keeps a short list.
MAX_LISTED_DAYS = 60


@dataclass(frozen=True, slots=True)
class Subtotal:
    """A number of lines and their total."""

    lines: int = 0
    total: Decimal = ZERO

    def __add__(self, other: "Subtotal") -> "Subtotal":
        return Subtotal(self.lines + other.lines, self.total + other.total)


@dataclass(frozen=True, slots=True)
class DayCategorySubtotal:
    """One or more lines of one category on one hospital day, added up."""

    day: date
    category: Category
    tally: Subtotal


class Summary:
    """The subtotals of a sheet, ordered by day and category name."""

    def __init__(self, portions: Iterable[DayCategorySubtotal]) -> None:
        self.portions = sorted(portions, key=_in_order)

    @property
    def all(self) -> Subtotal:
        """The number and total of all lines."""
        return sum((portion.tally for portion in self.portions), Subtotal())

    @property
    def by_day(self) -> list[tuple[date, Subtotal]]:
        """The subtotal of each day, the oldest first."""
        days: dict[date, Subtotal] = {}
        for portion in self.portions:
            days[portion.day] = days.get(portion.day, Subtotal()) + portion.tally
        return list(days.items())

    def by_day_of_stay(self, first: date, last: date) -> list[tuple[date, Subtotal]]:
        """Return the subtotal of each day of a stay, the oldest first.

        Days without lines have empty subtotals. See ``days_without_lines``.
        """
        used = dict(self.by_day)
        empty = dict.fromkeys(days_without_lines(used, first, last), Subtotal())
        return sorted({**used, **empty}.items())

    @property
    def by_category(self) -> list[tuple[Category, Subtotal]]:
        """The subtotal of each category, by name."""
        categories: dict[int, tuple[Category, Subtotal]] = {}
        for portion in self.portions:
            _, before = categories.get(portion.category.id, (None, Subtotal()))
            categories[portion.category.id] = (portion.category, before + portion.tally)
        return sorted(categories.values(), key=lambda each: _by_name(each[0]))


def days_without_lines(used: Collection[date], first: date, last: date) -> list[date]:
    """Return the days of a stay on which nothing was used, the oldest first.

    ``first`` is the day of admission, ``last`` that of the discharge, or today. Only the last ``MAX_LISTED_DAYS`` days
    of the stay are considered.
    """
    end = last.toordinal() + 1
    days = map(date.fromordinal, range(max(first.toordinal(), end - MAX_LISTED_DAYS), end))
    return [day for day in days if day not in used]


def group_by_day_and_category(
    lines: Iterable[tuple[DayCategorySubtotal, Line]],
) -> list[tuple[DayCategorySubtotal, list[Line]]]:
    """Group lines by day and category, in the order of a summary.

    Each line comes with its own subtotal. Each group has the sum of them.
    """
    found: dict[tuple[date, int], tuple[DayCategorySubtotal, list[Line]]] = {}
    for portion, line in lines:
        key = portion.day, portion.category.id
        if key in found:
            before, those = found[key]
            found[key] = DayCategorySubtotal(before.day, before.category, before.tally + portion.tally), [*those, line]
        else:
            found[key] = portion, [line]
    return sorted(found.values(), key=lambda each: _in_order(each[0]))


def _in_order(portion: DayCategorySubtotal) -> tuple[date, str, int]:
    return portion.day, *_by_name(portion.category)


def _by_name(category: Category) -> tuple[str, int]:
    return fold(category.name), category.id
