"""How entities of one kind are kept in a table: the statements, built once, and the store over them."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, Row, Table, bindparam, select

Entity = TypeVar("Entity", bound=Any)

ToRow = Callable[[Entity], dict[str, Any]]
ToEntity = Callable[[Row[Any]], Entity]


class Kept(Generic[Entity]):
    """A table with the pair that turns its rows into entities and back."""

    def __init__(self, table: Table, to_row: ToRow[Entity], to_entity: ToEntity[Entity]) -> None:
        self.to_row = to_row
        self.to_entity = to_entity
        self.one = select(table).where(table.c.id == bindparam("id"))
        self.insert = table.insert().returning(table.c.id)
        self.update = table.update().where(table.c.id == bindparam("this_id"))
        self.delete = table.delete().where(table.c.id == bindparam("this_id"))
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

    def add(self, entity: Entity) -> None:
        """Keep a new one and give it its id."""
        entity.id = self._connection.execute(self._kept.insert, self._kept.to_row(entity)).scalar_one()

    def save(self, entity: Entity) -> None:
        """Keep what changed."""
        self._connection.execute(self._kept.update, {"this_id": entity.id, **self._kept.to_row(entity)})

    def remove(self, entity: Entity) -> None:
        """Delete it for good."""
        self._connection.execute(self._kept.delete, {"this_id": entity.id})

    def find(self, statement: Any, params: Mapping[str, Any]) -> Entity | None:
        """The one entity that the statement finds."""
        row = self._connection.execute(statement, params).one_or_none()
        return None if row is None else self._kept.to_entity(row)
