"""Search for people and rooms: ranking and similar names.

One rule applies to open and closed sheets and to patients (docs/contract.md, "Lists").
``adapters/sql/people/people.py`` implements the same rule in SQL.
"""

import heapq
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from domain.common.fuzzy_search import count_errors, is_fuzzy_matchable
from domain.common.text import code_key, fold, fold_code, person_words
from domain.people.patient import KEPT_SEPARATORS

# The number of similar names offered if the search finds none: as many as a person takes in at a glance.
MAX_NEAREST = 10
# How many words of the text are compared by their sound.
_MAX_WORDS = 8
# From this length on, a text is recognized as the beginning of a record number, such as one typed to the end of its
# year.
MIN_NUMBER_PREFIX = 4

# Characters that make no difference in the name of a room: ``202 A`` is ``202-A``.
ROOM_SEPARATORS = " -./_#"

# Letters that sound alike in Spanish, replaced in this order. The first and the last pair keep ``ch``.
_SOUNDS = (
    ("ch", "\x01"),
    ("h", ""),
    ("qu", "k"),
    ("q", "k"),
    ("ce", "se"),
    ("ci", "si"),
    ("c", "k"),
    ("z", "s"),
    ("v", "b"),
    ("ll", "y"),
    ("\x01", "ch"),
)


class Rank(IntEnum):
    """Why a search finds something. Lower ranks come first."""

    ROOM = 0
    NUMBER = 1
    NUMBER_END = 2
    BEGINS = 3
    CONTAINS = 4
    # A match in the doctor, the diagnosis or the beginning of a record number, not in the name or the room.
    MENTIONS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchableFields:
    """The searchable fields of a sheet or patient, folded.

    ``text`` is built like ``search_text``, ``names`` like ``sort_name``.
    """

    text: str
    names: str
    record_number: str | None = None
    # Former record numbers and the visit number. They have to match completely.
    other_numbers: Collection[str] = ()
    room: str | None = None


@dataclass(frozen=True, slots=True)
class PeopleSearch:
    """A search text with the keys derived from it."""

    text: str
    words: list[str] = field(init=False)
    key: str = field(init=False)
    folded: str = field(init=False)
    code: str = field(init=False)
    room: str = field(init=False)

    def __post_init__(self) -> None:
        """Derive the keys once, for all comparisons."""
        for name, value in (
            ("words", person_words(self.text)),
            ("key", code_key(self.text.strip())),
            ("folded", fold(self.text)),
            ("code", fold_code(self.text)),
            ("room", room_key(self.text)),
        ):
            object.__setattr__(self, name, value)

    @property
    def is_number_prefix(self) -> bool:
        """Whether the text may begin a record number.

        It needs a letter and a digit: digits alone may be a room.
        """
        return len(self.code) >= MIN_NUMBER_PREFIX and has_digit(self.code) and has_letter(self.code)

    def rank(self, one: SearchableFields) -> Rank:
        """Return the rank of a match."""
        beginning = " ".join(self.words)
        room = fold(one.room or "")
        if self.room and one.room is not None and room_key(one.room) == self.room:
            return Rank.ROOM
        if self._is_number(one):
            return Rank.NUMBER
        if ends_number(self.key, one.record_number):
            return Rank.NUMBER_END
        if one.text.startswith(beginning) or one.names.startswith(beginning) or room.startswith(self.folded):
            return Rank.BEGINS
        if all(self._is_word_of(word, one) for word in self.words):
            return Rank.CONTAINS
        return Rank.MENTIONS

    def is_whole_name(self, name: str) -> bool:
        """Return whether each word of the text is a complete word of the name."""
        return set(self.words) <= set(name.split())

    def _is_number(self, one: SearchableFields) -> bool:
        if any(code_key(number) == self.key for number in one.other_numbers):
            return True
        return one.record_number is not None and bool(self.code) and self.code == fold_code(one.record_number)

    @staticmethod
    def _is_word_of(word: str, one: SearchableFields) -> bool:
        if word in one.names or (one.room is not None and f" {word}" in f" {room_words(one.room)}"):
            return True
        if not has_digit(word):
            return word in one.text
        return ends_number(word, one.record_number) or (
            has_letter(word) and begins_number(word, fold_code(word), one.record_number)
        )


