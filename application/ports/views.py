"""Views: read-only queries in the shape of the answers."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, TypeVar

from application.accounts.ports.identity import ActiveKey, ActiveSession, Session
from application.accounts.ports.unlocking import UnlockState
from application.accounts.views import ExpiringKeyView, OwnWardView, ServiceAccountView, UserQuery, UserView
from application.audit.views import AuditQuery, AuditView, ImportView
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.catalogue.device_views import CatalogueView
from application.catalogue.ports import Packs, PriceChange
from application.catalogue.views import (
    AreaView,
    CategoryView,
    KitQuery,
    KitView,
    ProductQuery,
    ProductView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
)
from application.common.entities import EntityKind
from application.common.paging import ListQuery, Page
from application.inbound.ports import MessagesView
from application.people.ports import PatientNumbers
from application.people.views import PatientQuery, PatientView, StaffQuery, StaffView
from application.reports.changes import Deletion, Tracked
from application.reports.ports import ConsumptionReports, DoubtfulPack, Inconsistency
from application.restock.ports import RestockReader
from application.sheets.detail_views import DetailQuery, DetailView, ExportedDetailView
from application.sheets.ports import ClosingsReader, MissedChargesReader, Summaries, UsualProducts
from application.sheets.views import SheetQuery, SheetView
from application.status.ports import StatusReader
from application.ward.overview_ports import Overview, WardReader
from application.ward.shift_ports import ShiftReader
from application.ward.worklist_ports import Worklist
from domain.forms.contingency_form import ContingencyForm, FormState
from domain.sheets.unlisted_item import UnlistedItem

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery, contravariant=True)
DetailT = TypeVar("DetailT", bound=DetailView)


class View(Protocol[Item, Query]):
    """Reads one kind of object as it is answered."""

    def page(self, query: Query) -> Page[Item]: ...

    def one(self, id: int) -> Item | None: ...


class DetailsReader(View[DetailT, DetailQuery], Protocol[DetailT]):
    def by_ids(self, ids: Collection[int]) -> list[DetailT]:
        """Return the details with these ids, by id. Voided ones are included."""


class ProductsReader(View[ProductView, ProductQuery], Protocol):
    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Return products with similar names, the best match first.

        Only products that match the filters are searched.
        """


class NamedReader(View[Item, Query], Protocol[Item, Query]):
    """Reads patients, or sheets by their patients."""

    def names(self, query: Query) -> Iterable[tuple[int, str]]:
        """Return the folded names of all items that match the filters, by id.

        For sheets, only open ones are included, and the room follows the name.
        """


