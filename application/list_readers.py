"""The lists: what each shows, who may read it, and how access is logged."""

from functools import partial
from typing import Any

from application import views
from application.access_log import AccessLog, DetailAccess, PatientDetailAccess, RoomAccess, SheetAccess
from application.entities import (
    AREA,
    CATEGORY,
    DETAIL,
    IMPORT,
    KIT,
    OUTBOUND_MESSAGE,
    PATIENT,
    PRODUCT,
    RECALL,
    ROOM,
    SHEET,
    STAFF,
    USER,
    EntityKind,
)
from application.list_reader import ListReader
from application.paging import ListQuery
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin
from application.ports.views import Read
from application.retry import with_retries
from application.rooms import conceal_patients
from domain.policy import Permission

_Reader = with_retries(ListReader)


class ListReaders:
    """A reader of each list."""

    def __init__(self, begin: Begin, read: Read, read_for_reports: Read, clock: Clock, access_log: AccessLog) -> None:
        reader = partial(_Reader, begin, read, read_for_reports, clock)

        def of(
            kind: EntityKind, permission: Permission, item_type: type, sorts: frozenset[str], **options: Any
        ) -> ListReader[Any, Any]:
            options = {"view": kind.store_of} | options
            return reader(entity=kind.name, permission=permission, item_type=item_type, sorts=sorts, **options)

        self.sheets: ListReader[views.SheetView, views.SheetQuery] = of(
            SHEET, Permission.READ_SHEETS, views.SheetView, views.SHEET_SORTS, access=SheetAccess(access_log)
        )
        details = partial(of, DETAIL, item_type=views.ExportedDetailView, sorts=views.DETAIL_SORTS)
        self.details: ListReader[views.DetailView, views.DetailQuery] = details(
            Permission.READ_SHEETS, access=DetailAccess(access_log), exported=lambda it: it.exported_details
        )
        self.details_with_patients: ListReader[views.ExportedDetailView, views.DetailQuery] = details(
            Permission.READ_SHEETS, access=PatientDetailAccess(access_log), view=lambda it: it.exported_details
        )
        # Without access log: the use case notes each call itself.
        self.recalled_details: ListReader[views.ExportedDetailView, views.DetailQuery] = details(
            Permission.MANAGE_RECALLS, view=lambda it: it.exported_details
        )
        self.products: ListReader[views.ProductView, views.ProductQuery] = of(
            PRODUCT, Permission.READ_CATALOGUE, views.ProductView, views.PRODUCT_SORTS
        )
        self.recalls: ListReader[views.RecallView, views.RecallQuery] = of(
            RECALL, Permission.MANAGE_RECALLS, views.RecallView, views.RECALL_SORTS
        )
        self.kits: ListReader[views.KitView, views.KitQuery] = of(
            KIT, Permission.ADD_DETAILS, views.KitView, views.KIT_SORTS
        )
        self.categories: ListReader[views.CategoryView, ListQuery] = of(
            CATEGORY, Permission.READ_CATALOGUE, views.CategoryView, views.CATEGORY_SORTS
        )
        self.areas: ListReader[views.AreaView, ListQuery] = of(
            AREA, Permission.READ_CATALOGUE, views.AreaView, views.AREA_SORTS
        )
        self.rooms: ListReader[views.RoomView, views.RoomQuery] = of(
            ROOM,
            Permission.READ_CATALOGUE,
            views.RoomView,
            views.ROOM_SORTS,
            access=RoomAccess(access_log),
            conceal=conceal_patients,
        )
        self.patients: ListReader[views.PatientView, views.PatientQuery] = of(
            PATIENT, Permission.READ_PATIENTS, views.PatientView, views.PATIENT_SORTS, recorded=True
        )
        self.staff: ListReader[views.StaffView, views.StaffQuery] = of(
            STAFF, Permission.MANAGE_STAFF, views.StaffView, views.STAFF_SORTS
        )
        # Staff by name only, for the FHIR API, which refers to them.
        self.practitioners: ListReader[views.StaffView, views.StaffQuery] = of(
            STAFF, Permission.READ_FHIR, views.StaffView, views.STAFF_SORTS
        )
        self.users: ListReader[views.UserView, views.UserQuery] = of(
            USER, Permission.MANAGE_USERS, views.UserView, views.USER_SORTS
        )
        self.imports: ListReader[views.ImportView, ListQuery] = of(
            IMPORT, Permission.IMPORT, views.ImportView, views.IMPORT_SORTS
        )
        self.outbound_messages: ListReader[views.OutboundMessageView, views.OutboundMessageQuery] = of(
            OUTBOUND_MESSAGE,
            Permission.READ_MESSAGES,
            views.OutboundMessageView,
            views.OUTBOUND_MESSAGE_SORTS,
        )
        audit = partial(reader, "audit", view=lambda it: it.audit, item_type=views.AuditView, sorts=views.AUDIT_SORTS)
        self.audit: ListReader[views.AuditView, views.AuditQuery] = audit(permission=Permission.READ_AUDIT_LOG)
        self.history: ListReader[views.AuditView, views.AuditQuery] = audit(permission=Permission.READ_SHEET_HISTORY)
        self.access_log: ListReader[views.AuditView, views.AuditQuery] = audit(permission=Permission.READ_ACCESS_LOG)
