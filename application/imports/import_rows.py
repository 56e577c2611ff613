"""Import the rows of a file: all of them in one transaction, or none.

A row is taken, refused, or taken with warnings: what is doubtful about it is kept only when a person has confirmed it.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from functools import cache
from itertools import chain
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
    """The rows of a file, ready to be brought in: ``rows`` gives them, from the first one, each time it is called.

    ``digest`` is that of the file's content; a file without one is never known again.
    """

    noun: Noun
    file_name: str
    count: int
    given: frozenset[str]
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    shape: str = ""
    digest: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)
    unanswered: int = 0


def batch_of(table: Table, how: Understanding, file_name: str, digest: str, *, today: date) -> Batch:
    """The rows of a table, read as was understood."""
    return Batch(
        noun=how.noun,
        file_name=file_name,
        count=how.rows,
        given=frozenset(how.mapping),
        columns=how.columns,
        rows=lambda: read_rows(table, how, today=today),
        shape=how.shape,
        digest=digest,
        mapping=how.named_mapping,
        unanswered=len(how.questions),
    )


@dataclass(frozen=True, slots=True)
class RowTold:
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

    def row(self, told: RowTold) -> None: ...


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

    def count(self, told: RowTold) -> None:
        """Count a row in."""
        match told.outcome:
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
        if told.warnings:
            self.warned += 1

    def may_be_kept(self, decision: "Decision") -> bool:
        """Whether a person wants it kept as it is."""
        good = decision.good_rows or not self.refused
        confirmed = decision.all_warnings or self.warnings in ("", decision.confirmed)
        return good and confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided about the rows of a file after they were checked.

    ``good_rows``: keep the good rows without those that are refused. ``confirmed``: the digest of the warnings that
    were seen and confirmed, or ``all_warnings``, seen or not. ``leave_out``: the lines whose rows are not wanted.
    """

    good_rows: bool = False
    confirmed: str = ""
    all_warnings: bool = False
    leave_out: frozenset[int] = frozenset()


UNDECIDED = Decision()

_LINES = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?", re.ASCII)
_MOST_LINES = 1_000_000


def lines_named(text: str) -> frozenset[int]:
    """The lines that a text such as ``12,15-20`` names. Raise ``ValueError`` for any other text."""
    ranges = []
    for part in filter(None, text.split(",")):
        found = _LINES.fullmatch(part.strip())
        if not found:
            raise ValueError(part)
        ranges.append(range(int(found[1]), int(found[2] or found[1]) + 1))
    if sum(map(len, ranges)) > _MOST_LINES:
        raise ValueError(text)
    return frozenset(chain.from_iterable(ranges))


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

    def check(
        self, actor: Actor, batch: Batch, listener: Listener, *, leave_out: frozenset[int] = frozenset()
    ) -> Report:
        """Find out what would be done, and do nothing."""
        actor.must(Permission.IMPORT)
        _must_be_answered(batch)
        return self._plan(actor, batch, listener, leave_out, self._from_outside)[1]

    def __call__(self, actor: Actor, batch: Batch, listener: Listener, *, decision: Decision = UNDECIDED) -> Report:
        """Do it. Where rows are refused, or warned of and not confirmed, nothing is done."""
        actor.must(Permission.IMPORT)
        _must_be_answered(batch)
        stage, report = self._plan(actor, batch, listener, decision.leave_out, self._from_outside)
        if not report.may_be_kept(decision) or stage.is_empty():
            report.kept = report.may_be_kept(decision)
            return report
        with self.begin() as work:
            work.imports.take_turn()
            if not stage.is_still_so(work):
                stage, report = self._plan(actor, batch, listener, decision.leave_out, _from_within(work))
                if not report.may_be_kept(decision):
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

    def _plan(
        self, actor: Actor, batch: Batch, listener: Listener, leave_out: frozenset[int], source: "Source"
    ) -> tuple[Stage, Report]:
        """What would be done, and how many rows would do what."""
        now = self.clock()
        stage, report, warnings = Stage(source), Report(), hashlib.sha256()
        place = Workplace(stage, actor, lambda: now, self.zone, cache(self._name_of))
        taking = _taking(batch.noun, place, batch.given)
        with self.look() as work:
            again = bool(batch.digest) and work.imports.knows(batch.noun, batch.digest)
        listener.begin(batch.count)
        for rows in chunks(batch.rows()):
            taking.look_up([row for row in rows if row.line not in leave_out])
            for row in rows:
                told = _left_out(row) if row.line in leave_out else _take(taking, place, row, again=again)
                report.count(told)
                for one in told.warnings:
                    warnings.update(repr((row.line, one.code.value, one.field, sorted(one.params.items()))).encode())
                listener.row(told)
        taking.finish()
        stage.settle()
        report.warnings = warnings.hexdigest() if report.warned else ""
        report.also = {kind: count for kind, count in stage.added().items() if kind != _KINDS[batch.noun]}
        return stage, report

    def _name_of(self, user_id: int) -> str:
        with self.look() as work:
            user = work.users.get(user_id)
        return user.email if user else ""

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


def _left_out(row: Row) -> RowTold:
    return RowTold(row.line, Outcome.LEFT_OUT, _label(row), {}, cells=row.raw.cells)


def _take(taking: Taking, place: Workplace, row: Row, *, again: bool) -> RowTold:
    """Take a row, or nothing of it; ``again``: of a file that was brought in before."""
    stage = place.stage
    before = len(stage.trail)
    place.warnings.clear()
    try:
        outcome = taking.take(row)
    except Refused as refused:
        stage.undo()
        # Where the row as a whole cannot be read, what its fields lack means nothing.
        reasons = row.wrong(None) or tuple(map(row.quoting, refused.reasons))
        return RowTold(row.line, Outcome.REFUSED, _label(row), {}, reasons, row.raw.cells)
    changes: Changes = {}
    if outcome is Outcome.CHANGED and stage.trail.last and len(stage.trail) > before:
        changes = _with_names(stage, stage.trail.last.changes)
    stage.settle()
    warnings = (*row.warnings, *place.warnings)
    if outcome is Outcome.UNCHANGED:
        # Its cells are as they were. What the importer warned of matters, unless it was told of the same file before.
        warnings = () if again else tuple(place.warnings)
    return RowTold(row.line, outcome, _label(row), changes, cells=row.raw.cells, warnings=warnings)


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
        digest=batch.digest,
    )
