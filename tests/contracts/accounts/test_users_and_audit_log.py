"""Contract of every store: lists of users and of the audit log.

The tests cover searching, filters, order and paging.
"""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from application.accounts.users.draft import UserDraft
from application.accounts.views import UserQuery, UserView
from application.audit.audit_log import AuditEntry
from application.audit.views import AuditQuery, AuditView
from application.common.paging import InvalidQuery, Sort, write_cursor
from domain.common.policy import Role
from tests.builders import NOON, Ward

# --- users -----------------------------------------------------------------------------------------------------------


def users(ward: Ward, **asked: Any) -> list[UserView]:
    with ward.store.read() as views:
        page = views.users.page(UserQuery(**asked))
    assert page["meta"]["total"] >= len(page["items"])
    return page["items"]


def emails(ward: Ward, **asked: Any) -> list[str]:
    """Return the local parts of the emails that a query finds."""
    return [user["email"].partition("@")[0] for user in users(ward, **asked)]


@pytest.fixture
def staffed(ward: Ward) -> Ward:
    """Return a ward with more users: with and without profile, one deleted."""
    person = ward.staff("Inés", "Núñez", second_surname="Vega")
    draft = UserDraft(email="Zoe@consumo.test", role=2, staff_id=person.id)
    ward.use_cases.users.invite(ward.admin, draft, "es")
    ward.register("ángel@consumo.test", Role.USER)
    ward.register("chief@consumo.test", Role.ADMIN)
    deleted = ward.register("gone@consumo.test", Role.USER)
    ward.use_cases.users.delete(ward.admin, deleted.user_id)
    return ward


def test_users_come_by_email_without_deleted_ones(staffed: Ward) -> None:
    assert emails(staffed) == ["admin", "chief", "supervisor", "user", "Zoe", "ángel"]
    gone = max(user["id"] for user in users(staffed)) + 1
    with staffed.store.read() as views:
        assert views.users.one(gone) is None
        assert [views.users.one(user["id"]) for user in users(staffed)] == users(staffed)


def test_users_are_filtered_by_role(staffed: Ward) -> None:
    assert emails(staffed, roles=frozenset({1, 2})) == ["supervisor", "user", "Zoe", "ángel"]
    assert emails(staffed, roles=frozenset({10})) == ["admin", "chief"]
    assert emails(staffed, roles=frozenset({1, 2, 10})) == emails(staffed, roles=None)
    assert emails(staffed, roles=frozenset()) == []
    assert emails(staffed, roles=frozenset({2}), q="consumo") == ["supervisor", "Zoe"]


def test_users_are_found_by_email_and_by_profile_name(staffed: Ward) -> None:
    for q, found in (
        ("ZOE", ["Zoe"]),
        ("nunez", ["Zoe"]),
        ("vega ines", ["Zoe"]),
        ("consumo vega", ["Zoe"]),
        ("Paz", ["user"]),
        ("s", ["supervisor", "admin", "chief", "user", "Zoe", "ángel"]),
        ("user@consumo.test", ["user"]),
        ("ángel@consumo.test", ["ángel"]),
        ("Ángel@Consumo.TEST", ["ángel"]),
        ("gone", []),
        ("us_r", []),
        ("%", []),
    ):
        assert (q, emails(staffed, q=q)) == (q, found)


def test_users_are_ordered_by_each_field_and_paged(staffed: Ward) -> None:
    keys: dict[str, Any] = {
        "id": lambda user: user["id"],
        "email": lambda user: user["email"].casefold(),
        "role": lambda user: int(user["role"]),
    }
    everyone = users(staffed)
    for field, key in keys.items():
        for descending in (False, True):
            expected = sorted(everyone, key=lambda user: (key(user), user["id"]), reverse=descending)
            assert users(staffed, sort=Sort(field, descending)) == expected
    assert [user for page in (1, 2, 3, 4) for user in users(staffed, limit=2, page=page)] == everyone
    with pytest.raises(InvalidQuery, match="cursor"):
        users(staffed, cursor=write_cursor("admin@consumo.test", 1))


# --- the audit log -------------------------------------------------------------------------------------------------


def reported(ward: Ward, **asked: Any) -> list[AuditView]:
    with ward.store.read() as views:
        page = views.audit.page(AuditQuery(limit=100, **asked))
    assert page["meta"]["total"] == len(page["items"])
    return page["items"]


def actions(ward: Ward, **asked: Any) -> list[str]:
    return [entry["action"] for entry in reported(ward, **asked)]


