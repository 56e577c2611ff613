"""Stores of entities."""

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol, TypeVar

Entity = TypeVar("Entity")


class BulkStore(Protocol[Entity]):
    """Stores entities of one kind, many at a time."""

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """Return all entities whose ``key`` has one of these values, by id.

        A key is ``id`` or one of those in ``application.common.entities``. ``locked`` locks them until this unit of
        work ends.
        """

    def referenced_ids(self, ids: Collection[int]) -> set[int]:
        """Return which of these ids are referred to by other entities."""

    def reserve(self, count: int) -> Sequence[int]:
        """Return ids that no other entity will ever have."""

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Store new entities, whose ids were reserved."""

    def save_all(self, entities: Sequence[Entity]) -> None: ...

    def remove_all(self, ids: Collection[int]) -> None: ...


class Store(BulkStore[Entity], Protocol):
    """Stores entities of one kind.

    It returns copies: a change takes effect only when it is saved.
    """

    def get(self, id: int) -> Entity | None: ...

    def lock(self, id: int) -> Entity | None:
        """Return the entity, locked until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with that unique key of its kind."""

    def add(self, entity: Entity) -> None:
        """Store a new entity and set its ``id``."""

    def save(self, entity: Entity) -> None: ...

    def remove(self, entity: Entity) -> None:
        """Delete the entity. Raise ``Refused`` (in_use) if others refer to it."""

    def reference_count(self, id: int) -> int:
        """Return how many other entities refer to it."""
