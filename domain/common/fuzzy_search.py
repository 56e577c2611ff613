"""Fuzzy search: find names despite a typing error.

An error is a wrong, missing, extra or swapped letter.
"""

import heapq
from collections.abc import Iterable, Sequence

# An n-gram of a word. With two parts, any one letter may be between them.
Piece = tuple[str, ...]

_NGRAM_SIZE = 3
_MIN_LENGTH = 4
_SHORT_LENGTH = 5
_LONG_LENGTH = 8
_MAX_LENGTH = 12

# The minimum similarity: it allows one error in four or five letters, two in six to eight.
_MIN_SIMILARITY = 0.65


def is_fuzzy_matchable(word: str) -> bool:
    """Return whether a word is compared by similarity.

    Very short words are not, nor numbers: another digit is another size.
    """
    return len(word) >= _MIN_LENGTH and not any(letter.isdigit() for letter in word)


def ngrams(word: str) -> set[Piece]:
    """Return n-grams of which a similar name contains at least one.

    They are any three letters in a row. Two swapped letters leave few of those intact in a word of fewer than eight
    letters, so the n-grams of every swap are included. A wrong or missing letter in the middle of a word of up to five
    letters leaves none, so n-grams with a gap are included.
    """
    word = word[:_MAX_LENGTH]
    length = len(word)
    spelt = {word}
    if length < _LONG_LENGTH:
        spelt |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(length - 1)}
    found: set[Piece] = {(one[at : at + _NGRAM_SIZE],) for one in spelt for at in range(length - _NGRAM_SIZE + 1)}
    if length <= _SHORT_LENGTH:
        found |= {(word[:at], word[at + 1 :]) for at in range(length - _NGRAM_SIZE, _NGRAM_SIZE)}
    if length == _MIN_LENGTH:
        found.add((word[:2], word[2:]))
    return found


def contains(name: str, piece: Piece) -> bool:
    """Return whether the folded name contains the n-gram."""
    first, *others = piece
    at = name.find(first)
    while at >= 0:
        end = at + len(first)
        if not others or name.startswith(others[0], end + 1):
            return True
        at = name.find(first, at + 1)
    return False


def best_matches(asked: Sequence[str], names: Iterable[tuple[int, str]], *, most: int) -> list[int]:
    """Return the ids of the most similar names, the best match first.

    A folded name qualifies if at least a third of the asked words are similar to one of its words. Among equally
    similar names, those in which the first match is nearer to the beginning come first, then the order of names
    decides.
    """
    known: dict[str, tuple[float, ...]] = {}
    ranked: list[tuple[float, int, str, int]] = []
    for id_, name in names:
        best = [0.0] * len(asked)
        place = len(name)
        for at, word in enumerate(name.split()):
            alike = known.get(word)
            if alike is None:
                alike = known[word] = tuple(similarity(one, word) for one in asked)
            if any(alike):
                place = min(place, at)
                best = [max(pair) for pair in zip(best, alike, strict=True)]
        if 3 * sum(map(bool, best)) >= len(asked):
            ranked.append((-sum(best), place, name, id_))
    return [id_ for *_, id_ in heapq.nsmallest(most, ranked)]


def similarity(asked: str, word: str) -> float:
    """Return how similar a word or its beginning is to the asked word.

    The result is 1 if the word contains the asked one, 0 if they are too different.
    """
    if asked in word:
        return 1.0
    length = len(asked)
    max_errors = int((1 - _MIN_SIMILARITY) * (length + 2))
    if not is_fuzzy_matchable(asked) or len(set(asked) - set(word)) > max_errors:
        return 0.0
    errors = count_errors(asked, word[: length + max_errors])
    best = max(1 - count / max(length, end) for end, count in enumerate(errors))
    return best if best >= _MIN_SIMILARITY else 0.0


def count_errors(asked: str, word: str) -> list[int]:
    """Return the edit distance of a word to each beginning of another.

    The distance counts swapped neighbours as one error.
    """
    before: list[int] = []
    row = list(range(len(word) + 1))
    for at, letter in enumerate(asked, 1):
        earlier, before = before, row
        row = [at]
        for end, other in enumerate(word, 1):
            count = min(before[end] + 1, row[end - 1] + 1, before[end - 1] + (letter != other))
            if at > 1 and end > 1 and letter == word[end - 2] and asked[at - 2] == other:
                count = min(count, earlier[end - 2] + 1)
            row.append(count)
    return row