# User, action, entity, its id, sheet and time: the hospital is six hours behind UTC all year.
HAPPENED: list[tuple[int | None, str, str, int, int | None, datetime]] = [
    (2, "x.opened", "sheet", 7, 7, datetime(2093, 5, 3, 5, 59, 59, 999999, tzinfo=UTC)),  # still the 2nd
    (3, "x.added", "detail", 7, 7, datetime(2093, 5, 3, 6, 0, tzinfo=UTC)),
    (3, "x.added", "detail", 8, 9, datetime(2093, 5, 4, 5, 59, 59, 999999, tzinfo=UTC)),  # still the 3rd
    (None, "x.closed", "sheet", 9, 9, datetime(2093, 5, 4, 6, 0, tzinfo=UTC)),
    (2, "x.closed", "sheet", 7, 7, datetime(2093, 5, 4, 12, 0, tzinfo=UTC)),
]


@pytest.fixture
def eventful(ward: Ward) -> Ward:
    """Return a ward with these entries after the ones of its creation."""
    with ward.store.begin() as work:
        for user_id, action, entity, entity_id, sheet_id, at in HAPPENED:
            work.audit_log.append(
                AuditEntry(
                    at=at,
                    user_id=user_id,
                    action=action,
                    entity=entity,
                    entity_id=entity_id,
                    changes={},
                    sheet_id=sheet_id,
                )
            )
    return ward


def test_an_entry_is_read_unchanged_with_the_users_email(ward: Ward) -> None:
    entry = AuditEntry(
        at=NOON + timedelta(microseconds=7),
        user_id=ward.nurse.user_id,
        action="x.done",
        entity="x",
        entity_id=2**40,
        changes={"total": ("1.10", "2.20"), "doctor": (None, "D'Arcy “½” 輸"), "active": (True, False), "n": (1, 2)},
    )
    with ward.store.begin() as work:
        work.audit_log.append(entry)
        work.audit_log.append(replace(entry, user_id=None, changes={}))
    ward.use_cases.users.delete(ward.admin, ward.nurse.user_id)
    deletion, anonymous, whole = reported(ward)[:3]
    assert whole == {
        "id": whole["id"],
        "at": entry.at,
        "user": {"id": ward.nurse.user_id, "email": "user@consumo.test"},
        "action": "x.done",
        "entity": "x",
        "entity_id": 2**40,
        "sheet_id": None,
        "patient_id": None,
        "api_key": None,
        "changes": {"total": ["1.10", "2.20"], "doctor": [None, "D'Arcy “½” 輸"], "active": [True, False], "n": [1, 2]},
    }
    assert whole["at"].utcoffset() == timedelta(0)
    assert (anonymous["user"], anonymous["changes"]) == (None, {})
    assert (deletion["user"], deletion["entity_id"]) == (
        {"id": ward.admin.user_id, "email": "admin@consumo.test"},
        ward.nurse.user_id,
    )
    with ward.store.read() as views:
        assert views.audit.one(whole["id"]) == whole
        assert views.audit.one(999) is None


def test_entries_come_newest_first_whatever_their_times(eventful: Ward) -> None:
    with eventful.store.begin() as work:
        work.audit_log.append(
            AuditEntry(at=NOON - timedelta(days=9), user_id=2, action="x.late", entity="x", entity_id=1, changes={})
        )
    all_of_it = reported(eventful)
    assert [entry["action"] for entry in all_of_it[:6]] == ["x.late", *(action for _, action, *_ in HAPPENED[::-1])]
    assert [entry["id"] for entry in all_of_it] == sorted((entry["id"] for entry in all_of_it), reverse=True)
    assert all_of_it[-1]["action"] == "user.registered"


def test_a_search_finds_words_of_the_action(eventful: Ward) -> None:
    every = reported(eventful)
    created = reported(eventful, q="CREATED")
    assert created
    assert created == [entry for entry in every if "created" in entry["action"]]
    assert reported(eventful, q="created prod") == [entry for entry in every if entry["action"] == "product.created"]
    assert reported(eventful, q="nothing") == []


