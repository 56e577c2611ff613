"""Badges that a scanner reads: they name a person."""

from dataclasses import dataclass, field
from datetime import datetime

MIN_BADGE_LENGTH = 6
MAX_BADGE_LENGTH = 100
MAX_BADGE_NAME_LENGTH = 60
MAX_BADGES = 3


@dataclass(slots=True, kw_only=True)
class Badge:
    """A badge of a user.

    Only a keyed digest of its text is stored. ``made_by`` is the user who added it.
    """

    id: int = 0
    user_id: int
    digest: str = field(repr=False)
    name: str | None = None
    made_by: int
    made_at: datetime
    used_at: datetime | None = None
