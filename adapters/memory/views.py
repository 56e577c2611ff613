"""Read models in memory, with the same answers as the SQL ones."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Any, Generic, TypeVar, cast

from adapters.memory.catalogue import read_catalogue
from adapters.memory.charging import charging_of
from adapters.memory.consistency import doubtful_packs, inconsistencies
from adapters.memory.consumption import MemoryConsumption
from adapters.memory.data import MemoryData
from adapters.memory.names import read_names
from adapters.memory.overview import MemoryOverview
from adapters.memory.packs import MemoryPacks
from adapters.memory.patient_keys import MemoryPatientNumbers
from adapters.memory.summaries import MemorySummaries
from adapters.memory.tracked_changes import read_changed, read_deletions, read_last_changes
from adapters.memory.usual_products import MemoryUsualProducts
from application.catalogue.nearest import nearest
from application.entities import PATIENT, PRODUCT, AuditAction, EntityKind
from application.paging import (
    COUNT_LIMIT,
    InvalidQuery,
    ListQuery,
    Page,
    id_of_key,
    page_of,
    read_cursor,
    write_cursor,
)
from application.ports.identity import ActiveKey, ActiveSession, Session
from application.ports.views import (
    ClosingRecord,
    ClosingSummary,
    Deletion,
    DoubtfulPack,
    Inconsistency,
    PriceChange,
    Tracked,
)
from application.sheets.detail_draft import detail_view
from application.views.audit import ApiKeyNameView, AuditQuery, AuditUserView, AuditView, ImportView
from application.views.catalogue import (
    AreaView,
    CatalogueView,
    CategoryView,
    KitLineView,
    KitProductView,
    KitQuery,
    KitView,
    ProductNameView,
    ProductQuery,
    ProductView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomSheetView,
    RoomView,
)
from application.views.details import DetailQuery, DetailView, ExportedDetailView, UserNameView, Voided, VoidedView
from application.views.messages import OutboundMessageQuery, OutboundMessageView
from application.views.people import PatientQuery, PatientView, PersonView, StaffQuery, StaffView
from application.views.sheets import (
    ConsumptionDayView,
    PlaceView,
    SheetPatientView,
    SheetQuery,
    SheetRoomView,
    SheetView,
    stay_views,
)
from application.views.summaries import SheetDocument
from application.views.users import ApiKeyView, ExpiringKeyView, ServiceAccountView, UserQuery, UserView
from domain import sheet
from domain.api_key import ApiKey
from domain.day import end_of, start_of
from domain.fuzzy_search import Piece, contains
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.interop.outbound_message import OutboundMessage, OutboundState
from domain.kit import Kit, KitLine
from domain.patient import Patient, search_text
from domain.people_search import PeopleSearch, Rank, SearchableFields
from domain.policy import Actor, Role
from domain.scanning.lot import lot_key
from domain.stay import build_stays
from domain.text import (
    MIN_CODE_PART,
    MIN_CODE_PREFIX,
    fold,
    fold_code,
    fold_person,
    fold_product,
    full_name,
    person_words,
    product_words,
    sort_name,
    unique_key,
)
from domain.unlisted_item import UnlistedItem

Item = TypeVar("Item", bound=Mapping[str, Any])
Query = TypeVar("Query", bound=ListQuery)
Detail = TypeVar("Detail", bound=DetailView)

SortKey = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class MemoryView(Generic[Item, Query]):
    """Reads one kind of record.

    ``everything`` returns all records; the other fields define filters, search and order.
    """

    everything: Callable[[], Iterable[Item]]
    matches: Callable[[Item, Query], bool]
    searched: Callable[[Item], tuple[str, ...]]
    order: SortKey
    sorts: Mapping[str, SortKey]
    words_of: Callable[[str], list[str]] = lambda text: fold(text).split()
    exact: Callable[[Item], tuple[str | None, ...]] = lambda _: ()
    code: Callable[[Item], str | None] = lambda _: None
    # Search by the rule for people; it replaces the rules for words and codes above.
    person: Callable[[Item], SearchableFields] | None = None
    newest_first: bool = False
    cursor_key: Callable[[Item], Any] | None = None
    read_key: Callable[[str], Any] = field(default=date.fromisoformat)
    bounded: bool = True

    def one(self, id: int) -> Item | None:
        return next((item for item in self.everything() if item["id"] == id), None)

    def page(self, query: Query) -> Page[Item]:
        """Return one page of the filtered and sorted list."""
        found = [item for item in self.everything() if self.matches(item, query)]
        words = self.words_of(query.q or "")
        ranks: dict[int, Rank] = {}
        if words and self.person:
            search = PeopleSearch(query.q or "")
            ranked = ((item["id"], search.rank(self.person(item))) for item in found)
            ranks = {id_: rank for id_, rank in ranked if rank is not None}
            found = [item for item in found if item["id"] in ranks]
        elif words:
            found = [
                item
                for item in found
                if self._name_matches(item, words)
                or self._is_exact(item, query)
                or self._code_matches(item, query)
                or self._has_in_code(item, query)
            ]
        if query.ids is not None:
            found = [item for item in found if item["id"] in query.ids]
        if query.behind is not None:
            found = sorted((item for item in found if item["id"] > query.behind), key=_id)
            items = found[: query.limit]
            following = str(items[-1]["id"]) if len(found) > len(items) else None
            return page_of(items, query, len(items), following=following)
        total = len(found)
        if query.sort:
            key = self.sorts[query.sort.field]
            found.sort(key=lambda item: (key(item), item["id"]), reverse=query.sort.descending)
        else:
            found.sort(key=self.order, reverse=self.newest_first)
            if self.person:
                found.sort(key=lambda item: ranks.get(item["id"], 0))
            elif words:
                found.sort(key=lambda item: not self._code_begins(item, query))
                found.sort(key=lambda item: not self._name_matches(item, words))
                found.sort(key=lambda item: not self.searched(item)[0].startswith(" ".join(words)))
                found.sort(key=lambda item: not self._code_matches(item, query))
                found.sort(key=lambda item: not self._is_exact(item, query))
        first = query.first
        if query.cursor is not None:
            found, first = self._after(found, query.cursor), 0
        items = found[first : first + query.limit]
        following = None
        if len(found) > first + query.limit:
            if self.cursor_key and not words and not query.sort:
                key = self.cursor_key(items[-1])
                following = write_cursor(key.isoformat() if isinstance(key, date) else str(key), items[-1]["id"])
            else:
                following = query.next_offset()
        counted = total if self.bounded else min(total, COUNT_LIMIT + 1)
        return page_of(items, query, counted, bounded=self.bounded, following=following)

    def _name_matches(self, item: Item, words: list[str]) -> bool:
        return all(any(word in text for text in self.searched(item)) for word in words)

    def _is_exact(self, item: Item, query: Query) -> bool:
        query_text = unique_key((query.q or "").strip())
        return any(text is not None and unique_key(text) == query_text for text in self.exact(item))

    def _code_matches(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        return bool(query_text) and fold_code(self.code(item) or "") == query_text

    def _code_begins(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        return len(query_text) >= MIN_CODE_PREFIX and fold_code(self.code(item) or "").startswith(query_text)

    def _has_in_code(self, item: Item, query: Query) -> bool:
        query_text = fold_code(query.q or "")
        is_inside = len(query_text) >= MIN_CODE_PART and query_text in fold_code(self.code(item) or "")
        return is_inside or self._code_begins(item, query)

    def _after(self, found: list[Item], cursor: str) -> list[Item]:
        if self.cursor_key is None:
            raise InvalidQuery("cursor")
        text, last_id = read_cursor(cursor)
        try:
            last = (self.read_key(text), last_id)
        except ValueError:
            raise InvalidQuery("cursor") from None
        return [item for item in found if (self.cursor_key(item), item["id"]) < last]


class MemoryProductsView(MemoryView[ProductView, ProductQuery]):
    """Reads products."""

    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return the filtered products with the most similar names, best first."""
        everything = {item["id"]: (item, self.searched(item)[0]) for item in self.everything()}
        matching = {each: name for each, (item, name) in everything.items() if self.matches(item, query)}
        names = _Names([name for _, name in everything.values()], matching)
        return [everything[each][0] for each in nearest(query.q or "", names)]


