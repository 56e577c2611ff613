"""Sign out."""

from dataclasses import dataclass

from application.accounts.sessions.identify import SignedIn
from application.accounts.work import Begin
from application.audit.audit_log import Changes, entry_by_id
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.use_case import permitted
from domain.common.policy import Permission


@dataclass(frozen=True, slots=True)
class SignOut:
    """End the session. Its token becomes invalid immediately."""

    begin: Begin
    clock: Clock

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn, address: str = "", client: str = "") -> None:
        """End the session, logging ``address`` and ``client`` (the user agent)."""
        actor = signed_in.actor
        changes: Changes = {"address": (None, address), "client": (None, client)}
        with self.begin() as work:
            work.sessions.revoke(signed_in.session_id)
            work.audit_log.append(
                entry_by_id(actor, self.clock(), AuditAction.SIGNED_OUT, actor.user_id, changes),
            )
