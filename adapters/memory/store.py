"""The store in this process's memory: all the rules of the others, and nothing to install.

The use-case tests run on it.
"""

import threading
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy, deepcopy
from dataclasses import replace
from datetime import date, datetime, tzinfo
from operator import attrgetter
from typing import Any, Generic, TypeVar

from adapters.memory.charging import MemoryCharges, claim_due
from adapters.memory.data import MemoryData
from adapters.memory.packs import MemoryUnknownCodes, recalled, with_serial
from adapters.memory.patient_keys import MemoryPatientKeys
from adapters.memory.usual_products import usual_of
from adapters.memory.views import MemoryViews
from application.audit_log import AuditEntry
from application.entities import (
    API_KEY,
    AREA,
    DETAIL,
    ENTITIES,
    IMPORT,
    INBOUND_MESSAGE,
    KIT,
    OUTBOUND_MESSAGE,
    PATIENT,
    PRODUCT,
    PRODUCT_CODE,
    ROOM,
    SHEET,
    USER,
    EntityKind,
)
from application.imports.imported import Import
from application.ports.idempotency import IdempotencyKey
from application.ports.identity import Session
from application.ports.recording import RecordingContext, RecordingRequest, begin_recording_sequentially
from application.ports.stores import Closing, References, ReferredIds, SheetSince, Unblocked
from application.ports.unit_of_work import DuplicateEntry
from domain.anomalies import RecentDuplicate
from domain.api_key import ApiKey
from domain.errors import Code, Reason, Refused
from domain.inbound_message import InboundMessage, InboundState
from domain.kit import Kit
from domain.lot import PackHistory
from domain.outbound_message import OutboundMessage
from domain.product import CodeSystem, Product, ProductCode, gtin_key
from domain.sheet import Detail, DetailReturn, Sheet
from domain.stay import Transfer
from domain.text import unique_key
from domain.user import PasswordLink, User

Entity = TypeVar("Entity", bound=Any)
Answer = TypeVar("Answer")


