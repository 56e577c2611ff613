"""Stores of entities, including the audit log and imports."""

from datetime import datetime
from typing import NamedTuple, Protocol

from application.common.stores import Store
from domain.common.errors import Code
from domain.interop.inbound_message import InboundMessage


class NumberAuthorities(Protocol):
    """The authorities that assigned the record numbers in messages."""

    def patients_by_authority(self, number: str) -> dict[str, int]:
        """Return the patient whom the number means, for each authority."""

    def set_patient(self, number: str, authority: str, patient_id: int) -> None: ...


class Unblocked(NamedTuple):
    """New data for which held messages may wait.

    It has visit numbers, record numbers, and locations with their source.
    """

    visit_numbers: frozenset[str] = frozenset()
    record_numbers: frozenset[str] = frozenset()
    locations: frozenset[tuple[str, str]] = frozenset()


class InboundMessages(Store[InboundMessage], Protocol):
    """Inbound messages, unique by source, control id and digest."""

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """Return messages that may wait for this data, by event time.

        A message whose patient class is not taken waits for its visit alone.
        """

    def waiting_reasons(self, visit_number: str, *, besides: int) -> set[tuple[Code, str]]:
        """Return why messages of a visit wait, with their kinds, except one."""

    def refused(self) -> int:
        """Return the number of refused messages."""

    def purge(self, before: datetime) -> None:
        """Delete old texts and old refused messages.

        Those from before that moment are old. Held messages keep their texts. Messages without a text no
        longer wait for data.
        """


class RoomMappings(Protocol):
    """Rooms for the codes of other systems, as set by administrators."""

    def room(self, system: str, code: str) -> int | None:
        """Return the id of the room."""

    def set_room(self, system: str, code: str, room_id: int) -> None: ...


class ReceiverSettings(Protocol):
    """Digest of the settings by which the receiver parses messages."""

    def digest(self) -> str | None:
        """Return the digest; None if the receiver never ran."""

    def set_digest(self, digest: str) -> None: ...
