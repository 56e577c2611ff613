"""Parse the rows of a file: convert each cell to the type of its field.

A cell that cannot be converted gives an error.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from application.common.nothing import (
    FIRST_DAY_OF_CLOCKS,
    Nothing,
    is_error,
    is_no_day,
    is_of_zeros,
    may_mean_no_day,
    nothing_said,
    without_nothing,
)
from application.imports.reading import dates, numbers
from application.imports.reading.cells import (
    Cell,
    CellError,
    FormattedNumber,
    Formula,
    RawRow,
    evaluated,
    shown,
    visible,
)
from application.imports.reading.choice_words import in_use, role, room_status, room_type
from application.imports.reading.columns import FIELD_SETS
from application.imports.reading.fields import Kind, Noun
from application.imports.reading.header import data_rows
from application.imports.reading.layout import FileLayout
from application.imports.reading.misread import mended
from application.imports.reading.row import Row, Value, quotable
from application.imports.reading.table import Table
from domain.catalogue.room import RoomStatus
from domain.common.errors import Code, Reason
from domain.common.money import MAX_LINE_TOTAL, to_cents
from domain.common.policy import HUMAN_ROLES
from domain.common.text import fold

# A number with this many digits may have lost some: spreadsheets keep fifteen.
_SPREADSHEET_DIGITS = 15
# The error of binary fractions in a spreadsheet: 0.30000000000000004 was meant as 0.30.
_BINARY_DUST = Decimal("0.000001")
# The format in which a spreadsheet shows a long code that it took for a number.
_CUT_OFF = re.compile(r"\d(?:[.,]\d+)?E\+\d+", re.IGNORECASE)

# A date without a year, as spreadsheets write it. The code 1-3 becomes 01-mar.
_LIKE_A_DAY = re.compile(
    r"\d{1,2}[-/](?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sep|sept|oct|nov|dic|dec)(?:[-/]\d{2})?|"
    r"(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sep|sept|oct|nov|dic|dec)[-/]\d{2}",
    re.IGNORECASE,
)
_WHOLE_DAY = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2}(?: 00:00(?::00)?)?", re.ASCII)
_ERROR_STARTS = ("#", "E", "e")
_NOT_AVAILABLE = ("#N/A", "#N/D")
_NUMBERS = (Kind.NUMBER, Kind.MONEY)
_DATED = (Kind.DAY, Kind.BIRTHDAY, Kind.MOMENT)
# Zeros mean a missing number. Only a product may have zeros as its code.
_ZEROS_MEAN_MISSING = ("record_number", "admission_number", "gtin")
_OF_PEOPLE = (
    "full_name",
    "first_surname",
    "second_surname",
    "patient_first_surname",
    "patient_second_surname",
    "doctor",
    "staff",
)
_MAY_BE_NOTHING = frozenset([*_ZEROS_MEAN_MISSING, *_OF_PEOPLE])


class AmbiguousValue(NamedTuple):
    """A parsed value, and the reason why it may not be as intended."""

    value: Value
    code: Code
    params: Mapping[str, object]


class InvalidValue(Exception):
    """A cell that cannot be converted to the type of its field."""

    def __init__(self, code: Code, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


# The words of a row of totals. At least one of them has to be present.
_TOTALS = frozenset(["total", "totales", "subtotal", "subtotales", "suma", "sumas", "suman", "sum", "totals", "ttl"])
_ABOUT_TOTALS = _TOTALS | frozenset(
    [
        "gran", "grand", "general", "generales", "sub", "importe", "importes", "monto", "valor", "precio", "precios",
        "de", "del", "la", "los", "las", "lista", "pagina", "page", "hoja", "articulos", "productos", "insumos",
        "materiales", "items", "products", "registros", "filas", "rows", "final", "parcial", "acumulado", "of", "the",
        "areas", "habitaciones", "rooms", "camas", "usd", "mxn", "eur",
    ]
)  # fmt: skip
_MAY_BE_TOTALS = re.compile("t.{0,2}t.{0,2}l|sum", re.IGNORECASE)
_WITH_TOTALS = (Noun.PRODUCTS, Noun.AREAS, Noun.ROOMS)
_LETTERS = re.compile(r"[^\W\d_]+")
# With fewer prices, one may be the sum of the others by chance.
_MIN_SUMMED = 3


def read_rows(table: Table, layout: FileLayout, *, today: date) -> Iterator[Row]:
    """Yield the parsed rows of the table."""
    rows = _read_rows(table, layout, today)
    return _warn_if_last_is_sum(rows) if layout.noun is Noun.PRODUCTS else rows


def _read_rows(table: Table, layout: FileLayout, today: date) -> Iterator[Row]:
    kinds = {field.name: field.kind for field in FIELD_SETS[layout.noun].fields}
    readers = [
        (name, index, _reader(name, kinds[name], layout, today), kinds[name]) for name, index in layout.mapping.items()
    ]
    for raw in data_rows(table, layout.sheet, layout.header_row, layout.columns):
        values: dict[str, Value] = {}
        unreadable: list[Reason] = []
        warnings: list[Reason] = []
        width = len(raw.cells)
        if raw.fault:
            yield Row(raw.line, {}, (raw.fault,), raw)
            continue
        if table.cells_may_shift and any(map(shown, raw.cells[len(layout.columns) :])):
            # The cells cannot be assigned to columns, and a price of $1,973.00 would become 1 dollar.
            fault = Reason(Code.ROW_TOO_WIDE, params={"columns": len(layout.columns)})
            yield Row(raw.line, {}, (fault,), raw)
            continue
        for name, index, read, kind in readers:
            if index >= width:
                values[name] = None
                continue
            cell = evaluated(raw.cells[index])
            if isinstance(raw.cells[index], Formula) and not isinstance(cell, Formula) and shown(cell):
                warnings.append(_warning(Code.FORMULA_RESULT_USED, name, cell))
            try:
                cell = _normalized(cell, name, kind, warnings)
                value = read(cell)
            except InvalidValue as found:
                unreadable.append(Reason(found.code, name, found.params))
                continue
            if isinstance(value, AmbiguousValue):
                warnings.append(_warning(value.code, name, cell, **value.params))
                value = value.value
            values[name] = value
        if layout.noun in _WITH_TOTALS and _is_of_totals(called := str(values.get("name") or "")):
            warnings.append(_warning(Code.LOOKS_LIKE_TOTALS, "name", called))
        if layout.usual_currency and values.get("price") is not None:
            warnings += _about_currency(layout, raw)
        yield Row(raw.line, values, tuple(unreadable), raw, tuple(warnings), layout.mapping)


def _normalized(cell: Cell, name: str, kind: Kind, warnings: list[Reason]) -> Cell:
    """Normalize a cell, and add warnings.

    It may show something other than its value, contain misread letters, or be a placeholder. Raise ``InvalidValue``
    for a number that is shown as a percentage.
    """
    if isinstance(cell, FormattedNumber):
        cell = _shown_or_held(cell, name, kind, warnings)
    if isinstance(cell, str):
        is_plain = cell.isascii() and cell[-1:].isdigit() and cell[:1] not in _ERROR_STARTS and "?" not in cell
        if is_plain and kind not in _DATED and name not in _MAY_BE_NOTHING:
            # A shortcut for numbers and codes, because most cells are such, and large files have many.
            return cell
        cell = _as_text(cell, name, kind, warnings)
    if isinstance(cell, str | Decimal) or (isinstance(cell, CellError) and cell.shown in _NOT_AVAILABLE):
        cell = "" if _is_placeholder(cell, name, kind, warnings) else cell
    return cell


def _as_text(text: str, name: str, kind: Kind, warnings: list[Reason]) -> Cell:
    """Repair misread letters; remove invisible characters and placeholders."""
    # Repair first: an invisible soft hyphen may be half of a misread letter.
    text = text if text.isascii() and "?" not in text else _mended(text, name, warnings)
    cell, unseen = visible(text, code=kind is Kind.CODE)
    if unseen:
        warnings.append(_warning(Code.INVISIBLE_CHARACTERS, name, cell, characters=unseen))
    if name in _OF_PEOPLE and isinstance(cell, str):
        kept = without_nothing(cell)
        if kept.strip(", ") and kept != cell and nothing_said(shown(cell)) is None:
            warnings.append(_warning(Code.WORD_SAYS_NOTHING, name, cell, kept=quotable(kept)))
            return kept
    return cell


def _shown_or_held(cell: FormattedNumber, name: str, kind: Kind, warnings: list[Reason]) -> Cell:
    """Return the displayed text for a code or name, otherwise the number."""
    held, shown_text = f"{cell.number:f}", cell.shown
    if kind in _NUMBERS and "%" in shown_text:
        # It is 15 % of an unknown amount. 0.15 was not intended.
        raise InvalidValue(Code.NUMBER_EXPECTED)
    if cell.is_literal and kind not in _NUMBERS:
        return shown_text
    if cell.unknown_format:
        warnings.append(_warning(Code.CELL_FORMAT_UNKNOWN, name, held, format=quotable(cell.unknown_format)))
    elif kind in (Kind.TEXT, Kind.CODE) or (kind in _NUMBERS and not _shows_its_number(cell, kind)):
        warnings.append(_warning(Code.CELL_SHOWN_OTHERWISE, name, shown_text, held=held))
    return cell.number


def _shows_its_number(cell: FormattedNumber, kind: Kind) -> bool:
    """Return whether the cell displays its number; prices to the cent."""
    read = {numbers.read_number(cell.shown, mark) for mark in numbers.DecimalMark} - {None}
    if kind is Kind.MONEY and abs(cell.number) <= MAX_LINE_TOTAL:
        return any(to_cents(one) == to_cents(cell.number) for one in read if one is not None and one <= MAX_LINE_TOTAL)
    return cell.number in read


def _mended(text: str, name: str, warnings: list[Reason]) -> str:
    """Repair misread letters, and add warnings."""
    found = mended(text)
    if found is None:
        return text
    if found.text != text:
        warnings.append(_warning(Code.LETTERS_MISREAD, name, text, meant=quotable(found.text)))
    if not found.is_whole:
        warnings.append(_warning(Code.LETTERS_LOST, name, found.text))
    return found.text


def _is_placeholder(cell: str | CellError | Decimal, name: str, kind: Kind, warnings: list[Reason]) -> bool:
    """Return whether the cell is a placeholder, and add warnings."""
    text = shown(cell)
    if isinstance(cell, str) and text[:1] in _ERROR_STARTS and is_error(text):
        raise InvalidValue(Code.CELL_ERROR, value=text)
    if kind in _DATED and is_no_day(text):
        return True
    certainty = nothing_said(text, is_code=kind is Kind.CODE)
    if name in _ZEROS_MEAN_MISSING and is_of_zeros(text):
        certainty = Nothing.LIKELY
    kept = certainty is Nothing.POSSIBLE and kind in (Kind.TEXT, Kind.CODE)
    if certainty and certainty is not Nothing.CERTAIN:
        code = Code.CELL_MAY_SAY_NOTHING if kept else Code.CELL_SAYS_NOTHING
        warnings.append(_warning(code, name, text))
    return certainty is not None and not kept


def _is_of_totals(name: str) -> bool:
    if not _MAY_BE_TOTALS.search(name):
        return False
    words = set(_LETTERS.findall(fold(name)))
    return words <= _ABOUT_TOTALS and not words.isdisjoint(_TOTALS)


def _warn_if_last_is_sum(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows; warn if the last price is the sum of all others."""
    total, count, last = Decimal(0), 0, None
    for row in rows:
        if last is not None:
            total, count = total + (last.number("price") or 0), count + 1
            yield last
        last = row
    if last is None:
        return
    price = last.number("price")
    is_warned = any(one.code is Code.LOOKS_LIKE_TOTALS for one in last.warnings)
    if price and price == total and count >= _MIN_SUMMED and not is_warned:
        warning = _warning(Code.ROW_IS_SUM, "price", last.quoted("price"))
        last = replace(last, warnings=(*last.warnings, warning))
    yield last