class MemoryStore:
    """Begins units of work, one after the other, and opens what can be read."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._data = MemoryData()
        self._one_at_a_time = threading.RLock()

    @contextmanager
    def begin(self) -> Iterator["MemoryUnitOfWork"]:
        """Begin a unit of work: keeps all on a clean exit, nothing after an exception."""
        with self._one_at_a_time:
            data = self._data.copy()
            yield MemoryUnitOfWork(data, self._zone)
            self._data = data

    @contextmanager
    def begin_read_only(self) -> Iterator["MemoryUnitOfWork"]:
        """Open a unit of work to look things up in, of which nothing is kept."""
        yield MemoryUnitOfWork(self._data.copy(), self._zone)

    @contextmanager
    def begin_bulk_load(self) -> Iterator["MemoryBulkLoad"]:
        """Begin a bulk load."""
        yield MemoryBulkLoad(self.begin)

    @contextmanager
    def read(self) -> Iterator[MemoryViews]:
        """Open what can be read, outside any unit of work."""
        yield MemoryViews(self._data, self._zone)

    # Nobody waits for anybody here.
    read_for_reports = read


class MemoryBulkLoad:
    """What is to be done in a unit of work that has not begun yet."""

    def __init__(self, begin: "Callable[[], AbstractContextManager[MemoryUnitOfWork]]") -> None:
        self._begin = begin
        self._work: MemoryUnitOfWork | None = None
        self._ready: list[Callable[[MemoryUnitOfWork], None]] = []

    def reserve(self, counts: Mapping[EntityKind, int]) -> dict[EntityKind, Sequence[int]]:
        """So many ids of each kind that nothing else will ever have."""
        with nullcontext(self._work) if self._work else self._begin() as work:
            return {kind: kind.store_of(work).reserve(count) for kind, count in counts.items()}

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Make new ones ready."""
        self._ready.append(lambda work: kind.store_of(work).add_all(entities))

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Make changed ones ready."""
        self._ready.append(lambda work: kind.store_of(work).save_all([after for _, after in changes]))

    def leave(self, entries: Sequence[AuditEntry]) -> None:
        """Make entries of the audit log ready."""
        self._ready.append(lambda work: work.audit_log.extend(entries))

    def forget(self) -> None:
        """Throw away what lies ready."""
        self._ready.clear()

    @contextmanager
    def begin(self) -> "Iterator[MemoryUnitOfWork]":
        """Begin a unit of work."""
        with self._begin() as work:
            self._work = work
            try:
                yield work
            finally:
                self._work = None

    def keep(self) -> None:
        """Keep what lies ready."""
        assert self._work is not None, "what lies ready is kept within a unit of work"
        for step in self._ready:
            step(self._work)


class MemoryRepository(Generic[Entity]):
    """Keeps entities of one kind."""

    def __init__(self, data: MemoryData, kind: EntityKind) -> None:
        self._data = data
        self._kind = kind
        self._items: dict[int, Entity] = kind.store_of(data)
        self._last_ids = data.last_ids

    def get(self, id: int) -> Entity | None:
        """The entity with that id."""
        found = self._items.get(id)
        return None if found is None else copy(found)

    def lock(self, id: int) -> Entity | None:
        """The entity; nobody else changes it: there is one unit of work at a time."""
        return self.get(id)

    def add(self, entity: Entity) -> None:
        """Keep a new one and give it an id that none ever had."""
        entity.id = self._last_ids[self._kind.store] = self._last_ids.get(self._kind.store, 0) + 1
        self.save(entity)

    def save(self, entity: Entity) -> None:
        """Keep what changed. Two may not share what must be unique."""
        for field_name in self._kind.unique:
            key = self._kind.keys[field_name]
            mine = key(entity)
            if mine is not None and any(key(other) == mine for other in self._items.values() if other.id != entity.id):
                if field_name == "staff_id":
                    raise Refused(Reason(Code.PROFILE_TAKEN, field_name))
                what, value = f"{self._kind.store}.{field_name}", getattr(entity, field_name)
                raise Refused(Reason(Code.TAKEN, field_name, {"what": what, "value": value}))
        before = self._items.get(entity.id)
        self._items[entity.id] = copy(entity)
        self._change(before, entity)

    def remove(self, entity: Entity) -> None:
        """Delete it for good. It must not be in use."""
        uses = self.uses(entity.id)
        if uses:
            raise Refused(Reason(Code.IN_USE, params={"count": uses}))
        del self._items[entity.id]
        self._change(entity, None)

    def uses(self, id: int) -> int:
        """How many other things refer to it."""
        kept = self._data
        lines = {(kit.id, line.product_id): line for kit in kept.kits.values() for line in kit.lines}
        things = (kept.rooms, kept.products, kept.recalls, kept.sheets, kept.details, kept.users, kept.unlisted_items)
        others = (*things, kept.kits, lines)
        uses: int = sum(getattr(item, self._kind.reference, None) == id for items in others for item in items.values())
        merged: int = sum(one.merged_into == id for one in kept.patients.values()) if self._kind is PATIENT else 0
        left = [one for one in kept.transfers.values() if self._kind is ROOM and one.left_room_id == id]
        return uses + merged + len(left)

    def having(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """All whose key is one of these, by id."""
        del locked  # there is one unit of work at a time
        key_of = self._kind.keys[key] if key != "id" else attrgetter("id")
        return sorted(self.all(lambda item: key_of(item) in values), key=lambda item: item.id)

    def find(self, key: str, value: Hashable) -> Entity | None:
        """The one whose natural key is that."""
        return self.first(lambda item: self._kind.keys[key](item) == value)

    def used(self, ids: Collection[int]) -> set[int]:
        """Which of them others refer to."""
        return {one for one in ids if self.uses(one)}

    def reserve(self, count: int) -> Sequence[int]:
        """Ids that nothing else will ever have."""
        last = self._last_ids.get(self._kind.store, 0)
        self._last_ids[self._kind.store] = last + count
        return range(last + 1, last + count + 1)

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Keep new ones, whose ids were reserved."""
        self.save_all(entities)

    def save_all(self, entities: Sequence[Entity]) -> None:
        """Keep what changed."""
        for entity in entities:
            self.save(entity)

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete them for good."""
        for entity in self.having("id", ids):
            self.remove(entity)

    def _change(self, before: Entity | None, after: Entity | None) -> None:
        """Of what devices keep a copy of there is another version; prices are no part of it."""
        if self._kind is PRODUCT and before and after:
            before = replace(before, price=after.price, category_id=after.category_id)
        if self._kind in (AREA, PRODUCT, PRODUCT_CODE, KIT) and before != after:
            self._data.versions["catalogue"] = self._data.versions.get("catalogue", 0) + 1

    def first(self, matches: Callable[[Entity], bool]) -> Entity | None:
        """The first that matches."""
        return next((copy(item) for item in self._items.values() if matches(item)), None)

    def all(self, matches: Callable[[Entity], bool]) -> list[Entity]:
        """All that match, the oldest first."""
        return [copy(item) for item in self._items.values() if matches(item)]


class MemoryProducts(MemoryRepository[Product]):
    """The products. A product's own GTIN is kept as one of its codes as well."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, PRODUCT)
        self._codes = MemoryRepository[ProductCode](data, PRODUCT_CODE)

    def find(self, key: str, value: Hashable) -> Product | None:
        """The one whose natural key is that."""
        return next(iter(self.having(key, [value])), None) if key == "gtin" else super().find(key, value)

    def having(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Product]:
        """All whose key is one of these, by id. A GTIN, of 14 digits, is that of a pack as well."""
        if key != "gtin":
            return super().having(key, values, locked=locked)
        codes = self._codes.having("code", [(CodeSystem.GTIN, value) for value in values])
        return super().having("id", {code.product_id for code in codes})

    def save(self, entity: Product) -> None:
        """Keep what changed."""
        before = self.get(entity.id)
        super().save(entity)
        if before and before.gtin == entity.gtin:
            return
        if before and before.gtin:
            self._codes.remove_all(
                [code.id for code in self._of(entity.id) if _is_gtin_code(code) and code.key == gtin_key(before.gtin)]
            )
        if entity.gtin:
            code = ProductCode(product_id=entity.id, system=CodeSystem.GTIN, code=gtin_key(entity.gtin))
            if not any(_is_gtin_code(other) and other.key == code.key for other in self._of(entity.id)):
                self._codes.add(code)

    def remove(self, entity: Product) -> None:
        """Delete it for good, and its codes, its pins and what was typed for it."""
        super().remove(entity)
        for pin in [pin for pin in self._data.favourites if pin[1] == entity.id]:
            del self._data.favourites[pin]
        self._codes.remove_all([code.id for code in self._of(entity.id)])
        for typed in [typed for typed in self._data.typed_names.values() if typed.product_id == entity.id]:
            del self._data.typed_names[typed.id]

    def _of(self, product_id: int) -> list[ProductCode]:
        return self._codes.having("product_id", [product_id])


