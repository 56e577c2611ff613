"""What a label contains, and whether a bar code fits on it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol


class LabelSubject(StrEnum):
    """What labels are printed for. A band is a patient's wristband."""

    PRODUCT = "product"
    KIT = "kit"
    PATIENT = "patient"
    BAND = "band"


class LabelSize(StrEnum):
    """Label rolls, label sheets, wristbands, and kit cards, in millimetres."""

    ROLL_50X25 = "50x25"
    ROLL_57X32 = "57x32"
    A4_3X8 = "a4-3x8"
    LETTER_3X10 = "letter-3x10"
    BAND_ADULT = "band-adult"
    BAND_CHILD = "band-child"
    A6 = "a6"


class KitCardLine(NamedTuple):
    """A line of a kit on its card."""

    quantity: Decimal
    product: str
    optional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLabel:
    """One label, without prices.

    ``text`` is in the QR code, ``bars`` in the Code 128. ``below`` stands below the name: given names, or the area.
    ``number`` is the product's code or the patient's record number.
    """

    text: str
    name: str
    copies: int = 1
    has_qr: bool = True
    bars: str | None = None
    below: str = ""
    number: str = ""
    unit: str = ""
    born: date | None = None
    lines: tuple[KitCardLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLabels:
    """Labels to print. ``start_at`` is the first free place of a label sheet."""

    what: LabelSubject
    size: LabelSize
    start_at: int
    labels: tuple[PrintedLabel, ...]


class BarsFit(Protocol):
    def __call__(self, text: str, size: LabelSize) -> bool:
        """Return whether a Code 128 of the text fits on a label."""