@dataclass(frozen=True)
class _Names:
    """The folded names of all products, and the filtered ones by id."""

    all: Collection[str]
    matching: Mapping[int, str]

    def known(self, words: Collection[str]) -> set[str]:
        """Return the words that occur in a name."""
        return {word for word in words if any(word in name for name in self.all)}

    def with_shared_ngrams(self, pieces: Collection[Piece], required: Collection[str]) -> Iterable[tuple[int, str]]:
        """Return names with at least one of the ngrams and all required words."""
        for each, name in self.matching.items():
            if all(word in name for word in required) and any(contains(name, piece) for piece in pieces):
                yield each, name


class MemoryPatientsView(MemoryView[PatientView, PatientQuery]):
    """Reads patients."""

    def names(self, query: PatientQuery) -> Iterable[tuple[int, str]]:
        """List the folded names that match the query's filters, by id."""
        return ((item["id"], _sorted_as(item)) for item in self.everything() if self.matches(item, query))


class MemoryViews:
    """All read models."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the actor of a session; None once the session has ended."""
        session = self._data.sessions.get(session_id)
        if session is None or session.user_id != user_id or session.expires_at <= at:
            return None
        user = self._data.users[user_id]
        if user.deleted:
            return None
        return ActiveSession(Actor(user_id=user.id, role=user.role, staff_id=user.staff_id), session.used_at)

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """List the user's sessions that have not ended, oldest first."""
        theirs = [one for one in self._data.sessions.values() if one.user_id == user_id and one.expires_at > at]
        return sorted(theirs, key=lambda one: (one.began_at is not None, one.began_at or at, one.id))

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the time of the last change by id, from the audit log."""
        return read_last_changes(self._data, tracked, ids)

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """List the ids above ``behind`` that changed in [since, until), by id."""
        return read_changed(self._data, tracked, since, until, behind=behind, most=most)

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted."""
        return read_deletions(self._data, kind, ids)

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Map patients with that current or former number to the merged record."""
        key = unique_key(number)
        former = self._data.former_record_numbers.get(key, (0,))[0]
        return {
            one.id: one.merged_into or one.id
            for one in self._data.patients.values()
            if one.id == former or (one.record_number is not None and unique_key(one.record_number) == key)
        }

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the actor of an active API key; None if expired or unknown."""
        key = next((one for one in self._data.api_keys.values() if one.digest == digest and one.is_active(at)), None)
        if key is None or self._data.users[key.user_id].deleted:
            return None
        scopes = frozenset(key.scopes)
        actor = Actor(user_id=key.user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=scopes, api_key_id=key.id)
        return ActiveKey(actor, key.networks, self._data.key_uses.get(key.id))

    def service_accounts(self) -> list[ServiceAccountView]:
        """List active service accounts by name, with their keys, latest first."""
        programs = [one for one in self._data.users.values() if one.role is Role.SERVICE_ACCOUNT and not one.deleted]
        return [
            ServiceAccountView(
                id=account.id,
                name=account.email,
                keys=[
                    self._key_view(key) for key in reversed(self._data.api_keys.values()) if key.user_id == account.id
                ],
            )
            for account in sorted(programs, key=lambda one: unique_key(one.email))
        ]

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """List unrevoked keys that expire before that time, soonest first."""
        expiring = [
            (key.expires_at, key.id)
            for key in self._data.api_keys.values()
            if key.revoked_at is None and key.expires_at and key.expires_at < before
        ]
        return [
            ExpiringKeyView(
                id=key_id,
                name=self._data.api_keys[key_id].name,
                service_account=self._data.users[self._data.api_keys[key_id].user_id].email,
                expires_at=expires_at,
            )
            for expires_at, key_id in sorted(expiring)[:most]
        ]

    def _key_view(self, key: ApiKey) -> ApiKeyView:
        refused_at, refused_address = self._data.key_refusals.get(key.id, (None, None))
        return ApiKeyView(
            id=key.id,
            name=key.name,
            prefix=key.prefix,
            scopes=list(key.scopes),
            networks=list(key.networks),
            created_at=key.created_at,
            created_by=AuditUserView(id=key.created_by, email=self._data.users[key.created_by].email),
            expires_at=key.expires_at,
            used_at=self._data.key_uses.get(key.id),
            refused_at=refused_at,
            refused_address=refused_address,
            revoked_at=key.revoked_at,
        )

    @property
    def areas(self) -> MemoryView[AreaView, ListQuery]:
        return MemoryView(
            everything=lambda: [
                AreaView(id=area.id, name=area.name, code=area.code) for area in self._data.areas.values()
            ],
            matches=lambda _, __: True,
            searched=lambda item: (fold(item["name"]),),
            order=_by_name,
            sorts={"id": _id, "name": _folded("name")},
        )

    @property
    def categories(self) -> MemoryView[CategoryView, ListQuery]:
        return MemoryView(
            everything=lambda: [self._category(category_id) for category_id in self._data.categories],
            matches=lambda _, __: True,
            searched=lambda item: (fold(item["name"]),),
            order=_by_name,
            sorts={"id": _id, "name": _folded("name"), "category_code": lambda item: unique_key(item["code"])},
        )

    @property
    def products(self) -> "MemoryProductsView":
        return MemoryProductsView(
            everything=lambda: [self._product(product_id) for product_id in self._data.products],
            matches=lambda item, query: (
                query.category_id in (None, item["category_id"]) and query.active in (None, item["active"])
            ),
            searched=lambda item: (
                fold_product(item["name"]),
                "\n".join(map(fold_product, item["also_called"])),
            ),
            order=lambda item: (fold_product(item["name"]), item["id"]),
            sorts={
                "id": _id,
                "name": lambda item: fold_product(item["name"]),
                "price": lambda item: item["price"],
                "category": lambda item: fold(item["category"]["name"]),
                "code": lambda item: unique_key(item["code"] or ""),
            },
            words_of=product_words,
            exact=lambda item: (item["code"], item["gtin"], *self._codes_of(item["id"])),
            code=lambda item: item["code"],
        )

    @property
    def recalls(self) -> MemoryView[RecallView, RecallQuery]:
        return MemoryView(
            everything=lambda: [
                RecallView(
                    id=one.id,
                    product_id=one.product_id,
                    product=ProductNameView(id=product.id, name=product.name, unit=product.unit),
                    lot=one.lot,
                    reason=one.reason,
                    opened_at=one.opened_at,
                    opened_by=one.opened_by,
                    closed=one.closed_at is not None,
                    closed_at=one.closed_at,
                )
                for one in self._data.recalls.values()
                for product in [self._data.products[one.product_id]]
            ],
            matches=lambda item, query: (
                query.product_id in (None, item["product_id"]) and query.closed in (None, item["closed"])
            ),
            searched=lambda item: (fold_product(item["product"]["name"]),),
            words_of=product_words,
            order=_id,
            sorts={
                "id": _id,
                "product": lambda item: fold_product(item["product"]["name"]),
                "opened_at": lambda item: item["opened_at"],
            },
            newest_first=True,
        )

    @property
    def packs(self) -> MemoryPacks:
        return MemoryPacks(self._data, self._product)

    @property
    def rooms(self) -> MemoryView[RoomView, RoomQuery]:
        return MemoryView(
            everything=lambda: [
                RoomView(
                    id=room.id,
                    name=room.name,
                    code=room.code,
                    status=int(room.status),
                    type=int(room.type),
                    area_id=room.area_id,
                    area=AreaView(id=room.area_id, name=self._data.areas[room.area_id].name),
                    sheets=self._open_sheets_in(room.id),
                )
                for room in self._data.rooms.values()
            ],
            matches=lambda item, query: (
                query.area_id in (None, item["area_id"]) and query.status in (None, item["status"])
            ),
            searched=lambda item: (fold(item["name"]), fold(item["area"]["name"])),
            exact=lambda item: (fold(item["name"]),),
            order=_by_name,
            sorts={
                "id": _id,
                "name": _folded("name"),
                "area": lambda item: fold(item["area"]["name"]),
                "status": lambda item: item["status"],
                "type": lambda item: item["type"],
            },
        )

    @property
    def patient_numbers(self) -> MemoryPatientNumbers:
        return MemoryPatientNumbers(self._data)

    @property
    def patients(self) -> MemoryPatientsView:
        open_sheets = Counter(sheet.patient_id for sheet in self._data.sheets.values() if not sheet.closed)
        return MemoryPatientsView(
            everything=lambda: [
                PatientView(
                    id=patient.id,
                    name=patient.name,
                    first_surname=patient.first_surname,
                    second_surname=patient.second_surname,
                    date_of_birth=patient.date_of_birth,
                    active=int(patient.active),
                    record_number=patient.record_number,
                    open_sheets=open_sheets[patient.id],
                    merged_into=patient.merged_into,
                )
                for patient in self._data.patients.values()
            ],
            matches=lambda item, query: (
                query.active in (None, bool(item["active"]))
                and query.merged in (None, item["merged_into"] is not None)
                and not (query.unnumbered and item["record_number"])
            ),
            searched=lambda _: (),
            words_of=person_words,
            person=lambda item: SearchableFields(
                text=_searched_patient(item, item["record_number"]),
                names=_sorted_as(item),
                record_number=item["record_number"],
                other_numbers=self._former_numbers_of(item["id"]),
            ),
            order=lambda item: (_sorted_as(item), item["id"]),
            sorts={
                "id": _id,
                "name": lambda item: _searched_patient(item, item["record_number"]),
                "first_surname": _sorted_as,
                "date_of_birth": lambda item: item["date_of_birth"] or date.min,
                "active": lambda item: item["active"],
                "record_number": lambda item: unique_key(item["record_number"] or ""),
            },
        )

    @property
    def kits(self) -> MemoryView[KitView, KitQuery]:
        return MemoryView(
            everything=lambda: [self._kit(kit) for kit in self._data.kits.values() if kit.active],
            matches=lambda item, query: (
                query.active
                and item["user_id"] in (None, query.user_id)
                and query.own in (None, item["own"])
                and (item["own"] or query.area_id is None or item["area_id"] in (None, query.area_id))
            ),
            searched=lambda item: (fold(item["name"]),),
            order=lambda item: (not item["own"], item["area_id"] is None, *_by_name(item)),
            sorts={"id": _id, "name": _folded("name")},
        )

    @property
    def staff(self) -> MemoryView[StaffView, StaffQuery]:
        user_ids = {user.staff_id: user.id for user in self._data.users.values()}
        return MemoryView(
            everything=lambda: [
                StaffView(
                    id=person.id,
                    name=person.name,
                    first_surname=person.first_surname,
                    second_surname=person.second_surname,
                    telephone_number=person.telephone_number,
                    job_title=person.job_title,
                    date_of_birth=person.date_of_birth,
                    user_id=user_ids.get(person.id),
                )
                for person in self._data.staff.values()
            ],
            matches=lambda item, query: not query.unassigned or item["user_id"] is None,
            searched=lambda item: (fold_person(_display_name(item)),),
            words_of=person_words,
            order=lambda item: (_sorted_as(item), item["id"]),
            sorts={
                "id": _id,
                "name": lambda item: fold_person(_display_name(item)),
                "first_surname": _sorted_as,
                "job_title": lambda item: item["job_title"] or "",
            },
        )

    @property
    def users(self) -> MemoryView[UserView, UserQuery]:
        return MemoryView(
            everything=lambda: [
                UserView(
                    id=user.id,
                    email=user.email,
                    role=str(int(user.role)),
                    staff_id=user.staff_id,
                    profile=self.staff.one(user.staff_id) if user.staff_id else None,
                )
                for user in self._data.users.values()
                if not user.deleted
            ],
            matches=lambda item, query: query.roles is None or int(item["role"]) in query.roles,
            searched=lambda item: (
                unique_key(item["email"]),
                fold_person(_display_name(item["profile"])) if item["profile"] else "",
            ),
            words_of=person_words,
            order=lambda item: (unique_key(item["email"]), item["id"]),
            sorts={
                "id": _id,
                "email": lambda item: unique_key(item["email"]),
                "role": lambda item: int(item["role"]),
            },
            exact=lambda item: (item["email"],),
        )

    def _api_key(self, id: int | None) -> ApiKeyNameView | None:
        return None if id is None else ApiKeyNameView(id=id, name=self._data.api_keys[id].name)

    def _merged_with(self, patient_id: int) -> set[int]:
        merged = {one.id for one in self._data.patients.values() if one.merged_into == patient_id}
        return {patient_id, *merged}

    @property
    def audit(self) -> "MemoryAuditView":
        return MemoryAuditView(
            everything=lambda: [
                AuditView(
                    id=number,
                    at=entry.at,
                    user=None
                    if entry.user_id is None
                    else AuditUserView(id=entry.user_id, email=self._data.users[entry.user_id].email),
                    action=cast("AuditAction", entry.action),
                    entity=entry.entity,
                    entity_id=entry.entity_id,
                    sheet_id=entry.sheet_id,
                    patient_id=entry.patient_id,
                    api_key=self._api_key(entry.api_key_id),
                    changes={field: list(change) for field, change in entry.changes.items()},
                )
                for number, entry in enumerate(self._data.audit_log, 1)
            ],
            matches=lambda item, query: (
                query.entity in (None, item["entity"])
                and query.entity_id in (None, item["entity_id"])
                and query.user_id in (None, item["user"] and item["user"]["id"])
                and query.action in (None, item["action"])
                and query.sheet_id in (None, item["sheet_id"])
                and (query.patient_id is None or _is_of_patient(item, self._merged_with(query.patient_id)))
                and _is_between(item["at"], query.since, query.until, self._zone)
            ),
            searched=lambda item: (item["action"],),
            order=_id,
            sorts={},
            newest_first=True,
            cursor_key=_id,
            read_key=id_of_key,
            bounded=False,
        )

    @property
    def imports(self) -> MemoryView[ImportView, ListQuery]:
        def user(id: int) -> AuditUserView:
            return AuditUserView(id=id, email=self._data.users[id].email)

        return MemoryView(
            everything=lambda: [
                ImportView(
                    id=one.id,
                    noun=one.noun,
                    file_name=one.file_name,
                    at=one.at,
                    user=user(one.user_id),
                    created=one.created,
                    changed=one.changed,
                    unchanged=one.unchanged,
                    refused=one.refused,
                    undone_at=one.undone_at,
                    undone_by=None if one.undone_by is None else user(one.undone_by),
                )
                for one in self._data.imports.values()
            ],
            matches=lambda _, __: True,
            searched=lambda item: (fold(item["file_name"]),),
            order=_id,
            sorts={"id": _id},
            newest_first=True,
        )

    @property
    def summaries(self) -> MemorySummaries:
        return MemorySummaries(self._data, self._product)

    def inconsistencies(self) -> Iterator[Inconsistency]:
        """Yield everything that does not add up."""
        return inconsistencies(self._data)

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Yield details whose lot or serial was probably scanned off a wristband."""
        return doubtful_packs(self._data)

    def catalogue_version(self) -> int:
        return self._data.versions.get("catalogue", 0)

    def catalogue(self) -> CatalogueView:
        return read_catalogue(self._data)

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """List the sheet's open unlisted items, by time of use."""
        found = [copy(one) for one in self._data.unlisted_items.values() if one.sheet_id == sheet_id and one.open]
        return sorted(found, key=lambda one: (one.occurred_at, one.id))

    def version_of_sheet(self, sheet_id: int) -> int | None:
        sheet = self._data.sheets.get(sheet_id)
        return sheet.version if sheet else None

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """List the product's price changes from the audit log, latest first."""
        found = []
        for entry in reversed(self._data.audit_log):
            if (entry.entity, entry.entity_id) != (PRODUCT.name, product_id) or "price" not in entry.changes:
                continue
            before, after = entry.changes["price"]
            if after is None:
                continue
            first = None if before is None else Decimal(str(before))
            found.append(PriceChange(entry.at, entry.user_id, entry.import_id is not None, first, Decimal(str(after))))
        return found[:most]

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Map ids to names; ``field`` is the name of the reference."""
        return read_names(self._data, field, ids)

    @property
    def closings(self) -> "MemoryClosingsView":
        return MemoryClosingsView(self._data)

    @property
    def inbound_messages(self) -> "MemoryMessagesView":
        return MemoryMessagesView(self._data)

    @property
    def usual_products(self) -> MemoryUsualProducts:
        return MemoryUsualProducts(self._data, self._product)

    @property
    def outbound_messages(self) -> MemoryView[OutboundMessageView, OutboundMessageQuery]:
        def of(one: OutboundMessage) -> OutboundMessageView:
            decided_by = self._data.users.get(one.decided_by or 0)
            return OutboundMessageView(
                id=one.id,
                control_id=one.control_id,
                consumption_sheet_id=one.sheet_id,
                charges=one.charges,
                state=one.state,
                tries=one.tries,
                problem=one.problem,
                created_at=one.created_at,
                next_try_at=one.next_try_at if one.state is OutboundState.WAITING else None,
                sent_at=one.sent_at,
                decided_by=decided_by.email if decided_by else None,
                reason=one.reason,
            )

        return MemoryView(
            everything=lambda: [of(one) for one in self._data.outbound_messages.values()],
            matches=lambda item, query: (
                query.state in (None, item["state"])
                and query.consumption_sheet_id in (None, item["consumption_sheet_id"])
            ),
            searched=lambda item: (fold(item["control_id"]),),
            order=_id,
            sorts={},
            newest_first=True,
            cursor_key=_id,
            read_key=id_of_key,
            bounded=False,
        )

    @property
    def sheets(self) -> "MemorySheetsView":
        return MemorySheetsView(self._data, self._zone)

    @property
    def consumption(self) -> MemoryConsumption:
        return MemoryConsumption(self._data)

    @property
    def overview(self) -> MemoryOverview:
        return MemoryOverview(self._data)

    @property
    def details(self) -> "MemoryDetailsView[DetailView]":
        return self._details_as(self._detail)

    @property
    def exported_details(self) -> "MemoryDetailsView[ExportedDetailView]":
        return self._details_as(self._exported_detail)

    def _details_as(self, view_of: Callable[[int], Detail]) -> "MemoryDetailsView[Detail]":
        return MemoryDetailsView(
            stored=self._data.details,
            view_of=view_of,
            everything=lambda: [view_of(detail_id) for detail_id in self._data.details],
            matches=lambda item, query: (
                _is_listed(item, query.voided)
                and query.product_id in (None, item["product_id"])
                and query.staff_id in (None, item["staff_id"])
                and query.area_id in (None, item["area_id"])
                and (not query.lot or lot_key(item["lot"] or "") == lot_key(query.lot))
                and query.serial in (None, item["serial"])
                and (
                    query.gtin_prefix is None
                    or (item["gtin"] is not None and item["gtin"].startswith(query.gtin_prefix))
                )
                and query.patient_id in (None, self._patient_of(item["consumption_sheet_id"]))
                and (query.since or date.min) <= item["day"] <= (query.until or date.max)
            ),
            searched=lambda item: (fold_product(item["product"]["name"]),),
            words_of=product_words,
            order=lambda item: (item["created_at"], item["id"]),
            sorts={
                "id": _id,
                "created_at": lambda item: item["created_at"],
                "product": lambda item: fold_product(item["product"]["name"]),
                "quantity": lambda item: item["quantity"],
                "unit_price": lambda item: item["unit_price"],
                "total": lambda item: item["total"],
            },
            newest_first=True,
            cursor_key=lambda item: item["created_at"],
            read_key=_moment,
            bounded=False,
        )

    def _patient_of(self, sheet_id: int) -> int:
        patient_id: int = self._data.sheets[sheet_id].patient_id
        return patient_id

    def _open_sheets_in(self, room_id: int) -> list[RoomSheetView]:
        found = [sheet for sheet in self._data.sheets.values() if sheet.room_id == room_id and not sheet.closed]
        return [
            RoomSheetView(
                id=sheet.id,
                patient=_person(self._data.patients[sheet.patient_id]),
                admission_date=sheet.admission_date,
            )
            for sheet in sorted(found, key=lambda sheet: (sheet.admission_date, sheet.id))
        ]

    def _category(self, id: int) -> CategoryView:
        category = self._data.categories[id]
        return CategoryView(id=category.id, code=category.code, name=category.name)

    def _product(self, id: int) -> ProductView:
        product = self._data.products[id]
        return ProductView(
            id=product.id,
            name=product.name,
            price=product.price,
            category_id=product.category_id,
            category=self._category(product.category_id),
            code=product.code,
            gtin=product.gtin,
            unit=product.unit,
            active=product.active,
            decimals=product.decimals,
            asks_lot=product.asks_lot,
            asks_serial=product.asks_serial,
            also_called=list(product.also_called),
        )

    def _former_numbers_of(self, patient_id: int) -> list[str]:
        return [number for whose, number in self._data.former_record_numbers.values() if whose == patient_id]

    def _codes_of(self, product_id: int) -> Iterable[str]:
        """Return all codes of the product; GTINs with and without leading zeros."""
        for code in self._data.product_codes.values():
            if code.product_id == product_id:
                yield code.key
                yield from (code.key[zeros:] for zeros in (1, 2, 6) if code.key[:zeros] == "0" * zeros)

    def _kit(self, kit: Kit) -> KitView:
        def line(one: KitLine) -> KitLineView:
            product = self._data.products[one.product_id]
            shown = KitProductView(
                id=product.id, code=product.code, name=product.name, unit=product.unit, active=product.active
            )
            return KitLineView(product_id=product.id, product=shown, quantity=one.quantity, optional=one.optional)

        area = self._data.areas.get(kit.area_id or 0)
        return KitView(
            id=kit.id,
            name=kit.name,
            area_id=kit.area_id,
            area=AreaView(id=area.id, name=area.name) if area else None,
            own=kit.user_id is not None,
            user_id=kit.user_id,
            lines=[line(one) for one in kit.lines],
            version=kit.version,
        )

    def _detail(self, id: int) -> DetailView:
        detail = self._data.details[id]
        product = self._data.products[detail.product_id]
        view = detail_view(
            detail,
            product,
            self._data.categories[product.category_id],
            self._data.staff.get(detail.staff_id or 0),
            self._data.areas.get(detail.area_id or 0),
            self._data.kits.get(detail.kit_id or 0),
        )
        if detail.voided_at is not None and detail.voided_by is not None:
            user = self._data.users[detail.voided_by]
            person = self._data.staff.get(user.staff_id or 0)
            name = full_name(person.name, person.first_surname, person.second_surname) if person else user.email
            view["voided"] = VoidedView(
                at=detail.voided_at, by=UserNameView(id=user.id, name=name), reason=detail.void_reason
            )
        return view

    def _exported_detail(self, id: int) -> ExportedDetailView:
        patient = self._data.patients[self._data.sheets[self._data.details[id].sheet_id].patient_id]
        room = self._data.rooms.get(self._data.details[id].room_id or 0)
        place = PlaceView(id=room.id, name=room.name) if room else None
        return {**self._detail(id), "patient_id": patient.id, "patient": _sheet_patient(patient), "room": place}


class MemoryClosingsView:
    """Reads closings."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def of_sheet(self, sheet_id: int) -> list[ClosingSummary]:
        """List the sheet's closings, oldest first."""
        found = sorted(one for (of, _), one in self._data.closings.items() if of == sheet_id)
        return [ClosingSummary(one.turn, one.closed_at, one.user_id, one.total, one.lines) for one in found]

    def document(self, sheet_id: int, turn: int | None) -> SheetDocument | None:
        """Return the document of that closing; by default the one in force."""
        of_sheet = [one for (of, _), one in self._data.closings.items() if of == sheet_id]
        if turn is None:
            closed_at = self._data.sheets[sheet_id].closed_at if sheet_id in self._data.sheets else None
            of_sheet = [one for one in of_sheet if one.closed_at == closed_at]
        else:
            of_sheet = [one for one in of_sheet if one.turn == turn]
        return deepcopy(of_sheet[-1].document) if of_sheet else None

    def after(
        self,
        sheet_id: int,
        turn: int,
        *,
        most: int,
        patient_id: int | None = None,
        sheet_ids: Collection[int] | None = None,
    ) -> list[ClosingRecord]:
        """List closings after that one by sheet and turn, for one or all patients."""
        found = sorted(place for place in self._data.closings if place > (sheet_id, turn))
        sheets = self._data.sheets
        places = [
            place
            for place in found
            if patient_id in (None, sheets[place[0]].patient_id) and (sheet_ids is None or place[0] in sheet_ids)
        ]
        following = {place: self._data.closings.get((place[0], place[1] + 1)) for place in places}
        return [
            ClosingRecord(
                sheet_id=place[0],
                patient_id=sheets[place[0]].patient_id,
                turn=place[1],
                closed_at=self._data.closings[place].closed_at,
                replaced_at=(later := following[place]) and later.closed_at,
                reopened=sheets[place[0]].closed_at is None,
                document=deepcopy(self._data.closings[place].document),
            )
            for place in places[:most]
        ]


