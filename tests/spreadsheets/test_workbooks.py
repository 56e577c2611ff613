"""Reading XLSX and old XLS workbooks, with the types of their cells."""

import csv
import struct
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlwt

from adapters.spreadsheets.open_table import open_table
from application.imports.reading.cells import Cell, CellError, FormattedNumber, Formula, shown
from application.imports.reading.table import Choices
from tests.spreadsheets.workbooks import (
    DATE,
    MAIN,
    MOMENT,
    MONEY,
    OWN_DATE,
    ZEROS,
    Raw,
    formula,
    number,
    sheet_xml,
    workbook_parts,
    write_parts,
    xls,
    xlsx,
    xlsx_of,
)


def cells(file: Path, sheet: str = "Hoja1") -> list[list[Cell]]:
    return [row.cells for row in open_table(file, Choices()).rows(sheet)]


def one_cell(folder: Path, cell: Any, **options: Any) -> Cell:
    return cells(xlsx(folder, [cell], **options))[0][0]


def test_texts_numbers_and_booleans_are_read(tmp_path: Path) -> None:
    file = xlsx(tmp_path, ["Código", 27201347, 1637.75, True, "Cánula\N{NO-BREAK SPACE}5 µm "])
    assert cells(file) == [["Código", Decimal(27201347), Decimal("1637.75"), True, "Cánula\N{NO-BREAK SPACE}5 µm "]]
    assert [shown(cell) for cell in cells(file)[0]] == ["Código", "27201347", "1637.75", "1", "Cánula 5 µm"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("1637.7500000000002", "1637.75"), ("0.1", "0.1"), ("1E3", "1000"), ("2.5E-2", "0.025"), ("-3", "-3"), ("0", "0")],
)
def test_rounding_errors_of_floats_are_removed(tmp_path: Path, written: str, meant: str) -> None:
    assert one_cell(tmp_path, number(written)) == Decimal(meant)


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        (number(46115, DATE), datetime(2026, 4, 3)),
        (number(46115, OWN_DATE), datetime(2026, 4, 3)),
        (number(46115.5, MOMENT), datetime(2026, 4, 3, 12)),
        (number(46115.75 + 1 / 86_400, MOMENT), datetime(2026, 4, 3, 18, 0, 1)),
        (number(1, DATE), datetime(1900, 1, 1)),
        (number(59, DATE), datetime(1900, 2, 28)),
        (number(61, DATE), datetime(1900, 3, 1)),
        (number(0.5, MOMENT), "12:00"),
        (Raw('<c t="d"><v>2026-04-03T00:00:00</v></c>'), datetime(2026, 4, 3)),
    ],
)
def test_dates_and_times_are_recognized_by_their_format(tmp_path: Path, cell: Raw, meant: Cell) -> None:
    assert one_cell(tmp_path, cell) == meant


def test_dates_can_be_counted_from_1904(tmp_path: Path) -> None:
    assert one_cell(tmp_path, number(46115 - 1462, DATE), date_1904=True) == datetime(2026, 4, 3)


def test_numbers_that_are_no_date_stay_numbers(tmp_path: Path) -> None:
    assert one_cell(tmp_path, number(46115, MONEY)) == FormattedNumber(Decimal(46115), "$46,115.00")
    assert one_cell(tmp_path, number(99999999, DATE)) == Decimal(99999999)
    assert one_cell(tmp_path, number(-1, DATE)) == Decimal(-1)


def test_leading_zeros_of_a_format_belong_to_the_code(tmp_path: Path) -> None:
    assert one_cell(tmp_path, number(123, ZEROS)) == "00123"


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        (formula("B1*1.16", 5.8), Formula("5.8", Decimal("5.8"))),
        (formula("A1"), Formula("")),
        (Raw("<c><f>A1</f></c>"), Formula("")),
        (Raw('<c t="shared"><f t="shared" si="0"/><v>7</v></c>'), Formula("7", Decimal(7))),
        (Raw('<c t="str"><f>"a"</f><v>a</v></c>'), Formula("a", "a")),
        (Raw('<c t="str"><f>""</f><v></v></c>'), Formula("", "")),
        (Raw('<c t="str"><f>A1</f></c>'), Formula("")),
        (Raw('<c t="b"><f>A1=1</f><v>1</v></c>'), Formula("1", True)),
        (Raw(f'<c s="{DATE}"><f>TODAY()</f><v>46115</v></c>'), Formula("2026-04-03", datetime(2026, 4, 3))),
        (Raw('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'), CellError("#DIV/0!")),
        (Raw('<c t="e"><v>#N/A</v></c>'), CellError("#N/A")),
        ("=1+1", "=1+1"),
        ('="00123"', '="00123"'),
    ],
)
def test_formulas_have_their_stored_result(tmp_path: Path, cell: Any, read: Cell) -> None:
    """A text that starts like a formula stays a text."""
    assert one_cell(tmp_path, cell) == read


