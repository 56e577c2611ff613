"""Read a user's own shift, and the notices for the user."""

from datetime import datetime
from typing import Protocol

from application.sheets.notice_views import NoticeView
from application.ward.shift_views import ShiftSheetView, ShiftUnlistedItemView

# How far back a shift is read, in lines of the user. The cost of the query does not grow with the data.
LINES_OF_USER = 2_000


class ShiftReader(Protocol):
    """Reads what a user recorded, and what others changed on it."""

    def recorded(self, user_id: int, since: datetime, until: datetime) -> list[ShiftSheetView]:
        """Return the sheets on which the user recorded lines in a period.

        Only the last ``LINES_OF_USER`` lines of the user are read. A line that another user corrected was recorded
        when it was used, not when it was corrected.
        """

    def unlisted_items(self, user_id: int, *, most: int) -> list[ShiftUnlistedItemView]:
        """Return the open unlisted items that the user noted, the latest first."""

    def unseen_notices(self, user_id: int, *, most: int) -> list[NoticeView]:
        """Return the user's unseen notices, the latest first."""

    def notices_between(self, user_id: int, since: datetime, until: datetime, *, most: int) -> list[NoticeView]:
        """Return the user's notices of a period, the latest first."""
