"""Contract of every store: lines to record again, summed up by product."""

from datetime import timedelta
from decimal import Decimal

from application.catalogue.products import ProductDraft
from tests.builders import TODAY, Ward
from tests.use_cases.sheets.lines.test_repeatable import reported

TOMORROW = TODAY + timedelta(days=1)


def test_lines_of_a_day_are_summed_up_by_default_the_last_day(ward: Ward) -> None:
    gauze, tape, old = ward.product_id, ward.product("Esparadrapo").id, ward.product("Termómetro")
    sheet_id = ward.sheet()["id"]
    ward.detail(ward.sheet()["id"], "99")
    assert reported(ward, sheet_id) == (None, [])
    for product_id, quantity in ((tape, "1"), (gauze, "2.5"), (tape, "0.125"), (old.id, "1"), (gauze, "0")):
        ward.detail(sheet_id, quantity, product_id=product_id)
    slip = ward.detail(sheet_id, "7", product_id=gauze)
    ward.use_cases.details.delete(ward.admin, slip["id"])
    retired = ProductDraft(name=old.name, price=old.price, category_id=old.category_id, active=0)
    ward.use_cases.products.update(ward.admin, old.id, retired)
    first = (TODAY, [(tape, Decimal("1.125"), 2), (gauze, Decimal("2.5"), 1)])
    assert reported(ward, sheet_id) == first
    ward.clock.advance(days=1)
    ward.detail(sheet_id, "4", product_id=gauze)
    assert reported(ward, sheet_id) == (TOMORROW, [(gauze, Decimal(4), 1)])
    assert reported(ward, sheet_id, day=TODAY) == first
    assert reported(ward, sheet_id, day=TODAY - timedelta(days=1)) == (TODAY - timedelta(days=1), [])
    assert ward.use_cases.sheets.list_repeatable(ward.nurse, sheet_id)["days"] == [TODAY, TOMORROW]
