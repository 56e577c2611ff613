"""Store areas in memory."""

from dataclasses import replace

from adapters.memory.repositories.repository import MemoryRepository
from domain.area import Area


class MemoryAreas(MemoryRepository[Area]):
    """Areas."""

    def remove(self, entity: Area) -> None:
        """Delete an unused area. Its users are asked again where they work."""
        super().remove(entity)
        for user in self._data.users.values():
            if user.ward_area_id == entity.id:
                self._data.users[user.id] = replace(user, ward_area_id=None)
