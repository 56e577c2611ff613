"""Store entities of one kind in memory."""

from collections.abc import Callable, Collection, Hashable, Sequence
from copy import copy
from dataclasses import replace
from operator import attrgetter
from typing import Any, Generic, TypeVar

from adapters.memory.data import MemoryData
from application.entities import AREA, KIT, PATIENT, PRODUCT, PRODUCT_CODE, ROOM, EntityKind
from domain.errors import Code, Reason, Refused

Entity = TypeVar("Entity", bound=Any)


class MemoryRepository(Generic[Entity]):
    """Stores entities of one kind."""

    def __init__(self, data: MemoryData, kind: EntityKind) -> None:
        self._data = data
        self._kind = kind
        self._items: dict[int, Entity] = kind.store_of(data)
        self._last_ids = data.last_ids

    def get(self, id: int) -> Entity | None:
        found = self._items.get(id)
        return None if found is None else copy(found)

    def lock(self, id: int) -> Entity | None:
        """Return the entity. No lock is needed: units of work run one at a time."""
        return self.get(id)

    def add(self, entity: Entity) -> None:
        """Store a new entity under an id that was never used."""
        entity.id = self._last_ids[self._kind.store] = self._last_ids.get(self._kind.store, 0) + 1
        self.save(entity)

    def save(self, entity: Entity) -> None:
        """Store the changes. Raise if a unique key is taken."""
        for field_name in self._kind.unique:
            key = self._kind.keys[field_name]
            mine = key(entity)
            if mine is not None and any(key(other) == mine for other in self._items.values() if other.id != entity.id):
                if field_name == "staff_id":
                    raise Refused(Reason(Code.PROFILE_TAKEN, field_name))
                what, value = f"{self._kind.store}.{field_name}", getattr(entity, field_name)
                raise Refused(Reason(Code.TAKEN, field_name, {"what": what, "value": value}))
        before = self._items.get(entity.id)
        self._items[entity.id] = copy(entity)
        self._change(before, entity)

    def remove(self, entity: Entity) -> None:
        """Delete an unused entity permanently."""
        uses = self.reference_count(entity.id)
        if uses:
            raise Refused(Reason(Code.IN_USE, params={"count": uses}))
        del self._items[entity.id]
        self._change(entity, None)

    def reference_count(self, id: int) -> int:
        """Count the references from other records."""
        kept = self._data
        lines = {(kit.id, line.product_id): line for kit in kept.kits.values() for line in kit.lines}
        things = (kept.rooms, kept.products, kept.recalls, kept.sheets, kept.details, kept.users, kept.unlisted_items)
        others = (*things, kept.set_aside, kept.kits, lines, kept.restock_lists)
        uses: int = sum(getattr(item, self._kind.reference, None) == id for items in others for item in items.values())
        merged: int = sum(one.merged_into == id for one in kept.patients.values()) if self._kind is PATIENT else 0
        left = [one for one in kept.transfers.values() if self._kind is ROOM and one.left_room_id == id]
        return uses + merged + len(left)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """List the entities whose key is one of these values, by id."""
        del locked  # units of work run one at a time
        key_of = self._kind.keys[key] if key != "id" else attrgetter("id")
        return sorted(self.all(lambda item: key_of(item) in values), key=lambda item: item.id)

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with that natural key."""
        return self.first(lambda item: self._kind.keys[key](item) == value)

    def referenced_ids(self, ids: Collection[int]) -> set[int]:
        """Return the ids that other records refer to."""
        return {one for one in ids if self.reference_count(one)}

    def reserve(self, count: int) -> Sequence[int]:
        """Reserve ids that are never used again."""
        last = self._last_ids.get(self._kind.store, 0)
        self._last_ids[self._kind.store] = last + count
        return range(last + 1, last + count + 1)

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Store new entities with reserved ids."""
        self.save_all(entities)

    def save_all(self, entities: Sequence[Entity]) -> None:
        """Store the changes of several entities."""
        for entity in entities:
            self.save(entity)

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete several entities permanently."""
        for entity in self.find_many("id", ids):
            self.remove(entity)

    def _change(self, before: Entity | None, after: Entity | None) -> None:
        """Increase the version of data that devices copy; prices do not count."""
        if self._kind is PRODUCT and before and after:
            before = replace(before, price=after.price, category_id=after.category_id)
        if self._kind in (AREA, PRODUCT, PRODUCT_CODE, KIT) and before != after:
            self._data.change_catalogue()

    def first(self, matches: Callable[[Entity], bool]) -> Entity | None:
        return next((copy(item) for item in self._items.values() if matches(item)), None)

    def all(self, matches: Callable[[Entity], bool]) -> list[Entity]:
        """List the entities that match, oldest first."""
        return [copy(item) for item in self._items.values() if matches(item)]
