"""Base class of files with sheets."""

from collections.abc import Sequence

from adapters.spreadsheets.limits import MAX_SHEETS, SheetBudget, refusal
from application.imports.reading.table import Detection, Question
from domain.common.errors import Code


class Book:
    """A file with sheets, by name. Cells have fixed positions: none can shift."""

    cells_may_shift = False

    def __init__(self, sheets: Sequence[str], *findings: Detection, questions: tuple[Question, ...] = ()) -> None:
        self.sheets = tuple(sheets)
        self.findings = findings
        self.questions = questions
        self.budget = SheetBudget()


def sheets_to_read(listed: Sequence[tuple[str, bool]]) -> dict[str, int]:
    """Return the sheets to read, by name, with their positions.

    ``listed`` are names and whether the sheet is hidden. Hidden sheets are read only if there are no others. Raise
    ``Refused`` if there are no sheets.
    """
    if not listed:
        raise refusal(Code.FILE_WITHOUT_ROWS)
    shown = [(name, place) for place, (name, hidden) in enumerate(listed) if not hidden]
    sheets: dict[str, int] = {}
    for name, place in (shown or [(name, place) for place, (name, _) in enumerate(listed)])[:MAX_SHEETS]:
        sheets.setdefault(name, place)
    return sheets
