"""A sheet's story, told from the audit log."""

from dataclasses import replace

import pytest

from application.areas import AreaDraft
from application.sheets.reopen_sheet import ReopenDraft
from application.users.draft import UserDraft
from application.views import AuditQuery, HistoryView
from domain.errors import Forbidden, NotFound
from domain.policy import Role
from tests.builders import TODAY, Ward
from tests.use_cases.stored import nothing_written

ALL = AuditQuery(limit=100)


def story(ward: Ward, sheet_id: int, query: AuditQuery = ALL) -> list[HistoryView]:
    """What a supervisor is told of a sheet."""
    return ward.use_cases.read_sheet_history(ward.supervisor, sheet_id, query)["items"]


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """A sheet with a past, and another one beside it that things happen to meanwhile."""
    sheet_id, other = ward.sheet()["id"], ward.sheet()["id"]
    for step in (
        lambda: ward.use_cases.update_sheet(ward.nurse, sheet_id, ward.sheet_draft(doctor="Dr. Sol")),
        lambda: ward.detail(sheet_id, "2", by=ward.nurse),
        lambda: ward.detail(other),
        lambda: ward.use_cases.edit_detail(ward.supervisor, 1, ward.detail_draft("3")),
        lambda: ward.use_cases.close_sheet(ward.nurse, sheet_id),
        lambda: ward.use_cases.reopen_sheet(ward.admin, sheet_id, ReopenDraft(reason="Sobraba una gasa")),
        lambda: ward.use_cases.delete_detail(ward.admin, 1),
        lambda: ward.use_cases.close_sheet(ward.admin, other),
    ):
        ward.clock.advance(minutes=1)
        step()
    return sheet_id


STORY = [
    "detail.voided",
    "sheet.reopened",
    "sheet.closed",
    "detail.edited",
    "detail.added",
    "sheet.updated",
    "sheet.opened",
]


def test_a_sheets_story_is_told_newest_first_its_details_included_and_no_others(ward: Ward, sheet_id: int) -> None:
    told = story(ward, sheet_id)
    assert [entry["action"] for entry in told] == STORY
    assert [entry["at"] for entry in told] == sorted((entry["at"] for entry in told), reverse=True)
    assert [entry["id"] for entry in told] == sorted((entry["id"] for entry in told), reverse=True)
    assert {(entry["entity"], entry["entity_id"]) for entry in told} == {
        ("consumption_sheet", sheet_id),
        ("consumption_detail", 1),
    }


def test_each_entry_tells_who_and_what_was_before_and_after(ward: Ward, sheet_id: int) -> None:
    deleted, reopened, closed, edited, added, updated, opened = story(ward, sheet_id)
    nurse = {"id": ward.nurse.user_id, "email": "user@consumo.test"}
    admin = {"id": ward.admin.user_id, "email": "admin@consumo.test"}
    assert (closed["user"], reopened["user"], opened["user"]) == (nurse, admin, admin)
    assert updated["changes"] == {"doctor": ["Dra. Vega", "Dr. Sol"]}
    assert added["changes"]["quantity"] == [None, "2.000"]
    assert edited["changes"]["quantity"] == ["2.000", "3.000"]
    assert edited["changes"]["staff_id"] == [ward.nurse.staff_id, None]
    # The closing that was undone stays in the history, and so does the reason.
    assert closed["changes"] == {"closed_at": [None, closed["at"].isoformat()]}
    assert reopened["changes"] == {
        "closed_at": [closed["at"].isoformat(), None],
        "reason": [None, "Sobraba una gasa"],
    }
    assert deleted["changes"]["total"] == ["37.50", None]
    assert opened["changes"]["doctor"] == [None, "Dra. Vega"]


def test_each_entry_tells_the_names_of_what_it_is_about(ward: Ward, sheet_id: int) -> None:
    deleted, reopened, closed, edited, added, updated, opened = story(ward, sheet_id)
    assert [entry["person"] for entry in (deleted, closed, added)] == [None, "Nuria Paz", "Nuria Paz"]
    assert {entry["subject"] for entry in (deleted, edited, added)} == {"Gasa estéril"}
    assert {entry["subject"] for entry in (reopened, closed, updated, opened)} == {None}
    assert added["names"] == {
        "product_id": [None, "Gasa estéril"],
        "staff_id": [None, "Nuria Paz"],
        "room_id": [None, "101"],
        "sheet_id": [None, "Ana Ríos"],
    }
    assert edited["names"] == {"staff_id": ["Nuria Paz", None]}
    assert opened["names"] == {"patient_id": [None, "Ana Ríos"], "room_id": [None, "101"]}
    assert updated["names"] == closed["names"] == reopened["names"] == {}
    assert {entry["patient"] for entry in story(ward, sheet_id)} == {"Ana Ríos"}


def test_a_name_that_is_no_more_is_not_told(ward: Ward) -> None:
    sheet_id, tube = ward.sheet()["id"], ward.product("Sonda").id
    slip = ward.detail(sheet_id, product_id=tube)
    with ward.store.begin() as work:
        line = work.details.get(slip["id"])
        assert line
        work.details.remove(line)
    ward.use_cases.delete_product(ward.admin, tube)
    added, _ = story(ward, sheet_id)
    assert added["subject"] is None
    assert added["names"]["product_id"] == [None, None]


