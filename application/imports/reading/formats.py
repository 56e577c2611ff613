"""Detect the formats of a file from the content of its columns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from application.common.nothing import FIRST_DAY_OF_CLOCKS, nothing_said
from application.imports.reading import dates, numbers
from application.imports.reading.cells import Cell, RawRow, evaluated, shown
from application.imports.reading.column_mapping import NEARLY_ALL
from application.imports.reading.currencies import Currencies, currency_in_a_name
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import Field, FieldSet, Kind
from application.imports.reading.header import Header
from application.imports.reading.matching import REASONS_COLUMNS
from application.imports.reading.numbers import DecimalMark, has_decimals
from application.imports.reading.table import Detection, Question, listed

_SAMPLE_ROWS = 20
_NUMBERS = (Kind.NUMBER, Kind.MONEY)
_DATED = (Kind.DAY, Kind.BIRTHDAY, Kind.MOMENT)


@dataclass(slots=True)
class _FormatEvidence:
    """Evidence about the format of a column's cells."""

    proven: dict[str, str] = field(default_factory=dict)
    unclear: str | None = None
    plain_thousands: bool = False
    currency_marks: set[str] = field(default_factory=set)

    def add(self, proven: str | None, unclear: bool, text: str) -> None:
        if proven:
            self.proven.setdefault(proven, text)
        elif unclear and self.unclear is None:
            self.unclear = text


class Scan:
    """Scans every row once, collecting evidence about formats."""

    def __init__(self, shape: FieldSet, header: Header, mapping: Mapping[str, int], currency: str) -> None:
        self.rows = self.births_at_first = self.hidden_rows = 0
        price = mapping.get("price")
        named = "" if price is None else currency_in_a_name(header.columns[price], currency)
        self.currencies = Currencies(currency, price, mapping.get("currency"), named)
        self._currencies: Counter[str] = Counter()
        self.sample: list[RawRow] = []
        kinds = {name: field.kind for name in mapping if (field := shape.field(name))}
        self._numbers = [mapping[name] for name, kind in kinds.items() if kind in _NUMBERS]
        self._dates = [mapping[name] for name, kind in kinds.items() if kind in _DATED]
        self._births = [mapping[name] for name, kind in kinds.items() if kind is Kind.BIRTHDAY]
        self._codes = {name: mapping[name] for name, kind in kinds.items() if kind is Kind.CODE}
        # The fields with codes such as 2.1, of which 2.0 is one too.
        self.fractional_codes: set[str] = set()
        self._marks, self._orders = _FormatEvidence(), _FormatEvidence()
        self._shape = shape
        self._mapping = mapping
        self._columns = header.columns
        lacking = any(all(name not in mapping for name in names) for names in shape.needs)
        free = set(range(len(header.columns))) - set(mapping.values()) if lacking else set()
        self._free = {index: _Content() for index in free if header.columns[index].casefold() not in REASONS_COLUMNS}

    def look_at(self, row: RawRow) -> None:
        self.rows += 1
        self.hidden_rows += row.is_hidden
        cells, width = row.cells, len(row.cells)
        if len(self.sample) < _SAMPLE_ROWS:
            self.sample.append(row)
        if row.fault:
            return
        for index in self._numbers:
            if index < width and isinstance(cell := evaluated(cells[index]), str):
                text = shown(cell)
                self._marks.add(numbers.told_mark(text), numbers.is_unclear(text), text)
                self._marks.plain_thousands |= numbers.is_plain_thousand(text)
                self._marks.currency_marks.update(numbers.currency_marks(text))
        for index in self._dates:
            if index < width and isinstance(cell := evaluated(cells[index]), str):
                text = shown(cell)
                self._orders.add(dates.told_order(text), dates.is_unclear(text), text)
        for name, index in self._codes.items():
            if index < width and isinstance(cell := cells[index], str) and has_decimals(shown(cell)):
                self.fractional_codes.add(name)
        for index in self._births:
            self.births_at_first += index < width and _is_epoch_date(evaluated(cells[index]))
        for index, content in self._free.items():
            content.look_at(cells[index] if index < width else "")
        if self.currencies.price is not None:
            self._currencies[self.currencies.of(row)] += 1

    def note_hidden_rows(self, findings: list[Detection]) -> None:
        """Add a note about rows that the workbook does not show."""
        if self.hidden_rows:
            code = "rows.hidden_one" if self.hidden_rows == 1 else "rows.hidden"
            findings.append(Detection("rows", str(self.hidden_rows), code, {"count": self.hidden_rows}))

    @property
    def usual_currency(self) -> str:
        """The currency of most prices that have one.

        If two are equally frequent, it is the hospital's.
        """
        ranked = [(count, name == self.currencies.hospital, name) for name, count in self._currencies.items() if name]
        return max(ranked, default=(0, False, ""))[2]

    def suggest(self, questions: list[Question]) -> None:
        """Suggest columns for missing fields by their content.

        A field gets a suggestion only if exactly one column fits, and each column is suggested once.
        """
        taken: set[int] = set()
        for kinds in ((*_NUMBERS, *_DATED), (Kind.TEXT,), (Kind.CODE,)):
            for place, question in enumerate(questions):
                wanted = self._shape.field(question.field or "")
                if question.code != "column.missing" or wanted is None or wanted.kind not in kinds:
                    continue
                free = {index: content for index, content in self._free.items() if index not in taken}
                alike = [index for index, content in free.items() if content.could_be(wanted, self.rows)]
                if wanted.kind is Kind.TEXT:
                    alike = sorted(alike, key=lambda index: -self._free[index].letters)[:1]
                if len(alike) == 1:
                    taken.add(alike[0])
                    questions[place] = replace(question, suggestion=self._columns[alike[0]])

    def mark(self, chosen: DecimalMark | None, findings: list[Detection], questions: list[Question]) -> DecimalMark:
        if self._marks.currency_marks:
            said = listed(sorted(self._marks.currency_marks))
            findings.append(Detection("currency", said, "currency.passed_over", {"value": said}))
        value = _choose_format("decimal", self._marks, chosen, findings, questions)
        return DecimalMark(value) if value else DecimalMark.POINT

    def order(self, chosen: DateOrder | None, findings: list[Detection], questions: list[Question]) -> DateOrder | None:
        value = _choose_format("dates", self._orders, chosen, findings, questions)
        return DateOrder(value) if value else None


