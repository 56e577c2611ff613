"""What a scanner sent, as it is read: barcodes and other symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """What a symbol holds. ``gtin`` has 14 digits; ``text`` is all of it, tidied, and ``hibc`` that where it is one.

    ``separator_lost``: what follows the lot or the serial number was perhaps taken for a part of it, so that lot,
    expiry and serial number are to be confirmed. ``expiry_unreadable``: it holds one that is no day.
    """

    text: str
    gtin: str | None = None
    hibc: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    count: int | None = None
    separator_lost: bool = False
    expiry_unreadable: bool = False

    @property
    def tells(self) -> bool:
        """Whether anything was read but the text itself."""
        return bool(self.gtin or self.lot or self.expiry or self.serial or self.count or self.expiry_unreadable)


ReadScan = Callable[[str], ScanResult]
"""Reads the raw text that a scanner sent. What is no known kind of symbol is its text alone."""
