"""Complete the user's own staff profile."""

from dataclasses import dataclass, replace
from datetime import tzinfo

from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from application.people.staff import StaffDraft, staff_filled_in
from application.people.views import StaffView
from domain.common.day import day_of
from domain.common.errors import Unauthenticated
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class CompleteProfile:
    """Create or update the own staff profile.

    The first time it is linked to the user's account.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.MANAGE_OWN_PROFILE)
    def __call__(self, actor: Actor, draft: StaffDraft) -> StaffView:
        now = self.clock()
        filled_in = staff_filled_in(draft, id=0, today=day_of(now, self.zone))
        with self.begin() as work:
            # Read the user under a lock instead of trusting the actor: a form that is sent twice must create only one
            # profile.
            user = work.users.lock(actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            before = work.staff.lock(user.staff_id) if user.staff_id else None
            filled_in.id = before.id if before else 0
            if before is None:
                work.staff.add(filled_in)
                work.users.save(replace(user, staff_id=filled_in.id))
                work.audit_log.append(entry(actor, now, AuditAction.PROFILE_COMPLETED, after=filled_in))
            elif filled_in != before:
                work.staff.save(filled_in)
                work.audit_log.append(entry(actor, now, AuditAction.PROFILE_UPDATED, before=before, after=filled_in))
            view = work.views.staff.one(filled_in.id)
        assert view is not None, "it was saved just now"
        return view
