"""In-memory store with all the rules of the SQL one, without setup.

The use-case tests run on it.
"""

import threading
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy, deepcopy
from dataclasses import replace
from datetime import date, datetime, tzinfo
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from adapters.memory.charging import MemoryCharges, claim_due
from adapters.memory.data import MemoryData
from adapters.memory.packs import MemoryUnknownCodes, recalled, with_serial
from adapters.memory.patient_keys import MemoryPatientKeys
from adapters.memory.usual_products import usual_of
from adapters.memory.views import MemoryViews
from application.audit.audit_log import AuditEntry
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
from domain.interop.inbound_message import InboundMessage, InboundState
from domain.interop.outbound_message import OutboundMessage
from domain.kit import Kit
from domain.product import CodeSystem, Product, ProductCode, gtin_key
from domain.scanning.lot import PackHistory
from domain.sheet import Detail, DetailReturn, Sheet
from domain.stay import Transfer
from domain.text import unique_key
from domain.user import PasswordLink, User

Entity = TypeVar("Entity", bound=Any)
Answer = TypeVar("Answer")
Stored = TypeVar("Stored")


class MemoryStore:
    """Begins units of work, one at a time, and opens read models."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._data = MemoryData()
        self._write_lock = threading.RLock()

    @contextmanager
    def begin(self) -> Iterator["MemoryUnitOfWork"]:
        """Begin a unit of work: commit on a clean exit, roll back on an exception."""
        with self._write_lock:
            data = self._data.copy()
            yield MemoryUnitOfWork(data, self._zone)
            self._data = data

    @contextmanager
    def begin_read_only(self) -> Iterator["MemoryUnitOfWork"]:
        """Begin a unit of work whose changes are discarded."""
        yield MemoryUnitOfWork(self._data.copy(), self._zone)

    @contextmanager
    def begin_bulk_load(self) -> Iterator["MemoryBulkLoad"]:
        yield MemoryBulkLoad(self.begin)

    @contextmanager
    def read(self) -> Iterator[MemoryViews]:
        """Open the read models, outside any unit of work."""
        yield MemoryViews(self._data, self._zone)

    # There are no locks between readers here.
    read_for_reports = read


class MemoryBulkLoad:
    """Stages changes for a later unit of work."""

    def __init__(self, begin: "Callable[[], AbstractContextManager[MemoryUnitOfWork]]") -> None:
        self._begin = begin
        self._work: MemoryUnitOfWork | None = None
        self._staged: list[Callable[[MemoryUnitOfWork], None]] = []

    def reserve(self, counts: Mapping[EntityKind, int]) -> dict[EntityKind, Sequence[int]]:
        """Reserve ids: ``count`` per kind, never used again."""
        with nullcontext(self._work) if self._work else self._begin() as work:
            return {kind: kind.store_of(work).reserve(count) for kind, count in counts.items()}

    def add_all(self, kind: EntityKind, entities: Sequence[Any]) -> None:
        """Stage new entities."""
        self._staged.append(lambda work: kind.store_of(work).add_all(entities))

    def change_all(self, kind: EntityKind, changes: Sequence[tuple[Any, Any]]) -> None:
        """Stage changed entities."""
        self._staged.append(lambda work: kind.store_of(work).save_all([after for _, after in changes]))

    def stage_audit(self, entries: Sequence[AuditEntry]) -> None:
        """Stage entries of the audit log."""
        self._staged.append(lambda work: work.audit_log.extend(entries))

    def discard(self) -> None:
        """Discard the staged changes."""
        self._staged.clear()

    @contextmanager
    def begin(self) -> "Iterator[MemoryUnitOfWork]":
        with self._begin() as work:
            self._work = work
            try:
                yield work
            finally:
                self._work = None

    def commit(self) -> None:
        """Commit the staged changes."""
        assert self._work is not None, "what lies ready is kept within a unit of work"
        for step in self._staged:
            step(self._work)


class MemoryRepository(Generic[Entity]):
    """Stores entities of one kind."""

    def __init__(self, data: MemoryData, kind: EntityKind) -> None:
        self._data = data
        self._kind = kind
        self._items: dict[int, Entity] = kind.store_of(data)
        self._last_ids = data.last_ids

    def get(self, id: int) -> Entity | None:
        found = self._items.get(id)
        return None if found is None else copy(found)

    def lock(self, id: int) -> Entity | None:
        """Return the entity. No lock is needed: units of work run one at a time."""
        return self.get(id)

    def add(self, entity: Entity) -> None:
        """Store a new entity under an id that was never used."""
        entity.id = self._last_ids[self._kind.store] = self._last_ids.get(self._kind.store, 0) + 1
        self.save(entity)

    def save(self, entity: Entity) -> None:
        """Store the changes. Raise if a unique key is taken."""
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
        """Delete an unused entity permanently."""
        uses = self.reference_count(entity.id)
        if uses:
            raise Refused(Reason(Code.IN_USE, params={"count": uses}))
        del self._items[entity.id]
        self._change(entity, None)

    def reference_count(self, id: int) -> int:
        """Count the references from other records."""
        kept = self._data
        lines = {(kit.id, line.product_id): line for kit in kept.kits.values() for line in kit.lines}
        things = (kept.rooms, kept.products, kept.recalls, kept.sheets, kept.details, kept.users, kept.unlisted_items)
        others = (*things, kept.kits, lines)
        uses: int = sum(getattr(item, self._kind.reference, None) == id for items in others for item in items.values())
        merged: int = sum(one.merged_into == id for one in kept.patients.values()) if self._kind is PATIENT else 0
        left = [one for one in kept.transfers.values() if self._kind is ROOM and one.left_room_id == id]
        return uses + merged + len(left)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """List the entities whose key is one of these values, by id."""
        del locked  # units of work run one at a time
        key_of = self._kind.keys[key] if key != "id" else attrgetter("id")
        return sorted(self.all(lambda item: key_of(item) in values), key=lambda item: item.id)

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with that natural key."""
        return self.first(lambda item: self._kind.keys[key](item) == value)

    def referenced_ids(self, ids: Collection[int]) -> set[int]:
        """Return the ids that other records refer to."""
        return {one for one in ids if self.reference_count(one)}

    def reserve(self, count: int) -> Sequence[int]:
        """Reserve ids that are never used again."""
        last = self._last_ids.get(self._kind.store, 0)
        self._last_ids[self._kind.store] = last + count
        return range(last + 1, last + count + 1)

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Store new entities with reserved ids."""
        self.save_all(entities)

    def save_all(self, entities: Sequence[Entity]) -> None:
        """Store the changes of several entities."""
        for entity in entities:
            self.save(entity)

    def remove_all(self, ids: Collection[int]) -> None:
        """Delete several entities permanently."""
        for entity in self.find_many("id", ids):
            self.remove(entity)

    def _change(self, before: Entity | None, after: Entity | None) -> None:
        """Increase the version of data that devices copy; prices do not count."""
        if self._kind is PRODUCT and before and after:
            before = replace(before, price=after.price, category_id=after.category_id)
        if self._kind in (AREA, PRODUCT, PRODUCT_CODE, KIT) and before != after:
            self._data.versions["catalogue"] = self._data.versions.get("catalogue", 0) + 1

    def first(self, matches: Callable[[Entity], bool]) -> Entity | None:
        return next((copy(item) for item in self._items.values() if matches(item)), None)

    def all(self, matches: Callable[[Entity], bool]) -> list[Entity]:
        """List the entities that match, oldest first."""
        return [copy(item) for item in self._items.values() if matches(item)]


class MemoryProducts(MemoryRepository[Product]):
    """Products. A product's own GTIN is also one of its codes."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, PRODUCT)
        self._codes = MemoryRepository[ProductCode](data, PRODUCT_CODE)

    def find(self, key: str, value: Hashable) -> Product | None:
        """Return the product with that natural key."""
        return next(iter(self.find_many(key, [value])), None) if key == "gtin" else super().find(key, value)

    def find_many(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Product]:
        """List the products whose key is one of these values, by id.

        A GTIN of 14 digits may also be that of a pack.
        """
        if key != "gtin":
            return super().find_many(key, values, locked=locked)
        codes = self._codes.find_many("code", [(CodeSystem.GTIN, value) for value in values])
        return super().find_many("id", {code.product_id for code in codes})

    def save(self, entity: Product) -> None:
        """Store the changes, and the GTIN among the codes."""
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
        """Delete a product permanently, with its codes, pins and typed names."""
        super().remove(entity)
        for pin in [pin for pin in self._data.favourites if pin[1] == entity.id]:
            del self._data.favourites[pin]
        self._codes.remove_all([code.id for code in self._of(entity.id)])
        for typed in [typed for typed in self._data.typed_names.values() if typed.product_id == entity.id]:
            del self._data.typed_names[typed.id]

    def _of(self, product_id: int) -> list[ProductCode]:
        return self._codes.find_many("product_id", [product_id])


