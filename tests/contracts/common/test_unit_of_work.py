"""Contract of every store: units of work and unique fields."""

import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.audit.audit_log import AuditEntry
from application.catalogue.categories import CategoryDraft
from application.sheets.detail_views import DetailQuery
from application.sheets.stores import ReferredIds
from application.sheets.views import SheetQuery
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit, KitLine
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code, Refused
from domain.common.policy import Role
from domain.common.text import unique_key
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet
from tests.assertions import refused
from tests.builders import NOON, TODAY, AnyStore, Ward
from tests.contracts.audit.audit_logs import trail_of


class Stop(Exception):
    """Roll back a unit of work."""


def a_kit(ward: Ward) -> int:
    """Create a kit that a line can refer to, and return its id."""
    kit = Kit(name=secrets.token_hex(4), lines=(KitLine(product_id=ward.product_id, quantity=Decimal(1)),))
    with ward.store.begin() as work:
        work.kits.add(kit)
    return kit.id


def test_stores_are_created_on_first_use(store: AnyStore) -> None:
    with store.begin_read_only() as work:
        before = set(vars(work))
        assert work.sheets is work.sheets
        assert set(vars(work)) - before == {"sheets"}


def one_of_each(ward: Ward) -> dict[str, Any]:
    """Build a new entity for each store, with every field set."""
    return {
        "areas": Area(name="Quirófano"),
        "categories": Category(code="MED", name="Medicación"),
        "products": Product(
            name="Cánula ½”",
            price=Decimal("12.50"),
            category_id=ward.category_id,
            code="C-1",
            gtin="4006381333931",
            unit="pieza",
            active=False,
        ),
        "rooms": Room(name="201", status=RoomStatus.CLEANING, type=RoomType.DOUBLE, area_id=ward.area_id),
        "patients": Patient(
            name="Luis",
            first_surname="Gil",
            second_surname="Mora",
            date_of_birth=date(1936, 2, 29),
            active=False,
            record_number="EXP-7",
        ),
        "staff": Staff(
            name="Luz",
            first_surname="Sanz",
            second_surname="Vera",
            telephone_number="55 1234 5678",
            job_title="Enfermera",
            date_of_birth=date(2060, 2, 29),
        ),
        "users": User(email="Luz@consumo.test", role=Role.SUPERVISOR, password_hash="$hash$", staff_id=None),
        "sheets": PatientSheet(
            patient_id=ward.patient_id,
            room_id=ward.room_id,
            admission_date=date(2091, 4, 30),
            diagnosis="Fractura\nde “radio” 100 %",
            doctor="D'Arcy",
            total=Decimal("0.01"),
            closed_at=NOON,
            version=7,
        ),
        "details": Detail(
            sheet_id=ward.sheet()["id"],
            product_id=ward.product_id,
            staff_id=ward.nurse.staff_id,
            user_id=ward.nurse.user_id,
            area_id=ward.area_id,
            quantity=Decimal("0.125"),
            unit_price=Decimal("12.50"),
            total=Decimal("1.56"),
            created_at=NOON,
            day=TODAY,
            kit_id=a_kit(ward),
            version=3,
        ),
    }


CHANGED: dict[str, dict[str, Any]] = {
    "areas": {"name": "UCI"},
    "categories": {"code": "MED-2", "name": "Fármacos"},
    "products": {"name": "Sonda", "price": Decimal("0.01"), "code": None, "gtin": None, "unit": None, "active": True},
    "rooms": {"name": "202", "status": RoomStatus.AVAILABLE, "type": RoomType.SPECIAL},
    "patients": {"name": "Lis", "second_surname": None, "date_of_birth": None, "active": True, "record_number": None},
    "staff": {"name": "Lis", "second_surname": None, "telephone_number": None, "job_title": None},
    "users": {"email": "lis@consumo.test", "role": Role.ADMIN, "password_hash": "$other$"},
    "sheets": {"diagnosis": "", "doctor": "", "total": Decimal("5.00"), "closed_at": None, "version": 8},
    "details": {
        "quantity": Decimal("2.000"),
        "total": Decimal("9.99"),
        "staff_id": None,
        "area_id": None,
        "version": 4,
    },
}


# --- storing ---------------------------------------------------------------------------------------------------------


def test_added_and_saved_entities_are_stored_in_every_field(ward: Ward) -> None:
    for store, entity in one_of_each(ward).items():
        with ward.store.begin() as work:
            getattr(work, store).add(entity)
        assert entity.id > 0
        changed = replace(entity, **CHANGED[store])
        with ward.store.begin() as work:
            assert getattr(work, store).get(entity.id) == entity
            getattr(work, store).save(changed)
            assert getattr(work, store).get(entity.id) == changed
        with ward.store.begin() as work:
            assert getattr(work, store).get(entity.id) == changed


