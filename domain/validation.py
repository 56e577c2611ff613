"""Validation: what was filled in is looked at field by field, so that everything wrong with it is said at once."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import TypeVar

from domain.errors import ACKNOWLEDGEABLE, Code, Reason, Refused
from domain.money import MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY, QUANTITY_STEP, ZERO, to_cents
from domain.text import find_bidi_control, is_storable, one_line, several_lines

MAX_NAME_LENGTH = 200
MAX_REASON_LENGTH = 500
MAX_NOTE_LENGTH = 2_000

Choice = TypeVar("Choice", bound=IntEnum)
NamedChoice = TypeVar("NamedChoice", bound=StrEnum)


class Validator:
    """Gathers every reason for which what was filled in cannot be taken, and raises them together.

    ``unreadable`` are the reasons that an adapter already found: fields it could not even read. Such a field arrives
    here empty and is not reported a second time. ``acknowledged`` are the codes that a person has seen and goes past;
    those that there was reason for are in ``acknowledged_codes``.
    """

    def __init__(self, unreadable: Iterable[Reason] = (), acknowledged: Iterable[str] = ()) -> None:
        self._reasons = list(unreadable)
        self._acknowledged = ACKNOWLEDGEABLE & frozenset(acknowledged)
        self.acknowledged_codes: tuple[Code, ...] = ()
        self._refused_fields = {reason.field for reason in self._reasons if reason.field}

    def add_error(self, code: Code, field: str | None = None, **params: object) -> None:
        """Note a reason. A field is refused once, for the first thing wrong with it."""
        self._refuse(Reason(code, field, params))

    def _refuse(self, reason: Reason) -> None:
        if reason.field is not None:
            if reason.field in self._refused_fields:
                return
            self._refused_fields.add(reason.field)
        self._reasons.append(reason)

    def require_acknowledgement(self, code: Code, field: str | None = None, **params: object) -> None:
        """Note a reason that a person may go past, unless this one does."""
        self.ask_untraced(code, field, **params)
        if code in self._acknowledged and code not in self.acknowledged_codes:
            self.acknowledged_codes = (*self.acknowledged_codes, code)

    def ask_untraced(self, code: Code, field: str | None = None, **params: object) -> None:
        """Ask likewise, without adding an acknowledged code to ``acknowledged_codes``."""
        if code not in self._acknowledged:
            self._refuse(Reason(code, field, params, acknowledgeable=True))

    def add(self, reasons: Iterable[Reason], *, within: str = "") -> None:
        """Note reasons that were found elsewhere, such as ``within`` the fourth of several: ``items.3``."""
        for reason in reasons:
            field = f"{within}.{reason.field}" if within and reason.field else within or reason.field
            self._refuse(replace(reason, field=field))

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason noted so far."""
        return tuple(self._reasons)

    def raise_if_invalid(self) -> None:
        """Raise ``Refused`` with every reason noted, if there is one."""
        if self._reasons:
            raise Refused(*self._reasons)

    def required_line(self, field: str, value: str | None, *, longest: int = MAX_NAME_LENGTH) -> str:
        """A text of one line that must be there, as it is seen; if there is nothing to see, it is missing."""
        return self._required(field, self.optional_line(field, value, longest=longest))

    def required_text(self, field: str, value: str | None, *, longest: int = MAX_NOTE_LENGTH) -> str:
        """A text of several lines that must be there."""
        return self._required(field, self._text(field, value, longest, several_lines))

    def optional_line(self, field: str, value: str | None, *, longest: int = MAX_NAME_LENGTH) -> str | None:
        """A text of one line that may be missing. One that is refused counts as missing: no store is asked about it.

        Nothing in it changes the direction of reading: one name could be shown as another.
        """
        text = self._text(field, value, longest, one_line)
        turned = find_bidi_control(text) if text else None
        if turned:
            character, near = turned
            self.add_error(Code.TEXT_DIRECTION, field, character=character, near=near)
            return None
        return text

    def optional_text(self, field: str, value: str | None) -> str | None:
        """A text of several lines that may be missing."""
        return self._text(field, value, MAX_NOTE_LENGTH, several_lines)

    def _required(self, field: str, text: str | None) -> str:
        if text is None:
            self.add_error(Code.REQUIRED, field)
        return text or ""

    def _text(self, field: str, value: str | None, longest: int, normalize: Callable[[str], str]) -> str | None:
        text = normalize(value or "")
        if not text:
            return None
        if not is_storable(text):
            self.add_error(Code.TEXT_UNWRITABLE, field)
        elif len(text) > longest:
            self.add_error(Code.TEXT_TOO_LONG, field, most=longest)
        else:
            return text
        return None

    def price(self, field: str, value: Decimal | None) -> Decimal:
        """A unit price from 0 to ``MAX_PRICE``, rounded half up to cents."""
        return self._money(field, value, MAX_PRICE)

    def line_total(self, field: str, value: Decimal | None) -> Decimal:
        """A line's total from 0 to ``MAX_LINE_TOTAL``, rounded half up to cents."""
        return self._money(field, value, MAX_LINE_TOTAL)

    def _money(self, field: str, value: Decimal | None, largest: Decimal) -> Decimal:
        if value is None:
            self.add_error(Code.REQUIRED, field)
        elif not value.is_finite():
            self.add_error(Code.NUMBER_EXPECTED, field)
        elif value < 0:
            self.add_error(Code.NEGATIVE, field)
        elif value >= largest + 1 or to_cents(value) > largest:
            self.add_error(Code.MONEY_TOO_LARGE, field, most=largest)
        else:
            # Minus nothing is nothing.
            return abs(to_cents(value))
        return ZERO

    def quantity(self, field: str, value: Decimal | None) -> Decimal:
        """A quantity from 0 to ``MAX_QUANTITY`` with at most 3 decimals."""
        if value is None:
            self.add_error(Code.REQUIRED, field)
        elif not value.is_finite():
            self.add_error(Code.NUMBER_EXPECTED, field)
        elif value < 0:
            self.add_error(Code.NEGATIVE, field)
        elif value > MAX_QUANTITY:
            self.add_error(Code.QUANTITY_TOO_LARGE, field, most=MAX_QUANTITY)
        elif value != value.quantize(QUANTITY_STEP):
            self.add_error(Code.QUANTITY_TOO_FINE, field, decimals=3)
        else:
            return abs(value.quantize(QUANTITY_STEP))
        return Decimal(0)

    def within_precision(self, field: str, quantity: Decimal, decimals: int) -> None:
        """A quantity of something that is counted no finer than that."""
        if quantity != quantity.quantize(Decimal(1).scaleb(-decimals)):
            self.add_error(Code.QUANTITY_TOO_FINE, field, decimals=decimals)

    def int_enum(self, field: str, value: int | None, choices: Iterable[Choice]) -> Choice:
        """One of a few numbered choices; the first one, where it is none."""
        numbered = {int(choice): choice for choice in choices}
        if value is None:
            self.add_error(Code.REQUIRED, field)
        elif value not in numbered:
            self.add_error(Code.CHOICE_UNKNOWN, field, choices=", ".join(map(str, numbered)))
        else:
            return numbered[value]
        return next(iter(numbered.values()))

    def str_enum(self, field: str, value: str | None, choices: type[NamedChoice]) -> NamedChoice:
        """One of a few choices that go by a name."""
        if value in (None, ""):
            self.add_error(Code.REQUIRED, field)
        elif value not in set(choices):
            self.add_error(Code.CHOICE_UNKNOWN, field, choices=", ".join(choices))
        else:
            return choices(value)
        return next(iter(choices))

    def boolean(self, field: str, value: int | None) -> bool:
        """``active``, which is 1 or 0 on the wire."""
        if value not in (None, 0, 1):
            self.add_error(Code.YES_OR_NO_EXPECTED, field)
        return value != 0

    def day(self, field: str, value: date | None) -> date:
        """A day that must be there."""
        if value is None:
            self.add_error(Code.REQUIRED, field)
        return value or date.min

    def date_not_in_future(self, field: str, value: date | None, today: date) -> date | None:
        """A day that may be missing but cannot lie in the future, such as a date of birth."""
        if value is not None and value > today:
            self.add_error(Code.DATE_IN_FUTURE, field)
        return value

    def required_id(self, field: str, value: int | None) -> int:
        """The id of something else that must be named. Whether it exists is the store's to say."""
        if not value:
            self.add_error(Code.REQUIRED, field)
        return value or 0
