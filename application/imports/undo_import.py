"""Undo an import, while nothing depends on it."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from decimal import Decimal
from enum import IntEnum
from functools import cache
from itertools import groupby
from typing import Any, get_args, get_type_hints

from application.accounts.users.save_account import close_account
from application.audit.audit_log import AuditEntry, Value, entry, to_audit_value
from application.common.clock import Clock
from application.common.entities import (
    AREA,
    CATEGORY,
    DETAIL,
    IMPORTED,
    PATIENT,
    PRODUCT,
    ROOM,
    SHEET,
    STAFF,
    USER,
    AuditAction,
    EntityKind,
)
from application.common.imported import Import
from application.common.use_case import permitted
from application.imports.rows.staged import BATCH_SIZE
from application.imports.work import Begin, UnitOfWork
from application.sheets.line_changes import note_line_changes
from domain.common.day import day_of
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission
from domain.people.patient import Patient
from domain.sheets.detail import Detail
from domain.sheets.month_change import LineChange
from domain.sheets.sheet import PatientSheet

ProgressListener = Callable[[int, int], None]

_MADE, _CHANGED = (".created", ".opened", ".added", ".invited"), (".updated", ".closed")

# The order of undoing: a closed sheet is reopened before its details are removed, and a product gets its old category
# back before the new one is deleted.
_ORDER = (
    (SHEET, _CHANGED),
    (DETAIL, _MADE),
    (SHEET, _MADE),
    (PRODUCT, _MADE + _CHANGED),
    (PATIENT, _MADE + _CHANGED),
    # Users refer to their staff profile and area.
    (USER, _MADE),
    (STAFF, _MADE + _CHANGED),
    (ROOM, _MADE + _CHANGED),
    (CATEGORY, _MADE),
    (AREA, _MADE + _CHANGED),
)

_KINDS = {kind.name: kind for kind in IMPORTED}
# The actions of undoing, looked up at import time, so that a kind without such an action fails at startup.
_DELETE_ACTIONS = {kind: kind.action("deleted") for kind, actions in _ORDER if set(_MADE) <= set(actions)}
_RESTORE_ACTIONS = {
    kind: kind.action("reopened" if kind is SHEET else "updated")
    for kind, actions in _ORDER
    if set(_CHANGED) <= set(actions)
}


@dataclass(frozen=True, slots=True)
class UndoImport:
    """Revert an import: delete what it created, restore what it changed.

    It uses the audit log. If anything was used, changed or closed since, nothing is undone, and the refusal has the
    counts. ``on_progress`` is called with the progress: the number of undone entries and the total.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.UNDO_IMPORTS)
    def __call__(
        self, actor: Actor, import_id: int, on_progress: ProgressListener = lambda _done, _total: None
    ) -> Import:
        with self.begin() as work:
            work.imports.acquire_lock()
            imported = work.imports.lock(import_id)
            if imported is None:
                raise NotFound
            if imported.undone_at is not None:
                raise Refused(Reason(Code.IMPORT_UNDONE))
            now = self.clock()
            undoing = _Undoing(work, actor, now, day_of(now, self.zone))
            done, total = 0, work.audit_log.count_of_import(import_id)
            on_progress(done, total)
            for entries in _in_order(work, import_id):
                undoing.undo(entries)
                done += len(entries)
                on_progress(done, total)
            undoing.ensure_no_conflicts()
            before = replace(imported)
            imported.undone_at, imported.undone_by = now, actor.user_id
            work.imports.save(imported)
            work.audit_log.append(entry(actor, now, AuditAction.IMPORT_UNDONE, before=before, after=imported))
        return imported


def _in_order(work: UnitOfWork, import_id: int) -> Iterator[Sequence[AuditEntry]]:
    """Yield the import's entries in batches of one kind and action.

    An entity that refers to another one is undone before it.
    """
    for kind, actions in _ORDER:
        before = None
        while page := work.audit_log.of_import(import_id, kind.name, before=before, limit=BATCH_SIZE):
            before = page[-1][0]
            for action, run in groupby((one for _, one in page), key=lambda one: one.action):
                if action.endswith(actions):
                    yield list(run)


