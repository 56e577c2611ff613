"""Views of restock lists. None of them has a price."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from application.catalogue.views import AreaView


class RestockProductView(TypedDict):
    """A product on a restock list."""

    id: int
    code: str | None
    name: str
    unit: str | None


class PutBackView(TypedDict):
    """The tick of a line: the quantity that was needed then, by whom and when."""

    quantity: Decimal
    by: str
    at: datetime


class RestockLineView(TypedDict):
    """A line of an open list.

    ``needed`` is negative if closed lists took more than what counts now. With a ``fixed_amount``, this amount is put
    back however much was used.
    """

    product: RestockProductView
    shelf: str | None
    needed: Decimal
    fixed_amount: Decimal | None
    put_back: PutBackView | None


class RestockView(TypedDict):
    """The open list of an area, in shelf order.

    ``since`` and ``last_by`` are time and user of the last closing, null before the first one.
    """

    area: AreaView
    number: int
    since: datetime | None
    last_by: str | None
    items: list[RestockLineView]


class RestockSummaryView(TypedDict):
    """A closed list. ``left_over`` needed products stayed for the next one."""

    id: int
    area_id: int
    area: str
    number: int
    closed_at: datetime
    by: str
    lines: int
    left_over: int


class RestockListsView(TypedDict):
    """Closed lists of an area, the latest first.

    ``more`` says whether earlier ones exist.
    """

    items: list[RestockSummaryView]
    more: bool


class ClosedLineView(TypedDict):
    """A line of a closed list, as it was then.

    ``put_back`` is 0 if the line was settled without putting anything back.
    """

    product: RestockProductView
    shelf: str | None
    quantity: Decimal
    put_back: Decimal
    by: str | None
    at: datetime | None


class RestockDocumentView(RestockSummaryView):
    """A closed list with its lines, in shelf order."""

    items: list[ClosedLineView]


class ShelfView(TypedDict):
    """Where an area keeps a product, and the fixed amount that is put back."""

    product: RestockProductView
    shelf: str | None
    fixed_amount: Decimal | None


class ShelvesView(TypedDict):
    """The shelves of an area, in shelf order."""

    items: list[ShelfView]
