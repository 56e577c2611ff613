"""Import the rows of a file in one transaction, or as a dry run.

A row is accepted, refused, or accepted with warnings. Rows with warnings are only stored if a user has confirmed them.
"""

import hashlib
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import cache
from itertools import islice
from typing import Any

from application.audit.audit_log import Changes, entry
from application.billing.charging import charge_closing
from application.billing.ports import WriteChargesMessage
from application.common.clock import Clock
from application.common.entities import DETAIL, AuditAction, EntityKind
from application.common.imported import Import
from application.common.store_errors import StoreUnavailable, TransactionConflict
from application.common.use_case import permitted
from application.imports.batch import Batch
from application.imports.bulk_load import BeginBulkLoad, BulkLoad
from application.imports.reading.cells import shown
from application.imports.reading.columns import IMPORTABLE
from application.imports.reading.fields import Noun
from application.imports.reading.row import Row, Value
from application.imports.report import UNDECIDED, ImportDecision, Listener, Report, RowResult
from application.imports.rows.areas import AreaImporter
from application.imports.rows.consumption import ConsumptionImporter
from application.imports.rows.patients import PatientImporter
from application.imports.rows.products import ProductImporter
from application.imports.rows.rooms import RoomImporter
from application.imports.rows.row_importer import ImportContext, Outcome, RowImporter
from application.imports.rows.staff import StaffImporter
from application.imports.rows.staged import StagedUnitOfWork, chunks
from application.imports.rows.users import UserImporter
from application.imports.work import Begin, BeginReadOnly, UnitOfWork
from application.sheets.closings import BackfillClosings, lines_of
from application.sheets.stores import Closing
from domain.common.day import day_of
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Permission

