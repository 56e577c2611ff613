"""Pins: the products that a person wants at hand, before what is usual. A preference, of which nothing is noted."""

from dataclasses import dataclass

from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from domain.errors import NotFound
from domain.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class PinProduct:
    """Keep a product at hand. Pinned again, it stays where it is."""

    begin: Begin
    clock: Clock

    def __call__(self, actor: Actor, product_id: int) -> None:
        actor.must(Permission.MANAGE_OWN_KITS)
        with self.begin() as work:
            if work.products.get(product_id) is None:
                raise NotFound
            work.favourites.pin(actor.user_id, product_id, self.clock())


@dataclass(frozen=True, slots=True)
class UnpinProduct:
    """Keep it at hand no longer."""

    begin: Begin

    def __call__(self, actor: Actor, product_id: int) -> None:
        actor.must(Permission.MANAGE_OWN_KITS)
        with self.begin() as work:
            if work.products.get(product_id) is None:
                raise NotFound
            work.favourites.unpin(actor.user_id, product_id)
