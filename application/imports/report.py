"""The result of an import by rows, and a user's decisions about it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from application.audit.audit_log import Changes
from application.imports.reading.cells import Cell
from application.imports.rows.row_importer import (
    Outcome,
)
from domain.common.errors import Reason


@dataclass(frozen=True, slots=True)
class RowResult:
    """The result of one row; ``cells`` are as written in the file.

    ``warnings`` are possible mistakes in an accepted row.
    """

    line: int
    outcome: Outcome
    label: str
    changes: Changes
    reasons: tuple[Reason, ...] = ()
    cells: Sequence[Cell] = ()
    warnings: tuple[Reason, ...] = ()


class Listener(Protocol):
    """Receives the result of each row."""

    def begin(self, total: int) -> None:
        """Start over: all rows are reported from the first one.

        It is called again when the rows are staged again.
        """

    def row(self, result: RowResult) -> None: ...


@dataclass(slots=True)
class Report:
    """Counts of rows by outcome.

    ``warned`` counts the rows with warnings, in addition to their outcome. ``warnings`` is the digest of all warnings,
    by which they are confirmed; it is empty without warnings. ``also`` counts other entities that were created, by
    kind. ``kept`` is True if the import is stored. ``import_id`` is None if there was nothing to store.
    """

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0
    left_out: int = 0
    warned: int = 0
    warnings: str = ""
    also: dict[str, int] = field(default_factory=dict)
    kept: bool = False
    import_id: int | None = None

    def count(self, result: RowResult) -> None:
        """Count a row."""
        match result.outcome:
            case Outcome.CREATED:
                self.created += 1
            case Outcome.CHANGED:
                self.changed += 1
            case Outcome.UNCHANGED:
                self.unchanged += 1
            case Outcome.REFUSED:
                self.refused += 1
            case Outcome.LEFT_OUT:
                self.left_out += 1
        if result.warnings:
            self.warned += 1

    def can_be_saved(self, decision: "ImportDecision") -> bool:
        """Return whether the user's decision allows storing the rows."""
        good = decision.good_rows or not self.refused
        confirmed = decision.all_warnings or self.warnings in ("", decision.confirmed)
        return good and confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDecision:
    """A user's decision about the rows after the check.

    ``good_rows`` stores the valid rows although others are refused. ``confirmed`` is the digest of the warnings that
    the user confirmed. ``all_warnings`` accepts all warnings. ``leave_out`` are the lines to skip.
    """

    good_rows: bool = False
    confirmed: str = ""
    all_warnings: bool = False
    leave_out: frozenset[int] = frozenset()


UNDECIDED = ImportDecision()

_LINES = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?", re.ASCII)
_MAX_LINES = 1_000_000


def lines_named(text: str) -> frozenset[int]:
    """Parse line numbers such as ``12,15-20``.

    Raise ``ValueError`` for any other text, and for too many lines.
    """
    ranges = []
    for part in filter(None, text.split(",")):
        found = _LINES.fullmatch(part.strip())
        if not found:
            raise ValueError(part)
        ranges.append(range(int(found[1]), int(found[2] or found[1]) + 1))
    if sum(map(len, ranges)) > _MAX_LINES:
        raise ValueError(text)
    return frozenset(chain.from_iterable(ranges))