# The label of a row shows this many of its fields, the first that have a value.
_LABEL_FIELDS = 3
# How many times staging is repeated because other users changed the data.
_MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class ImportRows:
    """Import the rows of a file through the same use cases as users.

    The changes are staged outside the transaction and then committed in one short transaction, so that other users do
    not wait while a large file is read. If the data that they depend on changed meanwhile, they are staged again. If
    that happens repeatedly, the last attempt stages them within the transaction.
    """

    begin: Begin
    begin_bulk_load: BeginBulkLoad
    begin_read_only: BeginReadOnly
    clock: Clock
    zone: tzinfo
    write_charges: WriteChargesMessage | None = None

    @permitted(Permission.IMPORT)
    def check(
        self, actor: Actor, batch: Batch, listener: Listener, *, leave_out: frozenset[int] = frozenset()
    ) -> Report:
        """Report what the import would do, without storing anything (dry run)."""
        _ensure_questions_answered(batch)
        return self._stage(actor, batch, listener, leave_out, self._from_outside)[1]

    @permitted(Permission.IMPORT)
    def __call__(
        self, actor: Actor, batch: Batch, listener: Listener, *, decision: ImportDecision = UNDECIDED
    ) -> Report:
        """Import the rows.

        Nothing is stored if rows are refused, or have warnings that were not confirmed.
        """
        _ensure_questions_answered(batch)
        staged, report = self._stage(actor, batch, listener, decision.leave_out, self._from_outside)
        if not report.can_be_saved(decision) or staged.is_empty():
            report.kept = report.can_be_saved(decision)
            return report
        staged, report = self._commit(actor, batch, listener, decision, staged, report)
        self._freeze_new(staged)
        return report

    def _commit(
        self,
        actor: Actor,
        batch: Batch,
        listener: Listener,
        decision: ImportDecision,
        staged: StagedUnitOfWork,
        report: Report,
    ) -> tuple[StagedUnitOfWork, Report]:
        """Commit the staged changes, or stage them again on a conflict.

        Return the changes that were committed, with their report.
        """
        with self.begin_bulk_load() as ready:
            for _ in range(_MAX_ATTEMPTS):
                import_id = staged.stage(ready)
                with ready.begin() as work:
                    work.imports.acquire_lock()
                    if staged.is_unchanged(work):
                        self._save(actor, batch, ready, work, staged, report, import_id)
                        return staged, report
                ready.discard()
                staged, report = self._stage(actor, batch, listener, decision.leave_out, self._from_outside)
                if not report.can_be_saved(decision):
                    raise Refused(Reason(Code.IMPORT_CONFLICT))
                if staged.is_empty():
                    # Another user imported it meanwhile.
                    report.kept = True
                    return staged, report
            with ready.begin() as work:
                work.imports.acquire_lock()
                staged, report = self._stage(actor, batch, listener, decision.leave_out, _from_within(work))
                if not report.can_be_saved(decision):
                    raise Refused(Reason(Code.IMPORT_CONFLICT))
                self._save(actor, batch, ready, work, staged, report, staged.stage(ready))
        return staged, report

    def _save(
        self,
        actor: Actor,
        batch: Batch,
        ready: BulkLoad,
        work: UnitOfWork,
        staged: StagedUnitOfWork,
        report: Report,
        import_id: int,
    ) -> None:
        now = self.clock()
        imported = _imported(actor, batch, report, now, import_id)
        work.imports.add_all([imported])
        ready.commit(now, day_of(now, self.zone), actor.user_id)
        for closing in staged.freeze_closed(work, actor.user_id):
            self._charge(work, closing, now)
        if batch.shape:
            work.imports.save_mapping(batch.noun, batch.shape, batch.mapping)
        work.audit_log.append(entry(actor, now, AuditAction.IMPORT_DONE, after=imported))
        report.kept, report.import_id = True, imported.id

    def _freeze_new(self, staged: StagedUnitOfWork) -> None:
        """Freeze new closed sheets in batches.

        Thousands in one transaction would make all other users wait. The import is already committed. Sheets that
        cannot be frozen because of a conflict are printed from live data until they are frozen after the next import,
        or by ``consumo migrate --fill``.
        """
        if staged.closes_new_sheets:
            backfill_closings, last = BackfillClosings(self.begin, self.begin_read_only), 0
            with suppress(TransactionConflict, StoreUnavailable):
                while found := backfill_closings(last):
                    last = found[-1]

    def _charge(self, work: UnitOfWork, closing: Closing, at: datetime) -> None:
        """Charge a closing as if a user had closed the sheet.

        It is not charged if all its lines were imported, and none was charged before: the system that they come from
        has charged them.
        """
        if not self.write_charges:
            return
        lines = {line["id"] for line in lines_of(closing.document)}
        if work.charges.of_sheet(closing.sheet_id) or lines - work.audit_log.imported_lines(closing.sheet_id):
            charge_closing(work, self.write_charges, closing, at)

    def _stage(
        self, actor: Actor, batch: Batch, listener: Listener, leave_out: frozenset[int], source: "Source"
    ) -> tuple[StagedUnitOfWork, Report]:
        """Stage the changes, and report the result of each row."""
        now = self.clock()
        staged, report, warnings = StagedUnitOfWork(source), Report(), hashlib.sha256()
        context = ImportContext(staged, actor, lambda: now, self.zone, cache(self._name_of), batch.given)
        importer = _IMPORTERS[batch.noun](context)
        with self.begin_read_only() as work:
            again = bool(batch.digest) and work.imports.has_imported(batch.noun, batch.digest)
        listener.begin(batch.count)
        for rows in chunks(batch.rows()):
            importer.look_up([row for row in rows if row.line not in leave_out])
            for row in rows:
                result = (
                    _skipped_result(row) if row.line in leave_out else _import_row(importer, context, row, again=again)
                )
                report.count(result)
                for one in result.warnings:
                    warnings.update(repr((row.line, one.code.value, one.field, sorted(one.params.items()))).encode())
                listener.row(result)
        importer.finish()
        staged.settle()
        report.warnings = warnings.hexdigest() if report.warned else ""
        report.also = {kind: count for kind, count in staged.added().items() if kind != _STORES[batch.noun]}
        return staged, report

    def _name_of(self, user_id: int) -> str:
        with self.begin_read_only() as work:
            user = work.users.get(user_id)
        return user.email if user else ""

    def _from_outside(self, kind: EntityKind, key: str, values: Collection[Hashable]) -> Iterable[Any]:
        with self.begin_read_only() as work:
            return list(kind.store_of(work).find_many(key, values))


