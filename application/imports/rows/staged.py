"""A staged unit of work: gathers changes outside the transaction.

Use cases run in it as in any other unit of work. Reads fetch many rows at once from the database. Additions and changes
are gathered in memory. Everything is committed together, in a transaction that is as short as possible, after checking
that the data read is unchanged. A dry run discards everything.
"""

import marshal
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields
from datetime import datetime
from functools import partial
from itertools import count, islice
from tempfile import SpooledTemporaryFile
from typing import Any, Generic, TypeVar, cast

from application.audit.audit_log import AuditEntry
from application.common.entities import (
    AREA,
    CATEGORY,
    DETAIL,
    IMPORT,
    IMPORTED,
    PATIENT,
    PRODUCT,
    ROOM,
    SHEET,
    STAFF,
    USER,
    EntityKind,
    Key,
)
from application.imports.bulk_load import BulkLoad
from application.imports.work import UnitOfWork
from application.sheets.closings import take_snapshot
from application.sheets.recording import Answer, RecordingContext, RecordingRequest, begin_recording_sequentially
from application.sheets.stores import Closing, References, ReferredIds, SheetSince
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.month_change import MonthChange
from domain.sheets.sheet import Sheet

Entity = TypeVar("Entity", bound=Any)
Item = TypeVar("Item")

# The number of entities in one statement, for reads and writes.
BATCH_SIZE = 500
# The audit log stays in memory up to this many bytes, and then moves to a temporary file.
_MAX_MEMORY = 1_000_000
# Each entry in the file follows its length, which takes this many bytes.
_LENGTH_BYTES = 4


_ID: Mapping[str, Key] = {"id": lambda entity: entity.id}


def chunks(items: Iterable[Item], size: int = BATCH_SIZE) -> Iterator[list[Item]]:
    """Split the items into batches."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


class StagedStore(Generic[Entity]):
    """Entities of one kind, as read and as staged."""

    def __init__(self, kind: EntityKind, stage: "StagedUnitOfWork") -> None:
        self.kind = kind
        self.added: dict[int, Entity] = {}
        self.changed: dict[int, Entity] = {}
        self._stage = stage
        self._keys = {**kind.keys, **_ID}
        self._as_found: dict[int, Entity] = {}
        self._asked: dict[str, dict[Hashable, tuple[int, ...]]] = {key: {} for key in self._keys}
        self._now: dict[int, Entity] = {}
        # An index is built when its key is first used: most imports use one.
        self._index: dict[str, dict[Hashable, list[int]]] = {}

    # --- finding

    def look_up(self, key: str, values: Iterable[Hashable]) -> None:
        """Read all entities with these values, unless they were read before."""
        self._open_index(key)
        asked = self._asked[key]
        wanted = {value for value in values if value not in asked and not _is_staged(value)}
        for some in chunks(wanted):
            ids: dict[Hashable, list[int]] = defaultdict(list)
            for entity in self._stage.source(self.kind, key, some):
                ids[self._keys[key](entity)].append(entity.id)
                if entity.id not in self._as_found:
                    self._as_found[entity.id] = entity
                    self._now[entity.id] = entity
                    self._add_to_indexes(entity)
            for value in some:
                asked[value] = tuple(ids.get(value, ()))

    def find_many(self, key: str, value: Hashable) -> list[Entity]:
        """Return the staged entities with that value, the oldest first."""
        if value is None:
            return []
        if key not in self._index or value not in self._asked[key]:
            self.look_up(key, [value])
        return [self._now[known] for known in sorted(self._index[key].get(value, ()), key=_age)]

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with that unique key, or None."""
        return next(iter(self.find_many(key, value)), None)

    def get(self, id: int) -> Entity | None:
        """Return the entity with that id, or None."""
        if id not in self._now:
            self.look_up("id", [id])
        return self._now.get(id)

    def lock(self, id: int) -> Entity | None:
        """Return a copy to change.

        Nothing is locked. Conflicting changes are detected before the commit.
        """
        found = self.get(id)
        return None if found is None else copy(found)

    # --- changing

    def add(self, entity: Entity) -> None:
        """Stage a new entity. Its id is negative until it is stored."""
        entity.id = self._stage.next_id()
        self.added[entity.id] = self._now[entity.id] = entity
        self._add_to_indexes(entity)
        self._stage.undo_by(partial(self._undo_add, entity))

    def save(self, entity: Entity) -> None:
        """Stage a changed entity."""
        before = self._now[entity.id]
        pending = self.added if entity.id in self.added else self.changed
        was_pending = pending.get(entity.id)
        self._reindex(before, entity)
        pending[entity.id] = entity
        self._stage.undo_by(partial(self._restore, before, entity, was_pending))

    def _undo_add(self, entity: Entity) -> None:
        del self.added[entity.id], self._now[entity.id]
        for key, index in self._index.items():
            _remove(index, self._keys[key](entity), entity.id)

    def _restore(self, before: Entity, after: Entity, was_pending: Entity | None) -> None:
        self._reindex(after, before)
        pending = self.added if after.id in self.added else self.changed
        if was_pending is None:
            del pending[after.id]
        else:
            pending[after.id] = was_pending

    def _open_index(self, key: str) -> None:
        if key not in self._index and key != "id":
            index: dict[Hashable, list[int]] = {}
            self._index[key] = index
            for entity in self._now.values():
                _insert(index, self._keys[key](entity), entity.id)

    def _add_to_indexes(self, entity: Entity) -> None:
        for key, index in self._index.items():
            _insert(index, self._keys[key](entity), entity.id)

    def _reindex(self, before: Entity, after: Entity) -> None:
        self._now[after.id] = after
        for key, index in self._index.items():
            old, new = self._keys[key](before), self._keys[key](after)
            if old != new:
                _remove(index, old, after.id)
                _insert(index, new, after.id)

    # --- committing

    def is_unchanged(self, work: UnitOfWork) -> bool:
        """Return whether everything that was read is unchanged.

        Entities that will be changed are locked first, so that they stay unchanged.
        """
        store = self.kind.store_of(work)
        for ids in chunks(self.changed):
            store.find_many("id", ids, locked=True)
        for key, asked in self._asked.items():
            for values in chunks(asked):
                found = {one.id: one for one in store.find_many(key, values)}
                if found != {one: self._as_found[one] for value in values for one in asked[value]}:
                    return False
        return True

    def stage(self, ready: BulkLoad, ids: Mapping[int, int]) -> None:
        """Write the additions and changes into staging tables.

        ``ids`` maps the temporary ids to the new ones. The memory is freed.
        """
        for some in chunks(self.added.values()):
            ready.add_all(self.kind, [_with_final_ids(entity, ids) for entity in some])
        for some in chunks(self.changed.values()):
            ready.change_all(self.kind, [(self._as_found[entity.id], _with_final_ids(entity, ids)) for entity in some])
        self.added.clear()
        self._now.clear()
        self._index.clear()


