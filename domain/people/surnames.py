"""A person's two surnames, also where a list or a message has both in one place."""

import re

from domain.common.text import fold, fold_person

# Words in a surname that do not count as a surname of their own.
_PARTICLES = frozenset(
    {"de", "del", "la", "las", "lo", "los", "y", "e", "i", "da", "das", "do", "dos", "di", "du", "van", "von", "der"}
)
# Words between two surnames: Ramón y Cajal.
_JOINING = frozenset({"y", "e", "i"})
_HYPHENS = "\\-\u2010-\u2015\u2212\uff0d"
_WORD = re.compile(rf"[^\s{_HYPHENS}]+")


def without_second(first_surname: str, second_surname: str | None) -> str:
    """Return the first surname without the second one at its end.

    ``Domínguez Falcó`` and ``Peña-Núñez`` become ``Domínguez`` and ``Peña``. In ``Cruz de la Rosa``, no surname ends
    before ``Rosa``.
    """
    words, ending = [*_WORD.finditer(first_surname)], fold_person(second_surname or "").split()
    length = len(words) - len(ending)
    if not ending or length < 1 or [fold_person(word[0]) for word in words[length:]] != ending:
        return first_surname
    before = words[length - 1]
    return first_surname if fold(before[0]) in _PARTICLES else first_surname[: before.end()]


def place_surnames(told: str, first_surname: str, second_surname: str | None) -> tuple[str, str | None] | None:
    """Return the surnames of a known person of whom a text tells.

    The text has the first surname or both. The result is None if it may have a second surname other than the known one.
    """
    first = without_second(told, second_surname)
    if first != told or fold_person(told) == fold_person(first_surname) or not second_surname:
        return first, second_surname
    if _joined(told) == _joined(f"{first_surname} {second_surname}"):
        return first_surname, second_surname
    if len([word for word in fold_person(told).split() if word not in _PARTICLES]) > 1:
        return None
    return told, second_surname


def _joined(surnames: str) -> list[str]:
    return [word for word in fold_person(surnames).split() if word not in _JOINING]