Source = Callable[[EntityKind, str, Collection[Hashable]], Iterable[Any]]

# The store of each noun's rows. It has the noun's name, except for consumption.
_STORES: dict[Noun, str] = {**{noun: noun.value for noun in IMPORTABLE}, Noun.CONSUMPTION: DETAIL.store}


def _from_within(work: UnitOfWork) -> Source:
    """Read within a unit of work, with locks, so that the data cannot change."""
    return lambda kind, key, values: kind.store_of(work).find_many(key, values, locked=True)


_IMPORTERS: Mapping[Noun, type[RowImporter]] = {
    Noun.PRODUCTS: ProductImporter,
    Noun.PATIENTS: PatientImporter,
    Noun.STAFF: StaffImporter,
    Noun.AREAS: AreaImporter,
    Noun.ROOMS: RoomImporter,
    Noun.USERS: UserImporter,
    Noun.CONSUMPTION: ConsumptionImporter,
}


def _ensure_questions_answered(batch: Batch) -> None:
    """Raise ``Refused`` if questions about the file are unanswered."""
    if batch.unanswered:
        raise Refused(Reason(Code.IMPORT_UNANSWERED, params={"count": batch.unanswered}))


def _skipped_result(row: Row) -> RowResult:
    return RowResult(row.line, Outcome.LEFT_OUT, _label(row), {}, cells=row.raw.cells)


def _import_row(importer: RowImporter, context: ImportContext, row: Row, *, again: bool) -> RowResult:
    """Stage one row, or nothing of it if it is refused.

    ``again`` means that the file was imported before.
    """
    staged = context.staged
    before = len(staged.audit_log)
    context.warnings.clear()
    try:
        outcome = importer.import_row(row)
    except Refused as refused:
        staged.undo()
        # If the row as a whole cannot be read, errors about missing fields mean nothing.
        reasons = row.wrong(None) or tuple(map(row.quoting, refused.reasons))
        return RowResult(row.line, Outcome.REFUSED, _label(row), {}, reasons, row.raw.cells)
    changes: Changes = {}
    if outcome is Outcome.CHANGED and staged.audit_log.last and len(staged.audit_log) > before:
        changes = _with_names(staged, staged.audit_log.last.changes)
    staged.settle()
    warnings = (*row.warnings, *context.warnings)
    if outcome is Outcome.UNCHANGED:
        # The cells are as they were, so warnings about them are dropped. Warnings of the importer matter, unless the
        # same file was imported before.
        warnings = () if again else tuple(context.warnings)
    return RowResult(row.line, outcome, _label(row), changes, cells=row.raw.cells, warnings=warnings)


def _with_names(staged: StagedUnitOfWork, changes: Changes) -> Changes:
    """Replace category ids by names, because a new category has no id yet."""
    return {
        name.removesuffix("_id"): (_name_of(staged, before), _name_of(staged, after))
        if name == "category_id"
        else (before, after)
        for name, (before, after) in changes.items()
    }


def _name_of(staged: StagedUnitOfWork, category_id: Any) -> str | None:
    category = staged.categories.get(category_id)
    return category.name if category else None


def _label(row: Row) -> str:
    texts = islice(filter(None, map(_as_text, row.values.values())), _LABEL_FIELDS)
    return " · ".join(texts) or " · ".join(islice(filter(None, map(shown, row.raw.cells)), _LABEL_FIELDS))


def _as_text(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return "" if value is None else str(value)


def _imported(actor: Actor, batch: Batch, report: Report, now: datetime, import_id: int) -> Import:
    return Import(
        id=import_id,
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
