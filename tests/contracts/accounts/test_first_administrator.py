"""The link for the first administrator: once, for an hour, on every store."""

import pytest

from application.use_cases import UseCases
from domain.common.errors import Code
from tests.assertions import refused
from tests.builders import ZONE, AnyStore, SettableClock, use_cases_on
from tests.use_cases.accounts.test_first_administrator import create, new_link


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def use_cases(store: AnyStore, clock: SettableClock) -> UseCases:
    return use_cases_on(store, zone=ZONE, clock=clock)


def test_the_link_works_once(use_cases: UseCases) -> None:
    link = new_link(use_cases)
    create(use_cases, link)
    with refused((Code.SETUP_LINK_INVALID, "token")):
        create(use_cases, link, email="eva@hospital.test")
