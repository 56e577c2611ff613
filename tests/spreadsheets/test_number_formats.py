"""The displayed text of numbers, in every kind of workbook."""

from decimal import Decimal
from pathlib import Path

import pytest
import xlwt

from adapters.spreadsheets.number_formats import number_format
from adapters.spreadsheets.open_table import open_table
from application.imports.reading.cells import Cell, FormattedNumber, written
from application.imports.reading.table import Choices
from tests.spreadsheets.workbooks import (
    MAIN,
    Raw,
    ods,
    web_page,
    workbook_parts,
    write_parts,
    xml_table,
    xml_workbook_of,
)


def shows(code: str, number: str) -> Cell:
    form = number_format(code)
    return form.cell(Decimal(number)) if form else Decimal(number)


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ('"MC-"0000', "34", "MC-0034"),
        ("000\\.000\\.0000", "600340014", "060.034.0014"),
        ("000\\-000", "12034", "012-034"),
        ("00-00-00", "10203", "01-02-03"),
        ('0000"-A"', "96", "0096-A"),
        ('"INS"000', "7", "INS007"),
        ('[Red]"A"000;[Blue]"B"000', "-7", "B007"),
        ('[<=9999]"C"0000;"L"00000', "12345", "L12345"),
        ('[<=9999]"C"0000;"L"00000', "123", "C0123"),
        ("\\A-###-##", "12345", "A-123-45"),
        ('"Q"0000', "12", "Q0012"),
        ("(000) 000-0000", "5551234567", "(555) 123-4567"),
        ('"MC-"General', "34", "MC-34"),
        ('"a;b"00', "3", "a;b03"),
        ('00" "00', "1234", "12 34"),
        ("00/00".replace("/", "\\/"), "1234", "12/34"),
        ("[$-80A]00\\-00", "123", "01-23"),
        ('0"x";-0"x";"cero"', "12", "12x"),
    ],
)
def test_digits_with_literal_characters_are_a_code(code: str, number: str, shown: str) -> None:
    assert shows(code, number) == FormattedNumber(Decimal(number), shown, is_literal=True)


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("00000", "12", "00012"),
        ("00000;@", "91", "00091"),
        ("00000;-00000", "78", "00078"),
        ("[<=9999]0000;00000", "93", "0093"),
        ("0000_)", "56", "0056"),
        ('0000" "', "95", "0095"),
        ("* 000", "5", "005"),
    ],
)
def test_leading_zeros_of_a_format_make_a_text(code: str, number: str, shown: str) -> None:
    assert shows(code, number) == shown


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("#,##0", "1234567", "1,234,567"),
        ("0.00", "12", "12.00"),
        ("0", "12.5", "13"),
        ("0%", "0.15", "15%"),
        ("0.0 %", "0.155", "15.5 %"),
        ("0,", "1234567", "1235"),
        ('"$"#,##0.00', "1512", "$1,512.00"),
        ("[$€-2] #,##0.00", "1512", "€ 1,512.00"),
        ("[$USD] 0.00", "3", "USD 3.00"),
        ('#,##0.00;-#,##0.00;"-"', "0", "-"),
        ("0;0;;@", "0", ""),
        ("0.##", "1.5", "1.5"),
        ('"Sí";"No";"No"', "1", "Sí"),
    ],
)
def test_amounts_percentages_and_words_keep_their_number(code: str, number: str, shown: str) -> None:
    expected = FormattedNumber(Decimal(number), shown) if shown != number else Decimal(number)
    assert shows(code, number) == expected


@pytest.mark.parametrize("code", ["# ?/?", "0.00E+00", "[h]", "00/00", "[DBNum1]0", "0.0.0", "[<0]0"])
def test_an_unknown_format_is_reported_with_the_number(code: str) -> None:
    number = Decimal("-2.5") if code == "[<0]0" else Decimal("2.5")
    form = number_format(code)
    assert form is not None
    assert form.cell(number) == FormattedNumber(number, f"{number:f}", unknown_format=code)


@pytest.mark.parametrize("code", ["", "General", "@", "General;@"])
def test_a_format_without_effect_is_none(code: str) -> None:
    assert number_format(code) is None


def test_a_text_format_adds_to_texts() -> None:
    form = number_format('0;0;0;"MC-"@')
    assert form is not None
    assert form.text("34") == "MC-34"