def test_cells_and_rows_have_their_own_position(tmp_path: Path) -> None:
    rows = (
        '<row r="3"><c r="B3"><v>1</v></c><c><v>2</v></c><c r="AA3"><v>3</v></c></row><row/>'
        '<row r="9"><c r="A9" s="1"/><c r="C9"><v>4</v></c></row>'
    )
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    file = write_parts(tmp_path / "file.xlsx", workbook_parts({"Hoja1": sheet}))
    third, ninth = open_table(file, Choices()).rows("Hoja1")
    assert (third.line, ninth.line) == (3, 9)
    assert {index: shown(cell) for index, cell in enumerate(third.cells) if cell != ""} == {1: "1", 2: "2", 26: "3"}
    assert ninth.cells == ["", "", Decimal(4)]


def test_shared_texts_with_runs_phonetics_and_escapes_are_read(tmp_path: Path) -> None:
    shared = (
        f'<x:sst xmlns:x="{MAIN}"><x:si><x:t>Gasa</x:t></x:si>'
        "<x:si><x:r><x:t>dos </x:t></x:r><x:r><x:t>piezas</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:si>"
        "<x:si><x:t>a_x000D_b</x:t></x:si></x:sst>"
    )
    sheet = (
        f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row><x:c t="s"><x:v>1</x:v></x:c><x:c t="s"><x:v>0</x:v></x:c>'
        '<x:c t="s"><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    )
    file = write_parts(tmp_path / "file.xlsx", workbook_parts({"Hoja1": sheet}, shared=shared))
    assert cells(file) == [["dos piezas", "Gasa", "a\rb"]]


def test_hidden_sheets_are_skipped_unless_all_are_hidden(tmp_path: Path) -> None:
    sheets: dict[str, list[list[Any]]] = {"Oculta": [["a"]], "Vista": [["b"]]}
    assert list(open_table(xlsx_of(tmp_path, sheets, hidden=["Oculta"]), Choices()).sheets) == ["Vista"]
    assert list(open_table(xlsx_of(tmp_path, sheets, hidden=sheets), Choices()).sheets) == ["Oculta", "Vista"]


def test_other_names_of_parts_are_accepted(tmp_path: Path) -> None:
    parts = workbook_parts({"Hoja1": sheet_xml([["a"]])})
    renamed = {name.replace("xl/worksheets", "XL\\Worksheets"): content for name, content in parts.items()}
    assert cells(write_parts(tmp_path / "file.xlsx", renamed)) == [["a"]]


def test_old_workbooks_are_read(tmp_path: Path) -> None:
    file = xls(tmp_path, ["Código", "Precio", "Día"], [27201347, 1637.75, datetime(2026, 4, 3)], [None, True, "x"])
    table = open_table(file, Choices())
    assert [found.code for found in table.findings] == ["kind.old_workbook"]
    assert cells(file) == [
        ["Código", "Precio", "Día"],
        [Decimal(27201347), Decimal("1637.75"), datetime(2026, 4, 3)],
        ["", True, "x"],
    ]


@pytest.mark.parametrize(
    ("result", "read"),
    [
        (None, Formula("")),
        (struct.pack("<d", 5.8), Formula("5.8", Decimal("5.8"))),
        (struct.pack("<d", 0), Formula("0", Decimal(0))),
        (b"\x01\0\x01\0\0\0\xff\xff", Formula("1", True)),
        (b"\x02\0\x07\0\0\0\xff\xff", CellError("#DIV/0!")),
    ],
)
def test_formulas_of_old_workbooks_have_their_stored_result(tmp_path: Path, result: bytes | None, read: Cell) -> None:
    file = xls(tmp_path, ["=a", xlwt.Formula("1+1"), 3])
    if result:
        # xlwt stores an empty text as the result.
        file.write_bytes(file.read_bytes().replace(b"\x03\0\0\0\0\0\xff\xff", result))
    assert cells(file) == [["=a", read, Decimal(3)]]


def test_an_old_workbook_is_recognized_by_its_content(tmp_path: Path) -> None:
    file = xls(tmp_path, ["a"], name="file.csv")
    assert cells(file) == [["a"]]


def test_a_workbook_reads_the_same_as_a_text_file(tmp_path: Path) -> None:
    """These workbooks are like those of LibreOffice, Excel and others.

    The tests with real files show that this is enough.
    """
    rows = [[f"C-{number}", f"Producto {number}", number + 0.25] for number in range(500)]
    file = xlsx(tmp_path, *rows)
    text = tmp_path / "same.csv"
    with text.open("w", newline="") as out:
        csv.writer(out).writerows(rows)
    as_text = [[shown(cell) for cell in row.cells] for row in open_table(text, Choices()).rows("")]
    assert [[shown(cell) for cell in row] for row in cells(file)] == as_text
