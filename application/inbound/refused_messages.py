"""List refused messages, so that users see what has to be corrected."""

from dataclasses import dataclass

from application.common.clock import Clock
from application.common.use_case import permitted
from application.inbound.work import Begin
from domain.common.errors import Reason
from domain.common.policy import Actor, Permission
from domain.interop.inbound_message import InboundMessage, InboundState

# No more refused messages than this are listed until the older ones are purged.
MAX_REFUSED_LISTED = 10_000
# Refused messages have a digest of their own: the same text may be accepted later.
_DIGEST_MARK = "refused:"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedMessage:
    """What is known of a refused message.

    Its text is not kept, because it cannot be trusted.
    """

    source: str
    control_id: str
    kind: str
    digest: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class NoteRefusedMessage:
    """List a refused message; one that is sent again is counted."""

    begin: Begin
    clock: Clock

    @permitted(Permission.OPEN_SHEETS)
    def __call__(self, actor: Actor, refused: RefusedMessage) -> None:
        now = self.clock()
        digest = _DIGEST_MARK + refused.digest
        with self.begin() as work:
            known = work.inbound_messages.find("control_id", (refused.source, refused.control_id, digest))
            if known is not None:
                known.tries += 1
                known.received_at = now
                work.inbound_messages.save(known)
                return
            if work.inbound_messages.refused() >= MAX_REFUSED_LISTED:
                return
            work.inbound_messages.add(
                InboundMessage(
                    source=refused.source,
                    control_id=refused.control_id,
                    digest=digest,
                    kind=refused.kind,
                    event_at=now,
                    received_at=now,
                    user_id=actor.user_id,
                    body=None,
                    state=InboundState.REFUSED,
                    reason=refused.reason,
                )
            )
