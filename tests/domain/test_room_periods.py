"""The rooms of a patient, replayed from the events about them."""

from datetime import timedelta

from domain.interop.external_record import RoomEvent, RoomEventKind, RoomPeriod, room_periods
from tests.builders import NOON


def test_a_corrected_room_keeps_when_the_patient_moved() -> None:
    moved = RoomEvent("2", RoomEventKind.MOVED, 5, NOON)
    corrected = RoomEvent("3", RoomEventKind.CORRECTED, 6, NOON + timedelta(hours=1))
    assert room_periods(4, [corrected, moved]) == [RoomPeriod(4), RoomPeriod(6, NOON)]
