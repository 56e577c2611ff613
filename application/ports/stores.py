"""Stores of entities, including the audit log and imports."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol, TypeVar

from application.audit.audit_log import AuditEntry
from application.common.imported import Import
from application.ports.bulk import BulkStore
from application.sheets.summary_views import SheetDocument
from domain.accounts.api_key import ApiKey
from domain.accounts.user import User
from domain.billing.charges import Charge
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.picture import ProductPicture
from domain.catalogue.product import Category, Product
from domain.catalogue.usual_products import UsualNumbers
from domain.common.errors import Code
from domain.interop.inbound_message import InboundMessage
from domain.interop.outbound_message import OutboundMessage
from domain.people.staff import Staff
from domain.scanning.lot import PackHistory
from domain.sheets.anomalies import Judgement, Oddity, RecentDuplicate
from domain.sheets.device_outbox import DeviceOutbox
from domain.sheets.missed_charges import ProductPair
from domain.sheets.notice import Notice
from domain.sheets.sheet import Detail, DetailReturn, Sheet
from domain.sheets.stay import Transfer
from domain.status.backup import Backup

Entity = TypeVar("Entity")


class Store(BulkStore[Entity], Protocol):
    """Stores entities of one kind.

    It returns copies: a change takes effect only when it is saved.
    """

    def get(self, id: int) -> Entity | None: ...

    def lock(self, id: int) -> Entity | None:
        """Return the entity, locked until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Entity | None:
        """Return the entity with that unique key of its kind."""

    def add(self, entity: Entity) -> None:
        """Store a new entity and set its ``id``."""

    def save(self, entity: Entity) -> None: ...

    def remove(self, entity: Entity) -> None:
        """Delete the entity. Raise ``Refused`` (in_use) if others refer to it."""

    def reference_count(self, id: int) -> int:
        """Return how many other entities refer to it."""


class Users(Store[User], Protocol):
    def has_people(self) -> bool:
        """Return whether a person has ever had an account."""

    def administrators(self) -> list[User]:
        """Return all administrators who can sign in, the oldest first."""

    def find_linked(self, issuer: str, subject: str) -> User | None:
        """Return the user who is linked to that account at the provider.

        A deleted user is returned too.
        """

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """Return the user and all administrators, locked.

        The locks last until this unit of work ends.
        """


class ApiKeys(Store[ApiKey], Protocol):
    def record_refusal(self, id: int, address: str, at: datetime) -> None:
        """Set the time and address of the last use from outside the networks."""

    def record_use(self, id: int, at: datetime) -> None:
        """Store the time of a use."""


class Sheets(Store[Sheet], Protocol):
    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """Return the sheet of a detail, locked until this unit of work ends."""

    def remove(self, sheet: Sheet) -> None:
        """Delete the sheet with its details and transfers."""


class Transfers(Protocol):
    """Transfers during stays."""

    def add(self, transfer: Transfer) -> None:
        """Store a new transfer and set its ``id``."""

    def first(self, sheet_id: int) -> Transfer | None:
        """Return the first transfer of a sheet."""

    def last(self, sheet_id: int) -> Transfer | None:
        """Return the last transfer of a sheet."""

    def of_sheet(self, sheet_id: int) -> list[Transfer]:
        """Return the transfers of a sheet, the first one first."""

    def remove(self, transfer: Transfer) -> None:
        """Delete the transfer."""


class Closing(NamedTuple):
    """A frozen sheet: the ``document`` with total and number of lines.

    ``turn`` is the number of the closing on its sheet. ``user_id`` is None if it is unknown who closed the sheet.
    ``digest`` is the SHA-256 of the secret ``salt`` and the document. Both are None until the backfill, for closings
    that an earlier version stored.
    """

    sheet_id: int
    turn: int
    closed_at: datetime
    user_id: int | None
    total: Decimal
    lines: int
    document: SheetDocument
    salt: str | None = None
    digest: str | None = None


class Closings(Protocol):
    """The closings of sheets."""

    def add(self, closing: Closing) -> Closing:
        """Store a closing. Return it with the digest of its document and salt."""

    def without_digest(self, *, after: tuple[int, int], most: int) -> list[tuple[int, int]]:
        """Return sheet ids and numbers of closings without a digest, in order."""

    def add_digest(self, sheet_id: int, turn: int, salt: str) -> None:
        """Store the digest of a closing's document, unless it has one."""

    def closing_count(self, sheet_id: int) -> int:
        """Return the number of the last closing, or 0."""

    def missing(self, *, after: int, most: int) -> list[int]:
        """Return closed sheets after an id whose closing is not stored, by id."""


