"""PINs: six digits for unlocking a session on a known device."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise, permutations

PIN_LENGTH = 6
# Wrong PINs in a row, after which the session needs a password.
MAX_PIN_FAILURES = 5

_PIN = re.compile(rf"[0-9]{{{PIN_LENGTH}}}", re.ASCII)

# Frequent PINs that no rule below finds.
_FREQUENT = frozenset(
    {
        *("123654", "112358", "131313", "159753", "147258", "147852", "258456", "789456", "456123", "321456"),
        *("142536", "102030", "010203", "101112", "520131", "520520", "696969", "007007", "246810", "135790"),
    }
)


def is_pin(text: str) -> bool:
    """Return whether the text is six ASCII digits."""
    return _PIN.fullmatch(text) is not None


def is_weak_pin(pin: str, *, born: date | None = None, telephone: str | None = None) -> bool:
    """Return whether the PIN is among the first that others would try.

    These are repetitions, sequences, palindromes, frequent ones, the own birth date and the end of the own telephone
    number.
    """
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    is_sequence = steps in ({0}, {1}, {9})
    is_pattern = pin == pin[:2] * 3 or pin == pin[:3] * 2 or pin == pin[::-1]
    digits = "".join(c for c in telephone or "" if c.isdecimal() and c.isascii())
    is_own = pin in set(_birth_dates(born)) or (len(digits) >= PIN_LENGTH and digits.endswith(pin))
    return is_sequence or is_pattern or is_own or pin in _FREQUENT


def _birth_dates(born: date | None) -> Iterator[str]:
    """Yield the birth date in two-digit parts, in any order."""
    if born:
        parts = (f"{born.day:02}", f"{born.month:02}", f"{born.year % 100:02}")
        yield from map("".join, permutations(parts))
