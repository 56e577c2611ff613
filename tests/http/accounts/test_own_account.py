"""Changing the own account: PUT /api/users/{own id}."""

import pytest

from tests.http.accounts.signed_in import NEW_PASSWORD, OWN, USERS
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, Caller, Hospital, refused


def own(caller: Caller) -> str:
    return f"{USERS}/{caller.user_id}"


def form(hospital: Hospital, caller: Caller, **changes: object) -> dict[str, object]:
    """The account form with a new password."""
    return {
        "email": hospital.email(caller),
        "password": NEW_PASSWORD,
        "password_confirmation": NEW_PASSWORD,
        "current_password": PASSWORD,
    } | changes


@pytest.mark.parametrize("who", ["newcomer", "nurse", "supervisor", "admin"])
def test_every_role_can_read_the_own_account(hospital: Hospital, who: str) -> None:
    caller: Caller = getattr(hospital, who)
    answer = caller.get(own(caller))
    assert answer.status_code == 200
    assert set(answer.json()) == {
        "id",
        "email",
        "role",
        "staff_id",
        "profile",
        "has_password",
        "oidc_linked",
    }
    assert (answer.json()["id"], answer.json()["email"]) == (caller.user_id, hospital.email(caller))


@ON_EVERY_DATABASE
@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"current_password": "not the password"}, [("current_password", "password.wrong")]),
        ({"current_password": ""}, [("current_password", "required")]),
        ({"password_confirmation": "something else"}, [("password_confirmation", "password.mismatch")]),
        ({"password_confirmation": None}, [("password_confirmation", "password.mismatch")]),
        ({"password": ""}, [("password_confirmation", "password.mismatch")]),
        ({"password": "short", "password_confirmation": "short"}, [("password", "password.too_short")]),
        (
            {"email": "x", "password": "short", "password_confirmation": "shor", "current_password": PASSWORD.upper()},
            [
                ("current_password", "password.wrong"),
                ("email", "email.invalid"),
                ("password", "password.too_short"),
                ("password_confirmation", "password.mismatch"),
            ],
        ),
        (
            {"email": 1, "password": 123456789012, "password_confirmation": [], "current_password": {}},
            [
                ("current_password", "text.expected"),
                ("email", "text.expected"),
                ("password", "text.expected"),
                ("password_confirmation", "text.expected"),
            ],
        ),
        ({"email": ""}, [("email", "required")]),
    ],
)
def test_every_error_of_the_account_form_is_reported_at_once(
    hospital: Hospital, changes: dict[str, object], reported: list[tuple[str, str]]
) -> None:
    body = form(hospital, hospital.nurse, **changes)
    unlogged: dict[str, list[object]] = {"sign_in_failures": [], "audit_trail": []}
    before = hospital.rows() | unlogged
    assert sorted(refused(hospital.nurse.put(own(hospital.nurse), body)), key=str) == reported
    # Wrong passwords are counted and logged.
    assert hospital.rows() | unlogged == before


@pytest.mark.parametrize("who", ["nurse", "supervisor", "admin"])
@pytest.mark.parametrize("role", ["1", "2", "10", "no role", 99, [], None])
def test_the_own_role_and_profile_in_the_form_are_ignored(hospital: Hospital, who: str, role: object) -> None:
    caller: Caller = getattr(hospital, who)
    before = caller.get(OWN).json()
    for staff_id in (0, hospital.colleague.staff_id, "no id", 10**30):
        body = {"email": before["email"], "role": role, "staff_id": staff_id, "id": hospital.colleague.user_id}
        assert caller.put(own(caller), body).status_code == 200
    assert caller.get(OWN).json() == before


@pytest.mark.parametrize("who", ["newcomer", "nurse"])
def test_ward_staff_reach_only_their_own_account(hospital: Hospital, who: str) -> None:
    caller: Caller = getattr(hospital, who)
    before = hospital.rows()
    body = form(hospital, hospital.colleague)
    # Known and unknown accounts get the same answer.
    for path in (own(hospital.colleague), f"{USERS}/999"):
        assert refused(caller.put(path, body)) == [(None, "user.not_own")]
        assert refused(caller.delete(f"{path}/sessions")) == [(None, "user.not_own")]
        assert caller.get(path).status_code == caller.get(f"{path}/sessions").status_code == 404
    assert hospital.rows() == before


def test_the_answer_holds_no_password(hospital: Hospital) -> None:
    answer = hospital.nurse.put(own(hospital.nurse), form(hospital, hospital.nurse))
    assert "argon2" not in answer.text
    assert "termómetro" not in answer.text
