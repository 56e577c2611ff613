"""An import that was kept."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True, kw_only=True)
class Import:
    """Which file was brought in, by whom and when, how many rows did what, and whether it was undone.

    ``digest`` is that of its content, by which the very same file is known again.
    """

    id: int = 0
    noun: str
    file_name: str
    user_id: int
    at: datetime
    created: int
    changed: int
    unchanged: int
    refused: int
    digest: str = ""
    undone_at: datetime | None = None
    undone_by: int | None = None
