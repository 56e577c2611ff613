"""The link for the first administrator: once, for an hour, on every store."""

from datetime import timedelta
from typing import Any

import pytest

from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.draft import UserDraft
from application.accounts.users.first_administrator import FirstAdministratorDraft
from application.accounts.users.password_links import PasswordResetLink
from application.use_cases import UseCases
from domain.common.errors import Code
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import PASSWORD, ZONE, AnyStore, SettableClock, a_ward, use_cases_on
from tests.use_cases.accounts.signed_in import NEW_PASSWORD, secret_of

EMAIL = "ada@hospital.test"


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def use_cases(store: AnyStore, clock: SettableClock) -> UseCases:
    return use_cases_on(store, zone=ZONE, clock=clock)


def new_link(use_cases: UseCases) -> PasswordResetLink:
    link = use_cases.users.create_setup_link()
    assert link is not None
    return link


def create(use_cases: UseCases, link: PasswordResetLink, **changes: Any) -> str:
    """Send the form of the link's page. Return the access token."""
    filled_in: dict[str, Any] = {"token": secret_of(link), "email": EMAIL, "password": NEW_PASSWORD}
    draft = filled_in | {"password_confirmation": NEW_PASSWORD} | changes
    return use_cases.users.create_first_administrator(FirstAdministratorDraft(**draft), "10.0.0.1", "Firefox")


def test_the_link_creates_an_administrator_who_is_signed_in(use_cases: UseCases, store: AnyStore) -> None:
    assert not use_cases.users.check_setup()
    link = new_link(use_cases)
    assert link.url.startswith("http://127.0.0.1:8000/auth/first-administrator?token=")
    token = create(use_cases, link)
    assert use_cases.session.identify(token).actor.role is Role.ADMIN
    assert use_cases.session.sign_in(Credentials(email=EMAIL, password=NEW_PASSWORD))
    assert use_cases.users.check_setup()


def test_the_link_works_for_an_hour(use_cases: UseCases, clock: SettableClock) -> None:
    link = new_link(use_cases)
    assert link.expires_at == clock.now + timedelta(hours=1)
    clock.now += timedelta(hours=1)
    with refused((Code.SETUP_LINK_INVALID, "token")):
        create(use_cases, link)


def test_a_new_start_replaces_the_link(use_cases: UseCases) -> None:
    earlier, link = new_link(use_cases), new_link(use_cases)
    with refused((Code.SETUP_LINK_INVALID, "token")):
        create(use_cases, earlier)
    create(use_cases, link)


def test_an_account_from_elsewhere_ends_the_link(use_cases: UseCases) -> None:
    link = new_link(use_cases)
    use_cases.users.register(None, UserDraft(email="eva@hospital.test", role=Role.USER, password=PASSWORD))
    with refused((Code.SETUP_LINK_INVALID, "token")):
        create(use_cases, link)
    assert use_cases.users.create_setup_link() is None


def test_there_is_no_link_once_there_are_accounts(store: AnyStore) -> None:
    ward = a_ward(store)
    assert ward.use_cases.users.create_setup_link() is None
    assert ward.use_cases.users.check_setup()


def test_accounts_of_programs_do_not_end_the_setup(use_cases: UseCases) -> None:
    use_cases.service_accounts.ensure_receiver()
    create(use_cases, new_link(use_cases))


def test_all_errors_are_reported_and_the_link_stays_valid(use_cases: UseCases) -> None:
    link = new_link(use_cases)
    with refused(
        (Code.EMAIL_INVALID, "email"),
        (Code.PASSWORD_TOO_SHORT, "password"),
        (Code.PASSWORD_MISMATCH, "password_confirmation"),
    ):
        create(use_cases, link, email="ada", password="gasa")
    with refused((Code.REQUIRED, "token")):
        create(use_cases, link, token=None)
    create(use_cases, link)


def test_wrong_links_do_not_lock_the_operator_out(use_cases: UseCases) -> None:
    link = new_link(use_cases)
    for _ in range(40):
        with refused((Code.SETUP_LINK_INVALID, "token")):
            create(use_cases, link, token="guessed")
    create(use_cases, link)
