"""Compare names: may they mean the same person or product?

Differences in spelling, order, accents and abbreviations, and words that one of them lacks, are ignored. Any other
difference counts. If it is unclear, the names are different: a false warning costs a look, a missing one charges
another patient.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from domain.common.text import fold

_MAX_LENGTH = 400
_VOWELS = frozenset("aeiou")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of a person's name from these lengths on may have one typing error, or two.
_ONE_SLIP, _TWO_SLIPS = 5, 9


class Quantity(NamedTuple):
    """A quantity in a product's name, with an optional unit.

    ``numbers`` are the possible values: 1,000 is one or a thousand.
    """

    numbers: frozenset[Decimal]
    unit: str


Part = str | Quantity
Alike = Callable[[Part, Part], bool]


def people_differ(one: str, other: str) -> bool:
    """Return whether the names belong to two different people."""
    return one != other and _are_different_people(one, other)


def products_differ(one: str, other: str) -> bool:
    """Return whether the names belong to two different products."""
    return one != other and _products_differ(one, other)


# --- people ----------------------------------------------------------------------------------------------------------

_NO_NAMES = _words(
    "de del la las los el y e da das do dos di du van von der den dr dra doctor doctora sr sra srta senor senora "
    "senorita don dona mr mrs ms miss lic ing prof recien of"
)
# A newborn under the mother's name is not the mother, and a son under his father's name is not the father.
_CHILD = _words(
    "rn newborn neonato neonata bebe baby boy girl nacido nacida hijo hija producto gemelo gemela twin jr junior"
)
_NUMERALS = {"ii": "2", "iii": "3"}
# Usual abbreviations without a dot that are not just the beginning of the name.
_SHORT_NAMES = {
    "ma": "maria", "fco": "francisco", "gpe": "guadalupe", "glez": "gonzalez", "fdez": "fernandez",
    "hdez": "hernandez", "mtnez": "martinez", "mtez": "martinez", "rguez": "rodriguez", "dguez": "dominguez",
    "gtez": "gutierrez", "sta": "santa", "sto": "santo",
}  # fmt: skip
_NAME = re.compile(r"[^\W\d_]+|\d+")
_DOTTED = re.compile(r"([^\W\d_]+)\.")
# Letters that sound alike in Spanish become the same: Vázquez and Básques, Ximena and Jimena, Jhon and John.
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("ph", "f"), ("h", ""), ("[vw]", "b"), ("qu(?=[ei])|[kq]|c(?![ei])", "k"), ("gu(?=[ei])", "g"), ("[zc]", "s"),
        ("ll", "y"), ("x|g(?=[ei])", "j"), ("y", "i"), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
# Without a dot, the beginning of a name counts as an abbreviation only with at least this many letters present and this
# many missing: Luis does not abbreviate Luisa, nor Martín Martínez.
_BEGINNING, _MISSING = 4, 3


@lru_cache(maxsize=4096)
def _are_different_people(one: str, other: str) -> bool:
    first, second = (_NAME.findall(fold(name[:_MAX_LENGTH])) for name in (one, other))
    if _which_child(first) != _which_child(second):
        return True
    dotted = frozenset(_DOTTED.findall(fold(f"{one} {other}")))
    alike = (_same, _sounds_alike, _slips_in_a_name, lambda a, b: _short_names(a, b, dotted), _initials)
    first, second = _joined(first, second), _joined(second, first)
    return not _may_be_the_same(_names(first), _names(second), alike)


def _which_child(words: Iterable[str]) -> set[str]:
    """Return whether a child is meant, and the number of several."""
    found = {"child" if word in _CHILD else _NUMERALS.get(word, word) for word in words}
    return {word for word in found if word == "child" or word.isdecimal()}


def _joined(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Join the words that the other name has as one.

    Examples are de la Cruz and Delacruz, María José and Mariajosé.
    """
    bind_to: list[str] = []
    context = 0
    while context < len(words):
        several = next((n for n in (4, 3, 2) if "".join(words[context : context + n]) in others), 1)
        bind_to.append("".join(words[context : context + several]))
        context += several
    return bind_to


def _names(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _NO_NAMES | _CHILD and word not in _NUMERALS and word.isalpha()]


