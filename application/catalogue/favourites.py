"""Pin and unpin products: a user's favourites.

They are offered before the usual products. As a personal preference they are not in the audit log.
"""

from dataclasses import dataclass

from application.catalogue.work import Begin
from application.common.clock import Clock
from application.common.use_case import permitted
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class PinProduct:
    """Pin a product. Pinning it again does not change its position."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, product_id: int) -> None:
        with self.begin() as work:
            if work.products.get(product_id) is None:
                raise NotFound
            work.favourites.pin(actor.user_id, product_id, self.clock())


@dataclass(frozen=True, slots=True)
class UnpinProduct:
    """Unpin a product."""

    begin: Begin

    @permitted(Permission.MANAGE_OWN_KITS)
    def __call__(self, actor: Actor, product_id: int) -> None:
        with self.begin() as work:
            if work.products.get(product_id) is None:
                raise NotFound
            work.favourites.unpin(actor.user_id, product_id)
