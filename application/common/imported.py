"""A stored import."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True, kw_only=True)
class Import:
    """An import: the file, the counts of rows by result, and its undoing.

    ``digest`` is the digest of the content, by which the same file is recognized.
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
