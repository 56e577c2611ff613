"""Settings by which messages are parsed: the same in every process.

The receiver parses a message when it arrives, and the server again when a user decides about a held one.
"""

from dataclasses import dataclass

from application.common.use_case import retried
from application.inbound.work import Begin


@dataclass(frozen=True, slots=True)
class RecordReceiverSettings:
    """Record the digest of the receiver's settings at its start.

    Return whether it had others before. Only the receiver uses this, so there is no permission check.
    """

    begin: Begin

    @retried
    def __call__(self, digest: str) -> bool:
        with self.begin() as work:
            before = work.receiver_settings.digest()
            if before != digest:
                work.receiver_settings.set_digest(digest)
        return before not in (None, digest)


@dataclass(frozen=True, slots=True)
class CheckReceiverSettings:
    """Return whether the receiver has settings with this digest.

    If it never ran, nothing differs. Only the server uses this, so there is no permission check.
    """

    begin_read_only: Begin

    @retried
    def __call__(self, digest: str) -> bool:
        with self.begin_read_only() as work:
            return work.receiver_settings.digest() in (None, digest)
