"""Managing reference data: areas, categories, products, rooms and people."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.people.patients import PatientDraft
from domain.common.errors import Code, Reason, Refused
from tests.assertions import refused
from tests.builders import TODAY, Ward
from tests.use_cases.stored import audit_log, nothing_written


def bandage(ward: Ward, **particulars: object) -> ProductDraft:
    filled_in: dict[str, object] = {"name": "Venda", "price": Decimal("7.005"), "category_id": ward.category_id}
    return ProductDraft(**filled_in | particulars)  # type: ignore[arg-type]


# --- areas, categories, rooms ----------------------------------------------------------------------------------------


def test_a_category_needs_a_name_and_a_unique_code(ward: Ward) -> None:
    with nothing_written(ward), refused((Code.REQUIRED, "name"), (Code.TAKEN, "code")):
        ward.use_cases.categories.create(ward.admin, CategoryDraft(code=" cur ", name=" "))
    with nothing_written(ward), refused((Code.REQUIRED, "code"), (Code.REQUIRED, "name")):
        ward.use_cases.categories.create(ward.admin, CategoryDraft())


def test_a_room_has_an_area_a_status_and_a_type(ward: Ward) -> None:
    room = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="102", status=4, type=2, area_id=ward.area_id))
    assert ward.use_cases.rooms.reader.one(ward.nurse, room.id) == {
        "id": room.id,
        "name": "102",
        "code": None,
        "status": 4,
        "type": 2,
        "area_id": ward.area_id,
        "area": {"id": ward.area_id, "name": "Urgencias"},
        "sheets": [],
    }


# --- products --------------------------------------------------------------------------------------------------------


def test_the_price_of_a_product_is_stored_in_cents(ward: Ward) -> None:
    draft = bandage(ward, code=" V-1 ", gtin="4006381333931", unit="pieza")
    product = ward.use_cases.products.create(ward.supervisor, draft)
    assert ward.use_cases.products.reader.one(ward.admin, product.id) == {
        "id": product.id,
        "name": "Venda",
        "price": Decimal("7.01"),
        "category_id": ward.category_id,
        "category": {"id": ward.category_id, "code": "CUR", "name": "Curación"},
        "code": "V-1",
        "gtin": "4006381333931",
        "unit": "pieza",
        "active": True,
        "decimals": 3,
        "asks_lot": False,
        "asks_serial": False,
        "implant": False,
        "included_in_stay": False,
        "also_called": [],
        "plain_name": None,
        "picture": None,
    }


def test_other_names_of_a_product_are_distinct_and_limited(ward: Ward) -> None:
    product = ward.product("Catéter", also_called=(" Yelco ", "YÉLCO", "", "Abbocath"))
    assert product.also_called == ("Yelco", "Abbocath")
    with nothing_written(ward), refused((Code.TEXT_TOO_LONG, "also_called")):
        ward.product("Catéter", also_called=("Yelco", "x" * 61))
    with nothing_written(ward), refused((Code.NAMES_TOO_MANY, "also_called")):
        ward.product("Catéter", also_called=tuple(f"Nombre {number}" for number in range(11)))


def test_other_names_are_kept_if_a_client_does_not_send_them(ward: Ward) -> None:
    product = ward.product("Catéter", also_called=("Yelco",))
    sent = frozenset({"name", "price", "category_id"})
    draft = ProductDraft(name="Catéter 20G", price=product.price, category_id=product.category_id, sent_fields=sent)
    assert ward.use_cases.products.update(ward.admin, product.id, draft).also_called == ("Yelco",)
    draft = replace(draft, also_called=(), sent_fields=sent | {"also_called"})
    assert ward.use_cases.products.update(ward.admin, product.id, draft).also_called == ()


def test_all_errors_of_a_product_are_reported_at_once(ward: Ward) -> None:
    ward.product("Gasa", code="G-1")
    draft = ProductDraft(name="x" * 201, price=Decimal(-1), category_id=99, code="g-1", gtin="4006381333930", active=2)
    with (
        nothing_written(ward),
        refused(
            (Code.TEXT_TOO_LONG, "name"),
            (Code.NEGATIVE, "price"),
            (Code.YES_OR_NO_EXPECTED, "active"),
            (Code.REFERENCE_UNKNOWN, "category_id"),
            (Code.TAKEN, "code"),
            (Code.GTIN_INVALID, "gtin"),
        ),
    ):
        ward.use_cases.products.create(ward.admin, draft)


def test_an_unreadable_field_is_reported_once(ward: Ward) -> None:
    draft = bandage(ward, price=None, parse_errors=(Reason(Code.NUMBER_EXPECTED, "price"),))
    with refused((Code.NUMBER_EXPECTED, "price")):
        ward.use_cases.products.create(ward.admin, draft)


def test_products_may_have_the_same_name(ward: Ward) -> None:
    assert ward.product("Venda").id != ward.product("Venda").id


def test_an_update_can_keep_the_products_code_and_gtin(ward: Ward) -> None:
    product = ward.product("Gasa", code="G-1", gtin="4006381333931")
    changed = ward.use_cases.products.update(
        ward.admin, product.id, bandage(ward, code="g-1", gtin="4006381333931", active=0)
    )
    assert (changed.id, changed.name, changed.code, changed.active) == (product.id, "Venda", "g-1", False)
    assert audit_log(ward)[-1].changes == {
        "name": ("Gasa", "Venda"),
        "price": ("1.00", "7.01"),
        "code": ("G-1", "g-1"),
        "active": (True, False),
    }


# --- patients and staff ----------------------------------------------------------------------------------------------


def test_ward_staff_register_a_patient(ward: Ward) -> None:
    draft = PatientDraft(
        name="Luis", first_surname="Gil", second_surname=" ", date_of_birth=TODAY, active=1, record_number=" EXP-7 "
    )
    patient = ward.use_cases.patients.create(ward.nurse, draft)
    assert ward.use_cases.patients.reader.one(ward.nurse, patient.id) == {
        "id": patient.id,
        "name": "Luis",
        "first_surname": "Gil",
        "second_surname": None,
        "date_of_birth": TODAY,
        "active": 1,
        "record_number": "EXP-7",
        "open_sheets": 0,
        "merged_into": None,
    }


def test_all_errors_of_a_patient_are_reported_at_once(ward: Ward) -> None:
    ward.patient("Luis", "Gil", record_number="EXP-7")
    draft = PatientDraft(first_surname="x" * 201, date_of_birth=date(2091, 5, 4), active=-1, record_number="exp-7")
    with (
        nothing_written(ward),
        refused(
            (Code.REQUIRED, "name"),
            (Code.TEXT_TOO_LONG, "first_surname"),
            (Code.DATE_IN_FUTURE, "date_of_birth"),
            (Code.YES_OR_NO_EXPECTED, "active"),
            (Code.TAKEN, "record_number"),
        ),
    ):
        ward.use_cases.patients.create(ward.nurse, draft)


def test_several_patients_may_have_no_record_number(ward: Ward) -> None:
    assert ward.patient("Ana", "Ríos").id != ward.patient("Ana", "Ríos").id


def test_room_and_area_codes_are_kept_if_not_sent(ward: Ward) -> None:
    uc, admin = ward.use_cases, ward.admin
    area = uc.areas.create(admin, AreaDraft(name="UCI", code="UCI")).id
    filled_in: dict[str, Any] = {"name": "201", "status": 1, "type": 1, "area_id": area}
    room = uc.rooms.create(admin, RoomDraft(**filled_in, code="UCI^201")).id
    uc.areas.update(admin, area, AreaDraft(name="Terapia", sent_fields=frozenset({"name"})))
    uc.rooms.update(admin, room, RoomDraft(**filled_in | {"name": "202"}, sent_fields=frozenset(filled_in)))
    assert (uc.areas.reader.one(admin, area)["code"], uc.rooms.reader.one(admin, room)["code"]) == ("UCI", "UCI^201")
    uc.rooms.update(admin, room, RoomDraft(**filled_in, code=None, sent_fields=frozenset({*filled_in, "code"})))
    assert uc.rooms.reader.one(admin, room)["code"] is None
    with pytest.raises(Refused) as taken:
        uc.areas.create(admin, AreaDraft(name="Otra", code="UCI"))
    assert [(one.field, one.code) for one in taken.value.reasons] == [("code", "taken")]
