"""Registering a user."""

from dataclasses import replace

import pytest

from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.draft import UserDraft
from domain.common.errors import Code, Reason
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, Ward
from tests.use_cases.stored import kept, nothing_written, rows_of, snapshot

DRAFT = UserDraft(email=" Luz@Consumo.test ", role=1, password=PASSWORD)


def test_a_registered_user_can_sign_in(ward: Ward) -> None:
    user = ward.use_cases.users.register(ward.supervisor, DRAFT)
    assert (user.email, user.role, user.staff_id) == ("Luz@Consumo.test", Role.USER, None)
    token = ward.use_cases.session.sign_in(Credentials(email="luz@consumo.test", password=PASSWORD))
    assert ward.use_cases.session.identify(token).actor.user_id == user.id


def test_the_password_itself_is_not_stored(ward: Ward) -> None:
    ward.use_cases.users.register(ward.admin, DRAFT)
    assert PASSWORD not in repr(rows_of(snapshot(ward)))
    assert all(PASSWORD not in (user.password_hash or "") for user in kept(ward).users.values())


def test_the_first_administrator_is_registered_without_an_actor(ward: Ward) -> None:
    first = ward.use_cases.users.register(None, replace(DRAFT, role=10))
    assert first.role is Role.ADMIN


@pytest.mark.parametrize("email", ["admin@consumo.test", "ADMIN@Consumo.Test", "  admin@consumo.test "])
def test_an_email_is_unique_ignoring_case(ward: Ward, email: str) -> None:
    with nothing_written(ward), refused((Code.TAKEN, "email")):
        ward.use_cases.users.register(ward.admin, replace(DRAFT, email=email))


def test_all_errors_of_a_user_are_reported_at_once(ward: Ward) -> None:
    draft = UserDraft(email="luz", role=3, password="short", parse_errors=(Reason(Code.TEXT_EXPECTED, "note"),))
    with (
        nothing_written(ward),
        refused(
            (Code.TEXT_EXPECTED, "note"),
            (Code.EMAIL_INVALID, "email"),
            (Code.CHOICE_UNKNOWN, "role"),
            (Code.PASSWORD_TOO_SHORT, "password"),
        ),
    ):
        ward.use_cases.users.register(ward.admin, draft)


def test_an_empty_draft_reports_all_missing_fields(ward: Ward) -> None:
    with refused((Code.REQUIRED, "email"), (Code.REQUIRED, "role"), (Code.REQUIRED, "password")):
        ward.use_cases.users.register(ward.admin, UserDraft())


def test_the_repr_of_a_draft_hides_the_password() -> None:
    assert PASSWORD not in repr(DRAFT)
