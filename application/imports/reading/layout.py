"""Detect the layout of a file: header, columns, number and date formats.

Every detection has a reason that can be displayed, and a user's choice overrides it. What cannot be detected is asked.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from application.common.nothing import comes_too_often
from application.imports.reading.cells import RawRow
from application.imports.reading.column_mapping import map_columns
from application.imports.reading.columns import FIELD_SETS, IMPORTABLE
from application.imports.reading.currencies import Currencies
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import Noun
from application.imports.reading.formats import Scan
from application.imports.reading.header import (
    COMPLETE,
    SCAN_ROWS,
    Recall,
    data_rows,
    find_header,
    score_of,
    shape_of,
    wanted_sheets,
)
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.table import Choices, Detection, Question, Table

# The number of rows among which a user chooses the header if none was detected.
_MAX_HEADERS = 20


def _no_mapping(_: str) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLayout:
    """How to read a file. While it has ``questions``, nothing is stored."""

    noun: Noun
    sheets: tuple[str, ...]
    sheet: str
    head: tuple[RawRow, ...]
    header_row: int
    columns: tuple[str, ...]
    mapping: Mapping[str, int]
    mark: DecimalMark
    order: DateOrder | None
    currencies: Currencies
    usual_currency: str
    rows: int
    births_are_fillers: bool
    fractional_codes: frozenset[str]
    sample: tuple[RawRow, ...]
    shape: str
    findings: tuple[Detection, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def named_mapping(self) -> dict[str, str]:
        """The names of the columns that fill the fields."""
        return {name: self.columns[index] for name, index in self.mapping.items()}


def similar_kinds(table: Table, choices: Choices) -> list[Noun]:
    """Return the possible nouns of a file, the most likely first.

    The list is empty if no noun fits, or if two fit equally well.
    """
    scores: Counter[Noun] = Counter()
    for sheet in wanted_sheets(table, choices):
        head = list(islice(table.rows(sheet), SCAN_ROWS))
        for noun in IMPORTABLE:
            best = max((score_of(row, FIELD_SETS[noun]) for row in head), default=0)
            scores[noun] = max(scores[noun], best)
    ranked = [(noun, points) for noun, points in scores.most_common() if points >= COMPLETE]
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return []
    return [noun for noun, _ in ranked]


def detect_layout(
    table: Table, noun: Noun, choices: Choices, recall: Recall = _no_mapping, currency: str = ""
) -> FileLayout:
    """Detect how to read a file as ``noun``.

    ``recall`` returns the mapping that was used for a file of the same shape. ``currency`` is the hospital's currency.
    """
    shape = FIELD_SETS[noun]
    questions = list(table.questions)
    findings = list(table.findings)
    sheet, head, header = find_header(table, shape, choices, recall, findings, questions)
    findings.append(header.finding)
    if header.line == 0 and choices.header_row is None:
        questions.append(Question("header_row", "header.none", (), suggestion="0"))
    below = [row for row in head if row.line > header.line]
    mapping = map_columns(header, below, shape, choices, recall(shape_of(header.columns)), findings, questions)
    scan = Scan(shape, header, mapping, currency)
    for row in data_rows(table, sheet, header.line, header.columns):
        scan.look_at(row)
    scan.note_hidden_rows(findings)
    scan.suggest(questions)
    mark = scan.mark(choices.decimal, findings, questions)
    order = scan.order(choices.dates, findings, questions)
    return FileLayout(
        noun=noun,
        sheets=tuple(table.sheets),
        sheet=sheet,
        head=tuple(head[:_MAX_HEADERS]),
        header_row=header.line,
        columns=header.columns,
        mapping=mapping,
        mark=mark,
        order=order,
        currencies=scan.currencies,
        usual_currency=scan.usual_currency,
        rows=scan.rows,
        births_are_fillers=comes_too_often(scan.births_at_first, scan.rows),
        fractional_codes=frozenset(scan.fractional_codes),
        sample=tuple(scan.sample),
        shape=shape_of(header.columns),
        findings=tuple(findings),
        questions=tuple(questions),
    )
