"""Contract of every store: searching, ordering and paging of lists."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

import application.common.paging
from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
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
from application.common.paging import InvalidQuery, ListQuery, Sort, read_offset, write_cursor
from application.people.views import PATIENT_SORTS, STAFF_SORTS, PatientQuery, StaffQuery
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery
from application.sheets.views import SHEET_SORTS, SheetQuery, SheetView
from domain.catalogue.product import Product
from domain.common.text import fold, fold_code, fold_product, product_words
from domain.people.patient import search_text
from tests.builders import NOON, TODAY, AnyStore, Ward

# --- searching -------------------------------------------------------------------------------------------------------

CATALOGUE: list[tuple[str, str | None, str | None]] = [
    ("Tubo con cánula", "T-1", "4006381333931"),
    ("Cánula nasal pediátrica", "nasal", None),
    ("Cánula nasal adulto", None, None),
    ("Sonda Ñélaton 14 Fr", "adulto 9", None),
    ("Guante de nitrilo T-M", "G-1", None),
    ("100% algodón", "%", None),
    ("Cinta_adhesiva 2 cm", None, None),
    ("Cinta adhesiva 5 cm", None, None),
    ('Aguja 21G "roja"', None, None),
    ("Catéter 3/8' (largo)", None, None),
    ("Ruta C:\\temp", None, None),
    ("Gel", "gel-1", None),
    ("gel frío", None, None),
    ("AND OR NOT", None, None),
    ("Öl*", None, None),
    ("Gasa 10 × 10 cm", "MC-0005", None),
    ("Gasa 10 x 20 CM", "MC 00 06", None),
    ("Micro–gotero", "A.1", None),
    ("Macrogotero", "a1", None),
    ("Sutura 3-0", "30", None),
]

FOUND: list[tuple[str, list[str]]] = [
    # case and accents do not matter
    ("canula", ["Cánula nasal adulto", "Cánula nasal pediátrica", "Tubo con cánula"]),
    ("CÁNULA", ["Cánula nasal adulto", "Cánula nasal pediátrica", "Tubo con cánula"]),
    ("ca\u0301nula", ["Cánula nasal adulto", "Cánula nasal pediátrica", "Tubo con cánula"]),
    ("nelaton", ["Sonda Ñélaton 14 Fr"]),
    ("ol*", ["Öl*"]),
    # every word, anywhere in the name, in any order
    ("nula", ["Cánula nasal adulto", "Cánula nasal pediátrica", "Tubo con cánula"]),
    ("cánula tubo", ["Tubo con cánula"]),
    ("  adulto \t nula ", ["Cánula nasal adulto"]),
    ("cánula gel", []),
    ("14 fr nel", ["Sonda Ñélaton 14 Fr"]),
    # names that begin with the text first, then by name
    ("cinta", ["Cinta adhesiva 5 cm", "Cinta_adhesiva 2 cm"]),
    ("gu", ["Guante de nitrilo T-M", 'Aguja 21G "roja"']),
    ("con", ["Tubo con cánula"]),
    ("gel", ["Gel", "gel frío"]),
    ("gel f", ["gel frío"]),
    # words of one and two letters
    ("fr", ["gel frío", "Sonda Ñélaton 14 Fr"]),
    ("5", ["Cinta adhesiva 5 cm"]),
    ("cm 5", ["Cinta adhesiva 5 cm"]),
    # punctuation matches literally
    ("_", ["Cinta_adhesiva 2 cm"]),
    ("a_a", ["Cinta_adhesiva 2 cm"]),
    ("\\", ["Ruta C:\\temp"]),
    ("c:\\t", ["Ruta C:\\temp"]),
    ('"', ['Aguja 21G "roja"']),
    ('"roja"', ['Aguja 21G "roja"']),
    ("'", ["Catéter 3/8' (largo)"]),
    ("(largo", ["Catéter 3/8' (largo)"]),
    ("3/8' (l", ["Catéter 3/8' (largo)"]),
    ("100%", ["100% algodón"]),
    ("0% al", ["100% algodón"]),
    ("1%0", []),
    ("*", ["Öl*"]),
    ("and or not", ["AND OR NOT"]),
    ("gel OR cinta", []),
    ("name_folded:gel", []),
    ("gel -frío", ["gel frío"]),
    # but codes match by letters and digits only
    ("^gel", ["Gel"]),
    ("'; DROP TABLE products;--", []),
    # an exact code comes first in any case, and is found even if the words match nothing
    ("%", ["100% algodón"]),
    ("NASAL", ["Cánula nasal pediátrica", "Cánula nasal adulto"]),
    ("adulto 9", ["Sonda Ñélaton 14 Fr"]),
    ("t-1", ["Tubo con cánula"]),
    (" T-1 ", ["Tubo con cánula"]),
    ("g-1", ["Guante de nitrilo T-M"]),
    # separators in a code do not matter; the identical code comes first
    ("mc0005", ["Gasa 10 × 10 cm"]),
    ("MC 0005", ["Gasa 10 × 10 cm"]),
    ("mc-00-06", ["Gasa 10 x 20 CM"]),
    ("a1", ["Macrogotero", "Micro–gotero"]),
    ("A.1", ["Micro–gotero", "Macrogotero"]),
    # part of a code matches: prefixes come first, and from three letters and digits on any part
    ("mc000", ["Gasa 10 × 10 cm", "Gasa 10 x 20 CM"]),
    ("MC-00", ["Gasa 10 × 10 cm", "Gasa 10 x 20 CM"]),
    ("mc", ["Gasa 10 × 10 cm", "Gasa 10 x 20 CM"]),
    ("c-000", ["Gasa 10 × 10 cm", "Gasa 10 x 20 CM"]),
    ("0006", ["Gasa 10 x 20 CM"]),
    ("06", []),
    # × and x are equal, with or without blanks; a hyphen joins words, except two numbers
    ("10x10", ["Gasa 10 × 10 cm"]),
    ("10 X 10", ["Gasa 10 × 10 cm"]),
    ("10×", ["Gasa 10 × 10 cm", "Gasa 10 x 20 CM"]),
    ("x 20", ["Gasa 10 x 20 CM"]),
    ("gasa 10 ×20", ["Gasa 10 x 20 CM"]),
    ("microgot", ["Micro–gotero"]),
    ("micro-gotero", ["Micro–gotero"]),
    ("macro-gotero", ["Macrogotero"]),
    ("micro-", ["Micro–gotero"]),
    ("t-m", ["Guante de nitrilo T-M"]),
    ("tm", ["Guante de nitrilo T-M"]),
    ("3-0", ["Sutura 3-0"]),
    ("sutura 30", []),
]


@pytest.fixture
def catalogue(ward: Ward) -> Ward:
    """Return a ward that has only the products of the catalogue."""
    with ward.store.begin() as work:
        gauze = work.products.get(ward.product_id)
        assert gauze is not None
        gauze.name = "zzz"
        work.products.save(gauze)
        for name, code, gtin in CATALOGUE:
            product = Product(name=name, price=Decimal(1), category_id=ward.category_id, code=code, gtin=gtin)
            work.products.add(product)
    return ward


def names(ward: Ward, **asked: Any) -> list[str]:
    """Return the names of the products that a query finds."""
    with ward.store.read() as views:
        page = views.products.page(ProductQuery(**asked))
    assert page["meta"]["total"] >= len(page["items"])
    return [item["name"] for item in page["items"]]


def test_a_search_finds_the_products_of_the_table_in_order(catalogue: Ward) -> None:
    assert [(q, names(catalogue, q=q)) for q, _ in FOUND] == FOUND


def test_every_substring_of_a_name_finds_the_expected_products(catalogue: Ward) -> None:
    """Compare the search with one in plain Python, for parts of all names."""
    folded = {name: fold_product(name) for name, *_ in CATALOGUE} | {"zzz": "zzz"}
    codes = {name: fold_code(code) for name, code, _ in CATALOGUE if code}
    exact = {code.casefold() for _, code, _ in CATALOGUE if code}
    pieces = {name[start : start + length] for name in folded for start in range(len(name)) for length in (1, 2, 4, 7)}
    for piece in sorted(pieces):
        words = product_words(piece)
        part = fold_code(piece)
        if not words or piece.strip().casefold() in exact or part in codes.values():
            continue
        by_code = {
            name
            for name, code in codes.items()
            if (len(part) >= 2 and code.startswith(part)) or (len(part) >= 3 and part in code)
        }
        expected = [name for name, text in folded.items() if name in by_code or all(word in text for word in words)]
        assert sorted(names(catalogue, q=piece)) == sorted(expected), piece
        assert [name for name in folded if piece in name and name not in expected] == [], piece


@pytest.mark.parametrize("q", [None, "", "   ", "\u0301"])
def test_an_empty_search_lists_everything_by_name(catalogue: Ward, q: str | None) -> None:
    expected = sorted([name for name, *_ in CATALOGUE] + ["zzz"], key=fold_product)
    assert names(catalogue, q=q) == expected


def test_a_gtin_matches_only_exactly_and_comes_first(catalogue: Ward) -> None:
    catalogue.product("4006381333931 en su nombre")
    assert names(catalogue, q="4006381333931") == ["Tubo con cánula", "4006381333931 en su nombre"]
    assert names(catalogue, q="400638133393") == ["4006381333931 en su nombre"]


def test_a_renamed_product_is_found_only_by_its_new_name(catalogue: Ward) -> None:
    product = catalogue.product("Mascarilla")
    draft = ProductDraft(name="Tapabocas", price=Decimal(1), category_id=catalogue.category_id)
    catalogue.use_cases.products.update(catalogue.admin, product.id, draft)
    assert (names(catalogue, q="mascarilla"), names(catalogue, q="tapabocas")) == ([], ["Tapabocas"])


def test_rolled_back_products_are_not_found(catalogue: Ward) -> None:
    def undone() -> None:
        with catalogue.store.begin() as work:
            work.products.add(Product(name="Mascarilla", price=Decimal(1), category_id=catalogue.category_id))
            raise LookupError

    with pytest.raises(LookupError):
        undone()
    assert names(catalogue, q="mascarilla") == []


def test_a_search_is_filtered_and_paged(catalogue: Ward) -> None:
    other = catalogue.use_cases.categories.create(catalogue.admin, CategoryDraft(code="X", name="Otra"))
    catalogue.product("Cánula X", category_id=other.id)
    catalogue.product("Cánula vieja", active=0)
    assert names(catalogue, q="canula", category_id=other.id) == ["Cánula X"]
    assert names(catalogue, q="canula", active=False) == ["Cánula vieja"]
    pages = [names(catalogue, q="canula", limit=2, page=page) for page in (1, 2, 3, 4)]
    assert pages == [
        ["Cánula nasal adulto", "Cánula nasal pediátrica"],
        ["Cánula vieja", "Cánula X"],
        ["Tubo con cánula"],
        [],
    ]
    with catalogue.store.read() as views:
        meta = views.products.page(ProductQuery(q="canula", limit=2))["meta"]
    assert meta == {"page": 1, "limit": 2, "total": 5, "pages": 3}


@pytest.mark.parametrize(
    "q",
    [
        *(
            "García-Lopera O’Donnell, Ana",
            "garcia lopera o'donnell ana",
            "ODonnell, Ana",
            "García – Lopera",
            "lopera-garcia",
        ),
        *("Ana. García", "GARCÍA\u00a0LOPERA", "Gar\u200bcía, A"),
    ],
)
def test_people_are_found_whatever_the_spelling_of_their_names(ward: Ward, q: str) -> None:
    """Hyphens, apostrophes and commas do not matter, in any list of people.

    The lists are patients, staff, users and sheets.
    """
    patient = ward.patient("Ana", "García Lopera", second_surname="O'Donnell")
    other = ward.patient("Ana", "García-Lopera", second_surname="O’Donnell")
    sheet = ward.sheet(patient_id=other.id)["id"]
    person = ward.staff("Ana", "García Lopera", second_surname="O´Donnell")
    with ward.store.read() as views:
        patients = [item["id"] for item in views.patients.page(PatientQuery(q=q))["items"]]
        assert sorted(patients) == [patient.id, other.id]
        assert [item["id"] for item in views.staff.page(StaffQuery(q=q))["items"]] == [person.id]
        assert [item["id"] for item in views.sheets.page(SheetQuery(q=q))["items"]] == [sheet]


def test_doctors_are_found_whatever_the_spelling_of_their_names(ward: Ward) -> None:
    sheet = ward.sheet(doctor="Dra. Núñez-O’Hara", diagnosis="Post-operatorio, día 2")["id"]
    with ward.store.read() as views:
        for q in ("Núñez O'Hara", "ohara, dra", "post operatorio", "post-op", "día 2"):
            assert [item["id"] for item in views.sheets.page(SheetQuery(q=q))["items"]] == [sheet], q


def test_people_are_found_by_any_name_patients_by_record_number(ward: Ward) -> None:
    luis = ward.patient("Luis", "Gil", second_surname="Mora", record_number="Exp-77")
    ward.patient("Mora", "Núñez")
    doctor = ward.staff("Inés", "Núñez", second_surname="Gil")

    def patients(q: str) -> list[int]:
        with ward.store.read() as views:
            return [item["id"] for item in views.patients.page(PatientQuery(q=q))["items"]]

    assert patients("gil luis") == patients("mora gil") == patients("exp-77") == [luis.id]
    assert patients("exp77") == patients("EXP 77") == patients("exp-7") == patients("77") == [luis.id]
    # A room number does not match inside a record number.
    assert patients("p-7") == patients("xp7") == patients("7") == []
    assert patients("mora") == [luis.id + 1, luis.id]  # a name that begins with the text comes first
    assert patients("nunez") == [luis.id + 1]
    with ward.store.read() as views:
        assert [item["id"] for item in views.staff.page(StaffQuery(q="gil nuñ"))["items"]] == [doctor.id]
        assert views.staff.page(StaffQuery(q="paz"))["items"][0]["user_id"] == ward.nurse.user_id


def test_the_other_lists_are_searched_too(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano"))
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="Sala 3", status=1, type=1, area_id=area.id))
    patient = ward.patient("Luis", "Gil", record_number="EXP-3")
    sheet_id = ward.sheet(patient_id=patient.id, doctor="Dra. Sánchez", diagnosis="Fractura de fémur")["id"]
    ward.sheet()
    bandage = ward.product("Venda elástica 10 × 5")
    detail_id = ward.detail(sheet_id, product_id=bandage.id)["id"]
    ward.detail(sheet_id)
    with ward.store.read() as views:
        assert [item["id"] for item in views.areas.page(ListQuery(q="quiro"))["items"]] == [area.id]
        assert [item["id"] for item in views.categories.page(ListQuery(q="curacion"))["items"]] == [ward.category_id]
        for q in ("sala", "quirofano sala", "FANO"):
            assert [item["id"] for item in views.rooms.page(RoomQuery(q=q))["items"]] == [room.id]
        for q in ("luis", "sanchez", "femur", "gil femur sanchez", "exp-3", "exp3 luis"):
            assert [item["id"] for item in views.sheets.page(SheetQuery(q=q))["items"]] == [sheet_id]
        for q in ("elast", "10x5", "venda 10 × 5"):
            assert [item["id"] for item in views.details.page(DetailQuery(q=q))["items"]] == [detail_id]


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


# --- cursors and counts ----------------------------------------------------------------------------------------------


def walk(ward: Ward, name: str, meanwhile: Callable[[], object], **asked: Any) -> Iterator[int]:
    """Yield the ids of a list read by cursors.

    ``meanwhile`` is called between two pages.
    """
    query = ORDERS[name][1]
    cursor = None
    for _ in range(20):
        with ward.store.read() as views:
            page = getattr(views, name).page(query(limit=3, cursor=cursor, **asked))
        yield from (item["id"] for item in page["items"])
        cursor = page["meta"].get("next")
        if cursor is None:
            return
        meanwhile()
    raise AssertionError("the walk has no end")


def test_cursors_meet_every_detail_once_while_others_are_added(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    there = []
    for number in range(10):
        if number % 4 == 0:  # four at the same time
            ward.clock.advance(microseconds=1)
        there.append(ward.detail(sheet_id)["id"])

    def newer() -> None:
        ward.detail(sheet_id)
        ward.clock.advance(minutes=1)
        ward.detail(sheet_id)

    assert list(walk(ward, "details", newer)) == there[::-1]
    assert list(walk(ward, "details", newer, consumption_sheet_id=999)) == []


def test_cursors_miss_no_detail_while_others_are_deleted(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    there = [ward.detail(sheet_id)["id"] for _ in range(9)]
    deleted = iter(there[::-1])  # already read
    met = list(walk(ward, "details", lambda: ward.use_cases.details.delete(ward.admin, next(deleted))))
    assert met == there[::-1]


def test_cursors_meet_each_closed_sheet_once_during_closings(ward: Ward) -> None:
    there = []
    for number in range(8):
        ward.clock.advance(microseconds=number % 2)
        there.append(ward.sheet()["id"])
        ward.use_cases.sheets.close(ward.admin, there[-1])

    def newer() -> None:
        ward.clock.advance(minutes=1)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])

    assert list(walk(ward, "sheets", newer, closed=True)) == there[::-1]


def test_cursors_meet_each_open_sheet_once_during_openings(ward: Ward) -> None:
    there = [ward.sheet(admission_date=date(2091, 5, 1 + number // 3))["id"] for number in range(8)]
    newer = date(2091, 5, 9)
    assert list(walk(ward, "sheets", lambda: ward.sheet(admission_date=newer))) == there[::-1]


def test_a_page_after_a_cursor_counts_the_whole_list(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(7):
        ward.detail(sheet_id)
    with ward.store.read() as views:
        first = views.details.page(DetailQuery(limit=3))
        second = views.details.page(DetailQuery(limit=3, cursor=first["meta"]["next"]))
        third = views.details.page(DetailQuery(limit=3, cursor=second["meta"]["next"]))
    assert [page["meta"]["total"] for page in (first, second, third)] == [7, 7, 7]
    assert len(third["items"]) == 1
    assert "next" not in third["meta"]


def test_a_searched_or_sorted_list_has_no_cursor(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for _ in range(3):
        ward.detail(sheet_id)
    with ward.store.read() as views:
        assert "next" in views.details.page(DetailQuery(limit=1))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=1, q="gasa"))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=1, sort=Sort("id")))["meta"]
        assert "next" not in views.details.page(DetailQuery(limit=3))["meta"]


OF_ANOTHER_LIST: list[tuple[str, dict[str, Any], str]] = [
    ("details", {}, "2091-05-03T12:00:00"),  # no time zone
    ("details", {}, "2091-05-03"),
    ("details", {}, "0001-01-01T00:00:00+14:00"),  # before the first date
    ("details", {}, "9999-12-31T23:59:59-12:00"),  # after the last date
    ("details", {}, "' OR 1=1"),
    ("sheets", {"closed": True}, "2091-05-03"),
    ("sheets", {}, "2091-05-03T12:00:00+00:00"),
    ("sheets", {}, ""),
    ("areas", {}, "urgencias"),
]


def test_a_cursor_of_another_list_is_refused(ward: Ward) -> None:
    for name, asked, key in OF_ANOTHER_LIST:
        query = ORDERS[name][1](cursor=write_cursor(key, 1), **asked)
        with ward.store.read() as views, pytest.raises(InvalidQuery, match="cursor"):
            getattr(views, name).page(query)


def test_unbounded_lists_are_counted_up_to_a_limit(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application.common.paging, "COUNT_LIMIT", 4)
    sheet_id = ward.sheet()["id"]
    for _ in range(4):
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])
    exact = {"page": 1, "limit": 5, "total": 4, "pages": 1}
    with ward.store.read() as views:
        assert views.details.page(DetailQuery(limit=5))["meta"] == exact
        assert views.sheets.page(SheetQuery(limit=5, closed=True))["meta"] == exact
    for _ in range(4):
        ward.clock.advance(minutes=1)
        ward.detail(sheet_id)
        ward.use_cases.sheets.close(ward.admin, ward.sheet()["id"])
        ward.sheet()
        ward.product("Venda")
    with ward.store.read() as views:
        for page in (views.details.page(DetailQuery(limit=5)), views.sheets.page(SheetQuery(limit=5, closed=True))):
            assert page["meta"] == {
                "page": 1,
                "limit": 5,
                "total": 4,
                "pages": 1,
                "total_is_lower_bound": True,
                "next": page["meta"]["next"],
            }
        # Other lists are counted completely.
        for meta in (
            views.products.page(ProductQuery(limit=5))["meta"],
            views.sheets.page(SheetQuery(limit=5))["meta"],
        ):
            assert (meta["total"], "total_is_lower_bound" in meta) == (5, False)


def test_the_count_of_details_respects_the_filters(ward: Ward) -> None:
    busy, quiet = ward.sheet()["id"], ward.sheet()["id"]
    for _ in range(3):
        ward.detail(busy)
    ward.clock.now = NOON + timedelta(days=1)
    ward.detail(quiet)
    with ward.store.read() as views:
        totals = [
            views.details.page(query)["meta"]["total"]
            for query in (
                DetailQuery(),
                DetailQuery(consumption_sheet_id=busy),
                DetailQuery(since=date(2091, 5, 4)),
                DetailQuery(consumption_sheet_id=busy, since=date(2091, 5, 4)),
                DetailQuery(q="gasa", consumption_sheet_id=quiet),
            )
        ]
    assert totals == [4, 3, 1, 0, 1]
