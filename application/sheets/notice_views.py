"""Views of notices: what others changed on a user's lines."""

from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from application.catalogue.views import AreaView, ProductNameView
from application.people.views import PersonView
from domain.sheets.notice import NoticeKind


class NoticeSheetView(TypedDict):
    """The sheet of a line: its patient and the room's name, or its area."""

    id: int
    closed: bool
    patient: PersonView | None
    room: str | None
    area: NotRequired[AreaView]


class NoticeView(TypedDict):
    """What another user changed on a line that the caller recorded.

    ``sheet`` and ``detail_id`` are those after the change; ``moved_from`` is the sheet before a move, null otherwise or
    if it was deleted. ``product`` and ``quantity`` are those before the change, ``new_product`` and ``new_quantity``
    those afterwards: null if the line was voided. A product that was deleted is null. ``seen_at`` is null until the
    caller has seen it.
    """

    id: int
    kind: NoticeKind
    at: datetime
    by: str
    seen_at: datetime | None
    sheet: NoticeSheetView
    moved_from: NoticeSheetView | None
    detail_id: int
    product: ProductNameView | None
    quantity: Decimal
    new_product: ProductNameView | None
    new_quantity: Decimal | None


class NoticesView(TypedDict):
    """The caller's unseen notices, the latest first.

    ``more`` means that only the latest ones are listed.
    """

    items: list[NoticeView]
    more: bool