def _is_gtin_code(code: ProductCode) -> bool:
    return code.system is CodeSystem.GTIN


class MemoryUsers(MemoryRepository[User]):
    def administrators(self) -> list[User]:
        """All users of role 10 who may sign in, the oldest first."""
        return self.all(lambda user: user.is_administrator)

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """That user and all administrators; nobody else changes them: there is one unit of work at a time."""
        return self.get(id), self.administrators()


class MemoryApiKeys(MemoryRepository[ApiKey]):
    """The keys of service accounts."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, API_KEY)

    def note_use(self, id: int, at: datetime) -> None:
        """It was used at that moment."""
        self._data.key_uses[id] = at


class MemorySheets(MemoryRepository[Sheet]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, SHEET)
        self._details = data.details
        self._waiting = (data.late_entries, data.unlisted_items)

    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """The sheet that detail is on."""
        detail = self._details.get(detail_id)
        return None if detail is None else self.get(detail.sheet_id)

    def remove(self, sheet: Sheet) -> None:
        """Delete it for good, and its details, transfers, late entries and unlisted items with it."""
        for kept in (self._details, self._data.transfers, *self._waiting):
            for one in [one for one in kept.values() if one.sheet_id == sheet.id]:
                del kept[one.id]
        for key in [key for key in self._data.closings if key[0] == sheet.id]:
            del self._data.closings[key]
        super().remove(sheet)


class MemoryClosings:
    """What closings froze."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, closing: Closing) -> None:
        """Keep one."""
        self._data.closings[closing.sheet_id, closing.turn] = closing._replace(document=deepcopy(closing.document))

    def turns(self, sheet_id: int) -> int:
        """The last closing's turn."""
        return max((one.turn for one in self._data.closings.values() if one.sheet_id == sheet_id), default=0)

    def missing(self, *, after: int, most: int) -> list[int]:
        """The closed sheets behind that id whose closing was not written down."""
        known = {(one.sheet_id, one.closed_at) for one in self._data.closings.values()}
        closed = (one for one in self._data.sheets.values() if one.closed and one.id > after)
        return sorted(one.id for one in closed if (one.id, one.closed_at) not in known)[:most]


