"""Deleting a detail, which voids it."""

import pytest

from domain.common.errors import NotFound, VersionConflict
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
