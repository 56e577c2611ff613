"""Detect the layout of a file: header, columns, number and date formats.

Every detection has a reason that can be displayed, and a user's choice overrides it. What cannot be detected is asked.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice, pairwise

from application.imports.reading import dates, numbers
from application.imports.reading.cells import Cell, Formula, RawRow, evaluated, shown
from application.imports.reading.choice_words import in_use
from application.imports.reading.columns import FIELD_SETS, Field, FieldSet, Kind, Noun, words_of
from application.imports.reading.currencies import Currencies, currency_in_a_name
from application.imports.reading.dates import DateOrder
from application.imports.reading.matching import REASONS_COLUMNS, Match, MatchStrength, match_columns, score
from application.imports.reading.nothing import FIRST_DAY_OF_CLOCKS, comes_too_often, nothing_said
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.table import Choices, Detection, Question, Table, column_letters, listed
from domain.errors import Code, Reason, Refused

# How many rows are searched for the header. Titles and disclaimers may be above it, but not a whole page of them.
SCAN_ROWS = 60
SAMPLE_ROWS = 20
# The number of rows among which a user chooses the header if none was detected.
_MAX_HEADERS = 20
_MAX_NAME_LENGTH = 200
_NUMBERS = (Kind.NUMBER, Kind.MONEY)
_DATED = (Kind.DAY, Kind.BIRTHDAY, Kind.MOMENT)
# A field is suggested for a column if at least this share of its cells match.
_NEARLY_ALL = 0.95
# The bonus score of a header that has all required columns.
_COMPLETE = 100

# Pairs of fields for the code and the name of the same object, and the short names that columns with either may have.
_CODES_AND_NAMES = (("code", "name"), ("product_code", "product_name"))
_THINGS = frozenset(
    words_of(name) for name in ("material", "artículo", "producto", "insumo", "item", "product", "supply", "article")
)

Recall = Callable[[str], Mapping[str, str]]


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
    sample: tuple[RawRow, ...]
    shape: str
    findings: tuple[Detection, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def named_mapping(self) -> dict[str, str]:
        """The names of the columns that fill the fields."""
        return {name: self.columns[index] for name, index in self.mapping.items()}


@dataclass(slots=True)
class _Header:
    """A row that names the columns.

    ``line`` is 0 if the file has no header. ``finding`` is why this row was chosen.
    """

    line: int
    columns: tuple[str, ...]
    finding: Detection
    score: int


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


def similar_kinds(table: Table, choices: Choices) -> list[Noun]:
    """Return the possible nouns of a file, the most likely first.

    The list is empty if no noun fits, or if two fit equally well.
    """
    scores: Counter[Noun] = Counter()
    for sheet in _wanted_sheets(table, choices):
        head = list(islice(table.rows(sheet), SCAN_ROWS))
        for noun, shape in FIELD_SETS.items():
            best = max((_scored(row, shape) for row in head), default=0)
            scores[noun] = max(scores[noun], best)
    ranked = [(noun, points) for noun, points in scores.most_common() if points >= _COMPLETE]
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
    sheet, head, header = _sheet_and_header(table, shape, choices, recall, findings, questions)
    findings.append(header.finding)
    if header.line == 0 and choices.header_row is None:
        questions.append(Question("header_row", "header.none", (), suggestion="0"))
    below = [row for row in head if row.line > header.line]
    mapping = _mapping(header, below, shape, choices, recall(shape_of(header.columns)), findings, questions)
    scan = _Scan(shape, header, mapping, currency)
    for row in data_rows(table, sheet, header.line, header.columns):
        scan.look_at(row)
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
        sample=tuple(scan.sample),
        shape=shape_of(header.columns),
        findings=tuple(findings),
        questions=tuple(questions),
    )


def data_rows(table: Table, sheet: str, header_line: int, columns: Sequence[str]) -> Iterator[RawRow]:
    """Yield the rows below the header, without empty rows.

    A repeated header is skipped too.
    """
    for row in table.rows(sheet):
        if row.line <= header_line or row.is_empty():
            continue
        if header_line and shown(row.cells[0]) == columns[0] and _names(row) == columns:
            continue
        yield row


def shape_of(columns: Sequence[str]) -> str:
    """Return a digest of the column names in order.

    It ignores case and accents, so that files of the same shape share it.
    """
    names = [" ".join(words_of(name)) for name in columns if name.casefold() not in REASONS_COLUMNS]
    return hashlib.sha256("\x1f".join(names).encode()).hexdigest()


# --- sheet and header ------------------------------------------------------------------------------------------------


def _wanted_sheets(table: Table, choices: Choices) -> list[str]:
    """Return the chosen sheet, or all sheets."""
    if choices.sheet is None:
        return list(table.sheets)
    if choices.sheet not in table.sheets:
        raise Refused(
            Reason(Code.FILE_SHEET_UNKNOWN, "sheet", {"value": choices.sheet, "sheets": listed(table.sheets)})
        )
    return [choices.sheet]


def _sheet_and_header(
    table: Table,
    shape: FieldSet,
    choices: Choices,
    recall: Recall,
    findings: list[Detection],
    questions: list[Question],
) -> tuple[str, list[RawRow], _Header]:
    wanted = _wanted_sheets(table, choices)
    found: dict[str, _Header] = {}
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


def _header(head: list[RawRow], shape: FieldSet, choices: Choices, recall: Recall) -> _Header | None:
    rows = [row for row in head if not row.is_empty()]
    if not rows:
        return None
    if choices.header_row is not None:
        return _chosen_header(head, rows, shape, choices.header_row)
    named = [name for name in choices.mapping.values() if name]
    if named:
        for row in rows:
            if set(named) <= set(_names(row)):
                return _Header(row.line, _names(row), _at(row, "header.named"), _scored(row, shape))
    scored = max(rows, key=lambda row: _scored(row, shape))
    if _scored(scored, shape) < _COMPLETE:
        scored = next((row for row in rows if recall(shape_of(_names(row)))), scored)
    if _scored(scored, shape) > MatchStrength.SIMILAR or recall(shape_of(_names(scored))):
        return _Header(scored.line, _names(scored), _at(scored, "header.known"), _scored(scored, shape))
    for row, below in pairwise(rows):
        if _names_all_columns(row, rows) and _is_unlike(row, below):
            return _Header(row.line, _names(row), _at(row, "header.above_data"), 1)
    return _without_header(rows, "header.none")


def _chosen_header(head: list[RawRow], rows: list[RawRow], shape: FieldSet, line: int) -> _Header:
    if line == 0:
        return _without_header(rows, "header.chosen_none")
    for row in head:
        if row.line == line and not row.is_empty():
            return _Header(line, _names(row), _at(row, "header.chosen"), _scored(row, shape))
    raise Refused(Reason(Code.FILE_HEADER_UNKNOWN, "header_row", {"value": line}))


def _without_header(rows: list[RawRow], code: str) -> _Header:
    width = max(len(row.cells) for row in rows)
    return _Header(0, tuple(map(column_letters, range(width))), Detection("header_row", "0", code), 0)


def _at(row: RawRow, code: str) -> Detection:
    return Detection("header_row", str(row.line), code, {"line": row.line})


def _names(row: RawRow) -> tuple[str, ...]:
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


def _scored(row: RawRow, shape: FieldSet) -> int:
    texts = [shown(cell) for cell in row.cells if not isinstance(cell, Formula)]
    if any(len(text) > _MAX_NAME_LENGTH for text in texts):
        return 0
    return score(match_columns(_names(row), shape), shape)


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


# --- columns ---------------------------------------------------------------------------------------------------------


def _mapping(
    header: _Header,
    below: Sequence[RawRow],
    shape: FieldSet,
    choices: Choices,
    last_time: Mapping[str, str],
    findings: list[Detection],
    questions: list[Question],
) -> dict[str, int]:
    """Assign columns to fields.

    Choices of the user come first, then the mapping of the last import of such a file, then the names of the columns.
    """
    places = {name: index for index, name in enumerate(header.columns)}
    alike = {words_of(name): name for name in header.columns}
    last_time = {field: alike.get(words_of(name), "") for field, name in last_time.items()}
    unknown = [name for name in choices.mapping.values() if name and name not in places]
    if unknown:
        columns = listed(header.columns)
        raise Refused(Reason(Code.FILE_COLUMN_UNKNOWN, "column", {"value": listed(unknown), "columns": columns}))
    matches = match_columns(header.columns, shape) if header.line else {}
    matches = {name: match for name, match in matches.items() if _mentions(shape.field(name), match, below)}
    holds_codes = _take_codes_from_names(matches, header, below)
    mapping: dict[str, int] = {}
    for each in shape.fields:
        name = each.name
        if name in choices.mapping:
            if choices.mapping[name]:
                mapping[name] = places[choices.mapping[name]]
                findings.append(_column(name, choices.mapping[name], "column.chosen"))
        elif all(last_time.values()) and last_time:
            if name in last_time:
                mapping[name] = places[last_time[name]]
                findings.append(_column(name, last_time[name], "column.remembered"))
        elif name in matches:
            match = matches[name]
            options = tuple(header.columns[index] for index in match.columns)
            if len(options) > 1:
                questions.append(Question("column", "column.several", options, field=name))
            else:
                mapping[name] = match.columns[0]
                code = "column.called_so" if match.likeness is MatchStrength.EXACT else "column.called_alike"
                code = "column.holds_codes" if match.columns[0] == holds_codes else code
                findings.append(_column(name, options[0], code))
    asked = {question.field for question in questions}
    questions += [
        Question("column", "column.missing", header.columns, field=names[0], params={"fields": names})
        for names in shape.needs
        if not any(name in mapping or name in asked for name in names)
    ]
    return mapping


def _mentions(wanted: Field | None, match: Match, below: Sequence[RawRow]) -> bool:
    """Return whether the cells fit a fallback name.

    *Estado* may be a state such as active, or a province.
    """
    if wanted is None or wanted.kind is not Kind.YES_OR_NO or match.likeness is not MatchStrength.FALLBACK:
        return True
    return any(in_use(text) is not None for index in match.columns for text in _texts(below, index))


def _take_codes_from_names(matches: dict[str, Match], header: _Header, below: Sequence[RawRow]) -> int | None:
    """Find a name column that holds codes, as *Material* does in SAP.

    If no other column has the codes, it becomes the code column and no longer the name column. Return its index.
    """
    for code, name in _CODES_AND_NAMES:
        called = matches.get(name)
        if called is None or code in matches:
            continue
        for index in called.columns:
            if words_of(header.columns[index]) in _THINGS and _are_codes(_texts(below, index)):
                matches[code] = Match((index,), called.likeness)
                others = tuple(other for other in called.columns if other != index)
                del matches[name]
                if others:
                    matches[name] = Match(others, called.likeness)
                return index
    return None


def _texts(rows: Sequence[RawRow], index: int) -> list[str]:
    return [text for row in rows if index < len(row.cells) and (text := shown(row.cells[index]))]


def _are_codes(texts: Sequence[str]) -> bool:
    alike = sum(1 for text in texts if len(text.split()) == 1 and any(map(str.isdigit, text)))
    return bool(texts) and alike >= _NEARLY_ALL * len(texts)


def _column(field_name: str, column: str, code: str) -> Detection:
    return Detection(f"column.{field_name}", column, code, {"column": column})


# --- evidence from the cells -----------------------------------------------------------------------------------------


class _Scan:
    """Scans every row once, collecting evidence about formats."""

    def __init__(self, shape: FieldSet, header: _Header, mapping: Mapping[str, int], currency: str) -> None:
        self.rows = self.births_at_first = 0
        price = mapping.get("price")
        named = "" if price is None else currency_in_a_name(header.columns[price], currency)
        self.currencies = Currencies(currency, price, mapping.get("currency"), named)
        self._currencies: Counter[str] = Counter()
        self.sample: list[RawRow] = []
        kinds = {name: field.kind for name in mapping if (field := shape.field(name))}
        self._numbers = [mapping[name] for name, kind in kinds.items() if kind in _NUMBERS]
        self._dates = [mapping[name] for name, kind in kinds.items() if kind in _DATED]
        self._births = [mapping[name] for name, kind in kinds.items() if kind is Kind.BIRTHDAY]
        self._marks, self._orders = _FormatEvidence(), _FormatEvidence()
        self._shape = shape
        self._mapping = mapping
        self._columns = header.columns
        lacking = any(all(name not in mapping for name in names) for names in shape.needs)
        free = set(range(len(header.columns))) - set(mapping.values()) if lacking else set()
        self._free = {index: _Content() for index in free if header.columns[index].casefold() not in REASONS_COLUMNS}

    def look_at(self, row: RawRow) -> None:
        self.rows += 1
        cells, width = row.cells, len(row.cells)
        if len(self.sample) < SAMPLE_ROWS:
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
        for index in self._births:
            self.births_at_first += index < width and _is_epoch_date(evaluated(cells[index]))
        for index, content in self._free.items():
            content.look_at(cells[index] if index < width else "")
        if self.currencies.price is not None:
            self._currencies[self.currencies.of(row)] += 1

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
            return self.numbers >= _NEARLY_ALL * self.filled and fraction_wanted
        if wanted.kind in _DATED:
            return self.days >= _NEARLY_ALL * self.filled
        if wanted.kind is Kind.CODE:
            return self.values is not None and self.filled == rows and not self.fractions and not self.days
        return self.numbers + self.days < self.filled / 2
