"""What the use cases of sheets read and change."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import Protocol

from application.common.stores import Store
from application.common.views import NamedReader
from application.restock import work as restock_work
from application.scanning import work as scanning_work
from application.sheets.detail_views import DetailView, ExportedDetailView, PatientDetailView
from application.sheets.issued_documents import DocumentsReader
from application.sheets.ports import (
    AreaSheets,
    ClosingsReader,
    DetailsReader,
    MissedChargesReader,
    Summaries,
    UnseenNotices,
    UsualProducts,
)
from application.sheets.recording import Answer, RecordingContext, RecordingRequest
from application.sheets.stores import (
    Closings,
    Details,
    Documents,
    JobLeases,
    MissedCharges,
    MonthChanges,
    Notices,
    RecalledUses,
    Sheets,
    StoredUsualNumbers,
    Transfers,
)
from application.sheets.summary_views import SheetDocument
from application.sheets.views import SheetQuery, SheetView
from domain.sheets.late_entry import LateEntry
from domain.sheets.unlisted_item import UnlistedItem


class Views(restock_work.Views, scanning_work.Views, Protocol):
    """Everything that they read."""

    @property
    def sheets(self) -> NamedReader[SheetView, SheetQuery]: ...
    @property
    def details(self) -> DetailsReader[DetailView]: ...
    @property
    def exported_details(self) -> DetailsReader[ExportedDetailView]: ...
    @property
    def patient_details(self) -> DetailsReader[PatientDetailView]: ...
    @property
    def closings(self) -> ClosingsReader: ...
    @property
    def accounts(self) -> DocumentsReader[SheetDocument]: ...
    @property
    def usual_products(self) -> UsualProducts: ...
    @property
    def missed_charges(self) -> MissedChargesReader: ...
    @property
    def area_sheets(self) -> AreaSheets: ...
    @property
    def summaries(self) -> Summaries: ...
    def open_unlisted_items(self, sheet_id: int) -> list[UnlistedItem]:
        """Return the open unlisted items of a sheet, by time of use."""

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """Return the version of a sheet, also of the page of an area."""

    def version_of_patient_sheet(self, sheet_id: int) -> int | None:
        """Return the version of a patient's sheet."""

    def external_records(self, ids: Collection[int]) -> dict[int, str]:
        """Return what the hospital's system sent about these sheets, by id."""

    @property
    def shift(self) -> UnseenNotices: ...


class UnitOfWork(restock_work.UnitOfWork, scanning_work.UnitOfWork, Protocol):
    """A transaction: commits on a clean exit, rolls back on an exception."""

    @property
    def sheets(self) -> Sheets: ...
    @property
    def closings(self) -> Closings: ...
    @property
    def accounts(self) -> Documents[SheetDocument]: ...
    @property
    def transfers(self) -> Transfers: ...
    @property
    def details(self) -> Details: ...
    @property
    def late_entries(self) -> Store[LateEntry]: ...
    @property
    def unlisted_items(self) -> Store[UnlistedItem]: ...
    @property
    def usual_numbers(self) -> StoredUsualNumbers: ...
    @property
    def recalled_uses(self) -> RecalledUses: ...
    @property
    def notices(self) -> Notices: ...
    @property
    def month_changes(self) -> MonthChanges: ...
    @property
    def missed_charges(self) -> MissedCharges: ...
    @property
    def job_leases(self) -> JobLeases: ...
    def begin_recording(self, asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
        """Read everything that recording a detail needs, in few queries.

        The sheet is locked. It raises the same errors as ``IdempotencyStore.recall``.
        """

    @property
    def views(self) -> Views: ...


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
BeginReadOnly = Begin
Read = Callable[[], AbstractContextManager[Views]]
