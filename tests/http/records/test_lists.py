"""Lists over HTTP: pages, order, filters, search, cursors."""

import base64
import itertools
from typing import Any

import pytest

from application.catalogue.views import PRODUCT_SORTS
from application.people.views import PATIENT_SORTS
from application.sheets.detail_views import DETAIL_SORTS
from application.sheets.views import SHEET_SORTS
from domain.catalogue.area import Area
from domain.common.day import day_of
from tests.builders import ZONE
from tests.http.hospital import DETAILS, ON_ANY_DATABASE, SHEETS, Caller, Hospital, exact
from tests.permissions import RECORDS

SORTS = {
    SHEETS: SHEET_SORTS,
    f"{SHEETS}?closed=true": SHEET_SORTS,
    DETAILS: DETAIL_SORTS,
    "/api/products": PRODUCT_SORTS,
    "/api/patients": PATIENT_SORTS,
    **{f"/api/{group}": record.reader.sorts for group, record in RECORDS.items()},
}
EVERY_LIST = pytest.mark.parametrize("path", SORTS)


def page(caller: Caller, path: str) -> dict[str, Any]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def ids(caller: Caller, path: str) -> list[int]:
    return [item["id"] for item in page(caller, path)["items"]]


def names(caller: Caller, path: str) -> list[str]:
    return [item["name"] for item in page(caller, path)["items"]]


