"""Views of the sheets of areas."""

from typing import NotRequired, TypedDict

from application.catalogue.views import AreaView
from application.common.redaction import Price
from application.sheets.views import ConsumptionDayView


class AreaDayView(ConsumptionDayView):
    """A day on which an area used something; ``value`` is what it cost."""

    value: NotRequired[Price]


class AreaPageView(TypedDict):
    """The page of an area in a list.

    ``month`` is like 2026-11, ``part`` the number of the page in its month, and ``lines`` the number of details that
    count.
    """

    id: int
    area: AreaView
    month: str
    part: int
    lines: int
    version: int


class AreaSheetView(AreaPageView):
    """What an area used in a month for no patient; ``version`` is the ETag.

    ``value`` is price times quantity of all its details. None of them is charged.
    """

    value: NotRequired[Price]
    consumptions: list[AreaDayView]
    # The number of open unlisted items, and of undecided late entries.
    unlisted_items: int
    late_entries: int


class AreaPagesView(TypedDict):
    """Pages of an area, the latest first.

    ``more`` says whether earlier ones exist.
    """

    items: list[AreaPageView]
    more: bool
