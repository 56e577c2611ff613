"""Delete a user."""

from dataclasses import dataclass, replace

from application.accounts.users.save_account import close_account
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.catalogue.kits import retire_kit
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class DeleteUser:
    """Delete another user's account.

    Its sessions end immediately, and its passkeys and own kits are deleted. What the user recorded keeps the name.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, actor: Actor, user_id: int) -> None:
        with self.begin() as work:
            user, administrators = work.users.lock_with_administrators(user_id)
            if user is None or user.deleted:
                raise NotFound
            before = replace(user)
            user.delete(by=actor)
            if [one.id for one in administrators] == [user.id]:
                raise Refused(Reason(Code.LAST_ADMINISTRATOR))
            work.users.save(user)
            close_account(work, user.id)
            for kit in work.kits.owned_by(user.id):
                retire_kit(work, kit)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.USER_DELETED, before=before, after=user))
