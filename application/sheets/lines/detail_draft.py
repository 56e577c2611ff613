"""The form of a consumption detail, for adding and editing."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar

from application.common.draft import Draft
from application.common.scanning import ReadScan
from application.scanning.scans import understand_scan
from application.sheets.detail_views import (
    DetailView,
    RecordedDetailsView,
)
from application.sheets.stores import ReferredIds
from application.sheets.work import UnitOfWork
from domain.common.policy import Actor, Permission
from domain.common.text import code_key
from domain.scanning.lot import (
    Pack,
)
from domain.sheets.detail import Detail

Answer = TypeVar("Answer", DetailView, RecordedDetailsView)


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailDraft(Draft):
    """The form of a detail; 0 as ``staff_id`` or ``area_id`` means none.

    ``total`` is only for edits. ``occurred_at`` (the time of use, if it is not now) and ``kit_id`` (the kit from which
    the product was chosen) are only for recording. ``acknowledged`` are the codes of the questions that the user
    overrides. ``recall_reason`` is why a recalled lot was used: without it, the recall is asked about again.
    ``implant_reason`` is why the lot or serial number of an implant is missing, which is asked about like a recall.
    ``scan`` is the raw text of a symbol. It provides those of ``gtin``, ``lot``, ``expiry`` and ``serial``
    that are empty. ``input_method`` is only for recording: scan or text, if the client knows how the product was
    chosen. ``charged`` is only for edits: true charges a detail that is not billed. ``use_reason`` is why it was not
    used for a patient's treatment; in an area it is required.
    """

    consumption_sheet_id: int | None = None
    product_id: int | None = None
    quantity: Decimal | None = None
    staff_id: int | None = None
    area_id: int | None = None
    total: Decimal | None = None
    occurred_at: datetime | None = None
    acknowledged: tuple[str, ...] | None = None
    recall_reason: str | None = None
    implant_reason: str | None = None
    kit_id: int | None = None
    scan: str | None = None
    gtin: str | None = None
    lot: str | None = None
    expiry: date | None = None
    serial: str | None = None
    input_method: str | None = None
    use_reason: str | None = None
    charged: bool | None = None

    def refers_to(self, actor: Actor, pack: Pack) -> ReferredIds:
        """Return the ids that the draft refers to.

        Ward staff record as their own profile, regardless of the request.
        """
        any_staff = actor.can(Permission.RECORD_FOR_ANY_STAFF)
        staff_id = (self.staff_id or None) if any_staff else actor.staff_id
        return ReferredIds(
            product_id=self.product_id or 0,
            staff_id=staff_id,
            area_id=self.area_id or None,
            kit_id=self.kit_id or None,
            lot_key=code_key(pack.lot) if pack.lot else None,
            serial_key=code_key(pack.serial) if pack.serial else None,
        )


def pack_of(work: UnitOfWork, draft: DetailDraft, current: Detail | None, read_scan: ReadScan) -> Pack:
    """Return the pack data of the draft, completed by its scan.

    In an edit, fields that were not sent stay as they are. Data is not taken from a scan if only its characters suggest
    it, or if another product has the code as a symbol. If a separator was lost, the lot and what follows it have to be
    confirmed by the user, so they are not taken from the scan.
    """
    read = None
    if draft.scan:
        scan = understand_scan(work.views.packs, read_scan, draft.scan)
        read = scan.pack_read(draft.product_id or (current.product_id if current else None))
    scanned = Pack()
    if read and read.separator_lost:
        scanned = Pack(gtin=read.gtin)
    elif read:
        scanned = Pack(gtin=read.gtin, lot=read.lot, expiry=read.expiry, serial=read.serial)
    before = current.pack if current and draft.sent_fields is not None else Pack()

    def field_value(name: str) -> Any:
        if draft.sent_fields is not None and name not in draft.sent_fields:
            return getattr(scanned, name) or getattr(before, name)
        return getattr(draft, name) or getattr(scanned, name)

    return Pack(
        gtin=field_value("gtin"), lot=field_value("lot"), expiry=field_value("expiry"), serial=field_value("serial")
    )
