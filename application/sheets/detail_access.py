"""Log who looks at details and implants."""

from collections.abc import Sequence

from application.audit.access_log import AccessLog, is_narrowed
from application.common.entities import DETAIL, AuditAction
from application.common.views import View
from application.records.list_reader import ListReader
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery, DetailView, ExportedDetailView, PatientDetailView
from application.sheets.implant_views import IMPLANT_SORTS
from application.sheets.work import Views
from domain.common.policy import Actor, Permission


class DetailAccess:
    """Access to details, which show a patient's consumption by sheet."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def listed(self, actor: Actor, query: DetailQuery, items: Sequence[DetailView]) -> None:
        """Log the details of one sheet, of one patient, or those that are named.

        The list of all details names no patient and is not logged here.
        """
        if not self.named(actor, query, items):
            self._note_all(actor)

    def named(self, actor: Actor, query: DetailQuery, items: Sequence[DetailView]) -> bool:
        """Log the sheets of a narrowed list."""
        if query.ids is None and query.consumption_sheet_id is not None:
            self._access_log.note_sheet_read(actor, query.consumption_sheet_id)
            return True
        if query.ids is None and query.patient_id is not None:
            if items:
                self._access_log.note_patient_sheets_read(actor, query.patient_id)
            return True
        sheet_ids = {item["consumption_sheet_id"] for item in items}
        if not is_narrowed(query, sheet_ids):
            return False
        self._access_log.note_sheets_read(actor, sheet_ids)
        return True

    def _note_all(self, actor: Actor) -> None:
        """Do nothing: the list of all details names no patient."""

    def read(self, actor: Actor, item: DetailView) -> None:
        """Log the sheet of one detail."""
        self._access_log.note_sheet_read(actor, item["consumption_sheet_id"])

    def exported(self, actor: Actor, query: DetailQuery) -> bool:
        """Log the export of one sheet's details."""
        if query.consumption_sheet_id is None:
            return False
        self._access_log.note_sheet_export(actor, query.consumption_sheet_id)
        return True


class PatientDetailAccess(DetailAccess):
    """Access to details that name their patients."""

    def _note_all(self, actor: Actor) -> None:
        self._access_log.note_list_read(actor, AuditAction.SHEET_LISTED)


class ImplantAccess(DetailAccess):
    """Access to the register of implants, which names patients."""

    def _note_all(self, actor: Actor) -> None:
        self._access_log.note_list_read(actor, AuditAction.IMPLANT_LISTED)


class ListDetails(ListReader[DetailView, DetailQuery]):
    """The details of all sheets, or of one. Exports name the patients."""

    kind = DETAIL
    permission = Permission.READ_SHEETS
    item_type = ExportedDetailView
    sorts = DETAIL_SORTS
    access = DetailAccess

    def exported_view(self, views: Views) -> View[ExportedDetailView, DetailQuery]:
        """Return the view that names the patients."""
        return views.exported_details


class ListDetailsWithPatients(ListReader[PatientDetailView, DetailQuery]):
    """The details of all sheets, with their patients."""

    kind = DETAIL
    permission = Permission.READ_SHEETS
    item_type = PatientDetailView
    sorts = DETAIL_SORTS
    access = PatientDetailAccess

    def view(self, views: Views) -> View[PatientDetailView, DetailQuery]:
        """Return the view of the details of patients."""
        return views.patient_details


class ListImplantLines(ListReader[PatientDetailView, DetailQuery]):
    """The details of implants, with their patients."""

    entity = "implant"
    permission = Permission.READ_IMPLANTS
    item_type = PatientDetailView
    sorts = IMPLANT_SORTS
    access = ImplantAccess

    def view(self, views: Views) -> View[PatientDetailView, DetailQuery]:
        """Return the view of the details of patients."""
        return views.patient_details
