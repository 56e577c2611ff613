"""Validation of input, field by field.

All errors are reported together.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import TypeVar

from domain.common.errors import ACKNOWLEDGEABLE, Code, Reason, Refused
from domain.common.money import MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY, QUANTITY_STEP, ZERO, to_cents
from domain.common.text import find_bidi_control, is_storable, one_line, several_lines

MAX_NAME_LENGTH = 200
MAX_REASON_LENGTH = 500
MAX_NOTE_LENGTH = 2_000

Choice = TypeVar("Choice", bound=IntEnum)
NamedChoice = TypeVar("NamedChoice", bound=StrEnum)


class Validator:
    """Collects the errors of a request and raises them together.

    ``unreadable`` are errors that an adapter already found: fields that it could not even parse. Such a field arrives
    empty and is not reported a second time. ``acknowledged`` are the codes that the user overrides. The ones that
    applied are in ``acknowledged_codes``.
    """

    def __init__(self, unreadable: Iterable[Reason] = (), acknowledged: Iterable[str] = ()) -> None:
        self._reasons = list(unreadable)
        self._acknowledged = ACKNOWLEDGEABLE & frozenset(acknowledged)
        self.acknowledged_codes: tuple[Code, ...] = ()
        self._refused_fields = {reason.field for reason in self._reasons if reason.field}

    def add_error(self, code: Code, field: str | None = None, **params: object) -> None:
        """Add an error. Each field gets only its first one."""
        self._refuse(Reason(code, field, params))

    def _refuse(self, reason: Reason) -> None:
        if reason.field is not None:
            if reason.field in self._refused_fields:
                return
            self._refused_fields.add(reason.field)
        self._reasons.append(reason)

    def require_acknowledgement(self, code: Code, field: str | None = None, **params: object) -> None:
        """Add an error that a user may override, unless it is acknowledged."""
        self.ask_untraced(code, field, **params)
        if code in self._acknowledged and code not in self.acknowledged_codes:
            self.acknowledged_codes = (*self.acknowledged_codes, code)

    def ask_untraced(self, code: Code, field: str | None = None, **params: object) -> None:
        """Do the same without adding the code to ``acknowledged_codes``."""
        if code not in self._acknowledged:
            self.ask_again(code, field, **params)

    def ask_again(self, code: Code, field: str | None = None, **params: object) -> None:
        """Add a question even if it is acknowledged.

        The acknowledgement lacks something, for instance a reason.
        """
        self._refuse(Reason(code, field, params, acknowledgeable=True))

    def add(self, reasons: Iterable[Reason], *, within: str = "") -> None:
        """Add errors from elsewhere, prefixing their fields with ``within``.

        The prefix is for instance ``items.3``, the fourth of several items.
        """
        for reason in reasons:
            field = f"{within}.{reason.field}" if within and reason.field else within or reason.field
            self._refuse(replace(reason, field=field))

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The errors so far."""
        return tuple(self._reasons)

    def raise_if_invalid(self) -> None:
        """Raise ``Refused`` with all errors, if there are any."""
        if self._reasons:
            raise Refused(*self._reasons)

    def required_line(self, field: str, value: str | None, *, longest: int = MAX_NAME_LENGTH) -> str:
        """Validate a required text of one line.

        A text with only invisible characters counts as missing.
        """
        return self._required(field, self.optional_line(field, value, longest=longest))

    def required_text(self, field: str, value: str | None, *, longest: int = MAX_NOTE_LENGTH) -> str:
        """Validate a required text of several lines."""
        return self._required(field, self._text(field, value, longest, several_lines))

    def optional_line(self, field: str, value: str | None, *, longest: int = MAX_NAME_LENGTH) -> str | None:
        """Validate an optional text of one line.

        An invalid text becomes None, so that no store is queried for it. Characters that change the direction of
        reading are refused, because they could make one name look like another.
        """
        text = self._text(field, value, longest, one_line)
        control = find_bidi_control(text) if text else None
        if control:
            character, near = control
            self.add_error(Code.TEXT_DIRECTION, field, character=character, near=near)
            return None
        return text

    def optional_text(self, field: str, value: str | None) -> str | None:
        """Validate an optional text of several lines."""
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
        """Validate a unit price from 0 to ``MAX_PRICE``.

        It is rounded half up to cents.
        """
        return self._money(field, value, MAX_PRICE)

    def line_total(self, field: str, value: Decimal | None) -> Decimal:
        """Validate a line's total from 0 to ``MAX_LINE_TOTAL``.

        It is rounded half up to cents.
        """
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
            # Minus zero becomes zero.
            return abs(to_cents(value))
        return ZERO

    def quantity(self, field: str, value: Decimal | None) -> Decimal:
        """Validate a quantity from 0 to ``MAX_QUANTITY`` with up to 3 decimals."""
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
        """Report a quantity with more decimals than allowed."""
        if quantity != quantity.quantize(Decimal(1).scaleb(-decimals)):
            self.add_error(Code.QUANTITY_TOO_FINE, field, decimals=decimals)

    def int_enum(self, field: str, value: int | None, choices: Iterable[Choice]) -> Choice:
        """Validate a numbered choice.

        Return the first choice if the value is invalid.
        """
        numbered = {int(choice): choice for choice in choices}
        if value is None:
            self.add_error(Code.REQUIRED, field)
        elif value not in numbered:
            self.add_error(Code.CHOICE_UNKNOWN, field, choices=", ".join(map(str, numbered)))
        else:
            return numbered[value]
        return next(iter(numbered.values()))

    def str_enum(self, field: str, value: str | None, choices: type[NamedChoice]) -> NamedChoice:
        """Validate a named choice.

        Return the first choice if the value is invalid.
        """
        if value in (None, ""):
            self.add_error(Code.REQUIRED, field)
        elif value not in set(choices):
            self.add_error(Code.CHOICE_UNKNOWN, field, choices=", ".join(choices))
        else:
            return choices(value)
        return next(iter(choices))

    def boolean(self, field: str, value: int | None) -> bool:
        """Validate ``active``, which is 1 or 0 in requests; missing means True."""
        if value not in (None, 0, 1):
            self.add_error(Code.YES_OR_NO_EXPECTED, field)
        return value != 0

    def day(self, field: str, value: date | None) -> date:
        """Validate a required day."""
        if value is None:
            self.add_error(Code.REQUIRED, field)
        return value or date.min

    def date_not_in_future(self, field: str, value: date | None, today: date) -> date | None:
        """Validate an optional day that is not in the future.

        An example is a date of birth.
        """
        if value is not None and value > today:
            self.add_error(Code.DATE_IN_FUTURE, field)
        return value

    def required_id(self, field: str, value: int | None) -> int:
        """Validate a required id. The store checks whether it exists."""
        if not value:
            self.add_error(Code.REQUIRED, field)
        return value or 0
