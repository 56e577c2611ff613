"""Delete a user."""

from dataclasses import dataclass, replace

from application.audit.audit_log import entry
from application.catalogue.kits import retire_kit
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.session.forget_quick_unlock import forget_quick_unlock
from domain.errors import Code, NotFound, Reason, Refused
from domain.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class DeleteUser:
    """Delete another user's account.

    Its sessions end immediately, and its passkeys and own kits are deleted. What the user recorded keeps the name.
    """

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, user_id: int) -> None:
        actor.require(Permission.MANAGE_USERS)
        with self.begin() as work:
            user, administrators = work.users.lock_with_administrators(user_id)
            if user is None or user.deleted:
                raise NotFound
            before = replace(user)
            user.delete(by=actor)
            if [one.id for one in administrators] == [user.id]:
                raise Refused(Reason(Code.LAST_ADMINISTRATOR))
            work.users.save(user)
            work.sessions.revoke_all(user.id)
            forget_quick_unlock(work, user.id, badges=True)
            work.password_links.revoke_all(user.id)
            work.passkeys.remove_all(user.id)
            work.passkey_secrets.revoke_all(user.id)
            for kit in work.kits.owned_by(user.id):
                retire_kit(work, kit)
            work.audit_log.append(entry(actor, self.clock(), AuditAction.USER_DELETED, before=before, after=user))