def test_each_filter_selects_the_expected_entries(eventful: Ward) -> None:
    opened, first, second, anonymous, closed = HAPPENED

    def found(**asked: Any) -> list[tuple[str, int, datetime]]:
        entries = reported(eventful, **asked)
        return [(entry["action"], entry["entity_id"], entry["at"]) for entry in entries if entry["action"][:2] == "x."]

    def as_told(*happened: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return [(action, entity_id, at) for _, action, _, entity_id, _, at in happened]

    for asked, expected in (
        ({"entity": "sheet"}, (closed, anonymous, opened)),
        ({"entity": "detail"}, (second, first)),
        ({"entity_id": 7}, (closed, first, opened)),
        ({"entity": "sheet", "entity_id": 7}, (closed, opened)),
        ({"user_id": 2}, (closed, opened)),
        ({"user_id": 3}, (second, first)),
        ({"action": "x.closed"}, (closed, anonymous)),
        ({"action": "x.closed", "user_id": 2}, (closed,)),
        ({"sheet_id": 7}, (closed, first, opened)),
        ({"sheet_id": 9}, (anonymous, second)),
        ({"sheet_id": 7, "entity": "detail"}, (first,)),
        ({"since": date(2093, 5, 3)}, (closed, anonymous, second, first)),
        ({"until": date(2093, 5, 3)}, (second, first, opened)),
        ({"since": date(2093, 5, 3), "until": date(2093, 5, 3)}, (second, first)),
        ({"since": date(2093, 5, 4), "until": date(2093, 5, 3)}, ()),
        ({"since": date(2093, 5, 2), "until": date(2093, 5, 2)}, (opened,)),
        ({"since": date.max}, ()),
        ({"until": date.max}, (closed, anonymous, second, first, opened)),
        ({"until": date.min}, ()),
        ({"entity": "Sheet"}, ()),
        ({"action": "x."}, ()),
        ({"user_id": 999}, ()),
    ):
        assert (asked, found(**asked)) == (asked, as_told(*expected))


def test_cursors_meet_every_entry_once_while_others_are_added(eventful: Ward) -> None:
    there = [entry["id"] for entry in reported(eventful)]
    met: list[int] = []
    cursor = None
    for _ in range(len(there)):
        with eventful.store.read() as views:
            page = views.audit.page(AuditQuery(limit=3, cursor=cursor))
        met += [entry["id"] for entry in page["items"]]
        cursor = page["meta"].get("next")
        if cursor is None:
            break
        eventful.staff("Luz", "Gil")
    assert met == there
    with eventful.store.read() as views:
        first = views.audit.page(AuditQuery(limit=1, entity="sheet", entity_id=7))
        second = views.audit.page(AuditQuery(limit=1, entity="sheet", entity_id=7, cursor=first["meta"]["next"]))
    assert [page["items"][0]["action"] for page in (first, second)] == ["x.closed", "x.opened"]
    assert "next" not in second["meta"]


def test_entries_of_a_period_come_by_time_and_page(eventful: Ward) -> None:
    late = AuditEntry(at=HAPPENED[1][-1], user_id=2, action="x.late", entity="x", entity_id=1, changes={})
    with eventful.store.begin() as work:
        # One entry is from a host whose clock was behind; the other one has exactly the time of an older entry.
        work.audit_log.append(replace(late, at=HAPPENED[2][-1] - timedelta(microseconds=1)))
        work.audit_log.append(late)
    expected = ["x.closed", "x.closed", "x.added", "x.late", "x.late", "x.added", "x.opened"]
    days: dict[str, Any] = {"since": date(2093, 5, 2), "until": date(2093, 5, 4)}
    assert actions(eventful, **days) == expected
    met: list[AuditView] = []
    cursor = None
    for _ in range(len(expected)):
        with eventful.store.read() as views:
            page = views.audit.page(AuditQuery(limit=1, cursor=cursor, **days))
        met += page["items"]
        cursor = page["meta"].get("next")
        if cursor is None:
            break
    assert met == reported(eventful, **days)
    with eventful.store.read() as views:
        behind = views.audit.page(AuditQuery(limit=1))["meta"]["next"]
        with pytest.raises(InvalidQuery, match="cursor"):
            views.audit.page(AuditQuery(cursor=behind, **days))


def test_a_sheets_history_has_its_details_and_survives_deletion(ward: Ward) -> None:
    other, sheet_id = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(other)
    ward.use_cases.details.edit(ward.admin, ward.detail(sheet_id)["id"], ward.detail_draft("2"))
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    story = ["sheet.deleted", "detail.deleted", "detail.edited", "detail.added", "sheet.opened"]
    assert actions(ward, sheet_id=sheet_id) == story


def test_a_cursor_of_another_list_is_refused(ward: Ward) -> None:
    for key in ("", "x", "1.5", "-1", "0", str(2**63), "9" * 5_000, "2091-05-03"):
        with ward.store.read() as views, pytest.raises(InvalidQuery, match="cursor"):
            views.audit.page(AuditQuery(cursor=write_cursor(key, 1)))
