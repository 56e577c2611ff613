"""Unsent lines of devices, and backups, in memory."""

from dataclasses import replace
from datetime import datetime

from adapters.memory.data import MemoryData
from domain.backup import Backup
from domain.device_outbox import DeviceOutbox


class MemoryDeviceOutboxes:
    """The unsent lines that devices reported."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data
        self._outboxes = data.device_outboxes

    def save(self, outbox: DeviceOutbox) -> None:
        """Store a report, instead of an earlier one of the same."""
        key = outbox.device_id, outbox.user_id
        before = self._outboxes.get(key)
        if before is None:
            last_ids = self._data.last_ids
            last_ids["device_outboxes"] = last_ids.get("device_outboxes", 0) + 1
            self._outboxes[key] = replace(outbox, id=last_ids["device_outboxes"], version=1)
        else:
            version = before.version + outbox.needs_new_judgement(before)
            self._outboxes[key] = replace(outbox, id=before.id, version=version)

    def get(self, id: int) -> DeviceOutbox | None:
        """Return the report with this id."""
        return next((one for one in self._outboxes.values() if one.id == id), None)

    def remove(self, device_id: str, user_id: int) -> None:
        """Delete the report, if there is one."""
        self._outboxes.pop((device_id, user_id), None)

    def keep_latest(self, user_id: int, most: int) -> None:
        """Delete a user's reports but the latest ones."""
        own = [one for one in self._outboxes.values() if one.user_id == user_id]
        for one in sorted(own, key=lambda one: (one.reported_at, one.id), reverse=True)[most:]:
            self.remove(one.device_id, one.user_id)

    def purge(self, before: datetime) -> None:
        """Delete reports from before a moment."""
        for one in list(self._outboxes.values()):
            if one.reported_at < before:
                self.remove(one.device_id, one.user_id)


class MemoryBackups:
    """The backups that were made."""

    def __init__(self, data: MemoryData) -> None:
        self._backups = data.backups

    def add(self, backup: Backup) -> None:
        """Store that a backup was made."""
        self._backups.append(backup)
