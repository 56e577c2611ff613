"""The overview for the home page, in memory."""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from decimal import Decimal

from adapters.memory.data import MemoryData
from adapters.memory.readers.usual_products import usual_of
from application.entities import AuditAction
from application.ports.readers.reports import (
    LATEST_OF_TODAY,
    OLDEST_OPEN,
    OPENED_BY_PERSON,
    RECORDED_BY_PERSON,
    DetailOfToday,
    LongOpenSheet,
)
from application.views.catalogue import ProductNameView
from application.views.people import PersonView
from application.views.reports import RecalledUseView, SheetAtWorkView, TodayView
from application.views.sheets import DischargeView, LateSheetView, SheetRoomView, UnlistedSheetView
from domain.anomalies import days_since, far_out
from domain.money import ZERO
from domain.sheet import Detail, Sheet
from domain.text import fold_product, full_name


class MemoryOverview:
    """The queries of the overview."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def today(self, day: date) -> TodayView:
        """Return the day's counts of details and patients, and their total."""
        details = [detail for detail in self._data.counted if detail.day == day]
        return TodayView(
            details=len(details),
            patients=len({self._data.sheets[detail.sheet_id].patient_id for detail in details}),
            total=sum((detail.total for detail in details), ZERO),
        )

    def open_sheets(self) -> int:
        """Count the open sheets."""
        return len(list(self._open()))

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """List open sheets that this user opened or recorded on, latest first."""
        recorded = [(d.sheet_id, d.created_at) for d in self._data.counted if d.user_id == user_id]
        opened = [
            (entry.entity_id, entry.at)
            for entry in self._data.audit_log
            if entry.user_id == user_id and entry.action == AuditAction.SHEET_OPENED
        ]
        last: dict[int, datetime] = {}
        for sheet_id, at in recorded[-RECORDED_BY_PERSON:] + opened[-OPENED_BY_PERSON:]:
            last[sheet_id] = max(at, last.get(sheet_id, at))
        found = [sheet.id for sheet in self._open() if sheet.id in last]
        return sorted(found, key=lambda sheet_id: (last[sheet_id], sheet_id), reverse=True)[:most]

    def oldest_open(self, admitted_by: date) -> list[LongOpenSheet]:
        """List the longest open sheets admitted up to that day, oldest first."""
        found = sorted(
            (sheet for sheet in self._open() if sheet.admission_date <= admitted_by),
            key=lambda sheet: (sheet.admission_date, sheet.id),
        )
        return [LongOpenSheet(sheet.id, sheet.admission_date, self._last_on(sheet.id)) for sheet in found[:OLDEST_OPEN]]

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """List the day's details with quantity zero, latest first."""
        zero = (detail for detail in self._details_of(day) if not detail.quantity)
        return [self._detail_of_today(detail) for detail in zero if self._is_open(detail)][:most]

    def far_out_of(self, day: date, ask_above_total: Decimal | None, *, most: int) -> list[DetailOfToday]:
        """List outliers among the day's latest details, latest first."""
        found = []
        for detail in self._details_of(day)[:LATEST_OF_TODAY]:
            usual = usual_of(self._data, detail.product_id)
            if far_out(detail.quantity, detail.total, usual, ask_above_total) and self._is_open(detail):
                found.append(self._detail_of_today(detail)._replace(usual=usual or None))
        return found[:most]

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """List active products without a price, by name."""
        found = [product for product in self._data.products.values() if product.active and not product.price]
        found.sort(key=lambda product: (fold_product(product.name), product.id))
        return [ProductNameView(id=product.id, name=product.name, unit=product.unit) for product in found[:most]]

    def discharges(self, *, most: int) -> list[DischargeView]:
        """List open sheets with a proposed discharge, longest waiting first."""
        found = [
            (sheet.discharge_proposed_at, sheet.id, sheet) for sheet in self._open() if sheet.discharge_proposed_at
        ]
        return [
            DischargeView(
                consumption_sheet_id=sheet.id,
                patient=PersonView(
                    id=patient.id,
                    name=patient.name,
                    first_surname=patient.first_surname,
                    second_surname=patient.second_surname,
                ),
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
                patient=PersonView(
                    id=patient.id,
                    name=patient.name,
                    first_surname=patient.first_surname,
                    second_surname=patient.second_surname,
                ),
                entries=len(waiting[sheet_id]),
                since=since,
            )
            for since, sheet_id in found[:most]
            for sheet in [self._data.sheets[sheet_id]]
            for patient in [self._data.patients[sheet.patient_id]]
        ]

    def unlisted(self, *, most: int) -> tuple[list[UnlistedSheetView], int]:
        """List and count sheets with open unlisted items, longest waiting first."""
        noted: dict[int, list[datetime]] = {}
        for item in self._data.unlisted_items.values():
            if item.open:
                noted.setdefault(item.sheet_id, []).append(item.created_at)
        found = sorted((min(moments), sheet_id) for sheet_id, moments in noted.items())
        views = [
            UnlistedSheetView(
                consumption_sheet_id=sheet_id,
                closed=sheet.closed,
                patient=PersonView(
                    id=patient.id,
                    name=patient.name,
                    first_surname=patient.first_surname,
                    second_surname=patient.second_surname,
                ),
                items=len(noted[sheet_id]),
                since=since,
            )
            for since, sheet_id in found[:most]
            for sheet in [self._data.sheets[sheet_id]]
            for patient in [self._data.patients[sheet.patient_id]]
        ]
        return views, len(found)

    def recalled(self, *, most: int) -> tuple[list[RecalledUseView], int]:
        """List and count unacknowledged uses of recalled lots, latest first."""
        unseen = [each for each, seen in self._data.recalled_uses.items() if seen is None]
        found = sorted(
            (each for each in unseen if each in self._data.details and not self._data.details[each].voided),
            reverse=True,
        )
        return [self._recalled(self._data.details[each]) for each in found[:most]], len(found)

    def _recalled(self, detail: Detail) -> RecalledUseView:
        sheet, product = self._data.sheets[detail.sheet_id], self._data.products[detail.product_id]
        patient, user = self._data.patients[sheet.patient_id], self._data.users[detail.user_id]
        by = self._data.staff.get(user.staff_id or 0)
        return RecalledUseView(
            detail_id=detail.id,
            consumption_sheet_id=sheet.id,
            closed=sheet.closed,
            patient=PersonView(
                id=patient.id,
                name=patient.name,
                first_surname=patient.first_surname,
                second_surname=patient.second_surname,
            ),
            room=self._data.rooms[sheet.room_id].name,
            product=ProductNameView(id=product.id, name=product.name, unit=product.unit),
            lot=detail.lot,
            quantity=detail.quantity,
            at=detail.created_at,
            by=full_name(by.name, by.first_surname, by.second_surname) if by else user.email,
            reason=detail.recall_reason,
        )

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return those open sheets by id."""
        return {sheet.id: self._at_work(sheet, today) for sheet in self._open() if sheet.id in ids}

    def _at_work(self, sheet: Sheet, today: date) -> SheetAtWorkView:
        patient, room = self._data.patients[sheet.patient_id], self._data.rooms[sheet.room_id]
        return SheetAtWorkView(
            id=sheet.id,
            patient=PersonView(
                id=patient.id,
                name=patient.name,
                first_surname=patient.first_surname,
                second_surname=patient.second_surname,
            ),
            room=SheetRoomView(id=room.id, name=room.name, area_id=room.area_id),
            admission_date=sheet.admission_date,
            days_open=days_since(sheet.admission_date, today),
            details=sum(detail.sheet_id == sheet.id for detail in self._data.counted),
            last_recorded_at=self._last_on(sheet.id),
        )

    def _open(self) -> Iterator[Sheet]:
        return (sheet for sheet in self._data.sheets.values() if not sheet.closed)

    def _is_open(self, detail: Detail) -> bool:
        return not self._data.sheets[detail.sheet_id].closed

    def _last_on(self, sheet_id: int) -> datetime | None:
        return max((d.created_at for d in self._data.counted if d.sheet_id == sheet_id), default=None)

    def _details_of(self, day: date) -> list[Detail]:
        """List the day's details, latest first."""
        found = [detail for detail in self._data.counted if detail.day == day]
        return sorted(found, key=lambda detail: (detail.created_at, detail.id), reverse=True)

    def _detail_of_today(self, detail: Detail) -> DetailOfToday:
        product = self._data.products[detail.product_id]
        named = ProductNameView(id=product.id, name=product.name, unit=product.unit)
        return DetailOfToday(detail.id, detail.sheet_id, named, detail.quantity, None)
