"""The account of a user: who may change what of it, and what a deletion leaves."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from domain.errors import Code, Forbidden, NotFound, Refused
from domain.policy import MANAGED_ROLES, Actor, Role
from domain.user import User, is_email, normalize_email
from tests.assertions import refused
from tests.builders import a_newcomer, a_nurse, a_supervisor, an_admin

U, S, A = Role.USER, Role.SUPERVISOR, Role.ADMIN

# Whoever manages accounts, and the roles of those accounts, which are also the roles that may be given.
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
    """Somebody else's account."""
    return replace(User(id=50, email="x@consumo.test", role=role, password_hash="$hash$", staff_id=60), **particulars)  # type: ignore[arg-type]


def denial(who: Actor, role: Role) -> type[Exception]:
    """How it is denied to change an account of that role: ward staff may not at all, and programs are no users."""
    if who.role is U:
        return Forbidden
    return NotFound if role is Role.SERVICE_ACCOUNT else Refused


# --- who manages whom ------------------------------------------------------------------------------------------------


def test_the_table_of_managed_roles_is_the_contracts() -> None:
    assert MANAGED_ROLES == MANAGES


@pytest.mark.parametrize(("who", "role"), list(product(HUMAN_ROLES, Role)))
def test_a_person_manages_the_accounts_that_the_table_says(who: Actor, role: Role) -> None:
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
def test_ward_staff_manage_nobody_with_a_profile_or_without(role: Role) -> None:
    assert not a_newcomer().can_manage(role)
    with pytest.raises(Forbidden) as forbidden:
        a_newcomer().require_can_manage(role)
    # A profile would not help.
    assert forbidden.value.code == "forbidden"


@pytest.mark.parametrize("staff_id", [None, 12])
def test_a_supervisor_manages_with_a_profile_or_without(staff_id: int | None) -> None:
    assert a_supervisor(staff_id=staff_id).can_manage(Role.SUPERVISOR)


# --- what is done to an account --------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("who", "role"), list(product(HUMAN_ROLES, Role)))
def test_an_account_is_changed_by_those_who_manage_it_and_left_alone_by_others(
    who: Actor, role: Role, change: str
) -> None:
    account = an_account(role)
    if role in MANAGES[who.role]:
        CHANGES[change](account, who)
        return
    with pytest.raises(denial(who, role)):
        CHANGES[change](account, who)
    assert account == an_account(role)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("who", HUMAN_ROLES)
def test_nobody_does_any_of_it_to_the_own_account(who: Actor, change: str) -> None:
    own = an_account(who.role, id=who.user_id)
    with pytest.raises(denial(who, who.role)):
        CHANGES[change](own, who)
    assert own == an_account(who.role, id=who.user_id)


@pytest.mark.parametrize(("who", "had", "given"), list(product(HUMAN_ROLES, Role, Role)))
def test_a_role_is_given_by_those_who_manage_the_one_that_was_and_the_one_that_comes(
    who: Actor, had: Role, given: Role
) -> None:
    account = an_account(had)
    if {had, given} <= MANAGES[who.role]:
        account.change_role(given, by=who)
        assert account == an_account(given)
        return
    with pytest.raises(denial(who, had)):
        account.change_role(given, by=who)
    assert account.role is had


@pytest.mark.parametrize("given", [role for role in Role if role is not Role.ADMIN])
def test_nobody_gives_up_the_own_role_either(given: Role) -> None:
    own = an_account(Role.ADMIN, id=an_admin().user_id)
    with refused(Code.USER_OWN):
        own.change_role(given, by=an_admin())
    assert own.role is Role.ADMIN


def test_a_profile_is_given_changed_and_taken() -> None:
    account = an_account(Role.USER, staff_id=None)
    for staff_id in (61, 62, None):
        account.assign_profile(staff_id, by=a_supervisor())
        assert account == an_account(Role.USER, staff_id=staff_id)


def test_a_deleted_account_frees_its_profile_forgets_its_password_and_keeps_its_name() -> None:
    account = an_account(Role.SUPERVISOR)
    account.delete(by=an_admin())
    assert account == an_account(Role.SUPERVISOR, deleted=True, staff_id=None, password_hash=None)


# --- emails ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["luz@consumo.test", "LUZ.gil+ward@a.b.consumo.test", "ñandú@hospital.example", "a@b.c"]
)
def test_what_can_be_an_email_is_taken_for_one(text: str) -> None:
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
def test_what_cannot_be_an_email_is_not(text: str) -> None:
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
def test_an_email_is_written_in_one_way(typed: str | None, kept: str) -> None:
    assert normalize_email(typed) == kept
