"""Shapes of rows: a record, and the columns that its fields are read from.

A shape is declared once. The columns to select and the function that reads a row come from it, and a field without a
column is an error when the program starts::

    AREA = RowShape(AreaView, areas)
    PRODUCT = RowShape(ProductView, products, names={"category": RowShape(CategoryView, categories)})

    [PRODUCT.read(row) for row in connection.execute(select(*PRODUCT.columns).join_from(products, categories))]
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import MappingProxyType, NoneType
from typing import Any, Generic, TypeAlias, TypeVar, cast, get_args, get_type_hints, is_typeddict

from sqlalchemy import ColumnElement, FromClause

Record = TypeVar("Record", bound=Any)

NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Computed:
    """A field that a function computes from other cells of the row."""

    compute: Callable[..., Any]
    cells: tuple["Cell", ...]

    def __init__(self, compute: Callable[..., Any], *cells: "Cell") -> None:
        object.__setattr__(self, "compute", compute)
        object.__setattr__(self, "cells", cells)


@dataclass(frozen=True, eq=False)
class OrNone:
    """A field that is None if a column is null."""

    cell: "Cell"
    column: ColumnElement[Any]


@dataclass(frozen=True, eq=False)
class Either:
    """A field of one of two kinds: the other one if a column is not null."""

    one: "RowShape[Any]"
    column: ColumnElement[Any]
    other: "RowShape[Any]"


@dataclass(frozen=True, eq=False)
class PresentIf:
    """A field that is only present if a column is neither null nor false."""

    column: ColumnElement[Any]
    cell: "Cell"


class RowShape(Generic[Record]):
    """A record and the columns of its fields.

    The record is a view, a dataclass or a named tuple. A field is read from the column of the table with the same name,
    as it is. The exceptions are explicit: ``names`` has the columns or cells of other fields, and ``omitted`` the
    fields that are not read, which the record must not require. ``columns`` are selected in this order; a row may
    continue with other ones. If ``row`` is given, these are the first columns of the row.
    """

    def __init__(
        self,
        record: Callable[..., Record],
        table: FromClause | None = None,
        *,
        names: Mapping[str, "Cell"] = NONE,
        omitted: Collection[str] = (),
        row: Sequence[ColumnElement[Any]] = (),
    ) -> None:
        hints, required = _fields_of(record)
        own: Any = {} if table is None else table.c
        cells: dict[str, Cell] = {}
        for name in hints:
            if name in names:
                cells[name] = names[name]
            elif name in own and name not in omitted:
                cells[name] = own[name]
        missing = hints.keys() - cells.keys() - ({*omitted} - required)
        unknown = (names.keys() | {*omitted}) - hints.keys()
        if missing or unknown:
            raise TypeError(f"{_name_of(record)}: fields without a column {sorted(missing)}, unknown {sorted(unknown)}")
        for name, cell in cells.items():
            if not _fits(hints[name], cell):
                raise TypeError(f"{_name_of(record)}: {name} is not a {hints[name]}")
        self.record = record
        self.cells: Mapping[str, Cell] = cells
        source = _Source(row)
        # Generated, like the methods of a dataclass: a row is unpacked by position, and nothing is looked up by name.
        self.read: Callable[[Sequence[Any]], Record] = source.function(self)
        self.columns: Sequence[ColumnElement[Any]] = source.columns

    def of(self, table: FromClause) -> "RowShape[Record]":
        """Return the shape with the columns of an alias of its table."""
        moved = {name: _moved(cell, table) for name, cell in self.cells.items()}
        omitted = _fields_of(self.record)[0].keys() - moved.keys()
        return RowShape(self.record, names=moved, omitted=omitted)


Cell: TypeAlias = ColumnElement[Any] | RowShape[Any] | Computed | OrNone | Either | PresentIf


def or_none(cell: RowShape[Any] | Computed) -> OrNone:
    """Return the cell, None if its id, or else its first column, is null."""
    first: Any = cell
    while not isinstance(first, ColumnElement):
        cells = first.cells if isinstance(first, Computed) else [first.cells.get("id", *[*first.cells.values()][:1])]
        first = cells[0]
    return OrNone(cell, first)


def is_set(column: ColumnElement[Any]) -> Computed:
    """Return the cell that says whether a column is not null."""
    return Computed(lambda value: value is not None, column)


def _fields_of(record: Any) -> tuple[Mapping[str, Any], frozenset[str]]:
    """Return the types of the fields, and the names of the required ones."""
    hints = get_type_hints(record)
    if is_typeddict(record):
        return hints, frozenset(record.__required_keys__)
    if is_dataclass(record):
        with_default = {f.name for f in fields(record) if f.default is not MISSING or f.default_factory is not MISSING}
        hints = {f.name: hints[f.name] for f in fields(record)}
        return hints, frozenset(hints.keys() - with_default)
    hints = {name: hints[name] for name in record._fields}
    return hints, frozenset(hints.keys() - record._field_defaults.keys())


def _name_of(record: Any) -> str:
    return str(record.__name__)


def _fits(hint: Any, cell: "Cell") -> bool:
    """Return whether a nested record has the type of its field."""
    kinds = {hint, *get_args(hint)}
    if isinstance(cell, PresentIf):
        return _fits(hint, cell.cell)
    if isinstance(cell, OrNone):
        return (NoneType in kinds or hint is Any) and _fits(hint, cell.cell)
    return not isinstance(cell, RowShape) or hint is Any or cell.record in kinds


def _moved(cell: "Cell", table: FromClause) -> "Cell":
    if isinstance(cell, RowShape):
        return cell.of(table)
    if isinstance(cell, Computed):
        return Computed(cell.compute, *(_moved(one, table) for one in cell.cells))
    if isinstance(cell, OrNone):
        return OrNone(_moved(cell.cell, table), cast("ColumnElement[Any]", _moved(cell.column, table)))
    if isinstance(cell, Either):
        return Either(cell.one.of(table), cast("ColumnElement[Any]", _moved(cell.column, table)), cell.other.of(table))
    if isinstance(cell, PresentIf):
        return PresentIf(cast("ColumnElement[Any]", _moved(cell.column, table)), _moved(cell.cell, table))
    return table.c[cast("str", cell.key)]


class _Source:
    """Source text of the function that reads a row."""

    def __init__(self, row: Sequence[ColumnElement[Any]]) -> None:
        self.columns = [*row]
        # By identity: a comparison of columns is an expression.
        self._places = {id(column): place for place, column in enumerate(self.columns)}
        self._objects: dict[str, Any] = {"NOTHING": {}}

    def function(self, shape: RowShape[Any]) -> Callable[[Sequence[Any]], Any]:
        """Return the function."""
        expression = self._of(shape)
        unpacked = "".join(f"v{place}, " for place in range(len(self.columns)))
        exec(f"def read(row):\n    {unpacked}*_ = row\n    return {expression}", self._objects)  # noqa: S102 - no input
        return cast("Callable[[Sequence[Any]], Any]", self._objects["read"])

    def _of(self, cell: "Cell") -> str:
        if isinstance(cell, RowShape):
            if is_typeddict(cell.record):
                return "{" + ", ".join(self._entry(name, one) for name, one in cell.cells.items()) + "}"
            named = ", ".join(f"{name}={self._of(one)}" for name, one in cell.cells.items())
            return f"{self._object(cell.record)}({named})"
        if isinstance(cell, Computed):
            return f"{self._object(cell.compute)}({', '.join(map(self._of, cell.cells))})"
        if isinstance(cell, OrNone):
            return f"(None if {self._of(cell.column)} is None else {self._of(cell.cell)})"
        if isinstance(cell, Either):
            return f"({self._of(cell.one)} if {self._of(cell.column)} is None else {self._of(cell.other)})"
        if isinstance(cell, PresentIf):
            raise TypeError("only a field of a view may be absent")
        return f"v{self._place(cell)}"

    def _entry(self, name: str, cell: "Cell") -> str:
        if isinstance(cell, PresentIf):
            column = self._of(cell.column)
            is_absent = f"{column} is None or {column} is False"
            return f"**(NOTHING if {is_absent} else {{{name!r}: {self._of(cell.cell)}}})"
        return f"{name!r}: {self._of(cell)}"

    def _place(self, column: ColumnElement[Any]) -> int:
        place = self._places.setdefault(id(column), len(self.columns))
        if place == len(self.columns):
            self.columns.append(column)
        return place

    def _object(self, value: Any) -> str:
        name = f"f{len(self._objects)}"
        self._objects[name] = value
        return name
