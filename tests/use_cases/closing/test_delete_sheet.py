"""Deleting a sheet permanently."""

import pytest

from application.sheets.detail_views import DetailQuery
from application.sheets.lines.move_details import MoveDraft
from domain.common.errors import Code, NotFound, VersionConflict
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import audit_log, nothing_written


def test_deleting_a_sheet_deletes_only_its_own_details(ward: Ward) -> None:
    deleted, kept = ward.sheet()["id"], ward.sheet()["id"]
    ward.detail(deleted)
    stays = ward.detail(kept)
    ward.use_cases.sheets.delete(ward.supervisor, deleted)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.reader.one(ward.admin, deleted)
    assert [item["id"] for item in ward.use_cases.details.reader.page(ward.admin, DetailQuery())["items"]] == [
        stays["id"]
    ]


def test_the_audit_log_keeps_the_deleted_values(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    details = [ward.detail(sheet_id, "2")["id"], ward.detail(sheet_id, "3")["id"]]
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    *of_details, of_sheet = audit_log(ward)[-3:]
    assert [(entry.action, entry.entity_id) for entry in of_details] == [
        ("detail.deleted", detail_id) for detail_id in details
    ]
    assert [entry.changes["quantity"] for entry in of_details] == [("2.000", None), ("3.000", None)]
    assert (of_sheet.action, of_sheet.entity_id, of_sheet.changes["total"]) == (
        "sheet.deleted",
        sheet_id,
        ("62.50", None),
    )


def test_an_administrator_deletes_a_closed_sheet(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    with pytest.raises(NotFound):
        ward.use_cases.sheets.reader.one(ward.admin, sheet_id)


@pytest.mark.parametrize("is_closed", [True, False])
def test_ward_staff_delete_no_sheet_with_a_paper(ward: Ward, is_closed: bool) -> None:
    one, other = ward.sheet()["id"], ward.sheet()["id"]
    line = ward.detail(one, by=ward.nurse)
    if is_closed:
        ward.use_cases.sheets.close(ward.nurse, one)
        ward.use_cases.sheets.undo_closing(ward.nurse, one)
    else:
        ward.use_cases.accounts.issue(ward.nurse, one)
    draft = MoveDraft(detail_ids=(line["id"],), to_sheet_id=other, reason="Otro paciente")
    ward.use_cases.details.move(ward.nurse, one, draft)
    with refused(Code.SHEET_FOR_SUPERVISION):
        ward.use_cases.sheets.delete(ward.nurse, one)
    ward.use_cases.sheets.delete(ward.supervisor, one)


def test_deleting_an_old_version_is_refused(ward: Ward) -> None:
    sheet = ward.sheet()
    ward.detail(sheet["id"])
    with nothing_written(ward), pytest.raises(VersionConflict):
        ward.use_cases.sheets.delete(ward.admin, sheet["id"], frozenset({sheet["version"]}))


def test_a_sheet_is_deleted_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.sheets.delete(ward.admin, sheet_id)
