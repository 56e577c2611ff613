"""Grouping the lines of a sheet by day and category."""

from datetime import date, timedelta
from decimal import Decimal

from domain.catalogue.product import Category
from domain.sheets.summary import MAX_LISTED_DAYS, DayCategorySubtotal, Subtotal, Summary, days_without_lines

MONDAY, TUESDAY = date(2026, 11, 16), date(2026, 11, 17)
TUBES = Category(id=1, code="SON", name="Sondas")
# Sorted before the tubes, accents ignored.
EYES = Category(id=2, code="OJO", name="Ópticos")
NAMESAKE = Category(id=3, code="SO2", name="sondas")


def portion(day: date, category: Category, lines: int, total: str) -> DayCategorySubtotal:
    return DayCategorySubtotal(day, category, Subtotal(lines, Decimal(total)))


SUMMARY = Summary(
    [
        portion(TUESDAY, TUBES, 1, "0.10"),
        portion(MONDAY, NAMESAKE, 1, "0.20"),
        portion(MONDAY, TUBES, 2, "0.30"),
        portion(TUESDAY, EYES, 1, "100.00"),
        portion(MONDAY, EYES, 1, "0.01"),
    ]
)


def test_portions_are_ordered_by_day_and_category_name() -> None:
    assert [(portion.day, portion.category.id) for portion in SUMMARY.portions] == [
        (MONDAY, 2),
        (MONDAY, 1),
        (MONDAY, 3),
        (TUESDAY, 2),
        (TUESDAY, 1),
    ]


def test_days_and_categories_add_up_to_the_total() -> None:
    assert SUMMARY.by_day == [(MONDAY, Subtotal(4, Decimal("0.51"))), (TUESDAY, Subtotal(2, Decimal("100.10")))]
    assert SUMMARY.by_category == [
        (EYES, Subtotal(2, Decimal("100.01"))),
        (TUBES, Subtotal(3, Decimal("0.40"))),
        (NAMESAKE, Subtotal(1, Decimal("0.20"))),
    ]
    assert SUMMARY.all == Subtotal(6, Decimal("100.61"))


def test_single_lines_are_grouped_like_portions() -> None:
    lines = Summary([portion(MONDAY, TUBES, 1, "0.10"), portion(MONDAY, TUBES, 1, "0.20")])
    assert lines.by_day == [(MONDAY, Subtotal(2, Decimal("0.30")))]
    assert lines.by_category == [(TUBES, Subtotal(2, Decimal("0.30")))]


def test_an_empty_summary_is_zero() -> None:
    assert (Summary([]).all, Summary([]).by_day, Summary([]).by_category) == (Subtotal(0, Decimal(0)), [], [])


def test_a_stay_has_all_its_days_with_or_without_lines() -> None:
    sunday, wednesday = MONDAY - timedelta(1), TUESDAY + timedelta(1)
    days = SUMMARY.by_day_of_stay(sunday, wednesday)
    assert [(day, tally.lines) for day, tally in days] == [(sunday, 0), (MONDAY, 4), (TUESDAY, 2), (wednesday, 0)]
    # Uses before the admission and after the discharge stay.
    assert [day for day, _ in SUMMARY.by_day_of_stay(TUESDAY, MONDAY)] == [MONDAY, TUESDAY]


def test_empty_days_of_a_very_long_stay_are_only_the_last_ones() -> None:
    assert days_without_lines([], date.min, MONDAY) == [
        MONDAY - timedelta(back) for back in reversed(range(MAX_LISTED_DAYS))
    ]
    assert days_without_lines([MONDAY], MONDAY, TUESDAY) == [TUESDAY]
    long_ago = Summary([portion(date(2020, 1, 1), TUBES, 1, "0.10")])
    assert len(long_ago.by_day_of_stay(date(2020, 1, 1), MONDAY)) == 1 + MAX_LISTED_DAYS