def _warning(code: Code, name: str, cell: Cell, **params: object) -> Reason:
    return Reason(code, name, {"value": quotable(shown(cell)), **params})


def _about_currency(layout: FileLayout, raw: RawRow) -> list[Reason]:
    """Warn about an unusual or foreign currency of a price.

    A price may differ from the currency of most prices, or those may not be in the hospital's currency.
    """
    hospital, currency = layout.currencies.hospital, layout.currencies.of(raw)
    quoted = quotable(layout.currencies.quoted(raw))
    if currency and currency != layout.usual_currency:
        usual = layout.usual_currency
        return [
            Reason(Code.MONEY_OF_ANOTHER_CURRENCY, "price", {"value": quoted, "currency": currency, "usual": usual})
        ]
    if currency and hospital and currency != hospital:
        return [Reason(Code.MONEY_FOREIGN, "price", {"value": quoted, "currency": currency, "usual": hospital})]
    return []


def _reader(name: str, kind: Kind, layout: FileLayout, today: date) -> Callable[[Cell], Value | AmbiguousValue]:
    match kind:
        case Kind.TEXT:
            return _name
        case Kind.CODE:
            return partial(_code, may_be_whole=name not in layout.fractional_codes)
        case Kind.NUMBER:
            return partial(_number, mark=layout.mark)
        case Kind.MONEY:
            return partial(_money, mark=layout.mark)
        case Kind.DAY:
            return partial(_day, order=layout.order)
        case Kind.BIRTHDAY:
            return partial(_birthday, order=layout.order, today=today, is_filler=layout.births_are_fillers)
        case Kind.MOMENT:
            return partial(_moment, order=layout.order)
        case Kind.YES_OR_NO:
            return _yes_or_no
        case Kind.ROOM_STATUS:
            return _room_status
        case Kind.ROOM_TYPE:
            return _room_type
        case Kind.ROLE:
            return _role


