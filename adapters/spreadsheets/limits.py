"""Limits of imported files: enough for a hospital's largest list."""

from application.imports.reading.table import MAX_FILE_BYTES
from domain.common.errors import Code, Reason, Refused

MAX_XLS_BYTES = 30_000_000
MAX_COLUMNS = 500
MAX_ROWS = 150_000
MAX_SHEETS = 100
# Excel's limit of a cell.
MAX_CELL_LENGTH = 32_767
MAX_LINE_LENGTH = 2_000_000
# Workbooks are compressed. Sheets are streamed, but shared texts are kept in memory.
MAX_UNPACKED_BYTES = 300_000_000
# Real content compresses to a tenth. Content with a ratio of a hundred is only repetition.
MAX_RATIO = 100
UNPACKED_AT_ANY_RATIO = 16_000_000
# Limit of rows in the file, including empty ones: the limit of spreadsheets.
MAX_WRITTEN_ROWS = 1_048_576
# Limit of rows, cells and cell values in the file, including empty ones: the cost of reading.
MAX_ELEMENTS = 6_000_000
# The same limit for all sheets together. In some formats all sheets before the wanted one must be skipped.
MAX_ELEMENTS_OF_SHEETS = 12_000_000
MAX_PART_BYTES = 8_000_000
MAX_SHARED_LETTERS = 30_000_000


def refusal(code: Code, **params: object) -> Refused:
    """Return the refusal of a file."""
    return Refused(Reason(code, "file", params))


def check_size(size: int, most: int = MAX_FILE_BYTES) -> None:
    """Raise ``Refused`` if the file is too large."""
    if size > most:
        raise refusal(Code.FILE_TOO_LARGE, most=most // 1_000_000)


def check_columns(count: int, line: int) -> None:
    """Raise ``Refused`` if a row has too many columns."""
    if count > MAX_COLUMNS:
        raise refusal(Code.FILE_TOO_WIDE, line=line, most=MAX_COLUMNS)


def must_have_fewer_rows(count: int) -> None:
    """Raise ``Refused`` if the table has too many rows."""
    if count > MAX_ROWS:
        raise refusal(Code.FILE_TOO_LONG, most=MAX_ROWS)


def must_have_fewer_elements(count: int) -> None:
    """Raise ``Refused`` for too many rows and cells, including empty ones."""
    if count > MAX_ELEMENTS:
        raise refusal(Code.FILE_TOO_MANY_CELLS)


def must_have_fewer_written_rows(count: int) -> None:
    """Raise ``Refused`` for too many rows, including empty ones."""
    if count > MAX_WRITTEN_ROWS:
        raise refusal(Code.FILE_TOO_MANY_CELLS)


class SheetBudget:
    """Limit of elements read from all sheets of a file.

    Each element counts once, even if it is read repeatedly.
    """

    def __init__(self) -> None:
        self._read: dict[str, int] = {}

    def note(self, sheet: str, elements: int) -> None:
        """Record the elements read from a sheet. Raise ``Refused`` for too many."""
        must_have_fewer_elements(elements)
        self._read[sheet] = max(elements, self._read.get(sheet, 0))
        if sum(self._read.values()) > MAX_ELEMENTS_OF_SHEETS:
            raise refusal(Code.FILE_TOO_MANY_CELLS)


def check_cell(length: int, line: int) -> None:
    """Raise ``Refused`` if a cell's text is too long."""
    if length > MAX_CELL_LENGTH:
        raise refusal(Code.FILE_CELL_TOO_LONG, line=line, most=MAX_CELL_LENGTH)
