"""List the products that are likely to be recorded next on a sheet."""

from dataclasses import dataclass

from application.ports.views import Read
from application.redaction import redact_for
from application.views.catalogue import ProductView, UsualProductsView
from domain.errors import NotFound
from domain.policy import Actor, Permission

# As many as a person takes in at a glance. The user's own products come first, and leave room for the area's.
MOST = 12
MAX_OWN = 6
MAX_PINNED = 6


@dataclass(frozen=True, slots=True)
class ListUsualProducts:
    """List products: pinned ones, the user's latest, the area's usual ones.

    Only active products are listed, each once.
    """

    read: Read

    def __call__(self, actor: Actor, sheet_id: int) -> UsualProductsView:
        actor.require(Permission.READ_SHEETS)
        actor.require(Permission.ADD_DETAILS)
        with self.read() as views:
            area_id = views.usual_products.area_of(sheet_id)
            if area_id is None:
                raise NotFound
            pinned = views.usual_products.pinned(actor.user_id, most=MAX_PINNED)
            own = views.usual_products.of_person(actor.user_id, most=MOST)
            common = views.usual_products.of_area(area_id, most=MOST)
        chosen: dict[int, ProductView] = {}
        for product in [*pinned, *own[:MAX_OWN], *common, *own[MAX_OWN:]]:
            if len(chosen) < MOST:
                chosen.setdefault(product["id"], product)
        view = UsualProductsView(items=list(chosen.values()), pinned=[one["id"] for one in pinned])
        return redact_for(actor, view, UsualProductsView)
