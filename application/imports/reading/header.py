"""Find the header of a file: the row that names the columns."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, pairwise

from application.imports.reading import dates, numbers
from application.imports.reading.cells import Formula, RawRow, shown
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import FieldSet, words_of
from application.imports.reading.matching import REASONS_COLUMNS, MatchStrength, match_columns, score
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.table import Choices, Detection, Question, Table, column_letters, listed
from domain.common.errors import Code, Reason, Refused

# How many rows are searched for the header. Titles and disclaimers may be above it, but not a whole page of them.
SCAN_ROWS = 60
_MAX_NAME_LENGTH = 200
# The bonus score of a header that has all required columns.
COMPLETE = 100
Recall = Callable[[str], Mapping[str, str]]


@dataclass(slots=True)
class Header:
    """A row that names the columns.

    ``line`` is 0 if the file has no header. ``finding`` is why this row was chosen.
    """

    line: int
    columns: tuple[str, ...]
    finding: Detection
    score: int


def wanted_sheets(table: Table, choices: Choices) -> list[str]:
    """Return the chosen sheet, or all sheets."""
    if choices.sheet is None:
        return list(table.sheets)
    if choices.sheet not in table.sheets:
        raise Refused(
            Reason(Code.FILE_SHEET_UNKNOWN, "sheet", {"value": choices.sheet, "sheets": listed(table.sheets)})
        )
    return [choices.sheet]


def find_header(
    table: Table,
    shape: FieldSet,
    choices: Choices,
    recall: Recall,
    findings: list[Detection],
    questions: list[Question],
) -> tuple[str, list[RawRow], Header]:
    wanted = wanted_sheets(table, choices)
    found: dict[str, Header] = {}
    heads: dict[str, list[RawRow]] = {}
    for sheet in wanted:
        head = list(islice(table.rows(sheet), SCAN_ROWS))
        header = _header(head, shape, choices, recall)
        if header:
            found[sheet] = header
            heads[sheet] = [row for row in head if not row.is_empty()]
    if not found:
        raise Refused(Reason(Code.FILE_WITHOUT_ROWS, "file"))
    most = max(header.score for header in found.values())
    best = [sheet for sheet, header in found.items() if header.score == most]
    if len(table.sheets) > 1:
        code = "sheet.chosen" if choices.sheet else "sheet.only" if len(found) == 1 else "sheet.best"
        findings.append(Detection("sheet", best[0], code, {"others": listed(s for s in table.sheets if s != best[0])}))
        if len(best) > 1:
            questions.append(Question("sheet", "sheet.several", tuple(best)))
    return best[0], heads[best[0]], found[best[0]]


def _header(head: list[RawRow], shape: FieldSet, choices: Choices, recall: Recall) -> Header | None:
    rows = [row for row in head if not row.is_empty()]
    if not rows:
        return None
    if choices.header_row is not None:
        return _chosen_header(head, rows, shape, choices.header_row)
    named = [name for name in choices.mapping.values() if name]
    if named:
        for row in rows:
            if set(named) <= set(names_in(row)):
                return Header(row.line, names_in(row), _at(row, "header.named"), score_of(row, shape))
    scored = max(rows, key=lambda row: score_of(row, shape))
    scored = _lower_line(scored, rows, shape)
    if score_of(scored, shape) < COMPLETE:
        scored = next((row for row in rows if recall(shape_of(names_in(row)))), scored)
    if score_of(scored, shape) > MatchStrength.SIMILAR or recall(shape_of(names_in(scored))):
        return Header(scored.line, names_in(scored), _at(scored, "header.known"), score_of(scored, shape))
    for row, below in pairwise(rows):
        if _names_all_columns(row, rows) and _is_unlike(row, below):
            return Header(row.line, names_in(row), _at(row, "header.above_data"), 1)
    return _without_header(rows, "header.none")


def _lower_line(header: RawRow, rows: list[RawRow], shape: FieldSet) -> RawRow:
    """Return the line of the header that covers more columns.

    Above the names of the columns, a line may name groups of them: *Insumo* above *Código* and *Nombre*.
    """
    for row, below in pairwise(rows):
        if row is header and _covers_more(below, header) and _strength(below, shape) >= _strength(header, shape):
            return _lower_line(below, rows, shape)
    return header


def _covers_more(row: RawRow, other: RawRow) -> bool:
    texts, others = ([text for cell in one.cells if (text := shown(cell))] for one in (row, other))
    return len(texts) > len(others) and not any(map(_is_datum, texts))


def _strength(row: RawRow, shape: FieldSet) -> int:
    return score_of(row, shape) % COMPLETE


def _chosen_header(head: list[RawRow], rows: list[RawRow], shape: FieldSet, line: int) -> Header:
    if line == 0:
        return _without_header(rows, "header.chosen_none")
    for row in head:
        if row.line == line and not row.is_empty():
            return Header(line, names_in(row), _at(row, "header.chosen"), score_of(row, shape))
    raise Refused(Reason(Code.FILE_HEADER_UNKNOWN, "header_row", {"value": line}))


def _without_header(rows: list[RawRow], code: str) -> Header:
    width = max(len(row.cells) for row in rows)
    return Header(0, tuple(map(column_letters, range(width))), Detection("header_row", "0", code), 0)


def _at(row: RawRow, code: str) -> Detection:
    return Detection("header_row", str(row.line), code, {"line": row.line})


def names_in(row: RawRow) -> tuple[str, ...]:
    """Return the column names in a header row.

    Duplicates get a number, and columns without a name their letters.
    """
    names: list[str] = []
    for index, cell in enumerate(row.cells):
        name = " ".join(shown(cell).split()) or column_letters(index)
        same = sum(1 for other in names if other == name or other.startswith(f"{name} ("))
        names.append(f"{name} ({same + 1})" if same else name)
    while len(names) > 1 and not shown(row.cells[len(names) - 1]):
        names.pop()
    return tuple(names)


def score_of(row: RawRow, shape: FieldSet) -> int:
    texts = [shown(cell) for cell in row.cells if not isinstance(cell, Formula)]
    if any(len(text) > _MAX_NAME_LENGTH for text in texts):
        return 0
    return score(match_columns(names_in(row), shape), shape)


def data_rows(table: Table, sheet: str, header_line: int, columns: Sequence[str]) -> Iterator[RawRow]:
    """Yield the rows below the header, without empty rows.

    A repeated header is skipped too.
    """
    for row in table.rows(sheet):
        if row.line <= header_line or row.is_empty():
            continue
        if header_line and shown(row.cells[0]) == columns[0] and names_in(row) == columns:
            continue
        yield row


def shape_of(columns: Sequence[str]) -> str:
    """Return a digest of the column names in order.

    It ignores case and accents, so that files of the same shape share it.
    """
    names = [" ".join(words_of(name)) for name in columns if name.casefold() not in REASONS_COLUMNS]
    return hashlib.sha256("\x1f".join(names).encode()).hexdigest()


def _names_all_columns(row: RawRow, rows: list[RawRow]) -> bool:
    """Return whether the row looks like a header.

    It has texts, but no number or date, in nearly every column that other rows fill.
    """
    widths = Counter(sum(1 for cell in other.cells if shown(cell)) for other in rows)
    usual = widths.most_common(1)[0][0]
    texts = [shown(cell) for cell in row.cells if shown(cell)]
    plain = all(isinstance(cell, str) for cell in row.cells)
    return plain and len(texts) >= max(usual - 1, 1) and not any(_is_datum(text) for text in texts)


def _is_unlike(row: RawRow, below: RawRow) -> bool:
    """Return whether the row below has numbers or dates.

    A header has none.
    """
    del row
    return any(not isinstance(cell, str) or _is_datum(shown(cell)) for cell in below.cells if shown(cell))


def _is_datum(text: str) -> bool:
    return (
        any(numbers.read_number(text, mark) is not None for mark in DecimalMark)
        or dates.read_day(text, DateOrder.DAY_FIRST, latest=date.max) is not None
        or dates.is_unclear(text)
    )
