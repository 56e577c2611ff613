"""Password strength by zxcvbn.

The Rust implementation is ten times as fast as the Python one (which takes 5 seconds for the worst 72 characters), and
does not have the Python one's dictionary, which concurrent calls all write to. Words are compared without accents, as
attackers would.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations

from zxcvbn_rs_py import Warning as Warned
from zxcvbn_rs_py import zxcvbn

from application.accounts.ports.identity import PasswordScore
from domain.accounts.password import MIN_SCORE
from domain.common.errors import Code

# Only this many characters are rated, and the word list is used only up to this many different non-letters. The cost
# grows with the square of the length, with the words and with the characters that may stand for letters. With ten such
# characters and the word list it is 30 ms at most; with twenty and no word list 130 ms; for 72 characters three times
# that. No other request is served meanwhile. A password is no easier to guess than its beginning.
JUDGED_LENGTH = 40
_MAX_CHAR_CLASSES = 10
_MIN_PART_LENGTH = 3
_BETWEEN_WORDS = re.compile(r"[\s._-]+")
_MAX_PARTS_IN_PAIRS = 12

# A tuple instead of a dictionary: these values are not hashable.
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
    """Password strength meter.

    ``hospital`` are the names of the hospital; ``known`` are publicly known passwords.
    """

    def __init__(self, hospital: Iterable[str], known: Iterable[str]) -> None:
        self._hospital = _expand(hospital)
        self._public_passwords = [_normalize(password) for password in known]

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:
        """Rate a password; ``about`` is personal data such as email and names."""
        judged = _normalize(password)[:JUDGED_LENGTH]
        signs = {letter for letter in judged if not letter.isalpha()}
        others = [*self._public_passwords, *(_common_words() if len(signs) <= _MAX_CHAR_CLASSES else ())]
        entropy = zxcvbn(judged, [*_expand(about), *self._hospital, *others])
        score = int(entropy.score)
        if score >= MIN_SCORE:
            return PasswordScore(score)
        if int(zxcvbn(judged, others).score) >= MIN_SCORE:
            return PasswordScore(score, Code.PASSWORD_PERSONAL)
        if judged.lower() in self._public_passwords:
            return PasswordScore(score, Code.PASSWORD_COMMON)
        warned = entropy.feedback.warning if entropy.feedback else None
        return PasswordScore(
            score, next((code for code, those in _WEAKNESSES if warned in those), Code.PASSWORD_FEW_WORDS)
        )


def _normalize(text: str) -> str:
    """Strip accents and word separators.

    zxcvbn would count each blank as a separate hard guess.
    """
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _BETWEEN_WORDS.sub("", letters)


def _expand(texts: Iterable[str]) -> list[str]:
    """Return the texts, their words, and pairs of words, lowercase.

    Each is cut to the rated length.
    """
    texts = list(texts)
    parts = list(dict.fromkeys(_normalize(part).lower() for text in texts for part in re.split(r"[\W_]+", text)))
    parts = [part for part in parts if len(part) > 1]
    pairs = ("".join(pair) for pair in permutations(parts[:_MAX_PARTS_IN_PAIRS], 2))
    known = (*(_normalize(text).lower() for text in texts), *parts, *pairs)
    return list(dict.fromkeys(text[:JUDGED_LENGTH] for text in known if len(text) >= _MIN_PART_LENGTH))


@cache
def _common_words() -> list[str]:
    """Return Spanish words and names, most common first."""
    return (files(__package__) / "common_words.txt").read_text("utf-8").split()
