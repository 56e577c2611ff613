"""Sheets, their details, and what belongs to them."""

from adapters.http.controllers.sheets import details, implants, late_entries, recalls, sheets, unlisted_items

ROUTES = (
    sheets.SheetController,
    details.DetailController,
    details.SheetDetailController,
    late_entries.SheetLateEntryController,
    late_entries.LateEntryController,
    unlisted_items.SheetUnlistedItemController,
    unlisted_items.UnlistedItemController,
    implants.ImplantController,
    implants.ImplantCardController,
    recalls.RecallController,
    recalls.RecalledUseController,
)
