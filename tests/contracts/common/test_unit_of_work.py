"""Contract of every store: units of work, exactness and constraints."""

import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.accounts.ports.identity import Session
from application.audit.audit_log import AuditEntry
from application.catalogue.categories import CategoryDraft
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.stores import ReferredIds
from application.sheets.views import SheetQuery, SheetView
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit, KitLine
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.errors import Code, Refused
from domain.common.money import MAX_LINE_TOTAL, MAX_PRICE, MAX_QUANTITY, line_total
from domain.common.policy import Actor, Role
from domain.common.text import unique_key
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.sheet import MAX_LINES, Sheet
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
        "sheets": Sheet(
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
        assert sheet is not None
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


# --- exactness -------------------------------------------------------------------------------------------------------

AMOUNTS = ["0.00", "0.01", "0.10", "1.10", "2.30", "900719925.43", "703687441.67", "999999999.99"]
QUANTITIES = ["0.000", "0.001", "0.100", "2.300", "4503.599", "9999.999"]


def test_money_is_stored_to_the_cent_in_every_field(ward: Ward) -> None:
    for amount in AMOUNTS:
        product = ward.product("Venda", amount)
        sheet_id = ward.sheet()["id"]
        detail_id = ward.detail(sheet_id, product_id=product.id)["id"]
        with ward.store.begin() as work:
            kept_product, kept_detail = work.products.get(product.id), work.details.get(detail_id)
            kept_sheet = work.sheets.get(sheet_id)
            product_view, detail_view = work.views.products.one(product.id), work.views.details.one(detail_id)
            sheet_view = work.views.sheets.one(sheet_id)
        assert kept_product
        assert kept_detail
        assert kept_sheet
        assert product_view
        assert detail_view
        assert sheet_view
        values = [kept_product.price, kept_detail.unit_price, kept_detail.total, kept_sheet.total]
        values += [product_view["price"], detail_view["unit_price"], detail_view["total"], sheet_view["total"]]
        assert [str(value) for value in values] == [amount] * 8


def test_a_quantity_is_stored_to_three_decimals(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for quantity in QUANTITIES:
        detail_id = ward.detail(sheet_id, quantity)["id"]
        with ward.store.begin() as work:
            kept, view = work.details.get(detail_id), work.views.details.one(detail_id)
        assert kept
        assert view
        assert [str(kept.quantity), str(view["quantity"])] == [quantity] * 2


def test_nothing_is_lost_at_the_limits(ward: Ward) -> None:
    dear = ward.product("Resonador", str(MAX_PRICE))
    sheet_id = ward.sheet()["id"]
    for _ in range(12):
        ward.detail(sheet_id, str(MAX_QUANTITY), product_id=dear.id)
    total = 12 * line_total(MAX_PRICE, MAX_QUANTITY)
    assert str(ward.use_cases.sheets.close(ward.admin, sheet_id)["total"]) == str(total)


def test_lines_recorded_with_a_key_are_counted(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for number in range(2):
        key = IdempotencyKey(f"k-{number}", "f")
        ward.use_cases.details.add(ward.nurse, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=key)
    with ward.store.begin() as work:
        sheet = work.sheets.get(sheet_id)
    assert sheet
    assert sheet.lines == 2


def test_the_total_of_the_largest_sheet_is_stored(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert sheet
        sheet.total, sheet.lines = MAX_LINES * MAX_LINE_TOTAL, MAX_LINES
        work.sheets.save(sheet)
    with ward.store.begin() as work:
        kept = work.sheets.lock(sheet_id)
    assert kept
    assert (kept.total, kept.lines) == (MAX_LINES * MAX_LINE_TOTAL, MAX_LINES)


# --- times and days --------------------------------------------------------------------------------------------------

MOMENTS = [
    datetime(2091, 5, 3, 12, 0, 0, 123456, tzinfo=UTC),
    datetime(2026, 10, 25, 0, 30, tzinfo=UTC),  # an hour that occurs twice in Madrid
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(9998, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
]


def test_a_time_is_stored_to_the_microsecond_in_utc(ward: Ward) -> None:
    for moment in MOMENTS:
        ward.clock.now = moment
        sheet_id = ward.sheet(admission_date=date.min)["id"]
        detail_id = ward.detail(sheet_id)["id"]
        ward.use_cases.sheets.close(ward.admin, sheet_id)
        with ward.store.begin() as work:
            detail, sheet = work.details.get(detail_id), work.sheets.get(sheet_id)
            detail_view, sheet_view = work.views.details.one(detail_id), work.views.sheets.one(sheet_id)
        assert detail
        assert sheet
        assert detail_view
        assert sheet_view
        kept = [detail.created_at, sheet.closed_at, detail_view["created_at"], sheet_view["deleted_at"]]
        kept.append(sheet_view["consumptions"][0]["created_at"])
        assert kept == [moment] * 5
        assert {value.utcoffset() for value in kept if value} == {timedelta(0)}


def test_a_day_is_stored_unchanged(ward: Ward) -> None:
    for day in (date(1, 1, 1), date(1899, 12, 31), date(2024, 2, 29), date(9999, 12, 31)):
        sheet_id = ward.sheet(admission_date=day)["id"]
        with ward.store.read() as views:
            kept = views.sheets.one(sheet_id)
        assert kept
        assert kept["admission_date"] == day
        assert type(kept["admission_date"]) is date


def test_the_first_day_of_use_of_a_sheet_is_read(ward: Ward) -> None:
    sheet_id, other_id = (ward.sheet(admission_date=date(1900, 1, 1))["id"] for _ in range(2))
    for day in (3, 2, 5):
        ward.clock.now = datetime(2091, 5, day, 3, 0, tzinfo=UTC)  # the evening before, in the hospital
        ward.detail(sheet_id)
    with ward.store.begin() as work:
        first = work.details.first_day(sheet_id)
        assert work.details.first_day(other_id) is work.details.first_day(999) is None
    assert first == date(2091, 5, 1)
    assert type(first) is date


def test_a_text_is_stored_unchanged(ward: Ward) -> None:
    for text in ("O'Brien; DROP TABLE areas;--", "línea 1, línea 2 “½”", "輸液 🩹", "\\", "%_", "x" * 200):
        sheet_id = ward.sheet(doctor=text, diagnosis=text * 10)["id"]
        with ward.store.read() as views:
            kept = views.sheets.one(sheet_id)
        assert kept
        assert (kept["doctor"], kept["diagnosis"]) == (text, text * 10)


# --- answers under idempotency keys ----------------------------------------------------------------------------------

ONCE = IdempotencyKey(key="k-1", fingerprint="this body")


def test_a_stored_answer_is_recalled_with_all_values_and_types(ward: Ward) -> None:
    sheet = ward.sheet()
    detail = ward.detail(sheet["id"], "2.500", area_id=ward.area_id, staff_id=ward.nurse.staff_id)
    closed = ward.use_cases.sheets.close(ward.admin, sheet["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        work.idempotency_store.save(1, replace(ONCE, key="k-2"), closed, NOON)
    with ward.store.begin() as work:
        recalled = work.idempotency_store.recall(1, ONCE, DetailView)
        recalled_sheet = work.idempotency_store.recall(1, replace(ONCE, key="k-2"), SheetView)
    assert (recalled, recalled_sheet) == (detail, closed)
    assert recalled is not None
    assert recalled_sheet is not None
    assert str(recalled["quantity"]) == "2.500"
    assert recalled["created_at"].utcoffset() == timedelta(0)
    assert type(recalled_sheet["admission_date"]) is date


def test_a_recalled_answer_is_the_callers_copy(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        detail["product"]["name"] = "changed"
        again = work.idempotency_store.recall(1, ONCE, DetailView)
        assert again is not None
        assert again["product"]["name"] == "Gasa estéril"
        again["product"]["name"] = "changed"
        assert work.idempotency_store.recall(1, ONCE, DetailView) != again


def test_a_new_key_has_no_answer(ward: Ward) -> None:
    with ward.store.begin() as work:
        assert work.idempotency_store.recall(1, ONCE, DetailView) is None


def test_a_key_belongs_to_its_user(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
        assert work.idempotency_store.recall(2, ONCE, DetailView) is None


def test_a_key_with_another_fingerprint_is_refused(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    with ward.store.begin() as work:
        work.idempotency_store.save(1, ONCE, detail, NOON)
    with refused(Code.KEY_REUSED), ward.store.begin() as work:
        work.idempotency_store.recall(1, replace(ONCE, fingerprint="that body"), DetailView)


def test_answers_before_a_time_are_purged(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ages = {"old": NOON - timedelta(microseconds=1), "at that moment": NOON, "new": NOON + timedelta(days=1)}
    with ward.store.begin() as work:
        for key, at in ages.items():
            work.idempotency_store.save(1, replace(ONCE, key=key), detail, at)
        work.idempotency_store.purge(NOON, but=0)
    with ward.store.begin() as work:
        left = [key for key in ages if work.idempotency_store.recall(1, replace(ONCE, key=key), DetailView) is not None]
    assert left == ["at that moment", "new"]


@pytest.mark.parametrize(("but", "left"), [(2, ["new", "newest"]), (3, ["old", "new", "newest"]), (9, None)])
def test_the_newest_answers_are_kept_whatever_the_clock_says(ward: Ward, but: int, left: list[str] | None) -> None:
    """Retries must stay safe if the clock is far ahead for a moment.

    Otherwise the purge would forget today's answers and a retry would be done twice.
    """
    detail = ward.detail(ward.sheet()["id"])
    keys = ["oldest", "old", "new", "newest"]
    with ward.store.begin() as work:
        for days, key in enumerate(keys):
            work.idempotency_store.save(1, replace(ONCE, key=key), detail, NOON + timedelta(days=days))
        work.idempotency_store.purge(NOON + timedelta(days=400), but=but)
    with ward.store.begin() as work:
        found = [
            key for key in keys if work.idempotency_store.recall(1, replace(ONCE, key=key), DetailView) is not None
        ]
    assert found == (keys if left is None else left)


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


# --- sessions and users ----------------------------------------------------------------------------------------------


def actor_of(ward: Ward, session_id: str, user_id: int, at: datetime = NOON) -> Actor | None:
    with ward.store.read() as views:
        active_session = views.active_session(session_id, user_id, at)
        return active_session.actor if active_session else None


def test_a_session_is_active_until_its_expiry(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON))
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON - timedelta(microseconds=1)) == ward.nurse
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON) is None
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON + timedelta(days=1)) is None


def test_a_session_belongs_to_its_user(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
    assert actor_of(ward, "s-1", ward.admin.user_id) is None
    assert actor_of(ward, "s-2", ward.nurse.user_id) is None
    assert actor_of(ward, "S-1", ward.nurse.user_id) is None
    assert actor_of(ward, "s-1", 999) is None


def test_an_ended_session_is_inactive_and_others_go_on(ward: Ward) -> None:
    with ward.store.begin() as work:
        for session_id in ("s-1", "s-2"):
            work.sessions.add(Session(id=session_id, user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
    with ward.store.begin() as work:
        work.sessions.revoke("s-1")
        work.sessions.revoke("no such session")
    assert actor_of(ward, "s-1", ward.nurse.user_id) is None
    assert actor_of(ward, "s-2", ward.nurse.user_id) == ward.nurse


def test_an_actor_has_the_users_current_role(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
        user = work.users.lock(ward.nurse.user_id)
        assert user is not None
        work.users.save(replace(user, role=Role.SUPERVISOR, staff_id=None))
    assert actor_of(ward, "s-1", ward.nurse.user_id) == Actor(
        user_id=ward.nurse.user_id, role=Role.SUPERVISOR, staff_id=None
    )


def test_a_user_is_read_with_the_profile(ward: Ward) -> None:
    with ward.store.read() as views:
        nurse, admin, missing = (
            views.users.one(ward.nurse.user_id),
            views.users.one(ward.admin.user_id),
            views.users.one(999),
        )
        assert nurse is not None
        assert nurse["profile"] == views.staff.one(ward.nurse.staff_id or 0)
    assert (nurse["role"], nurse["staff_id"]) == ("1", ward.nurse.staff_id)
    assert admin == {
        "id": ward.admin.user_id,
        "email": "admin@consumo.test",
        "role": "10",
        "staff_id": None,
        "profile": None,
        "has_password": True,
        "oidc_linked": False,
    }
    assert missing is None


# --- views of sheets -------------------------------------------------------------------------------------------------


def test_consumption_is_counted_by_hospital_day_oldest_first(ward: Ward) -> None:
    busy, quiet = ward.sheet()["id"], ward.sheet()["id"]
    at = [datetime(2091, 5, 4, hour, minute, tzinfo=UTC) for hour, minute in ((6, 0), (5, 59), (3, 0), (23, 0))]
    for moment in at:
        ward.clock.now = moment
        ward.detail(busy)
    expected = [
        {"created_at": datetime(2091, 5, 4, 3, 0, tzinfo=UTC), "details": 2},
        {"created_at": datetime(2091, 5, 4, 6, 0, tzinfo=UTC), "details": 2},
    ]
    with ward.store.read() as views:
        one, page = views.sheets.one(busy), views.sheets.page(SheetQuery())
    assert one is not None
    assert one["consumptions"] == expected
    assert {item["id"]: item["consumptions"] for item in page["items"]} == {busy: expected, quiet: []}