def has_digit(text: str) -> bool:
    """Return whether the text has a digit: it may be a number or a room."""
    return any(letter.isdigit() for letter in text)


def has_letter(text: str) -> bool:
    """Return whether the text has a letter.

    Letters together with digits are not a room, but may begin a record number.
    """
    return any(letter.isalpha() for letter in text)


def room_key(name: str) -> str:
    """Return the comparison key of a room's name."""
    return fold(name).translate(_WITHOUT_ROOM_SEPARATORS)


def room_words(name: str) -> str:
    """Return the folded words of a room's name."""
    return fold(name).replace("-", " ")


def ends_number(text: str, number: str | None) -> bool:
    """Return whether the text is a record number or its end.

    The end has to follow a separator: ``0013`` of ``EXP-2026-0013``.
    """
    if not number or not has_digit(text):
        return False
    whole = code_key(number)
    is_part = whole.endswith(text) and whole[-len(text) - 1 : -len(text)] in KEPT_SEPARATORS
    return whole == text or is_part or fold(number).endswith(f" {text}")


def begins_number(text: str, code: str, number: str | None) -> bool:
    """Return whether a record number begins with the text.

    Separators may be left out.
    """
    return number is not None and (code_key(number).startswith(text) or fold_code(number).startswith(code))


def sound(word: str) -> str:
    """Return a phonetic key: ``ramires`` and ``ramirez`` have the same."""
    for letters, same in _SOUNDS:
        word = word.replace(letters, same)
    return word


def nearest_names(text: str, names: Iterable[tuple[int, str]]) -> list[int]:
    """Return the ids of the most similar names, the best match first.

    A name qualifies if it has each word of the text or a similar one. Words are similar if they sound the same. From
    four letters on, one different letter is allowed too.
    """
    asked = [_SearchWord(word) for word in list(dict.fromkeys(person_words(text)))[:_MAX_WORDS]]
    if all(one.has_digit for one in asked):
        return []
    named = [*names]
    # Names share their words, so each word is compared only once.
    words = set(" ".join([name for _, name in named]).split())
    costs = {word: [one.cost(word) for one in asked] for word in words}
    alike = {word: each for word, each in costs.items() if any(cost is not None for cost in each)}
    ranked: list[tuple[float, str, int]] = []
    for id_, name in named:
        found = [alike[word] for word in name.split() if word in alike]
        if not found:
            continue
        best = [min((cost for cost in each if cost is not None), default=None) for each in zip(*found, strict=True)]
        known = [cost for cost in best if cost is not None]
        if len(known) == len(asked):
            ranked.append((sum(known), name, id_))
    return [id_ for *_, id_ in heapq.nsmallest(MAX_NEAREST, ranked)]


_WITHOUT_ROOM_SEPARATORS = str.maketrans(dict.fromkeys(ROOM_SEPARATORS, ""))
# The costs of a word with the same sound, of a word with one error, and of a word that continues after the match.
_SAME_SOUND, _ONE_ERROR, _CONTINUES = 0.25, 1.0, 0.5


class _SearchWord:
    """A word of the search text with its phonetic key."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.sound = sound(word)
        self.is_fuzzy_matchable = is_fuzzy_matchable(word)
        self.has_digit = has_digit(word)

    def cost(self, word: str) -> float | None:
        """Return the distance to a word of a name, None if too different."""
        if word.startswith(self.word):
            return 0.0
        if self.has_digit or not self.sound:
            return None
        heard = sound(word)
        if heard.startswith(self.sound):
            return _SAME_SOUND if heard == self.sound else _SAME_SOUND + _CONTINUES
        if not self.is_fuzzy_matchable:
            return None
        length = len(self.sound)
        if len(set(self.sound) - set(heard)) > 1 or len(heard) < length - 1:
            return None
        errors = count_errors(self.sound, heard[: length + 1])
        if len(heard) <= length + 1 and errors[-1] <= 1:
            return _ONE_ERROR
        return _ONE_ERROR + _CONTINUES if min(errors) <= 1 else None
