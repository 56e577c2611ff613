"""The usual quantity of a product, read before recording."""

from decimal import Decimal

import pytest

from domain.common.errors import NotFound
from domain.common.policy import Actor
from domain.sheets.anomalies import SAMPLE_SIZE
from tests.builders import Ward


def look(ward: Ward, product_id: int, who: Actor | None = None) -> tuple[Decimal | None, Decimal]:
    view = ward.use_cases.products.read_usual_quantity(who or ward.nurse, product_id)
    return view["usual_quantity"], view["far_out_above"]


def test_the_usual_quantity_needs_enough_recent_details(ward: Ward) -> None:
    sheet_id, gauze = ward.sheet()["id"], ward.product("Gasa").id
    assert look(ward, gauze) == (None, Decimal(20))
    for _ in range(10):
        ward.detail(sheet_id, "2", product_id=gauze)
    assert look(ward, gauze) == (None, Decimal(20))
    ward.detail(sheet_id, "500", product_id=gauze)
    for _ in range(10):
        ward.detail(sheet_id, "2", product_id=gauze)
    assert look(ward, gauze) == look(ward, gauze, ward.admin) == (Decimal(2), Decimal(20))
    for _ in range(SAMPLE_SIZE):
        ward.detail(sheet_id, "0.5", product_id=gauze)
    assert look(ward, gauze) == (Decimal("0.5"), Decimal(5))


def test_a_usual_quantity_of_zero_uses_the_default_limit(ward: Ward) -> None:
    sheet_id, gauze = ward.sheet()["id"], ward.product("Gasa").id
    for _ in range(11):
        ward.detail(sheet_id, "0", product_id=gauze)
    assert look(ward, gauze) == (Decimal(0), Decimal(20))


def test_a_missing_product_is_not_found(ward: Ward) -> None:
    with pytest.raises(NotFound):
        look(ward, 999)
