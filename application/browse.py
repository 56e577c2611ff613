"""Reading and listing, for whoever may, as far as that person may see."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

from application.audit import reading
from application.looks import Watch
from application.paging import MOST_PER_PAGE, BadQuery, ListQuery, Page
from application.ports import Begin, Clock, Read, View, Views
from application.views import PRICED_SORTS
from domain.policy import Actor, Permission
from domain.refusal import NotFound
from domain.text import is_writable

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)

# No name is longer, and databases give up on patterns that are much longer.
MOST_SEARCHED = 200

# How many an export reads in one go.
AT_A_TIME = 1_000


def _conceal_nothing(_: object) -> None:
    """Most things carry no price."""


@dataclass(frozen=True, slots=True)
class Browse(Generic[Item, Query]):
    """One kind of thing to read, called by its ``noun``.

    ``view`` picks it, ``conceal`` takes off what those who see no prices must not see. Who reads what is about patients
    (``recorded`` each time, or by a ``watch``), and who takes out whole lists, is noted in the trail, without repeating
    what was read.
    ``exported`` picks what lists that are taken out tell, where that is more than what is read at work.
    """

    begin: Begin
    read: Read
    read_for_reports: Read
    clock: Clock
    noun: str
    permission: Permission
    view: Callable[[Views], View[Item, Query]]
    sorts: frozenset[str]
    conceal: Callable[[Item], None] = _conceal_nothing
    recorded: bool = False
    exported: Callable[[Views], View[Any, Query]] | None = None
    watch: Watch[Any, Query] | None = None

    def page(self, actor: Actor, query: Query) -> Page[Item]:
        """A page of the list. Raise ``BadQuery`` for what the list does not know."""
        self._check(actor, query)
        with self.read() as views:
            page = self.view(views).page(query)
        if not actor.may(Permission.SEE_PRICES):
            for item in page["items"]:
                self.conceal(item)
        if self.recorded:
            self._note(actor, "listed", 0)
        if self.watch:
            self.watch.listed(actor, query, page["items"])
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
        if self.recorded:
            self._note(actor, "read", id)
        if self.watch:
            self.watch.read(actor, item)
        return item

    def changed(self, actor: Actor, id: int) -> Item:
        """One that the actor changed just now, which is noted already."""
        return self.unwatched.one(actor, id)

    @property
    def unwatched(self) -> "Browse[Item, Query]":
        """The same, for whoever notes it otherwise."""
        return replace(self, recorded=False, watch=None)

    def every(self, actor: Actor, query: Query) -> Iterator[Item]:
        """The whole filtered list, some at a time: page and limit are not looked at."""
        self._check(actor, query)
        if not (self.watch and self.watch.exported(actor, query)):
            self._note(actor, "exported", 0)
        return self._walk(actor, replace(query, page=1, limit=AT_A_TIME, cursor=None))

    def _walk(self, actor: Actor, query: Query) -> Iterator[Item]:
        sees_prices = actor.may(Permission.SEE_PRICES)
        view = self.exported or self.view
        while True:
            with self.read_for_reports() as views:
                page = view(views).page(query)
            for item in page["items"]:
                if not sees_prices:
                    self.conceal(item)
                yield item
            following = page["meta"].get("next")
            if following:
                query = replace(query, cursor=following)
            elif query.cursor or len(page["items"]) < query.limit:
                return
            else:
                query = replace(query, page=query.page + 1)

    def _check(self, actor: Actor, query: Query) -> None:
        actor.must(self.permission)
        must_make_sense(query, self.sorts if actor.may(Permission.SEE_PRICES) else self.sorts - PRICED_SORTS)

    def _note(self, actor: Actor, action: str, id: int) -> None:
        with self.begin() as work:
            work.trail.append(reading(actor, self.clock(), f"{self.noun}.{action}", self.noun, id))


def must_make_sense(query: ListQuery, sorts: frozenset[str]) -> None:
    """Raise ``BadQuery`` for a page, an order or a text that no list has."""
    if query.page < 1 or query.page > 2**31:
        raise BadQuery("page")
    if not 1 <= query.limit <= MOST_PER_PAGE:
        raise BadQuery("limit")
    if query.sort and query.sort.field not in sorts:
        raise BadQuery("sort")
    for field in fields(query):
        text = getattr(query, field.name)
        if isinstance(text, str) and (len(text) > MOST_SEARCHED or not is_writable(text)):
            raise BadQuery(field.name)
    if query.sort and query.cursor:
        raise BadQuery("cursor")
