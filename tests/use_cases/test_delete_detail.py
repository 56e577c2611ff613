"""Taking a consumption detail off its sheet."""

import pytest

from domain.errors import Code, Forbidden, NotFound, VersionConflict
from domain.policy import Role
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import nothing_written


def test_a_deleted_detail_is_gone_and_no_longer_counts(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    deleted, kept = ward.detail(sheet_id, "2"), ward.detail(sheet_id, "3")
    ward.use_cases.delete_detail(ward.supervisor, deleted["id"])
    with pytest.raises(NotFound):
        ward.use_cases.details.one(ward.admin, deleted["id"])
    sheet = ward.use_cases.sheets.one(ward.admin, sheet_id)
    assert (sheet["total"], sheet["version"], sheet["consumptions"][0]["details"]) == (kept["total"], 4, 1)


def test_ward_staff_delete_what_they_recorded_and_nothing_else(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    own, colleagues = ward.detail(sheet_id, by=ward.nurse), ward.detail(sheet_id, staff_id=ward.nurse.staff_id)
    ward.use_cases.delete_detail(ward.nurse, own["id"])
    with nothing_written(ward), refused(Code.DETAIL_NOT_OWN):
        ward.use_cases.delete_detail(ward.nurse, colleagues["id"])


def test_who_lost_the_profile_deletes_nothing(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"], by=ward.nurse)
    ward.use_cases.assign_profile(ward.admin, ward.nurse.user_id, None)
    without_profile = type(ward.nurse)(user_id=ward.nurse.user_id, role=Role.USER, staff_id=None)
    with nothing_written(ward), pytest.raises(Forbidden, match="profile_required"):
        ward.use_cases.delete_detail(without_profile, detail["id"])


def test_a_detail_that_someone_else_changed_is_not_deleted_unseen(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ward.use_cases.edit_detail(ward.admin, detail["id"], ward.detail_draft("2"))
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.delete_detail(ward.admin, detail["id"], frozenset({1}))
    ward.use_cases.delete_detail(ward.admin, detail["id"], frozenset({2}))


def test_a_detail_is_deleted_once(ward: Ward) -> None:
    detail = ward.detail(ward.sheet()["id"])
    ward.use_cases.delete_detail(ward.admin, detail["id"])
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.delete_detail(ward.admin, detail["id"])
