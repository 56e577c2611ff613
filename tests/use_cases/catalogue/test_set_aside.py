"""Units of recalled lots that were set aside."""

from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.catalogue.areas import AreaDraft
from application.catalogue.set_aside import SetAsideDraft
from application.catalogue.views import RecallQuery
from application.sheets.recalls import RecallDraft
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward


def a_recall(ward: Ward, lot: str | None = "C20-1144") -> int:
    draft = RecallDraft(product_id=ward.product_id, lot=lot, reason="Se rompe")
    return ward.use_cases.recalls.open(ward.supervisor, draft).id


def test_set_aside_units_are_listed_and_charge_nothing(ward: Ward) -> None:
    sheet, recall = ward.sheet(), a_recall(ward)
    uc = ward.use_cases.recalls
    first = uc.set_aside(ward.nurse, recall, SetAsideDraft(quantity=Decimal(1), lot="c20-1144")).answer
    where = SetAsideDraft(quantity=Decimal(2), room_id=ward.room_id, area_id=ward.area_id)
    second = uc.set_aside(ward.supervisor, recall, where).answer
    assert (first["lot"], first["room"], first["area"]) == ("C20-1144", None, None)
    assert (second["room"], second["product_id"]) == ("101", ward.product_id)
    listed = uc.list_set_aside(ward.supervisor, recall)
    assert listed == {"items": [second, first], "quantity": Decimal(3)}
    found = uc.reader.page(ward.supervisor, RecallQuery())["items"]
    assert [one["set_aside"] for one in found] == [Decimal(3)]
    assert uc.reader.one(ward.supervisor, a_recall(ward, "L2"))["set_aside"] == 0
    assert ward.use_cases.sheets.reader.one(ward.admin, sheet["id"])["total"] == 0
    noted = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="set_aside.recorded"))["items"]
    assert [(one["entity_id"], one["user"] and one["user"]["id"]) for one in noted] == [
        (second["id"], ward.supervisor.user_id),
        (first["id"], ward.nurse.user_id),
    ]


def test_a_closed_recall_still_accepts_set_aside_units(ward: Ward) -> None:
    recall = a_recall(ward)
    closed = RecallDraft(product_id=ward.product_id, lot="C20-1144", reason="Se rompe", closed=True)
    ward.use_cases.recalls.update(ward.admin, recall, closed)
    stored = ward.use_cases.recalls.set_aside(ward.nurse, recall, SetAsideDraft(quantity=Decimal(1)))
    assert stored.answer["quantity"] == 1


def test_set_aside_units_are_as_fine_as_the_product(ward: Ward) -> None:
    product_id = ward.product("Catéter", decimals=0).id
    recall = ward.use_cases.recalls.open(ward.supervisor, RecallDraft(product_id=product_id, reason="Se rompe")).id
    with refused((Code.QUANTITY_TOO_FINE, "quantity")):
        ward.use_cases.recalls.set_aside(ward.nurse, recall, SetAsideDraft(quantity=Decimal("0.5")))


def test_unclear_set_aside_requests_are_refused(ward: Ward) -> None:
    recall = a_recall(ward)
    uc = ward.use_cases.recalls
    unclear = SetAsideDraft(quantity=Decimal(0), lot="L2", room_id=999, area_id=999)
    with refused(
        (Code.QUANTITY_ZERO, "quantity"),
        (Code.LOT_NOT_RECALLED, "lot"),
        (Code.REFERENCE_UNKNOWN, "room_id"),
        (Code.REFERENCE_UNKNOWN, "area_id"),
    ):
        uc.set_aside(ward.nurse, recall, unclear)
    with refused((Code.REQUIRED, "quantity")):
        uc.set_aside(ward.nurse, recall, SetAsideDraft())
    with pytest.raises(NotFound):
        uc.set_aside(ward.nurse, 999, SetAsideDraft(quantity=Decimal(1)))
    with pytest.raises(NotFound):
        uc.list_set_aside(ward.admin, 999)
    # A recall of all lots keeps the lot that was read.
    of_all = a_recall(ward, None)
    assert uc.set_aside(ward.nurse, of_all, SetAsideDraft(quantity=Decimal(1), lot="L2")).answer["lot"] == "L2"


def test_an_area_with_set_aside_units_cannot_be_deleted(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Bodega")).id
    draft = SetAsideDraft(quantity=Decimal(1), area_id=area)
    ward.use_cases.recalls.set_aside(ward.nurse, a_recall(ward), draft)
    with refused(Code.IN_USE):
        ward.use_cases.areas.delete(ward.admin, area)
