"""Managing users: /api/users and POST /api/auth/register-by-admin."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from domain.policy import Role
from tests.http.accounts import (
    NEW_PASSWORD,
    OWN,
    REGISTER,
    USERS,
    audit,
    confirm,
    is_signed_in,
    register,
    reset_link,
    sign_in,
    token_of,
)
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, Caller, Hospital, refused

EMAIL = "Marta.Gil@Hospital.test"


def free_profile(hospital: Hospital) -> int:
    """The id of a staff member without an account."""
    return int(hospital.admin.post("/api/staff", {"name": "Marta", "first_surname": "Gil"}).json()["id"])


def form(hospital: Hospital, user: Caller, **changes: object) -> dict[str, object]:
    """The unchanged form of a user, with some changes."""
    known = hospital.admin.get(f"{USERS}/{user.user_id}").json()
    return {"email": known["email"], "role": known["role"], "staff_id": known["staff_id"] or 0} | changes


def update(hospital: Hospital, user: Caller, **changes: object) -> dict[str, object]:
    """The user as returned by the change."""
    answer = hospital.admin.put(f"{USERS}/{user.user_id}", form(hospital, user, **changes))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


# --- registering -----------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_registered_user_activates_the_account_and_signs_in(hospital: Hospital) -> None:
    profile = free_profile(hospital)
    answer = hospital.supervisor.post(REGISTER, {"email": f" {EMAIL} ", "role": "1", "staff_id": profile})
    user = answer.json()
    assert answer.status_code == 201
    assert set(user) == {"id", "email", "role", "staff_id", "profile", "activation", "mailed"}
    assert user.pop("mailed") is False
    assert (user["email"], user["role"], user["staff_id"]) == (EMAIL, "1", profile)
    assert user["profile"]["user_id"] == user["id"]
    assert answer.headers["location"] == f"{USERS}/{user['id']}"
    link = user.pop("activation")
    assert hospital.supervisor.get(answer.headers["location"]).json() == user
    assert set(link) == {"url", "expires_at"}
    assert link["expires_at"].endswith("Z")

    assert sign_in(hospital, EMAIL, PASSWORD).status_code == 404
    activated = confirm(hospital.stranger, token_of(link))
    assert (activated.status_code, activated.content) == (204, b"")
    assert refused(confirm(hospital.stranger, token_of(link))) == [("token", "link.invalid")]
    token = sign_in(hospital, EMAIL.upper(), NEW_PASSWORD).json()["access_token"]
    own = hospital.client.get(OWN, headers={"Authorization": f"Bearer {token}"}).json()
    assert (own["id"], own["role"], own["profile_required"]) == (user["id"], "1", False)


@pytest.mark.parametrize(("sent", "kept"), [("1", "1"), (1, "1"), ("2", "2"), ("10", "10"), (10, "10")])
def test_a_role_is_returned_as_text(hospital: Hospital, sent: object, kept: str) -> None:
    assert register(hospital.admin, EMAIL, role=sent)["role"] == kept


@pytest.mark.parametrize("sent", [0, "", None])
def test_an_empty_profile_is_null(hospital: Hospital, sent: object) -> None:
    user = register(hospital.admin, EMAIL, staff_id=sent)
    assert (user["staff_id"], user["profile"]) == (None, None)


def test_the_profile_is_optional(hospital: Hospital) -> None:
    assert hospital.admin.post(REGISTER, {"email": EMAIL, "role": "1"}).json()["staff_id"] is None


@ON_EVERY_DATABASE
def test_an_email_is_unique_in_any_case(hospital: Hospital) -> None:
    register(hospital.admin, EMAIL)
    before = hospital.rows()
    answer = hospital.admin.post(REGISTER, {"email": f" {EMAIL.swapcase()}", "role": "1"})
    assert refused(answer) == [("email", "taken")]
    assert hospital.rows() == before


@ON_EVERY_DATABASE
def test_a_profile_belongs_to_one_user(hospital: Hospital) -> None:
    taken = hospital.nurse.staff_id
    answer = hospital.admin.post(REGISTER, {"email": EMAIL, "role": "1", "staff_id": taken})
    assert refused(answer) == [("staff_id", "profile.taken")]
    changed = hospital.admin.put(
        f"{USERS}/{hospital.colleague.user_id}", form(hospital, hospital.colleague, staff_id=taken)
    )
    assert refused(changed) == [("staff_id", "profile.taken")]


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ({}, [("email", "required"), ("role", "required")]),
        (
            {"email": "no email", "role": "7", "staff_id": 10**9},
            [("email", "email.invalid"), ("role", "choice.unknown"), ("staff_id", "reference.unknown")],
        ),
        (
            {"email": ["x"], "role": "admin", "staff_id": "three"},
            [("email", "text.expected"), ("role", "whole_number.expected"), ("staff_id", "whole_number.expected")],
        ),
        (
            {"email": "a" * 320 + "@x.test", "role": True},
            [("email", "text.too_long"), ("role", "whole_number.expected")],
        ),
    ],
)
def test_every_error_of_a_user_is_reported_at_once(
    hospital: Hospital, body: dict[str, object], reported: list[tuple[str, str]]
) -> None:
    before = hospital.rows()
    assert sorted(refused(hospital.admin.post(REGISTER, body)), key=str) == sorted(reported)
    assert sorted(refused(hospital.admin.put(f"{USERS}/{hospital.nurse.user_id}", body)), key=str) == sorted(reported)
    assert hospital.rows() == before


def test_a_password_in_the_form_is_ignored(hospital: Hospital) -> None:
    register(hospital.admin, EMAIL, password=NEW_PASSWORD, password_hash="x")
    assert sign_in(hospital, EMAIL, NEW_PASSWORD).status_code == 404


# --- which users a caller sees ---------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_supervisor_sees_only_users_of_roles_1_and_2(hospital: Hospital) -> None:
    everyone = hospital.admin.get(f"{USERS}?limit=100").json()
    assert {user["role"] for user in everyone["items"]} == {"1", "2", "10"}
    seen = hospital.supervisor.get(f"{USERS}?limit=100").json()
    assert seen["items"] == [user for user in everyone["items"] if user["role"] != "10"]
    assert seen["meta"]["total"] == everyone["meta"]["total"] - 1
    for query in ("q=admin", "q=admin&format=csv", "sort=-role&format=csv"):
        assert hospital.email(hospital.admin) not in hospital.supervisor.get(f"{USERS}?{query}").text
    assert hospital.supervisor.get(f"{USERS}/{hospital.admin.user_id}").status_code == 404


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
def test_a_user_that_does_not_exist_is_not_found(hospital: Hospital, method: str) -> None:
    path = f"{USERS}/999{'/reset-link' if method == 'POST' else ''}"
    body = {"email": EMAIL, "role": "1"} if method == "PUT" else None
    assert hospital.admin.call(method, path, body).status_code == 404


def test_users_are_found_by_email_and_by_name(hospital: Hospital) -> None:
    register(hospital.admin, EMAIL, staff_id=free_profile(hospital))
    for words in ("marta.gil", "MARTA", "gil marta"):
        found = hospital.supervisor.get(f"{USERS}?q={words}").json()["items"]
        assert [user["email"] for user in found] == [EMAIL], words


# --- changing --------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_changed_role_ends_all_sessions_of_the_user(hospital: Hospital) -> None:
    elsewhere = hospital.sign_in(hospital.nurse)
    assert update(hospital, hospital.nurse, role="2")["role"] == "2"
    assert not is_signed_in(hospital.nurse)
    assert not is_signed_in(elsewhere)
    assert is_signed_in(hospital.colleague)
    assert hospital.sign_in(hospital.nurse).get(OWN).json()["role"] == "2"


def test_a_changed_email_or_profile_keeps_the_sessions(hospital: Hospital) -> None:
    profile = free_profile(hospital)
    changed = update(hospital, hospital.nurse, email=EMAIL, staff_id=profile)
    assert (changed["email"], changed["staff_id"]) == (EMAIL, profile)
    assert hospital.nurse.get(OWN).json()["profile"]["name"] == "Marta"
    assert sign_in(hospital, EMAIL, PASSWORD).status_code == 201


def test_a_user_without_profile_must_complete_one_first(hospital: Hospital) -> None:
    update(hospital, hospital.nurse, staff_id=0)
    assert hospital.nurse.get("/api/patients").json()["code"] == "profile_required"


def test_the_own_email_in_another_case_is_not_a_duplicate(hospital: Hospital) -> None:
    loud = hospital.email(hospital.nurse).upper()
    assert update(hospital, hospital.nurse, email=loud)["email"] == loud


# --- deleting --------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_deleted_user_keeps_the_name_on_recorded_lines(hospital: Hospital) -> None:
    sheet, email = hospital.open_sheet(), hospital.email(hospital.nurse)
    detail = hospital.add_detail(sheet, by=hospital.nurse)
    link = reset_link(hospital.admin, hospital.nurse)
    answer = hospital.supervisor.delete(f"{USERS}/{hospital.nurse.user_id}")
    assert (answer.status_code, answer.content) == (204, b"")

    assert not is_signed_in(hospital.nurse)
    assert sign_in(hospital, email, PASSWORD).status_code == 404
    assert refused(confirm(hospital.stranger, token_of(link))) == [("token", "link.invalid")]
    assert hospital.admin.get(f"{USERS}/{hospital.nurse.user_id}").status_code == 404
    assert email not in hospital.admin.get(f"{USERS}?limit=100").text
    for path in ("", "/reset-link"):
        method = "POST" if path else "DELETE"
        assert hospital.admin.call(method, f"{USERS}/{hospital.nurse.user_id}{path}").status_code == 404

    kept = hospital.detail(detail["id"])
    assert (kept["user_id"], kept["staff"]["name"]) == (hospital.nurse.user_id, "Pilar")
    story = hospital.supervisor.get(f"/api/consumption-sheets/{sheet}/history").json()["items"]
    assert story[0]["user"] == {"id": hospital.nurse.user_id, "email": email}
    assert audit(hospital, "action=detail.added")[0]["user"]["email"] == email


@ON_EVERY_DATABASE
def test_email_and_profile_of_a_deleted_user_are_free_again(hospital: Hospital) -> None:
    email, profile = hospital.email(hospital.nurse), hospital.nurse.staff_id
    for _ in range(2):
        known = hospital.admin.get(f"{USERS}?q={email}").json()["items"][0]
        assert hospital.admin.delete(f"{USERS}/{known['id']}").status_code == 204
        unassigned = hospital.admin.get("/api/staff?unassigned=true&limit=100").json()["items"]
        assert profile in [staff["id"] for staff in unassigned]
        again = register(hospital.admin, email.upper(), staff_id=profile)
        assert (again["email"], again["staff_id"]) == (email.upper(), profile)


# --- the last administrator ------------------------------------------------------------------------------------------


def test_the_last_administrator_cannot_be_demoted_or_deleted(hospital: Hospital) -> None:
    own = f"{USERS}/{hospital.admin.user_id}"
    body = {"email": hospital.email(hospital.admin), "role": "1", "staff_id": hospital.nurse.staff_id}
    assert hospital.admin.put(own, body).json()["role"] == "10"
    assert refused(hospital.admin.delete(own)) == [(None, "user.own")]
    assert refused(hospital.supervisor.put(own, body)) == [(None, "user.for_administration")]
    assert refused(hospital.supervisor.delete(own)) == [(None, "user.for_administration")]
    assert hospital.admin.get(OWN).json()["role"] == "10"


@ON_EVERY_DATABASE
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_two_administrators_cannot_remove_each_other(hospital: Hospital, method: str) -> None:
    for _ in range(3):
        other = hospital.someone(Role.ADMIN, profile=False)
        first = hospital.sign_in(hospital.admin)
        start = Barrier(2)

        def remove(by: Caller, whom: Caller, start: Barrier = start) -> int:
            body = {"email": f"former-{whom.user_id}@hospital.test", "role": "1"} if method == "PUT" else None
            start.wait()
            return by.call(method, f"{USERS}/{whom.user_id}", body).status_code

        with ThreadPoolExecutor(2) as threads:
            statuses = list(threads.map(remove, (first, other), (other, first)))
        with hospital.store.begin() as work:
            remaining = [user.id for user in work.users.administrators()]
        # The second request is refused, or its session has ended.
        assert min(statuses) in (200, 204)
        assert max(statuses) in (401, 403, 422)
        assert len(remaining) == 1
        if remaining != [hospital.admin.user_id]:
            return