def _is_gtin_code(code: ProductCode) -> bool:
    return code.system is CodeSystem.GTIN


class MemoryUsers(MemoryRepository[User]):
    def administrators(self) -> list[User]:
        """List the administrators who may sign in, oldest first."""
        return self.all(lambda user: user.is_administrator)

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return that user and all administrators.

        No lock is needed: units of work run one at a time.
        """
        return self.get(id), self.administrators()


class MemoryApiKeys(MemoryRepository[ApiKey]):
    """API keys of service accounts."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, API_KEY)

    def record_refusal(self, id: int, address: str, at: datetime) -> None:
        """Set the time and address of the last use from outside the networks."""
        self._data.key_refusals[id] = (at, address)

    def record_use(self, id: int, at: datetime) -> None:
        """Update the time of last use."""
        self._data.key_uses[id] = at


class MemorySheets(MemoryRepository[Sheet]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, SHEET)
        self._details = data.details
        self._waiting = (data.late_entries, data.unlisted_items)

    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """Return the sheet of that detail."""
        detail = self._details.get(detail_id)
        return None if detail is None else self.get(detail.sheet_id)

    def remove(self, sheet: Sheet) -> None:
        """Delete a sheet permanently, with all that belongs to it.

        These are its details, transfers, late entries and unlisted items.
        """
        for kept in (self._details, self._data.transfers, *self._waiting):
            for one in [one for one in kept.values() if one.sheet_id == sheet.id]:
                del kept[one.id]
        for key in [key for key in self._data.closings if key[0] == sheet.id]:
            del self._data.closings[key]
        super().remove(sheet)


