"""Signing in and out: POST /api/auth/login, POST /api/auth/logout, and what a token is worth."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest

from domain.policy import Role
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, SECRET_KEY, Caller, Hospital, refused

LOGIN, LOGOUT, PROFILE = "/api/auth/login", "/api/auth/logout", "/api/auth/profile"


def bearer(caller: Caller, token: str) -> Caller:
    return Caller(caller.client, caller.user_id, caller.staff_id, {"Authorization": f"Bearer {token}"})


def claims_of(caller: Caller) -> dict[str, object]:
    token = caller.headers["Authorization"].removeprefix("Bearer ")
    return dict(jwt.decode(token, SECRET_KEY, algorithms=["HS256"]))


@ON_EVERY_DATABASE
def test_whoever_signs_in_gets_a_token_that_opens_the_own_account(hospital: Hospital) -> None:
    answer = hospital.stranger.post(LOGIN, {"email": hospital.email(hospital.nurse), "password": PASSWORD})
    assert answer.status_code == 201
    assert list(answer.json()) == ["access_token"]
    account = bearer(hospital.nurse, answer.json()["access_token"]).get(PROFILE)
    assert account.status_code == 200
    assert account.json()["id"] == hospital.nurse.user_id


def test_an_email_is_known_whatever_its_case_and_the_blanks_around_it(hospital: Hospital) -> None:
    email = f"  {hospital.email(hospital.nurse).upper()} "
    assert hospital.stranger.post(LOGIN, {"email": email, "password": PASSWORD}).status_code == 201


def test_a_password_is_taken_as_typed(hospital: Hospital) -> None:
    credentials = {"email": hospital.email(hospital.nurse), "password": f" {PASSWORD}"}
    assert hospital.stranger.post(LOGIN, credentials).status_code == 404


def test_a_token_carries_no_rights(hospital: Hospital) -> None:
    answer = hospital.stranger.post(LOGIN, {"email": hospital.email(hospital.admin), "password": PASSWORD})
    claims = jwt.decode(answer.json()["access_token"], SECRET_KEY, algorithms=["HS256"])
    assert set(claims) == {"sid", "sub", "exp"}


@pytest.mark.parametrize(("language", "message"), [("es", "Credenciales inválidas"), ("en", "Invalid credentials")])
def test_an_unknown_email_and_a_wrong_password_are_answered_alike(
    hospital: Hospital, language: str, message: str
) -> None:
    someone = hospital.stranger.speaking(language)
    wrong = someone.post(LOGIN, {"email": hospital.email(hospital.nurse), "password": "not the password"})
    unknown = someone.post(LOGIN, {"email": "nobody@hospital.test", "password": PASSWORD})
    assert wrong.status_code == unknown.status_code == 404
    assert wrong.content == unknown.content
    assert wrong.headers == unknown.headers
    assert wrong.json()["message"] == message


def test_an_empty_login_is_told_both_fields_at_once(hospital: Hospital) -> None:
    assert refused(hospital.stranger.post(LOGIN, {})) == [("email", "required"), ("password", "required")]


def test_a_login_of_wrong_types_is_told_both_fields_at_once(hospital: Hospital) -> None:
    answer = hospital.stranger.post(LOGIN, {"email": 7, "password": ["x"]})
    assert refused(answer) == [("email", "text.expected"), ("password", "text.expected")]


@ON_EVERY_DATABASE
def test_a_token_is_dead_once_its_owner_signed_out(hospital: Hospital) -> None:
    elsewhere = hospital.sign_in(hospital.nurse)
    answer = hospital.nurse.post(LOGOUT)
    assert (answer.status_code, answer.content) == (204, b"")
    assert hospital.nurse.get(PROFILE).status_code == 401
    assert hospital.nurse.post(LOGOUT).status_code == 401
    assert elsewhere.get(PROFILE).status_code == 200


def test_a_session_ends_at_its_hour(hospital: Hospital) -> None:
    ended = hospital.sign_in(hospital.nurse, lasts=timedelta(seconds=-1))
    assert ended.get(PROFILE).status_code == 401


def test_a_token_that_says_it_lasts_longer_does_not_prolong_its_session(hospital: Hospital) -> None:
    ended = hospital.sign_in(hospital.nurse, lasts=timedelta(seconds=-1))
    token = ended.headers["Authorization"].removeprefix("Bearer ")
    claims = jwt.decode(token, SECRET_KEY, algorithms=["HS256"], options={"verify_exp": False})
    prolonged = jwt.encode(claims | {"exp": datetime.now(UTC) + timedelta(hours=1)}, SECRET_KEY, "HS256")
    assert bearer(ended, prolonged).get(PROFILE).status_code == 401


def test_a_token_signed_with_another_key_opens_nothing(hospital: Hospital) -> None:
    forged = hospital.sign_in(hospital.admin, secret_key="the key of some other server, 32 letters")
    assert forged.get(PROFILE).status_code == 401


def test_a_token_for_another_user_of_the_session_opens_nothing(hospital: Hospital) -> None:
    claims = claims_of(hospital.nurse) | {"sub": str(hospital.admin.user_id)}
    assert bearer(hospital.nurse, jwt.encode(claims, SECRET_KEY, "HS256")).get(PROFILE).status_code == 401


@pytest.mark.parametrize("claim", ["sid", "sub", "exp"])
def test_a_token_that_lacks_a_claim_opens_nothing(hospital: Hospital, claim: str) -> None:
    claims = claims_of(hospital.nurse)
    del claims[claim]
    assert bearer(hospital.nurse, jwt.encode(claims, SECRET_KEY, "HS256")).get(PROFILE).status_code == 401


def test_a_token_without_a_signature_opens_nothing(hospital: Hospital) -> None:
    unsigned = jwt.encode(claims_of(hospital.admin), "", "none")
    assert bearer(hospital.admin, unsigned).get(PROFILE).status_code == 401


@pytest.mark.parametrize("place", [10, 60, -1], ids=["header", "claims", "signature"])
def test_a_token_with_a_letter_changed_opens_nothing(hospital: Hospital, place: int) -> None:
    letters = list(hospital.admin.headers["Authorization"].removeprefix("Bearer "))
    letters[place] = "A" if letters[place] != "A" else "Q"
    assert bearer(hospital.admin, "".join(letters)).get(PROFILE).status_code == 401


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer x", "Basic dXNlcjpwYXNz", "Token abc", "Bearer ñandú", "Bearer " + "A" * 50_000],
)
def test_what_is_no_token_opens_nothing(hospital: Hospital, authorization: str) -> None:
    answer = hospital.client.get(PROFILE, headers={b"Authorization": authorization.encode()})
    assert answer.status_code == 401
    assert answer.json()["message"] == "Inicie sesión para continuar."


def test_the_word_bearer_is_known_whatever_its_case(hospital: Hospital) -> None:
    token = hospital.nurse.headers["Authorization"].removeprefix("Bearer ")
    assert hospital.client.get(PROFILE, headers={"Authorization": f"bearer {token}"}).status_code == 200


@ON_EVERY_DATABASE
def test_a_demotion_counts_at_once(hospital: Hospital) -> None:
    assert hospital.supervisor.get("/api/staff").status_code == 200
    hospital.set_role(hospital.supervisor, Role.USER)
    assert hospital.supervisor.get("/api/staff").status_code == 403
