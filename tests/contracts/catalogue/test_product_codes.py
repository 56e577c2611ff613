"""Contract of every store: codes of products, including the own GTIN."""

from decimal import Decimal

import pytest

from application.catalogue.views import ProductQuery
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.catalogue.test_product_codes import AS_14, BOX, EAN, add, codes, gtin


def test_a_pack_has_its_own_code_unique_within_its_system(ward: Ward) -> None:
    product, other = ward.product("Sonda", gtin=EAN).id, ward.product("Otra").id
    add(ward, product, "gtin", BOX, "100")
    add(ward, product, "billing", "A-1")
    add(ward, other, "supplier", "A-1")
    assert codes(ward, product) == [
        ("gtin", AS_14, Decimal(1)),
        ("gtin", BOX, Decimal(100)),
        ("billing", "A-1", Decimal(1)),
    ]
    assert gtin(ward, product) == EAN
    for system, code in (("billing", "a-1"), ("gtin", BOX), ("gtin", EAN), ("gtin", AS_14)):
        with refused((Code.TAKEN, "code")):
            add(ward, other, system, code)
    # The GTIN of a product draft must be unique among these codes too.
    for same in (EAN, AS_14, BOX):
        with refused((Code.TAKEN, "gtin")):
            ward.product("Tercera", gtin=same)


def test_the_first_gtin_for_one_unit_is_the_products_gtin(ward: Ward) -> None:
    product = ward.product("Sonda").id
    box = add(ward, product, "gtin", BOX, "100")
    assert gtin(ward, product) is None
    single = add(ward, product, "gtin", EAN)
    assert gtin(ward, product) == AS_14
    ward.use_cases.products.remove_code(ward.admin, box["id"])
    assert gtin(ward, product) == AS_14
    ward.use_cases.products.remove_code(ward.admin, single["id"])
    assert (gtin(ward, product), codes(ward, product)) == (None, [])
    with pytest.raises(NotFound):
        ward.use_cases.products.remove_code(ward.admin, single["id"])


@pytest.mark.parametrize("said", [EAN, AS_14, BOX, " +a123 "])
def test_a_search_for_a_code_finds_its_product_first(ward: Ward, said: str) -> None:
    ward.product(f"Aguja {said.strip()}")
    product = ward.product("Sonda", gtin=EAN).id
    add(ward, product, "gtin", BOX, "100")
    add(ward, product, "hibc", "+A123")
    items = ward.use_cases.products.reader.page(ward.admin, ProductQuery(q=said))["items"]
    assert [item["name"] for item in items] == ["Sonda", f"Aguja {said.strip()}"]
