"""How much of a file is taken: enough for a hospital's largest list, too little to do harm."""

from application.imports.reading.table import LARGEST_FILE
from domain.refusal import Code, Reason, Refused

LARGEST_OLD_WORKBOOK = 30_000_000
MOST_COLUMNS = 500
MOST_ROWS = 150_000
MOST_SHEETS = 100
# What Excel allows in a cell.
LONGEST_CELL = 32_767
LONGEST_LINE = 2_000_000
# A workbook is packed. Sheets are read as a stream, so that this bounds time; shared texts lie in memory.
LARGEST_UNPACKED = 600_000_000
LARGEST_PART = 8_000_000
MOST_SHARED_LETTERS = 30_000_000


def refusal(code: Code, **params: object) -> Refused:
    """The refusal of a file."""
    return Refused(Reason(code, "file", params))


def must_not_be_larger(size: int, most: int = LARGEST_FILE) -> None:
    """Raise ``Refused`` for a file of more bytes than that."""
    if size > most:
        raise refusal(Code.FILE_TOO_LARGE, most=most // 1_000_000)


def must_have_fewer_columns(count: int, line: int) -> None:
    """Raise ``Refused`` for a row with more columns than any list has."""
    if count > MOST_COLUMNS:
        raise refusal(Code.FILE_TOO_WIDE, line=line, most=MOST_COLUMNS)


def must_have_fewer_rows(count: int) -> None:
    """Raise ``Refused`` for a table with more rows than are taken at once."""
    if count > MOST_ROWS:
        raise refusal(Code.FILE_TOO_LONG, most=MOST_ROWS)


def must_fit_into_a_cell(length: int, line: int) -> None:
    """Raise ``Refused`` for a text of more letters than a cell holds."""
    if length > LONGEST_CELL:
        raise refusal(Code.FILE_CELL_TOO_LONG, line=line, most=LONGEST_CELL)
