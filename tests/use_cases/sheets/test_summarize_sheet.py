"""The summary of a sheet before closing, for each role."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from domain.common.errors import NotFound, VersionConflict
from tests.builders import TODAY, Ward
from tests.use_cases.stored import nothing_written


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Create a sheet of two categories, with an empty line and a free one.

    One line has quantity zero, another one a product without a price.
    """
    tubes = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="SON", name="Sondas"))
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "0")
    ward.detail(sheet_id, "3", product_id=ward.product("Sonda", "0.00", category_id=tubes.id).id)
    return sheet_id


def test_a_summary_has_the_sums_and_the_lines_to_correct(ward: Ward, sheet_id: int) -> None:
    summary = ward.use_cases.sheets.summarize(ward.supervisor, sheet_id)
    assert (summary["lines"], summary["total"]) == (3, Decimal("25.00"))
    assert summary["recordable_from"] is None
    assert summary["days"] == [{"day": TODAY, "lines": 3, "total": Decimal("25.00")}]
    assert summary["categories"] == [
        {"category": {"id": 1, "code": "CUR", "name": "Curación"}, "lines": 2, "total": Decimal("25.00")},
        {"category": {"id": 2, "code": "SON", "name": "Sondas"}, "lines": 1, "total": Decimal("0.00")},
    ]
    assert [line["product_name"] for line in summary["without_quantity"]] == ["Gasa estéril"]
    assert [line["product_name"] for line in summary["without_price"]] == ["Sonda"]


def test_ward_staff_see_no_totals_and_no_codes(ward: Ward, sheet_id: int) -> None:
    summary = ward.use_cases.sheets.summarize(ward.nurse, sheet_id)
    assert {key: value for key, value in summary.items() if key != "without_quantity"} == {
        "consumption_sheet_id": sheet_id,
        "lines": 3,
        "days": [{"day": TODAY, "lines": 3}],
        "recordable_from": ward.clock() - timedelta(hours=72),
        "categories": [
            {"category": {"id": 1, "name": "Curación"}, "lines": 2},
            {"category": {"id": 2, "name": "Sondas"}, "lines": 1},
        ],
        "far_out": [],
        "incomplete_implants": [],
        "unlisted_items": [],
        "version": 4,
    }
    assert len(summary["without_quantity"]) == 1


def test_days_without_lines_are_named_until_the_closing(ward: Ward, sheet_id: int) -> None:
    ward.clock.advance(days=3)
    ward.detail(sheet_id)
    days = [TODAY + timedelta(number) for number in range(4)]

    def counts() -> list[tuple[date, int]]:
        return [(day["day"], day["lines"]) for day in ward.use_cases.sheets.summarize(ward.nurse, sheet_id)["days"]]

    expected = list(zip(days, [3, 0, 0, 1], strict=True))
    assert counts() == expected
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.clock.advance(days=2)
    assert counts() == expected


def test_a_dear_line_is_far_out_only_for_those_who_see_prices(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "1", product_id=ward.product("Malla", "900.00").id, by=ward.nurse)
    far_out = [ward.use_cases.sheets.summarize(who, sheet_id)["far_out"] for who in (ward.supervisor, ward.nurse)]
    assert [[line["product_name"] for line in lines] for lines in far_out] == [["Malla"], []]


def test_closing_needs_the_version_of_the_summary(ward: Ward, sheet_id: int) -> None:
    seen = ward.use_cases.sheets.summarize(ward.supervisor, sheet_id)
    ward.detail(sheet_id)
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.sheets.close(ward.supervisor, sheet_id, frozenset({seen["version"]}))
    seen = ward.use_cases.sheets.summarize(ward.supervisor, sheet_id)
    closed = ward.use_cases.sheets.close(ward.supervisor, sheet_id, frozenset({seen["version"]}))
    assert closed["total"] == seen["total"] == Decimal("37.50")
    product = ProductDraft(name="Gasa", price=Decimal(99), category_id=ward.category_id)
    ward.use_cases.products.update(ward.admin, ward.product_id, product)
    again = ward.use_cases.sheets.summarize(ward.supervisor, sheet_id)
    assert (again["total"], again["days"]) == (seen["total"], seen["days"])


def test_a_missing_sheet_has_no_summary_and_no_version(ward: Ward) -> None:
    with pytest.raises(NotFound):
        ward.use_cases.sheets.summarize(ward.admin, 999)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.read_version(ward.admin, 999)
