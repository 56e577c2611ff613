"""Views of the worklist: what waits for a supervisor."""

from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from application.accounts.views import ExpiringKeyView
from application.catalogue.views import AreaView, ProductNameView, UnknownCodeView
from application.people.views import PersonView
from application.sheets.views import DischargeView, LateSheetView, UnlistedSheetView
from application.ward.overview_views import SheetAtWorkView
from domain.sheets.anomalies import Oddity


class RecalledUseView(TypedDict):
    """An unacknowledged use of a recalled lot.

    ``by`` is the author, and ``reason`` why it was used: null if it was recorded by an earlier version.
    """

    detail_id: int
    consumption_sheet_id: int
    closed: bool
    patient: PersonView | None
    room: str | None
    area: NotRequired[AreaView]
    product: ProductNameView
    lot: str | None
    quantity: Decimal
    at: datetime
    by: str
    reason: str | None


class UnusualLineView(TypedDict):
    """An unusual line of an open sheet or of an area; ``by`` is the author.

    ``sheet`` is null if it is a line of an ``area``. ``usual_quantity`` is null if it is unknown. ``latest_quantities``
    are those of the product's last 21 lines, of patients or of areas as this one is, the newest first.
    """

    kind: Oddity
    detail_id: int
    version: int
    consumption_sheet_id: int
    sheet: SheetAtWorkView | None
    area: NotRequired[AreaView]
    product: ProductNameView
    quantity: Decimal
    usual_quantity: Decimal | None
    latest_quantities: list[Decimal]
    at: datetime
    by: str


class UnusualSheetView(TypedDict):
    """An unusual open sheet.

    ``days`` is how long it has been open, or without a new line.
    """

    kind: Oddity
    sheet: SheetAtWorkView
    days: int


class DeviceOutboxView(TypedDict):
    """Lines that a device has not sent, as it reported at a moment.

    ``by`` is the person whose lines they are, and ``area`` where that person worked: null if it was not chosen.
    """

    id: int
    by: str
    area: str | None
    lines: int
    oldest_at: datetime
    reported_at: datetime


class WorklistView(TypedDict):
    """What waits for the supervisor, by kind.

    Each kind has ``max_per_kind`` items at most; the ones that have waited longest come first, unusual lines and uses
    of recalled lots with the latest first. A kind is empty for users without its permission. ``count`` is the number
    of items. The ``held_messages``, the ``open_forms`` (contingency forms that did not come back) and the
    ``products_without_price`` are one item each, however many they are.
    """

    count: int
    max_per_kind: int
    late_entries: list[LateSheetView]
    held_messages: int
    discharges: list[DischargeView]
    unusual_lines: list[UnusualLineView]
    unusual_sheets: list[UnusualSheetView]
    unlisted_items: list[UnlistedSheetView]
    open_forms: int
    recalled_uses: list[RecalledUseView]
    unknown_codes: list[UnknownCodeView]
    device_outboxes: list[DeviceOutboxView]
    expiring_keys: list[ExpiringKeyView]
    products_without_price: int


class WorklistCountView(TypedDict):
    """The number of items of the worklist."""

    count: int
