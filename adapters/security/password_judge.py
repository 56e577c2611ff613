"""How soon a password is guessed, as zxcvbn judges it.

The Rust one: ten times as quick as the Python one (which takes 5 seconds for the worst 72 characters), and without the
Python one's dictionary that all calls at once write to. Words are told apart without accents, as those who guess do.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations

from zxcvbn_rs_py import Warning as Warned
from zxcvbn_rs_py import zxcvbn

from application.ports.identity import PasswordScore
from domain.errors import Code
from domain.password import MIN_SCORE

# The cost grows with the square of the length, with the words and with the signs that may stand for letters: with ten
# kinds of signs and the list of words it is 30 ms at most, with twenty and without the list 130, of 72 characters three
# times that; and nobody else is served meanwhile. A password is no easier to guess than how it begins.
JUDGED_LENGTH = 40
_MAX_CHAR_CLASSES = 10
_MIN_PART_LENGTH = 3
_BETWEEN_WORDS = re.compile(r"[\s._-]+")
_MAX_PARTS_IN_PAIRS = 12

# They have no hash: no dictionary of them.
_WEAKNESSES = (
    (
        Code.PASSWORD_SEQUENCE,
        [
            Warned.StraightRowsOfKeysAreEasyToGuess,
            Warned.ShortKeyboardPatternsAreEasyToGuess,
            Warned.SequencesLikeAbcAreEasyToGuess,
        ],
    ),
    (
        Code.PASSWORD_REPEATS,
        [Warned.RepeatsLikeAaaAreEasyToGuess, Warned.RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess],
    ),
    (Code.PASSWORD_DATE, [Warned.RecentYearsAreEasyToGuess, Warned.DatesAreOftenEasyToGuess]),
    (
        Code.PASSWORD_COMMON,
        [
            Warned.ThisIsATop10Password,
            Warned.ThisIsATop100Password,
            Warned.ThisIsACommonPassword,
            Warned.ThisIsSimilarToACommonlyUsedPassword,
        ],
    ),
)


class ZxcvbnJudge:
    """``hospital`` is what the hospital is called; ``told`` are passwords that everybody knows."""

    def __init__(self, hospital: Iterable[str], told: Iterable[str]) -> None:
        self._hospital = _expand(hospital)
        self._told = [_plain(password) for password in told]

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:
        """How hard it is to guess for who knows this about the person: their email, their names."""
        judged = _plain(password)[:JUDGED_LENGTH]
        signs = {letter for letter in judged if not letter.isalpha()}
        others = [*self._told, *(_common_words() if len(signs) <= _MAX_CHAR_CLASSES else ())]
        entropy = zxcvbn(judged, [*_expand(about), *self._hospital, *others])
        score = int(entropy.score)
        if score >= MIN_SCORE:
            return PasswordScore(score)
        if int(zxcvbn(judged, others).score) >= MIN_SCORE:
            return PasswordScore(score, Code.PASSWORD_PERSONAL)
        if judged.lower() in self._told:
            return PasswordScore(score, Code.PASSWORD_COMMON)
        warned = entropy.feedback.warning if entropy.feedback else None
        return PasswordScore(
            score, next((code for code, those in _WEAKNESSES if warned in those), Code.PASSWORD_FEW_WORDS)
        )


def _plain(text: str) -> str:
    """Without accents and without what stands between words: zxcvbn takes each blank for a hard guess of its own."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _BETWEEN_WORDS.sub("", letters)


def _expand(texts: Iterable[str]) -> list[str]:
    """Each text, as far as it is judged, and its words, one by one and two together."""
    texts = list(texts)
    parts = list(dict.fromkeys(_plain(part).lower() for text in texts for part in re.split(r"[\W_]+", text)))
    parts = [part for part in parts if len(part) > 1]
    pairs = ("".join(pair) for pair in permutations(parts[:_MAX_PARTS_IN_PAIRS], 2))
    known = (*(_plain(text).lower() for text in texts), *parts, *pairs)
    return list(dict.fromkeys(text[:JUDGED_LENGTH] for text in known if len(text) >= _MIN_PART_LENGTH))


@cache
def _common_words() -> list[str]:
    """Spanish words and names, the most common first."""
    return (files(__package__) / "common_words.txt").read_text("utf-8").split()
