"""Which kind of file it is, by what is in it and never by its name."""

import re
from pathlib import Path

from adapters.batch.limits import must_not_be_larger, refusal
from adapters.batch.old_workbook import open_old_workbook
from adapters.batch.text_table import open_text
from adapters.batch.workbook import open_workbook
from application.imports.reading import Choices, Table
from domain.refusal import Code

_LOOKED_AT = 4_096
_ZIP = b"PK\x03\x04"
_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# How files begin that are often sent for a table.
_OTHERS = (
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
_MARKUP = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|table|head|meta|\?xml|!--|style)", re.IGNORECASE)
_JSON = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*(?:\{\s*"|\[\s*[{\[])')
_LETTER = re.compile(rb"\AMIME-Version:", re.IGNORECASE)


def open_table(path: Path, choices: Choices) -> Table:
    """The table in that file. Raise ``Refused`` for what is none, or would do harm."""
    size = path.stat().st_size
    if size == 0:
        raise refusal(Code.FILE_EMPTY)
    must_not_be_larger(size)
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
    if start.startswith(_ZIP):
        return open_workbook(path)
    if start.startswith(_OLE2):
        return open_old_workbook(path)
    if _MARKUP.match(start) or _LETTER.match(start):
        kind = "XML" if b"<?xml" in start[:200] and b"<html" not in start.lower() else "HTML"
        raise refusal(Code.FILE_KIND_UNKNOWN, kind=kind)
    if _JSON.match(start):
        raise refusal(Code.FILE_KIND_UNKNOWN, kind="JSON")
    for beginning, kind in _OTHERS:
        # Two letters may begin a text as well: what is no text has characters that no text has.
        if start.startswith(beginning) and (len(beginning) > 2 or b"\x00" in start):
            raise refusal(Code.FILE_KIND_UNKNOWN, kind=kind)
    return open_text(path, choices)