class MemoryClosings:
    """Closings, with the documents that they froze."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, closing: Closing) -> None:
        self._data.closings[closing.sheet_id, closing.turn] = closing._replace(document=deepcopy(closing.document))

    def closing_count(self, sheet_id: int) -> int:
        """Return the turn of the last closing."""
        return max((one.turn for one in self._data.closings.values() if one.sheet_id == sheet_id), default=0)

    def missing(self, *, after: int, most: int) -> list[int]:
        """List closed sheets after that id without a stored closing."""
        known = {(one.sheet_id, one.closed_at) for one in self._data.closings.values()}
        closed = (one for one in self._data.sheets.values() if one.closed and one.id > after)
        return sorted(one.id for one in closed if (one.id, one.closed_at) not in known)[:most]


class MemoryOutboundMessages(MemoryRepository[OutboundMessage]):
    """Messages to other systems."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, OUTBOUND_MESSAGE)

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """Return the oldest due message without an unfinished predecessor.

        A predecessor is an earlier message of the same sheet.
        """
        return claim_due(self._data, at)


class MemoryTransfers:
    """Transfers of patients."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def add(self, transfer: Transfer) -> None:
        """Store a new transfer and set its id."""
        transfer.id = self._data.last_ids["transfers"] = self._data.last_ids.get("transfers", 0) + 1
        self._data.transfers[transfer.id] = copy(transfer)

    def first(self, sheet_id: int) -> Transfer | None:
        """Return the sheet's first transfer."""
        return next(iter(self.of_sheet(sheet_id)), None)

    def last(self, sheet_id: int) -> Transfer | None:
        """Return the sheet's last transfer."""
        return next(reversed(self.of_sheet(sheet_id)), None)

    def remove(self, transfer: Transfer) -> None:
        del self._data.transfers[transfer.id]

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """List the sheet's transfers, oldest first."""
        return [copy(one) for one in self._data.transfers.values() if one.sheet_id == sheet_id]


