"""Reconciliation of a store's file with what was recorded."""

from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.used_for import Part
from tests.builders import NOON, Ward
from tests.contracts.restock.test_restock import STEPS, Week
from tests.use_cases.reports.test_reconciliation import area_of, compare, figures
from tests.used_for import part_of


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


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=STEPS, losses=st.lists(st.integers(0, 3), min_size=4, max_size=4), before=st.integers(0, 5))
def test_the_stores_file_adds_up(
    ward: Ward, tmp_path: Path, steps: list[tuple[str, int, int]], losses: list[int], before: int
) -> None:
    """Handed out = treatment + area + wasted - returned + what was lost."""
    month = Week(ward)
    for number, step in enumerate(steps):
        # What the first steps recorded was used in the month before.
        ward.clock.now = NOON - timedelta(days=40 if number < before else 0)
        month.run(*step)
    ward.clock.now = NOON
    month.check()
    since = NOON.date() - timedelta(days=20)
    lines = month.lines()
    handed_out = defaultdict(Decimal, month.handed_out)
    for line in lines:
        if line.day < since:
            handed_out[line.area_id or 0, line.product_id] -= line.quantity
    planted = dict(zip([(area, product) for area in month.areas for product in month.products], losses, strict=True))
    rows = []
    with ward.store.begin_read_only() as work:
        for (area_id, product_id), lost in planted.items():
            area, product = work.areas.get(area_id), work.products.get(product_id)
            assert area
            assert product
            quantity = handed_out[area_id, product_id] + lost
            rows += [f"{area.name};{product.code};{int(part)}" for part in (quantity - 1, 1)]
    text = "área;código;cantidad\n" + "\n".join(rows) + "\n"
    found = compare(ward, tmp_path, text, since=since, until=NOON.date())
    assert {(row["area_id"], row["product_id"]): row["difference"] for row in found.items} == planted
    for row in found.items:
        of_row = [
            line
            for line in lines
            if (line.area_id, line.product_id) == (row["area_id"], row["product_id"]) and line.day >= since
        ]
        parts = dict.fromkeys(Part, Decimal(0))
        for line in of_row:
            parts[part_of(line)] += line.quantity + (line.returned or 0)
        assert (row["treatment"], row["area_use"], row["wasted"]) == tuple(parts.values())
        assert row["returned"] == sum((line.returned or 0 for line in of_row), Decimal(0))
        assert row["recorded"] == sum(parts.values()) - row["returned"]
