"""Labels that the hospital prints with this application.

The text of a label is ``CNS``, a letter for the kind, the number of the installation, the number of what it names, and
two check digits. No keyboard layout changes these letters. The check digits find typing errors; they protect nothing.

The number on a frozen paper is longer: for a closed sheet the sheet, the number of the closing and a part of its
digest, and for an issued document its number, version and a part of its digest.
"""

import re
from enum import StrEnum
from typing import NamedTuple

# The lowest and the highest number of an installation.
MIN_INSTALLATION, MAX_INSTALLATION = 100_000, 999_999
MAX_LABEL_NUMBER = 999_999_999

_OWN_LABEL = re.compile(r"CNS[PKRSFCD][0-9]", re.IGNORECASE)
_LABEL = re.compile(r"CNS([PKRSF])([1-9][0-9]{5})([1-9][0-9]{0,8})([0-9]{2})", re.IGNORECASE | re.ASCII)
_PAPER_LABEL = re.compile(
    r"CNS([CD])([1-9][0-9]{5})([0-9]{8})([0-9]{2})([0-9]{39})([0-9]{2})", re.IGNORECASE | re.ASCII
)
_MAX_PAPER_NUMBER, _MAX_PAPER_TURN = 99_999_999, 99
# The digits of a digest that are on paper: 128 bits, as a decimal number.
_PAPER_DIGITS = 32
# The kinds in this order have the digits 1 to 7 in the calculation of the check digits.
_KINDS = "PKRSFCD"


class LabelKind(StrEnum):
    """What a label names, by its letter.

    R is a product, S a sheet, F a form, D an issued document.
    """

    PATIENT = "P"
    KIT = "K"
    PRODUCT = "R"
    SHEET = "S"
    FORM = "F"
    CLOSING = "C"
    DOCUMENT = "D"


class Label(NamedTuple):
    """A label with right check digits.

    It is ``foreign`` if another installation printed it: its number means nothing here. The ``number`` of a closing is
    its sheet's; ``turn`` is the number of the closing on the sheet, or the version of a document, and ``digest`` the
    first digits of its digest.
    """

    kind: LabelKind
    number: int
    foreign: bool = False
    turn: int = 0
    digest: str = ""

    def has_digest_of(self, digest: str) -> bool:
        """Return whether the paper was printed from what has this digest."""
        return self.digest == digest[:_PAPER_DIGITS]


def is_own_label(text: str) -> bool:
    """Return whether the text begins like one of our labels, even damaged."""
    return _OWN_LABEL.match(text) is not None


def label_text(kind: LabelKind, number: int, installation: int) -> str:
    """Return the text of a label."""
    digits = f"{installation}{number}"
    return f"CNS{kind}{digits}{_check_digits(kind, digits)}"


def paper_label_text(kind: LabelKind, number: int, turn: int, digest: str, installation: int) -> str | None:
    """Return the text on a frozen paper; None if a number is too large.

    ``digest`` is hexadecimal.
    """
    if number > _MAX_PAPER_NUMBER or turn > _MAX_PAPER_TURN:
        return None
    digits = f"{installation}{number:08}{turn:02}{int(digest[:_PAPER_DIGITS], 16):039}"
    return f"CNS{kind}{digits}{_check_digits(kind, digits)}"


def read_label(text: str, installation: int) -> Label | None:
    """Return the label, or None for any other text and for a damaged label."""
    if paper := _PAPER_LABEL.fullmatch(text):
        return _read_paper(paper, installation)
    found = _LABEL.fullmatch(text)
    if not found:
        return None
    kind, by, number, check = found.groups()
    if check != _check_digits(kind, by + number):
        return None
    return Label(LabelKind(kind.upper()), int(number), foreign=int(by) != installation)


def _read_paper(found: re.Match[str], installation: int) -> Label | None:
    letter, *digits, check = found.groups()
    kind = LabelKind(letter.upper())
    if check != _check_digits(kind, "".join(digits)):
        return None
    by, number, turn, digest = map(int, digits)
    return Label(kind, number, foreign=by != installation, turn=turn, digest=f"{digest:032x}")


def _check_digits(kind: str, digits: str) -> str:
    place = _KINDS.index(kind.upper()) + 1
    return f"{98 - int(f'{place}{digits}') * 100 % 97:02}"
