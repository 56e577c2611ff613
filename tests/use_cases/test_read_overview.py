"""The content of the home page."""

from datetime import timedelta
from decimal import Decimal

from application.reports.read_overview import MAX_PER_KIND, MAX_SHEETS
from application.views.reports import OverviewView
from domain.anomalies import MEDIAN_RANK, Oddity
from domain.policy import Actor
from tests.builders import TODAY, Ward


def overview(ward: Ward, actor: Actor | None = None) -> OverviewView:
    return ward.use_cases.reports.read_overview(actor or ward.nurse)


def test_the_overview_of_a_new_hospital_is_empty(ward: Ward) -> None:
    assert overview(ward) == {
        "day": TODAY,
        "open_sheets": 0,
        "today": {"details": 0, "patients": 0},
        "mine": [],
        "unusual": [],
        "more_unusual": [],
    }


def test_today_is_the_hospitals_day(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"])
    ward.clock.advance(hours=12)  # 18:00 in the hospital, and already tomorrow in UTC
    assert overview(ward)["day"] == TODAY
    assert overview(ward)["today"]["details"] == 1


def test_the_total_of_today_needs_the_price_permission(ward: Ward) -> None:
    ward.detail(ward.sheet()["id"], "2")
    assert overview(ward)["today"] == {"details": 1, "patients": 1}
    for actor in (ward.supervisor, ward.admin):
        assert overview(ward, actor)["today"] == {"details": 1, "patients": 1, "total": Decimal("25.00")}


def test_mine_are_the_sheets_the_user_works_on(ward: Ward) -> None:
    sheets = [ward.sheet()["id"] for _ in range(MAX_SHEETS + 1)]
    for sheet in sheets:
        ward.clock.advance(minutes=1)
        ward.detail(sheet, by=ward.nurse)
    assert [sheet["id"] for sheet in overview(ward)["mine"]] == sheets[:0:-1]
    assert overview(ward, ward.supervisor)["mine"] == []


def test_unusual_records_have_sheet_days_and_detail(ward: Ward) -> None:
    quiet = ward.sheet(admission_date=TODAY - timedelta(days=40))["id"]
    never = ward.sheet(admission_date=TODAY - timedelta(days=3))["id"]
    long = ward.sheet(admission_date=TODAY - timedelta(days=31))["id"]
    ward.clock.advance(days=-5)
    ward.detail(quiet)
    ward.clock.advance(days=5)
    for _ in range(MEDIAN_RANK):
        ward.detail(long, "2")
    far = ward.detail(long, "21")["id"]
    zero = ward.detail(long, "0")["id"]
    reported = [
        (thing["kind"], thing["sheet"] and thing["sheet"]["id"], thing["days"], thing["detail_id"])
        for thing in overview(ward)["unusual"]
    ]
    assert reported == [
        (Oddity.SHEET_QUIET, quiet, 5, None),
        (Oddity.SHEET_OPEN_LONG, long, 31, None),
        (Oddity.SHEET_QUIET, never, 3, None),
        (Oddity.QUANTITY_ZERO, long, None, zero),
        (Oddity.QUANTITY_FAR_OUT, long, None, far),
    ]
    *_, without, too_much = overview(ward)["unusual"]
    assert (without["product"], without["quantity"]) == (too_much["product"], Decimal(0))
    assert too_much["product"] == {"id": ward.product_id, "name": "Gasa estéril", "unit": None}
    assert (too_much["quantity"], too_much["usual_quantity"]) == (Decimal(21), Decimal(2))


def test_unpriced_products_are_shown_to_catalogue_managers(ward: Ward) -> None:
    product = ward.product("Hisopo", "0.00").id
    assert overview(ward)["unusual"] == []
    for actor in (ward.supervisor, ward.admin):
        (thing,) = overview(ward, actor)["unusual"]
        assert (thing["kind"], thing["sheet"]) == (Oddity.PRODUCT_WITHOUT_PRICE, None)
        assert thing["product"] == {"id": product, "name": "Hisopo", "unit": None}


def test_unusual_records_are_limited_per_kind(ward: Ward) -> None:
    for number in range(MAX_PER_KIND):
        ward.product(f"Hisopo {number}", "0.00")
        ward.sheet(admission_date=TODAY - timedelta(days=9))
    things = overview(ward, ward.admin)
    assert len(things["unusual"]) == 2 * MAX_PER_KIND
    assert things["more_unusual"] == []
    ward.product("Hisopo 5", "0.00")
    last = ward.sheet(admission_date=TODAY - timedelta(days=8))["id"]
    things = overview(ward, ward.admin)
    assert len(things["unusual"]) == 2 * MAX_PER_KIND
    assert things["more_unusual"] == [Oddity.SHEET_QUIET, Oddity.PRODUCT_WITHOUT_PRICE]
    assert last not in [thing["sheet"] and thing["sheet"]["id"] for thing in things["unusual"]]
