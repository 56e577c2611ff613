"""Where patients lie."""

from dataclasses import dataclass
from enum import IntEnum


class RoomStatus(IntEnum):
    """What a room is good for at this moment."""

    AVAILABLE = 1
    OCCUPIED = 2
    CLEANING = 3
    OUT_OF_SERVICE = 4


class RoomType(IntEnum):
    """For whom a room is made. It takes the same range: a new room's status is sent as its type too."""

    SINGLE = 1
    DOUBLE = 2
    SHARED = 3
    SPECIAL = 4


@dataclass(slots=True, kw_only=True)
class Room:
    """A room of an area."""

    id: int = 0
    name: str
    status: RoomStatus
    type: RoomType
    area_id: int
    # As the hospital's system calls it: 1^2^3, 1^2 or 2 of PV1-3.
    code: str | None = None
