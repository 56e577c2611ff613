"""Choose the area in which the user works, or the whole hospital."""

from dataclasses import dataclass, replace

from application.accounts.views import OwnWardView
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.redaction import redact_for
from application.common.use_case import permitted
from domain.common.errors import Code, Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWardDraft(Draft):
    """The form for one's own ward. Without an area it is the whole hospital."""

    area_id: int | None = None


@dataclass(frozen=True, slots=True)
class ChooseOwnWard:
    """Store in which area the user works, or that it is the whole hospital."""

    begin: Begin
    clock: Clock

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, actor: Actor, draft: OwnWardDraft) -> OwnWardView:
        checks = Validator(draft.parse_errors)
        # The whole hospital is an area of null, which has to be sent: an empty form chooses nothing.
        if draft.sent_fields is not None and "area_id" not in draft.sent_fields:
            checks.add_error(Code.REQUIRED, "area_id")
        with self.begin() as work:
            if draft.area_id is not None and work.areas.get(draft.area_id) is None:
                checks.add_error(Code.REFERENCE_UNKNOWN, "area_id")
            checks.raise_if_invalid()
            before = work.users.lock(actor.user_id)
            if before is None or before.deleted:
                raise Unauthenticated
            user = replace(before, ward_area_id=draft.area_id, whole_hospital=draft.area_id is None)
            if user != before:
                work.users.save(user)
                action = AuditAction.USER_ACCOUNT_CHANGED
                work.audit_log.append(entry(actor, self.clock(), action, before=before, after=user))
            ward = work.views.own_ward(user.id)
        assert ward is not None, "it was chosen just now"
        return redact_for(actor, ward, OwnWardView)
