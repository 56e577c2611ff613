"""How texts are compared: in searches without case and accents, for uniqueness without case."""

import re
import unicodedata

_TIMES = str.maketrans(dict.fromkeys("×✕✖⨯", "x"))
_HYPHENS = str.maketrans(dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}", "-"))
_BESIDE_A_LETTER = re.compile(r"(?<=[^\W\d_])-(?=\w)|(?<=\w)-(?=[^\W\d_])")
_BETWEEN_DIGITS = re.compile(r"(?<=\d) ?x ?(?=\d)")
# Marks, embeddings, overrides and isolates of direction: a line that holds one can be read as another than it is.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BESIDE = 12


def fold(text: str) -> str:
    """The text without case, accents and doubled blanks, as searches compare it: ``canula`` finds ``Cánula``."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def full_name(*parts: str | None) -> str:
    """A person's name in the one order that there is: given name, first surname, second surname, as far as known."""
    return " ".join(filter(None, parts))


def fold_product(name: str) -> str:
    """A product's name as searches compare it, and files in which products have no codes.

    What people write one way or another makes no difference besides: × is an x, without blanks between two numbers, and
    a hyphen beside a letter joins. ``10x10`` finds ``10 × 10``, ``microgotero`` finds ``Micro-gotero``; 3-0 is not 30.
    """
    folded = fold(name.translate(_TIMES).translate(_HYPHENS))
    return _BETWEEN_DIGITS.sub("x", _BESIDE_A_LETTER.sub("", folded))


def product_words(text: str) -> list[str]:
    """The words of a search, each of which a product's folded name holds. Of ``t-`` the rest is still to be typed."""
    return [word.strip("-") or word for word in fold_product(text).split()]


def fold_code(code: str) -> str:
    """A code's letters and digits, as searches compare it: ``mc0005`` finds ``MC-0005``."""
    return "".join(letter for letter in fold(code.translate(_TIMES)) if letter.isalnum())


def unique_key(text: str) -> str:
    """What two texts share when one of them must not exist beside the other: the same letters, whatever their case."""
    return unicodedata.normalize("NFC", text).casefold()


def without_zeros(text: str) -> str:
    """The same without zeros before it, which spreadsheets take off codes: ``00123`` and ``123`` share it."""
    return unique_key(text).lstrip("0")


def direction_in(text: str) -> tuple[str, str] | None:
    """The first character that changes the direction of reading, such as ``U+202E``, and the text beside it."""
    found = None if text.isascii() else _DIRECTION.search(text)
    if not found:
        return None
    beside = text[max(0, found.start() - _BESIDE) : found.end() + _BESIDE]
    return f"U+{ord(found[0]):04X}", _DIRECTION.sub("", beside).strip()


def is_writable(text: str) -> bool:
    """Whether every character can be stored and shown: no NUL, no other control character, no lone surrogate."""
    return text.isprintable() or all(c in "\n\r\t" or unicodedata.category(c) not in ("Cc", "Cs") for c in text)
