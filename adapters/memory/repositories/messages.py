"""Store messages from and to other systems, in memory."""

from dataclasses import replace
from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.repositories.charging import claim_due
from adapters.memory.repositories.repository import MemoryRepository
from application.entities import INBOUND_MESSAGE, OUTBOUND_MESSAGE
from application.ports.stores import Unblocked
from domain.errors import Code
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.interop.outbound_message import OutboundMessage


class MemoryOutboundMessages(MemoryRepository[OutboundMessage]):
    """Messages to other systems."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, OUTBOUND_MESSAGE)

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """Return the oldest due message without an unfinished predecessor.

        A predecessor is an earlier message of the same sheet.
        """
        return claim_due(self._data, at)


class MemoryInboundMessages(MemoryRepository[InboundMessage]):
    """Inbound messages."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, INBOUND_MESSAGE)

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """List held messages that may have waited for that, by event time."""
        numbers = came.record_numbers
        found = self.all(
            lambda one: (
                one.waiting
                and (
                    one.visit_number in came.visit_numbers
                    or (
                        not (one.reason and one.reason.code is Code.UNSUPPORTED_PATIENT_CLASS)
                        and (
                            one.record_number in numbers
                            or one.prior_number in numbers
                            or (one.source, one.location) in came.locations
                        )
                    )
                )
            )
        )
        return sorted(found, key=lambda one: (one.event_at, one.id))

    def waiting_reasons(self, visit_number: str, *, besides: int) -> set[tuple[Code, str]]:
        """Return why messages of a visit wait, with their kinds, except one."""
        found = self.all(lambda one: one.waiting and one.visit_number == visit_number and one.id != besides)
        return {(one.reason.code, one.kind) for one in found if one.reason}

    def refused(self) -> int:
        """Return the number of refused messages."""
        return len(self.all(lambda one: one.state is InboundState.REFUSED))

    def purge(self, before: datetime) -> None:
        """Delete old bodies and old refused messages.

        Those received before that time are old. Held messages stay.
        """
        for one in self.all(lambda one: one.received_at < before and one.state is not InboundState.HELD):
            if one.state is InboundState.REFUSED:
                self.remove(one)
            else:
                self.save(replace(one, body=None, waiting=False))


class MemoryReceiverSettings:
    """Digest of the receiver's settings."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def digest(self) -> str | None:
        """Return the digest; None if the receiver never ran."""
        return self._data.receiver_settings.get("digest")

    def set_digest(self, digest: str) -> None:
        self._data.receiver_settings["digest"] = digest


class MemoryRoomMappings:
    """Rooms by the codes of other systems."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def room(self, system: str, code: str) -> int | None:
        """Return the id of the room if it exists."""
        room_id = self._data.room_mappings.get((system, code))
        return room_id if room_id in self._data.rooms else None

    def set_room(self, system: str, code: str, room_id: int) -> None:
        self._data.room_mappings[system, code] = room_id
