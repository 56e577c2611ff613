"""The rows of a file as they are meant: each cell read as what its field takes, and why where it cannot be."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from application.imports import dates, numbers
from application.imports.cells import Cell, Fault, Formula, RawRow, shown
from application.imports.nouns import SHAPES, Kind
from application.imports.reading import Table
from application.imports.recognise import Understanding, data_rows
from domain.money import MOST_MONEY, to_cents
from domain.refusal import Code, Reason
from domain.room import RoomStatus
from domain.text import fold

Value = str | Decimal | date | datetime | int | None

# A number with so many digits is no longer what was typed: spreadsheets keep fifteen.
_KEPT_DIGITS = 15
# What binary fractions leave behind a price in a spreadsheet: 0.30000000000000004 was meant as 0.30.
_BINARY_DUST = Decimal("0.000001")
# What a spreadsheet makes of a long code when it takes it for a number.
_CUT_OFF = re.compile(r"\d(?:[.,]\d+)?E\+\d+", re.IGNORECASE)

_YES = frozenset(["1", "si", "s", "yes", "y", "true", "verdadero", "v", "x", "activo", "activa", "active", "vigente"])
_NO = frozenset(["0", "no", "n", "false", "falso", "f", "inactivo", "inactiva", "inactive", "baja"])
_ROOM_STATUS_OF = {
    "disponible": 1, "libre": 1, "vacia": 1, "vacio": 1, "available": 1, "free": 1, "empty": 1, "vacant": 1,
    "ocupada": 2, "ocupado": 2, "occupied": 2, "taken": 2,
    "limpieza": 3, "en limpieza": 3, "cleaning": 3, "being cleaned": 3,
    "fuera de servicio": 4, "out of service": 4, "inhabilitada": 4, "mantenimiento": 4, "maintenance": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is meant. A field whose cell cannot be read is empty, and told in ``faults``.

    ``warnings`` are about cells that were read, but perhaps not as they were meant.
    """

    line: int
    values: Mapping[str, Value]
    faults: tuple[Reason, ...]
    raw: RawRow
    warnings: tuple[Reason, ...] = ()

    def text(self, name: str) -> str:
        """The text of a field; an empty one where there is none."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> Decimal | None:
        """The number of a field."""
        value = self.values.get(name)
        return value if isinstance(value, Decimal) else None

    def day(self, name: str) -> date | None:
        """The day of a field."""
        value = self.values.get(name)
        return value if isinstance(value, date) else None

    def choice(self, name: str) -> int | None:
        """The numbered choice of a field, such as 1 for yes."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def wrong(self, *names: str | None) -> tuple[Reason, ...]:
        """The reasons for which these fields could not be read; None is the row as a whole."""
        return tuple(reason for reason in self.faults if reason.field in names)


class Doubtful(NamedTuple):
    """What a cell was read as, and why that may not be what was meant."""

    value: Value
    code: Code
    params: Mapping[str, object]


