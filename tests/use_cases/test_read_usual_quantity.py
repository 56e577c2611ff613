"""What is usually recorded of a product, told before a quantity that is far from it is recorded."""

from decimal import Decimal

import pytest

from domain.anomalies import SAMPLE_SIZE
from domain.errors import NotFound
from domain.policy import Actor
from tests.builders import Ward


def look(ward: Ward, product_id: int, who: Actor | None = None) -> tuple[Decimal | None, Decimal]:
    view = ward.use_cases.read_usual_quantity(who or ward.nurse, product_id)
    return view["usual_quantity"], view["far_out_above"]


def test_it_is_told_once_there_is_enough_to_tell_and_goes_by_the_latest(ward: Ward) -> None:
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


def test_zero_as_the_usual_quantity_counts_as_none(ward: Ward) -> None:
    sheet_id, gauze = ward.sheet()["id"], ward.product("Gasa").id
    for _ in range(11):
        ward.detail(sheet_id, "0", product_id=gauze)
    assert look(ward, gauze) == (Decimal(0), Decimal(20))


def test_nothing_is_told_of_a_product_that_does_not_exist(ward: Ward) -> None:
    with pytest.raises(NotFound):
        look(ward, 999)
