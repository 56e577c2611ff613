"""Many things at a time, for imports: as few statements as can be, whatever the number."""

from collections.abc import Collection, Hashable, Sequence
from typing import Protocol, TypeVar

Entity = TypeVar("Entity")


class BulkStore(Protocol[Entity]):
    """Keeps entities of one kind, many at a time."""

    def having(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """All whose ``key`` is one of these, by id; ``locked``: nobody else changes them until this unit of work ends.

        A key is ``id`` or one of those in ``application.entities``.
        """

    def used(self, ids: Collection[int]) -> set[int]:
        """Which of them others refer to."""

    def reserve(self, count: int) -> Sequence[int]:
        """Ids that nothing else will ever have."""

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Keep new ones, whose ids were reserved."""

    def save_all(self, entities: Sequence[Entity]) -> None: ...

    def remove_all(self, ids: Collection[int]) -> None: ...
