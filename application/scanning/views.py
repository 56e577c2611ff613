"""Views of what was scanned."""

from datetime import date
from decimal import Decimal
from typing import NotRequired, TypedDict

from application.catalogue.pack_views import RecallInForceView, SerialUsedView
from application.catalogue.views import ProductView
from application.people.scanned_views import ScannedPersonView


class ReadingView(TypedDict):
    """The content of a symbol.

    ``separator_lost`` means that lot, expiry and serial number have to be confirmed. ``incomplete`` means that a part
    cannot be parsed, which may have the missing data. ``bare`` means that only the characters suggest a symbol, and
    another number may look the same, so it has to be confirmed before it is recorded.
    """

    gtin: str | None
    lot: str | None
    expiry: date | None
    serial: str | None
    count: int | None
    separator_lost: bool
    expiry_unreadable: bool
    incomplete: bool
    bare: bool


class MatchView(TypedDict):
    """A product that a code may mean.

    ``system`` is ``code`` for the hospital's own code.
    """

    product: ProductView
    system: str
    units: Decimal
    label: str | None


class NotedCodeView(TypedDict):
    """A scanned code without a product, as it was stored.

    ``system`` is ``code`` if the system is unknown.
    """

    system: str
    code: str


class OwnLabelView(TypedDict):
    """A scanned label that Consumo printed.

    ``kind`` is patient, kit, product, sheet, form, closing for the paper of a closed sheet, or document for that of an
    account. ``state`` is found,
    missing if the caller sees nothing with that number, or foreign if another installation printed the label.
    ``kit_id`` is the kit of a kit's label, ``form_number`` the number of a contingency form.
    """

    kind: str
    state: str
    kit_id: int | None
    form_number: NotRequired[int]


class ProductLookupView(TypedDict):
    """The products and patients that a scan may mean, and pack data.

    ``reading`` is null if the text is not a symbol. ``noted`` is the code that was stored as unknown. ``read_as`` is
    the text for another keyboard layout, if the scanner seems to use one; in that case the matches belong to it and
    have to be confirmed. ``people`` are the patients whose wristband or label may have been scanned. ``label`` is a
    label that Consumo printed, or null.
    """

    reading: ReadingView | None
    matches: list[MatchView]
    people: list[ScannedPersonView]
    label: OwnLabelView | None
    recall: RecallInForceView | None
    expired: bool
    serial_used: SerialUsedView | None
    noted: NotedCodeView | None
    read_as: str | None
