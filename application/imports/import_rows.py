"""Import the rows of a file: all of them in one transaction, or none."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import Any, Protocol

from application.audit import Changes, entry
from application.imports.cells import Cell, shown
from application.imports.consumption import ConsumptionRows
from application.imports.imported import Import
from application.imports.nouns import Noun
from application.imports.reading import Table
from application.imports.recognise import Understanding
from application.imports.rows import Row, Value, read_rows
from application.imports.staged import Stage, chunks
from application.imports.taking import (
    AreaRows,
    Outcome,
    PatientRows,
    ProductRows,
    RoomRows,
    StaffRows,
    Taking,
    Workplace,
)
from application.ports import Begin, Clock, Look, UnitOfWork
from domain.policy import Actor, Permission
from domain.refusal import Code, Reason, Refused

# What a row is called where it is told of: so many of its fields, the first that are filled in.
_CALLED_BY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The rows of a file, ready to be brought in: ``rows`` gives them, from the first one, each time it is called."""

    noun: Noun
    file_name: str
    count: int
    given: frozenset[str]
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    shape: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)
    unanswered: int = 0


def batch_of(table: Table, how: Understanding, file_name: str, *, today: date) -> Batch:
    """The rows of a table, read as was understood."""
    return Batch(
        noun=how.noun,
        file_name=file_name,
        count=how.rows,
        given=frozenset(how.mapping),
        columns=how.columns,
        rows=lambda: read_rows(table, how, today=today),
        shape=how.shape,
        mapping=how.named_mapping,
        unanswered=len(how.questions),
    )


@dataclass(frozen=True, slots=True)
class RowTold:
    """What became, or would become, of a row; the cells of those that were refused, so that they can be corrected."""

    line: int
    outcome: Outcome
    label: str
    changes: Changes
    reasons: tuple[Reason, ...] = ()
    cells: Sequence[Cell] = ()


class Listener(Protocol):
    """Whoever is told what becomes of the rows."""

    def begin(self, total: int) -> None:
        """From here on all rows are told, from the first one: for the first time, or again."""

    def row(self, told: RowTold) -> None: ...


@dataclass(slots=True)
class Report:
    """How many rows did what, and how many other things were made on the way, by their kind.

    ``kept`` tells whether it is done, ``import_id`` which import it is, if there was anything to be done.
    """

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0
    also: dict[str, int] = field(default_factory=dict)
    kept: bool = False
    import_id: int | None = None

    def count(self, outcome: Outcome) -> None:
        """Count a row in."""
        match outcome:
            case Outcome.CREATED:
                self.created += 1
            case Outcome.CHANGED:
                self.changed += 1
            case Outcome.UNCHANGED:
                self.unchanged += 1
            case Outcome.REFUSED:
                self.refused += 1


@dataclass(frozen=True, slots=True)
class ImportRows:
    """Bring in the rows of a file, through the use cases that people go through.

    What would be done is found out first, beside the database, and then kept in one short transaction: nobody waits for
    a large file to be read. If what it goes by was changed meanwhile, it is found out once more, within the
    transaction.
    """

    begin: Begin
    look: Look
    clock: Clock
    zone: tzinfo

    def check(self, actor: Actor, batch: Batch, listener: Listener) -> Report:
        """Find out what would be done, and do nothing."""
        actor.must(Permission.IMPORT)
        _must_be_answered(batch)
        return self._plan(actor, batch, listener, self._from_outside)[1]

    def __call__(self, actor: Actor, batch: Batch, listener: Listener, *, good_rows: bool = False) -> Report:
        """Do it. Where rows are refused nothing is done, unless the ``good_rows`` are wanted without them."""
        actor.must(Permission.IMPORT)
        _must_be_answered(batch)
        stage, report = self._plan(actor, batch, listener, self._from_outside)
        if (report.refused and not good_rows) or stage.is_empty():
            report.kept = not report.refused or good_rows
            return report
        with self.begin() as work:
            work.imports.take_turn()
            if not stage.is_still_so(work):
                stage, report = self._plan(actor, batch, listener, _from_within(work))
                if (report.refused and not good_rows) or not stage.is_still_so(work):
                    raise Refused(Reason(Code.IMPORT_DISTURBED))
            now = self.clock()
            imported = _imported(actor, batch, report, now)
            work.imports.add(imported)
            stage.keep(work, imported.id)
            if batch.shape:
                work.imports.remember(batch.noun, batch.shape, batch.mapping)
            work.trail.append(entry(actor, now, "import.done", "import", after=imported))
        report.kept, report.import_id = True, imported.id
        return report

    def _plan(self, actor: Actor, batch: Batch, listener: Listener, source: "Source") -> tuple[Stage, Report]:
        """What would be done, and how many rows would do what."""
        now = self.clock()
        stage, report = Stage(source), Report()
        taking = _taking(batch.noun, Workplace(stage, actor, lambda: now, self.zone), batch.given)
        listener.begin(batch.count)
        for rows in chunks(batch.rows()):
            taking.look_up(rows)
            for row in rows:
                told = _take(taking, stage, row)
                report.count(told.outcome)
                listener.row(told)
        taking.finish()
        stage.settle()
        report.also = {kind: count for kind, count in stage.added().items() if kind != _KINDS[batch.noun]}
        return stage, report

    def _from_outside(self, kind: str, key: str, values: Collection[Hashable]) -> Iterable[Any]:
        with self.look() as work:
            return list(getattr(work, kind).having(key, values))


