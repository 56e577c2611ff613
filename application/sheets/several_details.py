"""Validate and load several details that a user selected on a sheet."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from application.sheets.work import UnitOfWork
from domain.common.errors import Code
from domain.common.policy import Actor
from domain.common.validation import Validator
from domain.sheets.detail import Detail
from domain.sheets.sheet import Sheet

MAX_BATCH_SIZE = 100


def validate_selection(
    checks: Validator, ids: Sequence[int] | None, field: str, *, most: int = MAX_BATCH_SIZE
) -> list[int]:
    """Return the ids without duplicates.

    Report an empty selection, or more than ``most``.
    """
    each = list(dict.fromkeys(ids or ()))
    if not each:
        checks.add_error(Code.REQUIRED, field)
    elif len(each) > most:
        checks.add_error(Code.ITEMS_TOO_MANY, field, most=most)
        return []
    return each


def load_selection(
    work: UnitOfWork, checks: Validator, sheet: Sheet | None, ids: Sequence[int], field: str
) -> list[Detail]:
    """Return the selected details of a sheet, which is locked.

    Report details of other sheets and voided ones.
    """
    found = work.details.find_many("id", ids) if sheet and ids else []
    on_sheet = [detail for detail in found if sheet and detail.sheet_id == sheet.id]
    if len(on_sheet) < len(ids):
        checks.add_error(Code.REFERENCE_GONE, field)
    if any(detail.voided for detail in on_sheet):
        checks.add_error(Code.DETAIL_VOIDED, field)
    return on_sheet


def check_ages(
    checks: Validator, sheet: Sheet, details: Sequence[Detail], field: str, *, by: Actor, at: datetime
) -> None:
    """Report once that details are too old for the actor to change them."""
    for detail in details:
        if reasons := sheet.check_age(detail, by=by, at=at):
            checks.add([replace(reason, field=field) for reason in reasons])
            return
