"""Contract of every store: users, sessions, links and failed sign-ins."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from application.accounts.ports.identity import ActiveSession, Session, SignInMethod
from application.work import UnitOfWork
from domain.accounts.user import PasswordLink, User
from domain.common.errors import Code
from domain.common.policy import Role
from domain.common.text import unique_key
from tests.assertions import refused
from tests.builders import NOON, Ward

MOMENT = timedelta(microseconds=1)


class Stop(Exception):
    """Roll back a unit of work."""


def undone(ward: Ward, *changes: Callable[[UnitOfWork], object]) -> None:
    """Make the changes and roll them back with an exception."""

    def stopped() -> None:
        with ward.store.begin() as work:
            for change in changes:
                change(work)
            raise Stop

    with pytest.raises(Stop):
        stopped()


def delete(ward: Ward, user_id: int) -> User:
    """Store the user as deleted."""
    with ward.store.begin() as work:
        user = work.users.lock(user_id)
        assert user
        deleted = replace(user, deleted=True, staff_id=None, password_hash=None)
        work.users.save(deleted)
    return deleted


# --- users -----------------------------------------------------------------------------------------------------------


def test_a_deleted_user_is_stored_and_frees_email_and_profile(ward: Ward) -> None:
    staff_id = ward.nurse.staff_id or 0
    deleted = delete(ward, ward.nurse.user_id)
    with ward.store.begin() as work:
        assert work.users.get(ward.nurse.user_id) == deleted
        assert work.users.find("email", unique_key("user@consumo.test")) is None
        assert work.users.find("staff_id", staff_id) is None
        successor = User(email="USER@consumo.test", role=Role.USER, password_hash=None, staff_id=staff_id)
        work.users.add(successor)
        assert work.users.find("email", unique_key("user@consumo.test")) == successor
        assert work.users.find("staff_id", staff_id) == successor
    # Any number of deleted users may have had the same email.
    deleted_too = delete(ward, successor.id)
    with ward.store.begin() as work:
        work.users.add(User(email="user@consumo.test", role=Role.USER, password_hash=None))
        assert [work.users.get(user.id) for user in (deleted, deleted_too)] == [deleted, deleted_too]
    with refused((Code.TAKEN, "email")), ward.store.begin() as work:
        work.users.save(replace(deleted, deleted=False))


def test_administrators_can_sign_in_and_come_oldest_first(ward: Ward) -> None:
    deleted, demoted, third = (ward.register(f"{name}@consumo.test", Role.ADMIN) for name in ("z", "b", "a"))
    delete(ward, deleted.user_id)
    with ward.store.begin() as work:
        user = work.users.get(demoted.user_id)
        assert user
        work.users.save(replace(user, role=Role.SUPERVISOR))
        # An invited user who has not chosen a password yet cannot sign in.
        work.users.add(User(email="0@consumo.test", role=Role.ADMIN, password_hash=None))
        found = work.users.administrators()
        assert [admin.id for admin in found] == [ward.admin.user_id, third.user_id]
        assert found[-1] == work.users.get(third.user_id)


# --- sessions --------------------------------------------------------------------------------------------------------


def sessions_that_run(ward: Ward, sessions: dict[str, int]) -> list[str]:
    with ward.store.read() as views:
        return [this for this, user_id in sessions.items() if views.active_session(this, user_id, NOON) is not None]


def test_ending_all_sessions_of_a_user_affects_no_other_user(ward: Ward) -> None:
    sessions = {"s-1": ward.nurse.user_id, "s-2": ward.nurse.user_id, "s-3": ward.admin.user_id}
    with ward.store.begin() as work:
        for session_id, user_id in sessions.items():
            work.sessions.add(Session(id=session_id, user_id=user_id, expires_at=NOON + timedelta(hours=1)))
    assert sessions_that_run(ward, sessions) == ["s-1", "s-2", "s-3"]
    undone(ward, lambda work: work.sessions.revoke_all(ward.nurse.user_id))
    assert sessions_that_run(ward, sessions) == ["s-1", "s-2", "s-3"]
    with ward.store.begin() as work:
        work.sessions.revoke_all(ward.nurse.user_id)
        work.sessions.revoke_all(999)
    assert sessions_that_run(ward, sessions) == ["s-3"]
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-4", user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
    assert sessions_that_run(ward, sessions | {"s-4": ward.nurse.user_id}) == ["s-3", "s-4"]


def test_a_session_keeps_its_start_and_its_last_use(ward: Ward) -> None:
    hour = timedelta(hours=1)
    begun = Session(
        id="s-1",
        user_id=ward.nurse.user_id,
        expires_at=NOON + hour,
        began_at=NOON,
        used_at=NOON,
        ends_at=NOON + 5 * hour,
        address="192.0.2.7",
        client="Firefox/145.0 ñ",
    )
    with ward.store.begin() as work:
        work.sessions.add(begun)
        work.sessions.add(Session(id="s-0", user_id=ward.nurse.user_id, expires_at=NOON + hour))
        work.sessions.add(replace(begun, id="s-2", began_at=NOON - hour))
        work.sessions.add(replace(begun, id="s-3", user_id=ward.admin.user_id))
        work.sessions.add(replace(begun, id="s-4", expires_at=NOON))
        assert [it.id for it in work.views.sessions(ward.nurse.user_id, NOON)] == ["s-0", "s-2", "s-1"]
        assert work.sessions.lock("s-1", NOON) == begun
        assert work.sessions.lock("s-1", NOON + hour) is work.sessions.lock("no such one", NOON) is None
    used = replace(begun, used_at=NOON + hour / 2, expires_at=NOON + 2 * hour)
    undone(ward, lambda work: work.sessions.save(used))
    with ward.store.begin() as work:
        assert work.sessions.lock("s-1", NOON) == begun
        work.sessions.save(used)
    with ward.store.begin() as work:
        assert work.sessions.lock("s-1", NOON + hour) == used
        assert [it.id for it in work.views.sessions(ward.nurse.user_id, NOON + hour)] == ["s-1"]
        work.sessions.revoke("s-1")
        assert work.sessions.lock("s-1", NOON + hour) is None
    with ward.store.read() as views:
        assert views.sessions(ward.nurse.user_id, NOON + hour) == []
        active_session = views.active_session("s-3", ward.admin.user_id, NOON)
    assert active_session == ActiveSession(ward.admin, NOON, SignInMethod.PASSWORD)


def test_a_deleted_user_has_no_active_session(ward: Ward) -> None:
    sessions = {"s-1": ward.nurse.user_id, "s-2": ward.admin.user_id}
    with ward.store.begin() as work:
        for session_id, user_id in sessions.items():
            work.sessions.add(Session(id=session_id, user_id=user_id, expires_at=NOON + timedelta(hours=1)))
    delete(ward, ward.nurse.user_id)
    assert sessions_that_run(ward, sessions) == ["s-2"]


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_link_is_consumed_once_and_exactly_as_stored(ward: Ward) -> None:
    expires_at = datetime(2091, 5, 6, 12, 0, 0, 123456, tzinfo=UTC)
    link = PasswordLink("d-1", ward.nurse.user_id, expires_at)
    with ward.store.begin() as work:
        work.password_links.add(link)
        work.password_links.add(replace(link, digest="d-2"))
    with ward.store.begin() as work:
        assert (
            work.password_links.consume("D-1")
            is work.password_links.consume("")
            is work.password_links.consume("d-")
            is None
        )
        taken = work.password_links.consume("d-1")
        assert taken == link
        assert taken.expires_at.utcoffset() == timedelta(0)
        assert work.password_links.consume("d-1") is None
    with ward.store.begin() as work:
        assert work.password_links.consume("d-1") is None
        assert work.password_links.consume("d-2") == replace(link, digest="d-2")


def test_a_link_without_a_user_is_not_stored(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.password_links.add(PasswordLink("d-1", 0, NOON))
        work.password_links.add(PasswordLink("d-2", 999, NOON, made_by=ward.admin.user_id))
    with ward.store.begin() as work:
        assert work.password_links.get("d-1") is work.password_links.get("d-2") is None


def test_a_rolled_back_use_of_a_link_keeps_the_link(ward: Ward) -> None:
    link = PasswordLink("d-1", ward.nurse.user_id, NOON)
    with ward.store.begin() as work:
        work.password_links.add(link)
    undone(
        ward,
        lambda work: work.password_links.consume("d-1"),
        lambda work: work.password_links.revoke_all(ward.nurse.user_id),
    )
    with ward.store.begin() as work:
        assert work.password_links.consume("d-1") == link


def test_dropping_all_links_of_a_user_affects_no_other_user(ward: Ward) -> None:
    password_links = [
        PasswordLink(f"d-{number}", (ward.nurse, ward.admin)[number % 2].user_id, NOON) for number in range(4)
    ]
    with ward.store.begin() as work:
        for link in password_links:
            work.password_links.add(link)
    with ward.store.begin() as work:
        work.password_links.revoke_all(ward.nurse.user_id)
        work.password_links.revoke_all(999)
    with ward.store.begin() as work:
        assert [work.password_links.consume(link.digest) for link in password_links] == [
            None,
            password_links[1],
            None,
            password_links[3],
        ]


# --- failed sign-ins -------------------------------------------------------------------------------------------------


def test_failures_since_a_time_come_by_subject_oldest_first(ward: Ward) -> None:
    moments = [NOON + timedelta(minutes=2), NOON, NOON + timedelta(minutes=1), NOON + MOMENT, NOON]
    with ward.store.begin() as work:
        for moment in moments:
            work.failed_attempts.add(["account", f"address of {moment}"], moment)
        work.failed_attempts.add(["another"], NOON)
    with ward.store.begin() as work:
        assert work.failed_attempts.since("account", NOON - MOMENT) == sorted(moments)
        # A failure at exactly that time is outside the window.
        assert work.failed_attempts.since("account", NOON) == sorted(moments)[2:]
        assert work.failed_attempts.since("account", NOON + timedelta(minutes=2)) == []
        assert work.failed_attempts.since("another", NOON - MOMENT) == [NOON]
        assert (
            work.failed_attempts.since("Account", NOON - MOMENT) == work.failed_attempts.since("", NOON - MOMENT) == []
        )
        assert {at.utcoffset() for at in work.failed_attempts.since("account", NOON - MOMENT)} == {timedelta(0)}


def test_a_successful_attempt_removes_only_its_own_failures(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.failed_attempts.lock(["account", "address"])
        succeeded = work.failed_attempts.add(["account", "address"], NOON)
        assert len(set(succeeded)) == 2
        work.failed_attempts.add(["account", "address"], NOON)
        work.failed_attempts.remove(succeeded)
    with ward.store.begin() as work:
        assert (
            work.failed_attempts.since("account", NOON - MOMENT)
            == work.failed_attempts.since("address", NOON - MOMENT)
            == [NOON]
        )


def test_failures_are_cleared_by_subject_and_purged_by_age(ward: Ward) -> None:
    def left() -> list[tuple[str, list[datetime]]]:
        with ward.store.begin() as work:
            return [
                (subject, work.failed_attempts.since(subject, NOON - timedelta(days=9))) for subject in ("a", "b", "c")
            ]

    with ward.store.begin() as work:
        for moment in (NOON - MOMENT, NOON, NOON + MOMENT):
            work.failed_attempts.add(["a", "b", "c"], moment)
    with ward.store.begin() as work:
        work.failed_attempts.clear("a")
        work.failed_attempts.clear("no such subject")
    all_three = [NOON - MOMENT, NOON, NOON + MOMENT]
    assert left() == [("a", []), ("b", all_three), ("c", all_three)]
    with ward.store.begin() as work:
        work.failed_attempts.purge(NOON)
    assert left() == [("a", []), ("b", all_three[1:]), ("c", all_three[1:])]
    undone(
        ward,
        lambda work: work.failed_attempts.clear("b"),
        lambda work: work.failed_attempts.purge(NOON + timedelta(days=1)),
        lambda work: work.failed_attempts.add(["a"], NOON),
    )
    assert left() == [("a", []), ("b", all_three[1:]), ("c", all_three[1:])]