Source = Callable[[str, str, Collection[Hashable]], Iterable[Any]]

_KINDS = {noun: noun.value for noun in Noun} | {Noun.CONSUMPTION: "details"}


def _from_within(work: UnitOfWork) -> Source:
    """Reads within a unit of work: what it finds stays as it is."""
    return lambda kind, key, values: getattr(work, kind).having(key, values, locked=True)


def _taking(noun: Noun, place: Workplace, given: frozenset[str]) -> Taking:
    match noun:
        case Noun.PRODUCTS:
            return ProductRows(place, given)
        case Noun.PATIENTS:
            return PatientRows(place)
        case Noun.STAFF:
            return StaffRows(place, given)
        case Noun.AREAS:
            return AreaRows(place)
        case Noun.ROOMS:
            return RoomRows(place)
        case Noun.CONSUMPTION:
            return ConsumptionRows(place, given)


def _must_be_answered(batch: Batch) -> None:
    """Raise ``Refused`` for a file that nobody knows yet how to read."""
    if batch.unanswered:
        raise Refused(Reason(Code.IMPORT_UNANSWERED, params={"count": batch.unanswered}))


def _take(taking: Taking, stage: Stage, row: Row) -> RowTold:
    """Take a row, or nothing of it."""
    before = len(stage.trail)
    try:
        outcome = taking.take(row)
    except Refused as refused:
        stage.undo()
        # Where the row as a whole cannot be read, what its fields lack means nothing.
        reasons = row.wrong(None) or tuple(refused.reasons)
        return RowTold(row.line, Outcome.REFUSED, _label(row), {}, reasons, row.raw.cells)
    changes: Changes = {}
    if outcome is Outcome.CHANGED and stage.trail.last and len(stage.trail) > before:
        changes = _with_names(stage, stage.trail.last.changes)
    stage.settle()
    return RowTold(row.line, outcome, _label(row), changes)


def _with_names(stage: Stage, changes: Changes) -> Changes:
    """The changes, with a category's name in the place of its id: that of a new one means nothing yet."""
    return {
        name.removesuffix("_id"): (_name_of(stage, before), _name_of(stage, after))
        if name == "category_id"
        else (before, after)
        for name, (before, after) in changes.items()
    }


def _name_of(stage: Stage, category_id: Any) -> str | None:
    category = stage.categories.get(category_id)
    return category.name if category else None


def _label(row: Row) -> str:
    told = [text for value in row.values.values() if (text := _as_text(value))]
    told = told or [text for cell in row.raw.cells if (text := shown(cell))]
    return " · ".join(told[:_CALLED_BY])


def _as_text(value: Value) -> str:
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return "" if value is None else str(value)


def _imported(actor: Actor, batch: Batch, report: Report, now: datetime) -> Import:
    return Import(
        noun=batch.noun.value,
        file_name=batch.file_name,
        user_id=actor.user_id,
        at=now,
        created=report.created,
        changed=report.changed,
        unchanged=report.unchanged,
        refused=report.refused,
    )
