"""Backups of the database."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup that was made: its time, and the size of its file in bytes."""

    made_at: datetime
    size: int
