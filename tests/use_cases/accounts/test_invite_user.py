"""Inviting a user, who then chooses a password."""

from dataclasses import replace
from datetime import timedelta

import pytest

from application.accounts.users.draft import UserDraft
from application.common.mail import MailMessage
from domain.common.errors import Code, InvalidCredentials, Reason
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, choose, sign_in, user_of
from tests.use_cases.stored import audit_log, nothing_written

DRAFT = UserDraft(email=" Luz@Consumo.test ", role=1)


def test_an_invited_user_has_the_given_role(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.supervisor, replace(DRAFT, role=2), "es")
    assert invited.user == {
        "id": invited.user["id"],
        "email": "Luz@Consumo.test",
        "role": "2",
        "staff_id": None,
        "profile": None,
        "has_password": False,
        "oidc_linked": False,
    }
    assert ward.use_cases.users.reader.one(ward.admin, invited.user["id"]) == invited.user


def test_sign_in_needs_a_chosen_password(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, DRAFT, "es")
    for password in (" ", PASSWORD, NEW_PASSWORD, "None"):
        with pytest.raises(InvalidCredentials):
            sign_in(ward, "luz@consumo.test", password)
    choose(ward, invited.activation)
    token = sign_in(ward, "luz@consumo.test", NEW_PASSWORD)
    assert ward.use_cases.session.identify(token).actor.user_id == invited.user["id"]


def test_a_password_in_the_invitation_is_ignored(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, replace(DRAFT, password=PASSWORD), "es")
    assert user_of(ward, invited.user["id"]).password_hash is None
    with pytest.raises(InvalidCredentials):
        sign_in(ward, "luz@consumo.test", PASSWORD)


def test_the_link_is_returned_and_mailed_in_the_request_language(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.admin, DRAFT, "en")
    link = invited.activation
    assert link.url.startswith("http://127.0.0.1:8000/auth/reset-password?token=")
    assert link.expires_at == ward.clock.now + timedelta(hours=72)
    assert ward.postbox.letters == [MailMessage("Luz@Consumo.test", "activation", "en", link.expires_at, link.url)]


def test_each_link_is_different(ward: Ward) -> None:
    urls = {
        ward.use_cases.users.invite(ward.admin, replace(DRAFT, email=f"u{n}@consumo.test"), "es").activation.url
        for n in range(5)
    }
    assert len(urls) == 5


def test_an_invited_user_may_get_an_unassigned_profile(ward: Ward) -> None:
    person = ward.staff("Luz", "Gil")
    invited = ward.use_cases.users.invite(ward.supervisor, replace(DRAFT, staff_id=person.id), "es")
    assert invited.user["staff_id"] == person.id
    assert invited.user["profile"] == ward.use_cases.staff.reader.one(ward.admin, person.id)
    assert ward.use_cases.staff.reader.one(ward.admin, person.id)["user_id"] == invited.user["id"]


@pytest.mark.parametrize("staff_id", [0, None])
def test_a_profile_is_optional(ward: Ward, staff_id: int | None) -> None:
    assert ward.use_cases.users.invite(ward.admin, replace(DRAFT, staff_id=staff_id), "es").user["staff_id"] is None


def test_all_errors_are_reported_at_once_and_no_mail_is_sent(ward: Ward) -> None:
    draft = UserDraft(email="luz", role=3, staff_id=99, parse_errors=(Reason(Code.TEXT_EXPECTED, "note"),))
    expected = [
        (Code.TEXT_EXPECTED, "note"),
        (Code.EMAIL_INVALID, "email"),
        (Code.CHOICE_UNKNOWN, "role"),
        (Code.REFERENCE_UNKNOWN, "staff_id"),
    ]
    with nothing_written(ward), refused(*expected):
        ward.use_cases.users.invite(ward.admin, draft, "es")
    with nothing_written(ward), refused((Code.REQUIRED, "email"), (Code.REQUIRED, "role")):
        ward.use_cases.users.invite(ward.admin, UserDraft(), "es")
    assert ward.postbox.letters == []


@pytest.mark.parametrize("email", ["admin@consumo.test", " ADMIN@Consumo.Test "])
def test_an_email_and_a_profile_belong_to_one_user(ward: Ward, email: str) -> None:
    draft = replace(DRAFT, email=email, staff_id=ward.nurse.staff_id)
    with nothing_written(ward), refused((Code.TAKEN, "email"), (Code.PROFILE_TAKEN, "staff_id")):
        ward.use_cases.users.invite(ward.admin, draft, "es")


def test_a_role_above_ones_own_is_refused_among_other_errors(ward: Ward) -> None:
    above = (Code.ROLE_FOR_ADMINISTRATION, "role")
    wrong = (Code.EMAIL_INVALID, "email"), above, (Code.REFERENCE_UNKNOWN, "staff_id")
    with nothing_written(ward), refused(above):
        ward.use_cases.users.invite(ward.supervisor, replace(DRAFT, role=10), "es")
    with nothing_written(ward), refused(*wrong):
        ward.use_cases.users.invite(ward.supervisor, UserDraft(email="luz", role=10, staff_id=99), "es")
    assert ward.postbox.letters == []


def test_an_invitation_is_logged_without_its_link(ward: Ward) -> None:
    invited = ward.use_cases.users.invite(ward.supervisor, DRAFT, "es")
    entry = audit_log(ward)[-1]
    assert (entry.action, entry.entity, entry.entity_id) == ("user.invited", "user", invited.user["id"])
    assert (entry.user_id, entry.at) == (ward.supervisor.user_id, ward.clock.now)
    assert entry.changes == {
        "email": (None, "Luz@Consumo.test"),
        "role": (None, int(Role.USER)),
        "deleted": (None, False),
        "whole_hospital": (None, False),
    }