class StagedDetails(StagedStore[Detail]):
    def record(self, details: Sequence[Detail], sheet: Sheet, reserved_id: int = 0) -> None:
        """Stage new details and their changed sheet."""
        del reserved_id
        for detail in details:
            self.add(detail)
        self._stage.sheets.save(sheet)

    def references(
        self, asked: Sequence[ReferredIds], *, since: SheetSince | None = None, but: int = 0
    ) -> list[References]:
        """Return the entities that details refer to.

        Files have no kits and no packs, and duplicates are not searched for.
        """
        del since, but
        return [self._references(ids) for ids in asked]

    def _references(self, ids: ReferredIds) -> References:
        stage = self._stage
        product = stage.products.get(ids.product_id)
        return References(
            product=product,
            category=stage.categories.get(product.category_id) if product else None,
            staff=stage.staff.get(ids.staff_id) if ids.staff_id else None,
            area=stage.areas.get(ids.area_id) if ids.area_id else None,
        )


class StagedAuditLog:
    """Staged audit entries, kept on disk because they take most of the memory."""

    def __init__(self) -> None:
        self.last: AuditEntry | None = None
        self._file = SpooledTemporaryFile(_MAX_MEMORY)  # noqa: SIM115 - it is closed with this object
        self._count = self._settled_count = 0
        self._end = self._settled_end = 0

    def __len__(self) -> int:
        return self._count

    def append(self, entry: AuditEntry) -> None:
        """Add an entry."""
        self.last = entry
        at = entry.at.isoformat()
        who, about = (
            (entry.user_id, entry.api_key_id),
            (entry.entity, entry.entity_id, entry.sheet_id, entry.patient_id),
        )
        packed = marshal.dumps((at, who, str(entry.action), about, entry.changes))
        packed = len(packed).to_bytes(_LENGTH_BYTES) + packed
        self._file.write(packed)
        self._count += 1
        self._end += len(packed)

    def settle(self) -> None:
        """Keep all entries up to now."""
        self._settled_count, self._settled_end = self._count, self._end

    def undo(self) -> None:
        """Drop the entries since the last ``settle``."""
        if self._end != self._settled_end:
            self._count, self._end = self._settled_count, self._settled_end
            self._file.seek(self._end)

    def entries(self, ids: Mapping[int, int], import_id: int) -> Iterator[AuditEntry]:
        """Yield all entries with the import's id, the oldest first.

        ``ids`` maps the temporary ids to the new ones.
        """
        self._file.seek(0)
        for _ in range(self._count):
            packed = self._file.read(int.from_bytes(self._file.read(_LENGTH_BYTES)))
            # The data was packed above, in this process.
            at, (user_id, api_key_id), action, about, changes = marshal.loads(packed)  # noqa: S302
            entity, entity_id, sheet_id, patient_id = about
            for name in _REFERRING[entity]:
                if name in changes:
                    before, after = changes[name]
                    changes[name] = before, ids.get(after, after)
            yield AuditEntry(
                at=datetime.fromisoformat(at),
                user_id=user_id,
                action=action,
                entity=entity,
                entity_id=ids.get(entity_id, entity_id),
                sheet_id=sheet_id and ids.get(sheet_id, sheet_id),
                patient_id=patient_id and ids.get(patient_id, patient_id),
                changes=changes,
                import_id=import_id,
                api_key_id=api_key_id,
            )


