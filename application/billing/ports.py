"""Messages to billing: their data, and the port that writes them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from application.sheets.detail_views import DetailView
from application.sheets.summary_views import SheetDocument
from domain.billing.charges import BillingAccount, Charge


class ChargesMessage(NamedTuple):
    """Charges of one account for one message.

    ``document`` is the frozen sheet, with patient and stays. ``lines`` are the lines of the charges. ``people`` are the
    names of their authors. ``rooms`` are the patient's rooms at the time. ``room_codes`` and ``area_codes`` are the
    codes of the hospital's system, as far as it has any. ``admission`` is ``application.sheets.admission_data`` of
    this account.
    """

    control_id: str
    written_at: datetime
    account: BillingAccount
    document: SheetDocument
    charges: Sequence[Charge]
    lines: Mapping[int, DetailView]
    people: Mapping[int, str]
    rooms: Mapping[int, str]
    room_codes: Mapping[int, str]
    area_codes: Mapping[int, str]
    admission: Mapping[str, str]


WriteChargesMessage = Callable[[ChargesMessage], str]
"""Writes the text of a message once. It is sent unchanged each time."""