def _slips_in_a_name(one: Part, other: Part) -> bool:
    """Return whether the names differ by one or two typing errors.

    A different ending of a male and a female name is not an error: Mario and María, Luis and Luisa.
    """
    assert isinstance(one, str)
    assert isinstance(other, str)
    shorter, longer = sorted((one, other), key=len)
    her = shorter[: len(longer) - 1] == longer[:-1] and "a" in (shorter[-1], longer[-1])
    return not her and _is_slip(one, other, most=2)


def _short_names(one: Part, other: Part, dotted: frozenset[str]) -> bool:
    """Return whether one name abbreviates the other.

    Examples are Ma. for María, Fco for Francisco, Hdz for Hernández.
    """
    short, name = sorted((str(one), str(other)), key=len)
    if len(short) == 1 or short[0] != name[0]:
        return False
    if _SHORT_NAMES.get(short) == name:
        return True
    if short in dotted or _VOWELS.isdisjoint(short):
        return _is_within(short, name)
    begun = name.startswith(short) and len(short) >= _BEGINNING and len(name) - len(short) >= _MISSING
    return begun and short[-1] not in _VOWELS and name[-1] != "a"


def _initials(one: Part, other: Part) -> bool:
    short, name = sorted((str(one), str(other)), key=len)
    return len(short) == 1 and name.startswith(short)


# --- products --------------------------------------------------------------------------------------------------------

# The factor of each unit to the smallest of its kind. G is grams for a vial and gauge for a needle.
_UNITS: dict[str, dict[str, Decimal]] = {
    name: {kind: Decimal(factor)}
    for kind, factor, names in (
        ("volume", "1", "ml cc mililitros mililitro"),
        ("volume", "1000", "l lt lts litro litros liter"),
        ("mass", "0.001", "mcg ug μg microgramos"),
        ("mass", "1", "mg mgs miligramos"),
        ("mass", "1000", "gr grs gm gramo gramos gram"),
        ("mass", "1000000", "kg kgs kilo kilos"),
        ("length", "1", "mm"),
        ("length", "10", "cm cms centimetros"),
        ("length", "1000", "m mt mts metro metros"),
        ("inch", "1", 'in inch inches pulg pulgada pulgadas " ” ″'),
        ("french", "1", "fr f ch french"),
        ("gauge", "1", "ga gauge"),
        ("share", "1", "%"),
        ("effect", "1", "ui iu u"),
    )
    for name in names.split()
} | {"g": {"mass": Decimal(1000), "gauge": Decimal(1)}}
_NO_WORDS = _words(
    "de del la las los el y e para con of the and for with w in en un una a por x num numero nro nr n talla tamano "
    "size calibre cal medida"
)
_WITHOUT = _words("sin no non not without wo libre exento exenta")
# Synonyms and abbreviations that are not the beginning of the word.
_SAME_WORDS = {
    "ampula": "ampolla", "ampolleta": "ampolla", "ev": "iv", "endovenoso": "intravenoso", "endovenosa": "intravenosa",
    "pza": "pieza", "pz": "pieza", "pzas": "pieza", "und": "pieza", "unidad": "pieza", "ea": "each", "pk": "pack",
    "ch": "chico", "pequeno": "chico", "m": "mediano", "mediana": "mediano", "g": "grande",
    "s": "small", "l": "large", "med": "mediano", "medium": "mediano",
}  # fmt: skip
_WITH_SLASH = re.compile(r"\b([cspw])/(o\b)?")
_WITH_SLASH_MEANS = {"c": " ", "p": " ", "w": " ", "s": " sin ", "wo": " sin "}
_BY = re.compile(r"(?<=\d)\s*x\s*(?=\d)")
_PART = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*|[.,]\d+)(?:\s*(?P<unit>"
    + "|".join(sorted(_UNITS, key=len, reverse=True))
    + r")(?!\w))?"
    r"|(?P<word>[^\W\d_]+)"
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


@lru_cache(maxsize=4096)
def _products_differ(one: str, other: str) -> bool:
    alike = (_same, _same_quantity, _sounds_alike, _slips_in_a_word, _short_words)
    return not _may_be_the_same(_parts(one), _parts(other), alike)


def _parts(name: str) -> list[Part]:
    """Split a name into words and quantities.

    An absent ingredient ("sin", "free") becomes a word of its own with a leading "!".
    """
    text = fold(name[:_MAX_LENGTH].replace("×", "x"))
    text = _WITH_SLASH.sub(lambda found: _WITH_SLASH_MEANS[found[1] + ("o" if found[2] else "")], text)
    found = list(_PART.finditer(_BY.sub(" ", text)))
    parts: list[Part] = []
    without = False
    for match, after in pairwise([*found, None]):
        assert match is not None
        if match["number"]:
            parts.append(Quantity(_numbers(match["number"]), match["unit"] or ""))
            without = False
            continue
        word = match["word"]
        if word in _WITHOUT:
            without = not (word == "no" and after is not None and after["number"])
        elif word == "free" and parts and isinstance(parts[-1], str):
            parts[-1] = f"!{parts[-1]}"
        elif word not in _NO_WORDS:
            parts.append(f"!{word}" if without else _SAME_WORDS.get(word, word))
            without = False
    return parts


def _numbers(text: str) -> frozenset[Decimal]:
    meant = {text.replace(",", ".")} if len(re.findall("[.,]", text)) < 2 else set()
    if _THOUSANDS.fullmatch(text):
        meant.add(re.sub("[.,]", "", text))
    return frozenset(map(Decimal, meant or re.findall(r"\d+", text)))


def _same_quantity(one: Part, other: Part) -> bool:
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)):
        return False
    if not one.unit or not other.unit:
        return not one.numbers.isdisjoint(other.numbers)
    mine, its = _UNITS[one.unit], _UNITS[other.unit]
    return any(
        {number * mine[kind] for number in one.numbers} & {number * its[kind] for number in other.numbers}
        for kind in mine.keys() & its.keys()
    )