class Unreadable(Exception):
    """A cell that is not what its field takes."""

    def __init__(self, code: Code, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def read_rows(table: Table, how: Understanding, *, today: date) -> Iterator[Row]:
    """The rows of the table, read as was understood."""
    kinds = {field.name: field.kind for field in SHAPES[how.noun].fields}
    readers = [(name, index, _reader(kinds[name], how, today)) for name, index in how.mapping.items()]
    for raw in data_rows(table, how.sheet, how.header_row, how.columns):
        values: dict[str, Value] = {}
        unreadable: list[Reason] = []
        warnings: list[Reason] = []
        width = len(raw.cells)
        if raw.fault:
            yield Row(raw.line, {}, (raw.fault,), raw)
            continue
        if table.cells_may_shift and any(map(shown, raw.cells[len(how.columns) :])):
            # Which cell is which cannot be told any more, and a price of $1,973.00 would be one of 1 dollar.
            fault = Reason(Code.ROW_TOO_WIDE, params={"columns": len(how.columns)})
            yield Row(raw.line, {}, (fault,), raw)
            continue
        for name, index, read in readers:
            try:
                value = read(raw.cells[index]) if index < width else None
            except Unreadable as found:
                unreadable.append(Reason(found.code, name, found.params))
                continue
            if isinstance(value, Doubtful):
                warnings.append(Reason(value.code, name, {"value": shown(raw.cells[index]), **value.params}))
                value = value.value
            values[name] = value
        yield Row(raw.line, values, tuple(unreadable), raw, tuple(warnings))


def _reader(kind: Kind, how: Understanding, today: date) -> Callable[[Cell], Value | Doubtful]:
    match kind:
        case Kind.TEXT:
            return _text
        case Kind.CODE:
            return _code
        case Kind.NUMBER:
            return partial(_number, mark=how.mark)
        case Kind.MONEY:
            return partial(_money, mark=how.mark)
        case Kind.DAY:
            return partial(_day, order=how.order)
        case Kind.BIRTHDAY:
            return partial(_birthday, order=how.order, today=today)
        case Kind.MOMENT:
            return partial(_moment, order=how.order)
        case Kind.YES_OR_NO:
            return _yes_or_no
        case Kind.ROOM_STATUS:
            return _room_status


def _text(cell: Cell) -> str | None:
    """What stands in the cell. What is reckoned from other cells is not taken: nobody here can reckon it again."""
    if isinstance(cell, Formula):
        raise Unreadable(Code.CELL_IS_FORMULA)
    if isinstance(cell, Fault):
        raise Unreadable(Code.CELL_IS_FAULT, value=cell.shown)
    return shown(cell) or None


def _code(cell: Cell) -> str | None:
    text = _text(cell)
    if text and (_CUT_OFF.fullmatch(text) or (isinstance(cell, Decimal) and _has_lost_digits(cell))):
        raise Unreadable(Code.CODE_CUT_OFF, value=text)
    return text


def _has_lost_digits(number: Decimal) -> bool:
    return number.adjusted() >= _KEPT_DIGITS


def _number(cell: Cell, mark: numbers.DecimalMark) -> Decimal | None:
    if isinstance(cell, Decimal):
        return cell
    text = _text(cell)
    if text is None:
        return None
    number = None if isinstance(cell, bool) else numbers.read_number(text, mark)
    if number is None:
        raise Unreadable(Code.NUMBER_EXPECTED)
    return number


def _money(cell: Cell, mark: numbers.DecimalMark) -> Decimal | Doubtful | None:
    amount = _number(cell, mark)
    if amount is None or not 0 <= amount <= MOST_MONEY or abs(amount - to_cents(amount)) < _BINARY_DUST:
        return amount
    return Doubtful(amount, Code.MONEY_ROUNDED, {"rounded": to_cents(amount)})


def _day(cell: Cell, order: dates.DateOrder | None) -> date | None:
    moment = _moment(cell, order)
    # Which day it is in the hospital is a matter of its time zone, where the file tells one.
    return moment.date() if isinstance(moment, datetime) and moment.tzinfo is None else moment


def _moment(cell: Cell, order: dates.DateOrder | None) -> date | datetime | None:
    if isinstance(cell, datetime):
        return cell if cell.time() != cell.min.time() else cell.date()
    text = _text(cell)
    if text is None:
        return None
    moment = None if isinstance(cell, bool | Decimal) else dates.read_moment(text, order, latest=date.max)
    if moment is None:
        raise Unreadable(Code.DATE_EXPECTED)
    return moment


def _birthday(cell: Cell, order: dates.DateOrder | None, today: date) -> date | None:
    if isinstance(cell, datetime):
        return cell.date()
    text = _text(cell)
    if text is None:
        return None
    try:
        day = None if isinstance(cell, bool | Decimal) else dates.read_birthday(text, order, today=today)
    except dates.YearUnclear:
        raise Unreadable(Code.DATE_YEAR_UNCLEAR) from None
    if day is None:
        raise Unreadable(Code.DATE_EXPECTED)
    return day


def _yes_or_no(cell: Cell) -> int | None:
    text = _text(cell)
    if text is None:
        return None
    said = fold(text)
    if said not in _YES and said not in _NO:
        raise Unreadable(Code.YES_OR_NO_EXPECTED)
    return int(said in _YES)


def _room_status(cell: Cell) -> int | None:
    text = _text(cell)
    if text is None:
        return None
    number = _ROOM_STATUS_OF.get(fold(text))
    if number is None and text.isdecimal() and int(text[:9]) in set(RoomStatus):
        number = int(text)
    if number is None:
        raise Unreadable(Code.CHOICE_UNKNOWN, choices=", ".join(str(int(status)) for status in RoomStatus))
    return number
