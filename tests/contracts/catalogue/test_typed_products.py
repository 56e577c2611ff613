"""Contract of every store: products that are chosen by name although they have a code."""

import pytest

from application.catalogue.areas import AreaDraft
from tests.builders import Ward
from tests.use_cases.catalogue.test_typed_products import SCAN, TEXT, record, typed


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


@pytest.fixture
def coded(ward: Ward) -> int:
    """Return the id of a product with a code."""
    return ward.product("Sonda", code="S-1").id


def test_choices_are_counted_by_area_and_product(ward: Ward, sheet_id: int, coded: int) -> None:
    icu = ward.use_cases.areas.create(ward.admin, AreaDraft(name="UCI")).id
    gauze = ward.product("Apósito", code="A-1").id
    for method in (TEXT, TEXT, TEXT, SCAN, None):
        record(ward, sheet_id, coded, method, area_id=icu)
    record(ward, sheet_id, coded, TEXT)
    record(ward, sheet_id, gauze, TEXT)
    record(ward, sheet_id, ward.product("Venda", code="V-1").id, SCAN)
    assert typed(ward) == [("Sonda", "UCI", 3, 1), ("Apósito", None, 1, 0), ("Sonda", None, 1, 0)]
    assert typed(ward, area_id=icu) == [("Sonda", "UCI", 3, 1)]


def test_voided_and_older_lines_do_not_count(ward: Ward, sheet_id: int, coded: int) -> None:
    slip = record(ward, sheet_id, coded, TEXT)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    assert typed(ward) == []
    record(ward, sheet_id, coded, TEXT)
    ward.clock.advance(days=28)
    assert typed(ward) == [("Sonda", None, 1, 0)]
    ward.clock.advance(days=1)
    assert typed(ward) == []
    assert typed(ward, weeks=5) == [("Sonda", None, 1, 0)]
