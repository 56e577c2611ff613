"""Notices, in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from adapters.memory.data import MemoryData
from domain.notice import Notice


class MemoryNotices:
    """What others changed on users' lines, for these users."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add_all(self, notices: Sequence[Notice]) -> None:
        """Store new notices."""
        for notice in notices:
            last = self._data.last_ids["notices"] = self._data.last_ids.get("notices", 0) + 1
            self._data.notices[last] = replace(notice, id=last)

    def mark_seen(self, user_id: int, ids: Sequence[int], at: datetime) -> None:
        """Mark unseen notices of the user as seen. Others are ignored."""
        for notice in [self._data.notices[each] for each in ids if each in self._data.notices]:
            if notice.user_id == user_id and notice.seen_at is None:
                self._data.notices[notice.id] = replace(notice, seen_at=at)

    def purge(self, before: datetime) -> None:
        """Delete the notices from before that moment."""
        for notice in [notice for notice in self._data.notices.values() if notice.at < before]:
            del self._data.notices[notice.id]
