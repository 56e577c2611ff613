"""What a sheet comes to: how its lines are grouped, wherever they are added up or printed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from domain.money import ZERO
from domain.product import Category
from domain.text import fold

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Tally:
    """So many lines, which come to this."""

    lines: int = 0
    total: Decimal = ZERO

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.lines + other.lines, self.total + other.total)


@dataclass(frozen=True, slots=True)
class DayCategorySubtotal:
    """What was recorded of one category on one of the hospital's days: several lines, or a single one."""

    day: date
    category: Category
    tally: Tally


class Summary:
    """The portions of a sheet, day by day, and within a day by the name of the category."""

    def __init__(self, portions: Iterable[DayCategorySubtotal]) -> None:
        self.portions = sorted(portions, key=_in_order)

    @property
    def all(self) -> Tally:
        """What all of it comes to."""
        return sum((portion.tally for portion in self.portions), Tally())

    @property
    def by_day(self) -> list[tuple[date, Tally]]:
        """What each day comes to, the oldest first."""
        days: dict[date, Tally] = {}
        for portion in self.portions:
            days[portion.day] = days.get(portion.day, Tally()) + portion.tally
        return list(days.items())

    @property
    def by_category(self) -> list[tuple[Category, Tally]]:
        """What each category comes to, by name."""
        categories: dict[int, tuple[Category, Tally]] = {}
        for portion in self.portions:
            _, before = categories.get(portion.category.id, (None, Tally()))
            categories[portion.category.id] = (portion.category, before + portion.tally)
        return sorted(categories.values(), key=lambda each: _by_name(each[0]))


def group_by_day_and_category(
    lines: Iterable[tuple[DayCategorySubtotal, Line]],
) -> list[tuple[DayCategorySubtotal, list[Line]]]:
    """The lines, each given with its own portion, as one portion for each category of a day, in a summary's order."""
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
