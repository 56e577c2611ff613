"""Contract of every store: ordering, paging and filtering of lists."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import (
    AREA_SORTS,
    CATEGORY_SORTS,
    PRODUCT_SORTS,
    ROOM_SORTS,
    ProductQuery,
    RoomQuery,
    RoomSheetView,
)
from application.common.paging import ListQuery, Sort, read_offset
from application.people.views import PATIENT_SORTS, STAFF_SORTS, PatientQuery, StaffQuery
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery
from application.sheets.views import SHEET_SORTS, SheetQuery, SheetView
from domain.common.text import fold, fold_product
from domain.people.patient import search_text
from tests.builders import TODAY, AnyStore, Ward

# --- orders ----------------------------------------------------------------------------------------------------------


def called(person: Any) -> str:
    return f"{person['name']} {person['first_surname']} {person['second_surname'] or ''}"


def by_surname(person: Any) -> str:
    return fold(f"{person['first_surname']} {person['second_surname'] or ''} {person['name']}")


Key = Callable[[Any], Any]

# For each list: the fields that order it, and the sort key of an item for each field. Missing values come first.
ORDERS: dict[str, tuple[frozenset[str], type[ListQuery], dict[str, Key]]] = {
    "areas": (AREA_SORTS, ListQuery, {"name": lambda i: fold(i["name"])}),
    "categories": (
        CATEGORY_SORTS,
        ListQuery,
        {"name": lambda i: fold(i["name"]), "category_code": lambda i: i["code"].casefold()},
    ),
    "products": (
        PRODUCT_SORTS,
        ProductQuery,
        {
            "name": lambda i: fold_product(i["name"]),
            "price": lambda i: i["price"],
            "category": lambda i: fold(i["category"]["name"]),
            "code": lambda i: (i["code"] or "").casefold(),
        },
    ),
    "rooms": (
        ROOM_SORTS,
        RoomQuery,
        {
            "name": lambda i: fold(i["name"]),
            "area": lambda i: fold(i["area"]["name"]),
            "status": lambda i: i["status"],
            "type": lambda i: i["type"],
        },
    ),
    "patients": (
        PATIENT_SORTS,
        PatientQuery,
        {
            "name": lambda i: search_text(i["name"], i["first_surname"], i["second_surname"], i["record_number"]),
            "first_surname": by_surname,
            "date_of_birth": lambda i: i["date_of_birth"] or date.min,
            "active": lambda i: i["active"],
            "record_number": lambda i: (i["record_number"] or "").casefold(),
        },
    ),
    "staff": (
        STAFF_SORTS,
        StaffQuery,
        {
            "name": lambda i: fold(called(i)),
            "first_surname": by_surname,
            "job_title": lambda i: i["job_title"] or "",
        },
    ),
    "sheets": (
        SHEET_SORTS,
        SheetQuery,
        {
            "admission_date": lambda i: i["admission_date"],
            "patient": lambda i: by_surname(i["patient"]),
            "room": lambda i: fold(i["room"]["name"]),
            "doctor": lambda i: i["doctor"],
            "deleted_at": lambda i: i["deleted_at"] or 0,
            "total": lambda i: i["total"],
        },
    ),
    "details": (
        DETAIL_SORTS,
        DetailQuery,
        {
            "created_at": lambda i: i["created_at"],
            "product": lambda i: fold(i["product"]["name"]),
            "quantity": lambda i: i["quantity"],
            "unit_price": lambda i: i["unit_price"],
            "total": lambda i: i["total"],
        },
    ),
}


@pytest.fixture
def mixed(ward: Ward) -> Ward:
    """Return a ward with several of each thing, unordered, some incomplete."""
    uc, admin = ward.use_cases, ward.admin
    areas = [uc.areas.create(admin, AreaDraft(name=name)).id for name in ("quirófano", "Álamo", "Zeta", "Ñu", "beta")]
    for number, name in enumerate(("Zeta", "álgida", "Beta")):
        uc.categories.create(admin, CategoryDraft(code=f"{'bAc'[number]}-1", name=name))
    rooms = [
        uc.rooms.create(
            admin, RoomDraft(name=name, status=4 - number, type=1 + number, area_id=areas[-number])
        ).id
        for number, name in enumerate(("b2", "B1", "á3", "10"))
    ]  # fmt: skip
    people = [("Zoe", "Álvarez", None), ("ana", "alba", "Mora"), ("Álex", "Núñez", "Gil"), ("Bea", "Nunez", None)]
    patients = []
    for number, (name, first, second) in enumerate(people):
        born = None if number == 1 else date(1990 - number, 1, 1)
        record = None if number == 2 else f"{'zYx'[number % 3]}-{number}"
        patient = ward.patient(name, first, second_surname=second, date_of_birth=born, record_number=record)
        patients.append(patient.id)
        ward.patient(name, first, active=0)
        ward.staff(name, first, second_surname=second, job_title=None if number == 3 else "CAB"[number])
    products = [ward.product(name, price, code=code).id for name, price, code in (
        ("Venda", "9.99", "z"), ("árnica", "10.00", None), ("Gel", "0.50", "B"), ("gel", "100.00", "a"),
    )]  # fmt: skip
    for number, (patient_id, room_id) in enumerate(zip(patients, rooms, strict=True)):
        for closed in (False, True):
            ward.clock.advance(minutes=7)
            sheet_id = ward.sheet(
                patient_id=patient_id,
                room_id=room_id,
                doctor="CADB"[number],
                admission_date=date(2091, 4, 10 + (number * 3) % 4),
            )["id"]
            for extra in range(number % 3):
                ward.detail(sheet_id, str((number + 1) * 3 % 7 + extra), product_id=products[number])
            if closed:
                uc.sheets.close(admin, sheet_id)
    return ward


def all_of(ward: Ward, name: str, query: ListQuery) -> list[Any]:
    with ward.store.read() as views:
        items: list[Any] = getattr(views, name).page(query)["items"]
    return items


LISTS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in ORDERS] + [("sheets", {"closed": True})]


def test_every_list_is_ordered_by_each_field_in_both_directions(mixed: Ward) -> None:
    for name, asked in LISTS:
        sorts, query, keys = ORDERS[name]
        assert sorts == {"id", *keys}
        for field in sorts:
            key = keys.get(field, lambda item: item["id"])
            ascending = all_of(mixed, name, query(limit=100, sort=Sort(field), **asked))
            descending = all_of(mixed, name, query(limit=100, sort=Sort(field, descending=True), **asked))
            assert len(ascending) > 3, name
            assert ascending == sorted(ascending, key=lambda item: (key(item), item["id"])), (name, field)
            assert descending == ascending[::-1], (name, field)


# The default order: things by name, people by surname, records newest first.
UNASKED: list[tuple[str, dict[str, Any], Key]] = [
    ("areas", {}, lambda i: fold(i["name"])),
    ("categories", {}, lambda i: fold(i["name"])),
    ("products", {}, lambda i: fold(i["name"])),
    ("rooms", {}, lambda i: fold(i["name"])),
    ("patients", {}, by_surname),
    ("staff", {}, by_surname),
    ("sheets", {}, lambda i: -i["admission_date"].toordinal()),
    ("sheets", {"closed": True}, lambda i: -i["deleted_at"].timestamp()),
    ("details", {}, lambda i: -i["created_at"].timestamp()),
]


def test_default_order_is_by_name_and_newest_first_for_records(mixed: Ward) -> None:
    for name, asked, key in UNASKED:
        direction = -1 if name in ("sheets", "details") else 1
        items = all_of(mixed, name, ORDERS[name][1](limit=100, **asked))
        assert len(items) > 3, name
        assert items == sorted(items, key=lambda item: (key(item), direction * item["id"])), name


def test_a_list_shows_the_same_as_single_reads(mixed: Ward) -> None:
    for name, asked in LISTS:
        items = all_of(mixed, name, ORDERS[name][1](limit=100, **asked))
        with mixed.store.read() as views:
            alone = [getattr(views, name).one(item["id"]) for item in items]
            # A single read of a sheet also has its stays and the state of its charges.
            reported = [{key: value for key, value in one.items() if key not in ("stays", "charging")} for one in alone]
            assert items == reported, name
            assert getattr(views, name).one(999) is None


def test_details_have_product_codes_and_sheets_patient_ids(mixed: Ward) -> None:
    codes = {item["id"]: item["code"] for item in all_of(mixed, "products", ProductQuery(limit=100))}
    details = all_of(mixed, "details", DetailQuery(limit=100))
    assert {detail["product"]["code"] for detail in details} > {None}
    assert all(detail["product"]["code"] == codes[detail["product_id"]] for detail in details)
    patients = {item["id"]: item for item in all_of(mixed, "patients", PatientQuery(limit=100))}
    sheets = all_of(mixed, "sheets", SheetQuery(limit=100))
    for field in ("record_number", "date_of_birth"):
        assert {sheet["patient"][field] for sheet in sheets} > {None}, field
        assert all(sheet["patient"][field] == patients[sheet["patient_id"]][field] for sheet in sheets)


@pytest.mark.parametrize(
    "asked", [{}, {"q": "gel"}, {"sort": Sort("total")}, {"consumption_sheet_id": 4}, {"limit": 2}, {"since": TODAY}]
)
def test_exported_details_are_the_listed_ones_with_patients(mixed: Ward, asked: Any) -> None:
    query = DetailQuery(**{"limit": 100} | asked)
    with mixed.store.read() as views:
        listed, exported = views.details.page(query), views.exported_details.page(query)
        sheets = {item["consumption_sheet_id"]: None for item in listed["items"]}
        rooms = views.names("room_id", {item["room_id"] for item in listed["items"] if item["room_id"]})
        patients = {sheet_id: sheet["patient"] for sheet_id in sheets if (sheet := views.sheets.one(sheet_id))}
    assert exported["meta"] == listed["meta"]
    assert exported["items"]
    assert exported["items"] == [
        {**item, "patient_id": patients[sheet]["id"], "patient": patients[sheet]}
        | {"room": {"id": item["room_id"], "name": rooms[item["room_id"] or 0]}}
        for item, sheet in zip(listed["items"], (item["consumption_sheet_id"] for item in listed["items"]), strict=True)
    ]


def test_the_pages_of_a_list_add_up_to_the_whole(mixed: Ward) -> None:
    for sort in (None, Sort("name"), Sort("price", descending=True)):
        whole = all_of(mixed, "products", ProductQuery(limit=100, sort=sort))
        for limit in (1, 3, len(whole), 100):
            found: list[Any] = []
            pages = -(-len(whole) // limit)
            with mixed.store.read() as views:
                for number in range(1, pages + 1):
                    page = views.products.page(ProductQuery(page=number, limit=limit, sort=sort))
                    assert page["meta"] == {"page": number, "limit": limit, "total": len(whole), "pages": pages}
                    found += page["items"]
                beyond = views.products.page(ProductQuery(page=pages + 1, limit=limit, sort=sort))
            assert found == whole
            assert (beyond["items"], beyond["meta"]["total"]) == ([], len(whole))


@pytest.mark.parametrize("q", [None, "a"])
@pytest.mark.parametrize("sort", [None, Sort("id", descending=True)])
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("areas", ListQuery),
        ("categories", ListQuery),
        ("rooms", RoomQuery),
        ("patients", PatientQuery),
        ("staff", StaffQuery),
        ("sheets", SheetQuery),
        ("details", DetailQuery),
    ],
)
def test_a_list_is_read_by_cursors_without_page_numbers(
    mixed: Ward, name: str, query: type[ListQuery], sort: Sort | None, q: str | None
) -> None:
    whole = all_of(mixed, name, query(limit=100, sort=sort, q=q))
    assert len(whole) > 1 or q
    for limit in (1, 2, 100):
        found: list[Any] = []
        asked = query(limit=limit, offset=0, sort=sort, q=q)
        with mixed.store.read() as views:
            while True:
                page = getattr(views, name).page(asked)
                found += page["items"]
                following = page["meta"].get("next")
                if following is None:
                    break
                asked = read_offset(replace(asked, cursor=following, offset=None))
        assert found == whole


def test_an_empty_list_has_no_pages(store: AnyStore) -> None:
    with store.read() as views:
        areas = views.areas.page(ListQuery())
        assert areas["items"] == []
        for meta in (
            areas["meta"],
            views.sheets.page(SheetQuery(closed=True))["meta"],
            views.details.page(DetailQuery())["meta"],
        ):
            assert meta == {"page": 1, "limit": 25, "total": 0, "pages": 0}


def test_a_patient_has_the_number_of_open_sheets(ward: Ward) -> None:
    twice, once, never = (ward.patient("Ana", surname).id for surname in ("Alba", "Bravo", "Cruz"))
    first = ward.sheet(patient_id=twice)["id"]
    for patient_id in (twice, once):
        ward.sheet(patient_id=patient_id)

    def reported() -> list[int]:
        with ward.store.read() as views:
            found = {item["id"]: item["open_sheets"] for item in views.patients.page(PatientQuery(q="ana"))["items"]}
        return [found[patient_id] for patient_id in (twice, once, never)]

    assert reported() == [2, 1, 0]
    ward.use_cases.sheets.close(ward.admin, first)
    assert reported() == [1, 1, 0]


def test_a_room_has_its_open_sheets_oldest_admission_first(ward: Ward) -> None:
    other = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="Z", status=1, type=1, area_id=ward.area_id)).id
    second, first, elsewhere, gone = (
        ward.sheet(admission_date=TODAY - timedelta(days=days), room_id=room_id)
        for days, room_id in ((1, ward.room_id), (2, ward.room_id), (1, other), (3, ward.room_id))
    )
    also_second = ward.sheet(admission_date=TODAY - timedelta(days=1))
    ward.use_cases.sheets.close(ward.admin, gone["id"])

    def reported(sheet: SheetView) -> RoomSheetView:
        name = ("id", "name", "first_surname", "second_surname")
        patient: Any = {field: value for field, value in sheet["patient"].items() if field in name}
        return {"id": sheet["id"], "patient": patient, "admission_date": sheet["admission_date"]}

    here = [reported(first), reported(second), reported(also_second)]
    with ward.store.read() as views:
        found = {room["id"]: room["sheets"] for room in views.rooms.page(RoomQuery())["items"]}
        assert found == {ward.room_id: here, other: [reported(elsewhere)]}
        assert [room and room["sheets"] for room in (views.rooms.one(ward.room_id), views.rooms.one(other))] == [
            here,
            [reported(elsewhere)],
        ]


# --- filters ---------------------------------------------------------------------------------------------------------


def test_each_filter_selects_the_expected_items(mixed: Ward) -> None:
    everything = {
        "products": all_of(mixed, "products", ProductQuery(limit=100)),
        "rooms": all_of(mixed, "rooms", RoomQuery(limit=100)),
        "patients": all_of(mixed, "patients", PatientQuery(limit=100)),
        "staff": all_of(mixed, "staff", StaffQuery(limit=100)),
        "details": all_of(mixed, "details", DetailQuery(limit=100)),
        "open": all_of(mixed, "sheets", SheetQuery(limit=100)),
        "closed": all_of(mixed, "sheets", SheetQuery(limit=100, closed=True)),
    }
    detail, opened, room = everything["details"][0], everything["open"][0], everything["rooms"][0]
    asked: list[tuple[str, ListQuery, Key]] = [
        ("products", ProductQuery(category_id=mixed.category_id), lambda i: i["category_id"] == mixed.category_id),
        ("products", ProductQuery(category_id=999), lambda _: False),
        ("products", ProductQuery(active=True), lambda i: i["active"]),
        ("products", ProductQuery(active=False), lambda i: not i["active"]),
        ("rooms", RoomQuery(area_id=room["area_id"]), lambda i: i["area_id"] == room["area_id"]),
        ("rooms", RoomQuery(status=room["status"]), lambda i: i["status"] == room["status"]),
        ("rooms", RoomQuery(area_id=room["area_id"], status=5 - room["status"]), lambda _: False),
        ("patients", PatientQuery(active=True), lambda i: i["active"] == 1),
        ("patients", PatientQuery(active=False), lambda i: i["active"] == 0),
        ("staff", StaffQuery(unassigned=True), lambda i: i["user_id"] is None),
        ("staff", StaffQuery(unassigned=False), lambda _: True),
        (
            "details",
            DetailQuery(consumption_sheet_id=detail["consumption_sheet_id"]),
            lambda i: i["consumption_sheet_id"] == detail["consumption_sheet_id"],
        ),
        ("details", DetailQuery(product_id=detail["product_id"]), lambda i: i["product_id"] == detail["product_id"]),
        ("details", DetailQuery(staff_id=mixed.nurse.staff_id), lambda i: i["staff_id"] == mixed.nurse.staff_id),
        ("details", DetailQuery(area_id=mixed.area_id), lambda i: i["area_id"] == mixed.area_id),
        ("open", SheetQuery(without_visit=True), lambda i: i["visit_number"] is None),
        ("open", SheetQuery(patient_id=opened["patient_id"]), lambda i: i["patient_id"] == opened["patient_id"]),
        ("open", SheetQuery(room_id=opened["room_id"]), lambda i: i["room_id"] == opened["room_id"]),
        (
            "open",
            SheetQuery(area_id=opened["room"]["area_id"]),
            lambda i: i["room"]["area_id"] == opened["room"]["area_id"],
        ),
        (
            "closed",
            SheetQuery(closed=True, patient_id=opened["patient_id"]),
            lambda i: i["patient_id"] == opened["patient_id"],
        ),
        ("open", SheetQuery(patient_id=opened["patient_id"], room_id=999), lambda _: False),
    ]
    for name, query, lets_through in asked:
        kind = "sheets" if name in ("open", "closed") else name
        assert all_of(mixed, kind, query) == [item for item in everything[name] if lets_through(item)], query
    assert {item["closed"] for item in everything["open"]} == {False}
    assert {item["closed"] for item in everything["closed"]} == {True}


def test_from_and_to_are_inclusive_days_of_the_hospital(ward: Ward) -> None:
    """The hospital's May 3rd lasts from 06:00 to 06:00 UTC of the next day."""
    moments = [
        datetime(2091, 5, 3, 5, 59, 59, 999999, tzinfo=UTC),
        datetime(2091, 5, 3, 6, 0, tzinfo=UTC),
        datetime(2091, 5, 4, 5, 59, 59, 999999, tzinfo=UTC),
        datetime(2091, 5, 4, 6, 0, tzinfo=UTC),
    ]
    admitted = date(2091, 5, 2)
    of_details, of_closings = ward.sheet(admission_date=admitted)["id"], []
    for moment in moments:
        ward.clock.now = moment
        ward.detail(of_details)
        of_closings.append(ward.sheet(admission_date=admitted)["id"])
        ward.use_cases.sheets.close(ward.admin, of_closings[-1])
    third, fourth = date(2091, 5, 3), date(2091, 5, 4)
    for since, until, expected in (
        (third, third, moments[1:3]),
        (third, None, moments[1:]),
        (None, third, moments[:3]),
        (fourth, None, moments[3:]),
        (None, date(2091, 5, 2), moments[:1]),
        (fourth, third, []),
        (date.min, date.max, moments),
    ):
        details = all_of(ward, "details", DetailQuery(since=since, until=until))
        closed = all_of(ward, "sheets", SheetQuery(closed=True, since=since, until=until))
        assert [item["created_at"] for item in details] == expected[::-1]
        assert [item["deleted_at"] for item in closed] == expected[::-1]


def test_from_and_to_of_open_sheets_are_days_of_admission(ward: Ward) -> None:
    days = [date(2091, 5, day) for day in (1, 2, 3)]
    for day in days:
        ward.sheet(admission_date=day)
    for since, until, expected in (
        (days[1], days[1], days[1:2]),
        (days[1], None, days[1:]),
        (None, days[1], days[:2]),
        (date.min, date.max, days),
    ):
        found = all_of(ward, "sheets", SheetQuery(since=since, until=until))
        assert [item["admission_date"] for item in found] == expected[::-1]
