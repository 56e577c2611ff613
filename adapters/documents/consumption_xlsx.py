"""Consumption report as a workbook: the table with sums, and a chart."""

from typing import IO

from xlsxwriter import Workbook

from adapters.documents.columns import Value
from adapters.documents.consumption_report import (
    PARTS,
    bars_of,
    change_text,
    columns_of,
    day_of_row,
    facts_of,
    heading_of,
    name_of_row,
    name_of_sums,
    printed_by,
    title_of,
    value_of,
)
from adapters.documents.xlsx import CellFormats, Grid, mark_demonstration, new_workbook
from adapters.hospital.profile import HospitalProfile
from adapters.i18n import messages
from application.reports.views import ConsumptionBy, ConsumptionReportView, ConsumptionRowView, ConsumptionTotalsView

# The rows are kept in memory while they are added up. CSV has no such limit.
MAX_REPORT_ROWS = 100_000

_BLUE, _GREY = "#1C7ED6", "#C9CED6"


def consumption_workbook(hospital: HospitalProfile, report: ConsumptionReportView, language: str) -> IO[bytes]:
    """Return the report as a temporary file that is deleted when closed."""
    title = title_of(language, report)
    with new_workbook(hospital, title) as (book, file):
        formats = CellFormats(book, language, hospital.currency)
        _write_table(Grid(formats, book.add_worksheet(title), hospital.zone), report, language, hospital)
        if report["items"]:
            _write_chart(book, formats, report, language, hospital)
    return file


def _write_table(grid: Grid, report: ConsumptionReportView, language: str, hospital: HospitalProfile) -> None:
    """Write the letterhead, title and facts, then the rows and their sums."""
    sheet, look = grid.sheet, grid.formats.of
    row = 0
    for number, line in enumerate(hospital.letterhead):
        sheet.write_string(row, 0, line, look("name" if number == 0 else "note"))
        row += 1
    sheet.write_string(row, 0, title_of(language, report), look("title"))
    for label, text in facts_of(language, report, hospital.currency):
        row += 1
        sheet.write_string(row, 0, f"{label}: {text}", look("text"))
    row += 1
    sheet.write_string(row, 0, printed_by(language, report, hospital.zone), look("note"))
    head = row + 2
    columns = columns_of(report)
    grid.headings(head, [(column, heading_of(language, report, column)) for column in columns])
    for row, item in enumerate(report["items"], head + 1):
        for number, column in enumerate(columns):
            kind, cell = _cell(language, report, item, column)
            grid.write(row, number, kind, cell)
    last = head + len(report["items"])
    sheet.freeze_panes(head + 1, 0)
    sheet.autofilter(head, 0, last, len(columns) - 1)
    for number, column in enumerate(columns):
        if column == "name":
            grid.write(last + 1, number, column, name_of_sums(language, report), "sum")
        else:
            kind, cell = _figure(report, report["sums"], column)
            grid.write(last + 1, number, kind, cell, "sum")
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(head)
    sheet.set_footer("&R&P / &N")
    mark_demonstration(sheet, hospital, language)
    grid.fit()


def _cell(language: str, report: ConsumptionReportView, row: ConsumptionRowView, column: str) -> tuple[str, Value]:
    """Return the kind of a cell, and its value."""
    if column != "name":
        return _figure(report, row, column)
    day = day_of_row(report, row)
    if day is not None:
        return ("month" if report["by"] is ConsumptionBy.MONTH else "day"), day
    return column, name_of_row(language, report, row)


def _figure(
    report: ConsumptionReportView, row: ConsumptionRowView | ConsumptionTotalsView, column: str
) -> tuple[str, Value]:
    value = value_of(row, column, report["by"])
    if column in PARTS:
        return "details" if isinstance(value, int) else "quantity", value
    return column.removeprefix("previous_"), change_text(value) if column == "change" else value


def _write_chart(
    book: Workbook, formats: CellFormats, report: ConsumptionReportView, language: str, hospital: HospitalProfile
) -> None:
    """Add a sheet with the chart and its data, in order of size or of time."""
    drawn = bars_of(language, report)
    name = messages.pdf(language, "report.chart")
    grid = Grid(formats, book.add_worksheet(name), hospital.zone)
    measure = drawn.measure
    headings = [("name", drawn.label), (measure, messages.column(language, measure))]
    if drawn.previous:
        headings.append((measure, messages.column(language, f"previous_{measure}")))
    grid.headings(0, headings)
    for row, (label, amount) in enumerate(drawn.bars, 1):
        grid.write(row, 0, "name", label)
        grid.write(row, 1, measure, amount if drawn.money else int(amount))
    for row, amount in enumerate(drawn.previous, 1):
        grid.write(row, 2, measure, amount if drawn.money else int(amount))
    if drawn.note:
        grid.write(len(drawn.bars) + 2, 0, "name", drawn.note, "note", measure=False)
    grid.fit()
    chart = book.add_chart({"type": "column" if drawn.in_time else "bar"})
    last = len(drawn.bars)
    chart.add_series(
        {
            "name": messages.column(language, measure),
            "categories": [name, 1, 0, last, 0],
            "values": [name, 1, 1, last, 1],
            "fill": {"color": _BLUE},
            "gap": 40,
        }
    )
    if drawn.previous:
        chart.add_series(
            {
                "name": messages.column(language, f"previous_{measure}"),
                "categories": [name, 1, 0, last, 0],
                "values": [name, 1, 2, last, 2],
                "fill": {"color": _GREY},
            }
        )
    chart.set_title({"name": drawn.title, "name_font": {"size": 13}})
    chart.set_legend({"position": "bottom"} if drawn.previous else {"none": True})
    format_of_values = "#,##0.00" if drawn.money else "#,##0"
    values = {"num_format": format_of_values, "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}}}
    if drawn.in_time:
        chart.set_y_axis(values)
    else:
        # Horizontal bars are drawn from the bottom up.
        chart.set_y_axis({"reverse": True, "major_gridlines": {"visible": False}})
        chart.set_x_axis({**values, "label_position": "high"})
    chart.set_size({"width": 760, "height": 440})
    grid.sheet.set_landscape()
    grid.sheet.set_paper(9)
    grid.sheet.fit_to_pages(1, 1)
    grid.sheet.insert_chart(1, 4, chart, {"description": drawn.title})
