"""Import progress and report: the outcome of each row, line by line."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NotRequired, TypedDict

from adapters.documents.refused_rows import RefusedRows
from adapters.http.responses.errors import FieldMessage, Problem
from adapters.http.responses.file_reading import short
from adapters.http.responses.progress_stream import ProgressStream
from adapters.i18n import messages
from application.audit.audit_log import Value
from application.imports.batch import Batch
from application.imports.reading.cells import shown
from application.imports.report import Report, RowResult
from application.imports.rows.row_importer import Outcome
from domain.common.errors import Reason

# Number of rows of each outcome in the report.
MAX_REPORTED_ROWS = 200
# Number of rows in one progress line, if all rows are requested.
_ROWS_PER_LINE = 500
_PROGRESS_INTERVAL_SECONDS = 0.2


class WhichRows(StrEnum):
    """Which rows are reported: the first of each outcome, or all as well."""

    FIRST = "first"
    ALL = "all"


class ListedRows(StrEnum):
    """The rows that are exported to a separate file."""

    REFUSED = "refused"
    WARNED = "warned"

    @property
    def column(self) -> str:
        """Return the key of the title of the column with the messages."""
        return "reasons_column" if self is ListedRows.REFUSED else "warnings_column"


class RowChange(TypedDict):
    """The change of one field by a row."""

    field: str
    label: str
    before: Value
    after: Value


class RowMessage(FieldMessage):
    """An error or warning of a row, with its field and the cell's value."""

    label: str | None
    value: str | None


class ImportedRow(TypedDict):
    """The outcome of a row, with its errors and warnings.

    ``cells`` are the values of the file's columns; long ones are truncated.
    """

    line: int
    outcome: Outcome
    label: str
    cells: list[str]
    changes: list[RowChange]
    reasons: list[RowMessage]
    warnings: list[RowMessage]


class ImportReport(TypedDict):
    """Counts of rows by outcome; ``also`` counts related new records by kind.

    ``warned`` rows are counted by their outcome as well. ``warnings`` is a token for all warnings; the client sends it
    back as ``confirmed`` to accept them. ``rows`` are the first of each outcome, and the first with warnings.
    ``import_id`` is null if there was nothing to do.
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
    """A line of the response: progress, or in the last line report or error.

    ``rows`` are those since the previous line, if all rows were requested. A line with ``done`` 0 is a restart: it
    invalidates all earlier rows.
    """

    done: NotRequired[int]
    total: NotRequired[int]
    rows: NotRequired[list[ImportedRow]]
    report: NotRequired[ImportReport]
    error: NotRequired[Problem]


class UndoLine(TypedDict):
    """Progress of undoing an import."""

    done: int
    total: int


@dataclass(slots=True)
class ImportProgress:
    """Sends the progress, and collects the first rows of each outcome.

    With ``WhichRows.ALL`` it sends all rows as well.
    """

    stream: ProgressStream
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
    def of(cls, batch: Batch, stream: ProgressStream, which: WhichRows, language: str) -> "ImportProgress":
        """Build the progress listener of a file."""
        places = {name: batch.columns.index(column) for name, column in batch.mapping.items()}
        return cls(stream, which, language, places)

    def begin(self, total: int) -> None:
        """Start, or start again: earlier rows are discarded."""
        self.first = {outcome: [] for outcome in Outcome}
        self.warned = []
        self.untold = []
        self.done, self.total = 0, total
        self._send_progress()

    def row(self, result: RowResult) -> None:
        """Count a row, send it if required, and keep it if it is one of the first."""
        self.done += 1
        kept = self.first[result.outcome]
        if len(kept) < MAX_REPORTED_ROWS:
            kept.append(result)
        elif result.warnings and len(self.warned) < MAX_REPORTED_ROWS:
            self.warned.append(result)
        if self.which is WhichRows.ALL:
            self.untold.append(self._row(result))
        if len(self.untold) >= _ROWS_PER_LINE or time.monotonic() >= self.next_told:
            self._send_progress()

    def end(self, report: Report) -> ImportReport:
        """Send the remaining rows and build the report."""
        if self.untold:
            self._send_progress()
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

    def _send_progress(self) -> None:
        line = ImportLine(done=self.done, total=self.total)
        if self.which is WhichRows.ALL:
            line["rows"], self.untold = self.untold, []
        self.stream.send_line(line)
        self.next_told = time.monotonic() + _PROGRESS_INTERVAL_SECONDS

    def _row(self, result: RowResult) -> ImportedRow:
        return ImportedRow(
            line=result.line,
            outcome=result.outcome,
            label=short(result.label),
            cells=[short(shown(cell)) for cell in result.cells],
            changes=[
                RowChange(
                    field=name, label=messages.field(self.language, name), before=_shorten(old), after=_shorten(new)
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
    """Writes the refused or warned rows to a file."""

    file: RefusedRows
    which: ListedRows

    def begin(self, total: int) -> None:
        """Do nothing: a check processes the rows only once."""

    def row(self, result: RowResult) -> None:
        """Write a row if it has errors or warnings of that kind."""
        why = result.reasons if self.which is ListedRows.REFUSED else result.warnings
        if why:
            self.file.add(result.cells, why)


def _shorten(value: Value) -> Value:
    return short(value) if isinstance(value, str) else value