class Charges(Protocol):
    """Charges and credits of sheets.

    They stay when their sheet is deleted, because billing has them.
    """

    def add_all(self, charges: Sequence[Charge]) -> None: ...

    def of_sheet(self, sheet_id: int) -> list[Charge]:
        """Return all charges of a sheet, in order."""


class OutboundMessages(Store[OutboundMessage], Protocol):
    """Messages for other systems."""

    def claim_due(self, at: datetime) -> OutboundMessage | None:
        """Return the oldest message that is due, locked.

        A message is skipped if an earlier one of its sheet is unfinished, or if another transaction has locked it.
        """


class ReferredIds(NamedTuple):
    """The ids that a detail refers to, and the pack's lot and serial.

    An id is 0 or None if the detail does not have it.
    """

    product_id: int
    staff_id: int | None
    area_id: int | None
    kit_id: int | None
    lot_key: str | None = None
    serial_key: str | None = None


class SheetSince(NamedTuple):
    """A sheet, and the time since which duplicates are searched."""

    sheet_id: int
    at: datetime


class References(NamedTuple):
    """The entities that a detail refers to; None for missing ones."""

    product: Product | None
    category: Category | None
    staff: Staff | None
    area: Area | None
    # The kit without its lines.
    kit: Kit | None = None
    # The latest detail with the same product on the sheet.
    earlier: RecentDuplicate | None = None
    pack: PackHistory = PackHistory()
    # The usual quantity of the product (``domain.sheets.anomalies``).
    usual: Decimal | None = None


class Details(Store[Detail], Protocol):
    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Store a new detail and its changed sheet, which is locked.

        The detail gets an ``id``, unless one was reserved. Raise ``DuplicateEntry`` if the same request recorded it
        before.
        """

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """Return all details of a sheet, the oldest first."""

    def add_return(self, returned: DetailReturn) -> None:
        """Store a return of a part of a detail."""

    def find_by_entry_digest(self, digests: Sequence[bytes]) -> list[Detail]:
        """Return details by the digests of their requests, by id.

        Voided details are included.
        """

    def first_day(self, sheet_id: int) -> date | None:
        """Return the first day of use on a sheet."""

    def references(
        self,
        *,
        product_id: int,
        staff_id: int | None,
        area_id: int | None,
        kit_id: int | None = None,
        lot_key: str | None = None,
        serial_key: str | None = None,
        but: int = 0,
        since: SheetSince | None = None,
    ) -> References:
        """Read everything that a detail refers to, in one query.

        It includes the pack's history, the usual quantity of the product, and a possible duplicate ``since`` a time.
        ``but`` is a detail that may have the same serial number.
        """

    def references_of_all(self, asked: Sequence[ReferredIds], since: SheetSince | None = None) -> list[References]:
        """Do the same for several details in one query, in their order."""


class Kits(Protocol):
    """Stores kits with their lines."""

    def get(self, id: int) -> Kit | None: ...

    def lock(self, id: int) -> Kit | None:
        """Return the kit, locked until this unit of work ends."""

    def find(self, key: str, value: Hashable) -> Kit | None:
        """Return the kit with that unique key (``application.common.entities``)."""

    def add(self, kit: Kit) -> None:
        """Store a new kit and set its ``id``."""

    def save(self, kit: Kit) -> None: ...

    def remove(self, kit: Kit) -> None:
        """Delete the kit. Raise ``Refused`` (in_use) if details refer to it."""

    def reference_count(self, id: int) -> int:
        """Return how many details refer to the kit."""

    def owned_by(self, user_id: int) -> list[Kit]:
        """Return a user's own active kits, by id."""


class Favourites(Protocol):
    """The products that users pinned."""

    def pin(self, user_id: int, product_id: int, at: datetime) -> None:
        """Pin a product for a user, unless it is pinned already."""

    def unpin(self, user_id: int, product_id: int) -> None: ...


class StoredUsualNumbers(Protocol):
    """The numbers of usual products, by user and area."""

    def lock(self, user_id: int, area_id: int) -> UsualNumbers | None:
        """Return the numbers, locked; None without any.

        Others that lock them wait, also for numbers that do not exist yet.
        """

    def save(self, user_id: int, area_id: int, numbers: UsualNumbers) -> None: ...


