"""Views of usual products and quantities, and of charges that may be missing."""

from decimal import Decimal
from typing import TypedDict

from application.catalogue.views import KitProductView, ProductView


class UsualProductsView(TypedDict):
    """The products that are likely to be recorded next, by number.

    ``pinned`` are the ids of those that the user pinned, ``changed`` of those whose number chose another product in the
    shift before.
    """

    items: list[ProductView]
    pinned: list[int]
    changed: list[int]


class UsualQuantityView(TypedDict):
    """The usual quantity of a product, null if unknown.

    A quantity above ``far_out_above`` causes a question.
    """

    usual_quantity: Decimal | None
    far_out_above: Decimal


class MissedChargeView(TypedDict):
    """A product that is missing on a sheet, and was probably used.

    Of ``sheets`` recent sheets with the product ``because``, ``together`` have the missing one, too. It has no price.
    """

    product: KitProductView
    because_id: int
    because: str
    sheets: int
    together: int


class MissedChargesView(TypedDict):
    """The products to ask about, the most certain first."""

    items: list[MissedChargeView]
