"""Password links, and the requirements for passwords."""

import pytest

from tests.http.accounts.signed_in import (
    CONFIRM,
    NEW_PASSWORD,
    RESET,
    USERS,
    confirm,
    is_signed_in,
    reset_link,
    sign_in,
    token_of,
)
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, Hospital, refused

# Only the counters of failed attempts change.
COUNT_LIMIT: dict[str, list[object]] = {"sign_in_failures": []}


@ON_EVERY_DATABASE
def test_a_handed_out_link_works_once_and_ends_all_sessions(hospital: Hospital) -> None:
    email, elsewhere = hospital.email(hospital.nurse), hospital.sign_in(hospital.nurse)
    answer = hospital.supervisor.post(f"{USERS}/{hospital.nurse.user_id}/reset-link")
    assert answer.status_code == 201
    assert set(answer.json()) == {"url", "expires_at"}
    token = token_of(answer.json())
    # Nothing changes until the link is used.
    assert is_signed_in(hospital.nurse)
    assert sign_in(hospital, email, PASSWORD).status_code == 201

    assert confirm(hospital.stranger, token).status_code == 201
    assert not is_signed_in(hospital.nurse)
    assert not is_signed_in(elsewhere)
    assert sign_in(hospital, email, PASSWORD).status_code == 404
    assert sign_in(hospital, email, NEW_PASSWORD).status_code == 201
    before = hospital.rows()
    assert refused(confirm(hospital.stranger, token, PASSWORD)) == [("token", "link.invalid")]
    assert hospital.rows() | COUNT_LIMIT == before | COUNT_LIMIT


@pytest.mark.parametrize(
    ("fields", "reported"),
    [
        ({"password_confirmation": "something else"}, [("password_confirmation", "password.mismatch")]),
        ({"password_confirmation": ""}, [("password_confirmation", "password.mismatch")]),
        (
            {"password": "eleven char", "password_confirmation": "eleven char"},
            [("password", "password.too_short")],
        ),
        ({"password": "x" * 129, "password_confirmation": "x" * 129}, [("password", "password.too_long")]),
        (
            {"password": "HOSPITAL2026", "password_confirmation": "HOSPITAL2026"},
            [("password", "password.few_words")],
        ),
        (
            {"password": "user-0@Hospital.TEST", "password_confirmation": "user-0@Hospital.TEST"},
            [("password", "password.personal")],
        ),
        ({"password": "", "password_confirmation": ""}, [("password", "required")]),
        (
            {"token": 5, "password": [NEW_PASSWORD], "password_confirmation": True},
            [("password", "text.expected"), ("password_confirmation", "text.expected"), ("token", "text.expected")],
        ),
    ],
)
def test_a_refused_password_does_not_use_up_the_link(
    hospital: Hospital, fields: dict[str, object], reported: list[tuple[str, str]]
) -> None:
    assert hospital.email(hospital.nurse) == "user-0@hospital.test"
    token = token_of(reset_link(hospital.admin, hospital.nurse))
    before = hospital.rows()
    assert sorted(refused(confirm(hospital.stranger, token, changes=fields)), key=str) == reported
    assert hospital.rows() == before
    assert confirm(hospital.stranger, token).status_code == 201


def test_an_empty_password_form_reports_every_field(hospital: Hospital) -> None:
    assert refused(hospital.stranger.post(CONFIRM, {})) == [("token", "required"), ("password", "required")]


@ON_EVERY_DATABASE
def test_a_reset_request_does_not_reveal_accounts(hospital: Hospital) -> None:
    gone = hospital.email(hospital.colleague)
    assert hospital.admin.delete(f"{USERS}/{hospital.colleague.user_id}").status_code == 204
    emails = [hospital.email(hospital.nurse), "unknown@hospital.test", gone, "no email", "x" * 300]
    answers = [hospital.stranger.post(RESET, {"email": email}) for email in emails]
    assert {answer.status_code for answer in answers} == {202}
    assert len({(answer.content, str(answer.headers)) for answer in answers}) == 1


def test_a_reset_request_needs_an_email(hospital: Hospital) -> None:
    assert refused(hospital.stranger.post(RESET, {"email": " "})) == [("email", "required")]
    assert refused(hospital.stranger.post(RESET, {"email": 5})) == [("email", "text.expected")]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("es", "Pida un enlace nuevo: este ya se usó o venció."),
        ("en", "Ask for a new link: this one was used or has expired."),
    ],
)
def test_an_invalid_link_explains_what_to_do(hospital: Hospital, language: str, message: str) -> None:
    answer = confirm(hospital.stranger.speaking(language), "x")
    assert answer.json()["message"] == [message]


# --- strength while typing ------------------------------------------------------------------------------------------

ON_LINK, OWN_STRENGTH = "/api/auth/password-reset/strength", "/api/auth/password-strength"


@ON_EVERY_DATABASE
@pytest.mark.parametrize(
    ("password", "reported"),
    [
        (NEW_PASSWORD, None),
        (" " * 12, "password.few_words"),
        ("aaaaaaaaaaaaa", "password.repeats"),
        ("consumo-demo-2026", "password.common"),
        ("user-0@Hospital.TEST", "password.personal"),
        ("hospital2026", "password.few_words"),
    ],
)
def test_the_strength_check_agrees_with_choosing_a_password(
    hospital: Hospital, password: str, reported: str | None
) -> None:
    token = token_of(reset_link(hospital.admin, hospital.nurse))
    judged = [
        hospital.stranger.post(ON_LINK, {"token": token, "password": password}),
        hospital.nurse.post(OWN_STRENGTH, {"password": password}),
    ]
    assert [answer.status_code for answer in judged] == [200, 200]
    strength = judged[0].json()
    assert judged[1].json() == strength
    answer = confirm(hospital.stranger, token, password)
    if reported is None:
        assert strength == {"score": 4, "weakness": None}
        assert answer.status_code == 201
    else:
        assert strength["score"] < 3
        assert refused(answer) == [("password", reported)]
        assert [strength["weakness"]] == answer.json()["message"]


def test_the_own_password_is_compared_with_name_and_new_email(hospital: Hospital) -> None:
    for password in ("Pilar Ríos 2026", "marta.gil@otra.test"):
        judged = hospital.nurse.post(OWN_STRENGTH, {"password": password, "email": "marta.gil@otra.test"}).json()
        assert judged["weakness"] == "Elija otra contraseña: esta se adivina por su nombre, su correo o el hospital."


def test_a_strength_check_needs_a_valid_link(hospital: Hospital) -> None:
    body = {"token": "x", "password": NEW_PASSWORD}
    for _ in range(40):
        assert refused(hospital.stranger.post(ON_LINK, body)) == [("token", "link.invalid")]
    body["token"] = token_of(reset_link(hospital.admin, hospital.nurse))
    assert hospital.stranger.post(ON_LINK, body).status_code == 200


def test_a_strength_check_stores_nothing_and_keeps_the_link(hospital: Hospital) -> None:
    token = token_of(reset_link(hospital.admin, hospital.nurse))
    before = hospital.rows() | {"sign_in_failures": []}
    assert hospital.stranger.post(ON_LINK, {"token": token, "password": NEW_PASSWORD}).status_code == 200
    assert hospital.nurse.post(OWN_STRENGTH, {"password": NEW_PASSWORD}).status_code == 200
    assert hospital.rows() | {"sign_in_failures": []} == before
    assert refused(hospital.nurse.post(OWN_STRENGTH, {"password": "short"})) == [("password", "password.too_short")]
