"""What became of the rows of a file, and what a person decided about them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

from application.audit_log import Changes
from application.imports.reading.cells import Cell
from application.imports.rows.row_importer import (
    Outcome,
)
from domain.errors import Reason


@dataclass(frozen=True, slots=True)
class RowResult:
    """What became, or would become, of a row; ``cells`` are what stands in the file.

    ``warnings`` are what is doubtful about a row that was taken.
    """

    line: int
    outcome: Outcome
    label: str
    changes: Changes
    reasons: tuple[Reason, ...] = ()
    cells: Sequence[Cell] = ()
    warnings: tuple[Reason, ...] = ()


class Listener(Protocol):
    """Whoever is told what becomes of the rows."""

    def begin(self, total: int) -> None:
        """From here on all rows are told, from the first one: for the first time, or again."""

    def row(self, result: RowResult) -> None: ...


@dataclass(slots=True)
class Report:
    """How many rows did what, and how many other things were made on the way, by their kind.

    ``warned`` counts the rows with warnings, which are counted by their outcome as well; ``warnings`` is the digest of
    all of them, by which they are confirmed (empty without any). ``kept`` tells whether it is done, ``import_id`` which
    import it is, if there was anything to be done.
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
        """Count a row in."""
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

    def may_be_kept(self, decision: "ImportDecision") -> bool:
        """Whether a person wants it kept as it is."""
        good = decision.good_rows or not self.refused
        confirmed = decision.all_warnings or self.warnings in ("", decision.confirmed)
        return good and confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDecision:
    """What a person decided about the rows of a file after they were checked.

    ``good_rows``: keep the good rows without those that are refused. ``confirmed``: the digest of the warnings that
    were seen and confirmed, or ``all_warnings``, seen or not. ``leave_out``: the lines whose rows are not wanted.
    """

    good_rows: bool = False
    confirmed: str = ""
    all_warnings: bool = False
    leave_out: frozenset[int] = frozenset()


UNDECIDED = ImportDecision()

_LINES = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?", re.ASCII)
_MAX_LINES = 1_000_000


def lines_named(text: str) -> frozenset[int]:
    """The lines that a text such as ``12,15-20`` names. Raise ``ValueError`` for any other text."""
    ranges = []
    for part in filter(None, text.split(",")):
        found = _LINES.fullmatch(part.strip())
        if not found:
            raise ValueError(part)
        ranges.append(range(int(found[1]), int(found[2] or found[1]) + 1))
    if sum(map(len, ranges)) > _MAX_LINES:
        raise ValueError(text)
    return frozenset(chain.from_iterable(ranges))
