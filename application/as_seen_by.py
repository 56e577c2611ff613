"""What of an answer a person may see: the one way by which prices leave the use cases."""

from typing import Any, TypeVar

from application.views import PRICED_FIELDS, CategoryView
from domain.policy import Actor, Permission

View = TypeVar("View")

_NESTED = (list, dict)
_CATEGORY = CategoryView.__annotations__.keys()


def as_seen_by(actor: Actor, view: View) -> View:
    """The view, or the list of them; for whoever sees no prices without prices, totals and the codes of categories.

    It goes by names, at any depth: a priced field that is added to a view is taken off without anybody's doing. What
    tells about a page (``meta``) counts things, and no money.
    """
    if not actor.may(Permission.SEE_PRICES):
        _take_prices_off(view)
    return view


def _take_prices_off(view: Any) -> None:
    if isinstance(view, list):
        for each in view:
            if isinstance(each, _NESTED):
                _take_prices_off(each)
    elif isinstance(view, dict):
        if view.keys() == _CATEGORY:
            del view["code"]
        for name in PRICED_FIELDS:
            if name in view:
                del view[name]
        for name, value in view.items():
            # A call for each number and text would be most of the work.
            if isinstance(value, _NESTED) and name != "meta":
                _take_prices_off(value)
