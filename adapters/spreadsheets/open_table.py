"""Detection of the file format by content, never by name."""

import codecs
import re
from pathlib import Path

from adapters.spreadsheets.archive import Archive, open_archive
from adapters.spreadsheets.html import open_web_page
from adapters.spreadsheets.limits import MAX_PART_BYTES, check_size, refusal
from adapters.spreadsheets.ods import open_document
from adapters.spreadsheets.spreadsheetml import open_xml_workbook
from adapters.spreadsheets.text import open_text
from adapters.spreadsheets.xls import open_old_workbook
from adapters.spreadsheets.xlsx import open_workbook
from application.imports.reading.table import Choices, Table
from domain.common.errors import Code

_SNIFFED_BYTES = 4_096
_ZIP = b"PK\x03\x04"
_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# Signatures of files that are often sent instead of a table.
_SIGNATURES = (
    (b"%PDF", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf", "7-Zip"),
    (b"Rar!", "RAR"),
    (b"PK\x05\x06", "ZIP"),
    (b"{\\rtf", "RTF"),
    (b"\x7fELF", "ELF"),
    (b"MZ", "EXE"),
    (b"SQLite format 3", "SQLite"),
)
# Start of pages and other markup files: what may come before the first element, and then this element.
_PROLOG = re.compile(r"(?:\s++|<\?[^>]*+>|<!--.*?-->|<![^>]*+>)*+", re.DOTALL)
_TAG = re.compile(r"<(?:\w+:)?([A-Za-z][\w.-]*)")
_HTML_TAGS = frozenset(
    ["html", "head", "body", "meta", "title", "style", "link", "script", "table", "div", "center", "font", "form", "p"]
)
_JSON = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*(?:\{\s*"|\[\s*[{\[])')
_DOCUMENTS = {b"opendocument.text": "ODT", b"opendocument.presentation": "ODP", b"opendocument.graphics": "ODG"}
_MIME = re.compile(rb"\AMIME-Version:", re.IGNORECASE)


def open_table(path: Path, choices: Choices) -> Table:
    """Open the table in a file. Raise ``Refused`` for other or unsafe files."""
    size = path.stat().st_size
    if size == 0:
        raise refusal(Code.FILE_EMPTY)
    check_size(size)
    with path.open("rb") as file:
        start = file.read(_SNIFFED_BYTES)
    if start.startswith(_ZIP):
        return _open_archive(path)
    if start.startswith(_OLE2):
        return open_old_workbook(path)
    if _MIME.match(start):
        raise refusal(Code.FILE_KIND_UNKNOWN, kind="MHTML")
    tag = _first_tag(start)
    if tag == "workbook":
        return open_xml_workbook(path)
    if tag in _HTML_TAGS:
        return open_web_page(path, choices)
    if tag == "xml":
        raise refusal(Code.FILE_KIND_UNKNOWN, kind="XML")
    if _JSON.match(start):
        raise refusal(Code.FILE_KIND_UNKNOWN, kind="JSON")
    for beginning, kind in _SIGNATURES:
        # A text may begin with these two letters as well. Only a binary file has NUL bytes.
        if start.startswith(beginning) and (len(beginning) > 2 or b"\x00" in start):
            raise refusal(Code.FILE_KIND_UNKNOWN, kind=kind)
    return open_text(path, choices)


def _first_tag(start: bytes) -> str:
    """Return the lower-case name of the first element; empty for plain text.

    Unknown elements after an XML declaration are ``xml``.
    """
    marks = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    text = start.decode(marks.get(start[:2], "utf-8"), errors="replace").removeprefix("\N{BYTE ORDER MARK}").lstrip()
    if not text.startswith("<"):
        return ""
    prolog = _PROLOG.match(text)
    tag = _TAG.match(text, prolog.end() if prolog else 0)
    name = tag[1].lower() if tag else "html" if text.startswith("<!--") else ""
    return name if name == "workbook" or name in _HTML_TAGS else "xml" if text.startswith("<?xml") else ""


def _open_archive(path: Path) -> Table:
    with open_archive(path) as archive:
        if archive.has_one_called("workbook.xml"):
            archive.reject_unsafe()
            return open_workbook(path, archive)
        kind = _kind_of(archive)
        if kind == "ODS":
            archive.reject_unsafe()
            return open_document(path, archive)
        raise refusal(Code.FILE_KIND_UNKNOWN, kind=kind)


def _kind_of(archive: Archive) -> str:
    if archive.has("content.xml"):
        mimetype = b"".join(archive.chunks("mimetype", MAX_PART_BYTES)) if archive.has("mimetype") else b"spreadsheet"
        return next((kind for name, kind in _DOCUMENTS.items() if name in mimetype), "ODS")
    kinds = {"workbook.bin": "XLSB", "document.xml": "DOCX", "presentation.xml": "PPTX"}
    return next((kind for end, kind in kinds.items() if archive.has_one_called(end)), "ZIP")