class MemoryOutboundMessages(MemoryRepository[OutboundMessage]):
    """The messages for other systems."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, OUTBOUND_MESSAGE)

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """The oldest that is due and before which none of its sheet is unfinished."""
        return claim_due(self._data, at)


class MemoryTransfers:
    """The transfers."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, transfer: Transfer) -> None:
        """Keep a new one and give it its id."""
        transfer.id = self._data.last_ids["transfers"] = self._data.last_ids.get("transfers", 0) + 1
        self._data.transfers[transfer.id] = copy(transfer)

    def first(self, sheet_id: int) -> Transfer | None:
        """The first one of that sheet."""
        return next(iter(self.of_sheet(sheet_id)), None)

    def last(self, sheet_id: int) -> Transfer | None:
        """The last one of that sheet."""
        return next(reversed(self.of_sheet(sheet_id)), None)

    def remove(self, transfer: Transfer) -> None:
        """Delete it for good."""
        del self._data.transfers[transfer.id]

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Those of that sheet, the first one first."""
        return [copy(one) for one in self._data.transfers.values() if one.sheet_id == sheet_id]


class MemoryDetails(MemoryRepository[Detail]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, DETAIL)
        self._sheets = MemorySheets(data)

    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Keep a new detail, and what it made of its sheet."""
        self._must_be_new([detail])
        self.add(detail)
        self._sheets.save(sheet)

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """All details of a sheet, the oldest first."""
        return self.all(lambda detail: detail.sheet_id == sheet_id)

    def add_all(self, entities: Sequence[Detail]) -> None:
        """Keep new ones, whose ids were reserved."""
        self._must_be_new(entities)
        super().add_all(entities)

    def add_return(self, returned: DetailReturn) -> None:
        """Keep what came back of a detail."""
        self._data.detail_returns.append(returned)

    def entered(self, digests: Sequence[bytes]) -> list[Detail]:
        """The details that were recorded by requests with these digests, voided ones too."""
        return self.all(lambda detail: detail.entry_digest in digests)

    def first_day(self, sheet_id: int) -> date | None:
        """The first day on which something was used on that sheet."""
        return min((detail.day for detail in self.on_sheet(sheet_id) if not detail.voided), default=None)

    def _must_be_new(self, details: Sequence[Detail]) -> None:
        digests = [detail.entry_digest for detail in details if detail.entry_digest]
        if digests and self.entered(digests):
            raise DuplicateEntry

    def references(
        self,
        *,
        product_id: int,
        staff_id: int | None,
        area_id: int | None,
        kit_id: int | None = None,
        lot_key: str | None = None,
        serial: str | None = None,
        but: int = 0,
        since: SheetSince | None = None,
    ) -> References:
        """All that a detail refers to, and what is known of that pack."""
        product = self._data.products.get(product_id)
        kit = self._data.kits.get(kit_id or 0)
        return References(
            product=copy(product),
            category=copy(self._data.categories[product.category_id]) if product else None,
            staff=copy(self._data.staff.get(staff_id or 0)),
            area=copy(self._data.areas.get(area_id or 0)),
            pack=PackHistory(
                recall=next((one.reason for one in recalled(self._data, product_id, lot_key)), None),
                serial_on=next(
                    (one.sheet_id for one in with_serial(self._data, product_id, serial) if one.id != but), None
                ),
            ),
            kit=kit and replace(kit, lines=()),
            earlier=self._earlier(product_id, since) if since else None,
            usual=usual_of(self._data, product_id),
        )

    def references_of_all(self, asked: Sequence[ReferredIds], since: SheetSince | None = None) -> list[References]:
        """What each of several details refers to, in their order."""
        return [self.references(**each._asdict(), since=since) for each in asked]

    def _earlier(self, product_id: int, since: SheetSince) -> RecentDuplicate | None:
        """The latest of that product on that sheet."""
        found = [
            detail
            for detail in self._items.values()
            if detail.sheet_id == since.sheet_id
            and detail.product_id == product_id
            and detail.created_at >= since.at
            and not detail.voided
        ]
        if not found:
            return None
        latest = max(found, key=lambda detail: (detail.created_at, detail.id))
        user = self._data.users[latest.user_id]
        by = self._data.staff.get(user.staff_id or 0)
        name = f"{by.name} {by.first_surname}" if by else user.email
        return RecentDuplicate(detail_id=latest.id, by=name, quantity=latest.quantity, at=latest.created_at)