class NoMonthChanges:
    """Keeps no changes of months: the commit notes those of closed ones."""

    def add_all(self, changes: Iterable[MonthChange]) -> None:
        """Store nothing."""


class StagedUnitOfWork:
    """A unit of work that stores nothing until it is staged for the commit.

    ``source`` reads the entities of a kind that have one of the given values of a key.
    """

    def __init__(self, source: Callable[[EntityKind, str, Collection[Hashable]], Iterable[Any]]) -> None:
        self.source = source
        self._ids = count(-1, -1)
        self._undo: list[Callable[[], None]] = []
        self.areas: StagedStore[Area] = StagedStore(AREA, self)
        self.categories: StagedStore[Category] = StagedStore(CATEGORY, self)
        self.products: StagedStore[Product] = StagedStore(PRODUCT, self)
        self.rooms: StagedStore[Room] = StagedStore(ROOM, self)
        self.patients: StagedStore[Patient] = StagedStore(PATIENT, self)
        self.staff: StagedStore[Staff] = StagedStore(STAFF, self)
        self.users: StagedStore[User] = StagedStore(USER, self)
        self.sheets: StagedStore[Sheet] = StagedStore(SHEET, self)
        self.details = StagedDetails(DETAIL, self)
        self.month_changes = NoMonthChanges()
        self.audit_log = StagedAuditLog()
        self.closes_new_sheets = False
        self._closed: list[int] = []

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Read everything that recording a detail needs."""
        return begin_recording_sequentially(cast("UnitOfWork", self), asked)

    def next_id(self) -> int:
        """Return an unused temporary id."""
        return next(self._ids)

    def undo_by(self, step: Callable[[], None]) -> None:
        """Register a step that undoes the last change."""
        self._undo.append(step)

    def settle(self) -> None:
        """Keep all changes up to now."""
        self._undo.clear()
        self.audit_log.settle()

    def undo(self) -> None:
        """Undo the changes since the last ``settle``."""
        while self._undo:
            self._undo.pop()()
        self.audit_log.undo()

    def added(self) -> dict[str, int]:
        """Return the number of additions by kind."""
        return {store.kind.store: len(store.added) for store in self._stores() if store.added}

    def is_empty(self) -> bool:
        """Return whether nothing would be added or changed."""
        return not any(store.added or store.changed for store in self._stores())

    def is_unchanged(self, work: UnitOfWork) -> bool:
        """Return whether everything that was read is unchanged."""
        return all(store.is_unchanged(work) for store in self._stores())

    def stage(self, ready: BulkLoad) -> int:
        """Write everything into staging tables. Return the id of the import."""
        added = {store.kind: len(store.added) for store in self._stores() if store.added}
        reserved = ready.reserve({IMPORT: 1} | added)
        ids: dict[int, int] = {}
        for store in self._stores():
            ids.update(zip(store.added, reserved.get(store.kind, ()), strict=True))
        closed = [sheet for sheet in self.sheets.changed.values() if sheet.closed]
        self.closes_new_sheets = any(sheet.closed for sheet in self.sheets.added.values())
        for store in self._stores():
            store.stage(ready, ids)
        self._closed = [sheet.id for sheet in closed]
        [import_id] = reserved[IMPORT]
        for some in chunks(self.audit_log.entries(ids, import_id)):
            ready.stage_audit(some)
        return import_id

    def freeze_closed(self, work: UnitOfWork, user_id: int) -> Iterator[Closing]:
        """Freeze existing sheets that the import closed, after the commit."""
        for sheet_id in self._closed:
            yield take_snapshot(work, sheet_id, user_id)

    def _stores(self) -> Iterator[StagedStore[Any]]:
        return (kind.store_of(self) for kind in IMPORTED)


def _is_staged(value: Hashable) -> bool:
    """Return whether the database cannot know the value.

    It is None, or the id of an entity that is not stored yet.
    """
    return value is None or (isinstance(value, int) and value < 0)


def _age(id: int) -> tuple[bool, int]:
    """Return the sort key by age: stored entities first, then added ones."""
    return id < 0, abs(id)


def _insert(index: dict[Hashable, list[int]], value: Hashable, id: int) -> None:
    index.setdefault(value, []).append(id)


def _remove(index: dict[Hashable, list[int]], value: Hashable, id: int) -> None:
    index[value].remove(id)


def _with_final_ids(entity: Entity, ids: Mapping[int, int]) -> Entity:
    """Replace the temporary ids in an entity by the new ones."""
    for name in _REFERENCES[type(entity)]:
        value = getattr(entity, name)
        if value is not None and value < 0:
            setattr(entity, name, ids[value])
    return entity


_REFERENCES = {
    kind.type: [field.name for field in fields(kind.type) if field.name == "id" or field.name.endswith("_id")]
    for kind in IMPORTED
}
_REFERRING = {kind.name: [name for name in _REFERENCES[kind.type] if name != "id"] for kind in IMPORTED}
