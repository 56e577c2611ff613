"""The history of a sheet, from the audit log."""

from dataclasses import replace

import pytest

from application.accounts.users.draft import UserDraft
from application.audit.views import AuditQuery, NamedEntryView
from application.catalogue.areas import AreaDraft
from application.closing.reopen_sheet import ReopenDraft
from domain.common.errors import NotFound
from domain.common.policy import Role
from tests.builders import TODAY, Ward
from tests.use_cases.stored import nothing_written

ALL = AuditQuery(limit=100)


def story(ward: Ward, sheet_id: int, query: AuditQuery = ALL) -> list[NamedEntryView]:
    """Return the history of a sheet for a supervisor."""
    return ward.use_cases.sheets.read_history(ward.supervisor, sheet_id, query)["items"]


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    """Create a sheet with a history, interleaved with changes of another one."""
    sheet_id, other = ward.sheet()["id"], ward.sheet()["id"]
    for step in (
        lambda: ward.use_cases.sheets.update(ward.nurse, sheet_id, ward.sheet_draft(doctor="Dr. Sol")),
        lambda: ward.detail(sheet_id, "2", by=ward.nurse),
        lambda: ward.detail(other),
        lambda: ward.use_cases.details.edit(ward.supervisor, 1, ward.detail_draft("3")),
        lambda: ward.use_cases.sheets.close(ward.nurse, sheet_id),
        lambda: ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Sobraba una gasa")),
        lambda: ward.use_cases.details.delete(ward.admin, 1),
        lambda: ward.use_cases.sheets.close(ward.admin, other),
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


def test_the_history_comes_newest_first_with_details(ward: Ward, sheet_id: int) -> None:
    reported = story(ward, sheet_id)
    assert [entry["action"] for entry in reported] == STORY
    assert [entry["at"] for entry in reported] == sorted((entry["at"] for entry in reported), reverse=True)
    assert [entry["id"] for entry in reported] == sorted((entry["id"] for entry in reported), reverse=True)
    assert {(entry["entity"], entry["entity_id"]) for entry in reported} == {
        ("consumption_sheet", sheet_id),
        ("consumption_detail", 1),
    }


def test_entries_have_user_and_old_and_new_values(ward: Ward, sheet_id: int) -> None:
    deleted, reopened, closed, edited, added, updated, opened = story(ward, sheet_id)
    nurse = {"id": ward.nurse.user_id, "email": "user@consumo.test"}
    admin = {"id": ward.admin.user_id, "email": "admin@consumo.test"}
    assert (closed["user"], reopened["user"], opened["user"]) == (nurse, admin, admin)
    assert updated["changes"] == {"doctor": ["Dra. Vega", "Dr. Sol"]}
    assert added["changes"]["quantity"] == [None, "2.000"]
    assert edited["changes"]["quantity"] == ["2.000", "3.000"]
    assert edited["changes"]["staff_id"] == [ward.nurse.staff_id, None]
    # The undone closing stays in the history, with the reason of the reopening.
    digest = closed["changes"].pop("document_digest")
    assert (digest[0], len(str(digest[1]))) == (None, 64)
    assert closed["changes"] == {"closed_at": [None, closed["at"].isoformat()]}
    assert reopened["changes"] == {
        "closed_at": [closed["at"].isoformat(), None],
        "reason": [None, "Sobraba una gasa"],
    }
    assert deleted["changes"]["total"] == ["37.50", None]
    assert opened["changes"]["doctor"] == [None, "Dra. Vega"]


def test_entries_have_the_names_of_their_references(ward: Ward, sheet_id: int) -> None:
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


def test_a_deleted_reference_has_no_name(ward: Ward) -> None:
    sheet_id, tube = ward.sheet()["id"], ward.product("Sonda").id
    slip = ward.detail(sheet_id, product_id=tube)
    with ward.store.begin() as work:
        line = work.details.get(slip["id"])
        assert line
        work.details.remove(line)
    ward.use_cases.products.delete(ward.admin, tube)
    added, _ = story(ward, sheet_id)
    assert added["subject"] is None
    assert added["names"]["product_id"] == [None, None]


def test_the_history_survives_the_sheet(ward: Ward, sheet_id: int) -> None:
    detail = ward.detail(sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.reader.one(ward.admin, sheet_id)
    reported = story(ward, sheet_id)
    # The voided line is deleted too.
    deleted = ["detail.deleted", "detail.deleted"]
    assert [entry["action"] for entry in reported] == ["sheet.deleted", *deleted, "detail.added", *STORY]
    assert [entry["entity_id"] for entry in reported[1:3]] == [detail["id"], 1]
    assert reported[0]["changes"]["doctor"] == ["Dr. Sol", None]


def test_a_detail_with_the_id_of_the_sheet_is_not_mixed_up(ward: Ward) -> None:
    first, second = ward.sheet()["id"], ward.sheet()["id"]
    detail = ward.detail(second)
    assert detail["id"] == first
    assert [entry["action"] for entry in story(ward, first)] == ["sheet.opened"]


def test_a_missing_sheet_has_no_history(ward: Ward, sheet_id: int) -> None:
    for missing in (sheet_id + 99, 0, -1):
        with nothing_written(ward), pytest.raises(NotFound):
            story(ward, missing)
        with nothing_written(ward), pytest.raises(NotFound):
            ward.use_cases.sheets.read_history.iterate(ward.supervisor, missing, ALL)


def test_filters_without_matches_return_an_empty_history(ward: Ward, sheet_id: int) -> None:
    """The sheet exists, so this is not an error."""
    assert story(ward, sheet_id, AuditQuery(action="sheet.deleted")) == []
    assert story(ward, sheet_id, AuditQuery(page=9)) == []
    assert list(ward.use_cases.sheets.read_history.iterate(ward.supervisor, sheet_id, AuditQuery(q="nothing"))) == []


def test_the_history_has_the_filters_of_the_audit_log(ward: Ward, sheet_id: int) -> None:
    def actions(query: AuditQuery) -> list[str]:
        return [entry["action"] for entry in story(ward, sheet_id, query)]

    assert actions(AuditQuery(action="sheet.closed")) == ["sheet.closed"]
    assert actions(AuditQuery(user_id=ward.nurse.user_id)) == ["sheet.closed", "detail.added", "sheet.updated"]
    assert actions(AuditQuery(entity="consumption_detail")) == ["detail.voided", "detail.edited", "detail.added"]
    assert actions(AuditQuery(since=TODAY, until=TODAY)) == STORY
    assert actions(AuditQuery(q="detail")) == ["detail.voided", "detail.edited", "detail.added"]


def test_a_sheet_id_in_the_query_is_ignored(ward: Ward, sheet_id: int) -> None:
    assert len(story(ward, sheet_id, AuditQuery(sheet_id=sheet_id + 1))) == len(STORY)


def test_a_long_history_is_read_page_by_page(ward: Ward, sheet_id: int) -> None:
    query, reported = AuditQuery(limit=3), []
    for _ in range(3):
        page = ward.use_cases.sheets.read_history(ward.supervisor, sheet_id, query)
        assert page["meta"]["total"] == len(STORY)
        reported += [entry["action"] for entry in page["items"]]
        query = replace(query, cursor=page["meta"].get("next"))
    assert query.cursor is None
    assert reported == STORY
    whole = ward.use_cases.sheets.read_history.iterate(ward.supervisor, sheet_id, AuditQuery(limit=3))
    assert [entry["action"] for entry in whole] == STORY


def test_the_audit_log_has_names_too(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía"))
    gone = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Sótano"))
    ward.use_cases.areas.delete(ward.admin, gone.id)
    staff = ward.staff("Inés", "Núñez")
    user = ward.register("new@consumo.test", Role.USER)
    ward.use_cases.users.update(
        ward.supervisor, user.user_id, UserDraft(email="ines@consumo.test", role=1, staff_id=staff.id)
    )
    ward.use_cases.users.delete(ward.admin, user.user_id)
    sheet_id = ward.sheet()["id"]
    reported = ward.use_cases.audit.reader.page(ward.admin, replace(ALL, limit=8))["items"]
    opened, deleted, updated, registered, hired, closed_down, _, created = reported
    assert (created["action"], created["subject"], created["sheet_id"]) == ("area.created", "Cirugía", None)
    assert area.name == "Cirugía"
    assert (closed_down["action"], closed_down["subject"]) == ("area.deleted", None)
    assert (hired["subject"], registered["subject"]) == ("Inés Núñez", "ines@consumo.test")
    assert (updated["subject"], updated["names"]) == ("ines@consumo.test", {"staff_id": [None, "Inés Núñez"]})
    # The audit log still has the email of the deleted account.
    assert (deleted["action"], deleted["subject"]) == ("user.deleted", "ines@consumo.test")
    assert (opened["sheet_id"], opened["patient"], opened["subject"]) == (sheet_id, "Ana Ríos", None)
