"""Report how many lines a device has not sent, and since when."""

from dataclasses import dataclass
from datetime import datetime

from application.accounts.sessions.identify import SignedIn
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.use_case import permitted
from application.status.work import Begin
from domain.common.errors import Code, NotFound
from domain.common.policy import Permission
from domain.common.validation import Validator
from domain.sheets.device_outbox import MAX_DEVICES_PER_USER, MAX_UNSENT_LINES, DeviceOutbox, is_device_id


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxDraft(Draft):
    """The number of unsent lines, and when the oldest was entered.

    They are those of the user, or of another ``user_id`` who used the same device.
    """

    count: int | None = None
    oldest_at: datetime | None = None
    user_id: int | None = None


@dataclass(frozen=True, slots=True)
class ReportOutbox:
    """Store what a device reports. A count of 0 clears the report.

    It has no patient, product or price. About another user only a device that had a session of theirs reports; of
    others nothing is stored, and the answer is the same.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn, device_id: str, draft: OutboxDraft) -> None:
        actor = signed_in.actor
        # A locked screen sends its lines, so it also reports that they are sent.
        if not is_device_id(device_id):
            raise NotFound
        now = self.clock()
        checks = Validator(draft.parse_errors)
        if draft.count is None:
            checks.add_error(Code.REQUIRED, "count")
        elif draft.count < 0:
            checks.add_error(Code.NEGATIVE, "count", value=draft.count)
        elif draft.count > 0 and draft.oldest_at is None:
            checks.add_error(Code.REQUIRED, "oldest_at")
        checks.raise_if_invalid()
        user_id = actor.user_id if draft.user_id is None else draft.user_id
        with self.begin() as work:
            if user_id != actor.user_id and not work.sessions.shares_device(signed_in.session_id, user_id):
                return
            if not draft.count or draft.oldest_at is None:
                work.device_outboxes.remove(device_id, user_id)
                return
            user = work.users.get(user_id)
            assert user is not None, "there is a session of theirs"
            work.device_outboxes.save(
                DeviceOutbox(
                    device_id=device_id,
                    user_id=user_id,
                    area_id=user.ward_area_id,
                    lines=min(draft.count, MAX_UNSENT_LINES),
                    # The clock of a device may be fast.
                    oldest_at=min(draft.oldest_at, now),
                    reported_at=now,
                )
            )
            work.device_outboxes.keep_latest(user_id, MAX_DEVICES_PER_USER)
