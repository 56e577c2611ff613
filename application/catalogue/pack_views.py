"""Views of packs: recalls in force, and serial numbers that were used."""

from datetime import datetime
from typing import TypedDict


class RecallInForceView(TypedDict):
    """The reason of a recall, and the time since which it is in force."""

    id: int
    reason: str
    since: datetime


class SerialUsedView(TypedDict):
    """The sheet on which a serial number was recorded, and the time."""

    consumption_sheet_id: int
    at: datetime
