"""A user's own shift, in memory."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from adapters.memory.data import MemoryData
from adapters.memory.readers.people import person_view, sheet_patient_view
from application.ports.readers.shift import LINES_OF_USER
from application.views.catalogue import ProductNameView
from application.views.shift import NoticeSheetView, NoticeView, ShiftSheetView, ShiftUnlistedItemView
from domain.money import ZERO_QUANTITY
from domain.notice import Notice, NoticeKind
from domain.sheet import Detail
from domain.text import full_name


class MemoryShift:
    """The queries of a user's shift."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def recorded(self, user_id: int, since: datetime, until: datetime) -> list[ShiftSheetView]:
        """List the sheets on which the user recorded lines in a period."""
        own = sorted((one for one in self._data.counted if one.user_id == user_id), key=lambda one: one.id)
        by_sheet: dict[int, list[Detail]] = defaultdict(list)
        for detail in own[-LINES_OF_USER:]:
            if since <= self._recorded_at(detail) < until:
                by_sheet[detail.sheet_id].append(detail)
        return [
            ShiftSheetView(
                id=sheet.id,
                closed=sheet.closed,
                patient=sheet_patient_view(self._data.patients[sheet.patient_id]),
                room=self._data.rooms[sheet.room_id].name,
                lines=len(details),
                units=sum((detail.quantity for detail in details), ZERO_QUANTITY),
                last_recorded_at=max(detail.created_at for detail in details),
            )
            for sheet_id, details in by_sheet.items()
            for sheet in [self._data.sheets[sheet_id]]
        ]

    def _recorded_at(self, detail: Detail) -> datetime:
        """Return when the user recorded the line, even if it was corrected."""
        is_by_other = any(
            notice.detail_id == detail.id and notice.kind is NoticeKind.QUANTITY_CORRECTED
            for notice in self._data.notices.values()
        )
        corrected = detail.corrected_from is not None and is_by_other
        return detail.occurred_at or detail.created_at if corrected else detail.created_at

    def unlisted_items(self, user_id: int, *, most: int) -> list[ShiftUnlistedItemView]:
        """List the open unlisted items that the user noted, latest first."""
        noted = [item for item in self._data.unlisted_items.values() if item.open and item.user_id == user_id]
        return [
            ShiftUnlistedItemView(
                id=item.id,
                sheet=self._sheet(item.sheet_id),
                description=item.description,
                quantity=item.quantity,
                created_at=item.created_at,
            )
            for item in sorted(noted, key=lambda item: item.id, reverse=True)[:most]
        ]

    def unseen_notices(self, user_id: int, *, most: int) -> list[NoticeView]:
        """List the user's unseen notices, latest first."""
        return [self._notice(one) for one in self._notices_of(user_id) if one.seen_at is None][:most]

    def notices_between(self, user_id: int, since: datetime, until: datetime, *, most: int) -> list[NoticeView]:
        """List the user's notices of a period, latest first."""
        return [self._notice(one) for one in self._notices_of(user_id) if since <= one.at < until][:most]

    def _notices_of(self, user_id: int) -> Iterator[Notice]:
        """Yield the notices of lines that still exist."""
        for notice in reversed(self._data.notices.values()):
            if notice.user_id == user_id and notice.detail_id in self._data.details:
                yield notice

    def _notice(self, notice: Notice) -> NoticeView:
        actor = self._data.users[notice.actor_id]
        profile = self._data.staff.get(actor.staff_id or 0)
        source = notice.from_sheet_id if notice.from_sheet_id in self._data.sheets else None
        return NoticeView(
            id=notice.id,
            kind=notice.kind,
            at=notice.at,
            by=full_name(profile.name, profile.first_surname, profile.second_surname) if profile else actor.email,
            seen_at=notice.seen_at,
            sheet=self._sheet(notice.sheet_id),
            moved_from=None if source is None else self._sheet(source),
            detail_id=notice.detail_id,
            product=self._product(notice.product_id),
            quantity=notice.quantity,
            new_product=self._product(notice.new_product_id),
            new_quantity=notice.new_quantity,
        )

    def _sheet(self, sheet_id: int) -> NoticeSheetView:
        sheet = self._data.sheets[sheet_id]
        return NoticeSheetView(
            id=sheet.id,
            closed=sheet.closed,
            patient=person_view(self._data.patients[sheet.patient_id]),
            room=self._data.rooms[sheet.room_id].name,
        )

    def _product(self, product_id: int | None) -> ProductNameView | None:
        product = self._data.products.get(product_id or 0)
        return (
            ProductNameView(id=product.id, name=product.name, code=product.code, unit=product.unit) if product else None
        )