def asking(path: str, query: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{query}"


# --- pages and order -------------------------------------------------------------------------------------------------


LISTS_OF_THEIR_OWN = (
    "/api/users",
    "/api/kits",
    "/api/imports",
    "/api/implants",
    "/api/recalls",
    "/api/outbound-messages",
    "/api/audit",
    "/api/reports/consumption?by=product",
    f"{SHEETS}/{{sheet}}/consumption-details",
    f"{SHEETS}/{{sheet}}/history",
    "/api/patients/{patient}/readers",
    "/api/recalls/{recall}/consumption-details",
)


@pytest.mark.parametrize("path", [*SORTS, *LISTS_OF_THEIR_OWN])
def test_a_list_has_up_to_1000_items_unless_a_page_is_requested(hospital: Hospital, path: str) -> None:
    named = {"product_id": hospital.gauze, "lot": "L1", "reason": "Empaque"}
    recall = hospital.admin.post("/api/recalls", named).json()["id"]
    path = path.format(sheet=hospital.open_sheet(), patient=hospital.patient, recall=recall)
    limits = {"limit=7": 7, "page=1": 25, "limit=100&page=2": 100}
    assert page(hospital.admin, path)["meta"]["limit"] == (25 if path == "/api/products" else 1000)
    for query, limit in limits.items():
        assert page(hospital.admin, asking(path, query))["meta"]["limit"] == limit, query


@ON_ANY_DATABASE
@pytest.mark.parametrize("query", ["", "?sort=-name", "?q=sala", "?q=sala&sort=id"])
def test_a_cursor_continues_after_the_first_thousand_items(hospital: Hospital, query: str) -> None:
    with hospital.store.begin() as work:
        for number in range(1_050):
            work.areas.add(Area(name=f"Sala {number}"))
    whole = page(hospital.nurse, f"/api/areas{query}")
    assert (len(whole["items"]), whole["meta"]["limit"], whole["meta"]["pages"]) == (1_000, 1_000, 2)
    found, meta = whole["items"], whole["meta"]
    while "next" in meta:
        answer = page(hospital.nurse, asking(f"/api/areas{query}", f"cursor={meta['next']}&limit=100"))
        found, meta = found + answer["items"], answer["meta"]
    assert len({item["id"] for item in found}) == len(found) == meta["total"] >= 1_050


def test_a_report_refuses_a_foreign_cursor(hospital: Hospital) -> None:
    for cursor in ("x", "WyJ4IiwxXQ"):
        assert hospital.admin.get(f"/api/reports/consumption?cursor={cursor}").status_code == 400


def test_pages_have_no_gap_or_overlap(hospital: Hospital) -> None:
    sheets = [hospital.open_sheet() for _ in range(5)]
    seen = [ids(hospital.nurse, f"{SHEETS}?limit=2&page={number}") for number in (1, 2, 3, 4)]
    assert [len(found) for found in seen] == [2, 2, 1, 0]
    assert sorted(itertools.chain(*seen)) == sheets
    assert page(hospital.nurse, f"{SHEETS}?limit=2&page=3")["meta"] == {"page": 3, "limit": 2, "total": 5, "pages": 3}


@EVERY_LIST
def test_an_invalid_query_names_its_parameter(hospital: Hospital, path: str) -> None:
    for field, values in {
        "page": ["0", "-1", "x", "", "2147483649", "1e400", "NaN", "9" * 400],
        "limit": ["0", "-1", "101", "x", "", "true", "9" * 400],
        "sort": ["nothing", "-", "--id", "id;drop", "ID", "%00", "ñ"],
        "q": ["a%00b", "%1b"],
    }.items():
        for value in values:
            answer = hospital.admin.speaking("en").get(asking(path, f"{field}={value}"))
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query"), (field, value)
            assert f"the parameter “{field}”" in answer.json()["message"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=101", "“101” is too much for the parameter “limit”: send 100 at most."),
        ("limit=0", "“0” is too little for the parameter “limit”: send 1 at least."),
        ("page=-1", "“-1” is too little for the parameter “page”: send 1 at least."),
        ("limit=x", "The query was not understood: check the parameter “limit”."),
    ],
)
@pytest.mark.parametrize("path", ["/api/areas", "/api/products"])
def test_a_number_out_of_range_says_the_bound(hospital: Hospital, path: str, query: str, said: str) -> None:
    answer = hospital.admin.speaking("en").get(f"{path}?{query}")
    assert (answer.status_code, answer.json()["message"]) == (400, said)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (SHEETS, ["from", "to", "closed", "patient_id", "room_id", "area_id", "without_visit"]),
        (DETAILS, ["from", "to", "consumption_sheet_id", "product_id", "staff_id", "area_id"]),
        ("/api/products", ["category_id", "active"]),
        ("/api/rooms", ["area_id", "status"]),
        ("/api/patients", ["active"]),
        ("/api/staff", ["unassigned"]),
    ],
)
def test_an_invalid_filter_names_its_parameter(hospital: Hospital, path: str, fields: list[str]) -> None:
    values = ["", "x", "0000-00-00", "2026-02-30", "10000-01-01", "-1", str(2**63), "9" * 400, "%00", "1e400"]
    for field in fields:
        for value in values:
            answer = hospital.admin.get(f"{path}?{field}={value}")
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query"), (field, value)
            assert f"«{field}»" in answer.json()["message"]


