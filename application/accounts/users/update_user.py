"""Update a user."""

from dataclasses import dataclass, replace

from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.draft import UserDraft, check_email, check_role
from application.accounts.users.notifications import emails_about_change
from application.accounts.users.save_account import save_account
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer
from application.common.use_case import retried
from domain.accounts.user import User
from domain.common.errors import Code, NotFound
from domain.common.policy import Actor, Role
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class UpdateUser:
    """Change another user's email, role or staff profile.

    ``save_account`` says what ends with a new role or email. The old address gets a notice of a new email.
    """

    begin: Begin
    clock: Clock
    mailer: Mailer
    assign_profile: AssignProfile

    @retried
    def __call__(self, actor: Actor, user_id: int, draft: UserDraft, language: str = "es") -> User:
        actor.must_reach_account(user_id)
        checks = Validator(draft.parse_errors)
        now = self.clock()
        with self.begin() as work:
            user, administrators = work.users.lock_with_administrators(user_id)
            if user is None or user.deleted:
                raise NotFound
            user.ensure_managed_by(actor)
            before = replace(user)
            user.email = check_email(work, checks, draft.email, id=user.id)
            user.email_is_own_choice = False
            role = check_role(checks, actor, draft.role)
            self.assign_profile.within(work, checks, user, draft.staff_id, by=actor)
            if role is not Role.ADMIN and [one.id for one in administrators] == [user.id]:
                checks.add_error(Code.LAST_ADMINISTRATOR, "role")
            checks.raise_if_invalid()
            user.change_role(role, by=actor)
            if user != before:
                save_account(work, actor, before, user, now)
                work.audit_log.append(entry(actor, now, AuditAction.USER_UPDATED, before=before, after=user))
        for message in emails_about_change(before, user, now, language):
            self.mailer.send(message)
        return user
