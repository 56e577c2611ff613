"""Completing one's own staff profile."""

from datetime import UTC, date, datetime, timedelta

import pytest

from application.people.staff import StaffDraft
from domain.common.day import day_of
from domain.common.errors import Code, Unauthenticated
from domain.common.policy import Actor, Permission, Role
from tests.assertions import refused
from tests.builders import ZONE, Ward
from tests.use_cases.stored import audit_log, kept, nothing_written

DRAFT = StaffDraft(
    name="Luz",
    first_surname="Gil",
    second_surname="Mora",
    telephone_number="55 1234 5678",
    job_title="Enfermera",
    date_of_birth=date(2060, 2, 29),
)


@pytest.fixture
def newcomer(ward: Ward) -> Actor:
    return ward.register("new@consumo.test", Role.USER)


def test_the_first_save_creates_and_links_the_profile(ward: Ward, newcomer: Actor) -> None:
    profile = ward.use_cases.account.complete_profile(newcomer, DRAFT)
    assert profile == {
        "id": profile["id"],
        "name": "Luz",
        "first_surname": "Gil",
        "second_surname": "Mora",
        "telephone_number": "55 1234 5678",
        "job_title": "Enfermera",
        "date_of_birth": date(2060, 2, 29),
        "user_id": newcomer.user_id,
    }
    account = ward.use_cases.account.read(newcomer)
    assert (account["staff_id"], account["profile"]) == (profile["id"], profile)


def test_a_profile_allows_to_open_sheets(ward: Ward, newcomer: Actor) -> None:
    profile = ward.use_cases.account.complete_profile(newcomer, DRAFT)
    now = Actor(user_id=newcomer.user_id, role=Role.USER, staff_id=profile["id"])
    assert now.can(Permission.OPEN_SHEETS)
    ward.use_cases.sheets.open(now, ward.sheet_draft())


def test_the_next_save_changes_the_profile(ward: Ward, newcomer: Actor) -> None:
    first = ward.use_cases.account.complete_profile(newcomer, DRAFT)
    again = ward.use_cases.account.complete_profile(newcomer, StaffDraft(name="Lucía", first_surname="Gil"))
    assert (again["id"], again["name"], again["job_title"]) == (first["id"], "Lucía", None)
    assert again["user_id"] == newcomer.user_id
    assert audit_log(ward)[-1].action == "profile.updated"


def test_saving_twice_creates_one_profile(ward: Ward, newcomer: Actor) -> None:
    before = len(kept(ward).staff)
    for _ in range(2):  # the same actor twice, like two concurrent requests
        ward.use_cases.account.complete_profile(newcomer, DRAFT)
    assert len(kept(ward).staff) == before + 1


def test_a_save_without_changes_is_not_logged(ward: Ward, newcomer: Actor) -> None:
    profile = ward.use_cases.account.complete_profile(newcomer, DRAFT)
    with nothing_written(ward):
        assert ward.use_cases.account.complete_profile(newcomer, DRAFT) == profile


def test_all_errors_of_a_profile_are_reported_at_once(ward: Ward, newcomer: Actor) -> None:
    draft = StaffDraft(name=" ", telephone_number="5" * 201, date_of_birth=date(2092, 1, 1))
    with (
        nothing_written(ward),
        refused(
            (Code.REQUIRED, "name"),
            (Code.REQUIRED, "first_surname"),
            (Code.TEXT_TOO_LONG, "telephone_number"),
            (Code.DATE_IN_FUTURE, "date_of_birth"),
        ),
    ):
        ward.use_cases.account.complete_profile(newcomer, draft)


def test_a_future_birth_date_is_judged_by_the_hospitals_day(ward: Ward, newcomer: Actor) -> None:
    ward.clock.now = datetime(2091, 5, 4, 5, 59, tzinfo=UTC)
    today = day_of(ward.clock.now, ZONE)
    assert today == date(2091, 5, 3)
    with refused((Code.DATE_IN_FUTURE, "date_of_birth")):
        ward.use_cases.account.complete_profile(
            newcomer, StaffDraft(name="Luz", first_surname="Gil", date_of_birth=today + timedelta(days=1))
        )


def test_a_deleted_user_cannot_complete_a_profile(ward: Ward, newcomer: Actor) -> None:
    ward.use_cases.users.delete(ward.admin, newcomer.user_id)
    for who in (newcomer, Actor(user_id=99, role=Role.ADMIN, staff_id=None)):
        with nothing_written(ward), pytest.raises(Unauthenticated):
            ward.use_cases.account.complete_profile(who, DRAFT)
