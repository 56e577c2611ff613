"""Builders of workbooks for tests.

XLSX is written part by part, so that tests can create files that no program would write; XLS is written with xlwt.
"""

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

# Styles of the workbooks: general, date, date and time, five digits with leading zeros, own date format, money.
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
    """A cell as XML, which is written unchanged."""

    __slots__ = ()


def number(value: object, style: int = PLAIN) -> Raw:
    """Return a number cell with a style."""
    return Raw(f'<c s="{style}"><v>{value}</v></c>')


def formula(text: str, shown: object = "") -> Raw:
    """Return a formula cell with its stored result."""
    return Raw(f"<c><f>{escape(text)}</f><v>{shown}</v></c>")


def sheet_xml(rows: Iterable[Sequence[Any]], *, blank: int = 0) -> str:
    """Return a sheet's XML; the first ``blank`` rows are left out."""
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
    """Return the parts of a workbook; ``sheets`` are XML by name."""
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
    """Write an XLSX workbook with one sheet."""
    return write_parts(folder / name, workbook_parts({"Hoja1": sheet_xml(rows)}, **options))


def xlsx_of(folder: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], **options: Any) -> Path:
    """Write an XLSX workbook with several sheets."""
    made = {name: sheet_xml(rows) for name, rows in sheets.items()}
    return write_parts(folder / "file.xlsx", workbook_parts(made, **options))


def xls(folder: Path, *rows: Sequence[Any], name: str = "file.xls", sheets: Mapping[str, Any] | None = None) -> Path:
    """Write an old XLS workbook."""
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


OFFICE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
)
SPREADSHEET = "application/vnd.oasis.opendocument.spreadsheet"


def ods_table(rows: Iterable[Sequence[Any]], name: str = "Hoja1", style: str = "ta1") -> str:
    """Return an ODS sheet with empty rows and columns, as LibreOffice does."""
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    return (
        f'<table:table table:name={quoteattr(name)} table:style-name="{style}">'
        f'<table:table-column table:number-columns-repeated="16384"/>{lines}'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row></table:table>'
    )


def _ods_cell(value: Any) -> str:
    if isinstance(value, Raw):
        return value
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        reported = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, int | float):
        reported = f'office:value-type="float" office:value="{value!r}"'
    elif isinstance(value, datetime):
        reported = f'office:value-type="date" office:date-value="{value.isoformat()}"'
    else:
        reported = 'office:value-type="string"'
    return f"<table:table-cell {reported}><text:p>{escape(str(value))}</text:p></table:table-cell>"


def ods_of(folder: Path, *tables: str, manifest: str = "<m/>", styles: str = "") -> Path:
    """Write an ODS workbook; ``tables`` are the XML of its sheets."""
    content = (
        f"{_HEAD}<office:document-content {OFFICE}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    parts = {"mimetype": SPREADSHEET, "content.xml": content, "META-INF/manifest.xml": manifest}
    return write_parts(folder / "file.ods", parts)


def ods(folder: Path, *rows: Sequence[Any]) -> Path:
    """Write an ODS workbook with one sheet."""
    return ods_of(folder, ods_table(rows))


def xml_table(rows: Iterable[Sequence[Any]], name: str = "Hoja1", options: str = "") -> str:
    """Return a SpreadsheetML 2003 sheet."""
    lines = "".join(f"<Row>{''.join(map(_xml_cell, row))}</Row>" for row in rows)
    return f"<Worksheet ss:Name={quoteattr(name)}><Table>{lines}</Table>{options}</Worksheet>"


def _xml_cell(value: Any) -> str:
    if isinstance(value, Raw):
        return value
    if value is None:
        return "<Cell/>"
    if isinstance(value, bool):
        kind, written = "Boolean", str(int(value))
    elif isinstance(value, int | float):
        kind, written = "Number", repr(value)
    elif isinstance(value, datetime):
        kind, written = "DateTime", value.isoformat(timespec="milliseconds")
    else:
        kind, written = "String", escape(str(value))
    return f'<Cell><Data ss:Type="{kind}">{written}</Data></Cell>'


def xml_workbook_of(folder: Path, *sheets: str, styles: str = "", encoding: str = "UTF-8") -> Path:
    """Write a SpreadsheetML workbook; ``sheets`` are its sheets' XML.

    Most such files are named .xls, and so is this one.
    """
    file = folder / "file.xls"
    main = "urn:schemas-microsoft-com:office:spreadsheet"
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<?mso-application progid="Excel.Sheet"?>\n'
        f'<Workbook xmlns="{main}" xmlns:ss="{main}" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        f"<Styles>{styles}</Styles>{''.join(sheets)}</Workbook>"
    )
    file.write_bytes(text.encode(encoding))
    return file


def xml_workbook(folder: Path, *rows: Sequence[Any]) -> Path:
    """Write a SpreadsheetML workbook with one sheet."""
    return xml_workbook_of(folder, xml_table(rows))


def web_page(folder: Path, body: str, *, head: str = "", encoding: str = "utf-8") -> Path:
    """Write a web page named .xls, as reporting systems do."""
    file = folder / "file.xls"
    file.write_bytes(f"<html><head>{head}</head><body>{body}</body></html>".encode(encoding))
    return file
