"""Stores of entities, including the audit log and imports."""

from datetime import datetime
from typing import Protocol

from domain.sheets.device_outbox import DeviceOutbox
from domain.status.backup import Backup


class DeviceOutboxes(Protocol):
    """The unsent lines that devices reported, by device and user."""

    def save(self, outbox: DeviceOutbox) -> None:
        """Store a report, instead of an earlier one of the same."""

    def get(self, id: int) -> DeviceOutbox | None: ...

    def remove(self, device_id: str, user_id: int) -> None:
        """Delete the report, if there is one."""

    def keep_latest(self, user_id: int, most: int) -> None:
        """Delete a user's reports but the latest ones."""

    def purge(self, before: datetime) -> None:
        """Delete reports from before a moment."""


class Backups(Protocol):
    """The backups that were made."""

    def add(self, backup: Backup) -> None:
        """Store that a backup was made."""
