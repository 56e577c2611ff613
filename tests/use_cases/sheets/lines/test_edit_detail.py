"""Editing a detail."""

from decimal import Decimal

import pytest

from application.catalogue.areas import AreaDraft
from application.catalogue.products import ProductDraft
from domain.common.errors import Code, NotFound, VersionConflict
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import nothing_written


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    ward.sheet()
    return ward.sheet()["id"]


def test_a_new_quantity_keeps_the_unit_price(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id, "2")
    dearer = ProductDraft(name="Gasa estéril", price=Decimal(20), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, ward.product_id, dearer)
    edited = ward.use_cases.details.edit(ward.supervisor, detail["id"], ward.detail_draft("3"))
    assert (edited["quantity"], edited["unit_price"], edited["total"]) == (
        Decimal(3),
        Decimal("12.50"),
        Decimal("37.50"),
    )
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"] == Decimal("37.50")


def test_another_product_sets_its_current_price(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id, "2")
    bandage = ward.product("Venda", "7.00")
    edited = ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("2", product_id=bandage.id))
    assert (edited["product"]["name"], edited["unit_price"], edited["total"]) == ("Venda", Decimal(7), Decimal(14))


def test_the_answer_equals_a_later_read_of_the_detail(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id, by=ward.nurse)
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Quirófano"))
    person = ward.staff("Luis", "Gil")
    draft = ward.detail_draft("4", staff_id=person.id, area_id=area.id)
    edited = ward.use_cases.details.edit(ward.admin, detail["id"], draft)
    assert edited == ward.use_cases.details.reader.one(ward.admin, detail["id"])
    assert (edited["staff_id"], edited["area_id"], edited["version"]) == (person.id, area.id, 2)


def test_an_edit_does_not_move_a_detail_to_another_sheet(ward: Ward, sheet_id: int) -> None:
    other_id = ward.sheet()["id"]
    detail = ward.detail(sheet_id)
    draft = ward.detail_draft(consumption_sheet_id=other_id)
    assert ward.use_cases.details.edit(ward.admin, detail["id"], draft)["consumption_sheet_id"] == sheet_id


def test_all_errors_of_an_edit_are_reported_at_once(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    draft = ward.detail_draft("0.0001", product_id=99, total=Decimal(-1))
    with (
        nothing_written(ward),
        refused(
            (Code.NEGATIVE, "total"),
            (Code.QUANTITY_TOO_FINE, "quantity"),
            (Code.REFERENCE_UNKNOWN, "product_id"),
            Code.SHEET_CLOSED,
        ),
    ):
        ward.use_cases.details.edit(ward.admin, detail["id"], draft)


def test_an_inactive_product_can_stay_but_not_be_newly_set(ward: Ward, sheet_id: int) -> None:
    bandage = ward.product("Venda", "7.00")
    of_bandage, of_gauze = ward.detail(sheet_id, product_id=bandage.id), ward.detail(sheet_id)
    gone = ProductDraft(name="Venda", price=Decimal(7), category_id=ward.category_id, active=0)
    ward.use_cases.products.update(ward.admin, bandage.id, gone)
    draft = ward.detail_draft("5", product_id=bandage.id)
    assert ward.use_cases.details.edit(ward.admin, of_bandage["id"], draft)["quantity"] == 5
    with nothing_written(ward), refused((Code.PRODUCT_INACTIVE, "product_id")):
        ward.use_cases.details.edit(ward.admin, of_gauze["id"], draft)


def test_editing_an_old_version_is_refused(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id)
    ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("2"), frozenset({1}))
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.details.edit(ward.supervisor, detail["id"], ward.detail_draft("3"), frozenset({1}))


def test_editing_a_missing_detail_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.details.edit(ward.admin, 99, ward.detail_draft())