def rows(file: Path, sheet: str = "Hoja1") -> list[list[Cell]]:
    return [row.cells for row in open_table(file, Choices()).rows(sheet)]


CODE = FormattedNumber(Decimal(34), "MC-0034", is_literal=True)
SHARE = FormattedNumber(Decimal("0.15"), "15%")


def test_number_formats_of_xlsx_are_applied(tmp_path: Path) -> None:
    sheet = (
        f'<worksheet xmlns="{MAIN}"><sheetData><row><c s="1"><v>34</v></c><c s="2"><v>0.15</v></c>'
        '<c s="3" t="inlineStr"><is><t>34</t></is></c></row></sheetData></worksheet>'
    )
    styles = (
        f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" formatCode="&quot;MC-&quot;0000"/>'
        '<numFmt numFmtId="165" formatCode="&quot;MC-&quot;@"/></numFmts><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/></cellXfs></styleSheet>'
    )
    parts = workbook_parts({"Hoja1": sheet}) | {"xl/styles.xml": styles}
    assert rows(write_parts(tmp_path / "file.xlsx", parts)) == [[CODE, SHARE, "MC-34"]]


def test_number_formats_of_xls_are_applied(tmp_path: Path) -> None:
    """XLS stores adjacent whole numbers in one record."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Hoja1")
    code, share = xlwt.easyxf(num_format_str='"MC-"0000'), xlwt.easyxf(num_format_str="0%")
    for column, (value, style) in enumerate([(34, code), (35, code), (7, xlwt.easyxf()), (0.15, share), ("a", code)]):
        sheet.write(0, column, value, style)
    sheet.write(1, 0, xlwt.Formula("30+4"), code)
    book.save(str(tmp_path / "file.xls"))
    first = rows(tmp_path / "file.xls")[0]
    assert first == [CODE, FormattedNumber(Decimal(35), "MC-0035", is_literal=True), Decimal(7), SHARE, "a"]


def test_ods_and_web_pages_contain_the_displayed_text(tmp_path: Path) -> None:
    def cell(kind: str, value: str, shown: str) -> Raw:
        reported = f'office:value-type="{kind}" office:value="{value}"'
        return Raw(f"<table:table-cell {reported}><text:p>{shown}</text:p></table:table-cell>")

    spanish = cell("float", "1234.5", "1.234,50")
    file = ods(tmp_path, [cell("float", "34", "MC-0034"), cell("percentage", "0.15", "15%"), spanish])
    amount = FormattedNumber(Decimal("1234.5"), "1.234,50")
    assert rows(file) == [[CODE, SHARE, amount]]
    page = (
        "<table><tr><td x:num='34'>MC-0034</td><td x:num='0.15'>15%</td><td x:num='1234.5'>1.234,50</td></tr></table>"
    )
    assert rows(web_page(tmp_path, page), "1") == [[CODE, SHARE, amount]]


def test_number_formats_of_spreadsheetml_are_applied(tmp_path: Path) -> None:
    styles = (
        '<Style ss:ID="s1"><NumberFormat ss:Format="&quot;MC-&quot;0000"/></Style>'
        '<Style ss:ID="s2"><NumberFormat ss:Format="Percent"/></Style>'
    )
    cells = [
        Raw('<Cell ss:StyleID="s1"><Data ss:Type="Number">34</Data></Cell>'),
        Raw('<Cell ss:StyleID="s2"><Data ss:Type="Number">0.15</Data></Cell>'),
    ]
    shared = FormattedNumber(Decimal("0.15"), "15.00%")
    assert rows(xml_workbook_of(tmp_path, xml_table([cells]), styles=styles)) == [[CODE, shared]]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (CODE, "MC-0034"),
        (SHARE, "15%"),
        (FormattedNumber(Decimal(1512), "1,512"), "1512"),
        (FormattedNumber(Decimal("2.5"), "2.50"), "2.5"),
        (FormattedNumber(Decimal(3), "€ 3.00"), "€ 3.00"),
        (FormattedNumber(Decimal(0), "-"), "0"),
    ],
)
def test_a_formatted_cell_is_written_back_unchanged(cell: Cell, text: str) -> None:
    assert written(cell) == text
