"""Reading and listing, for whoever may, as far as that person may see."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from application.paging import MOST_PER_PAGE, BadQuery, ListQuery, Page
from application.ports import Read, View, Views
from application.views import PRICED_SORTS
from domain.policy import Actor, Permission
from domain.refusal import NotFound
from domain.text import is_writable

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)


def _conceal_nothing(_: object) -> None:
    """Most things carry no price."""


@dataclass(frozen=True, slots=True)
class Browse(Generic[Item, Query]):
    """One kind of thing to read: ``view`` picks it, ``conceal`` takes off what those who see no prices must not see."""

    read: Read
    permission: Permission
    view: Callable[[Views], View[Item, Query]]
    sorts: frozenset[str]
    conceal: Callable[[Item], None] = _conceal_nothing

    def page(self, actor: Actor, query: Query) -> Page[Item]:
        """A page of the list. Raise ``BadQuery`` for what the list does not know."""
        actor.must(self.permission)
        sees_prices = actor.may(Permission.SEE_PRICES)
        if query.page < 1 or query.page > 2**31:
            raise BadQuery("page")
        if not 1 <= query.limit <= MOST_PER_PAGE:
            raise BadQuery("limit")
        if query.sort and query.sort.field not in (self.sorts if sees_prices else self.sorts - PRICED_SORTS):
            raise BadQuery("sort")
        if query.q and not is_writable(query.q):
            raise BadQuery("q")
        if query.sort and query.cursor:
            raise BadQuery("cursor")
        with self.read() as views:
            page = self.view(views).page(query)
        if not sees_prices:
            for item in page["items"]:
                self.conceal(item)
        return page

    def one(self, actor: Actor, id: int) -> Item:
        """One of them. Raise ``NotFound`` where there is none."""
        actor.must(self.permission)
        with self.read() as views:
            item = self.view(views).one(id)
        if item is None:
            raise NotFound
        if not actor.may(Permission.SEE_PRICES):
            self.conceal(item)
        return item
