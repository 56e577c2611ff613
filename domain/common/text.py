"""Normalize and compare texts.

Searches ignore case and accents; uniqueness ignores case.
"""

import re
import unicodedata

# Characters without ink (Unicode Default_Ignorable_Code_Point): zero-width characters, soft hyphens, direction marks,
# byte order marks, fillers, variation selectors and tags.
_WITHOUT_INK = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Embeddings, overrides and isolates: they change the order in which a line is read.
_DIRECTION = "\u202a-\u202e\u2066-\u2069"
INVISIBLE = re.compile(f"[{_WITHOUT_INK}{_DIRECTION}]")
_BIDI_CONTROL = re.compile(f"[{_DIRECTION}]")
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
# Every character that people read as a hyphen: Unicode's dashes of one line, minus signs and hyphen bullets.
_DASHES = str.maketrans(
    dict.fromkeys(
        "\u02d7\u058a\u05be\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207b\u208b\u2212\u2796"
        "\u2e3a\u2e3b\ufe31\ufe32\ufe58\ufe63\uff0d",
        "-",
    )
)
_BETWEEN_NAMES = re.compile(r"(?<!\d)[-.,;]+|[-.,;]+(?!\d)")
_BESIDE_A_LETTER = re.compile(r"(?<=[^\W\d_])-(?=\w)|(?<=\w)-(?=[^\W\d_])")
_BETWEEN_DIGITS = re.compile(r"(?<=\d) ?x ?(?=\d)")
# Limited: Python refuses to convert very long numbers.
_DIGITS = re.compile(r"[0-9]{1,18}")
_CONTEXT_LENGTH = 12
# The minimum length for finding a code by its beginning, and by any part of it.
MIN_CODE_PREFIX, MIN_CODE_PART = 2, 3


def one_line(text: str) -> str:
    """Normalize a text of one line.

    Remove invisible characters, and replace line breaks, tabs and repeated blanks by single plain spaces. Every name
    and code that enters the system is normalized here.
    """
    return _SPACES.sub(" ", text if text.isascii() else _DROPPED.sub("", text)).strip()


def several_lines(text: str) -> str:
    """Normalize a text of several lines.

    Remove invisible characters and surrounding blanks, and use plain spaces and line breaks.
    """
    seen = text if text.isascii() else _SPACE.sub(" ", _DROPPED.sub("", text))
    return _NEW_LINE.sub("\n", seen).strip()


def fold(text: str) -> str:
    """Remove case, accents and repeated blanks for a search.

    ``canula`` finds ``Cánula``.
    """
    if not text.isascii():
        text = INVISIBLE.sub("", text)
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(text.casefold().split())


def natural_key(name: str) -> str:
    """Return the sort key of a name with numbers: room 2 comes before room 10.

    Before each number is how many digits it has.
    """
    return _DIGITS.sub(_sized, fold(name))


def _sized(number: re.Match[str]) -> str:
    digits = str(int(number[0]))
    return f"{len(digits):02}{digits}"


def counted(quantity: str, name: str) -> str:
    """Word a quantity and what it is of as it is read aloud: 3 Gasa.

    Before a name that begins with a number, the sign stays between the two, which is not read as 30,9 %.
    """
    return f"{quantity} × {name}" if name[:1].isdigit() else f"{quantity} {name}"


def full_name(*parts: str | None) -> str:
    """Join a person's names: given name, first surname, second surname."""
    return " ".join(filter(None, parts))


def fold_person(name: str) -> str:
    """Fold a person's name for searches, the duplicate warning and imports.

    Hyphens, commas and dots separate words, and apostrophes join them: ``García-Lopera`` becomes ``garcia lopera`` and
    ``O’Donnell`` becomes ``odonnell``. Between two digits they stay: ``3,5`` is a number.
    """
    return fold(_BETWEEN_NAMES.sub(" ", name.translate(_APOSTROPHES).translate(_DASHES)))


def person_words(text: str) -> list[str]:
    """Split a search for people into words.

    Each word has to be part of the folded name.
    """
    return fold_person(text).split() or fold(text).split()


def sort_name(name: str, first_surname: str, second_surname: str | None) -> str:
    """Return a person's folded name, surnames first.

    It is the sort key of lists. Imports find a person by it.
    """
    return fold_person(f"{first_surname} {second_surname or ''} {name}")


def fold_product(name: str) -> str:
    """Fold a product's name for searches, and for files without codes.

    Some differences in spelling are ignored: × is an x, without blanks between two numbers, and a hyphen beside a
    letter joins. ``10x10`` finds ``10 × 10``, and ``microgotero`` finds ``Micro-gotero``, but 3-0 is not 30.
    """
    folded = fold(name.translate(_TIMES).translate(_HYPHENS))
    return _BETWEEN_DIGITS.sub("x", _BESIDE_A_LETTER.sub("", folded))


def product_words(text: str) -> list[str]:
    """Split a search for products into words.

    Each word has to be part of the folded name. For ``t-``, the rest has still to be typed, so the hyphen is dropped.
    """
    return [word.strip("-") or word for word in fold_product(text).split()]


def fold_code(code: str) -> str:
    """Return a code's letters and digits: ``mc0005`` finds ``MC-0005``."""
    return "".join(letter for letter in fold(code.translate(_TIMES)) if letter.isalnum())


def unique_key(text: str) -> str:
    """Return the key under which a text has to be unique.

    Two texts with the same key look the same, regardless of case.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", INVISIBLE.sub("", text)).translate(_SAME_HYPHENS)
    return one_line(text).casefold()


def code_key(code: str) -> str:
    """Return the comparison key of a code, lot, serial or record number.

    What people read as equal has one key, without regard to case, blanks, invisible characters, full width and the kind
    of hyphen: ``ＡＢ – 0012`` has that of ``ab-0012``. ``ui/src/i18n/fold.ts`` has the same rule.
    """
    if not code.isascii():
        code = unicodedata.normalize("NFKC", INVISIBLE.sub("", code).translate(_DASHES).translate(_TIMES))
    return _SPACES.sub("", code).casefold()


def strip_leading_zeros(code: str) -> str:
    """Return the key of a code without leading zeros.

    Spreadsheets remove leading zeros from codes: ``00123`` and ``123`` have the same key.
    """
    return code_key(code).lstrip("0")


def find_bidi_control(text: str) -> tuple[str, str] | None:
    """Return the first bidi control character and the text around it.

    The character is formatted as ``U+202E``. The result is None if there is none.
    """
    found = None if text.isascii() else _BIDI_CONTROL.search(text)
    if not found:
        return None
    beside = text[max(0, found.start() - _CONTEXT_LENGTH) : found.end() + _CONTEXT_LENGTH]
    return f"U+{ord(found[0]):04X}", _BIDI_CONTROL.sub("", beside).strip()


def is_storable(text: str) -> bool:
    """Return whether every character can be stored and shown.

    NUL, other control characters and lone surrogates cannot.
    """
    return text.isprintable() or all(c in "\n\r\t" or unicodedata.category(c) not in ("Cc", "Cs") for c in text)
