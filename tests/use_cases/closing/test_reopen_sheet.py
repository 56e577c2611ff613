"""Reopening a closed sheet."""

from decimal import Decimal

import pytest

from application.closing.reopen_sheet import ReopenDraft
from domain.common.errors import Code, NotFound
from tests.assertions import refused
from tests.builders import Ward
from tests.use_cases.stored import audit_log, nothing_written

BECAUSE = ReopenDraft(reason=" Faltaba una venda ")


def test_a_reopened_sheet_takes_details_again(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    reopened = ward.use_cases.sheets.reopen(ward.admin, sheet_id, BECAUSE)
    assert (reopened["closed"], reopened["deleted_at"], reopened["total"]) == (False, None, Decimal(25))
    ward.detail(sheet_id, "2")
    assert ward.use_cases.sheets.close(ward.admin, sheet_id)["total"] == 50


def test_the_audit_log_keeps_the_closing_and_the_reason(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    closed_at = ward.clock.advance(hours=1).isoformat()
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, BECAUSE)
    closing, reopening = audit_log(ward)[-2:]
    with ward.store.read() as views:
        frozen = views.closings.frozen(sheet_id, 1)
    assert frozen
    changes = {"closed_at": (None, closed_at), "document_digest": (None, frozen.digest)}
    assert (closing.action, closing.changes) == ("sheet.closed", changes)
    assert (reopening.action, reopening.changes) == (
        "sheet.reopened",
        {"closed_at": (closed_at, None), "reason": (None, "Faltaba una venda")},
    )


@pytest.mark.parametrize(
    ("reason", "code"),
    [(None, Code.REQUIRED), ("  ", Code.REQUIRED), ("x" * 2_001, Code.TEXT_TOO_LONG)],
)
def test_reopening_needs_a_reason(ward: Ward, reason: str | None, code: Code) -> None:
    sheet_id = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    with nothing_written(ward), refused((code, "reason")):
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason=reason))


def test_all_errors_of_a_reopening_are_reported_at_once(ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    with nothing_written(ward), refused((Code.REQUIRED, "reason"), Code.SHEET_NOT_CLOSED):
        ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft())


def test_a_missing_sheet_is_not_found(ward: Ward) -> None:
    with nothing_written(ward), pytest.raises(NotFound):
        ward.use_cases.sheets.reopen(ward.admin, 99, BECAUSE)