class MemoryAuditView(MemoryView[AuditView, AuditQuery]):
    """Reads the audit log, newest first; ranges of days are by time."""

    def page(self, query: AuditQuery) -> Page[AuditView]:
        """Return one page of the list."""
        if query.since is None and query.until is None:
            return super().page(query)

        of_days = replace(self, order=lambda item: (item["at"], item["id"]), cursor_key=_at, read_key=_moment)
        return super(MemoryAuditView, of_days).page(query)


@dataclass(frozen=True, kw_only=True)
class MemoryDetailsView(MemoryView[Detail, DetailQuery]):
    """Reads details, latest recorded first; ranges of days are by day."""

    stored: Mapping[int, sheet.Detail]
    view_of: Callable[[int], Detail]

    def page(self, query: DetailQuery) -> Page[Detail]:
        """Return one page of the list."""
        sheet_id = query.consumption_sheet_id
        of_sheet = self if sheet_id is None else replace(self, everything=lambda: self._of_sheet(sheet_id))
        if query.since is None and query.until is None:
            return super(MemoryDetailsView, of_sheet).page(query)
        of_days = replace(
            of_sheet,
            order=lambda item: (item["day"], item["id"]),
            sorts={**self.sorts, "created_at": lambda item: item["day"]},
            cursor_key=lambda item: item["day"],
            read_key=date.fromisoformat,
        )
        return super(MemoryDetailsView, of_days).page(query)

    def _of_sheet(self, sheet_id: int) -> Iterator[Detail]:
        return (self.view_of(each) for each, detail in self.stored.items() if detail.sheet_id == sheet_id)

    def one(self, id: int) -> Detail | None:
        """Return a detail unless it is voided."""
        return self.view_of(id) if id in self.stored and not self.stored[id].voided else None

    def by_ids(self, ids: Collection[int]) -> list[Detail]:
        """Return the details with these ids, voided ones too, by id."""
        return [self.view_of(each) for each in sorted({*ids} & self.stored.keys())]


