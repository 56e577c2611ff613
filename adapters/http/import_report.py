"""What an import does to each row, as it is told: line by line while it goes on, and in the end with the first rows."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NotRequired, TypedDict

from adapters import words
from adapters.http.errors import FieldMessage, Problem
from adapters.http.file_reading import short
from adapters.http.long_work import Teller
from adapters.refused_rows import RefusedRows
from application.audit import Value
from application.imports.import_rows import Report, RowTold
from application.imports.taking import Outcome
from domain.refusal import Reason

# So many rows of each outcome are told.
MOST_TOLD = 200
_SECONDS_BETWEEN = 0.2


class RowChange(TypedDict):
    """What a row changes in one field."""

    field: str
    label: str
    before: Value
    after: Value


class ImportedRow(TypedDict):
    """What becomes of a row, why it is refused, and what is doubtful about one that is taken."""

    line: int
    outcome: Outcome
    label: str
    changes: list[RowChange]
    reasons: list[FieldMessage]
    warnings: list[FieldMessage]


class ImportReport(TypedDict):
    """How many rows did, or would do, what; ``also`` is what else is made on the way, by its kind.

    ``warned`` rows are counted by their outcome as well; ``warnings`` stands for all of them, and is sent back as
    ``confirmed`` by whoever has seen them. ``rows`` are the first of each outcome, and the first with warnings.
    ``import_id`` tells which import it is, where there was anything to do.
    """

    created: int
    changed: int
    unchanged: int
    refused: int
    left_out: int
    warned: int
    warnings: str
    also: dict[str, int]
    kept: bool
    import_id: int | None
    rows: list[ImportedRow]


class ImportLine(TypedDict):
    """A line of the answer: how many rows are done; in the last line the report, or what went wrong in the end."""

    done: NotRequired[int]
    total: NotRequired[int]
    report: NotRequired[ImportReport]
    error: NotRequired[Problem]


@dataclass(slots=True)
class FirstRows:
    """Tells how far it is, and keeps the first rows of each outcome."""

    teller: Teller
    first: dict[Outcome, list[RowTold]] = field(default_factory=dict)
    warned: list[RowTold] = field(default_factory=list)
    done: int = 0
    total: int = 0
    next_told: float = 0

    def begin(self, total: int) -> None:
        """From here on all rows are told."""
        self.first = {outcome: [] for outcome in Outcome}
        self.warned = []
        self.done, self.total = 0, total
        self._tell()

    def row(self, told: RowTold) -> None:
        """Keep it, if it is one of the first."""
        self.done += 1
        kept = self.first[told.outcome]
        if len(kept) < MOST_TOLD:
            kept.append(told)
        elif told.warnings and len(self.warned) < MOST_TOLD:
            self.warned.append(told)
        if time.monotonic() >= self.next_told:
            self._tell()

    def _tell(self) -> None:
        self.teller.tell(ImportLine(done=self.done, total=self.total))
        self.next_told = time.monotonic() + _SECONDS_BETWEEN


@dataclass(frozen=True, slots=True)
class RefusedAlone:
    """Writes the refused rows into their file."""

    file: RefusedRows

    def begin(self, total: int) -> None:
        """A check goes through the rows once."""

    def row(self, told: RowTold) -> None:
        """Write it, if it was refused."""
        if told.outcome is Outcome.REFUSED:
            self.file.add(told.cells, told.reasons)


def report_of(report: Report, rows: FirstRows, language: str) -> ImportReport:
    return ImportReport(
        created=report.created,
        changed=report.changed,
        unchanged=report.unchanged,
        refused=report.refused,
        left_out=report.left_out,
        warned=report.warned,
        warnings=report.warnings,
        also=report.also,
        kept=report.kept,
        import_id=report.import_id,
        rows=[_row(told, language) for told in (*chain.from_iterable(rows.first.values()), *rows.warned)],
    )


def _row(told: RowTold, language: str) -> ImportedRow:
    return ImportedRow(
        line=told.line,
        outcome=told.outcome,
        label=short(told.label),
        changes=[
            RowChange(field=name, label=words.field(language, name), before=_shortened(old), after=_shortened(new))
            for name, (old, new) in told.changes.items()
        ],
        reasons=_worded(told.reasons, language),
        warnings=_worded(told.warnings, language),
    )


def _worded(reasons: Sequence[Reason], language: str) -> list[FieldMessage]:
    return [
        FieldMessage(field=reason.field, code=reason.code.value, message=words.refusal(language, reason))
        for reason in reasons
    ]


def _shortened(value: Value) -> Value:
    return short(value) if isinstance(value, str) else value
