"""User accounts: managing, deleting and emails."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from domain.accounts.user import User, is_email, normalize_email
from domain.common.errors import Code, Forbidden, NotFound, Refused
from domain.common.policy import MANAGED_ROLES, Actor, Role
from tests.assertions import refused
from tests.builders import a_newcomer, a_nurse, a_supervisor, an_admin

U, S, A = Role.USER, Role.SUPERVISOR, Role.ADMIN

# For each role, the roles of the accounts that it manages; the same roles can be given.
MANAGES: dict[Role, set[Role]] = {U: set(), S: {U, S}, A: {U, S, A}, Role.SERVICE_ACCOUNT: set()}
HUMAN_ROLES = [a_nurse(), a_supervisor(), an_admin()]

CHANGES: dict[str, Callable[[User, Actor], None]] = {
    "link to a profile": lambda user, who: user.assign_profile(61, by=who),
    "unlink from the profile": lambda user, who: user.assign_profile(None, by=who),
    "give the role it has": lambda user, who: user.change_role(user.role, by=who),
    "delete": lambda user, who: user.delete(by=who),
    "look whether it may be managed": lambda user, who: user.ensure_managed_by(who),
}


def an_account(role: Role, **particulars: object) -> User:
    """Return an account of another user."""
    return replace(User(id=50, email="x@consumo.test", role=role, password_hash="$hash$", staff_id=60), **particulars)  # type: ignore[arg-type]


def denial(who: Actor, role: Role) -> type[Exception]:
    """Return the exception for changing an account of that role.

    Ward staff may not manage accounts at all, and service accounts are no users.
    """
    if who.role is U:
        return Forbidden
    return NotFound if role is Role.SERVICE_ACCOUNT else Refused


# --- managed roles ---------------------------------------------------------------------------------------------------


def test_managed_roles_are_those_of_the_contract() -> None:
    assert MANAGED_ROLES == MANAGES


@pytest.mark.parametrize(("who", "role"), list(product(HUMAN_ROLES, Role)))
def test_a_user_manages_the_roles_of_the_table(who: Actor, role: Role) -> None:
    may = role in MANAGES[who.role]
    assert who.can_manage(role) is may
    if may:
        who.require_can_manage(role)
    elif who.role is U:
        with pytest.raises(Forbidden) as forbidden:
            who.require_can_manage(role)
        assert forbidden.value.code == "forbidden"
    else:
        with refused(Code.USER_FOR_ADMINISTRATION):
            who.require_can_manage(role)


@pytest.mark.parametrize("role", list(Role))
def test_ward_staff_manage_no_accounts_even_with_a_profile(role: Role) -> None:
    assert not a_newcomer().can_manage(role)
    with pytest.raises(Forbidden) as forbidden:
        a_newcomer().require_can_manage(role)
    # A profile would not help.
    assert forbidden.value.code == "forbidden"


@pytest.mark.parametrize("staff_id", [None, 12])
def test_a_supervisor_manages_accounts_without_a_profile(staff_id: int | None) -> None:
    assert a_supervisor(staff_id=staff_id).can_manage(Role.SUPERVISOR)


# --- changes to an account -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("who", "role"), list(product(HUMAN_ROLES, Role)))
def test_an_account_is_changed_only_by_its_managers(who: Actor, role: Role, change: str) -> None:
    account = an_account(role)
    if role in MANAGES[who.role]:
        CHANGES[change](account, who)
        return
    with pytest.raises(denial(who, role)):
        CHANGES[change](account, who)
    assert account == an_account(role)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("who", HUMAN_ROLES)
def test_users_cannot_change_their_own_account_this_way(who: Actor, change: str) -> None:
    own = an_account(who.role, id=who.user_id)
    with pytest.raises(denial(who, who.role)):
        CHANGES[change](own, who)
    assert own == an_account(who.role, id=who.user_id)


@pytest.mark.parametrize(("who", "had", "given"), list(product(HUMAN_ROLES, Role, Role)))
def test_changing_a_role_needs_to_manage_the_old_and_the_new_one(who: Actor, had: Role, given: Role) -> None:
    account = an_account(had)
    if {had, given} <= MANAGES[who.role]:
        account.change_role(given, by=who)
        assert account == an_account(given)
        return
    with pytest.raises(denial(who, had)):
        account.change_role(given, by=who)
    assert account.role is had


@pytest.mark.parametrize("given", [role for role in Role if role is not Role.ADMIN])
def test_administrators_cannot_give_up_their_own_role(given: Role) -> None:
    own = an_account(Role.ADMIN, id=an_admin().user_id)
    with refused(Code.USER_OWN):
        own.change_role(given, by=an_admin())
    assert own.role is Role.ADMIN


def test_a_profile_is_assigned_replaced_and_removed() -> None:
    account = an_account(Role.USER, staff_id=None)
    for staff_id in (61, 62, None):
        account.assign_profile(staff_id, by=a_supervisor())
        assert account == an_account(Role.USER, staff_id=staff_id)


def test_deleting_frees_the_profile_and_clears_the_password() -> None:
    account = an_account(Role.SUPERVISOR)
    account.delete(by=an_admin())
    assert account == an_account(Role.SUPERVISOR, deleted=True, staff_id=None, password_hash=None)


# --- emails ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["luz@consumo.test", "LUZ.gil+ward@a.b.consumo.test", "ñandú@hospital.example", "a@b.c"]
)
def test_valid_emails_are_accepted(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "luz",
        "@consumo.test",
        "luz@",
        "luz@consumo",
        "luz@.",
        "luz@.test.",
        "l@z@consumo.test",
        "luz gil@consumo.test",
        "luz@con sumo.test",
        "luz@consumo.test\n",
        "luz\u00a0@consumo.test",
        "luz\x00@consumo.test",
        "luz\u200b@consumo.test",
        "luz@consumo\u202e.test",
        "\ufeffluz@consumo.test",
    ],
)
def test_invalid_emails_are_refused(text: str) -> None:
    assert not is_email(text)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" luz@consumo.test ", "luz@consumo.test"),
        ("ｌｕｚ＠ｃｏｎｓｕｍｏ．ｔｅｓｔ", "luz@consumo.test"),
        ("oﬁcina@consumo.test", "oficina@consumo.test"),
        ("n\u0303andu\u0301@consumo.test", "ñandú@consumo.test"),
        ("Luz@Consumo.test", "Luz@Consumo.test"),
        (None, ""),
    ],
)
def test_an_email_is_normalized(typed: str | None, kept: str) -> None:
    assert normalize_email(typed) == kept