class Views(Protocol):
    """Everything that can be read."""

    @property
    def sheets(self) -> NamedReader[SheetView, SheetQuery]: ...
    @property
    def details(self) -> DetailsReader[DetailView]: ...
    @property
    def exported_details(self) -> DetailsReader[ExportedDetailView]: ...
    @property
    def products(self) -> ProductsReader: ...
    @property
    def categories(self) -> View[CategoryView, ListQuery]: ...
    @property
    def areas(self) -> View[AreaView, ListQuery]: ...
    @property
    def recalls(self) -> View[RecallView, RecallQuery]: ...
    @property
    def packs(self) -> Packs: ...
    @property
    def patient_numbers(self) -> PatientNumbers: ...
    @property
    def rooms(self) -> View[RoomView, RoomQuery]: ...
    @property
    def patients(self) -> NamedReader[PatientView, PatientQuery]: ...
    @property
    def staff(self) -> View[StaffView, StaffQuery]: ...
    @property
    def users(self) -> View[UserView, UserQuery]: ...
    @property
    def audit(self) -> View[AuditView, AuditQuery]: ...
    @property
    def imports(self) -> View[ImportView, ListQuery]: ...
    @property
    def kits(self) -> View[KitView, KitQuery]: ...
    @property
    def outbound_messages(self) -> View[OutboundMessageView, OutboundMessageQuery]: ...
    @property
    def consumption(self) -> ConsumptionReports: ...
    @property
    def overview(self) -> Overview: ...
    @property
    def worklist(self) -> Worklist: ...
    @property
    def ward(self) -> WardReader: ...
    @property
    def shift(self) -> ShiftReader: ...
    @property
    def status(self) -> StatusReader: ...

    @property
    def inbound_messages(self) -> MessagesView: ...
    @property
    def closings(self) -> ClosingsReader: ...
    @property
    def usual_products(self) -> UsualProducts: ...
    @property
    def missed_charges(self) -> MissedChargesReader: ...
    @property
    def restock(self) -> RestockReader: ...
    @property
    def summaries(self) -> Summaries: ...

    def inconsistencies(self) -> Iterator[Inconsistency]:
        """Find all inconsistencies by checking all stored data."""

    def doubtful_packs(self) -> Iterator[DoubtfulPack]:
        """Find valid details whose lot or serial is probably from a wristband."""

    def catalogue_version(self) -> int:
        """Return the version of the catalogue.

        It grows with every change to a product, its codes, a kit or an area.
        """

    def catalogue(self) -> CatalogueView:
        """Return the current catalogue."""

    def installation_number(self) -> int:
        """Return the number of this installation, which its labels contain."""

    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """Return the open unlisted items of a sheet, by time of use."""

    def contingency_forms(self, state: FormState, *, most: int) -> list[ContingencyForm]:
        """Return the contingency forms in a state, the oldest first."""

    def contingency_form_count(self, state: FormState) -> int:
        """Return the number of contingency forms in a state."""

    def has_contingency_form(self, number: int) -> bool:
        """Return whether a contingency form has this number."""

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """Return the version of a sheet."""

    def price_changes(self, product_id: int, *, most: int) -> list[PriceChange]:
        """Return the price changes in the audit log, the latest first."""

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """Return the names of entities, by the field that refers to them.

        The fields are product_id, category_id, staff_id, area_id, room_id, patient_id and kit_id. user_id gives the
        name on a user's profile. account_id gives the email, even of a deleted user. sheet_id gives the sheet's
        patient. detail_id gives the product of a detail, even of a deleted one. Other deleted entities have no name.
        """

    def last_changes(self, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
        """Return the last change of each entity, from the audit log.

        Changes from before the audit log are unknown.
        """

    def changed(
        self, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
    ) -> list[int]:
        """Return ids of entities that changed in a period, in order.

        They are greater than ``behind``. Deleted entities are included.
        """

    def deletions(self, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
        """Return the deletions of those entities that were deleted, by id."""

    def external_records(self, ids: Collection[int]) -> dict[int, str]:
        """Return what the hospital's system sent about these sheets, by id."""

    def patients_numbered(self, number: str) -> dict[int, int]:
        """Return the patients with that current or former record number.

        Each is mapped to the surviving patient.
        """

    def active_session(self, session_id: str, user_id: int, at: datetime) -> ActiveSession | None:
        """Return the user of a session, or None if it has ended."""

    def own_ward(self, user_id: int) -> OwnWardView | None:
        """Return where the user works, or None until it is chosen."""

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """Return a user's active sessions, the oldest first."""

    def sessions_on_device(self, device: str, at: datetime) -> list[Session]:
        """Return the active sessions on a device, by user."""

    def unlock_state(self, user_id: int) -> UnlockState:
        """Return what a user can unlock with."""

    def active_key(self, digest: str, at: datetime) -> ActiveKey | None:
        """Return the program of an API key by digest, or None.

        None if there is no such key, or it is revoked or expired.
        """

    def service_accounts(self) -> list[ServiceAccountView]:
        """Return the active service accounts with their keys.

        The accounts are sorted by name, the keys by age, the latest first.
        """

    def expiring_keys(self, before: datetime, *, most: int) -> list[ExpiringKeyView]:
        """Return unrevoked keys that expire before that moment, the soonest first."""


Read = Callable[[], AbstractContextManager[Views]]
"""Opens the views, outside any unit of work.

May raise ``StoreUnavailable``. Long reads use another one, ``read_for_reports``: it takes no resources from users at
work, and may lag behind.
"""
