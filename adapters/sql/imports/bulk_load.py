"""Bulk load by staging tables: imports commit with a few statements.

The rows are in temporary tables of one connection, invisible to others and without locks. The part that blocks others
is to move the rows, which the database does without a round trip for each row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date, datetime
from typing import Any, Protocol

from sqlalchemy import (
    Column,
    Connection,
    Date,
    Integer,
    MetaData,
    Table,
    bindparam,
    exists,
    extract,
    literal,
    literal_column,
    select,
)

from adapters.sql.accounts import users
from adapters.sql.audit.audit_log import MAPPING as AUDIT
from adapters.sql.audit.tables import audit
from adapters.sql.catalogue import areas, categories, products, rooms
from adapters.sql.catalogue.tables import product_codes
from adapters.sql.engine.bulk_insert import insert_all
from adapters.sql.engine.connections import checkpoint, transaction_on
from adapters.sql.engine.table_mapping import TableMapping
from adapters.sql.imports import imports
from adapters.sql.people import patients, staff
from adapters.sql.sheets import details, sheets
from adapters.sql.sheets.tables import details as details_table
from adapters.sql.sheets.tables import documents, month_changes, value_of
from application.audit.audit_log import AuditEntry
from application.common.entities import AREA, IMPORT, IMPORTED, PRODUCT, EntityKind
from application.sheets.issued_documents import DocumentKind
from application.work import UnitOfWork
from domain.sheets.month_change import MonthChangeKind

# Rows moved per statement: each must end within the statement timeout.
_ROWS_PER_STATEMENT = 20_000

# In dependency order: referenced entities come first.
_MAPPINGS: Mapping[EntityKind, TableMapping[Any]] = dict(
    zip(
        (*IMPORTED, IMPORT),
        (
            module.MAPPING
            for module in (areas, categories, products, rooms, patients, staff, users, sheets, details, imports)
        ),
        strict=True,
    )
)


class Work(UnitOfWork, Protocol):
    """The unit of work that a bulk load needs on its connection."""

    def change_catalogue(self) -> None: ...

    def count(self, done: Mapping[str, int]) -> None: ...


class _StagingTable:
    """The temporary table for a table, and the statements that move its rows."""

    def __init__(self, table: Table, prefix: str, *, but: Sequence[str] = ()) -> None:
        self.columns = [column for column in table.c if column.name not in but]
        copies = [Column(column.name, column.type) for column in self.columns]
        place = Column("place", Integer, primary_key=True, autoincrement=False)
        self.table = Table(f"{prefix}_{table.name}", MetaData(), place, *copies, prefixes=["TEMPORARY"])
        self._into = table
        self.of_these = self.table.c.place.between(bindparam("first"), bindparam("last"))

    def add(self) -> Any:
        """Return the statement that inserts a range of rows, in order of place."""
        names = [column.name for column in self.columns]
        rows = select(*(self.table.c[name] for name in names)).where(self.of_these).order_by(self.table.c.place)
        return self._into.insert().from_select(names, rows)

    def change(self, names: Iterable[str]) -> Any:
        """Return the statement that updates these columns for a range of rows."""
        changed = {name: self.table.c[name] for name in names}
        return self._into.update().values(changed).where(self._into.c.id == self.table.c.id, self.of_these)


def _adding_codes(staging: _StagingTable) -> Any:
    columns, rows = products.adding_own_codes(
        staging.table.c.product_id, staging.table.c.code, staging.table.c.code_key
    )
    return product_codes.insert().from_select(columns, rows.where(staging.of_these).order_by(staging.table.c.place))


def _adding_changes(staging: _StagingTable) -> Any:
    """Return the statement that notes new lines of closed months.

    Those of other months are history that no paper has shown.
    """
    new = staging.table.c
    is_closed = exists().where(
        documents.c.kind == DocumentKind.MONTH,
        *(extract(part, documents.c.month) == extract(part, new.day) for part in ("year", "month")),
    )
    given = {name: bindparam(name, type_=month_changes.c[name].type) for name in ("at", "made_on", "user_id")}
    columns = {
        **given,
        "kind": literal(MonthChangeKind.IMPORTED.value),
        "detail_id": new.id,
        "lines": literal_column("1"),
        "value": value_of(new.quantity, new.unit_price),
    }
    same = ("day", "sheet_id", "area_id", "product_id", "unbilled", "use_reason", "quantity", "returned", "total")
    rows = (
        select(*columns.values(), *(new[name] for name in same))
        .where(staging.of_these, new.voided_at.is_(None), new.day < bindparam("first_of_month", type_=Date), is_closed)
        .order_by(staging.table.c.place)
    )
    return month_changes.insert().from_select([*columns, *same], rows)


_NEW = {mapping.table: _StagingTable(mapping.table, "new") for mapping in _MAPPINGS.values()}
_CHANGED = {mapping.table: _StagingTable(mapping.table, "changed") for mapping in _MAPPINGS.values()}
_ENTRIES = _StagingTable(audit, "new", but=["id"])
_ADD_ENTRIES = _ENTRIES.add()
_CODES = _StagingTable(product_codes, "new", but=["id", "system", "units", "label"])
_ADD_CODES = _adding_codes(_CODES)
_NEW_DETAILS = _NEW[details_table]
_ADD_CHANGES = _adding_changes(_NEW_DETAILS)


class SqlBulkLoad:
    """Staged rows on a connection of their own, which also commits them.

    ``begin`` begins a unit of work on the connection. ``turn`` is the lock of writers.
    """

    def __init__(
        self,
        connection: Connection,
        begin: Callable[[], AbstractContextManager[Work]],
        turn: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._begin = begin
        self._writer_lock = turn
        self._work: Work | None = None
        self._sizes: Counter[_StagingTable] = Counter()
        self._changed_columns: dict[_StagingTable, set[str]] = {}
        self._old_gtins: list[dict[str, Any]] = []
        self._done: Counter[str] = Counter()
        self._changes_catalogue = False

    def reserve(self, counts: Mapping[EntityKind, int]) -> dict[EntityKind, Sequence[int]]:
        """Reserve ids for each kind. They are never used again."""
        with nullcontext() if self._work else self._writer_lock(), self._transaction():
            return {kind: _MAPPINGS[kind].ids(self._connection, count) for kind, count in counts.items()}

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Stage new entities with reserved ids."""
        mapping = _MAPPINGS[kind]
        self._fill(_NEW[mapping.table], ({"id": entity.id, **mapping.to_row(entity)} for entity in entities))
        if kind is PRODUCT:
            self._fill(_CODES, products.own_codes(entities))
        if entities and kind in (PRODUCT, AREA):
            self._changes_catalogue = True

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Stage changed entities, as pairs of before and after."""
        mapping = _MAPPINGS[kind]
        staging = _CHANGED[mapping.table]
        columns = self._changed_columns.setdefault(staging, set())
        rows = []
        for before, after in changes:
            old, new = mapping.to_row(before), mapping.to_row(after)
            columns |= {name for name, value in new.items() if value != old[name]}
            rows.append({"id": after.id, **new})
        self._fill(staging, rows)
        if kind is PRODUCT:
            others = [(before, after) for before, after in changes if before.gtin != after.gtin]
            self._old_gtins += products.removed_codes(before for before, _ in others)
            self._fill(_CODES, products.own_codes([after for _, after in others]))
            self._changes_catalogue |= any(products.changes_device_catalogue(*change) for change in changes)
        elif kind is AREA and changes:
            self._changes_catalogue = True

    def stage_audit(self, entries: Sequence[AuditEntry]) -> None:
        """Stage entries of the audit log."""
        self._fill(_ENTRIES, map(AUDIT.to_row, entries))
        self._done.update(entry.action for entry in entries)

    def discard(self) -> None:
        """Discard all staged rows."""
        with self._transaction():
            for staging in self._sizes:
                staging.table.drop(self._connection)
        self._sizes.clear()
        self._changed_columns.clear()
        self._old_gtins.clear()
        self._done.clear()
        self._changes_catalogue = False

    @contextmanager
    def begin(self) -> Iterator[UnitOfWork]:
        """Begin a unit of work."""
        with self._begin() as work:
            self._work = work
            try:
                yield work
            finally:
                self._work = None
        checkpoint(self._connection)

    def commit(self, at: datetime, made_on: date, user_id: int) -> None:
        """Move the staged rows, within the unit of work."""
        assert self._work is not None, "what lies ready is kept within a unit of work"
        products.take_codes_off(self._connection, self._old_gtins)
        for mapping in _MAPPINGS.values():
            new = _NEW[mapping.table]
            self._move(new, new.add())
            changed = _CHANGED[mapping.table]
            if columns := self._changed_columns.get(changed):
                self._move(changed, changed.change(sorted(columns)))
        first_of_month = made_on.replace(day=1)
        self._move(_NEW_DETAILS, _ADD_CHANGES, at=at, made_on=made_on, user_id=user_id, first_of_month=first_of_month)
        self._move(_CODES, _ADD_CODES)
        self._move(_ENTRIES, _ADD_ENTRIES)
        if self._changes_catalogue:
            self._work.change_catalogue()
        self._work.count(self._done)

    def _move(self, staging: _StagingTable, statement: Any, **given: object) -> None:
        for first in range(1, self._sizes[staging] + 1, _ROWS_PER_STATEMENT):
            self._connection.execute(statement, {"first": first, "last": first + _ROWS_PER_STATEMENT - 1, **given})

    def _fill(self, staging: _StagingTable, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows to a temporary table."""
        behind = self._sizes[staging] + 1
        placed = [{"place": place, **row} for place, row in enumerate(rows, behind)]
        if placed:
            with self._transaction():
                if staging not in self._sizes:
                    staging.table.create(self._connection)
                insert_all(self._connection, staging.table, placed)
            self._sizes[staging] += len(placed)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Join the unit of work, or begin a transaction."""
        if self._work is not None:
            yield
        else:
            with transaction_on(self._connection):
                yield
