"""Read and list objects, with permissions and redaction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from application.audit.access_log import AccessLog, AccessRule
from application.audit.audit_log import access_entry
from application.audit.work import Begin, Read
from application.common.clock import Clock
from application.common.entities import AuditAction, EntityKind
from application.common.paging import MAX_ITEMS, MAX_SORTED, PRICED_SORTS, InvalidQuery, ListQuery, Page, read_offset
from application.common.redaction import PRICED_NAMES, redact_for, redacted_fields
from application.common.use_case import retried
from application.common.views import View
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission
from domain.common.text import is_storable

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)

# No name is longer, and databases reject patterns that are much longer.
MAX_QUERY_LENGTH = 200

# The number of objects that an export reads at once.
BATCH_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class ListReader(Generic[Item, Query]):
    """Reads one kind of object, with access logging. Each list is a subclass.

    ``entity`` is its name in the audit log. ``recorded`` logs every access in the audit log; an ``access`` rule logs
    access to patients. Exports are logged in any case. Logging does not repeat the data. ``item_type`` is the type of
    the items for redaction: of those for exports, if they have more fields.
    """

    kind: ClassVar[EntityKind]
    entity: ClassVar[str]
    permission: ClassVar[Permission]
    item_type: ClassVar[type]
    sorts: ClassVar[frozenset[str]]
    recorded: ClassVar[bool] = False
    access: ClassVar[type[Any] | None] = None

    begin: Begin
    read: Read
    read_for_reports: Read
    clock: Clock
    access_log: AccessLog
    is_logged: bool = True

    def __init_subclass__(cls) -> None:
        """Check the audit actions at startup: an unknown one raises here."""
        if "kind" in cls.__dict__:
            cls.entity = cls.kind.name
        for verb in ("exported", *(("listed", "read") if cls.recorded else ())):
            AuditAction(f"{cls.entity}.{verb}")

    def view(self, views: Any) -> View[Item, Query]:
        """Return the view of the list."""
        view: View[Item, Query] = self.kind.store_of(views)
        return view

    def exported_view(self, views: Any) -> View[Any, Query]:
        """Return the view for exports, if it has more data than the one for work."""
        return self.view(views)

    def conceal(self, actor: Actor, item: Item) -> None:
        """Remove data from an item that the actor may not read."""

    @retried
    def page(self, actor: Actor, query: Query) -> Page[Item]:
        """Read a page of the list.

        Raise ``InvalidQuery`` for filters and orders that the list does not have, and ``Refused`` if more than
        ``MAX_SORTED`` items would have to be sorted for each page.
        """
        actor.require(self.permission)
        query = read_offset(query)
        self._check(actor, query)
        if query.sort:
            query = replace(query, max_ordered=MAX_SORTED)
        with self.read() as views:
            page = self.view(views).page(query)
        for item in page["items"]:
            self.conceal(actor, item)
        if self._is_recorded and query.ids is not None:
            self._note(actor, "read", *(item["id"] for item in page["items"]))  # type: ignore[index]
        elif self._is_recorded:
            self._note(actor, "listed", 0)
        if access := self._access:
            access.listed(actor, query, page["items"])
        return Page(items=redact_for(actor, page["items"], self.item_type), meta=page["meta"])

    @retried
    def one(self, actor: Actor, id: int) -> Item:
        """Read one object, or raise ``NotFound``."""
        actor.require(self.permission)
        with self.read() as views:
            item = self.view(views).one(id)
        if item is None:
            raise NotFound
        self.conceal(actor, item)
        if self._is_recorded:
            self._note(actor, "read", id)
        if access := self._access:
            access.read(actor, item)
        return redact_for(actor, item, self.item_type)

    @retried
    def changed(self, actor: Actor, id: int) -> Item:
        """Read an object that the actor has just changed, without logging."""
        return self.without_access_log.one(actor, id)

    @property
    def without_access_log(self) -> Self:
        """The same reader for callers that log access themselves."""
        return replace(self, is_logged=False)

    @property
    def _is_recorded(self) -> bool:
        return self.recorded and self.is_logged

    @property
    def _access(self) -> AccessRule[Any, Query] | None:
        rule = type(self).access
        return rule(self.access_log) if rule and self.is_logged else None

    @retried
    def iterate(self, actor: Actor, query: Query) -> Iterator[Item]:
        """Iterate over the whole filtered list in batches.

        Page and limit are ignored.
        """
        self._check(actor, query)
        access = self._access
        if access and access.exported(actor, query):
            access = None
        else:
            self._note(actor, "exported", 0)
        return self._walk(actor, replace(query, page=1, limit=BATCH_SIZE, cursor=None, offset=None), access)

    def _walk(self, actor: Actor, query: Query, access: AccessRule[Any, Query] | None) -> Iterator[Item]:
        while True:
            with self.read_for_reports() as views:
                page = self.exported_view(views).page(query)
            if access:
                # The caller is retried only until the first item is asked for.
                _name(access, actor, query, page["items"])
            for item in page["items"]:
                self.conceal(actor, item)
                yield redact_for(actor, item, self.item_type)
            following = page["meta"].get("next")
            if following:
                query = replace(query, cursor=following)
            elif query.cursor or len(page["items"]) < query.limit:
                return
            else:
                query = replace(query, page=query.page + 1)

    def _check(self, actor: Actor, query: Query) -> None:
        actor.require(self.permission)
        sees_prices = actor.can(Permission.SEE_PRICES)
        validate_query(query, allowed_sorts(actor, self.sorts, self.item_type))
        for name in () if sees_prices else PRICED_NAMES:
            if getattr(query, name, None) is not None:
                raise InvalidQuery(name)

    def _note(self, actor: Actor, verb: str, *ids: int) -> None:
        if not ids:
            return
        with self.begin() as work:
            action = AuditAction(f"{self.entity}.{verb}")
            work.audit_log.extend([access_entry(actor, self.clock(), action, each) for each in ids])


@retried
def _name(access: AccessRule[Any, Query], actor: Actor, query: Query, items: Sequence[Any]) -> None:
    access.named(actor, query, items)


def allowed_sorts(actor: Actor, sorts: frozenset[str], item_type: type) -> frozenset[str]:
    """Return the sort fields whose order reveals no removed field."""
    return sorts if actor.can(Permission.SEE_PRICES) else sorts - PRICED_SORTS - redacted_fields(item_type)


def validate_query(query: ListQuery, sorts: frozenset[str]) -> None:
    """Raise ``InvalidQuery`` for an invalid page, limit, order or text."""
    if query.page < 1 or query.page > 2**31:
        raise InvalidQuery("page")
    if not 1 <= query.limit <= MAX_ITEMS:
        raise InvalidQuery("limit")
    if query.sort and query.sort.field not in sorts:
        raise InvalidQuery("sort")
    validate_texts(query)
    if query.sort and query.cursor:
        raise InvalidQuery("cursor")


def validate_texts(query: Any) -> None:
    """Raise ``InvalidQuery`` for a text that no stored text contains."""
    for field in fields(query):
        text = getattr(query, field.name)
        if isinstance(text, str) and (len(text) > MAX_QUERY_LENGTH or not is_storable(text)):
            raise InvalidQuery(field.name)
