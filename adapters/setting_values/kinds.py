"""A setting, and the kinds of values that settings have."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar

from adapters.setting_values.invalid_setting import InvalidSetting

PREFIX = "CONSUMO_"
# Added to the name of a secret, for a file that contains it.
FILE_SUFFIX = "_FILE"
MIN_SECRET_LENGTH = 32

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)


class UnusableValue(Exception):
    """A value that cannot be used; the message says what to give instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[Value]):
    """A setting of an installation, without the prefix of its variable.

    ``parse`` raises ``UnusableValue``. ``default`` is parsed where the setting is not given; without one, ``help`` and
    the page of settings say what happens. A secret may come from a file. What belongs to the process is the same for
    all hospitals. ``page_field`` is the field of the page *Hospital* that it wins over, ``doctor_line`` the line of
    ``consumo doctor`` for which it is used once.
    """

    name: str
    help: str
    parse: Callable[[str], Value]
    default: str = ""
    is_secret: bool = False
    of_process: bool = False
    page_field: str = ""
    doctor_line: str = ""

    @property
    def variable(self) -> str:
        """Return the name of the environment variable."""
        return f"{PREFIX}{self.name}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names under which it may be given."""
        return (self.name, f"{self.name}{FILE_SUFFIX}") if self.is_secret else (self.name,)

    def read(self, given: Mapping[str, str], default: str | None = None) -> Value:
        """Return the value, by default that of the default.

        Raise ``InvalidSetting``.
        """
        try:
            return self.parse(given.get(self.name, self.default if default is None else default))
        except UnusableValue as problem:
            raise InvalidSetting(f"{self.variable}: {problem}.") from None

    def find(self, given: Mapping[str, str]) -> Value | None:
        """Return the value; None if it is not given."""
        return self.read(given) if self.name in given else None


def text(value: str) -> str:
    """Return the value as it is."""
    return value


def words(value: str) -> tuple[str, ...]:
    """Split at blanks."""
    return tuple(value.split())


def split_list(value: str) -> tuple[str, ...]:
    """Split at commas."""
    return tuple(one.strip() for one in value.split(",") if one.strip())


def secret(value: str) -> str:
    """Return a secret of sufficient length."""
    if len(value) < MIN_SECRET_LENGTH:
        raise UnusableValue(f"give at least {MIN_SECRET_LENGTH} random characters")
    return value


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return the parser of whole numbers in this range."""

    def parse(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not least <= int(value) <= most:
            raise UnusableValue(f"give a whole number from {least} to {most}, not “{value}”")
        return int(value)

    return parse


def amount(value: str) -> Decimal:
    """Parse an amount of money."""
    if not re.fullmatch(r"[0-9]{1,13}(\.[0-9]{1,2})?", value):
        raise UnusableValue(f"give an amount such as 500.00, not “{value}”")
    return Decimal(value)


def on_or_off(value: str) -> bool:
    """Parse on and off."""
    return one_of("on", "off")(value) == "on"


def one_of(*known: str) -> Callable[[str], str]:
    """Return the parser that accepts these values."""

    def parse(value: str) -> str:
        if value not in known:
            raise UnusableValue(f"give {', '.join(known[:-1])} or {known[-1]}, not “{value}”")
        return value

    return parse


def member_of(choices: type[Choice]) -> Callable[[str], Choice]:
    """Return the parser that accepts the members of an enumeration."""
    known = one_of(*choices)
    return lambda value: choices(known(value))


def readable_file(value: str) -> Path:
    """Return the path of a file that can be read."""
    try:
        with Path(value).open("rb") as file:
            file.read(1)
    except OSError as error:
        raise UnusableValue(f"{value} cannot be read: {error.strerror}") from None
    return Path(value)


def names_of(settings: Iterable[Setting[object]]) -> frozenset[str]:
    """Return all names under which these settings may be given."""
    return frozenset(name for one in settings for name in one.names)
