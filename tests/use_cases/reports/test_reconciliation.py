"""Reconciliation of a store's file with what was recorded."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from application.reports.reconciliation_views import Reconciliation
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Refused
from tests.builders import TODAY, Ward
from tests.contracts.audit.audit_logs import trail_of
from tests.imports.importing import file_of

PERIOD: dict[str, Any] = {"since": TODAY - timedelta(days=1), "until": TODAY}


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


def compare(ward: Ward, folder: Path, text: str, **asked: Any) -> Reconciliation:
    file = file_of(folder, text)
    _, batch = ward.use_cases.imports.read_file(ward.admin, file, Noun.HANDED_OUT, Choices())
    return ward.use_cases.reports.reconcile_handed_out(ward.admin, batch, **(PERIOD | asked))


def figures(found: Reconciliation) -> list[tuple[object, ...]]:
    return [(one["area"], one["product"], one["handed_out"], one["recorded"], one["difference"]) for one in found.items]


def doubts(found: Reconciliation) -> dict[int, tuple[bool, list[tuple[str, str | None]]]]:
    return {one.line: (one.counts, [(why.code.value, why.field) for why in one.reasons]) for one in found.doubts}


def area_of(ward: Ward) -> str:
    with ward.use_cases.reports.reconcile_handed_out.begin_read_only() as work:
        area = work.areas.get(ward.area_id)
    assert area is not None
    return area.name


def test_what_the_file_lacks_has_a_negative_difference(used: Ward, tmp_path: Path) -> None:
    used.product("Tul", code="T-1")
    found = compare(used, tmp_path, "código;cantidad\nT-1;2\n", area_id=used.area_id)
    area = area_of(used)
    assert figures(found) == [(area, "Gasa estéril", 0, 7, -7), (area, "Tul", 2, 0, 2)]


def test_unknown_products_and_areas_are_listed(used: Ward, tmp_path: Path) -> None:
    area = area_of(used)
    text = f"área;código;descripción;cantidad\n{area};X-9;Sonda rara;50\nLejos;G-1;Gasa;3\n{area};G-1;Gasa;7\n"
    found = compare(used, tmp_path, text)
    assert figures(found) == [
        (area, "Sonda rara", 50, None, None),
        ("Lejos", "Gasa estéril", 3, None, None),
        (area, "Gasa estéril", 7, 7, 0),
    ]
    assert doubts(found) == {
        2: (True, [("reference.unknown", "product_code")]),
        3: (True, [("reference.unknown", "area")]),
    }


def test_odd_quantities_are_flagged(used: Ward, tmp_path: Path) -> None:
    rows = ["0", "-2", "12000", "1.5", "", "muchas"]
    text = "código;cantidad\n" + "".join(f"G-1;{quantity}\n" for quantity in rows)
    found = compare(used, tmp_path, text, area_id=used.area_id)
    assert doubts(found) == {
        2: (False, [("handed_out.zero", "quantity")]),
        3: (True, [("handed_out.negative", "quantity")]),
        4: (True, [("quantity.far_out", "quantity")]),
        5: (True, [("quantity.too_fine", "quantity")]),
        6: (False, [("required", "quantity")]),
        7: (False, [("number.expected", "quantity")]),
    }
    assert found.items[0]["handed_out"] == Decimal("11999.5")


def test_a_code_with_another_name_is_flagged_and_counts(used: Ward, tmp_path: Path) -> None:
    used.product("Sonda Foley 16 Fr", code="S-1", decimals=0)
    names = ["GASA EST. 10x10", "Gaza esteril", "Guante de nitrilo", "", "SONDA FOLEY 16", "Sonda Foley 14 Fr"]
    codes = ["G-1"] * 4 + ["S-1"] * 2
    rows = "".join(f"{code};{name};{line}\n" for line, (code, name) in enumerate(zip(codes, names, strict=True), 2))
    found = compare(used, tmp_path, "código;descripción;cantidad\n" + rows, area_id=used.area_id)
    differs = (True, [("handed_out.named_otherwise", "product_name")])
    assert doubts(found) == {4: differs, 7: differs}
    assert found.doubts[0].reasons[0].params == {
        "value": "Guante de nitrilo",
        "known": "Gasa estéril",
        "number": "G-1",
    }
    assert found.counted == 6


def test_only_an_export_is_logged(used: Ward, tmp_path: Path) -> None:
    def actions() -> list[str]:
        return [entry.action for entry in trail_of(used.store)]

    before = actions()
    compare(used, tmp_path, "código;cantidad\nG-1;2\n", area_id=used.area_id)
    assert actions() == before
    compare(used, tmp_path, "código;cantidad\nG-1;2\n", area_id=used.area_id, exports=True)
    assert actions()[len(before) :] == ["consumption.exported"]


def test_repeated_rows_are_flagged_and_count(used: Ward, tmp_path: Path) -> None:
    found = compare(used, tmp_path, "código;cantidad\nG-1;2\nG-1;2\n", area_id=used.area_id)
    assert doubts(found) == {3: (True, [("handed_out.repeated", None)])}
    assert found.items[0]["handed_out"] == 4


def test_rows_of_other_days_do_not_count(used: Ward, tmp_path: Path) -> None:
    before = TODAY - timedelta(days=9)
    text = f"código;cantidad;fecha\nG-1;2;{before}\nG-1;3;{TODAY}\n"
    found = compare(used, tmp_path, text, area_id=used.area_id)
    assert doubts(found) == {2: (False, [("handed_out.outside_period", "handed_out_on")])}
    assert found.items[0]["handed_out"] == 3


def test_the_default_period_is_that_of_the_files_days(used: Ward, tmp_path: Path) -> None:
    before = TODAY - timedelta(days=9)
    text = f"código;cantidad;fecha\nG-1;2;{before}\nG-1;3;{TODAY}\n"
    found = compare(used, tmp_path, text, area_id=used.area_id, since=None, until=None)
    assert (found.since, found.until, found.items[0]["handed_out"]) == (before, TODAY, Decimal(5))


def test_a_chosen_area_leaves_out_the_others(used: Ward, tmp_path: Path) -> None:
    area = area_of(used)
    text = f"área;código;cantidad\n{area};G-1;2\nLejos;G-1;3\n"
    found = compare(used, tmp_path, text, area_id=used.area_id)
    assert [row["handed_out"] for row in found.items] == [2]
    assert doubts(found) == {3: (False, [("reference.unknown", "area")])}


def test_left_out_rows_do_not_count(used: Ward, tmp_path: Path) -> None:
    found = compare(used, tmp_path, "código;cantidad\nG-1;2\nG-1;5\n", area_id=used.area_id, leave_out=frozenset({3}))
    assert (found.items[0]["handed_out"], found.left_out) == (Decimal(2), 1)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"area_id": None}, "area_id"),
        ({"since": None, "until": None}, "from"),
        ({"since": TODAY + timedelta(days=1)}, "from"),
        ({"area_id": 999_999}, "area_id"),
    ],
)
def test_missing_or_wrong_facts_are_asked_for(used: Ward, tmp_path: Path, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        compare(used, tmp_path, "código;cantidad\nG-1;2\n", **({"area_id": used.area_id} | asked))
    assert [reason.field for reason in refused.value.reasons] == [field]
