"""Read what waits for a supervisor."""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from application.catalogue.views import AreaView, ProductNameView
from application.sheets.views import DischargeView, LateSheetView, UnlistedSheetView
from application.ward.worklist_views import DeviceOutboxView, RecalledUseView
from domain.sheets.anomalies import Oddity


class OpenSheet(NamedTuple):
    """An open sheet with its admission and the time of the last detail."""

    id: int
    admission_date: date
    last_recorded_at: datetime | None


class UnusualDetail(NamedTuple):
    """An unusual detail of an open sheet or of an area; ``by`` is its author.

    ``area`` is that of an area's page. ``usual`` is the usual quantity of the product, if the query includes it.
    """

    id: int
    sheet_id: int
    area: AreaView | None
    version: int
    product: ProductNameView
    quantity: Decimal
    usual: Decimal | None
    at: datetime
    by: str


class WorklistNumbers(NamedTuple):
    """How many items the worklist has by kind, unusual sheets not included.

    ``unusual_lines`` are those of a day and of the day before.
    """

    late_entries: int
    held_messages: int
    discharges: int
    unusual_lines: int
    unlisted_items: int
    open_forms: int
    recalled_uses: int
    unknown_codes: int
    device_outboxes: int
    expiring_keys: int
    products_without_price: int


# More items than a person works through in a morning.
MAX_PER_KIND = 50
# The queries only read this much, so their cost does not grow with the data.
OLDEST_OPEN = 200
LATEST_OPEN = 200
LATEST_OF_DAY = 100


class Worklist(Protocol):
    """Reads what waits for a supervisor."""

    def numbers(
        self,
        today: date,
        ask_above_total: Decimal | None,
        *,
        received_before: datetime,
        expires_before: datetime,
    ) -> WorklistNumbers:
        """Return how many items the lists below have by kind.

        Of a kind and day there are at most ``MAX_PER_KIND``. ``received_before`` limits the held messages, and
        ``expires_before`` the API keys.
        """

    def late(self, *, most: int) -> list[LateSheetView]:
        """Return the sheets with undecided late entries, the longest wait first."""

    def unlisted(self, *, most: int) -> list[UnlistedSheetView]:
        """Return the sheets with open unlisted items, the longest wait first."""

    def discharges(self, *, most: int) -> list[DischargeView]:
        """Return open sheets of discharged patients, the longest wait first."""

    def recalled(self, *, most: int) -> list[RecalledUseView]:
        """Return unacknowledged uses of recalled lots, the latest first."""

    def unsent(self, *, most: int) -> list[DeviceOutboxView]:
        """Return devices with unsent lines, the oldest lines first.

        Those whose current report was judged right are left out.
        """

    def without_price(self) -> int:
        """Return the number of active products without a price."""

    def oldest_open(self, admitted_by: date) -> list[OpenSheet]:
        """Return the ``OLDEST_OPEN`` open sheets with the oldest admissions.

        Admissions after ``admitted_by`` and discharged patients are left out. The oldest comes first.
        """

    def idle_since(self, moment: datetime, admitted_by: date) -> list[OpenSheet]:
        """Return open sheets without a detail since a moment.

        They are the ``LATEST_OPEN`` ones with the latest admissions up to ``admitted_by``, without discharged patients.
        The latest comes first.
        """

    def zero_of(self, day: date, *, most: int) -> list[UnusualDetail]:
        """Return the day's details with quantity zero, the latest first.

        Details whose current version was judged right are left out.
        """

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[UnusualDetail]:
        """Return the day's far-out details, the latest first.

        Only the last ``LATEST_OF_DAY`` details of the day are checked. Details whose current version was judged right
        are left out.
        """

    def judged_sheets(self) -> Mapping[int, Mapping[Oddity, datetime]]:
        """Return when which anomalies of open sheets were judged right."""

    def latest_quantities(self, product_ids: Collection[int], *, in_areas: bool) -> dict[int, list[Decimal]]:
        """Return the quantities of the last ``SAMPLE_SIZE`` details of products.

        They are those of patients, or those ``in_areas``. The newest comes first.
        """
