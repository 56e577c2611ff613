"""Contract of every store: the queries of the home page and their bounds."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from application.ward.overview_ports import OPENED_BY_PERSON, RECORDED_BY_PERSON, Overview
from domain.common.day import day_of
from tests.builders import ZONE, Ward


@pytest.fixture
def today(ward: Ward) -> date:
    return day_of(ward.clock(), ZONE)


class Looking:
    """Call a method of the overview in a read of its own."""

    def __init__(self, ward: Ward) -> None:
        self._ward = ward

    def __getattr__(self, name: str) -> Any:
        def ask(*args: Any, **named: Any) -> Any:
            with self._ward.store.read() as views:
                overview: Overview = views.overview
                return getattr(overview, name)(*args, **named)

        return ask


@pytest.fixture
def overview(ward: Ward) -> Any:
    return Looking(ward)


# --- figures ---------------------------------------------------------------------------------------------------------


def test_today_counts_what_was_recorded_on_the_hospitals_day(ward: Ward, overview: Any, today: date) -> None:
    assert overview.today(today) == {"details": 0, "patients": 0, "total": Decimal(0)}
    other = ward.patient("Luz", "Gil").id
    yesterday = today - timedelta(days=1)
    sheets = [ward.sheet(admission_date=yesterday, patient_id=who)["id"] for who in (ward.patient_id,) * 2 + (other,)]
    ward.clock.advance(days=-1)
    ward.detail(sheets[0], "9")
    ward.clock.advance(days=1)
    for sheet in sheets:
        ward.detail(sheet, "2")
    # Two sheets of one patient count as one patient, and a sheet closed today counts too.
    ward.use_cases.sheets.close(ward.admin, sheets[2])
    assert overview.today(today) == {"details": 3, "patients": 2, "total": Decimal("75.00")}
    assert overview.today(today - timedelta(days=1)) == {"details": 1, "patients": 1, "total": Decimal("112.50")}
    assert overview.open_sheets() == 2


# --- sheets a user works on ------------------------------------------------------------------------------------------


def test_sheets_opened_or_recorded_on_come_newest_first(ward: Ward, overview: Any) -> None:
    def worked_on(most: int = 8) -> list[int]:
        found: list[int] = overview.worked_on(ward.nurse.user_id, most=most)
        return found

    opened = ward.use_cases.sheets.open(ward.nurse, ward.sheet_draft()).answer["id"]
    others = [ward.sheet()["id"] for _ in range(3)]
    assert worked_on() == [opened]
    for sheet in (others[1], others[0], others[1]):
        ward.clock.advance(minutes=5)
        ward.detail(sheet, by=ward.nurse)
    ward.detail(others[2])
    assert worked_on() == [others[1], others[0], opened]
    assert worked_on(most=2) == [others[1], others[0]]
    ward.clock.advance(minutes=5)
    ward.detail(opened, by=ward.nurse)
    ward.use_cases.sheets.close(ward.admin, others[1])
    ward.use_cases.sheets.delete(ward.admin, others[0])
    assert worked_on() == [opened]
    assert overview.worked_on(ward.supervisor.user_id, most=8) == []


def test_reading_and_updating_a_sheet_is_not_working_on_it(ward: Ward, overview: Any) -> None:
    sheet = ward.sheet()["id"]
    ward.use_cases.sheets.reader.one(ward.nurse, sheet)
    ward.use_cases.sheets.update(ward.nurse, sheet, ward.sheet_draft())
    assert overview.worked_on(ward.nurse.user_id, most=8) == []


def test_open_sheets_have_patient_room_days_and_details(ward: Ward, overview: Any, today: date) -> None:
    sheet = ward.sheet(admission_date=today - timedelta(days=4))["id"]
    planned = ward.sheet(admission_date=today + timedelta(days=2))["id"]
    closed = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    ward.detail(sheet)
    last = ward.clock.advance(minutes=3)
    ward.detail(sheet)
    found = overview.sheets({sheet, planned, closed, 999}, today)
    assert found[sheet] == {
        "id": sheet,
        "patient": {"id": ward.patient_id, "name": "Ana", "first_surname": "Ríos", "second_surname": None},
        "room": {"id": ward.room_id, "name": "101", "area_id": ward.area_id},
        "admission_date": today - timedelta(days=4),
        "days_open": 4,
        "details": 2,
        "last_recorded_at": last,
    }
    assert (found[planned]["days_open"], found[planned]["details"], found[planned]["last_recorded_at"]) == (0, 0, None)
    assert set(found) == {sheet, planned}
    assert overview.sheets(set(), today) == {}


# --- bounds ----------------------------------------------------------------------------------------------------------


def test_the_queries_look_back_a_bounded_number_of_rows(ward: Ward, overview: Any) -> None:
    sheets = [ward.sheet()["id"] for _ in range(OPENED_BY_PERSON + 2)]
    assert overview.worked_on(ward.admin.user_id, most=99) == sheets[:1:-1]
    ward.clock.advance(minutes=1)
    ward.detail(sheets[0])
    assert overview.worked_on(ward.admin.user_id, most=99) == [sheets[0], *sheets[:1:-1]]
    ward.clock.advance(minutes=1)
    for _ in range(RECORDED_BY_PERSON):
        ward.detail(sheets[1])
    assert overview.worked_on(ward.admin.user_id, most=99) == [sheets[1], *sheets[:1:-1]]
