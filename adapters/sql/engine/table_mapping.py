"""Mapping of entities to a table, with cached statements, and a store."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic

from sqlalchemy import Column, ColumnElement, Connection, Table, bindparam, func, literal, select, text

from adapters.sql.engine.bulk_insert import insert_all
from adapters.sql.engine.row_mapping import Entity, RowMapping
from adapters.sql.engine.row_shape import NONE, Cell

_NEXT_IDS = text("SELECT nextval(pg_get_serial_sequence(:name, 'id')) FROM generate_series(1, :count)")
_TAKE_IDS = text("UPDATE sqlite_sequence SET seq = seq + :count WHERE name = :name RETURNING seq")
_TAKE_FIRST_IDS = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :count) RETURNING seq")


class TableMapping(RowMapping[Entity]):
    """A table of entities with an id, and its statements."""

    # Every mapping, for the natural key of which a constraint is violated.
    every: ClassVar[list["TableMapping[Any]"]] = []

    def __init__(
        self,
        table: Table,
        entity: type[Entity],
        *used_by: Column[Any],
        keys: Mapping[str, ColumnElement[Any]] | None = None,
        written: Mapping[str, Callable[[Entity], Any]] = NONE,
        read: Mapping[str, Cell] = NONE,
        omitted: Collection[str] = (),
    ) -> None:
        super().__init__(table, entity, written=written, read=read, omitted=omitted)
        self.one = select(table).where(table.c.id == bindparam("id"))
        # NO KEY UPDATE: it blocks other changes of the row, but not inserts of rows that refer to it. SQLite has no row
        # locks: there the unit of work is the only writer.
        self.locked = self.one.with_for_update(key_share=True)
        self.insert = table.insert().returning(table.c.id)
        self.update = table.update().where(table.c.id == bindparam("this_id"))
        self.delete = table.delete().where(table.c.id == bindparam("this_id"))
        # ``used_by`` are the columns of other tables that refer to this one, ``keys`` its natural keys.
        self.uses = select(
            sum(
                (select(func.count()).where(column == bindparam("this_id")).scalar_subquery() for column in used_by),
                start=literal(0),
            )
        )
        self.delete_all = table.delete().where(table.c.id.in_(bindparam("ids", expanding=True)))
        self.used = [
            select(column).where(column.in_(bindparam("ids", expanding=True))).distinct() for column in used_by
        ]
        self.every.append(self)
        self.table = table
        self.keys: Mapping[str, ColumnElement[Any]] = {"id": table.c.id, **(keys or {})}
        self._having: dict[tuple[str, bool], Any] = {}

    def find_many(self, key: str, *, locked: bool) -> Any:
        """Return the statement that finds entities by values of a natural key."""
        statement = self._having.get((key, locked))
        if statement is None:
            one_of = self.keys[key].in_(bindparam("values", expanding=True))
            statement = select(self.table).where(one_of).order_by(self.table.c.id)
            if locked:
                statement = statement.with_for_update(key_share=True)
            self._having[key, locked] = statement
        return statement

    def ids(self, connection: Connection, count: int) -> Sequence[int]:
        """Reserve ids, which are never used again, even after a rollback."""
        params = {"name": self.table.name, "count": count}
        if connection.dialect.name == "postgresql":
            return connection.execute(_NEXT_IDS, params).scalars().all()
        last = connection.execute(_TAKE_IDS, params).scalar()
        if last is None:
            last = connection.execute(_TAKE_FIRST_IDS, params).scalar_one()
        return range(last - count + 1, last + 1)

    @cache  # noqa: B019 - mappings live as long as the process
    def find_one(self, key: str) -> Any:
        """Return the statement that finds an entity by a natural key."""
        return select(self.table).where(self.keys[key] == bindparam("value"))


class TableStore(Generic[Entity]):
    """Store of one kind of entity, within a unit of work.

    ``changed`` is called on each change.
    """

    def __init__(
        self, connection: Connection, mapping: TableMapping[Entity], changed: Callable[[], None] = lambda: None
    ) -> None:
        self._connection = connection
        self._mapping = mapping
        self._changed = changed

    def get(self, id: int) -> Entity | None:
        return self._one(self._mapping.one, {"id": id})

    def lock(self, id: int) -> Entity | None:
        """Return the entity, locked until the end of the unit of work."""
        return self._one(self._mapping.locked, {"id": id})

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with this natural key."""
        return self._one(self._mapping.find_one(key), {"value": value})

    def add(self, entity: Entity) -> None:
        """Insert an entity and set its id."""
        self._changed()
        [(entity.id,)] = self._connection.execute(self._mapping.insert, self._mapping.to_row(entity))

    def save(self, entity: Entity) -> None:
        """Update an entity."""
        self._changed()
        self._connection.execute(self._mapping.update, {"this_id": entity.id, **self._mapping.to_row(entity)})

    def remove(self, entity: Entity) -> None:
        """Delete an entity."""
        self._changed()
        self._connection.execute(self._mapping.delete, {"this_id": entity.id})

    def reference_count(self, id: int) -> int:
        """Return the number of rows that refer to the entity."""
        [(uses,)] = self._connection.execute(self._mapping.uses, {"this_id": id})
        return int(uses)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """Return entities by values of a key, in order of id."""
        found = self._connection.execute(self._mapping.find_many(key, locked=locked), {"values": list(values)})
        return [self._mapping.to_entity(row) for row in found]

    def referenced_ids(self, ids: Collection[int]) -> set[int]:
        """Return the ids that other rows refer to."""
        params = {"ids": list(ids)}
        return {one for used in self._mapping.used for one in self._connection.execute(used, params).scalars()}

    def reserve(self, count: int) -> Sequence[int]:
        """Reserve ids, which are never used again."""
        return self._mapping.ids(self._connection, count)

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Insert entities with reserved ids."""
        if entities:
            self._changed()
            rows = [{"id": entity.id, **self._mapping.to_row(entity)} for entity in entities]
            insert_all(self._connection, self._mapping.table, rows)

    def save_all(self, entities: Sequence[Entity]) -> None:
        """Update entities."""
        if entities:
            self._changed()
            rows = [{"this_id": entity.id, **self._mapping.to_row(entity)} for entity in entities]
            self._connection.execute(self._mapping.update, rows)

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete entities."""
        if ids:
            self._changed()
            self._connection.execute(self._mapping.delete_all, {"ids": list(ids)})

    def _one(self, statement: Any, params: Mapping[str, Any]) -> Entity | None:
        row = self._connection.execute(statement, params).one_or_none()
        return None if row is None else self._mapping.to_entity(row)
