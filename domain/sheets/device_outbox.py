"""Unsent lines that wait on the devices of the ward."""

import re
from dataclasses import dataclass
from datetime import datetime

# A device whose lines were not reported for this many days is forgotten.
FORGOTTEN_AFTER_DAYS = 30
# More devices than a person works on. Those reported longest ago are forgotten.
MAX_DEVICES_PER_USER = 20
# More lines than a device stores.
MAX_UNSENT_LINES = 100_000

_DEVICE_ID = re.compile(r"[0-9A-Za-z-]{16,64}")


def is_device_id(text: str) -> bool:
    """Return whether the text is a random id as devices choose it."""
    return _DEVICE_ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOutbox:
    """The unsent lines of one person on one device: how many, and since when.

    ``area_id`` is where the person worked. ``version`` grows when there are more lines, or other ones are the oldest.
    """

    device_id: str
    user_id: int
    area_id: int | None
    lines: int
    oldest_at: datetime
    reported_at: datetime
    id: int = 0
    version: int = 1

    def needs_new_judgement(self, before: "DeviceOutbox") -> bool:
        """Return whether it differs so that it was not judged before."""
        return self.lines > before.lines or self.oldest_at != before.oldest_at
