"""Notices: tell users what others changed on the lines that they recorded."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from application.audit.access_log import AccessLog
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from application.sheets.notice_views import NoticesView
from application.sheets.several_details import MAX_BATCH_SIZE, validate_selection
from application.sheets.work import Begin, Read, UnitOfWork
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator
from domain.sheets.detail import Detail
from domain.sheets.notice import notice_of_change

MAX_NOTICES = 100


def add_notices(work: UnitOfWork, actor: Actor, at: datetime, changes: Iterable[tuple[Detail, Detail]]) -> None:
    """Store the notices of changes to lines, given as before and after.

    There is none for the actor's own lines. A new line needs its id.
    """
    found = [notice_of_change(before, after, by=actor, at=at) for before, after in changes]
    work.notices.add_all([notice for notice in found if notice])


@dataclass(frozen=True, slots=True)
class ListNotices:
    """List the caller's unseen notices."""

    read: Read
    access_log: AccessLog

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor) -> NoticesView:
        with self.read() as views:
            found = views.shift.unseen_notices(actor.user_id, most=MAX_NOTICES + 1)
        if found:
            self.access_log.note_list_read(actor, AuditAction.NOTICES_LISTED)
        view = NoticesView(items=found[:MAX_NOTICES], more=len(found) > MAX_NOTICES)
        return redact_for(actor, view, NoticesView)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDraft(Draft):
    """The ids of the notices that the caller has seen."""

    ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class MarkNoticesSeen:
    """Mark the caller's own notices as seen.

    Those of others, seen ones and deleted ones are ignored, so that a request may be repeated.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.READ_SHEETS)
    def __call__(self, actor: Actor, draft: SeenDraft) -> None:
        checks = Validator(draft.parse_errors)
        ids = validate_selection(checks, draft.ids, "ids", most=MAX_BATCH_SIZE)
        checks.raise_if_invalid()
        with self.begin() as work:
            work.notices.mark_seen(actor.user_id, ids, self.clock())