class MemoryDetails(MemoryRepository[Detail]):
    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, DETAIL)
        self._sheets = MemorySheets(data)

    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Store a new detail and its changed sheet."""
        self._must_be_new([detail])
        self.add(detail)
        self._sheets.save(sheet)

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """List the sheet's details, oldest first."""
        return self.all(lambda detail: detail.sheet_id == sheet_id)

    def add_all(self, entities: Sequence[Detail]) -> None:
        """Store new details with reserved ids."""
        self._must_be_new(entities)
        super().add_all(entities)

    def add_return(self, returned: DetailReturn) -> None:
        """Store a return."""
        self._data.detail_returns.append(returned)

    def find_by_entry_digest(self, digests: Sequence[bytes]) -> list[Detail]:
        """List details recorded by requests with these digests, voided ones too."""
        return self.all(lambda detail: detail.entry_digest in digests)

    def first_day(self, sheet_id: int) -> date | None:
        """Return the first day on which something was used on that sheet."""
        return min((detail.day for detail in self.on_sheet(sheet_id) if not detail.voided), default=None)

    def _must_be_new(self, details: Sequence[Detail]) -> None:
        digests = [detail.entry_digest for detail in details if detail.entry_digest]
        if digests and self.find_by_entry_digest(digests):
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
        """Return what a detail refers to, and what is known of its pack."""
        product = self._data.products.get(product_id)
        kit = self._data.kits.get(kit_id or 0)
        return References(
            product=copy(product),
            category=copy(self._data.categories[product.category_id]) if product else None,
            staff=copy(self._data.staff.get(staff_id or 0)),
            area=copy(self._data.areas.get(area_id or 0)),
            pack=PackHistory(
                recall=next((one.reason for one in recalled(self._data, product_id, lot_key)), None),
                sheet_with_serial=next(
                    (one.sheet_id for one in with_serial(self._data, product_id, serial) if one.id != but), None
                ),
            ),
            kit=kit and replace(kit, lines=()),
            earlier=self._recent_duplicate(product_id, since) if since else None,
            usual=usual_of(self._data, product_id),
        )

    def references_of_all(self, asked: Sequence[ReferredIds], since: SheetSince | None = None) -> list[References]:
        """Return the references of several details, in order."""
        return [self.references(**each._asdict(), since=since) for each in asked]

    def _recent_duplicate(self, product_id: int, since: SheetSince) -> RecentDuplicate | None:
        """Return the latest detail of the product on the sheet."""
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
    """Kits."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, KIT)

    def owned_by(self, user_id: int) -> list[Kit]:
        """List the user's own active kits, by id."""
        return self.all(lambda kit: kit.active and kit.user_id == user_id)


class MemoryFavourites:
    """Pinned products."""

    def __init__(self, data: MemoryData) -> None:
        self._pins = data.favourites

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Pin a product; an existing pin keeps its time."""
        self._pins.setdefault((user_id, product_id), at)

    def unpin(self, user_id: int, product_id: int) -> None:
        self._pins.pop((user_id, product_id), None)


class MemoryFormerRecordNumbers:
    """Record numbers of merged records."""

    def __init__(self, data: MemoryData) -> None:
        self._numbers = data.former_record_numbers

    def add(self, patient_id: int, number: str) -> None:
        """Let the number find that patient."""
        self._numbers[unique_key(number)] = (patient_id, number)

    def remove(self, number: str) -> None:
        """Let the number find no patient."""
        self._numbers.pop(unique_key(number), None)

    def of(self, patient_id: int) -> list[str]:
        """List the patient's former numbers, oldest first."""
        return [number for whose, number in self._numbers.values() if whose == patient_id]

    def whose(self, number: str) -> int | None:
        """Return the patient whom that number finds."""
        return self._numbers.get(unique_key(number), (None,))[0]


