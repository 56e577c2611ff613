"""Sign out."""

from dataclasses import dataclass

from application.audit_log import Changes, entry_by_id
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.session.identify import SignedIn
from domain.policy import Permission


@dataclass(frozen=True, slots=True)
class SignOut:
    """Sign out: the session ends, and its token is dead at once."""

    begin: Begin
    clock: Clock

    def __call__(self, signed_in: SignedIn, address: str = "", client: str = "") -> None:
        """``address`` and ``client`` (a browser's name of itself) are noted in the audit log."""
        actor = signed_in.actor
        actor.must(Permission.EDIT_OWN_ACCOUNT)  # a key is revoked
        changes: Changes = {"address": (None, address), "client": (None, client)}
        with self.begin() as work:
            work.sessions.end(signed_in.session_id)
            work.audit_log.append(
                entry_by_id(actor, self.clock(), AuditAction.SIGNED_OUT, actor.user_id, changes),
            )
