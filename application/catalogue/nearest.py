"""Suggestions for a search without results: objects with similar names."""

from collections.abc import Collection, Iterable
from typing import Protocol

from domain.common.fuzzy_search import Piece, best_matches, is_fuzzy_matchable, ngrams
from domain.common.text import product_words

# As many as a person takes in at a glance.
MAX_SUGGESTIONS = 10
# The maximum number of words that are considered, and of unknown words for which similar ones are searched.
_MAX_WORDS = 8
_MAX_GUESSED = 3


class Names(Protocol):
    """The folded names of the searched objects, by id."""

    def known(self, words: Collection[str]) -> set[str]:
        """Return the words that occur in some name."""

    def with_shared_ngrams(self, pieces: Collection[Piece], required: Collection[str]) -> Iterable[tuple[int, str]]:
        """Return the names with an n-gram and all required words.

        At least one of the n-grams has to match.
        """


def nearest(text: str, names: Names) -> list[int]:
    """Return the ids of the most similar names, the best match first.

    Words that occur in some name are spelled right. If there are similar names that also have all of these words, only
    they are returned.
    """
    asked = list(dict.fromkeys(product_words(text)))[:_MAX_WORDS]
    if not any(map(is_fuzzy_matchable, asked)):
        return []
    known = names.known(asked)
    guessed = [word for word in asked if word not in known and is_fuzzy_matchable(word)][:_MAX_GUESSED]
    misspelt = {piece for word in guessed for piece in ngrams(word)}
    found: list[int] = []
    if known and misspelt:
        found = best_matches(asked, names.with_shared_ngrams(misspelt, known), most=MAX_SUGGESTIONS)
    if not found:
        any_of_them = misspelt | {(word,) for word in known if is_fuzzy_matchable(word)}
        found = (
            best_matches(asked, names.with_shared_ngrams(any_of_them, ()), most=MAX_SUGGESTIONS) if any_of_them else []
        )
    return found
