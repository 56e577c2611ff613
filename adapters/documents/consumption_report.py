"""Content of the consumption report, shared by its PDF and XLSX."""

import heapq
from dataclasses import dataclass
from datetime import date, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from adapters.i18n import formats, messages
from application.reports.views import (
    EXTRA_SUMS,
    ConsumptionBy,
    ConsumptionReportView,
    ConsumptionRowView,
    ConsumptionSumsView,
    ConsumptionTotalsView,
    PeriodView,
)
from application.sheets.used_for import Part, UsedFor

# Maximum number of bars in a chart over time (days, months), and in a chart of things.
MAX_IN_TIME = 62
MAX_THINGS = 12

_EXTRA_COLUMNS = {
    ConsumptionBy.CATEGORY: ("category_code",),
    ConsumptionBy.PRODUCT: ("code", "unit"),
    ConsumptionBy.PATIENT: ("record_number",),
}
PARTS = tuple(f"parts_{part}" for part in Part)


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart: its title, what it groups by (``label``) and its bars in order.

    ``previous`` are the amounts of the period before, if the report is compared.
    """

    title: str
    label: str
    note: str
    in_time: bool
    measure: str
    bars: list[tuple[str, Decimal]]
    previous: list[Decimal]

    @property
    def money(self) -> bool:
        """Return whether the bars are amounts of money."""
        return self.measure != "details"

    @property
    def highest(self) -> Decimal:
        """Return the highest amount of both periods."""
        return max([amount for _, amount in self.bars] + self.previous, default=Decimal(0))


def columns_of(report: ConsumptionReportView) -> tuple[str, ...]:
    """Return the columns of the table. Only single products have quantities.

    The parts are shown as quantities or as lines. The measure is the value, unless the report is of patients only.
    """
    by = report["by"]
    extra = tuple(name for name in _EXTRA_COLUMNS.get(by, ()) if report["items"] and name in report["items"][0])
    quantity = ("quantity",) if by is ConsumptionBy.PRODUCT else ()
    parts = PARTS if "parts" in report["sums"] else ()
    amounts = tuple(name for name in ("total", *EXTRA_SUMS) if name in report["sums"])
    compared = (f"previous_{measure_of(report)}", "change") if "previous" in report["sums"] else ()
    return ("name", *extra, "details", *quantity, *parts, *amounts, *compared)


def measure_of(report: ConsumptionReportView) -> str:
    """Return the field that is charted and compared."""
    return next((name for name in ("value", "total") if name in report["sums"]), "details")


def value_of(row: ConsumptionRowView | ConsumptionTotalsView, column: str, by: ConsumptionBy) -> Any:
    """Return the value in a column other than the name.

    A change is the rounded percentage, or None if there was nothing before.
    """
    if column == "change":
        before = _measure(row["previous"])
        return int(((_measure(row) - before) * 100 / before).to_integral_value(ROUND_HALF_UP)) if before else None
    if column.startswith("previous_"):
        return row["previous"][column.removeprefix("previous_")]  # type: ignore[literal-required]
    if column in PARTS:
        part = row["parts"][column.removeprefix("parts_")]  # type: ignore[literal-required]
        return part["quantity" if by is ConsumptionBy.PRODUCT else "details"]
    return row.get(column)


def change_text(change: int | None) -> str:
    """Return a change in percent with its sign, or a dash if there is none."""
    return "—" if change is None else f"{change:+}%"


def heading_of(language: str, report: ConsumptionReportView, column: str) -> str:
    """Return the heading of a column of the table."""
    if column == "name":
        return messages.pdf(language, f"report.by.{report['by']}")
    return messages.column(language, column)


def day_of_row(report: ConsumptionReportView, row: ConsumptionRowView) -> date | None:
    """Return the day or first day of the month of a row; None for other rows."""
    if report["by"] is ConsumptionBy.DAY:
        return date.fromisoformat(row["key"])
    return date.fromisoformat(f"{row['key']}-01") if report["by"] is ConsumptionBy.MONTH else None


def name_of_row(language: str, report: ConsumptionReportView, row: ConsumptionRowView) -> str:
    """Return the name of the day, month or thing that a row is about."""
    day = day_of_row(report, row)
    if day is not None:
        return (formats.day if report["by"] is ConsumptionBy.DAY else formats.month)(language, day)
    if report["by"] is ConsumptionBy.USE_REASON and row["name"]:
        return messages.value(language, f"use_reason.{row['name']}")
    return row["name"] or messages.pdf(language, f"report.without.{report['by']}")


def name_of_sums(language: str, report: ConsumptionReportView) -> str:
    """Return the label of the row of sums."""
    rows = len(report["items"])
    return messages.pdf(language, "report.one" if rows == 1 else "report.all").format(
        number=formats.whole(language, rows)
    )


def title_of(language: str, report: ConsumptionReportView) -> str:
    return messages.pdf(language, "report.returns" if report["returns"] else "report.title")


def facts_of(language: str, report: ConsumptionReportView, currency: str) -> list[tuple[str, str]]:
    """Return the labelled facts above the table: period, grouping and filters."""
    facts = [
        (messages.pdf(language, "report.period"), _period_text(language, report["period"])),
        (messages.pdf(language, "report.by"), messages.pdf(language, f"report.by.{report['by']}")),
        (messages.pdf(language, "report.of_area"), report["area"] or messages.pdf(language, "report.all_areas")),
    ]
    if "previous_period" in report:
        facts.append((messages.pdf(language, "report.previous"), _period_text(language, report["previous_period"])))
    days = report["sums"]["patient_days"]
    facts.append((messages.pdf(language, "report.patient_days"), formats.whole(language, days)))
    if days and "total" in report["sums"]:
        each = (_measure(report["sums"]) / days).quantize(Decimal("0.01"), ROUND_HALF_UP)
        facts.append((messages.pdf(language, "report.per_patient_day"), formats.money(language, each, currency)))
    if report["used_for"] is not UsedFor.PATIENTS:
        used_for = messages.pdf(language, f"report.used_for.{report['used_for']}")
        facts.append((messages.pdf(language, "report.used_for"), used_for))
    return facts


def _period_text(language: str, period: PeriodView) -> str:
    first, last = period["from"], period["to"]
    text = formats.day(language, first)
    return text if first == last else f"{text} – {formats.day(language, last)}"


def printed_by(language: str, report: ConsumptionReportView, zone: tzinfo) -> str:
    """Return the line with the time of printing and the user."""
    moment = formats.moment(language, report["printed_at"], zone)
    return messages.pdf(language, "printed_by").format(moment=moment, name=report["printed_by"])


def bars_of(language: str, report: ConsumptionReportView) -> Bars:
    """Return the chart: money if prices are visible, otherwise line counts.

    Days become months or years if there would be too many bars. Of many things, only the largest are shown.
    """
    measure = measure_of(report)
    by = str(report["by"])
    in_time = report["by"] in (ConsumptionBy.DAY, ConsumptionBy.MONTH)
    note = ""
    if in_time:
        by, bars, previous = _bars_over_time(language, report)
    else:
        largest = heapq.nlargest(MAX_THINGS, report["items"], key=_measure)
        bars = [(name_of_row(language, report, row), _measure(row)) for row in largest]
        previous = [_measure(row["previous"]) for row in largest if "previous" in row]
        if len(report["items"]) > MAX_THINGS:
            note = messages.pdf(language, "report.largest").format(
                number=MAX_THINGS, all=formats.whole(language, len(report["items"]))
            )
    label = messages.pdf(language, f"report.by.{by}")
    title = messages.pdf(language, "report.chart_of").format(
        measure=messages.column(language, measure), by=label.lower()
    )
    return Bars(title=title, label=label, note=note, in_time=in_time, measure=measure, bars=bars, previous=previous)


def _bars_over_time(
    language: str, report: ConsumptionReportView
) -> tuple[str, list[tuple[str, Decimal]], list[Decimal]]:
    """Return the unit of time with few enough bars, and bars of both periods.

    Days, months or years without consumption get an empty bar.
    """
    rows = report["items"]
    days = [day for row in rows if (day := day_of_row(report, row))]
    if not days:
        return str(report["by"]), [], []
    first, last = min(days), max(days)
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    if report["by"] is ConsumptionBy.DAY and (last - first).days < MAX_IN_TIME:
        by = "day"
        keys = [date.fromordinal(day).isoformat() for day in range(first.toordinal(), last.toordinal() + 1)]
    elif len(months) <= MAX_IN_TIME:
        by, keys = "month", [f"{month // 12:04}-{month % 12 + 1:02}" for month in months]
    else:
        by, keys = "year", [f"{year:04}" for year in range(first.year, last.year + 1)]
    added, before = dict.fromkeys(keys, Decimal(0)), dict.fromkeys(keys, Decimal(0))
    for row in rows:
        added[row["key"][: len(keys[0])]] += _measure(row)
        if "previous" in row:
            before[row["key"][: len(keys[0])]] += _measure(row["previous"])
    bars = [(_label_of(language, key), amount) for key, amount in added.items()]
    return by, bars, list(before.values()) if "previous" in report["sums"] else []


def _label_of(language: str, key: str) -> str:
    match len(key):
        case 10:
            return formats.day_of_month(language, date.fromisoformat(key))
        case 7:
            return formats.month(language, date.fromisoformat(f"{key}-01"))
        case _:
            return key


def _measure(row: ConsumptionSumsView) -> Decimal:
    return row.get("value", row.get("total", Decimal(row["details"])))