class MemoryRecalledUses:
    """Uses of recalled lots."""

    def __init__(self, data: MemoryData) -> None:
        self._uses = data.recalled_uses

    def add(self, detail_ids: Sequence[int]) -> None:
        """Note uses as unacknowledged, even if they were acknowledged before."""
        self._uses.update(dict.fromkeys(detail_ids))

    def acknowledge(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Acknowledge a use; return whether it was waiting for that."""
        if detail_id not in self._uses or self._uses[detail_id] is not None:
            return False
        self._uses[detail_id] = (at, user_id)
        return True


class MemorySessions:
    """Sessions."""

    def __init__(self, data: MemoryData) -> None:
        self._sessions = data.sessions

    def add(self, session: Session) -> None:
        self._sessions[session.id] = session

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """Return the session unless it has ended.

        No lock is needed: units of work run one at a time.
        """
        session = self._sessions.get(session_id)
        return session if session and session.expires_at > at else None

    def save(self, session: Session) -> None:
        """Store the times of last use and expiry."""
        self._sessions[session.id] = session

    def revoke(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)

    def revoke_all(self, user_id: int) -> None:
        for session in [session for session in self._sessions.values() if session.user_id == user_id]:
            del self._sessions[session.id]


class MemoryPasswordLinks:
    """Links for choosing a password."""

    def __init__(self, data: MemoryData) -> None:
        self._links = data.password_links
        self._users = data.users

    def add(self, link: PasswordLink) -> None:
        """Store the link if the user exists."""
        if link.user_id in self._users:
            self._links[link.digest] = link

    def get(self, digest: str) -> PasswordLink | None:
        """Return the link with that digest."""
        return self._links.get(digest)

    def consume(self, digest: str) -> PasswordLink | None:
        """Return the link with that digest and delete it."""
        return self._links.pop(digest, None)

    def revoke_all(self, user_id: int) -> None:
        """Delete all links of that user."""
        for link in [link for link in self._links.values() if link.user_id == user_id]:
            del self._links[link.digest]


class MemoryFailedAttempts:
    """Failed sign-in attempts."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def lock(self, subjects: Sequence[str]) -> None:
        """Do nothing: units of work run one at a time."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Store an attempt under each of its subjects."""
        first = max(self._data.failed_attempts, default=0) + 1
        self._data.failed_attempts.update(enumerate([(subject, at) for subject in subjects], first))
        return list(range(first, first + len(subjects)))

    def remove(self, ids: Sequence[int]) -> None:
        """Delete attempts that succeeded."""
        self._keep(lambda number, _subject, _at: number not in ids)

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """List the times of failures after that moment, oldest first."""
        return sorted(when for who, when in self._data.failed_attempts.values() if who == subject and when > at)

    def clear(self, subject: str) -> None:
        """Delete the failures of one subject."""
        self._keep(lambda _number, who, _at: who != subject)

    def purge(self, before: datetime) -> None:
        """Delete failures before that moment."""
        self._keep(lambda _number, _subject, at: at >= before)

    def _keep(self, wanted: Callable[[int, str, datetime], bool]) -> None:
        for number, (subject, at) in list(self._data.failed_attempts.items()):
            if not wanted(number, subject, at):
                del self._data.failed_attempts[number]


class MemoryIdempotencyStore:
    """Answers by idempotency key."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """Return the stored answer, or None the first time."""
        del shape  # answers are stored as objects
        kept = self._data.idempotency_store.get((user_id, idempotency_key.key))
        if kept is None:
            return None
        fingerprint, answer, _ = kept
        if fingerprint != idempotency_key.fingerprint:
            raise Refused(Reason(Code.KEY_REUSED))
        replayed: Any = deepcopy(answer)
        return replayed  # type: ignore[no-any-return]

    def save(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None:
        """Store the answer."""
        self._data.idempotency_store[user_id, idempotency_key.key] = (idempotency_key.fingerprint, deepcopy(answer), at)

    def purge(self, before: datetime, *, but: int) -> None:
        """Delete answers before that time, except the latest ``but``."""
        newest_first = sorted(self._data.idempotency_store.items(), key=lambda kept: kept[1][2], reverse=True)
        for key, (_, _, at) in newest_first[but:]:
            if at < before:
                del self._data.idempotency_store[key]


class MemoryAuditLog:
    """The append-only audit log."""

    def __init__(self, data: MemoryData) -> None:
        self._entries = data.audit_log
        self._noted_reads = data.noted_looks

    def append(self, entry: AuditEntry) -> None:
        self._entries.append(entry)

    def count(self, action: str) -> None:
        """Do nothing: there are no metrics here."""

    def append_once(self, entry: AuditEntry, hour: int) -> None:
        """Append an entry unless an equal one was stored in that hour."""
        look = (entry.user_id, entry.action, entry.entity_id, hour)
        if look not in self._noted_reads:
            self._noted_reads[look] = True
            self.append(entry)

    def purge_hours(self, before: int) -> None:
        """Forget the entries of earlier hours."""
        for look in [look for look in self._noted_reads if look[-1] < before]:
            del self._noted_reads[look]

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Append several entries."""
        self._entries.extend(entries)

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """List an import's entries for one kind of record, last first, with ids."""
        wanted = (import_id, entity)
        found = [(n, one) for n, one in enumerate(self._entries, 1) if (one.import_id, one.entity) == wanted]
        return [one for one in reversed(found) if before is None or one[0] < before][:limit]

    def count_of_import(self, import_id: int) -> int:
        """Count the entries of an import."""
        return sum(one.import_id == import_id for one in self._entries)


class MemoryImports(MemoryRepository[Import]):
    """Imports, and the column mappings used for files of one shape."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, IMPORT)

    def acquire_lock(self) -> None:
        """Do nothing: units of work run one at a time."""

    def has_imported(self, noun: str, digest: str) -> bool:
        """Return whether that file was imported as that noun and not undone."""
        return any((one.noun, one.digest) == (noun, digest) for one in self.all(lambda one: one.undone_at is None))

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Return the column mapping of the last import of that file shape."""
        return self._data.mappings.get((noun, shape), {})

    def save_mapping(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None:
        """Store the column mapping of a file shape."""
        self._data.mappings[noun, shape] = dict(mapping)


class MemoryInboundMessages(MemoryRepository[InboundMessage]):
    """Inbound messages."""

    def __init__(self, data: MemoryData) -> None:
        super().__init__(data, INBOUND_MESSAGE)

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """List held messages that may have waited for that, by event time."""
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
        """Delete the content of messages before that time, except held ones."""
        for one in self.all(lambda one: one.received_at < before and one.state is not InboundState.HELD):
            self.save(replace(one, body=None))


class MemoryRoomMappings:
    """Rooms by the codes of other systems."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def room(self, system: str, code: str) -> int | None:
        """Return the id of the room if it exists."""
        room_id = self._data.room_mappings.get((system, code))
        return room_id if room_id in self._data.rooms else None

    def set_room(self, system: str, code: str, room_id: int) -> None:
        self._data.room_mappings[system, code] = room_id


def _on_first_use(make: "Callable[[MemoryUnitOfWork], Stored]") -> cached_property[Stored]:
    """Return an attribute whose store is created by its first use."""
    return cached_property(make)


class MemoryUnitOfWork:
    """All changes that are committed together."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    products = _on_first_use(lambda work: MemoryProducts(work._data))
    unknown_codes = _on_first_use(lambda work: MemoryUnknownCodes(work._data))
    patient_keys = _on_first_use(lambda work: MemoryPatientKeys(work._data))
    users = _on_first_use(lambda work: MemoryUsers(work._data, USER))
    api_keys = _on_first_use(lambda work: MemoryApiKeys(work._data))
    sessions = _on_first_use(lambda work: MemorySessions(work._data))
    password_links = _on_first_use(lambda work: MemoryPasswordLinks(work._data))
    failed_attempts = _on_first_use(lambda work: MemoryFailedAttempts(work._data))
    sheets = _on_first_use(lambda work: MemorySheets(work._data))
    closings = _on_first_use(lambda work: MemoryClosings(work._data))
    charges = _on_first_use(lambda work: MemoryCharges(work._data))
    outbound_messages = _on_first_use(lambda work: MemoryOutboundMessages(work._data))
    transfers = _on_first_use(lambda work: MemoryTransfers(work._data))
    details = _on_first_use(lambda work: MemoryDetails(work._data))
    idempotency_store = _on_first_use(lambda work: MemoryIdempotencyStore(work._data))
    audit_log = _on_first_use(lambda work: MemoryAuditLog(work._data))
    imports = _on_first_use(lambda work: MemoryImports(work._data))
    kits = _on_first_use(lambda work: MemoryKits(work._data))
    favourites = _on_first_use(lambda work: MemoryFavourites(work._data))
    former_record_numbers = _on_first_use(lambda work: MemoryFormerRecordNumbers(work._data))
    recalled_uses = _on_first_use(lambda work: MemoryRecalledUses(work._data))
    inbound_messages = _on_first_use(lambda work: MemoryInboundMessages(work._data))
    room_mappings = _on_first_use(lambda work: MemoryRoomMappings(work._data))
    views = _on_first_use(lambda work: MemoryViews(work._data, work._zone))

    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Load everything needed to record a detail."""
        return begin_recording_sequentially(self, asked)

    def __getattr__(self, store: str) -> MemoryRepository[Any]:
        """Return the generic repository of a kind."""
        kind = next((kind for kind in ENTITIES if kind.store == store), None)
        if kind is None:
            raise AttributeError(store)
        return MemoryRepository(self._data, kind)