def _is_epoch_date(cell: Cell) -> bool:
    if isinstance(cell, datetime):
        return cell.date() == FIRST_DAY_OF_CLOCKS
    if not isinstance(cell, str) or str(FIRST_DAY_OF_CLOCKS.year) not in cell:
        return False
    return dates.read_day(shown(cell), DateOrder.DAY_FIRST, latest=date.max) == FIRST_DAY_OF_CLOCKS


def _choose_format(
    what: str, cells: _FormatEvidence, chosen: str | None, findings: list[Detection], questions: list[Question]
) -> str | None:
    """Return the chosen or detected format.

    If the cells give no evidence, or contradicting evidence, add a question.
    """
    options = tuple(DecimalMark) if what == "decimal" else tuple(DateOrder)
    if chosen is not None:
        findings.append(Detection(what, chosen, f"{what}.chosen"))
        return chosen
    if len(cells.proven) == 1:
        ((value, example),) = cells.proven.items()
        findings.append(Detection(what, value, f"{what}.told", {"example": example}))
        return value
    if cells.proven:
        first, second = (cells.proven[option] for option in options)
        questions.append(Question(what, f"{what}.both", options, params={"first": first, "second": second}))
    elif cells.unclear is not None:
        # If no number of a thousand or more is written without a mark, the mark probably separates thousands.
        parted = what == "decimal" and not cells.plain_thousands
        suggestion = numbers.mark_of_thousands(cells.unclear) if parted else None
        questions.append(
            Question(what, f"{what}.unclear", options, suggestion=suggestion, params={"example": cells.unclear})
        )
    return None


@dataclass(slots=True)
class _Content:
    """Statistics about the content of a column."""

    filled: int = 0
    numbers: int = 0
    fractions: int = 0
    days: int = 0
    letters: int = 0
    values: set[int] | None = field(default_factory=set)

    def look_at(self, cell: Cell) -> None:
        cell = evaluated(cell)
        text = shown(cell)
        if not text or nothing_said(text):
            return
        self.filled += 1
        if self.values is not None:
            before = len(self.values)
            self.values.add(hash(text))
            if len(self.values) == before:
                self.values = None
        if isinstance(cell, datetime) or dates.read_day(text, DateOrder.DAY_FIRST, latest=date.max):
            self.days += 1
        elif any(numbers.read_number(text, mark) is not None for mark in DecimalMark):
            self.numbers += 1
            self.fractions += any(mark in text for mark in ".,$€")
        else:
            self.letters += len(text)

    def could_be(self, wanted: Field, rows: int) -> bool:
        """Return whether the content is plausible for the field."""
        if not self.filled:
            return False
        if wanted.kind in _NUMBERS:
            fraction_wanted = self.fractions > 0 or wanted.name != "price"
            return self.numbers >= NEARLY_ALL * self.filled and fraction_wanted
        if wanted.kind in _DATED:
            return self.days >= NEARLY_ALL * self.filled
        if wanted.kind is Kind.CODE:
            return self.values is not None and self.filled == rows and not self.fractions and not self.days
        return self.numbers + self.days < self.filled / 2