def test_a_missing_entity_is_none(ward: Ward) -> None:
    with ward.store.begin() as work:
        for store in CHANGED:
            assert getattr(work, store).get(999) is getattr(work, store).get(0) is None


def test_a_change_without_save_is_not_stored(ward: Ward) -> None:
    for store, entity in one_of_each(ward).items():
        as_added = replace(entity)
        with ward.store.begin() as work:
            getattr(work, store).add(entity)
            as_added.id = entity.id
            handed_out = getattr(work, store).get(entity.id)
            for field, value in CHANGED[store].items():
                setattr(entity, field, value)  # the caller's own object
                setattr(handed_out, field, value)
            assert getattr(work, store).get(entity.id) == as_added
        with ward.store.begin() as work:
            assert getattr(work, store).get(entity.id) == as_added


def test_an_exception_rolls_everything_back(ward: Ward) -> None:
    there = one_of_each(ward)
    with ward.store.begin() as work:
        for store, entity in there.items():
            getattr(work, store).add(entity)
    added = one_of_each(ward)
    before = trail_of(ward.store)

    def stopped() -> None:
        with ward.store.begin() as work:
            for store, entity in there.items():
                getattr(work, store).save(replace(entity, **CHANGED[store]))
            work.audit_log.append(AuditEntry(at=NOON, user_id=1, action="x.done", entity="x", entity_id=1, changes={}))
            for store, entity in added.items():
                getattr(work, store).add(entity)
            raise Stop

    with pytest.raises(Stop):
        stopped()
    with ward.store.begin() as work:
        for store, entity in there.items():
            assert getattr(work, store).get(entity.id) == entity
            assert getattr(work, store).get(added[store].id) is None
    assert trail_of(ward.store) == before


