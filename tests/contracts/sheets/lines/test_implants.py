"""Contract of every store: implants, their register and the patient's card."""

from decimal import Decimal
from typing import Any

import pytest

from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.products import ProductDraft
from application.catalogue.views import KitQuery, ProductQuery
from application.sheets.detail_views import DetailQuery
from tests.builders import TODAY, Ward
from tests.use_cases.sheets.lines.test_implants import GTIN, WHOLE, WITH_REASON, register


@pytest.fixture
def pacemaker(ward: Ward) -> int:
    return ward.product("Marcapasos", "31.37", implant=True, gtin=GTIN, asks_lot=True, asks_serial=True).id


# --- changes ---------------------------------------------------------------------------------------------------------


def test_the_mark_is_listed_and_in_the_catalogue(ward: Ward, pacemaker: int) -> None:
    page = ward.use_cases.products.search.page(ward.admin, ProductQuery(implant=True))
    assert [product["id"] for product in page["items"]] == [pacemaker]
    others = ward.use_cases.products.search.page(ward.admin, ProductQuery(implant=False))["items"]
    assert pacemaker not in [product["id"] for product in others]
    with ward.store.read() as views:
        marks = {product.id: product.implant for product in views.catalogue()["products"]}
    assert marks == {pacemaker: True, ward.product_id: False}
    kit = KitDraft(
        name="Implante",
        lines=tuple(KitLineDraft(product_id=each, quantity=Decimal(1)) for each in (pacemaker, ward.product_id)),
    )
    ward.use_cases.kits.create(ward.admin, kit)
    [listed] = ward.use_cases.kits.reader.page(ward.admin, KitQuery())["items"]
    assert [line["product"].get("implant", False) for line in listed["lines"]] == [True, False]
    # A client that does not know the mark keeps it.
    draft = ProductDraft(
        name="Marcapasos", price=Decimal(1), category_id=ward.category_id, sent_fields=frozenset({"name", "price"})
    )
    assert ward.use_cases.products.update(ward.admin, pacemaker, draft).implant


# --- the register ----------------------------------------------------------------------------------------------------


def test_the_register_lists_implants_by_filter_and_without_price(ward: Ward, pacemaker: int) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    screw = ward.product("Tornillo", "31.37", implant=True).id
    other = ward.patient("Luz", "Soto").id
    first = ward.detail(sheet_id, product_id=pacemaker, **WHOLE)["id"]
    second = ward.detail(ward.sheet(patient_id=other)["id"], product_id=screw, lot="t-9", **WITH_REASON)["id"]
    voided = ward.detail(sheet_id, product_id=screw, lot="t-9", **WITH_REASON)["id"]
    ward.use_cases.details.delete(ward.admin, voided)
    queries: dict[str, dict[str, Any]] = {
        "all": {},
        "product": {"product_id": screw},
        "patient": {"patient_id": other},
        "lot": {"lot": "T-9"},
        "serial": {"serial": "S-1"},
        "days": {"since": TODAY, "until": TODAY},
        "later": {"since": TODAY.replace(year=TODAY.year + 1)},
        "incomplete": {"incomplete": True},
        "complete": {"incomplete": False},
        "words": {"q": "marca"},
    }
    found = {name: [one["id"] for one in register(ward, **asked)] for name, asked in queries.items()}
    assert found == {
        "all": [second, first],
        "product": [second],
        "patient": [second],
        "lot": [second],
        "serial": [first],
        "days": [second, first],
        "later": [],
        "incomplete": [second],
        "complete": [first],
        "words": [first],
    }
    iterated = list(ward.use_cases.implants.list.iterate(ward.supervisor, DetailQuery()))
    assert [one["id"] for one in iterated] == [second, first]
    assert iterated[1]["patient"]["id"] == ward.patient_id
    assert "31.37" not in str(register(ward))
    assert not {"total", "unit_price", "price"} & set(str(iterated).replace("'", " ").split())