@dataclass(slots=True)
class _Undoing:
    """An import that is being undone, with the conflicts found."""

    work: UnitOfWork
    actor: Actor
    now: datetime
    today: date
    used: int = 0
    changed: int = 0
    # The sheets that the import closed.
    reopened: set[int] = field(default_factory=set)

    def undo(self, entries: Sequence[AuditEntry]) -> None:
        """Undo a batch of entries of one kind."""
        kind = _KINDS[entries[0].entity]
        store = kind.store_of(self.work)
        if kind is DETAIL:
            # Lock the sheets before their details, as all use cases do. Otherwise two of them could wait for each
            # other.
            self.work.sheets.find_many("id", {one.sheet_id for one in entries}, locked=True)
        there = {one.id: one for one in store.find_many("id", [one.entity_id for one in entries], locked=True)}
        untouched = [one for one in entries if _is_unchanged(there.get(one.entity_id), one, kind.type)]
        # Entities that do not exist any more need no undoing.
        self.changed += len(entries) - len(untouched) - sum(one.entity_id not in there for one in entries)
        if entries[0].action.endswith(_MADE):
            self._remove(store, [there[one.entity_id] for one in untouched], kind)
        else:
            self._restore(store, untouched, there, kind)

    def ensure_no_conflicts(self) -> None:
        """Raise ``Refused`` if there were conflicts."""
        if self.used or self.changed:
            raise Refused(Reason(Code.IMPORT_IN_USE, params={"used": self.used, "changed": self.changed}))

    def _remove(self, store: Any, made: list[Any], kind: EntityKind) -> None:
        if kind is DETAIL:
            made = self._detach_from_sheets(made)
        if kind is USER:
            for one in made:
                one.ensure_managed_by(self.actor)
        closings = self.work.closings.closing_counts([one.id for one in made]) if kind is SHEET else {}
        used = store.referenced_ids([one.id for one in made])
        # Others closed these, too, and opened them again: papers and charges of the closing depend on them.
        used |= {one for one, count in closings.items() if count > (one in self.reopened)}
        self.used += len(used)
        free = [one for one in made if one.id not in used]
        if kind is USER:
            for one in free:
                close_account(self.work, one.id)
        store.remove_all([one.id for one in free])
        if kind is DETAIL:
            deleted = [LineChange(one, None) for one in free]
            note_line_changes(self.work, self.actor, self.now, self.today, AuditAction.DETAIL_DELETED, deleted)
            return
        # The closings of a sheet are deleted with it.
        notes = {sheet_id: {"closings": str(count)} for sheet_id, count in closings.items()}
        self.work.audit_log.extend(
            [entry(self.actor, self.now, _DELETE_ACTIONS[kind], before=one, **notes.get(one.id, {})) for one in free]
        )

    def _detach_from_sheets(self, details: list[Detail]) -> list[Detail]:
        """Remove details from their sheets.

        Details on a closed sheet stay and count as conflicts.
        """
        sheets = {one.id: one for one in self.work.sheets.find_many("id", {one.sheet_id for one in details})}
        free = [one for one in details if not sheets[one.sheet_id].closed]
        self.changed += len(details) - len(free)
        for detail in free:
            sheets[detail.sheet_id].remove_imported(detail)
        self.work.sheets.save_all([sheets[sheet_id] for sheet_id in {one.sheet_id for one in free}])
        return free

    def _restore(self, store: Any, entries: list[AuditEntry], there: Mapping[int, Any], kind: EntityKind) -> None:
        restored = []
        for done in entries:
            before = there[done.entity_id]
            after = replace(before, **{name: _value(kind.type, name, old) for name, (old, _) in done.changes.items()})
            if isinstance(after, PatientSheet):
                after.version += 1
                self.reopened.add(after.id)
            restored.append(after)
            self.work.audit_log.append(entry(self.actor, self.now, _RESTORE_ACTIONS[kind], before=before, after=after))
        store.save_all(restored)


def _is_unchanged(now: Any, done: AuditEntry, kind: type) -> bool:
    """Return whether an entity is as the import left it.

    A created entity must be unchanged as a whole, a changed one in the changed fields. A sheet's total and number of
    lines are not compared, because they depend on its details.
    """
    if now is None:
        return False
    if isinstance(now, Detail) and now.voided:
        # It was voided, so it counts nowhere.
        return True
    if isinstance(now, Patient) and now.merged_into is not None:
        # The other record has its data by now.
        return False
    names = [one.name for one in dataclasses.fields(kind)] if done.action.endswith(_MADE) else done.changes
    return all(
        _is_as_logged(to_audit_value(getattr(now, name)), name, done)
        for name in names
        if name not in ("id", "version") and not (done.entity == SHEET.name and name in ("total", "lines"))
    )


def _is_as_logged(value: Value, name: str, done: AuditEntry) -> bool:
    """Return whether a field is as in the entry.

    What the entry does not have was empty: secrets, and fields that a later version added.
    """
    return value == done.changes[name][1] if name in done.changes else value is None or value is False


def _value(kind: type, name: str, value: Value) -> Any:
    """Convert a value of the audit log to the field's type."""
    type_ = _types(kind)[name]
    if value is None:
        return None
    if issubclass(type_, date):
        return type_.fromisoformat(str(value))
    if issubclass(type_, Decimal):
        return Decimal(str(value))
    return type_(int(value)) if issubclass(type_, IntEnum) else value


@cache
def _types(kind: type) -> dict[str, type[Any]]:
    hints = get_type_hints(kind)
    return {name: next((one for one in get_args(hint) if one is not type(None)), hint) for name, hint in hints.items()}
