"""How whoever bills is told: what a message holds, and who writes it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from application.views import DetailView, SheetDocument
from domain.charges import BillingAccount, Charge


class ChargesMessage(NamedTuple):
    """Some charges of one account, as they are told in one message.

    ``document`` is the sheet as it was frozen: whose it is, and where the patient lay. ``lines`` are those that are
    charged, ``people`` the names of whoever recorded them, ``rooms`` of where the patient lay then, with ``room_codes``
    where the hospital's system has one.
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


WriteChargesMessage = Callable[[ChargesMessage], str]
"""Writes the text of a message, once: it is sent as it was written."""
