"""Columns of an exported list: the fields of its view, except those that are left out for a reason."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args, get_type_hints, is_typeddict

NONE: Mapping[str, str] = MappingProxyType({})


def columns_of(view: type, *first: str, leaves_out: Mapping[str, str] = NONE) -> tuple[str, ...]:
    """Return the columns of a view: the ``first`` ones, then all other fields.

    A field that is a view is another record: only the parts that are named, such as ``area.name``, are columns.
    ``leaves_out`` has the fields that are not exported, each with the reason.
    """
    fields = get_type_hints(view)
    named = {column.partition(".")[0] for column in first}
    unknown = {column for column in (*first, *leaves_out) if not _is_field(view, column)} | (named & leaves_out.keys())
    rest = [name for name in fields if name not in named and name not in leaves_out]
    unnamed = [name for name in rest if _view_of(fields[name])]
    if unknown or unnamed:
        raise TypeError(f"{view.__name__}: unknown columns {sorted(unknown)}, without named parts {unnamed}")
    return (*first, *rest)


def _is_field(view: Any, column: str) -> bool:
    name, _, part = column.partition(".")
    hint = get_type_hints(view).get(name)
    return hint is not None and (not part or _is_field(_view_of(hint), part))


def _view_of(hint: Any) -> Any:
    """Return the view that a field holds; None if it holds a value or a list."""
    return next((kind for kind in (hint, *get_args(hint)) if is_typeddict(kind)), None)