def _text(cell: Cell) -> str | None:
    """Return the cell's text.

    A formula without a stored result is refused, because it cannot be computed here.
    """
    if isinstance(cell, Formula):
        raise InvalidValue(Code.CELL_IS_FORMULA)
    if isinstance(cell, CellError):
        raise InvalidValue(Code.CELL_ERROR, value=cell.shown)
    return shown(cell) or None


def _name(cell: Cell) -> str | None:
    if isinstance(cell, datetime):
        raise InvalidValue(Code.CELL_IS_DATE)
    return _text(cell)


def _code(cell: Cell, *, may_be_whole: bool) -> str | AmbiguousValue | None:
    text = _name(cell)
    if text and (_CUT_OFF.fullmatch(text) or (isinstance(cell, Decimal) and _lost_precision(cell))):
        raise InvalidValue(Code.CODE_CUT_OFF, value=text)
    whole = numbers.without_decimals(text) if text and may_be_whole else None
    if whole:
        if len(whole) > _SPREADSHEET_DIGITS:
            raise InvalidValue(Code.CODE_CUT_OFF, value=text)
        return AmbiguousValue(whole, Code.CODE_WITH_DECIMALS, {"meant": whole})
    if text and ("-" in text or "/" in text):
        if _WHOLE_DAY.fullmatch(text):
            raise InvalidValue(Code.CELL_IS_DATE)
        if _LIKE_A_DAY.fullmatch(text):
            return AmbiguousValue(text, Code.CODE_LIKE_A_DATE, {})
    return text


