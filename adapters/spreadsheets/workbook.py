"""What all files with sheets have in common."""

from collections.abc import Sequence

from adapters.spreadsheets.limits import MAX_SHEETS, SheetBudget, refusal
from application.imports.reading.table import Detection, Question
from domain.errors import Code


class Book:
    """A file with one or more sheets, by their names. Cells have places of their own: none moves another aside."""

    cells_may_shift = False

    def __init__(self, sheets: Sequence[str], *findings: Detection, questions: tuple[Question, ...] = ()) -> None:
        self.sheets = tuple(sheets)
        self.findings = findings
        self.questions = questions
        self.budget = SheetBudget()


def sheets_to_read(listed: Sequence[tuple[str, bool]]) -> dict[str, int]:
    """The sheets, by their names, and their places among all; ``listed`` tells of each whether it is hidden.

    What is hidden is looked at where nothing else is there. Raise ``Refused`` where there are none.
    """
    if not listed:
        raise refusal(Code.FILE_WITHOUT_ROWS)
    shown = [(name, place) for place, (name, hidden) in enumerate(listed) if not hidden]
    sheets: dict[str, int] = {}
    for name, place in (shown or [(name, place) for place, (name, _) in enumerate(listed)])[:MAX_SHEETS]:
        sheets.setdefault(name, place)
    return sheets
