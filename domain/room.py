"""Where patients lie."""

from dataclasses import dataclass
from enum import IntEnum


class RoomStatus(IntEnum):
    """What a room is good for at this moment (contract, section 4); its type takes the same range."""

    AVAILABLE = 1
    OCCUPIED = 2
    CLEANING = 3
    OUT_OF_SERVICE = 4


@dataclass(slots=True, kw_only=True)
class Room:
    """A room of an area."""

    id: int = 0
    name: str
    status: RoomStatus
    type: RoomStatus
    area_id: int