def _slips_in_a_word(one: Part, other: Part) -> bool:
    """Return whether the words differ by one typing error.

    With two, one medicine could be mistaken for another.
    """
    return isinstance(one, str) and isinstance(other, str) and _is_slip(one, other, most=1)


def _short_words(one: Part, other: Part) -> bool:
    """Return whether one word abbreviates the other.

    It is the beginning or the consonants: EST and estéril, JGA and jeringa.
    """
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    short, word = sorted((one, other), key=len)
    if len(short) < 2 or short[0] != word[0]:
        return False
    return word.startswith(short) or (_VOWELS.isdisjoint(short[1:-1]) and _is_within(short, word))


# --- both ------------------------------------------------------------------------------------------------------------


def _may_be_the_same(one: Sequence[Part], other: Sequence[Part], alike: Iterable[Alike]) -> bool:
    """Return whether every part of the shorter name matches one in the other."""
    fewer, more = sorted((list(one), list(other)), key=len)
    for are_alike in alike:
        for part in list(fewer):
            fitting = next((each for each in more if are_alike(part, each)), None)
            if fitting is not None:
                fewer.remove(part)
                more.remove(fitting)
    return not fewer


def _same(one: Part, other: Part) -> bool:
    return one == other


@lru_cache(maxsize=4096)
def _sound(word: str) -> str:
    for written, sound in _SOUNDS:
        word = written.sub(sound, word)
    return word


def _sounds_alike(one: Part, other: Part) -> bool:
    return isinstance(one, str) and isinstance(other, str) and _sound(one) == _sound(other)


def _is_slip(one: str, other: str, *, most: int) -> bool:
    """Return whether the words differ by a few typing errors.

    Errors are extra, missing, wrong or swapped letters, except in the first letter.
    """
    one, other = _sound(one), _sound(other)
    shortest = min(len(one), len(other))
    allowed = min(most, 0 if shortest < _ONE_SLIP else 1 if shortest < _TWO_SLIPS else 2)
    return one[:1] == other[:1] and _distance(one, other) <= allowed


def _distance(one: str, other: str) -> int:
    """Return the edit distance; a swap counts as one error."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        two_before, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and (a, b) == (other[j - 2], one[i - 2]):
                steps = min(steps, two_before[j - 2] + 1)
            row.append(steps)
    return row[-1]


def _is_within(short: str, word: str) -> bool:
    """Return whether the letters of ``short`` occur in ``word`` in order."""
    rest = iter(word)
    return len(short) < len(word) and all(letter in rest for letter in short)
