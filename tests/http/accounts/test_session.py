"""Signing in and out, and the validity of tokens."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest

from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, SECRET_KEY, Caller, Hospital, refused

LOGIN, LOGOUT, PROFILE = "/api/auth/login", "/api/auth/logout", "/api/auth/profile"


def bearer(caller: Caller, token: str) -> Caller:
    return Caller(caller.client, caller.user_id, caller.staff_id, {"Authorization": f"Bearer {token}"})


@ON_EVERY_DATABASE
def test_signing_in_returns_a_token_for_the_own_account(hospital: Hospital) -> None:
    answer = hospital.stranger.post(LOGIN, {"email": hospital.email(hospital.nurse), "password": PASSWORD})
    assert answer.status_code == 201
    assert list(answer.json()) == ["access_token"]
    account = bearer(hospital.nurse, answer.json()["access_token"]).get(PROFILE)
    assert account.status_code == 200
    assert account.json()["id"] == hospital.nurse.user_id


@pytest.mark.parametrize(("language", "message"), [("es", "Credenciales inválidas"), ("en", "Invalid credentials")])
def test_unknown_email_and_wrong_password_get_the_same_answer(hospital: Hospital, language: str, message: str) -> None:
    someone = hospital.stranger.speaking(language)
    wrong = someone.post(LOGIN, {"email": hospital.email(hospital.nurse), "password": "not the password"})
    unknown = someone.post(LOGIN, {"email": "unknown@hospital.test", "password": PASSWORD})
    assert wrong.status_code == unknown.status_code == 404
    assert wrong.content == unknown.content
    assert wrong.headers == unknown.headers
    assert wrong.json()["message"] == message


def test_a_sign_in_with_wrong_types_reports_both_fields(hospital: Hospital) -> None:
    answer = hospital.stranger.post(LOGIN, {"email": 7, "password": ["x"]})
    assert refused(answer) == [("email", "text.expected"), ("password", "text.expected")]


@ON_EVERY_DATABASE
def test_a_token_is_invalid_after_signing_out(hospital: Hospital) -> None:
    elsewhere = hospital.sign_in(hospital.nurse)
    answer = hospital.nurse.post(LOGOUT)
    assert (answer.status_code, answer.content) == (204, b"")
    assert hospital.nurse.get(PROFILE).status_code == 401
    assert hospital.nurse.post(LOGOUT).status_code == 401
    assert elsewhere.get(PROFILE).status_code == 200


def test_a_forged_expiry_does_not_prolong_a_session(hospital: Hospital) -> None:
    ended = hospital.sign_in(hospital.nurse, lasts=timedelta(seconds=-1))
    token = ended.headers["Authorization"].removeprefix("Bearer ")
    claims = jwt.decode(token, SECRET_KEY, algorithms=["HS256"], options={"verify_exp": False})
    prolonged = jwt.encode(claims | {"exp": datetime.now(UTC) + timedelta(hours=1)}, SECRET_KEY, "HS256")
    assert bearer(ended, prolonged).get(PROFILE).status_code == 401


@pytest.mark.parametrize("place", [10, 60, -1], ids=["header", "claims", "signature"])
def test_a_token_with_a_changed_character_is_refused(hospital: Hospital, place: int) -> None:
    letters = list(hospital.admin.headers["Authorization"].removeprefix("Bearer "))
    letters[place] = "A" if letters[place] != "A" else "Q"
    assert bearer(hospital.admin, "".join(letters)).get(PROFILE).status_code == 401


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer x", "Basic dXNlcjpwYXNz", "Token abc", "Bearer ñandú", "Bearer " + "A" * 50_000],
)
def test_a_malformed_authorization_header_is_refused(hospital: Hospital, authorization: str) -> None:
    answer = hospital.client.get(PROFILE, headers={b"Authorization": authorization.encode()})
    assert answer.status_code == 401
    assert answer.json()["message"] == "Inicie sesión para continuar."


def test_the_bearer_scheme_is_recognised_in_any_case(hospital: Hospital) -> None:
    token = hospital.nurse.headers["Authorization"].removeprefix("Bearer ")
    assert hospital.client.get(PROFILE, headers={"Authorization": f"bearer {token}"}).status_code == 200
