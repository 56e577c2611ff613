"""Fuzzy search: which names are most like a text that none holds, with a letter wrong, missing, too much or swapped."""

import heapq
from collections.abc import Iterable, Sequence

# What a word shares with those it may have been meant for: its parts, with any one letter between two of them.
Piece = tuple[str, ...]

_LETTERS = 3
_SHORTEST = 4
_SHORT = 5
_LONG = 8
_LONGEST = 12

# One error in four or five letters, two in six to eight.
_LEAST = 0.65


def is_guessed(word: str) -> bool:
    """Whether another word may be meant: not by very short ones, nor by numbers, where a digit is another size."""
    return len(word) >= _SHORTEST and not any(letter.isdigit() for letter in word)


def pieces(word: str) -> set[Piece]:
    """What a name holds that the word may have been meant for: at least one of these.

    That is any three letters in a row. Two letters that are swapped leave few of those in a word that is not long, so
    they are swapped back; a wrong or missing letter in the middle of a short one leaves none, so it is left open.
    """
    word = word[:_LONGEST]
    length = len(word)
    spelt = {word}
    if length < _LONG:
        spelt |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(length - 1)}
    found: set[Piece] = {(one[at : at + _LETTERS],) for one in spelt for at in range(length - _LETTERS + 1)}
    if length <= _SHORT:
        found |= {(word[:at], word[at + 1 :]) for at in range(length - _LETTERS, _LETTERS)}
    if length == _SHORTEST:
        found.add((word[:2], word[2:]))
    return found


def holds(name: str, piece: Piece) -> bool:
    """Whether the folded name holds that piece."""
    first, *others = piece
    at = name.find(first)
    while at >= 0:
        end = at + len(first)
        if not others or name.startswith(others[0], end + 1):
            return True
        at = name.find(first, at + 1)
    return False


def best_matches(asked: Sequence[str], names: Iterable[tuple[int, str]], *, most: int) -> list[int]:
    """The ids of the folded names that have something like a third of the asked words or more, the likest first.

    Of equals those come first that have it sooner, then by name.
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
    """How much the word, or its beginning, is what was asked for: 1 where it holds it, 0 where it is another one."""
    if asked in word:
        return 1.0
    length = len(asked)
    bearable = int((1 - _LEAST) * (length + 2))
    if not is_guessed(asked) or len(set(asked) - set(word)) > bearable:
        return 0.0
    errors = count_errors(asked, word[: length + bearable])
    best = max(1 - count / max(length, end) for end, count in enumerate(errors))
    return best if best >= _LEAST else 0.0


def count_errors(asked: str, word: str) -> list[int]:
    """By how many errors the asked word differs from each beginning of the other one."""
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
