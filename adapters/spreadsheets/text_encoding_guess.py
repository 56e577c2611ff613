"""Guess a legacy encoding: ``Algod¢n`` is no word, ``Algodón`` is one."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from application.imports.reading.table import Encoding

# The usual encoding comes first: it is the default unless another one fits better.
_CODECS = {Encoding.WINDOWS_1252: "cp1252", Encoding.CP850: "cp850", Encoding.MAC_ROMAN: "mac-roman"}
_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]*[\x80-\xff][0-9A-Za-z\x80-\xff]*")
_MAX_WORDS, _MAX_WORD_LENGTH = 5_000, 60

_SPANISH_LETTERS = frozenset("áéíóúüñÁÉÍÓÚÜÑ")
_NO_DIPHTHONG = ("a", "e", "o")
# Signs in correct positions: ¡Ojo, ¿Qué, 5 µm, surgeon’s.
_FITTING = re.compile(r"(?<!\w)[¡¿](?=[^\W\d_])|(?<![^\W\d_])µ(?=[gmlL])|(?<=[^\W\d_])’(?=[^\W\d_])")
# Signs that may occur between letters in some texts, and are no evidence.
_NEUTRAL = frozenset("\N{NO-BREAK SPACE}·´")


class Likeliest(NamedTuple):
    """The best encoding, whether it is clear, and a word as evidence.

    ``line`` is the word's line. The word is decoded in the best encoding (``word``) and in the ``other`` one that was
    compared with it. ``points`` says how well its letters fit in the best one.
    """

    encoding: Encoding
    is_clear: bool
    other: Encoding
    word: str
    as_other: str
    line: int
    points: int


def likeliest_of(lines: Iterable[tuple[int, bytes]]) -> Likeliest:
    """Guess the encoding of numbered lines.

    The result is clear if the usual encoding makes more nonsense than sense, and another one does not.
    """
    words: dict[bytes, int] = {}
    for number, line in lines:
        for word in _WORD.findall(line):
            words.setdefault(word[:_MAX_WORD_LENGTH], number)
        if len(words) > _MAX_WORDS:
            break
    points = {encoding: {word: _score(_read(word, encoding)) for word in words} for encoding in _CODECS}
    sums = {encoding: sum(each.values()) for encoding, each in points.items()}
    usual, *others = _CODECS
    rival = max(others, key=lambda encoding: sums[encoding])
    best, other = (rival, usual) if sums[rival] > sums[usual] else (usual, rival)
    shows = max(words, key=lambda word: points[best][word] - points[other][word], default=b"")
    is_clear = best is usual or sums[usual] < 0 < sums[best]
    return Likeliest(best, is_clear, other, _read(shows, best), _read(shows, other), words.get(shows, 0), sums[best])


def _read(word: bytes, encoding: Encoding) -> str:
    """Decode a word; undefined bytes become replacement characters."""
    return word.decode(_CODECS[encoding], errors="replace")


def _score(word: str) -> int:
    """Return the number of plausible non-ASCII letters minus implausible ones."""
    points = len(_FITTING.findall(word))
    for place, letter in enumerate(word):
        before, after = word[place - 1 : place], word[place + 1 : place + 2]
        if letter.isascii() or _FITTING.match(word, place):
            continue
        if letter.isalpha() and letter not in "ªº":
            if before.isdigit() or after.isdigit() or _case_mismatch(before, letter, after):
                points -= 1
            elif letter == "á":
                points += _score_of_blank(before, after)
            elif letter in _SPANISH_LETTERS and (before.isalpha() or after.isalpha()):
                points += 1
        elif before.isalpha() and after.isalpha() and letter not in _NEUTRAL:
            points -= 1
    return points


def _case_mismatch(before: str, letter: str, after: str) -> bool:
    """Return whether a letter's case does not fit its neighbours.

    This is a capital after a small letter, or a small letter before capitals or at the end of them.
    """
    if letter.isupper():
        return before.islower()
    return after.isupper() or (before.isupper() and not after.isalpha())


def _score_of_blank(before: str, after: str) -> int:
    """Score an á: CP850 has it where Windows-1252 has a no-break space.

    The no-break space joins words, as in ``Gasaáfina``.
    """
    if before in _NO_DIPHTHONG or after in _NO_DIPHTHONG:
        return -1
    return 1 if before.isalpha() and after.isalpha() else 0
