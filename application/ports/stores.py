"""Where entities of one kind are kept, the audit log and the imports among them."""

from collections.abc import Hashable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol, TypeVar

from application.audit_log import AuditEntry
from application.imports.imported import Import
from application.ports.bulk import BulkStore
from application.views import SheetDocument
from domain.anomalies import RecentDuplicate
from domain.api_key import ApiKey
from domain.area import Area
from domain.charges import Charge
from domain.inbound_message import InboundMessage
from domain.kit import Kit
from domain.lot import PackHistory
from domain.outbound_message import OutboundMessage
from domain.product import Category, Product
from domain.sheet import Detail, DetailReturn, Sheet
from domain.staff import Staff
from domain.stay import Transfer
from domain.user import User

Entity = TypeVar("Entity")


class Store(BulkStore[Entity], Protocol):
    """Keeps entities of one kind. What it hands out is a copy: a change that nobody saved is not kept."""

    def get(self, id: int) -> Entity | None: ...

    def lock(self, id: int) -> Entity | None:
        """The entity, which nobody else changes until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Entity | None:
        """The one whose ``key``, one of those that no two share in ``application.entities``, is that."""

    def add(self, entity: Entity) -> None:
        """Keep a new one and give it its ``id``."""

    def save(self, entity: Entity) -> None: ...

    def remove(self, entity: Entity) -> None:
        """Delete it for good. Raise ``Refused`` (in_use) while others refer to it."""

    def uses(self, id: int) -> int:
        """How many other things refer to it."""


class Users(Store[User], Protocol):
    def administrators(self) -> list[User]:
        """All users of role 10 who may sign in, the oldest first."""

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """That user and all administrators, none of whom anybody else changes until this unit of work ends."""


class ApiKeys(Store[ApiKey], Protocol):
    def note_use(self, id: int, at: datetime) -> None:
        """It was used at that moment."""


class Sheets(Store[Sheet], Protocol):
    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """The sheet that detail is on, locked likewise."""

    def remove(self, sheet: Sheet) -> None:
        """Delete it for good, and its details and transfers with it."""


class Transfers(Protocol):
    """The transfers during stays."""

    def add(self, transfer: Transfer) -> None:
        """Keep a new one and give it its ``id``."""

    def first(self, sheet_id: int) -> Transfer | None:
        """The first one of that sheet."""

    def last(self, sheet_id: int) -> Transfer | None:
        """The last one of that sheet."""

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Those of that sheet, the first one first."""

    def remove(self, transfer: Transfer) -> None:
        """Delete it for good."""


class Closing(NamedTuple):
    """What a closing froze: the ``document`` is the sheet as it was then, with its total and number of lines.

    ``turn`` counts the closings of a sheet that was reopened; ``user_id`` is None where nobody knows any more.
    """

    sheet_id: int
    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int
    document: SheetDocument


class Closings(Protocol):
    """What closings froze."""

    def add(self, closing: Closing) -> None: ...

    def turns(self, sheet_id: int) -> int:
        """The last closing's turn; 0 where there is none."""

    def missing(self, *, after: int, most: int) -> list[int]:
        """The closed sheets behind that id whose closing was not written down, by id."""


class Charges(Protocol):
    """What was charged of sheets, and taken back. It outlives its sheet: whoever bills knows of it."""

    def add_all(self, charges: Sequence[Charge]) -> None: ...

    def of_sheet(self, sheet_id: int) -> list[Charge]:
        """All of that sheet, in their order."""


class OutboundMessages(Store[OutboundMessage], Protocol):
    """The messages for other systems."""

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """The oldest that is due and before which none of its sheet is unfinished, locked.

        One that somebody else takes at this moment is passed over.
        """


class ReferredIds(NamedTuple):
    """The ids that a detail refers to, 0 or None where it names none; and what tells its pack apart."""

    product_id: int
    staff_id: int | None
    area_id: int | None
    kit_id: int | None
    lot_key: str | None = None
    serial: str | None = None


class SheetSince(NamedTuple):
    """A sheet, and from when on what was recorded there is asked for."""

    sheet_id: int
    at: datetime


class References(NamedTuple):
    """What a detail refers to; None for what does not exist."""

    product: Product | None
    category: Category | None
    staff: Staff | None
    area: Area | None
    # Without its lines.
    kit: Kit | None = None
    # The latest of the same product on that sheet.
    earlier: RecentDuplicate | None = None
    pack: PackHistory = PackHistory()
    # Of the product (``domain.anomalies``).
    usual: Decimal | None = None


