"""What may be offered when a search finds nothing: the things whose names are most like the text."""

from collections.abc import Collection, Iterable
from typing import Protocol

from domain.fuzzy_search import Piece, best_matches, is_guessed, pieces
from domain.text import product_words

# As many as a person takes in at a glance.
MAX_SUGGESTIONS = 10
# So many words are looked at, and of those that stand nowhere so many are guessed.
_MOST_WORDS = 8
_MAX_GUESSED = 3


class Names(Protocol):
    """The folded names of what is searched for, by id."""

    def known(self, words: Collection[str]) -> set[str]:
        """Which of these some name holds."""

    def sharing(self, pieces: Collection[Piece], required: Collection[str]) -> Iterable[tuple[int, str]]:
        """The names that hold at least one of the pieces, and all of the required words."""


def nearest(text: str, names: Names) -> list[int]:
    """The ids of those whose names are most like the text, the likest first.

    Words that some name holds are spelt right: names that hold these as well come before all others.
    """
    asked = list(dict.fromkeys(product_words(text)))[:_MOST_WORDS]
    if not any(map(is_guessed, asked)):
        return []
    known = names.known(asked)
    guessed = [word for word in asked if word not in known and is_guessed(word)][:_MAX_GUESSED]
    misspelt = {piece for word in guessed for piece in pieces(word)}
    found: list[int] = []
    if known and misspelt:
        found = best_matches(asked, names.sharing(misspelt, known), most=MAX_SUGGESTIONS)
    if not found:
        any_of_them = misspelt | {(word,) for word in known if is_guessed(word)}
        found = best_matches(asked, names.sharing(any_of_them, ()), most=MAX_SUGGESTIONS) if any_of_them else []
    return found
