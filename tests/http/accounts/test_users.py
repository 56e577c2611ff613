"""Managing users: /api/users and POST /api/auth/register-by-admin."""

import pytest

from tests.http.accounts.signed_in import (
    NEW_PASSWORD,
    OWN,
    REGISTER,
    USERS,
    confirm,
    register,
    sign_in,
    token_of,
)
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, Hospital, refused

EMAIL = "Marta.Gil@Hospital.test"


def free_profile(hospital: Hospital) -> int:
    """The id of a staff member without an account."""
    return int(hospital.admin.post("/api/staff", {"name": "Marta", "first_surname": "Gil"}).json()["id"])


# --- registering -----------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_registered_user_activates_the_account_and_signs_in(hospital: Hospital) -> None:
    profile = free_profile(hospital)
    answer = hospital.supervisor.post(REGISTER, {"email": f" {EMAIL} ", "role": "1", "staff_id": profile})
    user = answer.json()
    assert answer.status_code == 201
    assert set(user) == {
        "id",
        "email",
        "role",
        "staff_id",
        "profile",
        "has_password",
        "oidc_linked",
        "activation",
        "mailed",
    }
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
    assert (activated.status_code, set(activated.json())) == (201, {"access_token"})
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
