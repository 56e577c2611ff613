"""Contract of every store: sessions, and the users that they name."""

from dataclasses import replace
from datetime import datetime, timedelta

from application.accounts.ports.identity import Session
from domain.common.policy import Actor, Role
from tests.builders import NOON, Ward


def actor_of(ward: Ward, session_id: str, user_id: int, at: datetime = NOON) -> Actor | None:
    with ward.store.read() as views:
        active_session = views.active_session(session_id, user_id, at)
        return active_session.actor if active_session else None


def test_a_session_is_active_until_its_expiry(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON))
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON - timedelta(microseconds=1)) == ward.nurse
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON) is None
    assert actor_of(ward, "s-1", ward.nurse.user_id, NOON + timedelta(days=1)) is None


def test_a_session_belongs_to_its_user(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
    assert actor_of(ward, "s-1", ward.admin.user_id) is None
    assert actor_of(ward, "s-2", ward.nurse.user_id) is None
    assert actor_of(ward, "S-1", ward.nurse.user_id) is None
    assert actor_of(ward, "s-1", 999) is None


def test_an_ended_session_is_inactive_and_others_go_on(ward: Ward) -> None:
    with ward.store.begin() as work:
        for session_id in ("s-1", "s-2"):
            work.sessions.add(Session(id=session_id, user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
    with ward.store.begin() as work:
        work.sessions.revoke("s-1")
        work.sessions.revoke("no such session")
    assert actor_of(ward, "s-1", ward.nurse.user_id) is None
    assert actor_of(ward, "s-2", ward.nurse.user_id) == ward.nurse


def test_an_actor_has_the_users_current_role(ward: Ward) -> None:
    with ward.store.begin() as work:
        work.sessions.add(Session(id="s-1", user_id=ward.nurse.user_id, expires_at=NOON + timedelta(hours=1)))
        user = work.users.lock(ward.nurse.user_id)
        assert user is not None
        work.users.save(replace(user, role=Role.SUPERVISOR, staff_id=None))
    assert actor_of(ward, "s-1", ward.nurse.user_id) == Actor(
        user_id=ward.nurse.user_id, role=Role.SUPERVISOR, staff_id=None
    )


def test_a_user_is_read_with_the_profile(ward: Ward) -> None:
    with ward.store.read() as views:
        nurse, admin, missing = (
            views.users.one(ward.nurse.user_id),
            views.users.one(ward.admin.user_id),
            views.users.one(999),
        )
        assert nurse is not None
        assert nurse["profile"] == views.staff.one(ward.nurse.staff_id or 0)
    assert (nurse["role"], nurse["staff_id"]) == ("1", ward.nurse.staff_id)
    assert admin == {
        "id": ward.admin.user_id,
        "email": "admin@consumo.test",
        "role": "10",
        "staff_id": None,
        "profile": None,
        "has_password": True,
        "oidc_linked": False,
    }
    assert missing is None
