"""What waits for a supervisor, in memory."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date, datetime
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.overview import last_recorded_at
from adapters.memory.readers.people import person_view
from adapters.memory.readers.usual_products import quantities_of, usual_of
from application.ports.readers.worklist import LATEST_OF_DAY, LATEST_OPEN, OLDEST_OPEN, OpenSheet, UnusualDetail
from application.views.catalogue import ProductNameView
from application.views.sheets import DischargeView, LateSheetView, UnlistedSheetView
from application.views.worklist import DeviceOutboxView, RecalledUseView
from domain.anomalies import SAMPLE_SIZE, Oddity, far_out
from domain.sheet import Detail, Sheet
from domain.text import full_name


class MemoryWorklist:
    """The queries of the worklist."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def oldest_open(self, admitted_by: date) -> list[OpenSheet]:
        """List the longest open sheets admitted up to that day, oldest first."""
        found = sorted(
            (sheet for sheet in self._open() if sheet.admission_date <= admitted_by),
            key=lambda sheet: (sheet.admission_date, sheet.id),
        )
        return [self._open_sheet(sheet) for sheet in found[:OLDEST_OPEN]]

    def idle_since(self, moment: datetime, admitted_by: date) -> list[OpenSheet]:
        """List open sheets without a line since a moment, latest first."""
        found = [self._open_sheet(sheet) for sheet in self._open() if sheet.admission_date <= admitted_by]
        idle = [one for one in found if one.last_recorded_at is None or one.last_recorded_at < moment]
        return sorted(idle, key=lambda one: (one.admission_date, one.id), reverse=True)[:LATEST_OPEN]

    def zero_of(self, day: date, *, most: int) -> list[UnusualDetail]:
        """List the day's details with quantity zero, latest first."""
        zero = (detail for detail in self._details_of(day) if not detail.quantity)
        return [self._unusual(detail) for detail in zero if self._waits(Oddity.QUANTITY_ZERO, detail)][:most]

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[UnusualDetail]:
        """List outliers among the day's latest details, latest first."""
        found = []
        for detail in self._details_of(day)[:LATEST_OF_DAY]:
            usual = usual_of(self._data, detail.product_id)
            is_far_out = far_out(detail.quantity, detail.total, usual, ask_above_total)
            if is_far_out and self._waits(Oddity.QUANTITY_FAR_OUT, detail):
                found.append(self._unusual(detail)._replace(usual=usual or None))
        return found[:most]

    def without_price(self) -> int:
        """Count active products without a price."""
        return sum(1 for product in self._data.products.values() if product.active and not product.price)

    def judged_sheets(self, ids: Collection[int]) -> dict[int, dict[Oddity, datetime]]:
        """Return when which anomalies of these sheets were judged right."""
        judged: dict[int, dict[Oddity, datetime]] = defaultdict(dict)
        for judgement in self._data.judgements.values():
            if judgement.version is None and judgement.entity_id in ids:
                judged[judgement.entity_id][judgement.kind] = judgement.at
        return judged

    def latest_quantities(self, product_ids: Collection[int]) -> dict[int, list[Decimal]]:
        """Return the quantities of the products' last details, newest first."""
        return {product_id: quantities_of(self._data, product_id)[:SAMPLE_SIZE] for product_id in product_ids}

    def unsent(self, *, most: int) -> list[DeviceOutboxView]:
        """List devices with unsent lines, the oldest lines first."""
        found = []
        for one in sorted(self._data.device_outboxes.values(), key=lambda one: (one.oldest_at, one.id)):
            judgement = self._data.judgements.get((Oddity.LINES_UNSENT, one.id))
            if judgement is not None and judgement.version == one.version:
                continue
            area = self._data.areas.get(one.area_id or 0)
            found.append(
                DeviceOutboxView(
                    id=one.id,
                    by=self._name(one.user_id),
                    area=area.name if area else None,
                    lines=one.lines,
                    oldest_at=one.oldest_at,
                    reported_at=one.reported_at,
                )
            )
        return found[:most]

    def discharges(self, *, most: int) -> list[DischargeView]:
        """List open sheets with a proposed discharge, longest waiting first."""
        found = [
            (sheet.discharge_proposed_at, sheet.id, sheet) for sheet in self._open() if sheet.discharge_proposed_at
        ]
        return [
            DischargeView(
                consumption_sheet_id=sheet.id,
                patient=person_view(patient),
                room=self._data.rooms[sheet.room_id].name,
                at=at,
            )
            for at, _, sheet in sorted(found)[:most]
            for patient in [self._data.patients[sheet.patient_id]]
        ]

    def late(self, *, most: int) -> list[LateSheetView]:
        """List sheets with undecided late entries, longest waiting first."""
        waiting: dict[int, list[datetime]] = {}
        for late in self._data.late_entries.values():
            if late.decision is None:
                waiting.setdefault(late.sheet_id, []).append(late.arrived_at)
        found = sorted((min(moments), sheet_id) for sheet_id, moments in waiting.items())
        return [
            LateSheetView(
                consumption_sheet_id=sheet_id,
                closed=sheet.closed,
                patient=person_view(patient),
                room=self._data.rooms[sheet.room_id].name,
                entries=len(waiting[sheet_id]),
                since=since,
            )
            for since, sheet_id in found[:most]
            for sheet in [self._data.sheets[sheet_id]]
            for patient in [self._data.patients[sheet.patient_id]]
        ]

    def unlisted(self, *, most: int) -> list[UnlistedSheetView]:
        """List sheets with open unlisted items, longest waiting first."""
        noted: dict[int, list[datetime]] = {}
        for item in self._data.unlisted_items.values():
            if item.open:
                noted.setdefault(item.sheet_id, []).append(item.created_at)
        found = sorted((min(moments), sheet_id) for sheet_id, moments in noted.items())
        return [
            UnlistedSheetView(
                consumption_sheet_id=sheet_id,
                closed=sheet.closed,
                patient=person_view(patient),
                room=self._data.rooms[sheet.room_id].name,
                items=len(noted[sheet_id]),
                since=since,
            )
            for since, sheet_id in found[:most]
            for sheet in [self._data.sheets[sheet_id]]
            for patient in [self._data.patients[sheet.patient_id]]
        ]

    def recalled(self, *, most: int) -> list[RecalledUseView]:
        """List unacknowledged uses of recalled lots, latest first."""
        unseen = [each for each, seen in self._data.recalled_uses.items() if seen is None]
        found = sorted(
            (each for each in unseen if each in self._data.details and not self._data.details[each].voided),
            reverse=True,
        )
        return [self._recalled(self._data.details[each]) for each in found[:most]]

    def _recalled(self, detail: Detail) -> RecalledUseView:
        sheet, product = self._data.sheets[detail.sheet_id], self._data.products[detail.product_id]
        patient = self._data.patients[sheet.patient_id]
        return RecalledUseView(
            detail_id=detail.id,
            consumption_sheet_id=sheet.id,
            closed=sheet.closed,
            patient=person_view(patient),
            room=self._data.rooms[sheet.room_id].name,
            product=ProductNameView(id=product.id, name=product.name, code=product.code, unit=product.unit),
            lot=detail.lot,
            quantity=detail.quantity,
            at=detail.created_at,
            by=self._author(detail),
            reason=detail.recall_reason,
        )

    def _open(self) -> Iterator[Sheet]:
        return (sheet for sheet in self._data.sheets.values() if not sheet.closed)

    def _open_sheet(self, sheet: Sheet) -> OpenSheet:
        return OpenSheet(sheet.id, sheet.admission_date, last_recorded_at(self._data, sheet.id))

    def _waits(self, kind: Oddity, detail: Detail) -> bool:
        """Return whether the detail is on an open sheet, and not judged right."""
        judgement = self._data.judgements.get((kind, detail.id))
        is_judged = judgement is not None and judgement.version == detail.version
        return not is_judged and not self._data.sheets[detail.sheet_id].closed

    def _details_of(self, day: date) -> list[Detail]:
        """List the day's details, latest first."""
        found = [detail for detail in self._data.counted if detail.day == day]
        return sorted(found, key=lambda detail: (detail.created_at, detail.id), reverse=True)

    def _unusual(self, detail: Detail) -> UnusualDetail:
        product = self._data.products[detail.product_id]
        return UnusualDetail(
            id=detail.id,
            sheet_id=detail.sheet_id,
            version=detail.version,
            product=ProductNameView(id=product.id, name=product.name, code=product.code, unit=product.unit),
            quantity=detail.quantity,
            usual=None,
            at=detail.created_at,
            by=self._author(detail),
        )

    def _author(self, detail: Detail) -> str:
        return self._name(detail.user_id)

    def _name(self, user_id: int) -> str:
        user = self._data.users[user_id]
        by = self._data.staff.get(user.staff_id or 0)
        return full_name(by.name, by.first_surname, by.second_surname) if by else user.email
