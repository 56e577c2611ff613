"""Printing a sheet, which is logged."""

from decimal import Decimal

import pytest

from application.audit.views import AuditQuery
from application.catalogue.categories import CategoryDraft
from domain.common.errors import NotFound
from tests.builders import Ward


def test_lines_are_grouped_as_in_the_summary(ward: Ward) -> None:
    tubes = ward.use_cases.categories.create(ward.admin, CategoryDraft(code="AAA", name="Agujas"))
    needle = ward.product("Aguja", "0.35", category_id=tubes.id).id
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.detail(sheet_id, "3", product_id=needle)
    ward.detail(sheet_id, "1")
    ward.clock.advance(days=1)
    ward.detail(sheet_id, "1", product_id=needle)
    printed = ward.use_cases.sheets.print(ward.supervisor, sheet_id)
    summary = ward.use_cases.sheets.summarize(ward.supervisor, sheet_id)
    assert [(day["day"], day["lines"], day["total"]) for day in printed["days"]] == [
        (day["day"], day["lines"], day["total"]) for day in summary["days"]
    ]
    assert (printed["lines"], printed["total"]) == (summary["lines"], summary["total"]) == (4, Decimal("38.90"))
    assert [
        (
            day["day"].day,
            each["category"]["name"],
            str(each["total"]),
            [int(line["quantity"]) for line in each["details"]],
        )
        for day in printed["days"]
        for each in day["categories"]
    ] == [
        (3, "Agujas", "1.05", [3]),
        (3, "Curación", "37.50", [2, 1]),
        (4, "Agujas", "0.35", [1]),
    ]


def test_ward_staff_get_no_prices_totals_or_category_codes(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    printed = str(ward.use_cases.sheets.print(ward.nurse, sheet_id))
    assert "Gasa" in printed
    for secret in ("price", "total", "12.50", "CUR"):
        assert secret not in printed


def test_printing_is_part_of_the_sheets_history(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.print(ward.nurse, sheet_id)
    latest = ward.use_cases.sheets.read_history(ward.supervisor, sheet_id, AuditQuery())["items"][0]
    assert (latest["action"], latest["entity_id"], latest["changes"]) == ("sheet.printed", sheet_id, {})
    assert latest["user"] is not None
    assert latest["user"]["id"] == ward.nurse.user_id


def test_a_print_names_its_user_by_profile_or_email(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    reported = [ward.use_cases.sheets.print(who, sheet_id)["printed_by"] for who in (ward.nurse, ward.supervisor)]
    assert reported == ["Nuria Paz", "supervisor@consumo.test"]


def test_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with pytest.raises(NotFound):
        ward.use_cases.sheets.print(ward.admin, 999)
