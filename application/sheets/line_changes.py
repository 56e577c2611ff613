"""Note changes of lines in the audit log and among the changes of a month."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from application.audit.audit_log import entry
from application.common.entities import AuditAction
from application.sheets.work import UnitOfWork
from domain.common.policy import Actor
from domain.sheets.month_change import LineChange, MonthChangeKind, month_changes_of

_KINDS = {
    AuditAction.DETAIL_ADDED: MonthChangeKind.RECORDED,
    AuditAction.DETAIL_EDITED: MonthChangeKind.EDITED,
    AuditAction.DETAIL_VOIDED: MonthChangeKind.VOIDED,
    AuditAction.DETAIL_RETURNED: MonthChangeKind.RETURNED,
    AuditAction.DETAIL_MOVED_HERE: MonthChangeKind.MOVED,
    AuditAction.DETAIL_WASTED: MonthChangeKind.WASTED,
    AuditAction.DETAIL_WASTE_UNDONE: MonthChangeKind.WASTED,
    AuditAction.DETAIL_DELETED: MonthChangeKind.DELETED,
}


def note_line_changes(
    work: UnitOfWork,
    actor: Actor,
    at: datetime,
    today: date,
    action: AuditAction,
    changes: Sequence[LineChange],
    *,
    kind: MonthChangeKind | None = None,
    audited_as: Actor | None = None,
    notes: Mapping[str, str] | None = None,
) -> None:
    """Note changes of stored lines.

    ``today`` is the hospital's day. ``kind`` is needed if the action alone does not say it. ``audited_as`` is who made
    the change for the actor.
    """
    work.month_changes.add_all(month_changes_of(changes, kind or _KINDS[action], by=actor, at=at, today=today))
    for change in changes:
        # The entry of a voided line tells what it was.
        after = None if action is AuditAction.DETAIL_VOIDED else change.after
        work.audit_log.append(
            entry(audited_as or actor, at, action, before=change.before, after=after, **(notes or {}))
        )
