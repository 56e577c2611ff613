"""Contract of every store: a line belongs to the day of its use."""

from datetime import date, datetime, timedelta

import pytest

from application.catalogue.rooms import RoomDraft
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.sheets.detail_views import DetailQuery
from domain.common.errors import Code
from domain.sheets.sheet import PatientSheet
from tests.assertions import refused
from tests.builders import TODAY, Ward

YESTERDAY = TODAY - timedelta(days=1)


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    return ward.sheet(admission_date=TODAY - timedelta(days=9))["id"]


def used(ward: Ward, sheet_id: int, **before: float) -> datetime:
    """Record a supply that was used that long before; return the time of use."""
    at = ward.clock.now - timedelta(**before)
    ward.detail(sheet_id, occurred_at=at)
    return at


def test_a_line_belongs_to_the_day_of_its_use_everywhere(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id)
    late, early = used(ward, sheet_id, hours=20), used(ward, sheet_id, hours=22)
    uc, admin = ward.use_cases, ward.admin

    assert uc.sheets.reader.one(admin, sheet_id)["consumptions"] == [
        {"created_at": early, "details": 2, "last_recorded_at": ward.clock.now},
        {"created_at": ward.clock.now, "details": 1, "last_recorded_at": ward.clock.now},
    ]
    summary = uc.sheets.summarize(admin, sheet_id)
    assert [(day["day"], day["lines"]) for day in summary["days"] if day["lines"]] == [(YESTERDAY, 2), (TODAY, 1)]
    paper = uc.sheets.print(admin, sheet_id)
    assert [(day["day"], day["lines"]) for day in paper["days"]] == [(YESTERDAY, 2), (TODAY, 1)]
    report = uc.reports.consumption.page(admin, ConsumptionQuery(by=ConsumptionBy.DAY, since=YESTERDAY, until=TODAY))
    assert [(row["key"], row["details"]) for row in report["items"]] == [
        (YESTERDAY.isoformat(), 2),
        (TODAY.isoformat(), 1),
    ]
    assert uc.reports.read_overview(admin)["today"]["details"] == 1

    def found(since: date | None, until: date | None) -> list[datetime | None]:
        items = uc.details.reader.page(admin, DetailQuery(since=since, until=until))["items"]
        return [item["occurred_at"] for item in items]

    assert found(TODAY, None) == [None]
    assert found(None, YESTERDAY) == [early, late]
    assert found(YESTERDAY, TODAY) == [None, early, late]


def test_unusual_lines_are_those_used_today_or_yesterday(ward: Ward, sheet_id: int) -> None:
    ward.detail(sheet_id, "0", occurred_at=ward.clock.now - timedelta(days=2))
    assert ward.use_cases.reports.read_worklist(ward.admin)["unusual_lines"] == []
    yesterday = ward.detail(sheet_id, "0", occurred_at=ward.clock.now - timedelta(days=1))["id"]
    lines = ward.use_cases.reports.read_worklist(ward.admin)["unusual_lines"]
    assert [(each["kind"], each["detail_id"]) for each in lines] == [("quantity_zero", yesterday)]


def test_a_list_of_days_continues_after_a_page(ward: Ward, sheet_id: int) -> None:
    for hours in (1, 50, 30, 2):
        used(ward, sheet_id, hours=hours)
    days, query = [], DetailQuery(since=TODAY - timedelta(days=9), limit=2)
    page = ward.use_cases.details.reader.page(ward.admin, query)
    days += [item["day"] for item in page["items"]]
    following = page["meta"]["next"]
    assert following
    page = ward.use_cases.details.reader.page(ward.admin, DetailQuery(since=query.since, limit=2, cursor=following))
    days += [item["day"] for item in page["items"]]
    assert days == [TODAY, TODAY, YESTERDAY, TODAY - timedelta(days=2)]


def test_a_line_keeps_its_time_of_use_and_room(ward: Ward, sheet_id: int) -> None:
    at = used(ward, sheet_id, minutes=10)
    [line] = ward.use_cases.details.reader.page(ward.admin, DetailQuery())["items"]
    assert (line["occurred_at"], line["created_at"], line["day"]) == (at, ward.clock.now, TODAY)
    assert line["room_id"] == ward.room_id
    other = ward.use_cases.rooms.create(ward.admin, RoomDraft(name="102", status=1, type=1, area_id=ward.area_id))
    with ward.store.begin() as work:
        sheet = work.sheets.lock(sheet_id)
        assert isinstance(sheet, PatientSheet)
        sheet.room_id = other.id
        work.sheets.save(sheet)
    assert ward.detail(sheet_id)["room_id"] == other.id
    assert ward.use_cases.details.reader.one(ward.admin, line["id"])["room_id"] == ward.room_id
    # The room is part of the recorded use, so it cannot be deleted.
    with refused(Code.IN_USE):
        ward.use_cases.rooms.delete(ward.admin, ward.room_id)
