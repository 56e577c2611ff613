"""Stores of entities, including the audit log and imports."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class UnknownCodes(Protocol):
    """Scanned codes that no product has."""

    def count(self, system: str, code: str, *, at: datetime, user_id: int) -> None:
        """Count one more scan of the code."""

    def remove(self, system: str, code: str) -> bool:
        """Delete the code. Return whether it was stored."""

    def is_noted(self, system: str, code: str) -> bool:
        """Return whether the code is stored."""

    def scanned_by(self, user_id: int, since: datetime) -> int:
        """Return how many codes that user was the last to scan since then."""

    def purge(self, before: datetime) -> None:
        """Delete the codes that were last scanned before a moment."""


class Turn(Protocol):
    """A closing by its number on its sheet."""

    @property
    def turn(self) -> int: ...


class KnownClosings(Protocol):
    """The closings of sheets, by which a printed one is found."""

    def of_sheet(self, sheet_id: int) -> Sequence[Turn]: ...
