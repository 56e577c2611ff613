"""Unlink a user from the hospital's own account (OIDC)."""

from dataclasses import dataclass

from application.accounts.sign_in.finish_oidc_sign_in import end_oidc_sessions
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class UnlinkOidc:
    """Remove the link of another user's account to the identity provider.

    Sessions that began there end. Of an account without a link nothing changes.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_USERS)
    def __call__(self, actor: Actor, user_id: int, address: str = "", client: str = "") -> None:
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(user_id)
            if user is None or user.deleted:
                raise NotFound
            user.ensure_managed_by(actor)
            if not user.is_linked:
                return
            user.unlink()
            work.users.save(user)
            end_oidc_sessions(work, user, now, address=address, client=client)
            work.audit_log.append(entry(actor, now, AuditAction.USER_OIDC_UNLINKED, before=user, after=user))