class MemoryKits(MemoryRepository[Kit]):
    """The kits."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, KIT)

    def owned_by(self, user_id: int) -> list[Kit]:
        """The active ones that are that user's own, by id."""
        return self.all(lambda kit: kit.active and kit.user_id == user_id)


class MemoryFavourites:
    """The pins."""

    def __init__(self, data: MemoryData) -> None:
        self._pins = data.favourites

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Keep it at hand for that user, since then unless it is already."""
        self._pins.setdefault((user_id, product_id), at)

    def unpin(self, user_id: int, product_id: int) -> None:
        """Keep it at hand no longer."""
        self._pins.pop((user_id, product_id), None)


class MemoryFormerRecordNumbers:
    """The record numbers of records that were merged into patients."""

    def __init__(self, data: MemoryData) -> None:
        self._numbers = data.former_record_numbers

    def add(self, patient_id: int, number: str) -> None:
        """Keep that it finds that patient."""
        self._numbers[unique_key(number)] = (patient_id, number)

    def remove(self, number: str) -> None:
        """It finds nobody any more."""
        self._numbers.pop(unique_key(number), None)

    def of(self, patient_id: int) -> list[str]:
        """Those of that patient, by when they were added."""
        return [number for whose, number in self._numbers.values() if whose == patient_id]

    def whose(self, number: str) -> int | None:
        """The patient whom that number finds."""
        return self._numbers.get(unique_key(number), (None,))[0]


class MemoryRecalledUses:
    """What was used although it was recalled."""

    def __init__(self, data: MemoryData) -> None:
        self._uses = data.recalled_uses

    def note(self, detail_ids: Sequence[int]) -> None:
        """They stand until somebody has seen them, anew where somebody has."""
        self._uses.update(dict.fromkeys(detail_ids))

    def see(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Somebody has seen it; false where it stood no more, or never did."""
        if detail_id not in self._uses or self._uses[detail_id] is not None:
            return False
        self._uses[detail_id] = (at, user_id)
        return True


class MemorySessions:
    """The sessions."""

    def __init__(self, data: MemoryData) -> None:
        self._sessions = data.sessions

    def add(self, session: Session) -> None:
        """Begin a session."""
        self._sessions[session.id] = session

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """The session, None once it has ended; nobody else changes it: there is one unit of work at a time."""
        session = self._sessions.get(session_id)
        return session if session and session.expires_at > at else None

    def save(self, session: Session) -> None:
        """Keep when it was used and when it expires."""
        self._sessions[session.id] = session

    def end(self, session_id: str) -> None:
        """End a session."""
        self._sessions.pop(session_id, None)

    def end_all(self, user_id: int) -> None:
        """End every session of that user."""
        for session in [session for session in self._sessions.values() if session.user_id == user_id]:
            del self._sessions[session.id]