def _is_listed(item: DetailView, voided: Voided | None) -> bool:
    if voided is Voided.INCLUDE:
        return True
    return ("voided" in item) == (voided is Voided.ONLY)


class MemorySheetsView:
    """Reads sheets; open and closed ones are two lists."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    def one(self, id: int) -> SheetView | None:
        """Return an open or closed sheet with its stays and billing status."""
        if id not in self._data.sheets:
            return None
        return {**self._with_stays(id), "charging": charging_of(self._data, id)}

    def _with_stays(self, id: int) -> SheetView:
        sheet = self._data.sheets[id]
        stays = build_stays(
            admission_date=sheet.admission_date,
            room_id=sheet.room_id,
            closed_at=sheet.closed_at,
            transfers=[one for one in self._data.transfers.values() if one.sheet_id == id],
            zone=self._zone,
        )
        names = {room.id: room.name for room in self._data.rooms.values()}
        return {**self._sheet(id), "stays": stay_views(stays, names)}

    def page(self, query: SheetQuery) -> Page[SheetView]:
        """Return one page of the open or the closed sheets."""
        view = MemoryView[SheetView, SheetQuery](
            everything=lambda: [
                self._with_stays(sheet.id) if query.closed is None else self._sheet(sheet.id)
                for sheet in self._data.sheets.values()
                if query.closed in (None, sheet.closed)
            ],
            matches=self._matches,
            searched=lambda _: (),
            words_of=person_words,
            person=self._searched,
            order=lambda item: (_day_or_moment(item), item["id"]),
            sorts={
                "id": _id,
                "admission_date": lambda item: item["admission_date"],
                "patient": lambda item: _sorted_as(item["patient"]),
                "room": lambda item: fold(item["room"]["name"]),
                "doctor": lambda item: f"{fold_person(item['doctor'])}\t{fold_person(item['diagnosis'])}",
                "deleted_at": lambda item: item["deleted_at"] or 0,
                "total": lambda item: item["total"],
            },
            newest_first=True,
            cursor_key=_day_or_moment,
            read_key=_moment if query.closed else date.fromisoformat,
            bounded=not query.closed,
        )
        return view.page(query)

    def names(self, query: SheetQuery) -> Iterable[tuple[int, str]]:
        """List the folded names and rooms of the filtered open sheets, by id."""
        for item in [self._sheet(one.id) for one in self._data.sheets.values() if not one.closed]:
            if self._matches(item, query):
                yield item["id"], f"{_sorted_as(item['patient'])} {fold(item['room']['name'])}"

    def _searched(self, item: SheetView) -> SearchableFields:
        number, visit = self._data.patients[item["patient_id"]].record_number, item.get("visit_number")
        former = (kept for whose, kept in self._data.former_record_numbers.values() if whose == item["patient_id"])
        return SearchableFields(
            text=_searched_patient(item["patient"], number),
            names=_sorted_as(item["patient"]),
            record_number=number,
            other_numbers=[*former, *([visit] if visit else [])],
            room=item["room"]["name"],
            mentions=f"{fold_person(item['doctor'])}\t{fold_person(item['diagnosis'])}",
        )

    def _matches(self, item: SheetView, query: SheetQuery) -> bool:
        if item["deleted_at"] is not None:
            in_time = _is_between(item["deleted_at"], query.since, query.until, self._zone)
        else:
            day = item["admission_date"]
            in_time = (query.since or day) <= day <= (query.until or day)
        return (
            in_time
            and query.patient_id in (None, item["patient_id"])
            and query.room_id in (None, item["room_id"])
            and query.area_id in (None, item["room"]["area_id"])
        )

    def _sheet(self, id: int) -> SheetView:
        sheet = self._data.sheets[id]
        patient = self._data.patients[sheet.patient_id]
        room = self._data.rooms[sheet.room_id]
        days: dict[date, list[datetime]] = defaultdict(list)
        for detail in self._data.counted:
            if detail.sheet_id == id:
                days[detail.day].append(detail.occurred_at or detail.created_at)
        return SheetView(
            id=sheet.id,
            diagnosis=sheet.diagnosis,
            doctor=sheet.doctor,
            patient_id=patient.id,
            patient=_sheet_patient(patient),
            room_id=room.id,
            room=SheetRoomView(id=room.id, name=room.name, area_id=room.area_id),
            admission_date=sheet.admission_date,
            total=sheet.total,
            closed=sheet.closed,
            deleted_at=sheet.closed_at,
            consumptions=[
                ConsumptionDayView(created_at=min(moments), details=len(moments)) for _, moments in sorted(days.items())
            ],
            late_entries=sum(
                late.sheet_id == id and late.decision is None for late in self._data.late_entries.values()
            ),
            unlisted_items=sum(one.sheet_id == id and one.open for one in self._data.unlisted_items.values()),
            visit_number=sheet.visit_number,
            discharge_proposed_at=sheet.discharge_proposed_at,
            admission_cancelled_at=sheet.admission_cancelled_at,
            version=sheet.version,
        )


class MemoryMessagesView:
    """Reads inbound messages."""

    def __init__(self, data: MemoryData) -> None:
        self._messages: dict[int, InboundMessage] = data.inbound_messages

    def page(self, state: InboundState | None, *, after: int | None, most: int) -> list[InboundMessage]:
        """List the latest messages, or those in one state; held ones oldest first."""
        oldest_first = state is InboundState.HELD
        found = [one for one in self._messages.values() if state in (None, one.state)]
        if after is not None:
            found = [one for one in found if (one.id > after) == oldest_first and one.id != after]
        return [copy(one) for one in sorted(found, key=lambda one: one.id, reverse=not oldest_first)][:most]

    def held(self, received_before: datetime | None = None) -> int:
        """Count the held messages, or those received before that time."""
        return sum(
            one.state is InboundState.HELD and (received_before is None or one.received_at < received_before)
            for one in self._messages.values()
        )

    def one(self, id: int) -> InboundMessage | None:
        return copy(self._messages.get(id))


def _id(item: Mapping[str, Any]) -> Any:
    return item["id"]


def _at(item: Mapping[str, Any]) -> Any:
    return item["at"]


def _folded(name: str) -> SortKey:
    return lambda item: fold(item[name])


def _by_name(item: Mapping[str, Any]) -> tuple[str, int]:
    return fold(item["name"]), item["id"]


def _person(patient: Patient) -> PersonView:
    return PersonView(
        id=patient.id,
        name=patient.name,
        first_surname=patient.first_surname,
        second_surname=patient.second_surname,
    )


def _sheet_patient(patient: Patient) -> SheetPatientView:
    return SheetPatientView(
        **_person(patient), record_number=patient.record_number, date_of_birth=patient.date_of_birth
    )


def _display_name(person: Mapping[str, Any]) -> str:
    return f"{person['name']} {person['first_surname']} {person['second_surname'] or ''}"


def _searched_patient(person: Mapping[str, Any], record_number: str | None) -> str:
    return search_text(person["name"], person["first_surname"], person["second_surname"], record_number)


def _sorted_as(person: Mapping[str, Any]) -> str:
    return sort_name(person["name"], person["first_surname"], person["second_surname"])


def _is_of_patient(entry: AuditView, patient_ids: Collection[int]) -> bool:
    return entry["patient_id"] in patient_ids or (entry["entity"] == PATIENT.name and entry["entity_id"] in patient_ids)


def _day_or_moment(item: Mapping[str, Any]) -> Any:
    return item["deleted_at"] or item["admission_date"]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None


def _is_between(moment: datetime, since: date | None, until: date | None, zone: tzinfo) -> bool:
    not_before = since is None or moment >= start_of(since, zone)
    return not_before and (until is None or moment < end_of(until, zone))
