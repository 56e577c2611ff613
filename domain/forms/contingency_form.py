"""Contingency forms: paper on which consumption is noted while the system is down.

Each form has a number. What is noted on it is recorded once, by the number and not by the user who records it.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor


class FormState(StrEnum):
    """The state of a contingency form."""

    # Printed in advance, every night. Most of these forms are never used.
    STANDBY = "standby"
    # Printed on request, and expected back.
    OPEN = "open"
    RECORDED = "recorded"
    DISCARDED = "discarded"


@dataclass(slots=True, kw_only=True)
class ContingencyForm:
    """A printed form. Its ``id`` is the number on the paper.

    * ``sheet_id`` is the sheet for whose patient it was printed, None on a blank form. The sheet may be deleted since.
    * ``products`` are the ids of the printed products.
    * ``recorded_sheet_id`` is the sheet on which it was recorded. ``late_entry_id`` is the late entry that it became if
      that sheet was closed.
    * ``reason`` is why it was discarded. ``decided_at`` is when it was recorded or discarded.
    """

    id: int = 0
    sheet_id: int | None
    area_id: int | None
    printed_at: datetime
    printed_by: int
    products: tuple[int, ...] = ()
    state: FormState = FormState.OPEN
    decided_at: datetime | None = None
    decided_by: int | None = None
    recorded_sheet_id: int | None = None
    late_entry_id: int | None = None
    reason: str | None = None

    @property
    def number(self) -> int:
        """The number on the paper."""
        return self.id

    @property
    def pending(self) -> bool:
        """Whether it can still be recorded or discarded."""
        return self.state in (FormState.STANDBY, FormState.OPEN)

    def ensure_pending(self, by: str | None = None) -> None:
        """Raise ``Refused`` if the form was recorded or discarded.

        ``by`` is the name of the user who did that.
        """
        if self.pending:
            return
        code = Code.FORM_RECORDED if self.state is FormState.RECORDED else Code.FORM_DISCARDED
        quoted: dict[str, object] = {"number": self.id, "by": by or "—", "at": self.decided_at}
        if self.recorded_sheet_id is not None:
            quoted["sheet_id"] = self.recorded_sheet_id
        raise Refused(Reason(code, params=quoted))

    def record(self, sheet_id: int, *, by: Actor, at: datetime, late_entry_id: int | None = None) -> None:
        """Store on which sheet the form was recorded."""
        self._decide(FormState.RECORDED, by, at)
        self.recorded_sheet_id, self.late_entry_id = sheet_id, late_entry_id

    def discard(self, reason: str, *, by: Actor, at: datetime) -> None:
        """Decide that the form is never recorded."""
        self._decide(FormState.DISCARDED, by, at)
        self.reason = reason

    def _decide(self, state: FormState, by: Actor, at: datetime) -> None:
        self.ensure_pending()
        self.state, self.decided_by, self.decided_at = state, by.user_id, at


def form_entry_digest(installation: int, number: int, place: int) -> bytes:
    """Return the digest of a line of a form, which the store holds once.

    It does not depend on the user, so two users cannot record the same form.
    """
    return hashlib.sha256(f"form:{installation}:{number}:{place}".encode()).digest()[:16]
