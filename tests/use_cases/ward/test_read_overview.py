"""The content of the home page."""

from decimal import Decimal

from application.ward.overview_views import OverviewView
from application.ward.read_overview import MAX_SHEETS
from domain.common.policy import Actor
from tests.builders import TODAY, Ward


def overview(ward: Ward, actor: Actor | None = None) -> OverviewView:
    return ward.use_cases.reports.read_overview(actor or ward.nurse)


def test_the_overview_of_a_new_hospital_is_empty(ward: Ward) -> None:
    assert overview(ward) == {
        "day": TODAY,
        "open_sheets": 0,
        "today": {"details": 0, "patients": 0},
        "mine": [],
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
