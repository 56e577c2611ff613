"""Helpers for reading XLSX answers."""

import io
from typing import Any

from httpx import Response
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

Table = list[tuple[Any, ...]]


def workbook_of(answer: Response) -> Workbook:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == XLSX
    return load_workbook(io.BytesIO(answer.content))


def table_of(answer: Response) -> Table:
    """The cells of the first sheet, row by row."""
    return list(workbook_of(answer).worksheets[0].iter_rows(values_only=True))


def text_of_workbook(answer: Response) -> str:
    """All text of a workbook."""
    rows = [row for sheet in workbook_of(answer).worksheets for row in sheet.iter_rows(values_only=True)]
    return "\n".join("\t".join(str(cell) for cell in row if cell is not None) for row in rows)