def test_removing_a_sheet_removes_only_its_own_details(ward: Ward) -> None:
    removed, kept = ward.sheet()["id"], ward.sheet()["id"]
    gone, stays = ward.detail(removed)["id"], ward.detail(kept)["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.get(removed)
        assert sheet is not None
        work.sheets.remove(sheet)
        assert work.details.on_sheet(removed) == []
    with ward.store.begin() as work:
        assert work.sheets.get(removed) is None
        assert work.details.get(gone) is None
        assert [detail.id for detail in work.details.on_sheet(kept)] == [stays]


def test_an_exception_rolls_a_removal_back(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail_id = ward.detail(sheet_id)["id"]

    def stopped() -> None:
        with ward.store.begin() as work:
            sheet = work.sheets.lock(sheet_id)
            assert sheet is not None
            work.sheets.remove(sheet)
            raise Stop

    with pytest.raises(Stop):
        stopped()
    with ward.store.begin() as work:
        assert work.sheets.get(sheet_id) is not None
        assert work.details.get(detail_id) is not None


def test_the_details_of_a_sheet_come_oldest_first(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    added = [ward.detail(sheet_id, str(quantity))["id"] for quantity in (3, 1, 2)]
    with ward.store.begin() as work:
        assert [detail.id for detail in work.details.on_sheet(sheet_id)] == added
        assert work.details.on_sheet(999) == []


def test_a_removed_id_is_never_reused(ward: Ward) -> None:
    for store in ("sheets", "details"):
        first, second = one_of_each(ward)[store], one_of_each(ward)[store]
        with ward.store.begin() as work:
            getattr(work, store).add(first)
            getattr(work, store).remove(first)
        with ward.store.begin() as work:
            getattr(work, store).add(second)
        assert second.id > first.id


# --- visibility ------------------------------------------------------------------------------------------------------


def test_uncommitted_changes_are_visible_only_in_their_unit(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert isinstance(sheet, PatientSheet)
        work.sheets.save(replace(sheet, doctor="Dr. Sol"))
        inside = work.views.sheets.one(sheet_id)
        with ward.store.read() as views:
            outside = views.sheets.one(sheet_id)
    with ward.store.read() as views:
        afterwards = views.sheets.one(sheet_id)
    assert [view and view["doctor"] for view in (inside, outside, afterwards)] == ["Dr. Sol", "Dra. Vega", "Dr. Sol"]


def test_views_are_copies_for_each_reader(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    with ward.store.read() as views:
        first = views.details.page(DetailQuery())
        first["items"][0]["product"]["category"].pop("code")
        first["items"][0].pop("total")
        again = views.details.page(DetailQuery())
    assert again["items"][0]["total"] == Decimal("12.50")
    assert again["items"][0]["product"]["category"]["code"] == "CUR"


def test_lock_returns_the_same_as_get(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    detail_id = ward.detail(sheet_id)["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.get(sheet_id)
        assert sheet == work.sheets.lock(sheet_id) == work.sheets.lock_of_detail(detail_id)
        assert work.sheets.lock(999) is work.sheets.lock_of_detail(999) is None
        assert work.users.lock(ward.nurse.user_id) == work.users.get(ward.nurse.user_id)
        assert work.users.lock(999) is None


# --- lookups ---------------------------------------------------------------------------------------------------------


def test_unique_fields_are_found_ignoring_case(ward: Ward) -> None:
    product = ward.product("Venda", code="Ñ-1a", gtin="4006381333931")
    patient = ward.patient("Luis", "Gil", record_number="Exp-7")
    ward.patient("Sin", "Número")
    ward.product("Sin código")
    with ward.store.begin() as work:
        area, category = (
            work.areas.find("name", unique_key("URGENCIAS")),
            work.categories.find("code", unique_key("cur")),
        )
        assert area is not None
        assert category is not None
        assert (area.id, category.id) == (ward.area_id, ward.category_id)
        assert work.products.find("code", unique_key("ñ-1A")) == work.products.find("gtin", "04006381333931") == product
        assert work.patients.find("record_number", unique_key("EXP-7")) == patient
        user = work.users.find("email", unique_key("USER@consumo.test"))
        assert user is not None
        assert user.id == ward.nurse.user_id
        assert work.users.find("staff_id", ward.nurse.staff_id or 0) == user
        for nothing in (
            work.areas.find("name", unique_key("")),
            work.categories.find("code", unique_key("X")),
            work.products.find("code", unique_key("N-1a")),
            work.products.find("gtin", ""),
            work.patients.find("record_number", unique_key("7")),
            work.users.find("email", unique_key("")),
            work.users.find("staff_id", 999),
        ):
            assert nothing is None


def test_administrators_come_oldest_first(ward: Ward) -> None:
    second = ward.register("a-second@consumo.test", Role.ADMIN)
    with ward.store.begin() as work:
        assert [user.id for user in work.users.administrators()] == [ward.admin.user_id, second.user_id]


def test_references_of_a_detail_are_found_together(ward: Ward) -> None:
    other = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="X", name="Otra"))
    product = ward.product("Venda", category_id=other.id, code="V-1", active=0)
    person = ward.staff("Luz", "Gil", job_title="Enfermera")
    with ward.store.begin() as work:
        [found] = work.details.references([ReferredIds(product.id, person.id, ward.area_id, None)])
        assert found[:4] == (product, other, person, work.areas.get(ward.area_id))


@pytest.mark.parametrize(("staff_id", "area_id"), [(None, None), (999, 999), (0, 0)])
def test_missing_references_are_none(ward: Ward, staff_id: int | None, area_id: int | None) -> None:
    with ward.store.begin() as work:
        [found] = work.details.references([ReferredIds(999, staff_id, area_id, None)])
        assert found[:4] == (None, None, None, None)
        [found] = work.details.references([ReferredIds(ward.product_id, staff_id, area_id, None)])
        assert (found.product, found.category) == (
            work.products.get(ward.product_id),
            work.categories.get(ward.category_id),
        )
        assert (found.staff, found.area) == (None, None)


def test_references_of_several_details_come_in_their_order(ward: Ward) -> None:
    tape, person = ward.product("Esparadrapo").id, ward.staff("Luz", "Gil").id
    kit = Kit(name="Vía", user_id=ward.nurse.user_id, lines=(KitLine(product_id=tape, quantity=Decimal(1)),))
    with ward.store.begin() as work:
        work.kits.add(kit)
    asked = [
        ReferredIds(tape, person, None, kit.id),
        ReferredIds(999, None, 999, 999),
        ReferredIds(ward.product_id, ward.nurse.staff_id, ward.area_id, None),
        ReferredIds(tape, person, None, kit.id),
        ReferredIds(0, 0, 0, 0),
    ]
    with ward.store.begin() as work:
        one_by_one = [found for each in asked for found in work.details.references([each])]
        assert work.details.references(asked) == one_by_one
        assert [found.product is None for found in one_by_one] == [False, True, False, False, True]
        assert [found.kit for found in one_by_one] == [replace(kit, lines=()), None, None, replace(kit, lines=()), None]
        assert work.details.references([]) == []


# --- unique fields ---------------------------------------------------------------------------------------------------

TWICE: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("areas", "name", {"name": "Ñandú"}, {"name": "ÑANDÚ"}),
    ("categories", "code", {"code": "Med"}, {"code": "mED"}),
    ("products", "code", {"code": "C-1a", "gtin": None}, {"code": "c-1A", "gtin": None}),
    ("products", "gtin", {"code": None, "gtin": "4006381333931"}, {"code": None, "gtin": "4006381333931"}),
    ("patients", "record_number", {"record_number": "Exp-7"}, {"record_number": "EXP-7"}),
    ("users", "email", {"email": "Luz@consumo.test"}, {"email": "luz@CONSUMO.test"}),
]


def test_adding_a_duplicate_of_a_unique_field_is_refused(ward: Ward) -> None:
    for store, field, one, same in TWICE:
        entity = one_of_each(ward)[store]
        with ward.store.begin() as work:
            getattr(work, store).add(replace(entity, **one))
        before = trail_of(ward.store)
        with pytest.raises(Refused) as refusal:
            added_beside_an_entry(ward, store, replace(entity, **same))
        (reason,) = refusal.value.reasons
        reported = {"what": f"{store}.{field}", "value": same[field]}
        assert (reason.code, reason.field, reason.params) == (Code.TAKEN, field, reported)
        assert trail_of(ward.store) == before


def added_beside_an_entry(ward: Ward, store: str, entity: object) -> None:
    with ward.store.begin() as work:
        work.audit_log.append(AuditEntry(at=NOON, user_id=1, action="x.done", entity="x", entity_id=1, changes={}))
        getattr(work, store).add(entity)


def test_saving_a_duplicate_of_a_unique_field_is_refused(ward: Ward) -> None:
    for store, field, one, same in TWICE:
        entity = one_of_each(ward)[store]
        other = replace(entity, **dict.fromkeys(one) | {field: f"otro {field}"})
        with ward.store.begin() as work:
            getattr(work, store).add(replace(entity, **one))
            getattr(work, store).add(other)
        with refused((Code.TAKEN, field)), ward.store.begin() as work:
            getattr(work, store).save(replace(other, **same))
        with ward.store.begin() as work:
            assert getattr(work, store).get(other.id) == other


def test_saving_the_same_unique_value_is_no_duplicate(ward: Ward) -> None:
    for store, field, one, same in TWICE:
        entity = replace(one_of_each(ward)[store], **one)
        with ward.store.begin() as work:
            getattr(work, store).add(entity)
            getattr(work, store).save(replace(entity, **same))
            assert getattr(getattr(work, store).get(entity.id), field) == same[field]


def test_a_profile_belongs_to_one_user(ward: Ward) -> None:
    with refused((Code.PROFILE_TAKEN, "staff_id")), ward.store.begin() as work:
        work.users.add(User(email="x@consumo.test", role=Role.USER, password_hash="", staff_id=ward.nurse.staff_id))


def test_missing_values_are_no_duplicates(ward: Ward) -> None:
    for _ in range(2):
        ward.product("Venda", code=None, gtin=None)
        ward.patient("Luis", "Gil", record_number=None)


# --- the audit log ----------------------------------------------------------------------------------------------------


def test_audit_entries_are_stored_exactly_and_in_order(store: AnyStore) -> None:
    entries = [
        AuditEntry(
            at=NOON + timedelta(microseconds=number),
            user_id=None if number == 0 else number,
            action="sheet.closed",
            entity="consumption_sheet",
            entity_id=2**40 + number,
            changes={
                "total": ("1.10", "2.20"),
                "doctor": (None, "D'Arcy “½” 輸"),
                "active": (True, False),
                "n": (1, 2),
            },
        )
        for number in range(3)
    ]
    with store.begin() as work:
        for entry in entries:
            work.audit_log.append(entry)
    assert trail_of(store) == entries


# --- views of sheets -------------------------------------------------------------------------------------------------


def test_consumption_is_counted_by_hospital_day_oldest_first(ward: Ward) -> None:
    busy, quiet = ward.sheet()["id"], ward.sheet()["id"]
    at = [datetime(2091, 5, 4, hour, minute, tzinfo=UTC) for hour, minute in ((6, 0), (5, 59), (3, 0), (23, 0))]
    for moment in at:
        ward.clock.now = moment
        ward.detail(busy)
    expected = [
        {"created_at": at[2], "details": 2, "last_recorded_at": at[1]},
        {"created_at": at[0], "details": 2, "last_recorded_at": at[3]},
    ]
    with ward.store.read() as views:
        one, page = views.sheets.one(busy), views.sheets.page(SheetQuery())
    assert one is not None
    assert one["consumptions"] == expected
    assert {item["id"]: item["consumptions"] for item in page["items"]} == {busy: expected, quiet: []}
