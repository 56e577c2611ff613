"""A closing freezes the sheet permanently.

Renaming, correcting or moving things later does not change the frozen document.
"""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.closing.reopen_sheet import ReopenDraft
from application.people.patients import PatientDraft
from application.sheets.detail_views import DetailQuery
from application.sheets.summary_views import SheetDocument
from domain.common.errors import NotFound
from tests.builders import Ward


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Return the id of a sheet with two lines."""
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2", area_id=ward.area_id, lot="L-1")
    ward.detail(sheet_id, "0.5", product_id=ward.product("Venda", "3.33").id)
    return sheet_id


def rename_all(ward: Ward) -> None:
    """Rename the category, product, patient and room of the sheet."""
    uc, admin = ward.use_cases, ward.admin
    uc.categories.update(admin, ward.category_id, CategoryDraft(code="XXX", name="Otra categoría"))
    product = ProductDraft(name="Otro producto", price=Decimal(99), category_id=ward.category_id, code="ZZ-1")
    uc.products.update(admin, ward.product_id, product)
    uc.patients.update(admin, ward.patient_id, PatientDraft(name="Otra", first_surname="Persona", record_number="HC-9"))
    uc.rooms.update(admin, ward.room_id, RoomDraft(name="Otra", status=1, type=1, area_id=ward.area_id))


def frozen(ward: Ward, sheet_id: int, turn: int | None = None) -> SheetDocument | None:
    with ward.store.read() as views:
        return views.closings.document(sheet_id, turn)


def reopen(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una venda"))


def lines_of(document: Any) -> list[Any]:
    return [line for day in document["days"] for group in day["categories"] for line in group["details"]]


def test_a_frozen_document_is_not_changed_by_renaming(ward: Ward, sheet_id: int) -> None:
    assert frozen(ward, sheet_id) is None
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    document, paper = frozen(ward, sheet_id), ward.use_cases.sheets.print(ward.admin, sheet_id)
    rename_all(ward)
    assert frozen(ward, sheet_id) == document
    assert ward.use_cases.sheets.print(ward.admin, sheet_id) == paper
    assert paper["sheet"]["patient"]["name"] == "Ana"
    assert {line["product"]["name"] for line in lines_of(paper)} == {"Gasa estéril", "Venda"}
    # All other answers show the current names.
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["patient"]["name"] == "Otra"


def test_a_closing_can_be_read_in_full(ward: Ward, sheet_id: int) -> None:
    slip = ward.detail(sheet_id, "9")
    ward.use_cases.details.delete(ward.nurse if slip["user_id"] == ward.nurse.user_id else ward.admin, slip["id"])
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    rename_all(ward)
    read = ward.use_cases.sheets.read_closing(ward.admin, sheet_id, 1)
    assert (read["sheet"]["patient"]["name"], read["lines"], read["voided"]) == ("Ana", 2, 1)
    assert read["total"] == sum(line["total"] for line in lines_of(read)) == Decimal("26.67")
    assert {line["product"]["name"] for line in lines_of(read)} == {"Gasa estéril", "Venda"}
    reported = str(ward.use_cases.sheets.read_closing(ward.nurse, sheet_id, 1))
    assert "Gasa" in reported
    for secret in ("price", "total", "12.50", "26.67", "CUR"):
        assert secret not in reported
    for nothing in ((sheet_id, 2), (999, 1)):
        with pytest.raises(NotFound):
            ward.use_cases.sheets.read_closing(ward.admin, *nothing)


def test_an_open_sheet_is_printed_in_its_current_state(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    reopen(ward, sheet_id)
    rename_all(ward)
    assert ward.use_cases.sheets.print(ward.admin, sheet_id)["sheet"]["patient"]["name"] == "Otra"


def test_every_version_can_be_printed_with_its_own_total(ward: Ward, sheet_id: int) -> None:
    first_at = ward.clock.now
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    reopen(ward, sheet_id)
    [line, _] = ward.use_cases.details.reader.page(ward.admin, DetailQuery(consumption_sheet_id=sheet_id))["items"]
    ward.use_cases.details.edit(ward.admin, line["id"], ward.detail_draft("7", product_id=line["product_id"]))
    ward.clock.advance(hours=1)
    ward.use_cases.sheets.close(ward.supervisor, sheet_id)
    listed = ward.use_cases.sheets.list_closings(ward.admin, sheet_id)["items"]
    assert listed == [
        {"turn": 1, "closed_at": first_at, "by": "Nuria Paz", "total": Decimal("26.67"), "lines": 2},
        {
            "turn": 2,
            "closed_at": ward.clock.now,
            "by": "supervisor@consumo.test",
            "total": Decimal("48.31"),
            "lines": 2,
        },
    ]
    for one in listed:
        paper = ward.use_cases.sheets.print(ward.admin, sheet_id, one["turn"])
        assert paper["total"] == one["total"] == sum(line["total"] for line in lines_of(paper))
        assert len(lines_of(paper)) == one["lines"]
    assert ward.use_cases.sheets.print(ward.admin, sheet_id)["total"] == Decimal("48.31")
    with pytest.raises(NotFound):
        ward.use_cases.sheets.print(ward.admin, sheet_id, 3)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.list_closings(ward.admin, 999)


def test_ward_staff_see_no_price_in_a_closing(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    reported = str(ward.use_cases.sheets.list_closings(ward.nurse, sheet_id)) + str(
        ward.use_cases.sheets.print(ward.nurse, sheet_id, 1)
    )
    assert "Gasa" in reported
    for secret in ("price", "total", "12.50", "26.67", "CUR"):
        assert secret not in reported
    # Redacting one user's answer does not change the stored document.
    document = frozen(ward, sheet_id)
    assert document is not None
    assert document["total"] == Decimal("26.67")


def test_closings_are_deleted_with_their_sheet(ward: Ward, sheet_id: int) -> None:
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    assert frozen(ward, sheet_id, 1) is None
