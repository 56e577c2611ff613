"""The result of parsing a scan: barcodes and other symbols."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """The content of a symbol.

    * ``text`` is all of it, normalized. ``symbology`` is the prefix of the scanner, such as ``]d2``.
    * ``gtin`` has 14 digits. ``hibc`` is the primary data of an HIBC symbol. ``gsrn`` identifies a patient (AI 8018).
    * ``of_person`` means that it is a person's symbol, not a product's.
    * ``bare`` means that only the characters suggest this interpretation. A number on a wristband may begin like it.
    * ``separator_lost`` means that the lot or serial number may include what follows it, so lot, expiry and serial
      number have to be confirmed.
    * ``incomplete`` means that a part cannot be parsed, which may have these data.
    * ``expiry_unreadable`` means that the expiry is not a valid date.
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
    def has_data(self) -> bool:
        """Whether the scan has data other than a plain code."""
        has_value = self.gtin or self.lot or self.expiry or self.serial or self.count
        return bool(has_value or self.expiry_unreadable or self.incomplete)


ReadScan = Callable[[str], ScanResult]
"""Parses the raw text of a scanner.

An unknown kind of symbol gives only its text.
"""
