"""Contract of every store: searching in lists."""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import (
    ProductQuery,
    RoomQuery,
)
from application.common.paging import ListQuery
from application.people.views import PatientQuery, StaffQuery
from application.sheets.detail_views import DetailQuery
from application.sheets.views import SheetQuery
from domain.catalogue.product import Product
from domain.common.text import fold_code, fold_product, product_words
from tests.builders import Ward

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
