"""Conversion of entities to rows and back, derived from the dataclass and the table."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Generic, TypeVar

from sqlalchemy import Table

from adapters.sql.engine.row_shape import NONE, Cell, RowShape

Entity = TypeVar("Entity", bound=Any)


class RowMapping(Generic[Entity]):
    """A dataclass and its table.

    A field is stored in the column of the same name, as it is. The exceptions are explicit: ``written`` has the columns
    that are computed from the entity, ``read`` the fields that are read from other columns or computed, and ``omitted``
    the fields and columns that are not mapped. The id is not part of a row that is written: it is generated or
    reserved.
    """

    def __init__(
        self,
        table: Table,
        entity: type[Entity],
        *,
        written: Mapping[str, Callable[[Entity], Any]] = NONE,
        read: Mapping[str, Cell] = NONE,
        omitted: Collection[str] = (),
    ) -> None:
        names = {field.name for field in fields(entity)}
        columns = {column.name for column in table.c} - {*omitted}
        unmapped, unknown = columns - (names - {*omitted}) - written.keys() - {"id"}, written.keys() - columns
        if unmapped or unknown:
            raise TypeError(f"{table.name}: columns without a field {sorted(unmapped)}, unknown {sorted(unknown)}")
        # In the order of the table: all rows have their values in the same order.
        self._same_columns = [c.name for c in table.c if c.name in columns - written.keys() - {"id"}]
        self._from_entity: Callable[[Entity], tuple[Any, ...]] = attrgetter(*self._same_columns)
        self._written = [*written.items()]
        omitted_fields = names & {*omitted}
        # The columns that an entity is read from, for a statement that also selects others.
        self.shape = RowShape[Entity](entity, table, names=read, omitted=omitted_fields)
        # Returns the entity in a row that begins with all columns of the table.
        self.to_entity: Callable[[Sequence[Any]], Entity] = RowShape[Entity](
            entity, table, names=read, omitted=omitted_fields, row=[*table.c]
        ).read

    def to_row(self, entity: Entity) -> dict[str, Any]:
        """Return the row of an entity, without its id."""
        row = dict(zip(self._same_columns, self._from_entity(entity), strict=True))
        for column, compute in self._written:
            row[column] = compute(entity)
        return row
