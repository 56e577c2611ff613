"""An import that was kept."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True, kw_only=True)
class Import:
    """Which file was brought in, by whom and when, how many rows did what, and whether it was undone."""

    id: int = 0
    noun: str
    file_name: str
    user_id: int
    at: datetime
    created: int
    changed: int
    unchanged: int
    refused: int
    undone_at: datetime | None = None
    undone_by: int | None = None