def _lost_precision(number: Decimal) -> bool:
    return number.adjusted() >= _SPREADSHEET_DIGITS


def _number(cell: Cell, mark: numbers.DecimalMark) -> Decimal | None:
    if isinstance(cell, Decimal):
        return cell
    text = _text(cell)
    if text is None:
        return None
    number = None if isinstance(cell, bool) else numbers.read_number(text, mark)
    if number is None:
        raise InvalidValue(Code.NUMBER_EXPECTED)
    return number


def _money(cell: Cell, mark: numbers.DecimalMark) -> Decimal | AmbiguousValue | None:
    amount = _number(cell, mark)
    if amount is None or not 0 <= amount <= MAX_LINE_TOTAL or abs(amount - to_cents(amount)) < _BINARY_DUST:
        return amount
    return AmbiguousValue(amount, Code.MONEY_ROUNDED, {"rounded": to_cents(amount)})


def _day(cell: Cell, order: dates.DateOrder | None) -> date | AmbiguousValue | None:
    moment = _moment(cell, order)
    # A moment with a time zone stays, because its day depends on the hospital's time zone.
    return moment.date() if isinstance(moment, datetime) and moment.tzinfo is None else moment


def _moment(cell: Cell, order: dates.DateOrder | None) -> date | datetime | AmbiguousValue | None:
    moment: date | datetime | None
    if isinstance(cell, datetime):
        moment = cell if cell.time() != cell.min.time() else cell.date()
    else:
        text = _text(cell)
        if text is None:
            return None
        moment = None if isinstance(cell, bool | Decimal) else dates.read_moment(text, order, latest=date.max)
        if moment is None:
            raise InvalidValue(Code.DATE_EXPECTED)
    day = moment.date() if isinstance(moment, datetime) else moment
    return AmbiguousValue(None, Code.DATE_MEANS_NONE, {}) if may_mean_no_day(day, is_birthday=False) else moment


