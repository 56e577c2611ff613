"""What an import does to each row, as it is told: line by line while it goes on, and in the end with the first rows."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NotRequired, TypedDict

from adapters.documents.refused_rows import RefusedRows
from adapters.http.errors import FieldMessage, Problem
from adapters.http.file_reading import short
from adapters.http.progress_stream import ProgressStream
from adapters.i18n import messages
from application.audit_log import Value
from application.imports.batch import Batch
from application.imports.reading.cells import shown
from application.imports.report import Report, RowResult
from application.imports.rows.row_importer import Outcome
from domain.errors import Reason

# So many rows of each outcome are told in the report.
MAX_REPORTED_ROWS = 200
# So many are told in one line, where all are told.
_IN_A_LINE = 500
_SECONDS_BETWEEN = 0.2


class WhichRows(StrEnum):
    """The rows that are told: the first of each outcome in the report, or before it all of them as well."""

    FIRST = "first"
    ALL = "all"


class ListedRows(StrEnum):
    """The rows that are listed in a file of their own."""

    REFUSED = "refused"
    WARNED = "warned"

    @property
    def column(self) -> str:
        """What the column is called in which it is told why."""
        return "reasons_column" if self is ListedRows.REFUSED else "warnings_column"


class RowChange(TypedDict):
    """What a row changes in one field."""

    field: str
    label: str
    before: Value
    after: Value


class RowMessage(FieldMessage):
    """What is wrong with a row or doubtful about it: at which field, and what stands there in the file."""

    label: str | None
    value: str | None


class ImportedRow(TypedDict):
    """What becomes of a row, why it is refused, and what is doubtful about one that is taken.

    ``cells`` are what stands in the columns of the file; the end of what is long is left out.
    """

    line: int
    outcome: Outcome
    label: str
    cells: list[str]
    changes: list[RowChange]
    reasons: list[RowMessage]
    warnings: list[RowMessage]


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
    """A line of the answer: how many rows are done; in the last line the report, or what went wrong in the end.

    ``rows`` are those that were done since the line before, where all were asked for. A line with none done begins
    anew: what was told before counts no more.
    """

    done: NotRequired[int]
    total: NotRequired[int]
    rows: NotRequired[list[ImportedRow]]
    report: NotRequired[ImportReport]
    error: NotRequired[Problem]


class UndoLine(TypedDict):
    """How much of an import is undone."""

    done: int
    total: int


@dataclass(slots=True)
class ImportProgress:
    """Tells how far it is, and all rows where ``which`` says so; keeps the first rows of each outcome."""

    teller: ProgressStream
    which: WhichRows
    language: str
    places: Mapping[str, int]
    first: dict[Outcome, list[RowResult]] = field(default_factory=dict)
    warned: list[RowResult] = field(default_factory=list)
    untold: list[ImportedRow] = field(default_factory=list)
    done: int = 0
    total: int = 0
    next_told: float = 0

    @classmethod
    def of(cls, batch: Batch, teller: ProgressStream, which: WhichRows, language: str) -> "ImportProgress":
        """For the rows of that file."""
        places = {name: batch.columns.index(column) for name, column in batch.mapping.items()}
        return cls(teller, which, language, places)

    def begin(self, total: int) -> None:
        """From here on all rows are told."""
        self.first = {outcome: [] for outcome in Outcome}
        self.warned = []
        self.untold = []
        self.done, self.total = 0, total
        self._tell()

    def row(self, result: RowResult) -> None:
        """Tell it, and keep it if it is one of the first."""
        self.done += 1
        kept = self.first[result.outcome]
        if len(kept) < MAX_REPORTED_ROWS:
            kept.append(result)
        elif result.warnings and len(self.warned) < MAX_REPORTED_ROWS:
            self.warned.append(result)
        if self.which is WhichRows.ALL:
            self.untold.append(self._row(result))
        if len(self.untold) >= _IN_A_LINE or time.monotonic() >= self.next_told:
            self._tell()

    def end(self, report: Report) -> ImportReport:
        """Tell what is left to be told, and sum it up."""
        if self.untold:
            self._tell()
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
            rows=[self._row(result) for result in (*chain.from_iterable(self.first.values()), *self.warned)],
        )

    def _tell(self) -> None:
        line = ImportLine(done=self.done, total=self.total)
        if self.which is WhichRows.ALL:
            line["rows"], self.untold = self.untold, []
        self.teller.tell(line)
        self.next_told = time.monotonic() + _SECONDS_BETWEEN

    def _row(self, result: RowResult) -> ImportedRow:
        return ImportedRow(
            line=result.line,
            outcome=result.outcome,
            label=short(result.label),
            cells=[short(shown(cell)) for cell in result.cells],
            changes=[
                RowChange(
                    field=name, label=messages.field(self.language, name), before=_shortened(old), after=_shortened(new)
                )
                for name, (old, new) in result.changes.items()
            ],
            reasons=[self._message(reason, result) for reason in result.reasons],
            warnings=[self._message(reason, result) for reason in result.warnings],
        )

    def _message(self, reason: Reason, result: RowResult) -> RowMessage:
        place = self.places.get(reason.field or "", len(result.cells))
        return RowMessage(
            field=reason.field,
            label=messages.field(self.language, reason.field) if reason.field else None,
            value=short(shown(result.cells[place])) if place < len(result.cells) else None,
            code=reason.code.value,
            message=messages.refusal(self.language, reason),
        )


@dataclass(frozen=True, slots=True)
class RowListing:
    """Writes the rows that were asked for into their file."""

    file: RefusedRows
    which: ListedRows

    def begin(self, total: int) -> None:
        """A check goes through the rows once."""

    def row(self, result: RowResult) -> None:
        """Write it, if it is one of them."""
        why = result.reasons if self.which is ListedRows.REFUSED else result.warnings
        if why:
            self.file.add(result.cells, why)


def _shortened(value: Value) -> Value:
    return short(value) if isinstance(value, str) else value