def test_sorting_too_many_rows_is_refused(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("application.records.list_reader.MAX_SORTED", 2)
    area = page(hospital.admin, "/api/areas")["items"][0]["id"]
    sheet = hospital.open_sheet()
    for quantity in (3, 1, 2):
        hospital.add_detail(sheet, quantity=quantity, area_id=area)
    of_area = f"/api/consumption-details?area_id={area}"
    answer = hospital.admin.get(f"{of_area}&sort=-quantity")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "sort.too_many"
    assert "2" in answer.json()["message"][0]
    # Allowed: sorting by date, fewer rows, the unfiltered list, and exports.
    assert len(ids(hospital.admin, f"{of_area}&sort=created_at")) == 3
    assert len(ids(hospital.admin, "/api/consumption-details?sort=-quantity")) >= 3
    monkeypatch.setattr("application.records.list_reader.MAX_SORTED", 3)
    assert [line["quantity"] for line in hospital.admin.get(f"{of_area}&sort=-quantity").json()["items"]] == [3, 2, 1]
    monkeypatch.setattr("application.records.list_reader.MAX_SORTED", 2)
    assert hospital.admin.get(f"{of_area}&sort=-quantity&format=csv").status_code == 200


def test_lists_are_sorted_by_the_value_of_the_field(hospital: Hospital) -> None:
    gauze, cannula, retired = hospital.gauze, hospital.cannula, hospital.retired
    assert ids(hospital.admin, "/api/products?sort=price") == [cannula, gauze, retired]
    assert ids(hospital.admin, "/api/products?sort=-price") == [retired, gauze, cannula]
    assert names(hospital.admin, "/api/products") == ["Cánula nasal", "Gasa con yodo", "Gasa estéril"]
    assert names(hospital.admin, "/api/areas?sort=-name") == ["Urgencias", "Quirófano"]
    surnames = [patient["first_surname"] for patient in page(hospital.nurse, "/api/patients")["items"]]
    assert surnames == ["Álvarez", "Mena", "Zamora"]


# --- filters ---------------------------------------------------------------------------------------------------------


def test_each_filter_reaches_its_list(hospital: Hospital) -> None:
    """What a filter selects is tested in tests/contracts/common/test_lists.py."""
    here = hospital.open_sheet(admission_date="2026-01-31", diagnosis="Neumonía")
    there = hospital.open_sheet(
        patient_id=hospital.other_patient, room_id=hospital.theatre_room, admission_date="2026-02-01"
    )
    closed = hospital.open_sheet()
    gauze = hospital.add_detail(here, by=hospital.nurse, area_id=hospital.emergency)["id"]
    cannula = hospital.add_detail(closed, by=hospital.colleague, product_id=hospital.cannula)["id"]
    hospital.close(closed)
    day = day_of(hospital.clock(), ZONE)
    for query, found in {
        f"{SHEETS}?patient_id={hospital.other_patient}": [there],
        f"{SHEETS}?room_id={hospital.theatre_room}": [there],
        f"{SHEETS}?area_id={hospital.theatre}": [there],
        f"{SHEETS}?from=2026-02-01": [there],
        f"{SHEETS}?to=2026-01-31": [here],
        f"{SHEETS}?from=2026-01-31&to=2026-02-01": [there, here],
        f"{SHEETS}?patient_id={hospital.patient}&area_id={hospital.theatre}": [],
        f"{SHEETS}?q=neumonia": [here],
        f"{SHEETS}?closed=false": [there, here],
        f"{SHEETS}?closed=true": [closed],
        f"{SHEETS}?closed=true&from={day}&to={day}": [closed],
        f"{SHEETS}?unknown=1": [there, here],
        DETAILS: [cannula, gauze],
        f"{DETAILS}?consumption_sheet_id={closed}": [cannula],
        f"{DETAILS}?product_id={hospital.gauze}": [gauze],
        f"{DETAILS}?staff_id={hospital.nurse.staff_id}": [gauze],
        f"{DETAILS}?area_id={hospital.emergency}": [gauze],
        f"{DETAILS}?from=2020-01-01": [cannula, gauze],
        f"{DETAILS}?to=2020-01-01": [],
        f"{DETAILS}?q=canula": [cannula],
        f"{SHEETS}/{here}/consumption-details": [gauze],
        f"{SHEETS}/{here}/consumption-details?product_id={hospital.cannula}": [],
        "/api/products?q=CANULA": [hospital.cannula],
        "/api/products?name=CANULA": [hospital.cannula],
        "/api/products?q=%25": [],
        f"/api/products?category_id={hospital.tubes}": [hospital.cannula],
        "/api/products?active=0": [hospital.retired],
        "/api/products?active=false": [hospital.retired],
        "/api/products?active=true&q=gasa": [hospital.gauze],
        f"/api/rooms?area_id={hospital.theatre}": [hospital.theatre_room],
        "/api/rooms?status=3": [hospital.theatre_room],
        "/api/patients?active=0": [hospital.discharged],
        "/api/patients?q=hc-0002": [hospital.other_patient],
        "/api/staff?unassigned=true": [],
    }.items():
        assert ids(hospital.supervisor, query) == found, query


# --- cursors ---------------------------------------------------------------------------------------------------------


def test_a_forged_cursor_is_refused(hospital: Hospital) -> None:
    hospital.add_detail(hospital.open_sheet())
    forged = [
        base64.urlsafe_b64encode(said).decode() for said in (b"[]", b"{}", b'["x",1]', b"[1,1]", b'["2026-05-04",1e9]')
    ]
    for path in (SHEETS, f"{SHEETS}?closed=true", DETAILS):
        for cursor in ("", "x", "ñ", "%00", "====", "A" * 9000, *forged):
            answer = hospital.nurse.get(asking(path, f"cursor={cursor}"))
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query"), cursor[:40]
            assert "«cursor»" in answer.json()["message"]


def test_products_ignore_a_cursor(hospital: Hospital) -> None:
    assert page(hospital.admin, "/api/products?cursor=WyJ4IiwxXQ")["meta"]["page"] == 1


# --- details ---------------------------------------------------------------------------------------------------------


def test_the_sheet_in_the_path_overrides_the_query(hospital: Hospital) -> None:
    sheet, other = hospital.open_sheet(), hospital.open_sheet()
    detail = hospital.add_detail(sheet)["id"]
    hospital.add_detail(other)
    path = f"{SHEETS}/{sheet}/consumption-details?consumption_sheet_id={other}"
    assert ids(hospital.nurse, path) == [detail]


def test_the_details_of_an_unknown_sheet_are_404(hospital: Hospital) -> None:
    for stranger in (999, 0, 2**63):
        assert hospital.nurse.get(f"{SHEETS}/{stranger}/consumption-details").status_code == 404


# --- products --------------------------------------------------------------------------------------------------------


@ON_ANY_DATABASE
def test_an_empty_search_offers_the_nearest_products(
    hospital: Hospital,
) -> None:
    answer = exact(hospital.supervisor.get("/api/products?q=gaza&active=true"))
    assert answer["items"] == []
    assert answer["meta"] == {"page": 1, "limit": 25, "total": 0, "pages": 0}
    assert answer["nearest"] == [exact(hospital.supervisor.get(f"/api/products/{hospital.gauze}"))]
    assert "nearest" not in hospital.supervisor.get("/api/products?q=gasa").json()
    assert "nearest" not in hospital.supervisor.get("/api/products?category_id=999").json()
    assert exact(hospital.supervisor.get("/api/products?name=g100"))["items"] == answer["nearest"]
    # Suggestions are not part of an export.
    assert len(hospital.supervisor.get("/api/products?q=gaza&format=csv").text.splitlines()) == 1


def test_a_product_is_returned_with_all_fields(hospital: Hospital) -> None:
    assert hospital.supervisor.get(f"/api/products/{hospital.cannula}").json() == {
        "id": hospital.cannula,
        "name": "Cánula nasal",
        "price": 0.35,
        "category_id": hospital.tubes,
        "category": {"id": hospital.tubes, "code": "SON-02", "name": "Sondas"},
        "code": "C-7",
        "gtin": "4006381333931",
        "unit": None,
        "active": True,
        "decimals": 3,
        "asks_lot": False,
        "asks_serial": False,
        "implant": False,
        "included_in_stay": False,
        "also_called": [],
        "plain_name": None,
        "picture": None,
    }


def test_single_things_are_returned_as_in_their_lists(hospital: Hospital) -> None:
    for path in ("/api/products", "/api/categories", "/api/areas", "/api/rooms", "/api/patients", "/api/staff"):
        for item in page(hospital.admin, path)["items"]:
            assert hospital.admin.get(f"{path}/{item['id']}").json() == item
        for stranger in (999, 0, -1, 2**63, 2**64, "x"):
            assert hospital.admin.get(f"{path}/{stranger}").status_code == 404
