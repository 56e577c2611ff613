"""Charges and the messages about them, in memory."""

from collections.abc import Sequence
from copy import copy
from datetime import datetime

from adapters.memory.data import MemoryData
from application.views.sheets import ChargingView
from domain.charges import Charge
from domain.interop.outbound_message import OutboundMessage, OutboundState


class MemoryCharges:
    """Charges and credits of sheets."""

    def __init__(self, data: MemoryData) -> None:
        self._charges = data.charges

    def add_all(self, charges: Sequence[Charge]) -> None:
        for charge in charges:
            if any(one.transaction_id == charge.transaction_id for one in self._charges.values()):
                raise AssertionError(f"{charge.transaction_id} was told already")
            kept = copy(charge)
            kept.id = max(self._charges, default=0) + 1
            self._charges[kept.id] = kept

    def of_sheet(self, sheet_id: int) -> list[Charge]:
        """List the sheet's charges in order."""
        return [copy(charge) for charge in self._charges.values() if charge.sheet_id == sheet_id]


def claim_due(data: MemoryData, at: datetime) -> OutboundMessage | None:
    """Return the oldest due message without an unfinished predecessor.

    A predecessor is an earlier message of the same sheet.
    """
    for message in sorted(_undelivered(data), key=lambda one: one.id):
        first = min(one.id for one in _undelivered(data) if one.sheet_id == message.sheet_id)
        if message.state is OutboundState.WAITING and message.next_try_at <= at and message.id == first:
            return copy(message)
    return None


def charging_of(data: MemoryData, sheet_id: int) -> ChargingView | None:
    """Return the billing status of that sheet."""
    messages: list[OutboundMessage] = [one for one in data.outbound_messages.values() if one.sheet_id == sheet_id]
    if not messages:
        return None
    states = {one.state for one in messages}
    state = next(one for one in (OutboundState.DEAD, OutboundState.WAITING, OutboundState.SENT) if one in states)
    at = max(one.sent_at for one in messages if one.sent_at) if state is OutboundState.SENT else None
    return ChargingView(state=state, at=at)


def _undelivered(data: MemoryData) -> list[OutboundMessage]:
    return [one for one in data.outbound_messages.values() if one.state is not OutboundState.SENT]