class MemoryPasswordLinks:
    """The links with which passwords are chosen."""

    def __init__(self, data: MemoryData) -> None:
        self._links = data.password_links
        self._users = data.users

    def add(self, link: PasswordLink) -> None:
        """Store the link, if there is such a user."""
        if link.user_id in self._users:
            self._links[link.digest] = link

    def get(self, digest: str) -> PasswordLink | None:
        """The link with that digest."""
        return self._links.get(digest)

    def take(self, digest: str) -> PasswordLink | None:
        """The link with that digest, which from now on is gone."""
        return self._links.pop(digest, None)

    def drop_all(self, user_id: int) -> None:
        """Drop every link of that user."""
        for link in [link for link in self._links.values() if link.user_id == user_id]:
            del self._links[link.digest]


class MemoryFailedAttempts:
    """Failed sign-ins."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def lock(self, subjects: Sequence[str]) -> None:
        """One unit of work at a time is under way here."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Note a try under each of its subjects."""
        first = max(self._data.failed_attempts, default=0) + 1
        self._data.failed_attempts.update(enumerate([(subject, at) for subject in subjects], first))
        return list(range(first, first + len(subjects)))

    def remove(self, ids: Sequence[int]) -> None:
        """It did not fail."""
        self._keep(lambda number, _subject, _at: number not in ids)

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """When tries failed after that moment, the oldest first."""
        return sorted(when for who, when in self._data.failed_attempts.values() if who == subject and when > at)

    def clear(self, subject: str) -> None:
        """Forget the failures of one subject."""
        self._keep(lambda _number, who, _at: who != subject)

    def purge(self, before: datetime) -> None:
        """Drop what failed before that moment."""
        self._keep(lambda _number, _subject, at: at >= before)

    def _keep(self, wanted: Callable[[int, str, datetime], bool]) -> None:
        for number, (subject, at) in list(self._data.failed_attempts.items()):
            if not wanted(number, subject, at):
                del self._data.failed_attempts[number]


