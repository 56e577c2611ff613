"""Several details of one sheet that a person ticked."""

from collections.abc import Sequence

from application.ports.unit_of_work import UnitOfWork
from domain.checks import Checks
from domain.refusal import Code
from domain.sheet import Detail, Sheet

MOST_AT_ONCE = 100


def check_chosen(checks: Checks, ids: Sequence[int] | None, field: str) -> list[int]:
    """Each of the ids once. None at all, or more than ``MOST_AT_ONCE``, are refused."""
    each = list(dict.fromkeys(ids or ()))
    if not each:
        checks.refuse(Code.REQUIRED, field)
    elif len(each) > MOST_AT_ONCE:
        checks.refuse(Code.ITEMS_TOO_MANY, field, most=MOST_AT_ONCE)
        return []
    return each


def chosen_details(
    work: UnitOfWork, checks: Checks, sheet: Sheet | None, ids: Sequence[int], field: str
) -> list[Detail]:
    """Those details of that sheet, which is locked. Any that is not on it is refused, and any that is void."""
    found = work.details.having("id", ids) if sheet and ids else []
    on_sheet = [detail for detail in found if sheet and detail.sheet_id == sheet.id]
    if len(on_sheet) < len(ids):
        checks.refuse(Code.REFERENCE_GONE, field)
    if any(detail.voided for detail in on_sheet):
        checks.refuse(Code.DETAIL_VOIDED, field)
    return on_sheet
