"""Contract of every store: search and scan cases shared with the client.

A device without network must find the same; both run the cases of one table.
"""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.views import ProductQuery
from application.scanning.look_up_product import Lookup
from application.sheets.open_sheet import open_sheet
from domain.common.text import fold_person
from domain.scanning.label import LabelKind
from tests.builders import Ward, own_label

CASES: dict[str, Any] = json.loads(Path(__file__).parents[2].joinpath("search_cases.json").read_text(encoding="utf-8"))
UNREAD = {
    "gtin": None,
    "lot": None,
    "expiry": None,
    "serial": None,
    "count": None,
    "separator_lost": False,
    "expiry_unreadable": False,
    "incomplete": False,
    "bare": False,
}


@pytest.fixture
def stocked(ward: Ward) -> Ward:
    """Return a ward that has only the products of the table."""
    with ward.store.begin() as work:
        work.products.remove_all([ward.product_id])
    ids = {}
    for product in CASES["products"]:
        ids[product["name"]] = ward.product(**product).id
    for code in CASES["codes"]:
        draft = ProductCodeDraft(
            system=code["system"], code=code["code"], units=Decimal(code["units"]), label=code["label"]
        )
        ward.use_cases.products.add_code(ward.admin, ids[code["product"]], draft)
    return ward


@pytest.mark.parametrize("folded", CASES["people"])
def test_spellings_of_a_name_fold_to_the_same_text(folded: str) -> None:
    assert {fold_person(name) for name in CASES["people"][folded]} == {folded}


def test_searches_find_the_expected_products_in_order(stocked: Ward) -> None:
    for case in CASES["searches"]:
        query = ProductQuery(q=case["q"], active=case.get("active"), limit=100)
        found = stocked.use_cases.products.search.page(stocked.nurse, query)["items"]
        assert [product["name"] for product in found] == case["finds"], case


def test_scans_return_the_expected_products_and_packs(stocked: Ward) -> None:
    for case in CASES["scans"]:
        view = stocked.use_cases.products.look_up(stocked.nurse, Lookup(scan=case["scan"], only_tried=True))
        assert [match["product"]["name"] for match in view["matches"]] == case["finds"], case
        assert [match["units"] for match in view["matches"]] == [case.get("units", 1)] * len(case["finds"]), case
        assert view["read_as"] == case.get("read_as"), case
        reading: dict[str, Any] | None = dict(view["reading"]) if view["reading"] else None
        if reading and reading["expiry"]:
            reading["expiry"] = reading["expiry"].isoformat()
        assert reading == (None if case["reads"] is None else UNREAD | case["reads"]), case


def test_a_wristband_finds_the_same_patient_as_on_a_device(stocked: Ward) -> None:
    labels: dict[str, str] = {}
    for number, one in enumerate(CASES["patients"]):
        patient = stocked.patient("Ana", f"Vega {number}", record_number=one["record_number"])
        with stocked.store.begin() as work:
            draft = stocked.sheet_draft(patient_id=patient.id)
            sheet = open_sheet(work, stocked.admin, draft, stocked.clock.now, visit_number=one.get("visit_number"))
        labels.setdefault("{label}", own_label(stocked, LabelKind.SHEET, sheet.id))
    labels["{damaged label}"] = labels["{label}"][:-1] + str((int(labels["{label}"][-1]) + 1) % 10)
    for case in CASES["wristbands"]:
        scan = labels.get(case["scan"], case["scan"])
        people = stocked.use_cases.products.look_up(stocked.nurse, Lookup(scan=scan, only_tried=True))["people"]
        assert [person["record_number"] for person in people] == case["finds"], case
