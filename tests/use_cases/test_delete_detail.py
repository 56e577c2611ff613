"""Deleting a detail, which voids it."""

import pytest

from domain.errors import Code, Forbidden, NotFound, VersionConflict
from domain.policy import Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import nothing_written


def test_a_deleted_detail_is_gone_and_does_not_count(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    deleted, kept = ward.detail(sheet_id, "2"), ward.detail(sheet_id, "3")
    ward.use_cases.details.delete(ward.supervisor, deleted["id"])
    with pytest.raises(NotFound):
        ward.use_cases.details.reader.one(ward.admin, deleted["id"])
    sheet = ward.use_cases.sheets.reader.one(ward.admin, sheet_id)
    assert (sheet["total"], sheet["version"], sheet["consumptions"][0]["details"]) == (kept["total"], 4, 1)


def test_ward_staff_delete_only_their_own_details(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    own, colleagues = ward.detail(sheet_id, by=ward.nurse), ward.detail(sheet_id, staff_id=ward.nurse.staff_id)
    ward.use_cases.details.delete(ward.nurse, own["id"])
    with nothing_written(ward), refused(Code.DETAIL_NOT_OWN):
        ward.use_cases.details.delete(ward.nurse, colleagues["id"])


def test_a_user_without_a_profile_deletes_nothing(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], by=ward.nurse)
    ward.use_cases.users.assign_profile(ward.admin, ward.nurse.user_id, None)
    without_profile = type(ward.nurse)(user_id=ward.nurse.user_id, role=Role.USER, staff_id=None)
    with nothing_written(ward), pytest.raises(Forbidden, match="profile_required"):
        ward.use_cases.details.delete(without_profile, detail["id"])


def test_deleting_an_old_version_is_refused(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ward.use_cases.details.edit(ward.admin, detail["id"], ward.detail_draft("2"))
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.details.delete(ward.admin, detail["id"], frozenset({1}))
    ward.use_cases.details.delete(ward.admin, detail["id"], frozenset({2}))


def test_a_detail_is_deleted_once(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ward.use_cases.details.delete(ward.admin, detail["id"])
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.details.delete(ward.admin, detail["id"])
