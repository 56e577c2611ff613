"""How much of a file is taken: enough for a hospital's largest list, too little to do harm."""

from application.imports.reading.table import MAX_FILE_BYTES
from domain.errors import Code, Reason, Refused

MAX_XLS_BYTES = 30_000_000
MAX_COLUMNS = 500
MOST_ROWS = 150_000
MAX_SHEETS = 100
# What Excel allows in a cell.
MAX_CELL_LENGTH = 32_767
MAX_LINE_LENGTH = 2_000_000
# A workbook is packed. Sheets are read as a stream; shared texts lie in memory.
MAX_UNPACKED_BYTES = 300_000_000
# What people write packs to a tenth; what is a hundred times as large as packed is the same over and over.
MAX_RATIO = 100
UNPACKED_AT_ANY_RATIO = 16_000_000
# Rows that are written down, empty ones included: as many as spreadsheets have.
MAX_WRITTEN_ROWS = 1_048_576
# Rows, cells and values of cells that are written down, empty ones included: what reading costs.
MAX_ELEMENTS = 6_000_000
# The same of all sheets together. In some kinds of workbooks all sheets before one are passed over to reach it.
MAX_ELEMENTS_OF_SHEETS = 12_000_000
MAX_PART_BYTES = 8_000_000
MAX_SHARED_LETTERS = 30_000_000


def refusal(code: Code, **params: object) -> Refused:
    """The refusal of a file."""
    return Refused(Reason(code, "file", params))


def check_size(size: int, most: int = MAX_FILE_BYTES) -> None:
    """Raise ``Refused`` for a file of more bytes than that."""
    if size > most:
        raise refusal(Code.FILE_TOO_LARGE, most=most // 1_000_000)


def check_columns(count: int, line: int) -> None:
    """Raise ``Refused`` for a row with more columns than any list has."""
    if count > MAX_COLUMNS:
        raise refusal(Code.FILE_TOO_WIDE, line=line, most=MAX_COLUMNS)


def must_have_fewer_rows(count: int) -> None:
    """Raise ``Refused`` for a table with more rows than are taken at once."""
    if count > MOST_ROWS:
        raise refusal(Code.FILE_TOO_LONG, most=MOST_ROWS)


def must_have_fewer_elements(count: int) -> None:
    """Raise ``Refused`` for more rows and cells than are looked at, empty ones included."""
    if count > MAX_ELEMENTS:
        raise refusal(Code.FILE_TOO_MANY_CELLS)


def must_have_fewer_written_rows(count: int) -> None:
    """Raise ``Refused`` for more rows than a spreadsheet has, empty ones included."""
    if count > MAX_WRITTEN_ROWS:
        raise refusal(Code.FILE_TOO_MANY_CELLS)


class SheetBudget:
    """How many elements may be read of all sheets of a file together: each counts once, however often it is read."""

    def __init__(self) -> None:
        self._read: dict[str, int] = {}

    def note(self, sheet: str, elements: int) -> None:
        """Count what was read of a sheet. Raise ``Refused`` for too many."""
        must_have_fewer_elements(elements)
        self._read[sheet] = max(elements, self._read.get(sheet, 0))
        if sum(self._read.values()) > MAX_ELEMENTS_OF_SHEETS:
            raise refusal(Code.FILE_TOO_MANY_CELLS)


def check_cell(length: int, line: int) -> None:
    """Raise ``Refused`` for a text of more letters than a cell holds."""
    if length > MAX_CELL_LENGTH:
        raise refusal(Code.FILE_CELL_TOO_LONG, line=line, most=MAX_CELL_LENGTH)
