"""Read details, in memory."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TypeVar

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of, read_moment
from adapters.memory.readers.people import sheet_patient_view
from application.paging import Page
from application.sheets.detail_draft import detail_view
from application.views.details import DetailQuery, DetailView, ExportedDetailView, UserNameView, Voided, VoidedView
from application.views.sheets import PlaceView
from domain import sheet
from domain.scanning.lot import missing_of_implant
from domain.text import code_key, fold_product, full_name, product_words

Detail = TypeVar("Detail", bound=DetailView)


@dataclass(frozen=True, kw_only=True)
class MemoryDetailsView(MemoryView[Detail, DetailQuery]):
    """Reads details, latest recorded first; ranges of days are by day."""

    stored: Mapping[int, sheet.Detail]
    view_of: Callable[[int], Detail]

    def page(self, query: DetailQuery) -> Page[Detail]:
        """Return one page of the list."""
        sheet_id = query.consumption_sheet_id
        of_sheet = self if sheet_id is None else replace(self, everything=lambda: self._of_sheet(sheet_id))
        if query.since is None and query.until is None:
            return super(MemoryDetailsView, of_sheet).page(query)
        of_days = replace(
            of_sheet,
            order=lambda item: (item["day"], item["id"]),
            sorts={**self.sorts, "created_at": lambda item: item["day"]},
            cursor_key=lambda item: item["day"],
            read_key=date.fromisoformat,
        )
        return super(MemoryDetailsView, of_days).page(query)

    def _of_sheet(self, sheet_id: int) -> Iterator[Detail]:
        return (self.view_of(each) for each, detail in self.stored.items() if detail.sheet_id == sheet_id)

    def one(self, id: int) -> Detail | None:
        """Return a detail unless it is voided."""
        return self.view_of(id) if id in self.stored and not self.stored[id].voided else None

    def by_ids(self, ids: Collection[int]) -> list[Detail]:
        """Return the details with these ids, voided ones too, by id."""
        return [self.view_of(each) for each in sorted({*ids} & self.stored.keys())]


def read_details(data: MemoryData) -> MemoryDetailsView[DetailView]:
    return _details_as(data, partial(_detail, data))


def read_exported_details(data: MemoryData) -> MemoryDetailsView[ExportedDetailView]:
    return _details_as(data, partial(_exported_detail, data))


def _details_as(data: MemoryData, view_of: Callable[[int], Detail]) -> MemoryDetailsView[Detail]:
    return MemoryDetailsView(
        stored=data.details,
        view_of=view_of,
        everything=lambda: [view_of(detail_id) for detail_id in data.details],
        matches=lambda item, query: (
            _is_listed(item, query.voided)
            and query.product_id in (None, item["product_id"])
            and query.staff_id in (None, item["staff_id"])
            and query.area_id in (None, item["area_id"])
            and query.room_id in (None, item["room_id"])
            and query.category_id in (None, item["product"]["category"]["id"])
            and (query.shift is None or query.shift.includes(item["occurred_at"] or item["created_at"]))
            and (not query.lot or code_key(item["lot"] or "") == code_key(query.lot))
            and (not query.serial or code_key(item["serial"] or "") == code_key(query.serial))
            and (not query.implant or item["product"]["implant"])
            and query.incomplete in (None, not (item["lot"] and item["serial"]))
            and query.form_id in (None, item["form_id"])
            and (query.gtin_prefix is None or (item["gtin"] is not None and item["gtin"].startswith(query.gtin_prefix)))
            and query.patient_id in (None, _patient_of(data, item["consumption_sheet_id"]))
            and (query.since or date.min) <= item["day"] <= (query.until or date.max)
        ),
        searched=lambda item: (fold_product(item["product"]["name"]),),
        words_of=product_words,
        order=lambda item: (item["created_at"], item["id"]),
        sorts={
            "id": id_of,
            "created_at": lambda item: item["created_at"],
            "product": lambda item: fold_product(item["product"]["name"]),
            "quantity": lambda item: item["quantity"],
            "unit_price": lambda item: item["unit_price"],
            "total": lambda item: item["total"],
        },
        newest_first=True,
        cursor_key=lambda item: item["created_at"],
        read_key=read_moment,
        bounded=False,
    )


def _patient_of(data: MemoryData, sheet_id: int) -> int:
    patient_id: int = data.sheets[sheet_id].patient_id
    return patient_id


def _detail(data: MemoryData, id: int) -> DetailView:
    detail = data.details[id]
    product = data.products[detail.product_id]
    view = detail_view(
        detail,
        product,
        data.categories[product.category_id],
        data.staff.get(detail.staff_id or 0),
        data.areas.get(detail.area_id or 0),
        data.kits.get(detail.kit_id or 0),
    )
    if detail.voided_at is not None and detail.voided_by is not None:
        user = data.users[detail.voided_by]
        person = data.staff.get(user.staff_id or 0)
        name = full_name(person.name, person.first_surname, person.second_surname) if person else user.email
        view["voided"] = VoidedView(
            at=detail.voided_at, by=UserNameView(id=user.id, name=name), reason=detail.void_reason
        )
    return view


def _exported_detail(data: MemoryData, id: int) -> ExportedDetailView:
    patient = data.patients[data.sheets[data.details[id].sheet_id].patient_id]
    room = data.rooms.get(data.details[id].room_id or 0)
    place = PlaceView(id=room.id, name=room.name) if room else None
    return {**_detail(data, id), "patient_id": patient.id, "patient": sheet_patient_view(patient), "room": place}


def is_untraced(data: MemoryData, detail: sheet.Detail) -> bool:
    """Return whether an implant lacks its lot or serial number."""
    return data.products[detail.product_id].implant and missing_of_implant(detail.pack) is not None


def _is_listed(item: DetailView, voided: Voided | None) -> bool:
    if voided is Voided.INCLUDE:
        return True
    return ("voided" in item) == (voided is Voided.ONLY)
