"""Stores of entities, including the audit log and imports."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from application.common.stores import Store
from domain.billing.charges import Charge
from domain.interop.outbound_message import OutboundMessage


class Charges(Protocol):
    """Charges and credits of sheets.

    They stay when their sheet is deleted, because billing has them.
    """

    def add_all(self, charges: Sequence[Charge]) -> None: ...

    def of_sheet(self, sheet_id: int) -> list[Charge]:
        """Return all charges of a sheet, in order."""


class OutboundMessages(Store[OutboundMessage], Protocol):
    """Messages for other systems."""

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """Return the oldest message that is due, locked.

        A message is skipped if an earlier one of its sheet is unfinished, or if another transaction has locked it.
        """
