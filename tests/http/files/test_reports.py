"""The overview and the consumption report over HTTP."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from httpx import Response

from domain.common.day import day_of
from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, ZONE, Hospital, exact

REPORT = "/api/reports/consumption"

# The columns of the CSV for users who see prices.
COLUMNS = {
    "day": "day,details,quantity,total",
    "shift": "shift,name,details,quantity,total",
    "month": "month,details,quantity,total",
    "area": "id,name,details,quantity,total",
    "category": "id,category_code,name,details,quantity,total",
    "product": "id,code,name,unit,details,quantity,total",
    "staff": "id,name,details,quantity,total",
    "patient": "id,record_number,name,details,quantity,total",
}


def lines(answer: Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


@pytest.fixture
def used(timed_hospital: Hospital) -> Hospital:
    """Gauze on an open sheet; cannulas and gauze on a closed one."""
    hospital = timed_hospital
    hospital.add_detail(hospital.open_sheet(), quantity=0.5)
    other = hospital.open_sheet(patient_id=hospital.other_patient)
    hospital.add_detail(other, product_id=hospital.cannula, quantity=7, area_id=hospital.theatre)
    hospital.add_detail(other, quantity=3)
    hospital.close(other)
    return hospital


@ON_EVERY_DATABASE
def test_a_report_has_a_page_of_rows_and_the_sums_of_all(used: Hospital) -> None:
    today = day_of(used.clock(), ZONE)
    answer = exact(used.supervisor.get(f"{REPORT}?by=product&limit=1"))
    assert answer == {
        "by": "product",
        "period": {"from": str(today - timedelta(days=29)), "to": str(today)},
        "sums": {
            "details": 3,
            "quantity": Decimal("10.500"),
            "total": Decimal("11.20"),
            "patient_days": answer["sums"]["patient_days"],
        },
        "items": [
            {
                "key": str(used.gauze),
                "id": used.gauze,
                "name": "Gasa estéril",
                "code": "G-100",
                "unit": None,
                "details": 2,
                "quantity": Decimal("3.500"),
                "total": Decimal("8.75"),
            }
        ],
        "meta": {"page": 1, "limit": 1, "total": 2, "pages": 2},
    }
    without_area = exact(used.admin.get(f"{REPORT}?by=area&sort=name"))["items"][0]
    assert (without_area["key"], without_area["id"], without_area["name"]) == ("", None, None)


@ON_EVERY_DATABASE
def test_filters_apply_to_rows_and_sums(used: Hospital) -> None:
    theatre = exact(used.admin.get(f"{REPORT}?by=patient&area_id={used.theatre}"))
    assert [row["name"] for row in theatre["items"]] == ["Bruno Zamora"]
    assert theatre["sums"]["details"] == 1
    tomorrow = day_of(used.clock(), ZONE) + timedelta(days=1)
    later = exact(used.admin.get(f"{REPORT}?by=patient&from={tomorrow}&to={tomorrow}"))
    assert (later["items"], later["sums"]) == ([], {"details": 0, "quantity": 0, "total": 0, "patient_days": 0})


@ON_EVERY_DATABASE
def test_rows_are_compared_with_the_period_before(used: Hospital) -> None:
    today = day_of(used.clock(), ZONE)
    later = today + timedelta(days=1)
    answer = exact(used.admin.get(f"{REPORT}?by=area&from={later}&to={later}&compare=previous"))
    assert answer["previous_period"] == {"from": str(today), "to": str(today)}
    assert [(row["details"], row["previous"]["details"]) for row in answer["items"]] == [(0, 1), (0, 2)]
    assert answer["sums"]["previous"]["total"] == Decimal("11.20")
    csv_of = used.admin.get(f"{REPORT}?by=area&from={later}&to={later}&compare=previous&format=csv")
    columns = "id,name,details,quantity,total,previous_details,previous_quantity,previous_total"
    assert list(lines(csv_of)[0]) == columns.split(",")
    assert [row["previous_details"] for row in lines(csv_of)] == ["1", "2"]


def test_a_row_leads_to_its_details(used: Hospital) -> None:
    details = "/api/consumption-details"
    for by in ("product", "category", "area", "patient", "shift"):
        for row in exact(used.admin.get(f"{REPORT}?by={by}"))["items"]:
            if row["key"]:
                name = by if by == "shift" else f"{by}_id"
                found = exact(used.admin.get(f"{details}?{name}={row['key']}"))["items"]
                assert sum(one["total"] for one in found) == row["total"]
                assert len(found) == row["details"]
    for wrong in ("shift=3", "shift=4", "shift=-1", "shift=x", "category_id=0", "room_id=x"):
        answer = used.admin.get(f"{details}?{wrong}")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query"), wrong


@ON_EVERY_DATABASE
@pytest.mark.parametrize("by", COLUMNS)
def test_a_report_as_csv_has_all_rows(used: Hospital, by: str) -> None:
    page = exact(used.admin.get(f"{REPORT}?by={by}&limit=100"))
    for answer in (
        used.admin.get(f"{REPORT}?by={by}&limit=1&page=9", accept="text/csv"),
        used.admin.get(f"{REPORT}?by={by}&format=csv"),
    ):
        rows = lines(answer)
        assert list(rows[0]) == COLUMNS[by].split(",")
        assert [Decimal(row["total"]) for row in rows] == [item["total"] for item in page["items"]]
    assert sum(Decimal(row["total"]) for row in rows) == page["sums"]["total"]


@pytest.mark.parametrize("by", [by for by in COLUMNS if by != "staff"])
def test_a_report_for_ward_staff_has_no_prices(used: Hospital, by: str) -> None:
    page = exact(used.nurse.get(f"{REPORT}?by={by}"))
    compared = exact(used.nurse.get(f"{REPORT}?by={by}&compare=previous"))
    before = [row["previous"] for row in (compared["sums"], *compared["items"])]
    reported = {field for row in [page["sums"], *page["items"], *before] for field in row}
    assert reported.isdisjoint({"total", "category_code"})
    files = used.nurse.get(f"{REPORT}?by={by}&compare=previous&format=csv")
    assert not {"total", "previous_total"} & set(lines(files)[0])
    columns = list(lines(used.nurse.get(f"{REPORT}?by={by}&format=csv"))[0])
    assert columns == [column for column in COLUMNS[by].split(",") if column not in ("total", "category_code")]


@pytest.mark.parametrize(
    "query",
    [
        *("by=weekday", "by=", "from=yesterday", "to=2026-02-30", "area_id=0", "area_id=x", "sort=price", "sort=-id"),
        *("limit=0", "limit=101", "page=0", "from=2026-05-04T10:00"),
    ],
)
@pytest.mark.parametrize("form", ["json", "csv"])
def test_an_unknown_report_parameter_is_a_malformed_query(hospital: Hospital, query: str, form: str) -> None:
    answer = hospital.admin.get(f"{REPORT}?{query}&format={form}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query")


@pytest.mark.parametrize("days", ["from=0001-01-01&to=9999-12-31", "from=9999-12-31", "to=0001-01-01"])
def test_a_period_can_have_extreme_dates(used: Hospital, days: str) -> None:
    for by in COLUMNS:
        assert used.admin.get(f"{REPORT}?by={by}&{days}").status_code == 200
    compared = used.admin.get(f"{REPORT}?{days}&compare=previous").status_code
    assert compared == (400 if "0001" in days else 200)


@ON_EVERY_DATABASE
def test_the_overview_is_about_the_caller(timed_hospital: Hospital) -> None:
    hospital = timed_hospital
    sheet = hospital.open_sheet(admission_date=str(day_of(hospital.clock(), ZONE) - timedelta(days=45)))
    hospital.add_detail(sheet, by=hospital.nurse, quantity=0)
    hospital.add_detail(sheet, quantity=2)
    hospital.open_sheet(admission_date=str(day_of(hospital.clock(), ZONE)))

    def reported(caller: Any) -> dict[str, Any]:
        answer = caller.get("/api/overview")
        assert answer.status_code == 200, answer.text
        return exact(answer)

    view = reported(hospital.nurse)
    assert view["open_sheets"] == 2
    assert view["today"] == {"details": 2, "patients": 1}
    (mine,) = view["mine"]
    assert mine["patient"]["name"] == "Inés"
    assert (mine["id"], mine["days_open"], mine["details"], mine["room"]["name"]) == (sheet, 45, 2, "Urgencias 1")
    assert mine["last_recorded_at"].endswith("Z")
    assert [sheet["id"] for sheet in reported(hospital.admin)["mine"]] == [sheet + 1, sheet]
    assert reported(hospital.colleague)["mine"] == []
    assert reported(hospital.supervisor)["today"]["total"] == Decimal("5.00")


def test_report_and_overview_agree_with_the_sheets(used: Hospital) -> None:
    closed = exact(used.admin.get(f"{SHEETS}?closed=true"))["items"]
    opened = exact(used.admin.get(SHEETS))["items"]
    totals = {sheet["patient_id"]: sheet["total"] for sheet in closed + opened}
    report = exact(used.admin.get(f"{REPORT}?by=patient"))
    assert {row["id"]: row["total"] for row in report["items"]} == totals
    assert exact(used.admin.get("/api/overview"))["today"]["total"] == sum(totals.values())
