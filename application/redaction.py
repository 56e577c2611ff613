"""Redaction: remove what an actor may not see from an answer.

It is the only way by which prices leave the use cases.
"""

from typing import Any, TypeVar

from application.entities import AREA, INBOUND_MESSAGE, PRODUCT, PRODUCT_CODE, ROOM, AuditAction
from application.views import PRICED_FIELDS
from domain.policy import Actor, Permission

View = TypeVar("View")

_NESTED = (list, dict)
# An object with one of these fields is not a category, and its code is visible to all users: a product, a product code,
# a room, a message, a row of a report. All other codes are treated as category codes.
_NON_CATEGORY_FIELDS = frozenset({"category", "unit", "system", "status", "source", "key"})
# Entities in the audit log, other than categories, that have a code of their own.
_ENTITIES_WITH_VISIBLE_CODES = frozenset(
    {
        AREA.name,
        INBOUND_MESSAGE.name,
        PRODUCT.name,
        PRODUCT_CODE.name,
        ROOM.name,
        AuditAction.UNKNOWN_CODE_IGNORED.entity,
    }
)


def redact_for(actor: Actor, view: View) -> View:
    """Redact a view, or a list of views, in place.

    An actor who may not see prices gets no prices, totals and category codes. Fields are removed by name at any depth,
    so that a new priced field is removed without further code. ``meta`` only has counts. A warning that quotes a price
    is removed as a whole.
    """
    if not actor.can(Permission.SEE_PRICES):
        _strip_prices(view, keeps_code=False)
    return view


def _remove_priced_warnings(view: dict[str, Any]) -> None:
    view["warnings"] = [warning for warning in view["warnings"] if PRICED_FIELDS.isdisjoint(warning)]
    if not view["warnings"]:
        del view["warnings"]


def _strip_prices(view: Any, *, keeps_code: bool) -> None:
    if isinstance(view, list):
        for each in view:
            if isinstance(each, _NESTED):
                _strip_prices(each, keeps_code=keeps_code)
    elif isinstance(view, dict):
        if "code" in view and not keeps_code and _NON_CATEGORY_FIELDS.isdisjoint(view):
            del view["code"]
        for name in PRICED_FIELDS:
            if name in view:
                del view[name]
        if isinstance(view.get("warnings"), list):
            _remove_priced_warnings(view)
        for name, value in view.items():
            # Recursing into every number and text would take most of the time.
            if isinstance(value, _NESTED) and name != "meta":
                # A warning's code is its kind. Codes in the audit log depend on the entity that changed.
                keeps_code = name in ("warnings", "errors") or (
                    name == "changes" and view.get("entity") in _ENTITIES_WITH_VISIBLE_CODES
                )
                _strip_prices(value, keeps_code=keeps_code)