class ProductPictures(Protocol):
    """Pictures of products, at most one of each."""

    def get(self, product_id: int) -> ProductPicture | None: ...

    def digest(self, product_id: int) -> str | None:
        """Return the digest of a product's picture."""

    def save(self, picture: ProductPicture) -> None:
        """Store a picture, instead of an earlier one. The product is locked."""

    def remove(self, product_id: int) -> None: ...


class RecalledUses(Protocol):
    """Uses of recalled lots that supervisors have to see."""

    def add(self, detail_ids: Sequence[int]) -> None:
        """List these details until they are seen, also if they were before."""

    def acknowledge(self, detail_id: int, at: datetime, user_id: int) -> bool:
        """Mark a use as seen. Return False if it was not on the list."""


class Judgements(Protocol):
    """Unusual lines and sheets that a user judged right."""

    def save(self, judgement: Judgement) -> None:
        """Store a judgement, instead of an earlier one of the same."""

    def remove(self, kind: Oddity, entity_id: int) -> bool:
        """Remove a judgement. Return False if there is none."""


class Notices(Protocol):
    """What others changed on users' lines, for these users."""

    def add_all(self, notices: Sequence[Notice]) -> None:
        """Store new notices."""

    def mark_seen(self, user_id: int, ids: Sequence[int], at: datetime) -> None:
        """Mark unseen notices of the user as seen. Others are ignored."""

    def purge(self, before: datetime) -> None:
        """Delete the notices from before that moment."""


class MissedChargeAnswer(NamedTuple):
    """Whether a product that is missing on a sheet was used.

    ``because_id`` is the product for which it was asked about.
    """

    sheet_id: int
    product_id: int
    because_id: int
    used: bool


class MissedCharges(Protocol):
    """Learned product pairs, and the answers to questions about them."""

    def replace_pairs(self, pairs: Sequence[ProductPair], *, max_denied: int) -> None:
        """Store the learned pairs, instead of the earlier ones.

        The stored numbers of denials stay. Of the pairs that are no longer learned, those denied most often are kept.
        """

    def pair(self, because_id: int, product_id: int) -> ProductPair | None:
        """Return a pair, also one that is no longer learned."""

    def answer(self, sheet_id: int, product_id: int) -> MissedChargeAnswer | None:
        """Return the answer about a product on a sheet."""

    def count_denial(self, because_id: int, product_id: int, change: int) -> int | None:
        """Change how often a pair was denied.

        Return the number, or None if the pair is gone.
        """

    def save_answer(self, answer: MissedChargeAnswer) -> None:
        """Store an answer, instead of an earlier one about the same product."""

    def purge_answers(self, closed_before: datetime) -> None:
        """Delete the answers on sheets that were closed before a moment."""


class JobLeases(Protocol):
    """Background jobs that one of several processes runs."""

    def claim(self, job: str, at: datetime, until: datetime) -> bool:
        """Claim a job if it is due. Return whether this process runs it.

        The job is due again at ``until``, in case this process is killed.
        """

    def set_due(self, job: str, at: datetime) -> None:
        """Set when a job is due again."""


class DeviceOutboxes(Protocol):
    """The unsent lines that devices reported, by device and user."""

    def save(self, outbox: DeviceOutbox) -> None:
        """Store a report, instead of an earlier one of the same."""

    def get(self, id: int) -> DeviceOutbox | None: ...

    def remove(self, device_id: str, user_id: int) -> None:
        """Delete the report, if there is one."""

    def keep_latest(self, user_id: int, most: int) -> None:
        """Delete a user's reports but the latest ones."""

    def purge(self, before: datetime) -> None:
        """Delete reports from before a moment."""


class Backups(Protocol):
    """The backups that were made."""

    def add(self, backup: Backup) -> None:
        """Store that a backup was made."""


class FormerRecordNumbers(Protocol):
    """Former record numbers from merges; they find the surviving patient."""

    def add(self, patient_id: int, number: str) -> None: ...

    def remove(self, number: str) -> None: ...

    def of(self, patient_id: int) -> list[str]:
        """Return the former numbers of a patient, the oldest first."""

    def whose(self, number: str) -> int | None:
        """Return the patient with that former number."""


