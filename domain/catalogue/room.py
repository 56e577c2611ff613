"""Rooms of patients."""

from dataclasses import dataclass
from enum import IntEnum


class RoomStatus(IntEnum):
    """The current state of a room."""

    AVAILABLE = 1
    OCCUPIED = 2
    CLEANING = 3
    OUT_OF_SERVICE = 4


class RoomType(IntEnum):
    """How many patients a room is made for.

    It uses the same range of numbers as ``RoomStatus``: a new room's status is sent as its type too.
    """

    SINGLE = 1
    DOUBLE = 2
    SHARED = 3
    SPECIAL = 4


@dataclass(slots=True, kw_only=True)
class Room:
    """A room in an area."""

    id: int = 0
    name: str
    status: RoomStatus
    type: RoomType
    area_id: int
    # The code of the room in the hospital's system: 1^2^3, 1^2 or 2 of PV1-3.
    code: str | None = None
