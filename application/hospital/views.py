"""View of the hospital's settings."""

from decimal import Decimal
from typing import TypedDict

from domain.hospital.use_reason import UseReason


class HospitalSettingsView(TypedDict):
    """The settings that apply.

    ``fixed`` names those that the server sets, so that they cannot be changed here. ``logo_version`` is the number of
    the change that set the logo; null without one.
    """

    version: int
    name: str
    address: list[str]
    tax_number: str
    letterhead: list[str]
    time_zone: str
    currency: str
    number_format: str
    idle_minutes: int
    ask_above_total: Decimal
    shift_starts: list[str]
    billed_waste: list[UseReason]
    logo_version: int | None
    fixed: list[str]
