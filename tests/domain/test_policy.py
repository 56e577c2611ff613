"""Rules for roles, profiles and keys.

``tests/pages/test_contract_page.py`` compares the permissions of each role with docs/contract.md.
"""

from dataclasses import replace

import pytest

from domain.accounts.user import User
from domain.common.errors import Forbidden
from domain.common.policy import GRANTS, MANAGED_ROLES, OF_EVERY_KEY, Actor, Limit, Permission, Role
from tests.builders import a_newcomer, a_nurse, a_supervisor, an_admin

YES, NO = True, False

LEFT_WHILE_LOCKED = {
    Permission.ADD_DETAILS,
    Permission.RECORD_FOR_ANY_STAFF,
    Permission.BACKDATE_DETAILS,
    Permission.UNLOCK_SESSION,
}


@pytest.mark.parametrize("permission", list(Permission))
@pytest.mark.parametrize("who", [a_nurse(), a_supervisor(), an_admin()])
def test_a_role_has_its_permissions_and_no_others(who: Actor, permission: Permission) -> None:
    may = permission in GRANTS[who.role]
    assert who.can(permission) is may
    if may:
        who.require(permission)
    else:
        with pytest.raises(Forbidden) as forbidden:
            who.require(permission)
        assert forbidden.value.code == ("only_for_keys" if permission in OF_EVERY_KEY else "forbidden")


def test_every_role_has_permissions_and_manages_roles() -> None:
    assert set(GRANTS) == set(MANAGED_ROLES) == set(Role)


@pytest.mark.parametrize("permission", list(Permission))
def test_staff_without_a_profile_can_edit_profile_and_account(permission: Permission) -> None:
    newcomer = a_newcomer()
    allowed = permission in (
        Permission.MANAGE_OWN_PROFILE,
        Permission.EDIT_OWN_ACCOUNT,
        Permission.UNLOCK_SESSION,
    )
    assert newcomer.can(permission) is allowed


@pytest.mark.parametrize("permission", sorted(GRANTS[Role.USER]))
def test_staff_without_a_profile_get_profile_required(permission: Permission) -> None:
    newcomer = a_newcomer()
    if newcomer.can(permission):
        return
    with pytest.raises(Forbidden) as forbidden:
        newcomer.require(permission)
    assert forbidden.value.code == "profile_required"


def test_a_permission_outside_the_role_is_plainly_forbidden() -> None:
    with pytest.raises(Forbidden) as forbidden:
        a_newcomer().require(Permission.EDIT_DETAILS)
    assert forbidden.value.code == "forbidden"


@pytest.mark.parametrize("permission", list(Permission))
@pytest.mark.parametrize("who", [a_nurse(), a_supervisor(), an_admin()])
def test_a_locked_session_only_records_and_unlocks(who: Actor, permission: Permission) -> None:
    locked = replace(who, session_limits=(Limit.LOCKED,))
    assert locked.can(permission) is (permission in LEFT_WHILE_LOCKED & GRANTS[who.role])


@pytest.mark.parametrize(
    ("who", "limits", "permission", "code"),
    [
        (a_nurse(), (Limit.LOCKED,), Permission.READ_SHEETS, "session_locked"),
        (a_nurse(), (Limit.LOCKED,), Permission.MANAGE_USERS, "forbidden"),
        (a_newcomer(), (Limit.LOCKED,), Permission.ADD_DETAILS, "profile_required"),
        (a_newcomer(), (Limit.LOCKED,), Permission.READ_SHEETS, "session_locked"),
        (an_admin(), (Limit.SECOND_FACTOR,), Permission.READ_SHEETS, "second_factor_required"),
        (an_admin(), (Limit.LOCKED, Limit.SECOND_FACTOR), Permission.ADD_DETAILS, "second_factor_required"),
    ],
)
def test_the_first_limit_in_the_way_is_the_code(
    who: Actor, limits: tuple[Limit, ...], permission: Permission, code: str
) -> None:
    with pytest.raises(Forbidden) as forbidden:
        replace(who, session_limits=limits).require(permission)
    assert forbidden.value.code == code


def test_an_owed_second_factor_is_required() -> None:
    a_newcomer().require_second_factor()
    with pytest.raises(Forbidden) as forbidden:
        replace(an_admin(), session_limits=(Limit.SECOND_FACTOR,)).require_second_factor()
    assert forbidden.value.code == "second_factor_required"


@pytest.mark.parametrize(
    ("who", "required"),
    [
        (a_newcomer(), True),
        (a_nurse(), False),
        (a_supervisor(staff_id=None), False),
        (an_admin(), False),
    ],
)
def test_only_ward_staff_need_a_profile(who: Actor, required: bool) -> None:
    assert who.profile_required is required


# Permissions that no key can have: they are for people, or create other accounts.
NEVER_A_PROGRAM_S = {
    Permission.MANAGE_OWN_PROFILE,
    Permission.EDIT_OWN_ACCOUNT,
    Permission.UNLOCK_SESSION,
    Permission.SEE_PROFILE_LINK,
    Permission.MANAGE_OWN_KITS,
    Permission.MANAGE_USERS,
    Permission.MANAGE_SERVICE_ACCOUNTS,
    Permission.IMPORT,
    Permission.UNDO_IMPORTS,
    Permission.DELETE_CLOSED_SHEETS,
    Permission.UNMERGE_PATIENTS,
    Permission.UNMERGE_ANY_PATIENTS,
    Permission.RESOLVE_MESSAGES,
    Permission.READ_STATUS,
    Permission.MANAGE_HOSPITAL,
}


@pytest.mark.parametrize("permission", list(Permission))
def test_a_program_has_exactly_the_permissions_of_its_key(permission: Permission) -> None:
    scopes = frozenset({permission})
    program = Actor(user_id=9, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes)
    may = permission not in NEVER_A_PROGRAM_S
    included = {Permission.DELETE_EMPTY_SHEETS} if permission is Permission.DELETE_OPEN_SHEETS else set()
    assert program.permissions == (scopes | included if may else frozenset())
    for other in set(Permission) - scopes - included:
        with pytest.raises(Forbidden) as forbidden:
            program.require(other)
        assert forbidden.value.code == ("only_for_keys" if other in OF_EVERY_KEY else "forbidden")


def test_every_key_may_read_what_it_may_do() -> None:
    program = Actor(user_id=9, role=Role.SERVICE_ACCOUNT, staff_id=None, api_key_id=7)
    assert program.permissions == OF_EVERY_KEY


def test_scopes_give_a_person_no_permission() -> None:
    everything = frozenset(Permission)
    assert Actor(user_id=9, role=Role.USER, staff_id=60, scopes=everything).permissions == GRANTS[Role.USER]


def test_the_repr_of_a_user_hides_the_password_hash() -> None:
    assert "secret" not in repr(User(email="x@consumo.test", role=Role.USER, password_hash="secret"))
