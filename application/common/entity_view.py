"""Views of entities that are loaded already: the fields of the same name are copied."""

from collections.abc import Callable, Collection
from dataclasses import fields
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast, get_type_hints

View = TypeVar("View", bound=Any)


class EntityView(Generic[View]):
    """A view and its entity.

    ``computed`` are the fields that are given with each entity, ``omitted`` those that these views do not have. Any
    other field that the entity lacks is an error when the program starts.
    """

    def __init__(self, view: type[View], entity: type, *computed: str, omitted: Collection[str] = ()) -> None:
        hints, own = get_type_hints(view), {field.name for field in fields(entity)}
        unknown = {*computed, *omitted} - hints.keys()
        copied = [name for name in hints if name not in computed and name not in omitted]
        missing = {*copied} - own
        if missing or unknown:
            raise TypeError(f"{view.__name__}: fields without a value {sorted(missing)}, unknown {sorted(unknown)}")
        # In the order of the view.
        self._names = {name: None for name in hints if name not in omitted}
        self._copied = copied
        self._computed = {*computed}
        self._read: Callable[[Any], Any] = attrgetter(*copied)

    def of(self, entity: Any, **computed: Any) -> View:
        """Return the view of an entity."""
        assert computed.keys() == self._computed, computed.keys() ^ self._computed
        view = {**self._names, **dict(zip(self._copied, self._read(entity), strict=True)), **computed}
        return cast("View", view)
