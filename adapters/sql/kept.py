"""How entities of one kind are kept in a table: the statements, built once, and the store over them."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, Row, Table, bindparam, func, literal, select

Entity = TypeVar("Entity", bound=Any)

ToRow = Callable[[Entity], dict[str, Any]]
ToEntity = Callable[[Row[Any]], Entity]


class Kept(Generic[Entity]):
    """A table with the pair that turns its rows into entities and back."""

    def __init__(self, table: Table, to_row: ToRow[Entity], to_entity: ToEntity[Entity], *used_by: Column[Any]) -> None:
        self.to_row = to_row
        self.to_entity = to_entity
        self.one = select(table).where(table.c.id == bindparam("id"))
        # NO KEY UPDATE: who changes it holds up others who do, but nobody who writes what refers to it. SQLite knows no
        # row locks: there the unit of work is the only one that writes.
        self.locked = self.one.with_for_update(key_share=True)
        self.insert = table.insert().returning(table.c.id)
        self.update = table.update().where(table.c.id == bindparam("this_id"))
        self.delete = table.delete().where(table.c.id == bindparam("this_id"))
        # ``used_by`` are the columns of other tables that refer to this one.
        self.uses = select(
            sum(
                (select(func.count()).where(column == bindparam("this_id")).scalar_subquery() for column in used_by),
                start=literal(0),
            )
        )
        self._table = table

    def by(self, column: Column[Any]) -> Any:
        """The statement that finds one by the value of that column."""
        return select(self._table).where(column == bindparam("value"))


class TableStore(Generic[Entity]):
    """Keeps entities of one kind, within one unit of work."""

    def __init__(self, connection: Connection, kept: Kept[Entity]) -> None:
        self._connection = connection
        self._kept = kept

    def get(self, id: int) -> Entity | None:
        """The entity with that id."""
        return self.find(self._kept.one, {"id": id})

    def lock(self, id: int) -> Entity | None:
        """The entity, which nobody else changes until this unit of work ends."""
        return self.find(self._kept.locked, {"id": id})

    def add(self, entity: Entity) -> None:
        """Keep a new one and give it its id."""
        entity.id = self._connection.execute(self._kept.insert, self._kept.to_row(entity)).scalar_one()

    def save(self, entity: Entity) -> None:
        """Keep what changed."""
        self._connection.execute(self._kept.update, {"this_id": entity.id, **self._kept.to_row(entity)})

    def remove(self, entity: Entity) -> None:
        """Delete it for good."""
        self._connection.execute(self._kept.delete, {"this_id": entity.id})

    def uses(self, id: int) -> int:
        """How many other things refer to it."""
        return int(self._connection.execute(self._kept.uses, {"this_id": id}).scalar_one())

    def find(self, statement: Any, params: Mapping[str, Any]) -> Entity | None:
        """The one entity that the statement finds."""
        row = self._connection.execute(statement, params).one_or_none()
        return None if row is None else self._kept.to_entity(row)
