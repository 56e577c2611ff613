"""Reconciliation of a store's file with what was recorded."""

from decimal import Decimal
from pathlib import Path

import pytest

from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from tests.builders import Ward
from tests.use_cases.reports.test_reconciliation import area_of, compare, figures


@pytest.fixture
def used(ward: Ward) -> Ward:
    """Record 10 of which 3 come back, and 4 that are voided."""
    gauze = ward.product("Gasa estéril", "12.50", code="G-1", decimals=0).id
    sheet = ward.sheet()["id"]
    kept = ward.detail(sheet, "10", product_id=gauze, area_id=ward.area_id)
    ward.use_cases.details.return_part(ward.admin, kept["id"], ReturnDraft(quantity=Decimal(3), reason="unused"))
    voided = ward.detail(sheet, "4", product_id=gauze, area_id=ward.area_id)
    ward.use_cases.details.void(ward.admin, voided["id"], VoidDraft(reason="Otro paciente"))
    return ward


def test_recorded_quantities_exclude_voids_and_returns(used: Ward, tmp_path: Path) -> None:
    area = area_of(used)
    found = compare(used, tmp_path, f"área;código;descripción;cantidad\n{area};g-1;Gasa;8\n{area};G-1;Gasa;4\n")
    assert figures(found) == [(area, "Gasa estéril", Decimal(12), Decimal(7), Decimal(5))]
    assert (found.counted, found.left_out, found.doubts) == (2, 0, [])
