"""Check a sheet's total and version against its lines and audit log."""

from decimal import Decimal

from application.sheets.views import SheetView
from domain.common.money import line_total
from domain.sheets.detail import Detail
from tests.builders import Ward
from tests.contracts.audit.audit_logs import trail_of


def details_of(ward: Ward, sheet_id: int) -> list[Detail]:
    """Return the lines of a sheet that are not voided."""
    with ward.store.begin() as work:
        return [detail for detail in work.details.on_sheet(sheet_id) if not detail.voided]


def the_account_is_right(ward: Ward, sheet_id: int) -> SheetView:
    """Assert that total, version, days and audit log of a sheet agree.

    Returns the sheet.
    """
    details = details_of(ward, sheet_id)
    with ward.store.read() as views:
        sheet = views.sheets.one(sheet_id)
    assert sheet
    assert sheet["total"] == sum((detail.total for detail in details), Decimal(0))
    assert sum(day["details"] for day in sheet["consumptions"]) == len(details)

    audit_log = trail_of(ward.store)
    recorded = {
        entry.entity_id
        for entry in audit_log
        if entry.action == "detail.added" and entry.changes["sheet_id"] == (None, sheet_id)
    }
    reported = [
        entry
        for entry in audit_log
        if (
            (entry.entity, entry.entity_id) == ("consumption_sheet", sheet_id)
            and entry.action != "consumption_sheet.read"
        )
        or (entry.entity == "consumption_detail" and entry.entity_id in recorded)
    ]
    actions = [entry.action for entry in reported]
    # Opening the sheet creates version 1, and each change adds one.
    assert sheet["version"] == len(reported)
    assert len(details) == actions.count("detail.added") - actions.count("detail.voided")
    if sheet["closed"]:
        assert actions[-1] == "sheet.closed"
        assert actions.count("sheet.closed") == 1 + sum(
            actions.count(f"sheet.{undone}") for undone in ("reopened", "closing_undone")
        )
    for detail in details:
        assert detail.version > 1 or detail.total == line_total(detail.unit_price, detail.quantity)
    return sheet