class MemoryIdempotencyStore:
    """What was answered under idempotency keys."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time."""
        del shape  # answers lie here as they were given
        kept = self._data.idempotency_store.get((user_id, idempotency_key.key))
        if kept is None:
            return None
        fingerprint, answer, _ = kept
        if fingerprint != idempotency_key.fingerprint:
            raise Refused(Reason(Code.KEY_REUSED))
        replayed: Any = deepcopy(answer)
        return replayed  # type: ignore[no-any-return]

    def keep(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None:
        """Keep what was answered."""
        self._data.idempotency_store[user_id, idempotency_key.key] = (idempotency_key.fingerprint, deepcopy(answer), at)

    def purge(self, before: datetime, *, but: int) -> None:
        """Drop what was answered before that moment, but for the latest so many."""
        newest_first = sorted(self._data.idempotency_store.items(), key=lambda kept: kept[1][2], reverse=True)
        for key, (_, _, at) in newest_first[but:]:
            if at < before:
                del self._data.idempotency_store[key]


class MemoryAuditLog:
    """The append-only audit log."""

    def __init__(self, data: MemoryData) -> None:
        self._entries = data.audit_log
        self._noted_looks = data.noted_looks

    def append(self, entry: AuditEntry) -> None:
        """Keep an entry."""
        self._entries.append(entry)

    def count(self, action: str) -> None:
        """No metrics here."""

    def append_once(self, entry: AuditEntry, hour: int) -> None:
        """Keep an entry, unless that was kept in that hour."""
        look = (entry.user_id, entry.action, entry.entity_id, hour)
        if look not in self._noted_looks:
            self._noted_looks[look] = True
            self.append(entry)

    def purge_hours(self, before: int) -> None:
        """Drop what is known of earlier hours."""
        for look in [look for look in self._noted_looks if look[-1] < before]:
            del self._noted_looks[look]

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Keep several."""
        self._entries.extend(entries)

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """What an import did to things of one kind, the last thing first, with the entries' ids."""
        wanted = (import_id, entity)
        found = [(n, one) for n, one in enumerate(self._entries, 1) if (one.import_id, one.entity) == wanted]
        return [one for one in reversed(found) if before is None or one[0] < before][:limit]

    def count_of_import(self, import_id: int) -> int:
        """How many entries tell what an import did."""
        return sum(one.import_id == import_id for one in self._entries)


class MemoryImports(MemoryRepository[Import]):
    """The imports, and how files of one shape were read the last time."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, IMPORT)

    def take_turn(self) -> None:
        """There is one unit of work at a time."""

    def knows(self, noun: str, digest: str) -> bool:
        """Whether that very file was brought in as that, and was not undone."""
        return any((one.noun, one.digest) == (noun, digest) for one in self.all(lambda one: one.undone_at is None))

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Which columns filled which fields the last time that a file of that shape was brought in."""
        return self._data.mappings.get((noun, shape), {})

    def remember(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None:
        """Keep it for the next time."""
        self._data.mappings[noun, shape] = dict(mapping)


class MemoryInboundMessages(MemoryRepository[InboundMessage]):
    """The messages that came in."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, INBOUND_MESSAGE)

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """Those that wait and may have waited for that, by when what they tell of happened."""
        numbers = came.record_numbers
        found = self.all(
            lambda one: (
                one.waiting
                and (
                    one.visit_number in came.visit_numbers
                    or one.record_number in numbers
                    or one.prior_number in numbers
                    or (one.source, one.location) in came.locations
                )
            )
        )
        return sorted(found, key=lambda one: (one.event_at, one.id))

    def purge_bodies(self, before: datetime) -> None:
        """Drop what messages said that came before that moment, but for what is held."""
        for one in self.all(lambda one: one.received_at < before and one.state is not InboundState.HELD):
            self.save(replace(one, body=None))


class MemoryRoomMappings:
    """Which rooms codes of other systems mean."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def room(self, system: str, code: str) -> int | None:
        """The id of the room, while there is such a one."""
        room_id = self._data.room_mappings.get((system, code))
        return room_id if room_id in self._data.rooms else None

    def set_room(self, system: str, code: str, room_id: int) -> None:
        """Keep it."""
        self._data.room_mappings[system, code] = room_id


class MemoryUnitOfWork:
    """All that is changed together."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self.products = MemoryProducts(data)
        self.unknown_codes = MemoryUnknownCodes(data)
        self.patient_keys = MemoryPatientKeys(data)
        self.users = MemoryUsers(data, USER)
        self.api_keys = MemoryApiKeys(data)
        self.sessions = MemorySessions(data)
        self.password_links = MemoryPasswordLinks(data)
        self.failed_attempts = MemoryFailedAttempts(data)
        self.sheets = MemorySheets(data)
        self.closings = MemoryClosings(data)
        self.charges = MemoryCharges(data)
        self.outbound_messages = MemoryOutboundMessages(data)
        self.transfers = MemoryTransfers(data)
        self.details = MemoryDetails(data)
        self.idempotency_store = MemoryIdempotencyStore(data)
        self.audit_log = MemoryAuditLog(data)
        self.imports = MemoryImports(data)
        self.kits = MemoryKits(data)
        self.favourites = MemoryFavourites(data)
        self.former_record_numbers = MemoryFormerRecordNumbers(data)
        self.recalled_uses = MemoryRecalledUses(data)
        self.inbound_messages = MemoryInboundMessages(data)
        self.room_mappings = MemoryRoomMappings(data)
        self.views = MemoryViews(data, zone)

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """All that has to be known before a detail can be recorded."""
        return begin_recording_sequentially(self, asked)

    def __getattr__(self, store: str) -> MemoryRepository[Any]:
        """The repository of a kind of thing that needs no more than every kind."""
        kind = next((kind for kind in ENTITIES if kind.store == store), None)
        if kind is None:
            raise AttributeError(store)
        return MemoryRepository(self._data, kind)
