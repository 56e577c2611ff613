"""Contract of every store: questions about quantities far above the usual.

A client that cannot answer questions gets a warning instead.
"""

from decimal import Decimal

import pytest

from application.sheets.stores import ReferredIds
from domain.sheets.anomalies import MEDIAN_RANK, SAMPLE_SIZE
from tests.builders import Ward


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet()["id"]


def test_the_references_of_a_detail_have_the_usual_quantity(ward: Ward, sheet_id: int) -> None:
    tape = ward.product("Esparadrapo").id
    asked = [ReferredIds(tape, None, None, None), ReferredIds(ward.product_id, None, None, None)]

    def usual() -> list[Decimal | None]:
        with ward.store.begin() as work:
            several = [found.usual for found in work.details.references(asked)]
            assert several == [found.usual for each in asked for found in work.details.references([each])]
        return several

    assert usual() == [None, None]
    lines = ward.details(sheet_id, *[ward.detail_draft(str(number)) for number in range(1, MEDIAN_RANK + 1)])
    assert usual() == [None, Decimal(MEDIAN_RANK)]
    # Voided lines do not count.
    ward.use_cases.details.delete(ward.admin, lines[0]["id"])
    assert usual() == [None, None]
    ward.details(sheet_id, *[ward.detail_draft("3") for _ in range(SAMPLE_SIZE)])
    assert usual() == [None, Decimal(3)]