class NumberAuthorities(Protocol):
    """The authorities that assigned the record numbers in messages."""

    def patients_by_authority(self, number: str) -> dict[str, int]:
        """Return the patient whom the number means, for each authority."""

    def set_patient(self, number: str, authority: str, patient_id: int) -> None: ...


class Unblocked(NamedTuple):
    """New data for which held messages may wait.

    It has visit numbers, record numbers, and locations with their source.
    """

    visit_numbers: frozenset[str] = frozenset()
    record_numbers: frozenset[str] = frozenset()
    locations: frozenset[tuple[str, str]] = frozenset()


class InboundMessages(Store[InboundMessage], Protocol):
    """Inbound messages, unique by source, control id and digest."""

    def waiting(self, came: Unblocked) -> list[InboundMessage]:
        """Return messages that may wait for this data, by event time.

        A message whose patient class is not taken waits for its visit alone.
        """

    def waiting_reasons(self, visit_number: str, *, besides: int) -> set[tuple[Code, str]]:
        """Return why messages of a visit wait, with their kinds, except one."""

    def refused(self) -> int:
        """Return the number of refused messages."""

    def purge(self, before: datetime) -> None:
        """Delete old texts and old refused messages.

        Those from before that moment are old. Held messages keep their texts. Messages without a text no
        longer wait for data.
        """


class RoomMappings(Protocol):
    """Rooms for the codes of other systems, as set by administrators."""

    def room(self, system: str, code: str) -> int | None:
        """Return the id of the room."""

    def set_room(self, system: str, code: str, room_id: int) -> None: ...


class ReceiverSettings(Protocol):
    """Digest of the settings by which the receiver parses messages."""

    def digest(self) -> str | None:
        """Return the digest; None if the receiver never ran."""

    def set_digest(self, digest: str) -> None: ...


class UnknownCodes(Protocol):
    """Scanned codes that no product has."""

    def count(self, system: str, code: str, *, at: datetime, user_id: int) -> None:
        """Count one more scan of the code."""

    def remove(self, system: str, code: str) -> bool:
        """Delete the code. Return whether it was stored."""

    def is_noted(self, system: str, code: str) -> bool:
        """Return whether the code is stored."""

    def scanned_by(self, user_id: int, since: datetime) -> int:
        """Return how many codes that user was the last to scan since then."""

    def purge(self, before: datetime) -> None:
        """Delete the codes that were last scanned before a moment."""


class PatientKeys(Protocol):
    """Checks whether a text may be a patient's number or name."""

    def are_known(self, numbers: Sequence[str]) -> bool:
        """Return whether one is a current or former record or visit number.

        Leading zeros and surrounding stars are ignored, because a wristband may have them.
        """

    def have_shape(self, shapes: Collection[str]) -> bool:
        """Return whether a recent record number has one of the shapes.

        See ``domain.people.patient.number_shape``.
        """

    def is_name(self, words: Sequence[str]) -> bool:
        """Return whether the names of one patient contain all these words.

        Words have to match completely (``domain.common.text.person_words``).
        """


class AuditLog(Protocol):
    """The append-only audit log."""

    def append(self, entry: AuditEntry) -> None: ...

    def count(self, action: str) -> None:
        """Count an action in the metrics without adding an entry."""

    def append_once(self, entries: Sequence[AuditEntry], hour: int) -> None:
        """Add each entry, unless the hour has one for the same object.

        The entries are of one user and action, each about another object.
        """

    def purge_hours(self, before: int) -> None:
        """Forget which entries earlier hours have. The entries stay."""

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Add several entries."""

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """Return an import's entries about one kind, the last first.

        Each comes with its id. ``before`` limits them to smaller ids.
        """

    def count_of_import(self, import_id: int) -> int:
        """Return the number of entries of an import."""


class Imports(BulkStore[Import], Protocol):
    """Imports, and how files of each shape were mapped."""

    def acquire_lock(self) -> None:
        """Take the import lock until this unit of work ends.

        It waits for other imports that are being committed.
        """

    def add(self, imported: Import) -> None:
        """Store a new import and set its ``id``."""

    def lock(self, id: int) -> Import | None:
        """Return the import, locked until this unit of work ends."""

    def save(self, imported: Import) -> None: ...

    def has_imported(self, noun: str, digest: str) -> bool:
        """Return whether the same file was imported and not undone."""

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Return the mapping of the last import of that shape, or nothing."""

    def save_mapping(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None: ...
