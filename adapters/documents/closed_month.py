"""Texts and tables of a closed month, for PDF and workbook."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from decimal import Decimal
from typing import NamedTuple

from adapters.documents.columns import Value
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import formats, messages
from application.reports.month_views import FiguresView, MonthChangesView, MonthView, NamedFiguresView
from domain.common.money import ZERO, ZERO_QUANTITY
from domain.reports.month import parse_month

_FIGURES = ("details", "quantity", "returned", "total", "value")


class Table(NamedTuple):
    """A table: title, columns and rows.

    A column is its kind and its heading. The kind is the name by which a workbook formats its cells.
    """

    title: str
    columns: list[tuple[str, str]]
    rows: list[tuple[Value, ...]]


def title_of(language: str, month: MonthView) -> str:
    """Return the title with the name of the month."""
    return messages.pdf(language, "month.title").format(month=name_of(language, month))


def name_of(language: str, month: MonthView) -> str:
    """Return the name of the month, such as Oct 2026."""
    first = parse_month(month["month"])
    assert first is not None, "it was closed"
    return formats.month(language, first)


def number_of(language: str, month: MonthView) -> str:
    """Return the number and version of the document."""
    return messages.pdf(language, "month.number").format(number=month["id"], turn=month["turn"])


def facts_of(language: str, month: MonthView, zone: tzinfo) -> list[tuple[str, str]]:
    """Return the area and when the month was closed, with their labels."""
    area = month["area"]["name"] or "" if month["area"] else messages.pdf(language, "report.all_areas")
    closed = f"{formats.moment(language, month['at'], zone)}, {month['by']}"
    return [(messages.pdf(language, "area"), area), (messages.pdf(language, "month.closed"), closed)]


def sentence_of(language: str, hospital: HospitalProfile, month: MonthView) -> str:
    """Return what the month was, and what the report says today."""
    difference = month["changes"]["total"]
    name = name_of(language, month)
    was = messages.pdf(language, "month.was").format(
        month=name[:1].upper() + name[1:], total=money(language, hospital, month["total"])
    )
    if not month["changes"]["items"]:
        return f"{was} {messages.pdf(language, 'month.same')}"
    changed = messages.pdf(language, "month.changed").format(
        difference=money(language, hospital, difference, signed=True),
        today=money(language, hospital, month["total"] + difference),
    )
    return f"{was} {changed}"


def money(language: str, hospital: HospitalProfile, amount: Decimal, *, signed: bool = False) -> str:
    """Return an amount with its currency, and with a sign if it is negative."""
    sign = "−" if amount < 0 else "+" if signed and amount else ""
    return f"{sign}{formats.money(language, abs(amount), hospital.currency)}"


def parts_of(language: str, month: MonthView) -> list[tuple[str, FiguresView]]:
    """Return what was used for patients, in areas, and thrown away."""
    sums = month["sums"]
    return [
        (messages.pdf(language, "month.treatment"), sums["treatment"]),
        (messages.value(language, "unbilled.area"), sums["area"]),
        (messages.pdf(language, "wasted"), sums["wasted"]),
    ]


def accounts_of(language: str, month: MonthView) -> Table:
    """Return what patients' sheets have of it, and what was charged."""
    accounts = month["accounts"]
    charges = [(name, accounts[name]) for name in ("charged", "charged_open", "unsent")]
    rows: list[tuple[str, Value, Value]] = [
        ("closed", accounts["closed"]["sheets"], accounts["closed"]["total"]),
        ("open", accounts["open"]["sheets"], accounts["open"]["total"]),
        *((name, None, amount) for name, amount in charges if amount is not None),
    ]
    return Table(
        messages.pdf(language, "month.accounts"),
        [
            ("name", messages.pdf(language, "month.accounts")),
            ("details", messages.pdf(language, "month.sheets")),
            ("total", messages.column(language, "total")),
        ],
        [(messages.pdf(language, f"month.accounts.{name}"), sheets, total) for name, sheets, total in rows],
    )