def _birthday(cell: Cell, order: dates.DateOrder | None, today: date, is_filler: bool) -> date | AmbiguousValue | None:
    """Parse a date of birth.

    ``is_filler`` means that 1970-01-01 is too frequent to be a birthday.
    """
    if isinstance(cell, datetime):
        day: date | None = cell.date()
    else:
        text = _text(cell)
        if text is None:
            return None
        try:
            day = None if isinstance(cell, bool | Decimal) else dates.read_birthday(text, order, today=today)
        except dates.YearUnclear:
            raise InvalidValue(Code.DATE_YEAR_UNCLEAR) from None
    if day is None:
        raise InvalidValue(Code.DATE_EXPECTED)
    if may_mean_no_day(day, is_birthday=True):
        return AmbiguousValue(None, Code.DATE_MEANS_NONE, {})
    return AmbiguousValue(day, Code.DATE_COMES_OFTEN, {}) if is_filler and day == FIRST_DAY_OF_CLOCKS else day


def _yes_or_no(cell: Cell) -> int | AmbiguousValue | None:
    text = _text(cell)
    if text is None:
        return None
    active = in_use(text)
    return AmbiguousValue(None, Code.ACTIVE_UNKNOWN, {}) if active is None else int(active)


def _room_status(cell: Cell) -> int | None:
    text = _text(cell)
    if text is None:
        return None
    status = room_status(text)
    if status is None:
        raise InvalidValue(Code.CHOICE_UNKNOWN, choices=", ".join(str(int(one)) for one in RoomStatus))
    return status


def _role(cell: Cell) -> int | None:
    text = _text(cell)
    if text is None:
        return None
    found = role(text)
    if found is None:
        raise InvalidValue(Code.CHOICE_UNKNOWN, choices=", ".join(str(int(one)) for one in sorted(HUMAN_ROLES)))
    return int(found)


def _room_type(cell: Cell) -> int | AmbiguousValue | None:
    text = _text(cell)
    type_ = room_type(text) if text else None
    return AmbiguousValue(None, Code.ROOM_TYPE_UNKNOWN, {}) if text and type_ is None else type_
