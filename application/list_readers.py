"""The lists: what each shows, who may read it, and how access is logged."""

from functools import partial
from typing import Any

from application.accounts.views import USER_SORTS, UserQuery, UserView
from application.audit.access_log import AccessLog, AuditAccess
from application.audit.views import AUDIT_SORTS, IMPORT_SORTS, AuditQuery, AuditView, ImportView
from application.billing.message_access import MessageAccess
from application.billing.views import OUTBOUND_MESSAGE_SORTS, OutboundMessageQuery, OutboundMessageView
from application.catalogue.room_access import RoomAccess
from application.catalogue.rooms import conceal_patients
from application.catalogue.views import (
    AREA_SORTS,
    CATEGORY_SORTS,
    KIT_SORTS,
    PRODUCT_SORTS,
    RECALL_SORTS,
    ROOM_SORTS,
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
from application.common.clock import Clock
from application.common.entities import (
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
from application.common.paging import ListQuery
from application.common.retry import with_retries
from application.people.patient_access import PatientAccess
from application.people.views import PATIENT_SORTS, STAFF_SORTS, PatientQuery, PatientView, StaffQuery, StaffView
from application.ports.unit_of_work import Begin
from application.ports.views import Read
from application.records.list_reader import ListReader
from application.sheets.detail_access import DetailAccess, ImplantAccess, PatientDetailAccess
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery, DetailView, ExportedDetailView
from application.sheets.implant_views import IMPLANT_SORTS
from application.sheets.sheet_access import SheetAccess
from application.sheets.views import SHEET_SORTS, SheetQuery, SheetView
from domain.common.policy import Permission

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

        self.sheets: ListReader[SheetView, SheetQuery] = of(
            SHEET, Permission.READ_SHEETS, SheetView, SHEET_SORTS, access=SheetAccess(access_log)
        )
        details = partial(of, DETAIL, item_type=ExportedDetailView, sorts=DETAIL_SORTS)
        self.details: ListReader[DetailView, DetailQuery] = details(
            Permission.READ_SHEETS, access=DetailAccess(access_log), exported=lambda it: it.exported_details
        )
        self.details_with_patients: ListReader[ExportedDetailView, DetailQuery] = details(
            Permission.READ_SHEETS, access=PatientDetailAccess(access_log), view=lambda it: it.exported_details
        )
        # The use case notes each call itself; a narrowed list names the sheets, too.
        self.recalled_details: ListReader[ExportedDetailView, DetailQuery] = details(
            Permission.MANAGE_RECALLS, access=DetailAccess(access_log), view=lambda it: it.exported_details
        )
        self.implants: ListReader[ExportedDetailView, DetailQuery] = reader(
            entity="implant",
            permission=Permission.READ_IMPLANTS,
            view=lambda it: it.exported_details,
            item_type=ExportedDetailView,
            sorts=IMPLANT_SORTS,
            access=ImplantAccess(access_log),
        )
        self.products: ListReader[ProductView, ProductQuery] = of(
            PRODUCT, Permission.READ_CATALOGUE, ProductView, PRODUCT_SORTS
        )
        self.recalls: ListReader[RecallView, RecallQuery] = of(
            RECALL, Permission.MANAGE_RECALLS, RecallView, RECALL_SORTS
        )
        self.kits: ListReader[KitView, KitQuery] = of(KIT, Permission.READ_SHEETS, KitView, KIT_SORTS)
        self.categories: ListReader[CategoryView, ListQuery] = of(
            CATEGORY, Permission.READ_CATALOGUE, CategoryView, CATEGORY_SORTS
        )
        self.areas: ListReader[AreaView, ListQuery] = of(AREA, Permission.READ_CATALOGUE, AreaView, AREA_SORTS)
        self.rooms: ListReader[RoomView, RoomQuery] = of(
            ROOM,
            Permission.READ_CATALOGUE,
            RoomView,
            ROOM_SORTS,
            access=RoomAccess(access_log),
            conceal=conceal_patients,
        )
        self.patients: ListReader[PatientView, PatientQuery] = of(
            PATIENT,
            Permission.READ_PATIENTS,
            PatientView,
            PATIENT_SORTS,
            recorded=True,
            access=PatientAccess(access_log),
        )
        self.staff: ListReader[StaffView, StaffQuery] = of(STAFF, Permission.MANAGE_STAFF, StaffView, STAFF_SORTS)
        # Staff by name only, for the FHIR API, which refers to them.
        self.practitioners: ListReader[StaffView, StaffQuery] = of(STAFF, Permission.READ_FHIR, StaffView, STAFF_SORTS)
        self.users: ListReader[UserView, UserQuery] = of(USER, Permission.MANAGE_USERS, UserView, USER_SORTS)
        self.imports: ListReader[ImportView, ListQuery] = of(IMPORT, Permission.IMPORT, ImportView, IMPORT_SORTS)
        self.outbound_messages: ListReader[OutboundMessageView, OutboundMessageQuery] = of(
            OUTBOUND_MESSAGE,
            Permission.READ_MESSAGES,
            OutboundMessageView,
            OUTBOUND_MESSAGE_SORTS,
            access=MessageAccess(access_log),
        )
        audit = partial(reader, "audit", view=lambda it: it.audit, item_type=AuditView, sorts=AUDIT_SORTS)
        self.audit: ListReader[AuditView, AuditQuery] = audit(
            permission=Permission.READ_AUDIT_LOG, access=AuditAccess(access_log)
        )
        self.history: ListReader[AuditView, AuditQuery] = audit(permission=Permission.READ_SHEET_HISTORY)
        self.access_log: ListReader[AuditView, AuditQuery] = audit(permission=Permission.READ_ACCESS_LOG)
