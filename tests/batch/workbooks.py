"""Makes workbooks: XLSX by hand, part by part, so that tests can make what no program would; XLS with xlwt."""

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import xlwt

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

# The number formats of the workbooks made here: general, a date, a moment, five digits with zeros, a format of its own.
PLAIN, DATE, MOMENT, ZEROS, OWN_DATE, MONEY = range(6)
_STYLES = (
    f'<styleSheet xmlns="{MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/>'
    '<numFmt numFmtId="165" formatCode="[$-80A]d&quot; de &quot;mmmm"/>'
    '<numFmt numFmtId="166" formatCode="[$$-80A]#,##0.00;[Red]-[$$-80A]#,##0.00"/></numFmts>'
    '<cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0"/>'
    '<xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>'
    "</styleSheet>"
)


class Raw(str):
    """A cell's XML as it is."""

    __slots__ = ()


def number(value: object, style: int = PLAIN) -> Raw:
    """A number in a format."""
    return Raw(f'<c s="{style}"><v>{value}</v></c>')


def formula(text: str, shown: object = "") -> Raw:
    """A cell that is reckoned from others."""
    return Raw(f"<c><f>{escape(text)}</f><v>{shown}</v></c>")


def sheet_xml(rows: Iterable[Sequence[Any]], *, blank: int = 0) -> str:
    """A sheet; ``blank`` rows above are left out."""
    lines = []
    for line, row in enumerate(rows, blank + 1):
        cells = "".join(_cell(value) for value in row)
        lines.append(f'<row r="{line}">{cells}</row>')
    return f'{_HEAD}<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(value: Any) -> str:
    if isinstance(value, Raw):
        return value
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def workbook_parts(
    sheets: Mapping[str, str], *, hidden: Iterable[str] = (), shared: str | None = None, date_1904: bool = False
) -> dict[str, str]:
    """The parts of a workbook with these sheets (their XML, by their names)."""
    states = dict.fromkeys(hidden, ' state="hidden"')
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="s{n}"{states.get(name, "")}/>'
        for n, name in enumerate(sheets, 1)
    )
    properties = '<workbookPr date1904="1"/>' if date_1904 else "<workbookPr/>"
    relations = "".join(
        f'<Relationship Id="s{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    relations += f'<Relationship Id="st" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    if shared is not None:
        relations += f'<Relationship Id="ss" Type="{_OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/>'
    parts = {
        "[Content_Types].xml": f"{_HEAD}<Types/>",
        "_rels/.rels": (
            f'{_HEAD}<Relationships xmlns="{_RELATIONS}"><Relationship Id="r" Type="{_OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'{_HEAD}<workbook xmlns="{MAIN}" xmlns:r="{_OFFICE}">{properties}<sheets>{listed}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
        "xl/styles.xml": _HEAD + _STYLES,
    }
    parts |= {f"xl/worksheets/sheet{n}.xml": xml for n, xml in enumerate(sheets.values(), 1)}
    if shared is not None:
        parts["xl/sharedStrings.xml"] = shared
    return parts


def write_parts(file: Path, parts: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file


def xlsx(folder: Path, *rows: Sequence[Any], name: str = "file.xlsx", **options: Any) -> Path:
    """A workbook with one sheet."""
    return write_parts(folder / name, workbook_parts({"Hoja1": sheet_xml(rows)}, **options))


def xlsx_of(folder: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], **options: Any) -> Path:
    """A workbook with several sheets."""
    made = {name: sheet_xml(rows) for name, rows in sheets.items()}
    return write_parts(folder / "file.xlsx", workbook_parts(made, **options))


def xls(folder: Path, *rows: Sequence[Any], name: str = "file.xls", sheets: Mapping[str, Any] | None = None) -> Path:
    """An old workbook."""
    book = xlwt.Workbook(encoding="utf-8")
    for title, lines in (sheets or {"Hoja1": rows}).items():
        sheet = book.add_sheet(title)
        for line, row in enumerate(lines):
            for column, value in enumerate(row):
                if isinstance(value, datetime):
                    sheet.write(line, column, value, xlwt.easyxf(num_format_str="dd/mm/yyyy"))
                elif value is not None:
                    sheet.write(line, column, value)
    file = folder / name
    book.save(str(file))
    return file
