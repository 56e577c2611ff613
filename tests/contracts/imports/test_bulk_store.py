"""Contract of every store: bulk reads and writes, as imports use them."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from application.audit.audit_log import AuditEntry
from application.catalogue.views import ProductQuery
from application.common.entities import IMPORTED
from application.common.imported import Import
from application.common.paging import ListQuery
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code
from domain.common.policy import Role
from domain.common.text import unique_key
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet
from tests.assertions import refused
from tests.builders import NOON, TODAY, Ward


def two_of_each(ward: Ward, sheet_id: int, staff_id: int) -> dict[str, list[Any]]:
    """Build two new entities of every kind, which differ in every lookup key."""
    product = Product(
        name="Cánula ½”", price=Decimal("0.05"), category_id=ward.category_id, code="Ñ-1", gtin="96385074"
    )
    room = Room(name="Sala Ñ", status=RoomStatus.CLEANING, type=RoomType.DOUBLE, area_id=ward.area_id, code="Ñ^1")
    patient = Patient(
        name="Luz", first_surname="Peña", second_surname="Gil", record_number="É-1", active=False,
        merged_into=ward.patient_id, unidentified_number=7,
    )  # fmt: skip
    staff = Staff(name="Luz", first_surname="Peña", date_of_birth=date(1936, 2, 29))
    user = User(
        email="ñ@hospital.test", role=Role.USER, password_hash=None, staff_id=staff_id, ward_area_id=ward.area_id
    )
    sheet = PatientSheet(
        patient_id=ward.patient_id,
        room_id=ward.room_id,
        admission_date=TODAY,
        diagnosis="x",
        doctor="",
        closed_at=NOON,
        visit_number="V-1",
    )
    detail = Detail(
        sheet_id=sheet_id, product_id=ward.product_id, staff_id=None, user_id=ward.admin.user_id, area_id=ward.area_id,
        quantity=Decimal("0.125"), unit_price=Decimal("1.50"), total=Decimal("0.19"), created_at=NOON, day=TODAY,
    )  # fmt: skip
    return {
        "areas": [Area(name="Ñandú", code="ÑA"), Area(name="UCI", code="U")],
        "categories": [Category(code="Ñ", name="Ñandúes"), Category(code="M", name="Medicación")],
        "products": [product, replace(product, name="Venda", code="V", gtin="4006381333931")],
        "rooms": [room, replace(room, name="7", code="U^7")],
        "patients": [
            patient,
            replace(patient, name="Eva", record_number=None, merged_into=None, unidentified_number=8),
        ],
        "staff": [staff, replace(staff, name="Eva")],
        "users": [user, replace(user, email="eva@hospital.test", role=Role.ADMIN, staff_id=None)],
        "sheets": [sheet, replace(sheet, diagnosis="y", visit_number="V-2")],
        "details": [detail, replace(detail, quantity=Decimal("7.000"))],
    }


KEYS = {kind.store: kind.keys for kind in IMPORTED}
KINDS = pytest.mark.parametrize("kind", list(KEYS))


@pytest.fixture
def things(ward: Ward) -> dict[str, list[Any]]:
    """Return the same entities, stored."""
    made = two_of_each(ward, ward.sheet()["id"], ward.staff("Sin", "Cuenta").id)
    with ward.store.begin() as work:
        for kind, entities in made.items():
            store = getattr(work, kind)
            for entity, number in zip(entities, store.reserve(len(entities)), strict=True):
                entity.id = number
            store.add_all(entities)
    return made


@KINDS
def test_added_entities_are_stored_unchanged(ward: Ward, things: dict[str, list[Any]], kind: str) -> None:
    with ward.store.begin() as work:
        store = getattr(work, kind)
        assert [store.get(one.id) for one in things[kind]] == things[kind]
        assert store.find_many("id", [one.id for one in things[kind]]) == things[kind]


@KINDS
def test_entities_are_found_by_their_keys(ward: Ward, things: dict[str, list[Any]], kind: str) -> None:
    for key, value_of in KEYS[kind].items():
        first = value_of(things[kind][0])
        alike = [one for one in things[kind] if value_of(one) == first]
        for locked in (False, True):
            with ward.store.begin() as work:
                values = [first, "nothing" if isinstance(first, str) else -1]
                found = getattr(work, kind).find_many(key, values, locked=locked)
            assert [one for one in found if one.id in {one.id for one in things[kind]}] == alike, key
        with ward.store.begin_read_only() as look:
            assert getattr(look, kind).find_many(key, []) == []


@KINDS
def test_reserved_ids_are_not_used_by_another_entity(ward: Ward, things: dict[str, list[Any]], kind: str) -> None:
    with ward.store.begin() as work:
        store = getattr(work, kind)
        ids = list(store.reserve(3))
        assert len(set(ids)) == 3
        assert not {one.id for one in things[kind]} & set(ids)
        assert store.find_many("id", ids) == []
        assert list(store.reserve(0)) == []


def test_ids_continue_after_a_bulk_insert(ward: Ward, things: dict[str, list[Any]]) -> None:
    newest = ward.product("Después")
    assert newest.id > max(one.id for one in things["products"])


def test_bulk_changes_and_removals_reach_the_search_index(ward: Ward, things: dict[str, list[Any]]) -> None:
    products = [replace(one, name=f"{one.name} nueva", price=Decimal("7.77")) for one in things["products"]]
    with ward.store.begin() as work:
        work.products.save_all(products)
        work.products.save_all([])
        assert work.products.find_many("id", [one.id for one in products]) == products
    # Searches use the new names.
    found = ward.use_cases.products.reader.page(ward.admin, ProductQuery(q="nueva"))["items"]
    assert {one["id"] for one in found} == {one.id for one in products}
    with ward.store.begin() as work:
        work.products.remove_all([one.id for one in products])
        work.products.remove_all([])
        assert work.products.find_many("id", [one.id for one in products]) == []
    assert ward.use_cases.products.reader.page(ward.admin, ProductQuery(q="nueva"))["items"] == []


def test_used_returns_the_referenced_ids(ward: Ward, things: dict[str, list[Any]]) -> None:
    sheet_id = things["details"][0].sheet_id
    with ward.store.begin() as work:
        used = {
            "areas": work.areas.referenced_ids([ward.area_id, things["areas"][0].id]),
            "categories": work.categories.referenced_ids([ward.category_id, things["categories"][0].id]),
            "products": work.products.referenced_ids([ward.product_id, things["products"][0].id]),
            "rooms": work.rooms.referenced_ids([ward.room_id, things["rooms"][0].id]),
            "patients": work.patients.referenced_ids([ward.patient_id, things["patients"][0].id]),
            "staff": work.staff.referenced_ids([ward.nurse.staff_id or 0, things["staff"][0].id]),
            "sheets": work.sheets.referenced_ids([sheet_id, things["sheets"][0].id]),
            "details": work.details.referenced_ids([one.id for one in things["details"]]),
        }
        assert used == {
            "areas": {ward.area_id},
            "categories": {ward.category_id},
            "products": {ward.product_id},
            "rooms": {ward.room_id},
            "patients": {ward.patient_id},
            "staff": {ward.nurse.staff_id},
            "sheets": {sheet_id},
            "details": set(),
        }
        assert work.products.referenced_ids([]) == set()


def test_unique_fields_are_enforced_in_bulk_inserts(ward: Ward, things: dict[str, list[Any]]) -> None:
    twin = replace(things["products"][0], id=10**6, code="ñ-1", gtin=None)
    with refused((Code.TAKEN, "code")), ward.store.begin() as work:
        work.products.add_all([twin])


def test_a_read_only_unit_of_work_can_look_things_up(ward: Ward) -> None:
    with ward.store.begin_read_only() as look:
        assert look.areas.find("name", unique_key("URGENCIAS")) is not None
        assert look.imports.mapping("products", "x") == {}


# --- imports ---------------------------------------------------------------------------------------------------------


def imported(ward: Ward, **others: Any) -> Import:
    metrics: dict[str, Any] = {"created": 3, "changed": 2, "unchanged": 1, "refused": 0}
    reported = {"noun": "products", "file_name": "Precios Ñ.xlsx", "user_id": ward.admin.user_id, "at": NOON}
    return Import(**metrics | reported | others)


def test_imports_are_stored_and_listed_newest_first(ward: Ward) -> None:
    first, second = imported(ward), imported(ward, noun="patients", file_name="otro.csv", refused=4)
    with ward.store.begin() as work:
        work.imports.acquire_lock()
        work.imports.add(first)
        work.imports.add(second)
        second.undone_at, second.undone_by = NOON, ward.supervisor.user_id
        work.imports.save(second)
        assert work.imports.lock(second.id) == second
        assert work.imports.lock(999) is None
    listed = ward.use_cases.imports.reader.page(ward.admin, ListQuery())["items"]
    assert [one["id"] for one in listed] == [second.id, first.id]
    assert listed[0] == {
        "id": second.id,
        "noun": "patients",
        "file_name": "otro.csv",
        "at": NOON,
        "user": {"id": ward.admin.user_id, "email": "admin@consumo.test"},
        "created": 3,
        "changed": 2,
        "unchanged": 1,
        "refused": 4,
        "undone_at": NOON,
        "undone_by": {"id": ward.supervisor.user_id, "email": "supervisor@consumo.test"},
    }
    assert (listed[1]["undone_at"], listed[1]["undone_by"]) == (None, None)
    found = ward.use_cases.imports.reader.page(ward.admin, ListQuery(q="precios n"))["items"]
    assert [one["id"] for one in found] == [first.id]


def test_a_mapping_is_remembered_by_noun_and_shape(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.imports.save_mapping("products", "s", {"code": "Cód."})
        work.imports.save_mapping("products", "s", {"code": "Clave", "name": "Ñ"})
        work.imports.save_mapping("patients", "s", {"name": "Nombre"})
    with ward.store.begin_read_only() as look:
        assert look.imports.mapping("products", "s") == {"code": "Clave", "name": "Ñ"}
        assert look.imports.mapping("patients", "s") == {"name": "Nombre"}
        assert look.imports.mapping("products", "t") == {}


def test_audit_entries_of_an_import_come_newest_first(ward: Ward) -> None:
    def entry(number: int, import_id: int | None) -> AuditEntry:
        return AuditEntry(
            at=NOON, user_id=1, action="product.created", entity="product", entity_id=number,
            changes={"name": (None, "Ñ"), "active": (False, True), "category_id": (1, 2)}, import_id=import_id,
        )  # fmt: skip

    with ward.store.begin() as work:
        work.audit_log.extend([entry(1, 7), entry(2, 8), entry(3, 7), entry(4, None), entry(5, 7)])
        work.audit_log.extend([])
        first = work.audit_log.of_import(7, "product", before=None, limit=2)
        rest = work.audit_log.of_import(7, "product", before=first[-1][0], limit=2)
        assert [reported for _, reported in [*first, *rest]] == [entry(5, 7), entry(3, 7), entry(1, 7)]
        assert work.audit_log.of_import(9, "product", before=None, limit=2) == []
        assert work.audit_log.of_import(7, "area", before=None, limit=2) == []
        assert [work.audit_log.count_of_import(import_id) for import_id in (7, 8, 9)] == [3, 1, 0]
