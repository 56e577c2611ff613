"""Match columns to fields by the names of the columns."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from application.imports.reading.fields import FOREIGN, Field, FieldSet, words_of

# Columns that our files of refused rows and of rows with warnings add. They are not part of the original file.
REASONS_COLUMNS = frozenset(
    {"motivos del rechazo", "reasons for refusal", "advertencias de la importación", "warnings of the import"}
)


class MatchStrength(IntEnum):
    """How well the name of a column fits a field."""

    FALLBACK = 1
    SIMILAR = 2
    EXACT = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The columns that fit a field best, all equally well."""

    columns: tuple[int, ...]
    likeness: MatchStrength


def likeness(words: tuple[str, ...], field: Field) -> MatchStrength | None:
    """Return how well a column name with these words fits the field."""
    if not words:
        return None
    if words in field.spanish or words in field.english:
        return MatchStrength.EXACT
    if not FOREIGN.isdisjoint(words):
        return None
    begins = any(words[: len(name)] == name for name in field.spanish if name)
    ends = any(words[-len(name) :] == name for name in field.english if name)
    if begins or ends:
        return MatchStrength.SIMILAR
    return MatchStrength.FALLBACK if words in field.fallback_words else None


def match_columns(header: Sequence[str], shape: FieldSet) -> dict[str, Match]:
    """Return the candidate columns of each field.

    A column with the exact name of one field is no candidate for a field that it only resembles.
    """
    fits: dict[int, dict[str, MatchStrength]] = defaultdict(dict)
    for index, name in enumerate(header):
        if name.casefold() in REASONS_COLUMNS:
            continue
        words = words_of(name)
        for field in shape.fields:
            found = likeness(words, field)
            if found:
                fits[index][field.name] = found
    for index, fields in fits.items():
        best = max(fields.values())
        fits[index] = {name: found for name, found in fields.items() if found is best}
    matches: dict[str, Match] = {}
    for field in shape.fields:
        found_at = {index: fields[field.name] for index, fields in fits.items() if field.name in fields}
        if found_at:
            best = max(found_at.values())
            matches[field.name] = Match(tuple(i for i, found in sorted(found_at.items()) if found is best), best)
    return matches


def score(matches: Mapping[str, Match], shape: FieldSet) -> int:
    """Return how well a row fits as the header of such a file."""
    complete = all(any(name in matches for name in names) for names in shape.needs)
    return sum(match.likeness for match in matches.values()) + (100 if complete else 0)
