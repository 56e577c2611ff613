"""Normalize and compare texts: in searches without case and accents, for uniqueness without case."""

import re
import unicodedata

# Characters without ink, as Unicode names them (Default_Ignorable_Code_Point): zero-width ones, soft hyphens, marks of
# direction, byte order marks, fillers, variation selectors and tags.
_WITHOUT_INK = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Embeddings, overrides and isolates: they change the order in which a line is read.
_DIRECTION = "\u202a-\u202e\u2066-\u2069"
INVISIBLE = re.compile(f"[{_WITHOUT_INK}{_DIRECTION}]")
_TURNS = re.compile(f"[{_DIRECTION}]")
_DROPPED = re.compile(f"[{_WITHOUT_INK}]")
_BLANK = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
_SPACE = re.compile(f"[{_BLANK}]")
_NEW_LINE = re.compile("\r\n|[\u2028\u2029]")
_SPACES = re.compile(f"[ \t\r\n\u2028\u2029{_BLANK}]+")

_TIMES = str.maketrans(dict.fromkeys("×✕✖⨯", "x"))
_HYPHENS = str.maketrans(dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}", "-"))
# Hyphens that look like the one on the keyboard.
_SAME_HYPHENS = str.maketrans(
    dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{MINUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}", "-")
)
_APOSTROPHES = str.maketrans(dict.fromkeys("'\u2019\u2018\u201b\u02bc\u02b9\u02bb\u2032\uff07\u00b4\u0060", ""))
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d", "-"))
_BETWEEN_NAMES = re.compile(r"(?<!\d)[-.,;]+|[-.,;]+(?!\d)")
_BESIDE_A_LETTER = re.compile(r"(?<=[^\W\d_])-(?=\w)|(?<=\w)-(?=[^\W\d_])")
_BETWEEN_DIGITS = re.compile(r"(?<=\d) ?x ?(?=\d)")
_BESIDE = 12
# The letters and digits by which a code is found that begins with them, or has them anywhere.
MIN_CODE_PREFIX, MIN_CODE_PART = 2, 3


def one_line(text: str) -> str:
    """Return the text as it is seen in one line: no invisible characters, no line breaks or tabs, single plain spaces.

    Every name and every code that comes in passes here, whichever way it takes.
    """
    return _SPACES.sub(" ", text if text.isascii() else _DROPPED.sub("", text)).strip()


def several_lines(text: str) -> str:
    """Return the text without invisible characters, with plain spaces and line breaks, and without blanks around it."""
    seen = text if text.isascii() else _SPACE.sub(" ", _DROPPED.sub("", text))
    return _NEW_LINE.sub("\n", seen).strip()


def fold(text: str) -> str:
    """The text without case, accents and doubled blanks, as searches compare it: ``canula`` finds ``Cánula``."""
    if not text.isascii():
        text = INVISIBLE.sub("", text)
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def full_name(*parts: str | None) -> str:
    """A person's name in the one order that there is: given name, first surname, second surname, as far as known."""
    return " ".join(filter(None, parts))


def fold_person(name: str) -> str:
    """Return a person's name as searches, the duplicate warning and imports compare it.

    Hyphens, commas and dots separate words, apostrophes join: ``García-Lopera`` is ``garcia lopera``, ``O’Donnell`` is
    ``odonnell``. Between two digits they stay: ``3,5`` is a number.
    """
    return fold(_BETWEEN_NAMES.sub(" ", name.translate(_APOSTROPHES).translate(_DASHES)))


def person_words(text: str) -> list[str]:
    """Return the words of a search for people, each of which the folded text holds."""
    return fold_person(text).split() or fold(text).split()


def sort_name(name: str, first_surname: str, second_surname: str | None) -> str:
    """Return a person's folded name, surnames first: lists are ordered by it, and imports find a person by it."""
    return fold_person(f"{first_surname} {second_surname or ''} {name}")


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
    """Return what two texts share that must not exist beside each other: they look the same, whatever their case."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", INVISIBLE.sub("", text)).translate(_SAME_HYPHENS)
    return one_line(text).casefold()


def strip_leading_zeros(text: str) -> str:
    """The same without zeros before it, which spreadsheets take off codes: ``00123`` and ``123`` share it."""
    return unique_key(text).lstrip("0")


def find_bidi_control(text: str) -> tuple[str, str] | None:
    """The first character that changes the direction of reading, such as ``U+202E``, and the text beside it."""
    found = None if text.isascii() else _TURNS.search(text)
    if not found:
        return None
    beside = text[max(0, found.start() - _BESIDE) : found.end() + _BESIDE]
    return f"U+{ord(found[0]):04X}", _TURNS.sub("", beside).strip()


def is_storable(text: str) -> bool:
    """Whether every character can be stored and shown: no NUL, no other control character, no lone surrogate."""
    return text.isprintable() or all(c in "\n\r\t" or unicodedata.category(c) not in ("Cc", "Cs") for c in text)
