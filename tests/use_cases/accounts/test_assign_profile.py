"""Assigning a staff profile to a user."""

import pytest

from domain.common.errors import Code, NotFound
from domain.common.policy import Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import audit_log, nothing_written


def test_a_profile_is_assigned_to_a_user_and_removed_again(ward: Ward) -> None:
    user_id, person = ward.register("luz@consumo.test", Role.USER).user_id, ward.staff("Luz", "Gil")
    assert ward.use_cases.users.assign_profile(ward.supervisor, user_id, person.id).staff_id == person.id
    assert ward.use_cases.staff.reader.one(ward.admin, person.id)["user_id"] == user_id
    assert ward.use_cases.users.assign_profile(ward.supervisor, user_id, None).staff_id is None
    assert ward.use_cases.staff.reader.one(ward.admin, person.id)["user_id"] is None
    assert [(entry.action, entry.changes) for entry in audit_log(ward)[-2:]] == [
        ("user.profile_assigned", {"staff_id": (None, person.id)}),
        ("user.profile_assigned", {"staff_id": (person.id, None)}),
    ]


def test_a_profile_belongs_to_at_most_one_user(ward: Ward) -> None:
    user_id = ward.register("luz@consumo.test", Role.USER).user_id
    with nothing_written(ward), refused((Code.PROFILE_TAKEN, "staff_id")):
        ward.use_cases.users.assign_profile(ward.admin, user_id, ward.nurse.staff_id)


def test_assigning_the_same_profile_again_is_no_error(ward: Ward) -> None:
    user = ward.use_cases.users.assign_profile(ward.admin, ward.nurse.user_id, ward.nurse.staff_id)
    assert user.staff_id == ward.nurse.staff_id


def test_the_profile_must_exist(ward: Ward) -> None:
    with nothing_written(ward), refused((Code.REFERENCE_UNKNOWN, "staff_id")):
        ward.use_cases.users.assign_profile(ward.admin, ward.nurse.user_id, 99)


def test_the_user_must_exist(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.users.assign_profile(ward.admin, 99, None)
