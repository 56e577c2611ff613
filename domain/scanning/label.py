"""Labels that the hospital prints with this application.

The text of a label is ``CNS``, a letter for the kind, the number of the installation, the number of what it names, and
two check digits. No keyboard layout changes these letters. The check digits find typing errors; they protect nothing.
"""

import re
from enum import StrEnum
from typing import NamedTuple

# The lowest and the highest number of an installation.
MIN_INSTALLATION, MAX_INSTALLATION = 100_000, 999_999
MAX_LABEL_NUMBER = 999_999_999

_OWN_LABEL = re.compile(r"CNS[PKRSFC][0-9]", re.IGNORECASE)
_LABEL = re.compile(r"CNS([PKRSF])([1-9][0-9]{5})([1-9][0-9]{0,8})([0-9]{2})", re.IGNORECASE | re.ASCII)
# The kinds in this order have the digits 1 to 6 in the calculation of the check digits.
_KINDS = "PKRSFC"


class LabelKind(StrEnum):
    """What a label names, by its letter: R is a product, S a sheet, F a form."""

    PATIENT = "P"
    KIT = "K"
    PRODUCT = "R"
    SHEET = "S"
    FORM = "F"


class Label(NamedTuple):
    """A label with right check digits.

    It is ``foreign`` if another installation printed it: its number means nothing here.
    """

    kind: LabelKind
    number: int
    foreign: bool = False


def is_own_label(text: str) -> bool:
    """Return whether the text begins like one of our labels, even damaged."""
    return _OWN_LABEL.match(text) is not None


def label_text(kind: LabelKind, number: int, installation: int) -> str:
    """Return the text of a label."""
    digits = f"{installation}{number}"
    return f"CNS{kind}{digits}{_check_digits(kind, digits)}"


def read_label(text: str, installation: int) -> Label | None:
    """Return the label, or None for any other text and for a damaged label."""
    found = _LABEL.fullmatch(text)
    if not found:
        return None
    kind, by, number, check = found.groups()
    if check != _check_digits(kind, by + number):
        return None
    return Label(LabelKind(kind.upper()), int(number), foreign=int(by) != installation)


def _check_digits(kind: str, digits: str) -> str:
    place = _KINDS.index(kind.upper()) + 1
    return f"{98 - int(f'{place}{digits}') * 100 % 97:02}"
