"""Redaction: remove what an actor may not see from an answer.

It is the only way by which prices leave the use cases. Views declare the fields that ward staff must not see::

    class ProductView(TypedDict):
        id: int
        price: NotRequired[Price]

Each view type is inspected once. A type that cannot be inspected raises ``TypeError``, so that no view is passed on
unredacted.
"""

import types
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum, auto
from functools import cache
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from application.common.entities import AREA, INBOUND_MESSAGE, PRODUCT, PRODUCT_CODE, ROOM, AuditAction
from domain.common.policy import Actor, Permission

View = TypeVar("View")
_Redactor = Callable[[Any], None]


class Redacted(Enum):
    """Annotation of a view's field for actors who may not see prices."""

    FIELD = auto()
    """The field is removed."""
    PRICED_ITEMS = auto()
    """Items with a field that shows a price are removed, and the list if none is left."""
    BY_NAME = auto()
    """Fields of its items that show a price are removed by their names. The items' fields vary."""
    CHANGES = auto()
    """The changes of an audit entry: prices are removed by their names, and codes of categories."""


Price = Annotated[Decimal, Redacted.FIELD]

# Names of fields with prices, in objects whose fields vary.
PRICED_NAMES = frozenset(
    {
        *("price", "previous_price", "unit_price", "total", "without_price", "category_code"),
        # What is not charged has the total 0.
        *("included_in_stay", "unbilled"),
    }
)
# Entities in the audit log, other than categories, that have a code of their own.
_ENTITIES_WITH_VISIBLE_CODES = frozenset(
    {
        AREA.name,
        INBOUND_MESSAGE.name,
        PRODUCT.name,
        PRODUCT_CODE.name,
        ROOM.name,
        AuditAction.UNKNOWN_CODE_IGNORED.entity,
    }
)


def redact_for(actor: Actor, view: View, view_type: type) -> View:
    """Redact a view of that type, or a list of them, in place. Return it.

    Actors who may not see prices get no prices, totals and category codes. Raise ``TypeError`` if ``view_type`` is no
    view.
    """
    if not actor.can(Permission.SEE_PRICES) and (redact := redactor_of_view(view_type)):
        for each in view if isinstance(view, list) else (view,):
            redact(each)
    return view


@cache
def redacted_fields(view_type: Any) -> frozenset[str]:
    """Return the paths of removed fields, such as ``product.category.code``."""
    paths = set()
    for name, hint in _fields_of(view_type).items():
        inner, markers = _unwrap(hint)
        if Redacted.FIELD in markers:
            paths.add(name)
        elif is_typeddict(inner):
            paths |= {f"{name}.{path}" for path in redacted_fields(inner)}
    return frozenset(paths)


@cache
def redactor_of_view(view_type: Any) -> _Redactor | None:
    """Return a function that redacts such views; None if nothing is priced."""
    if not is_typeddict(get_origin(view_type) or view_type):
        raise TypeError(f"{view_type} is no view")
    return _redactor_of(view_type)


def _redactor_of(hint: Any) -> _Redactor | None:
    inner, markers = _unwrap(hint)
    if Redacted.BY_NAME in markers:
        return _remove_priced_names
    origin = get_origin(inner)
    if is_typeddict(inner) or is_typeddict(origin):
        return _view_redactor(inner)
    if origin is list:
        return _list_redactor(_redactor_of(get_args(inner)[0]))
    if any(is_typeddict(part) or isinstance(part, TypeVar) or part is Any for part in _parts_of(inner)):
        raise TypeError(f"{inner} cannot be redacted: declare a view, or a list of views")
    return None


def _parts_of(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _parts_of(part)


def _list_redactor(redact_item: _Redactor | None) -> _Redactor | None:
    if redact_item is None:
        return None

    def redact(items: list[Any]) -> None:
        for item in items:
            redact_item(item)

    return redact


def _view_redactor(view_type: Any) -> _Redactor | None:
    removed: list[str] = []
    warned: list[str] = []
    nested: list[tuple[str, _Redactor]] = []
    changes = False
    for name, hint in _fields_of(view_type).items():
        _, markers = _unwrap(hint)
        if Redacted.FIELD in markers:
            removed.append(name)
        elif Redacted.PRICED_ITEMS in markers:
            warned.append(name)
        elif Redacted.CHANGES in markers:
            changes = True
        elif redact_field := _redactor_of(hint):
            nested.append((name, redact_field))
    if not (removed or warned or nested or changes):
        return None

    def redact(view: dict[str, Any]) -> None:
        for name in removed:
            view.pop(name, None)
        for name in warned:
            if name in view:
                _remove_priced_items(view, name)
        for name, redact_part in nested:
            if (value := view.get(name)) is not None:
                redact_part(value)
        if changes:
            _redact_changes(view)

    return redact


def _fields_of(view_type: Any) -> dict[str, Any]:
    """Return a view's annotated fields, with its type arguments applied."""
    origin = get_origin(view_type) or view_type
    hints = get_type_hints(origin, include_extras=True)
    if not (arguments := get_args(view_type)):
        return hints
    return {name: hint[arguments] if getattr(hint, "__parameters__", ()) else hint for name, hint in hints.items()}


def _unwrap(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type without annotations and None, and its annotations."""
    markers: tuple[Any, ...] = ()
    while True:
        origin = get_origin(hint)
        if origin is Annotated:
            markers += cast("Any", hint).__metadata__
            hint = get_args(hint)[0]
        elif origin in (NotRequired, Required):
            hint = get_args(hint)[0]
        elif origin in (Union, types.UnionType):
            parts = [part for part in get_args(hint) if part is not type(None)]
            if len(parts) != 1:
                return hint, markers
            hint = parts[0]
        else:
            return hint, markers


def _remove_priced_items(view: dict[str, Any], name: str) -> None:
    view[name] = [item for item in view[name] if PRICED_NAMES.isdisjoint(item)]
    if not view[name]:
        del view[name]


def _remove_priced_names(value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            _remove_priced_names(each)
    elif isinstance(value, dict):
        for name in PRICED_NAMES.intersection(value):
            del value[name]
        for each in value.values():
            _remove_priced_names(each)


def _redact_changes(entry: dict[str, Any]) -> None:
    changes = entry["changes"]
    _remove_priced_names(changes)
    if entry["entity"] not in _ENTITIES_WITH_VISIBLE_CODES:
        changes.pop("code", None)
