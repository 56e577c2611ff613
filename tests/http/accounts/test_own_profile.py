"""Own account and staff profile: /api/auth/profile, /api/staff/profile."""

import pytest

from domain.common.policy import GRANTS, Role
from tests.http.hospital import ON_EVERY_DATABASE, SHEETS, Hospital

ACCOUNT, PROFILE = "/api/auth/profile", "/api/staff/profile"

FILLED_IN = {
    "name": "  Sara ",
    "first_surname": "Olmedo",
    "second_surname": "",
    "telephone_number": "+52 55 1234 5678",
    "job_title": "1",
    "date_of_birth": "1991-03-07T00:00:00.000Z",
}
KEPT = {
    "name": "Sara",
    "first_surname": "Olmedo",
    "second_surname": None,
    "telephone_number": "+52 55 1234 5678",
    "job_title": "1",
    "date_of_birth": "1991-03-07",
}


def test_the_account_has_identity_and_permissions(hospital: Hospital) -> None:
    account = hospital.nurse.get(ACCOUNT).json()
    assert account["id"] == hospital.nurse.user_id
    assert account["email"] == hospital.email(hospital.nurse)
    assert account["role"] == "1"
    assert account["staff_id"] == hospital.nurse.staff_id
    assert account["profile"]["id"] == hospital.nurse.staff_id
    assert account["profile"]["user_id"] == hospital.nurse.user_id
    assert account["profile_required"] is False
    assert account["permissions"] == sorted(GRANTS[Role.USER])


def test_an_account_answer_holds_no_password(hospital: Hospital) -> None:
    answer = hospital.admin.get(ACCOUNT)
    assert "argon2" not in answer.text
    assert "password_hash" not in answer.text
    assert "argon2" not in answer.text


@pytest.mark.parametrize(
    ("language", "message"),
    [("es", "Complete su perfil antes de continuar."), ("en", "Complete your profile to continue.")],
)
def test_without_a_profile_other_calls_are_refused(hospital: Hospital, language: str, message: str) -> None:
    answer = hospital.newcomer.speaking(language).get(SHEETS)
    assert answer.status_code == 403
    assert (answer.json()["code"], answer.json()["message"]) == ("profile_required", message)


@ON_EVERY_DATABASE
def test_completing_the_profile_allows_other_calls(hospital: Hospital) -> None:
    assert hospital.newcomer.get(PROFILE).json() == {"data": None}
    saved = hospital.newcomer.put(PROFILE, FILLED_IN)
    assert saved.status_code == 200
    data = saved.json()["data"]
    assert saved.json()["user_id"] == data["user_id"] == hospital.newcomer.user_id
    assert {name: data[name] for name in KEPT} == KEPT
    assert hospital.newcomer.get(PROFILE).json() == {"data": data}
    assert hospital.newcomer.get(ACCOUNT).json()["profile"] == data
    assert hospital.newcomer.get(SHEETS).status_code == 200


def test_ids_in_the_profile_form_are_ignored(hospital: Hospital) -> None:
    body = FILLED_IN | {"id": hospital.colleague.staff_id, "user_id": hospital.colleague.user_id}
    before = hospital.colleague.get(PROFILE).json()
    assert hospital.nurse.put(PROFILE, body).json()["data"]["id"] == hospital.nurse.staff_id
    assert hospital.colleague.get(PROFILE).json() == before
