"""Redaction: what of an answer a person may see. The one way by which prices leave the use cases."""

from typing import Any, TypeVar

from application.entities import AREA, INBOUND_MESSAGE, PRODUCT, PRODUCT_CODE, ROOM, AuditAction
from application.views import PRICED_FIELDS
from domain.policy import Actor, Permission

View = TypeVar("View")

_NESTED = (list, dict)
# Whatever has one of these is no category, and its code is for everybody: a product, a code of one, a room, a message,
# a row of a report. All other codes are taken for those of categories.
_NO_CATEGORY_HAS = frozenset({"category", "unit", "system", "status", "source", "key"})
# What has a code of its own among the things that the audit log tells of, but for categories.
_WITH_OPEN_CODES = frozenset(
    {
        AREA.name,
        INBOUND_MESSAGE.name,
        PRODUCT.name,
        PRODUCT_CODE.name,
        ROOM.name,
        AuditAction.UNKNOWN_CODE_IGNORED.entity,
    }
)


def as_seen_by(actor: Actor, view: View) -> View:
    """The view, or the list of them; for whoever sees no prices without prices, totals and the codes of categories.

    It goes by names, at any depth: a priced field that is added to a view is taken off without anybody's doing. What
    tells about a page (``meta``) counts things, and no money. A warning that quotes a price is taken off whole.
    """
    if not actor.can(Permission.SEE_PRICES):
        _strip_prices(view, keeps_code=False)
    return view


def _take_priced_warnings_off(view: dict[str, Any]) -> None:
    view["warnings"] = [warning for warning in view["warnings"] if PRICED_FIELDS.isdisjoint(warning)]
    if not view["warnings"]:
        del view["warnings"]


def _strip_prices(view: Any, *, keeps_code: bool) -> None:
    if isinstance(view, list):
        for each in view:
            if isinstance(each, _NESTED):
                _strip_prices(each, keeps_code=keeps_code)
    elif isinstance(view, dict):
        if "code" in view and not keeps_code and _NO_CATEGORY_HAS.isdisjoint(view):
            del view["code"]
        for name in PRICED_FIELDS:
            if name in view:
                del view[name]
        if isinstance(view.get("warnings"), list):
            _take_priced_warnings_off(view)
        for name, value in view.items():
            # A call for each number and text would be most of the work.
            if isinstance(value, _NESTED) and name != "meta":
                # A warning's code says of what it warns; in the audit log it depends on what was changed.
                keeps_code = name in ("warnings", "errors") or (
                    name == "changes" and view.get("entity") in _WITH_OPEN_CODES
                )
                _strip_prices(value, keeps_code=keeps_code)
