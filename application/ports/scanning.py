"""What a scanner sent, as it is read: barcodes and other symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """What a symbol holds: ``text`` is all of it, tidied, ``symbology`` what the scanner told before it, as ``]d2``.

    ``gtin`` has 14 digits; ``hibc`` is the primary data of such a symbol; ``gsrn`` is who receives care (AI 8018).
    ``of_person``: it is a person's symbol, and no product's.

    ``bare``: the characters alone say that it is one: a number on a wristband may begin like it. ``separator_lost``:
    what follows the lot or the serial number was perhaps taken for a part of it, so that lot, expiry and serial number
    are to be confirmed. ``incomplete``: some of it cannot be read, and may hold these. ``expiry_unreadable``: it holds
    an expiry that is no day.
    """

    text: str
    symbology: str | None = None
    gtin: str | None = None
    hibc: str | None = None
    gsrn: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    count: int | None = None
    separator_lost: bool = False
    expiry_unreadable: bool = False
    incomplete: bool = False
    of_person: bool = False
    bare: bool = False

    @property
    def tells(self) -> bool:
        """Whether anything was read but a code."""
        told = self.gtin or self.lot or self.expiry or self.serial or self.count
        return bool(told or self.expiry_unreadable or self.incomplete)


ReadScan = Callable[[str], ScanResult]
"""Reads the raw text that a scanner sent. What is no known kind of symbol is its text alone."""