class Details(Store[Detail], Protocol):
    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Keep a new detail and give it its ``id``, unless one was reserved for it; and what it made of its sheet,
        which is locked.

        Raise ``DuplicateEntry`` where the request that recorded it was sent before.
        """

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """All details of a sheet, the oldest first."""

    def add_return(self, returned: DetailReturn) -> None:
        """Keep what came back of a detail."""

    def entered(self, digests: Sequence[bytes]) -> list[Detail]:
        """The details that were recorded by requests with these digests, voided ones too, in the order of their ids."""

    def first_day(self, sheet_id: int) -> date | None:
        """The first day on which something was used on that sheet."""

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
        """All that a detail refers to, in one look, what is known of that pack of the product, how much of it is usual,
        and what was recorded of it ``since`` then.

        ``but``: the detail on which the serial number may stand.
        """

    def references_of_all(self, asked: Sequence[ReferredIds], since: SheetSince | None = None) -> list[References]:
        """The same of each of several details, in their order and in one look for all of them."""


class Kits(Protocol):
    """Keeps kits, each with its lines."""

    def get(self, id: int) -> Kit | None: ...

    def lock(self, id: int) -> Kit | None:
        """The kit, which nobody else changes until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Kit | None:
        """The one whose ``key``, one of those that no two share in ``application.entities``, is that."""

    def add(self, kit: Kit) -> None:
        """Keep a new one and give it its ``id``."""

    def save(self, kit: Kit) -> None: ...

    def remove(self, kit: Kit) -> None:
        """Delete it for good. Raise ``Refused`` (in_use) while details name it."""

    def uses(self, id: int) -> int:
        """How many details name it."""

    def owned_by(self, user_id: int) -> list[Kit]:
        """The active ones that are that user's own, by id."""


class Favourites(Protocol):
    """The products that people pinned."""

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Keep it at hand for that user, since then unless it is already."""

    def unpin(self, user_id: int, product_id: int) -> None: ...


class RecalledUses(Protocol):
    """What was used although it was recalled."""

    def note(self, detail_ids: Sequence[int]) -> None:
        """They stand until somebody has seen them, anew where somebody has."""

    def see(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Somebody has seen it; false where it stood no more, or never did."""


class FormerRecordNumbers(Protocol):
    """The record numbers of records that were merged into patients: they find the one who goes on."""

    def add(self, patient_id: int, number: str) -> None: ...

    def remove(self, number: str) -> None: ...

    def of(self, patient_id: int) -> list[str]:
        """Those of that patient, by when they were added."""

    def whose(self, number: str) -> int | None:
        """The patient whom that number finds."""


class Unblocked(NamedTuple):
    """What has come that messages may wait for: visits, patients' record numbers, locations of a source."""

    visit_numbers: frozenset[str] = frozenset()
    record_numbers: frozenset[str] = frozenset()
    locations: frozenset[tuple[str, str]] = frozenset()


class InboundMessages(Store[InboundMessage], Protocol):
    """The messages that came in, each of which is kept once by its source, control id and digest."""

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """Those that wait and may have waited for that, by when what they tell of happened."""

    def purge_bodies(self, before: datetime) -> None:
        """Drop what messages said that came before that moment, but for what is held."""


class RoomMappings(Protocol):
    """Which rooms codes of other systems mean, as somebody said once."""

    def room(self, system: str, code: str) -> int | None:
        """The id of the room."""

    def set_room(self, system: str, code: str, room_id: int) -> None: ...


class UnknownCodes(Protocol):
    """The codes that somebody scanned and no product has."""

    def note(self, system: str, code: str, *, at: datetime, user_id: int) -> None:
        """Count one more time."""

    def forget(self, system: str, code: str) -> bool:
        """Whether it was noted; it is not any more."""


class PatientKeys(Protocol):
    """Which texts may be a patient's number or name."""

    def is_known(self, number: str) -> bool:
        """Whether it is a record number, one of a record that was merged, or a visit's number.

        Zeros and stars around it make no difference: a wristband may have them.
        """

    def has_shape(self, shape: str) -> bool:
        """Tell whether one of the latest record numbers has that shape (``domain.patient.number_shape``)."""

    def is_name(self, words: Sequence[str]) -> bool:
        """Tell whether one patient's names have all these words (``domain.text.person_words``), each whole."""


class AuditLog(Protocol):
    """The append-only record of who did what."""

    def append(self, entry: AuditEntry) -> None: ...

    def count(self, action: str) -> None:
        """Count an action in the metrics as those that are appended, without an entry."""

    def append_once(self, entry: AuditEntry, hour: int) -> None:
        """Keep an entry about somebody who did that to that thing, unless one was kept in that hour."""

    def purge_hours(self, before: int) -> None:
        """Drop what is known of earlier hours; the entries stay."""

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Keep several."""

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """What an import did to things of one kind, the last thing first, with the entries' ids.

        ``before``: only what lies before that id.
        """

    def count_of_import(self, import_id: int) -> int:
        """How many entries tell what an import did."""


class Imports(BulkStore[Import], Protocol):
    """What was brought in, and how files of one shape were read."""

    def take_turn(self) -> None:
        """Wait until no other import is being kept; none will be until this unit of work ends."""

    def add(self, imported: Import) -> None:
        """Keep a new one and give it its ``id``."""

    def lock(self, id: int) -> Import | None:
        """The import, which nobody else changes until this unit of work ends."""

    def save(self, imported: Import) -> None: ...

    def knows(self, noun: str, digest: str) -> bool:
        """Whether that very file was brought in as that, and was not undone."""

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Which columns filled which fields the last time that a file of that shape was brought in; nothing yet."""

    def remember(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None: ...
