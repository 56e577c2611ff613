"""Codes of products, including the own GTIN."""

from dataclasses import replace
from decimal import Decimal

import pytest

from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.views import ProductCodeView, ProductQuery
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward

EAN, AS_14, BOX = "4006381333931", "04006381333931", "14006381333938"


def add(ward: Ward, product_id: int, system: str, code: str, units: str | None = None) -> ProductCodeView:
    draft = ProductCodeDraft(system=system, code=code, units=None if units is None else Decimal(units), label="caja")
    return ward.use_cases.products.add_code(ward.admin, product_id, draft)


def codes(ward: Ward, product_id: int) -> list[tuple[str, str, Decimal]]:
    items = ward.use_cases.products.list_codes(ward.admin, product_id)["items"]
    return [(item["system"], item["code"], item["units"]) for item in items]


def gtin(ward: Ward, product_id: int) -> str | None:
    return ward.use_cases.products.reader.one(ward.admin, product_id)["gtin"]


def update(ward: Ward, product_id: int, **particulars: object) -> None:
    filled_in = {"name": "Sonda", "price": Decimal(1), "category_id": ward.category_id, "code": None, "unit": None}
    ward.use_cases.products.update(ward.admin, product_id, ProductDraft(**filled_in | particulars))  # type: ignore[arg-type]


def test_the_units_of_a_code_are_as_fine_as_its_product(ward: Ward) -> None:
    whole = ward.product("Catéter", decimals=0).id
    with refused((Code.QUANTITY_TOO_FINE, "units")):
        add(ward, whole, "supplier", "C-1", "0.5")
    assert add(ward, whole, "supplier", "C-1", "5")["units"] == 5


def test_a_products_gtin_is_one_of_its_codes_for_one_unit(ward: Ward) -> None:
    product = ward.product("Sonda", gtin=EAN).id
    assert codes(ward, product) == [("gtin", AS_14, Decimal(1))]
    update(ward, product, gtin="96385074")
    assert codes(ward, product) == [("gtin", "00000096385074", Decimal(1))]
    update(ward, product, gtin="96385074", name="Sonda 14 Fr")
    update(ward, product, gtin=None)
    assert codes(ward, product) == []


def test_deleting_a_product_deletes_its_codes(ward: Ward) -> None:
    product = ward.product("Sonda", gtin=EAN).id
    add(ward, product, "hibc", "+A123")
    ward.use_cases.products.delete(ward.admin, product)
    assert codes(ward, ward.product("Otra", gtin=AS_14).id) == [("gtin", AS_14, Decimal(1))]


def test_all_errors_of_a_code_are_reported_at_once(ward: Ward) -> None:
    with refused((Code.CHOICE_UNKNOWN, "system"), (Code.REQUIRED, "code"), (Code.REQUIRED, "units")):
        add(ward, ward.product_id, "isbn", "", "0")
    with refused((Code.GTIN_INVALID, "code")):
        add(ward, ward.product_id, "gtin", "4006381333930")
    with pytest.raises(NotFound):
        add(ward, 999, "hibc", "+A")


def test_quantities_are_as_fine_as_the_products_decimals(ward: Ward) -> None:
    read = ward.use_cases.products.reader.one(ward.admin, ward.product("Marcapasos", asks_serial=True).id)
    assert (read["decimals"], read["asks_lot"], read["asks_serial"]) == (3, False, True)
    product = ward.product("Sonda", decimals=1).id
    sheet = ward.sheet()["id"]
    with refused((Code.QUANTITY_TOO_FINE, "quantity")):
        ward.detail(sheet, "1.25", product_id=product)
    assert ward.detail(sheet, "1.5", product_id=product)["quantity"] == Decimal("1.5")
    with refused((Code.CHOICE_UNKNOWN, "decimals")):
        ward.product("Otra", decimals=4)


def test_other_names_are_searchable_until_they_change(ward: Ward) -> None:
    product = ward.product("Catéter periférico 20G", also_called=("Yelco", "Abbo-cath")).id
    other = ward.product("Yelcoplast").id

    def found(q: str) -> list[int]:
        items = ward.use_cases.products.reader.page(ward.admin, ProductQuery(q=q))["items"]
        return [item["id"] for item in items]

    assert ward.use_cases.products.reader.one(ward.admin, product)["also_called"] == ["Yelco", "Abbo-cath"]
    # A name that begins with the text comes before an alternative name.
    assert found("yelco") == [other, product]
    assert (found("abbocath 20g"), found("ye"), found("yelco abbocath")) == ([product], [other, product], [product])
    with ward.store.begin() as work:
        [before] = work.products.find_many("id", [product])
        work.products.save(replace(before, also_called=("Angio",)))
    assert (found("abbocath"), found("angio")) == ([], [product])
    with ward.store.begin() as work:
        work.products.save_all([replace(before, also_called=())])
    assert found("angio") == []
