"""Conversion of entities to rows and back, derived from the dataclass and the table."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import Row, Table

Entity = TypeVar("Entity", bound=Any)

NONE: Mapping[str, Any] = MappingProxyType({})


class RowMapping(Generic[Entity]):
    """A dataclass and its table.

    A field is stored in the column of the same name, as it is. The exceptions are explicit: ``written`` has the columns
    that are computed from the entity, ``read`` the fields that are computed from the row, and ``omitted`` the fields
    and columns that are not mapped. The id is not part of a row that is written: it is generated or reserved.
    """

    def __init__(
        self,
        table: Table,
        entity: type[Entity],
        *,
        written: Mapping[str, Callable[[Entity], Any]] = NONE,
        read: Mapping[str, Callable[[Row[Any]], Any]] = NONE,
        omitted: Collection[str] = (),
    ) -> None:
        names = {field.name for field in fields(entity)} - {*omitted}
        columns = {column.name for column in table.c} - {*omitted}
        _raise_if_unknown(table, "columns", columns - names - written.keys() - {"id"}, written.keys() - columns)
        _raise_if_unknown(table, "fields", names - columns - read.keys(), read.keys() - names)
        # In the order of the table: all rows have their values in the same order.
        self._same_columns = [c.name for c in table.c if c.name in columns - written.keys() - {"id"}]
        self._same_fields = [field.name for field in fields(entity) if field.name in names - read.keys()]
        self._from_entity: Callable[[Entity], tuple[Any, ...]] = attrgetter(*self._same_columns)
        self._from_row: Callable[[Row[Any]], tuple[Any, ...]] = attrgetter(*self._same_fields)
        self._written = [*written.items()]
        self._read = [*read.items()]
        self._entity = entity

    def to_row(self, entity: Entity) -> dict[str, Any]:
        """Return the row of an entity, without its id."""
        row = dict(zip(self._same_columns, self._from_entity(entity), strict=True))
        for column, compute in self._written:
            row[column] = compute(entity)
        return row

    def to_entity(self, row: Row[Any]) -> Entity:
        """Return the entity in a row."""
        values = dict(zip(self._same_fields, self._from_row(row), strict=True))
        for field, compute in self._read:
            values[field] = compute(row)
        return cast("Entity", self._entity(**values))


def _raise_if_unknown(table: Table, kind: str, unmapped: Collection[str], unknown: Collection[str]) -> None:
    if unmapped or unknown:
        raise TypeError(f"{table.name}: {kind} without a mapping {sorted(unmapped)}, unknown {sorted(unknown)}")