def test_the_story_outlives_the_sheet(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id)
    ward.use_cases.delete_sheet(ward.admin, sheet_id)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.one(ward.admin, sheet_id)
    told = story(ward, sheet_id)
    assert [entry["action"] for entry in told] == ["sheet.deleted", "detail.deleted", "detail.added", *STORY]
    assert told[1]["entity_id"] == detail["id"]
    assert told[0]["changes"]["doctor"] == ["Dr. Sol", None]


def test_a_detail_that_shares_its_number_with_the_sheet_is_not_mixed_up_with_it(ward: Ward) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    detail = ward.detail(second)
    assert detail["id"] == first
    assert [entry["action"] for entry in story(ward, first)] == ["sheet.opened"]


def test_of_a_sheet_that_never_was_nothing_is_told(ward: Ward, sheet_id: int) -> None:
    for missing in (sheet_id + 99, 0, -1):
        with nothing_written(ward), pytest.raises(NotFound):
            story(ward, missing)
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.read_sheet_history.every(ward.supervisor, missing, ALL)


def test_a_question_that_finds_nothing_in_a_story_is_answered_by_nothing(ward: Ward, sheet_id: int) -> None:
    """The sheet is there: only what was asked for did not happen to it."""
    assert story(ward, sheet_id, AuditQuery(action="sheet.deleted")) == []
    assert story(ward, sheet_id, AuditQuery(page=9)) == []
    assert list(ward.use_cases.read_sheet_history.every(ward.supervisor, sheet_id, AuditQuery(q="empty"))) == []


def test_a_story_is_narrowed_like_the_trail(ward: Ward, sheet_id: int) -> None:
    def actions(query: AuditQuery) -> list[str]:
        return [entry["action"] for entry in story(ward, sheet_id, query)]

    assert actions(AuditQuery(action="sheet.closed")) == ["sheet.closed"]
    assert actions(AuditQuery(user_id=ward.nurse.user_id)) == ["sheet.closed", "detail.added", "sheet.updated"]
    assert actions(AuditQuery(entity="consumption_detail")) == ["detail.voided", "detail.edited", "detail.added"]
    assert actions(AuditQuery(since=TODAY, until=TODAY)) == STORY
    assert actions(AuditQuery(q="detail")) == ["detail.voided", "detail.edited", "detail.added"]


def test_nobody_reads_another_sheets_story_by_the_back_door(ward: Ward, sheet_id: int) -> None:
    assert len(story(ward, sheet_id, AuditQuery(sheet_id=sheet_id + 1))) == len(STORY)


def test_a_long_story_is_read_page_by_page(ward: Ward, sheet_id: int) -> None:
    query, told = AuditQuery(limit=3), []
    for _ in range(3):
        page = ward.use_cases.read_sheet_history(ward.supervisor, sheet_id, query)
        assert page["meta"]["total"] == len(STORY)
        told += [entry["action"] for entry in page["items"]]
        query = replace(query, cursor=page["meta"].get("next"))
    assert query.cursor is None
    assert told == STORY
    whole = ward.use_cases.read_sheet_history.every(ward.supervisor, sheet_id, AuditQuery(limit=3))
    assert [entry["action"] for entry in whole] == STORY


def test_ward_staff_are_told_no_story(ward: Ward, sheet_id: int) -> None:
    for read in (ward.use_cases.read_sheet_history, ward.use_cases.read_sheet_history.every):
        for asked in (sheet_id, 999):
            with nothing_written(ward), pytest.raises(Forbidden):
                read(ward.nurse, asked, ALL)


def test_the_whole_trail_tells_names_too(ward: Ward) -> None:
    area = ward.use_cases.create_area(ward.admin, AreaDraft(name="Cirugía"))
    gone = ward.use_cases.create_area(ward.admin, AreaDraft(name="Sótano"))
    ward.use_cases.delete_area(ward.admin, gone.id)
    staff = ward.staff("Inés", "Núñez")
    user = ward.register("new@consumo.test", Role.USER)
    ward.use_cases.update_user(
        ward.supervisor, user.user_id, UserDraft(email="ines@consumo.test", role=1, staff_id=staff.id)
    )
    ward.use_cases.delete_user(ward.admin, user.user_id)
    sheet_id = ward.sheet()["id"]
    told = ward.use_cases.audit.page(ward.admin, replace(ALL, limit=8))["items"]
    opened, deleted, updated, registered, hired, closed_down, _, created = told
    assert (created["action"], created["subject"], created["sheet_id"]) == ("area.created", "Cirugía", None)
    assert area.name == "Cirugía"
    assert (closed_down["action"], closed_down["subject"]) == ("area.deleted", None)
    assert (hired["subject"], registered["subject"]) == ("Inés Núñez", "ines@consumo.test")
    assert (updated["subject"], updated["names"]) == ("ines@consumo.test", {"staff_id": [None, "Inés Núñez"]})
    # The account is no more; whose it was, the audit log still tells.
    assert (deleted["action"], deleted["subject"]) == ("user.deleted", "ines@consumo.test")
    assert (opened["sheet_id"], opened["patient"], opened["subject"]) == (sheet_id, "Ana Ríos", None)
