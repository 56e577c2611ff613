"""Workbooks of other programs: ODS, SpreadsheetML 2003 and web pages.

Web pages with tables are often named .xls.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlwt

from adapters.spreadsheets import limits
from adapters.spreadsheets.open_table import open_table
from application.imports.reading.cells import Cell, CellError, FormattedNumber, Formula
from application.imports.reading.table import Choices, Table
from domain.common.errors import Code, Refused
from tests.assertions import refused
from tests.spreadsheets.workbooks import (
    MAIN,
    OFFICE,
    SPREADSHEET,
    Raw,
    ods,
    ods_of,
    ods_table,
    sheet_xml,
    web_page,
    workbook_parts,
    write_parts,
    xml_table,
    xml_workbook,
    xml_workbook_of,
)

ROWS: list[list[Any]] = [
    ["Código", "Nombre", "Precio", "Día", "Activo"],
    ["00123", "Cánula <5 µm> & más", 1637.75, datetime(2026, 4, 3), True],
    [None, " =1+1", 3, datetime(2026, 4, 3, 18, 30), False],
]
READ: list[list[Cell]] = [
    ["Código", "Nombre", "Precio", "Día", "Activo"],
    ["00123", "Cánula <5 µm> & más", Decimal("1637.75"), datetime(2026, 4, 3), True],
    ["", " =1+1", Decimal(3), datetime(2026, 4, 3, 18, 30), False],
]


def opened(file: Path) -> Table:
    return open_table(file, Choices())


def cells(file: Path, sheet: str = "Hoja1") -> list[list[Cell]]:
    return [row.cells for row in opened(file).rows(sheet)]


@pytest.mark.parametrize(
    ("make", "code"), [(ods, "kind.open_document"), (xml_workbook, "kind.xml_workbook")], ids=["ods", "xml"]
)
def test_cells_of_ods_and_spreadsheetml_are_read(tmp_path: Path, make: Callable[..., Path], code: str) -> None:
    file = make(tmp_path, *ROWS)
    assert cells(file) == READ
    assert [found.code for found in opened(file).findings] == [code]
    assert opened(file).sheets == ("Hoja1",)


# --- ODS -------------------------------------------------------------------------------------------------------------


AMOUNT = FormattedNumber(Decimal("1637.75"), "1.637,75")
TWO_DECIMALS = FormattedNumber(Decimal("5.8"), "5.80")


def ods_cell(attributes: str, text: str = "") -> Raw:
    return Raw(f"<table:table-cell {attributes}>{text and f'<text:p>{text}</text:p>'}</table:table-cell>")


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        (ods_cell('office:value-type="float" office:value="123"', "00123"), "00123"),
        (
            ods_cell('office:value-type="currency" office:value="1.5"', "$ 1.50"),
            FormattedNumber(Decimal("1.5"), "$ 1.50"),
        ),
        (
            ods_cell('office:value-type="percentage" office:value="0.16"', "16 %"),
            FormattedNumber(Decimal("0.16"), "16 %"),
        ),
        (ods_cell('office:value-type="float" office:value="1637.7500000000002"', "1637.75"), Decimal("1637.75")),
        (ods_cell('office:value-type="time" office:time-value="PT12H30M00S"', "12:30"), "12:30"),
        (
            ods_cell('table:formula="of:=[.A1]*2" office:value-type="float" office:value="5.8"', "5.80"),
            Formula("5.8", FormattedNumber(Decimal("5.8"), "5.80")),
        ),
        (ods_cell('table:formula="of:=[.A1]" office:value-type="string"', "Gasa"), Formula("Gasa", "Gasa")),
        (ods_cell('table:formula="of:=[.A1]"'), Formula("")),
        (
            ods_cell('table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"', "#DIV/0!"),
            CellError("#DIV/0!"),
        ),
        (
            Raw("<table:table-cell><text:p>a<text:s text:c='2'/>b</text:p><text:p>c</text:p></table:table-cell>"),
            "a  b\nc",
        ),
        (
            Raw(
                "<table:table-cell office:value-type='string'><office:annotation><text:p>nota</text:p>"
                "</office:annotation><text:p>Gasa</text:p></table:table-cell>"
            ),
            "Gasa",
        ),
        (ods_cell('office:value-type="string"', "un<text:span>o</text:span>"), "uno"),
    ],
)
def test_cells_of_ods_are_read(tmp_path: Path, cell: Raw, read: Cell) -> None:
    assert cells(ods(tmp_path, [cell])) == [[read]]


def test_repeated_rows_and_cells_are_expanded(tmp_path: Path) -> None:
    twice = ods_cell('office:value-type="string" table:number-columns-repeated="2"', "a")
    row = '<table:table-row table:number-rows-repeated="2">'
    table = ods_table([["x"], [twice, None, "b"]]).replace(f"<table:table-row>{twice}", f"{row}{twice}")
    rows = list(opened(ods_of(tmp_path, table)).rows("Hoja1"))
    assert [(row.line, row.cells) for row in rows] == [(1, ["x"]), (2, ["a", "a", "", "b"]), (3, ["a", "a", "", "b"])]


def _hidden_xlsx(folder: Path) -> Path:
    sheet = sheet_xml([["x"], ["a"], ["b"]]).replace('<row r="2"', '<row hidden="1" r="2"')
    return write_parts(folder / "file.xlsx", workbook_parts({"Hoja1": sheet}))


def _hidden_ods(folder: Path) -> Path:
    table = ods_table([["x"], ["a"], ["b"]])
    first, second, *rest = table.split("<table:table-row>")
    hidden = '<table:table-row table:visibility="filter">'
    return ods_of(folder, f"{first}<table:table-row>{second}{hidden}{'<table:table-row>'.join(rest)}")


def _hidden_xml(folder: Path) -> Path:
    first, second, *rest = xml_table([["x"], ["a"], ["b"]]).split("<Row>")
    return xml_workbook_of(folder, f'{first}<Row>{second}<Row ss:Hidden="1">{"<Row>".join(rest)}')


def _hidden_xls(folder: Path) -> Path:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Hoja1")
    for line, text in enumerate("xab"):
        sheet.write(line, 0, text)
    sheet.row(1).hidden = True
    book.save(str(folder / "file.xls"))
    return folder / "file.xls"


def _hidden_html(folder: Path) -> Path:
    return web_page(
        folder, "<table><tr><td>x</td></tr><tr style='display: none'><td>a</td></tr><tr><td>b</td></tr></table>"
    )


@pytest.mark.parametrize("make", [_hidden_xlsx, _hidden_ods, _hidden_xml, _hidden_xls, _hidden_html])
def test_hidden_rows_are_read_and_marked(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    table = opened(make(tmp_path))
    assert [(row.cells, row.is_hidden) for row in table.rows(table.sheets[0])] == [
        (["x"], False),
        (["a"], True),
        (["b"], False),
    ]


def test_hidden_sheets_of_ods_are_skipped(tmp_path: Path) -> None:
    styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    tables = ods_table([["a"]], "Oculta", "ta2"), ods_table([["b"]], "Vista")
    assert opened(ods_of(tmp_path, *tables, styles=styles)).sheets == ("Vista",)
    assert cells(ods_of(tmp_path, *tables), "Vista") == [["b"]]


def test_a_protected_ods_is_refused(tmp_path: Path) -> None:
    manifest = '<m:manifest xmlns:m="x"><m:encryption-data/></m:manifest>'
    with refused((Code.FILE_ENCRYPTED, "file")):
        opened(ods_of(tmp_path, ods_table([["a"]]), manifest=manifest))


# --- SpreadsheetML ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ('<Cell ss:StyleID="s1"><Data ss:Type="Number">123</Data></Cell>', "00123"),
        ('<Cell ss:Formula="=RC[-1]*2"><Data ss:Type="Number">5.8</Data></Cell>', Formula("5.8", Decimal("5.8"))),
        ('<Cell ss:Formula="=RC[-1]"/>', Formula("")),
        ('<Cell ss:Formula="=1/0"><Data ss:Type="Error">#DIV/0!</Data></Cell>', CellError("#DIV/0!")),
        ('<Cell><Data ss:Type="String">=1+1</Data></Cell>', "=1+1"),
        ('<Cell><Data ss:Type="DateTime">1899-12-31T12:30:00.000</Data></Cell>', "12:30"),
        ('<Cell><Comment><Data>nota</Data></Comment><Data ss:Type="String">Gasa</Data></Cell>', "Gasa"),
        ('<Cell><ss:Data ss:Type="String"><B>Ga</B>sa</ss:Data></Cell>', "Gasa"),
    ],
)
def test_cells_of_spreadsheetml_are_read(tmp_path: Path, cell: str, read: Cell) -> None:
    styles = '<Style ss:ID="s1"><NumberFormat ss:Format="00000"/></Style>'
    assert cells(xml_workbook_of(tmp_path, xml_table([[Raw(cell)]]), styles=styles)) == [[read]]


def test_cells_and_rows_of_spreadsheetml_have_an_index(tmp_path: Path) -> None:
    rows = (
        '<Row ss:Index="3"><Cell ss:Index="2"><Data ss:Type="String">a</Data></Cell>'
        '<Cell ss:MergeAcross="1"><Data ss:Type="String">b</Data></Cell><Cell><Data ss:Type="String">c</Data></Cell>'
        '</Row><Row/><Row><Cell><Data ss:Type="String">d</Data></Cell></Row>'
    )
    file = xml_workbook_of(tmp_path, f'<Worksheet ss:Name="Hoja1"><Table>{rows}</Table></Worksheet>')
    assert [(row.line, row.cells) for row in opened(file).rows("Hoja1")] == [(3, ["", "a", "b", "", "c"]), (5, ["d"])]


def test_sheets_and_encoding_of_spreadsheetml_are_read(tmp_path: Path) -> None:
    hidden = "<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>"
    sheets = xml_table([["a"]], "Oculta", hidden), xml_table([["Cánula"]], "Vista")
    file = xml_workbook_of(tmp_path, *sheets, encoding="iso-8859-1")
    assert opened(file).sheets == ("Vista",)
    assert cells(file, "Vista") == [["Cánula"]]


# --- web pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("<tr><th>a<th>b<tr><td>1<td>2", [["a", "b"], ["1", "2"]]),
        ("<TR><TD>C&aacute;nula&nbsp;5&#160;&micro;m &lt;x&gt;</TD></TR>", [["Cánula\xa05\xa0µm <x>"]]),
        ("<tr><td> <b>Gasa</b>\n  fina<br>\n  4 <!-- x --></td><td></td><td>1</td></tr>", [["Gasa fina\n4", "", "1"]]),
        ("<tr><td colspan=2>a</td><td>b</td></tr>", [["a", "", "b"]]),
        ("<tr><td rowspan='2'>a</td><td>b</td></tr><tr><td>c</td></tr>", [["a", "b"], ["", "c"]]),
        ("<thead><tr><td>a</td></tr></thead><tbody><tr><td>1</td></tr></tbody>", [["a"], ["1"]]),
        ("<tr><td>a<script>if (1 < 2) '</td>'</script><style>td {}</style></td></tr>", [["a"]]),
        ("<tr><td x:num='1637.75'>1.637,75</td><td x:num>5</td></tr>", [[AMOUNT, "5"]]),
        ("<tr><td x:num='123'>00123</td><td x:num='46115'>03/04/2026</td></tr>", [["00123", "03/04/2026"]]),
        ("<tr><td x:num='5.8' x:fmla='=A1*2'>5.80</td></tr>", [[Formula("5.8", TWO_DECIMALS)]]),
        ("<tr><td>=1+1</td><td>=\"00123\"</td></tr>", [[Formula("=1+1"), "00123"]]),
        ("<tr><td></td></tr><tr></tr><tr><td>a</td></tr>", [["a"]]),
    ],
)  # fmt: skip
def test_tables_of_web_pages_are_read(tmp_path: Path, table: str, read: list[list[Cell]]) -> None:
    assert cells(web_page(tmp_path, f"<h1>Lista</h1><table>{table}</table>"), "1") == read


def test_each_table_of_a_web_page_is_a_sheet(tmp_path: Path) -> None:
    """Web pages use tables for layout too.

    The content of a nested table is not part of the outer cell.
    """
    page = "<table><tr><td>Menú<table><tr><td>a</td></tr><tr><td>1</td></tr></table></td></tr></table><table></table>"
    file = web_page(tmp_path, page)
    assert opened(file).sheets == ("1", "2")
    assert [cells(file, "1"), cells(file, "2")] == [[["Menú"]], [["a"], ["1"]]]


@pytest.mark.parametrize(
    ("head", "encoding", "reported"),
    [
        ("<meta charset='windows-1252'>", "cp1252", ("windows-1252", "encoding.told")),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
            "cp1252",
            ("windows-1252", "encoding.told"),
        ),
        ("<meta charset=utf-8>", "utf-8", ("utf-8", "encoding.told")),
        ("<meta charset=utf-8>", "cp1252", ("windows-1252", "encoding.not_utf8")),
        ("", "cp850", ("cp850", "encoding.letters")),
        ("", "utf-16", ("utf-16-le", "encoding.marked")),
    ],
)
def test_the_encoding_of_web_pages_is_detected(
    tmp_path: Path, head: str, encoding: str, reported: tuple[str, str]
) -> None:
    file = web_page(tmp_path, "<table><tr><td>Algodón<td>Cirugía</table>", head=head, encoding=encoding)
    assert cells(file, "1") == [["Algodón", "Cirugía"]]
    assert [(found.value, found.code) for found in opened(file).findings if found.what == "encoding"] == [reported]


@pytest.mark.parametrize("start", ["", "\n<!-- x -->\n", "<!DOCTYPE html>", '<?xml version="1.0"?>\n<!DOCTYPE html>'])
def test_web_pages_are_recognized_by_their_start(tmp_path: Path, start: str) -> None:
    file = tmp_path / "file.xls"
    file.write_text(f"{start}<html xmlns:x='urn:x'><table border=1><tr><td>a</td></tr></table></html>")
    assert cells(file, "1") == [["a"]]


# --- hostile files ---------------------------------------------------------------------------------------------------


def read_to_its_end(file: Path) -> None:
    table = opened(file)
    for sheet in table.sheets:
        for _ in table.rows(sheet):
            pass


def refusal(file: Path) -> Code:
    with pytest.raises(Refused) as caught:
        read_to_its_end(file)
    return caught.value.reasons[0].code


def _xlsx(folder: Path, inner: str) -> Path:
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{inner}</sheetData></worksheet>'
    return write_parts(folder / "file.xlsx", workbook_parts({"Hoja1": sheet}))


def _ods(folder: Path, inner: str) -> Path:
    return ods_of(folder, f'<table:table table:name="Hoja1">{inner}</table:table>')


def _xml(folder: Path, inner: str) -> Path:
    return xml_workbook_of(folder, f'<Worksheet ss:Name="Hoja1"><Table>{inner}</Table></Worksheet>')


def _page(folder: Path, inner: str) -> Path:
    return web_page(folder, f"<table><tr><td>1</td></tr><tr><td>{inner}")


MARKUP = [_xlsx, _ods, _xml]
EMPTY: dict[str, tuple[Callable[[Path, str], Path], str]] = {
    "xlsx, rows": (_xlsx, "<row/>"),
    "xlsx, cells": (_xlsx, "<row><c/></row>"),
    "ods, rows": (_ods, "<table:table-row/>"),
    "ods, cells": (_ods, "<table:table-row><table:table-cell/></table:table-row>"),
    "xml, rows": (_xml, "<Row/>"),
    "xml, cells": (_xml, "<Row><Cell/></Row>"),
    "page, cells": (_page, "<tr><td></td></tr>"),
    "page, beside the cells": (_page, "<i></i>"),
}


@pytest.mark.parametrize("limit", ["MAX_ELEMENTS", "MAX_WRITTEN_ROWS"])
@pytest.mark.parametrize("case", EMPTY)
def test_empty_rows_and_cells_count_for_the_limits(
    tmp_path: Path, case: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, piece = EMPTY[case]
    if limit == "MAX_WRITTEN_ROWS" and make is _page:
        limit = "MAX_ROWS" if "<tr>" in piece else "MAX_ELEMENTS"
    monkeypatch.setattr(limits, limit, 1_000)
    code = Code.FILE_TOO_LONG if limit == "MAX_ROWS" else Code.FILE_TOO_MANY_CELLS
    assert refusal(make(tmp_path, piece * 1_100)) is code
    monkeypatch.setattr(limits, limit, 10_000)
    read_to_its_end(make(tmp_path, piece * 1_100))


@pytest.mark.parametrize("make", [*MARKUP, _page])
def test_deeply_nested_elements_are_refused(tmp_path: Path, make: Callable[[Path, str], Path]) -> None:
    assert refusal(make(tmp_path, "<b>" * 100_000 + "</b>" * 100_000)) is Code.FILE_DAMAGED


@pytest.mark.parametrize("make", MARKUP)
def test_too_many_element_names_are_refused(tmp_path: Path, make: Callable[[Path, str], Path]) -> None:
    assert refusal(make(tmp_path, "".join(f"<a{n}/>" for n in range(50_000)))) is Code.FILE_DAMAGED


@pytest.mark.parametrize("inner", ['<b a="{}"/>', "<b {}/>", "<!--{}-->"])
@pytest.mark.parametrize("make", [*MARKUP, _page])
def test_a_huge_tag_or_comment_is_refused(tmp_path: Path, make: Callable[[Path, str], Path], inner: str) -> None:
    many = " ".join(f"a{n}='>'" for n in range(300_000)) if inner.startswith("<b {") else "x" * 3_000_000
    assert refusal(make(tmp_path, inner.format(many))) is Code.FILE_DAMAGED


def test_entity_definitions_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    content = f'<?xml version="1.0"?>{bomb}<office:document-content {OFFICE}/>'
    file = write_parts(tmp_path / "file.ods", {"mimetype": SPREADSHEET, "content.xml": content})
    assert refusal(file) is Code.FILE_WITH_ENTITIES
    file = xml_workbook(tmp_path, ["a"])
    outside = '<!DOCTYPE Workbook SYSTEM "file:///etc/passwd"><Workbook'
    file.write_text(file.read_text().replace("<Workbook", outside))
    assert refusal(file) is Code.FILE_WITH_ENTITIES


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ('<table:table-row table:number-rows-repeated="1000000000">{}</table:table-row>', Code.FILE_TOO_LONG),
        ("<table:table-row>{wide}</table:table-row>", Code.FILE_TOO_WIDE),
        (
            '<table:table-row><table:table-cell><text:p><text:s text:c="1000000000"/></text:p></table:table-cell>'
            "</table:table-row>",
            Code.FILE_CELL_TOO_LONG,
        ),
        ('<table:table-row table:number-rows-repeated="x">{}</table:table-row>', Code.FILE_DAMAGED),
    ],
)  # fmt: skip
def test_huge_repeat_counts_are_refused(tmp_path: Path, row: str, code: Code) -> None:
    cell = '<table:table-cell office:value-type="string"{}><text:p>a</text:p></table:table-cell>'
    wide = cell.format(' table:number-columns-repeated="1000000000"')
    assert refusal(_ods(tmp_path, row.format(cell.format(""), wide=wide))) is code


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("<td>" * 600, Code.FILE_TOO_WIDE),
        ("<td>a<td colspan=999999>b<td>c", Code.FILE_TOO_WIDE),
        ("<table>" * 21, Code.FILE_KIND_UNKNOWN),
        ("</table>" + "<table></table>" * 10_001, Code.FILE_KIND_UNKNOWN),
        ("x" * 40_000, Code.FILE_CELL_TOO_LONG),
    ],
    ids=["cells", "span", "depth", "tables", "text"],
)
def test_absurd_web_pages_are_refused(tmp_path: Path, inner: str, code: Code) -> None:
    assert refusal(_page(tmp_path, inner)) is code


@pytest.mark.parametrize(
    ("make", "rows"),
    [
        (_ods, '<table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row>'),
        (_xml, '<Row><Cell><Data ss:Type="Number">1</Data></Cell></Row>'),
        (_page, "<tr><td>1"),
    ],
)
def test_too_many_rows_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path, str], Path], rows: str
) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 1_000)
    assert refusal(make(tmp_path, rows * 1_002)) is Code.FILE_TOO_LONG


@pytest.mark.parametrize("make", [ods, xml_workbook])
def test_truncated_files_are_refused(tmp_path: Path, make: Callable[..., Path]) -> None:
    rows: Sequence[Sequence[Any]] = [[f"C-{number}", number] for number in range(2_000)]
    whole = make(tmp_path, *rows).read_bytes()
    for part in (0.5, 0.9, 0.999):
        file = tmp_path / "cut.xls"
        file.write_bytes(whole[: int(len(whole) * part)])
        assert refusal(file) is Code.FILE_DAMAGED