def sums_of(language: str, month: MonthView) -> Table:
    """Return the sums of the parts."""
    rows: list[tuple[Value, ...]] = [(name, *_figures(sums)) for name, sums in parts_of(language, month)]
    return Table(
        messages.pdf(language, "month.sums"),
        [("name", messages.pdf(language, "report.used_for")), *_headings(language)],
        rows,
    )


def categories_of(language: str, month: MonthView, most: int | None = None) -> Table:
    """Return the sums by category.

    Beyond the ``most`` largest ones one row has the rest.
    """
    rows = month["categories"]
    if most is not None and len(rows) > most + 1:
        rest = rows[most:]
        others = NamedFiguresView(
            id=None,
            name=messages.pdf(language, "report.others"),
            code=None,
            unit=None,
            lines=sum(row["lines"] for row in rest),
            quantity=sum((row["quantity"] for row in rest), ZERO_QUANTITY),
            returned=sum((row["returned"] for row in rest), ZERO_QUANTITY),
            total=sum((row["total"] for row in rest), ZERO),
            value=sum((row["value"] for row in rest), ZERO),
        )
        rows = [*rows[:most], others]
    return _named(language, "category", rows)


def tables_of(language: str, month: MonthView) -> Iterator[Table]:
    """Yield the sums by product, area and day, and the changes."""
    yield Table(
        messages.pdf(language, "month.products"),
        [*((name, messages.column(language, name)) for name in ("code", "product", "unit")), *_headings(language)],
        [(row["code"], row["name"], row["unit"], *_figures(row)) for row in month["products"]],
    )
    yield _named(language, "area", month["areas"])
    yield Table(
        messages.pdf(language, "month.days"),
        [("day", messages.column(language, "day")), *_headings(language)],
        [(row["day"], *_figures(row)) for row in month["days"]],
    )
    yield from changes_of(language, month)


def changes_of(language: str, month: MonthView, most: int | None = None) -> Iterator[Table]:
    """Yield what changed since, and what the month changed of earlier ones.

    Beyond ``most`` changes one row has the number and total of the rest.
    """
    for name in ("changes", "made_here"):
        changes: MonthChangesView = month[name]
        items = changes["items"][:most]
        rest: list[tuple[Value, ...]] = []
        if left := changes["count"] - len(items):
            others = f"{messages.pdf(language, 'report.others')}: {formats.whole(language, left)}"
            total = changes["total"] - sum((one["total"] for one in items), ZERO)
            rest = [(None, None, others, None, None, total, None, None, None)]
        yield Table(
            messages.pdf(language, f"month.{name}"),
            [
                ("moment", messages.pdf(language, "month.at")),
                ("kind", messages.pdf(language, "month.kind")),
                ("product", messages.column(language, "product")),
                ("day", messages.pdf(language, "month.day")),
                ("quantity", messages.column(language, "quantity")),
                ("total", messages.column(language, "total")),
                ("sheet", messages.pdf(language, "month.sheet")),
                ("line", messages.pdf(language, "month.line")),
                ("by", messages.pdf(language, "month.by")),
            ],
            [
                (
                    *(one["at"], messages.pdf(language, f"month.kind.{one['kind']}"), one["product"], one["day"]),
                    *(one["quantity"], one["total"], one["sheet_id"], one["detail_id"], one["by"]),
                )
                for one in items
            ]
            + rest,
        )


def _named(language: str, column: str, rows: Sequence[NamedFiguresView]) -> Table:
    nameless = messages.pdf(language, "report.without.area")
    return Table(
        messages.pdf(language, {"area": "month.areas", "category": "month.categories"}[column]),
        [(column, messages.pdf(language, f"report.by.{column}")), *_headings(language)],
        [(row["name"] or nameless, *_figures(row)) for row in rows],
    )


def _headings(language: str) -> list[tuple[str, str]]:
    return [("quantity" if name == "returned" else name, messages.column(language, name)) for name in _FIGURES]


def _figures(row: FiguresView) -> tuple[Value, ...]:
    return row["lines"], row["quantity"], row["returned"], row["total"], row["value"]
