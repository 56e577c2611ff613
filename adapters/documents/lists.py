"""Exports: every list available as CSV or XLSX, for API and command line."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import IO, Any, Generic, Protocol, TypeVar, get_type_hints

from adapters.documents.audit_words import AuditWords
from adapters.documents.consumption_xlsx import MAX_REPORT_ROWS, consumption_workbook
from adapters.documents.csv_file import csv_lines
from adapters.documents.exported_columns import columns_of
from adapters.documents.pdf.consumption import MAX_PAPER_ROWS, consumption_pdf
from adapters.documents.xlsx import list_workbook
from adapters.hospital.profile import HospitalProfile
from application.accounts.views import UserQuery, UserView
from application.audit.views import AuditPage, AuditQuery, HistoryView, ImportView, NamedEntryView
from application.billing.views import OutboundMessageQuery, OutboundMessageView
from application.catalogue.views import (
    KitQuery,
    KitView,
    ProductQuery,
    ProductView,
    RecallQuery,
    RecallView,
    RoomQuery,
    RoomView,
)
from application.common.entities import DETAIL, IMPORT, KIT, PATIENT, PRODUCT, RECALL, ROOM, SHEET, STAFF, USER
from application.common.paging import ListQuery, Page
from application.common.redaction import redacted_fields
from application.history.read_audit_log import ReadSheetHistory
from application.people.views import PatientQuery, PatientView, StaffQuery, StaffView
from application.reports.report_consumption import ReportConsumption
from application.reports.views import EXTRA_SUMS, ConsumptionBy, ConsumptionPage, ConsumptionQuery, ConsumptionRowView
from application.sheets.detail_views import DetailQuery, ExportedDetailView
from application.sheets.implant_views import ImplantView
from application.sheets.used_for import Part, UsedFor
from application.sheets.views import SheetQuery, SheetView
from application.use_cases import UseCases
from domain.common.policy import Actor, Permission

Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery)
AskedQuery = TypeVar("AskedQuery", bound=ListQuery, contravariant=True)
PageOfItems = TypeVar("PageOfItems")
ReadPage = TypeVar("ReadPage", covariant=True)


class Form(StrEnum):
    """File formats of exports."""

    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"


class ListSource(Protocol[AskedQuery, ReadPage]):
    """A list that can be read by the page and as a whole."""

    def page(self, actor: Actor, query: AskedQuery) -> ReadPage: ...

    def iterate(self, actor: Actor, query: AskedQuery) -> Iterator[Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Export(Generic[Query]):
    """One export: actor, query, language and progress callback.

    ``advance`` is called for each item. ``source`` replaces the list's own source by another one with the same items.
    """

    use_cases: UseCases
    actor: Actor
    query: Query
    language: str
    hospital: HospitalProfile
    source: ListSource[Query, Any] | None = None
    advance: Callable[[int], None] = lambda _: None

    def with_progress(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, calling ``advance`` after each one."""
        for item in items:
            yield item
            self.advance(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedList(Generic[Query, PageOfItems]):
    """Definition of an exportable list; ``about`` describes its content.

    ``query`` has the filters, except those in ``leaves_out``; those in ``needs`` are required. Columns that redaction
    removes from an ``item_type`` are left out for the actors concerned. ``files`` makes the formats that are not built
    from columns.
    """

    about: str
    source: Callable[[Export[Query]], ListSource[Query, PageOfItems]]
    query: type[Query]
    item_type: type
    columns: tuple[str, ...] | Callable[[Query], tuple[str, ...]]
    needs: frozenset[str] = frozenset()
    leaves_out: frozenset[str] = frozenset()
    files: Mapping[Form, Callable[[Export[Query]], IO[bytes]]] = field(default_factory=dict)

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return the available file formats."""
        return tuple(form for form in Form if form in (Form.CSV, Form.XLSX, *self.files))

    def csv(self, export: Export[Query], headings: str | None) -> Iterator[str]:
        """Yield the list as CSV, with headings in a language or field names."""
        return csv_lines(self._items(export), self._columns(export), headings)

    def file(self, form: Form, export: Export[Query]) -> IO[bytes]:
        """Return the list in another format, as a file deleted when closed."""
        if form in self.files:
            return self.files[form](export)
        return list_workbook(self._items(export), self._columns(export), export.language, export.hospital)

    def page(self, export: Export[Query]) -> PageOfItems:
        """Return the page that the query asks for."""
        return self._source(export).page(export.actor, export.query)

    def _items(self, export: Export[Query]) -> Iterator[Any]:
        return export.with_progress(self._source(export).iterate(export.actor, export.query))

    def _source(self, export: Export[Query]) -> ListSource[Query, PageOfItems]:
        return export.source or self.source(export)

    def _columns(self, export: Export[Query]) -> tuple[str, ...]:
        columns = self.columns(export.query) if callable(self.columns) else self.columns
        if export.actor.can(Permission.SEE_PRICES):
            return columns
        return tuple(column for column in columns if column not in redacted_fields(self.item_type))


# --- special sources and files ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _History:
    """History of the sheet that the query names."""

    read: ReadSheetHistory

    def page(self, actor: Actor, query: AuditQuery) -> Page[NamedEntryView]:
        return self.read(actor, query.sheet_id or 0, query)

    def iterate(self, actor: Actor, query: AuditQuery) -> Iterator[NamedEntryView]:
        return self.read.iterate(actor, query.sheet_id or 0, query)


def _words(export: Export[AuditQuery]) -> AuditWords:
    return AuditWords(export.language, export.hospital)


@dataclass(frozen=True, slots=True)
class _Worded:
    """Entries of the audit log in words."""

    entries: ListSource[AuditQuery, Page[NamedEntryView]]
    words: AuditWords

    def page(self, actor: Actor, query: AuditQuery) -> Page[HistoryView]:
        page = self.entries.page(actor, query)
        return Page(items=[self.words.history(entry) for entry in page["items"]], meta=page["meta"])

    def iterate(self, actor: Actor, query: AuditQuery) -> Iterator[HistoryView]:
        return map(self.words.history, self.entries.iterate(actor, query))


@dataclass(frozen=True, slots=True)
class _Audit(_Worded):
    """The audit log in words, and what its filters can select."""

    def page(self, actor: Actor, query: AuditQuery) -> AuditPage:
        page = _Worded.page(self, actor, query)
        return AuditPage(**page, entities=self.words.kinds(), actions=self.words.actions_of(query.entity))


@dataclass(frozen=True, slots=True)
class _Consumption:
    """Consumption report with its key column named ``day``, ``month`` etc."""

    report: ReportConsumption

    def page(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionPage:
        return self.report.page(actor, query)

    def iterate(self, actor: Actor, query: ConsumptionQuery) -> Iterator[Mapping[str, object]]:
        return ({**row, query.by.value: row["key"] or None} for row in self.report.iterate(actor, query))


def _report_workbook(export: Export[ConsumptionQuery]) -> IO[bytes]:
    report = export.use_cases.reports.consumption.full_report(export.actor, export.query, most=MAX_REPORT_ROWS)
    return consumption_workbook(export.hospital, report, export.language)


def _report_pdf(export: Export[ConsumptionQuery]) -> IO[bytes]:
    report = export.use_cases.reports.consumption.full_report(export.actor, export.query, most=MAX_PAPER_ROWS)
    return io.BytesIO(consumption_pdf(export.hospital, report, export.language))


def _consumption_columns(query: ConsumptionQuery) -> tuple[str, ...]:
    sums = _SUMS if query.used_for is UsedFor.PATIENTS else (*_SUMS, *EXTRA_SUMS)
    parts = [f"parts.{part}.{name}" for part in Part for name in _SUMS] if query.used_for is UsedFor.ALL else []
    previous = [f"previous.{name}" for name in sums] if query.compare else []
    return (*_CONSUMPTION_COLUMNS[query.by], *sums, *parts, *previous)


# --- the table -------------------------------------------------------------------------------------------------------

_SUMS = ("details", "quantity", "total")
# Not derived: a row of the report has the same fields for every key, and shows those of its key.
_CONSUMPTION_COLUMNS = {
    ConsumptionBy.DAY: ("day",),
    ConsumptionBy.MONTH: ("month",),
    ConsumptionBy.SHIFT: ("shift", "name"),
    ConsumptionBy.AREA: ("id", "name"),
    ConsumptionBy.ROOM: ("id", "name"),
    ConsumptionBy.CATEGORY: ("id", "category_code", "name"),
    ConsumptionBy.PRODUCT: ("id", "code", "name", "unit"),
    ConsumptionBy.STAFF: ("id", "name"),
    ConsumptionBy.PATIENT: ("id", "record_number", "name"),
    ConsumptionBy.USE_REASON: ("use_reason",),
}
_ENTRIES = columns_of(
    HistoryView,
    *("id", "at", "user.id", "user.email", "action", "entity", "entity_id", "changes", "who", "did", "in_words.text"),
    leaves_out={
        "sheet_id": "the query selects by it",
        "patient_id": "the query selects by it",
        "api_key": "the user is the service account",
        **dict.fromkeys(("person", "patient", "subject", "names"), "in the words"),
    },
)
_PERSON = ("name", "first_surname", "second_surname")
_PATIENT = ("patient_id", "patient.record_number", *(f"patient.{name}" for name in _PERSON))
_NOT_OF_VOIDED = {
    "acknowledged": "questions of the screen",
    "recall_reason": "in the list of a recall",
    "implant_reason": "in the list of implants",
    "kit_id": "how it was entered",
    "kit": "how it was entered",
    "form_id": "how it was entered",
    "corrected_from": "the voided line has it",
    "warnings": "only returned while recording",
    "version": "for the next change",
}
_DETAIL = (
    *("id", "consumption_sheet_id", *_PATIENT, "day", "created_at", "occurred_at", "room_id", "room.name"),
    *("product_id", "product.code", "product.name", "product.category.code", "product.category.name"),
    *("gtin", "lot", "expiry", "serial", "quantity", "unit_price", "total", "staff_id"),
    *("staff.name", "staff.first_surname", "area_id", "area.name", "user_id"),
)
_VOIDED = {"returned": "only with voided lines", "voided": "only with voided lines"}
_DETAILS = columns_of(ExportedDetailView, *_DETAIL, leaves_out=_NOT_OF_VOIDED | _VOIDED)
_DETAILS_AND_VOIDED = columns_of(
    ExportedDetailView,
    *(*_DETAIL, "returned", "voided.at", "voided.by.name", "voided.reason"),
    leaves_out=_NOT_OF_VOIDED,
)

ROOMS = ExportedList(
    about="rooms",
    source=lambda export: export.use_cases.rooms.reader,
    query=RoomQuery,
    item_type=RoomView,
    columns=columns_of(
        RoomView,
        *("id", "name", "code", "status", "type", "area_id", "area.name"),
        leaves_out={"sheets": "in the list of sheets"},
    ),
)

PRODUCTS = ExportedList(
    about="products",
    source=lambda export: export.use_cases.products.search,
    query=ProductQuery,
    item_type=ProductView,
    columns=columns_of(
        ProductView,
        *("id", "code", "name", "price", "unit", "gtin", "category_id", "category.code", "category.name", "active"),
        "also_called",
        leaves_out={"picture": "a digest says nothing without the file"},
    ),
)

PATIENTS = ExportedList(
    about="patients",
    source=lambda export: export.use_cases.patients.search,
    query=PatientQuery,
    item_type=PatientView,
    columns=columns_of(
        PatientView,
        *("id", "record_number", *_PERSON, "date_of_birth", "active"),
        leaves_out={
            "open_sheets": "in the list of sheets",
            "merged_into": "the list has merged records only if it is asked for them",
            "merged_by": "in the history",
            "unidentified": "the name says it",
        },
    ),
)

STAFF_MEMBERS = ExportedList(
    about="staff members",
    source=lambda export: export.use_cases.staff.reader,
    query=StaffQuery,
    item_type=StaffView,
    columns=columns_of(StaffView, "id", *_PERSON),
)

USERS = ExportedList(
    about="users",
    source=lambda export: export.use_cases.users.reader,
    query=UserQuery,
    item_type=UserView,
    columns=columns_of(
        UserView,
        *("id", "email", "role", "staff_id", *(f"profile.{name}" for name in _PERSON)),
        leaves_out={"has_password": "how they sign in", "oidc_linked": "how they sign in"},
    ),
    leaves_out=frozenset({"roles"}),
)

KITS = ExportedList(
    about="kits: the hospital's and the own ones",
    source=lambda export: export.use_cases.kits.reader,
    query=KitQuery,
    item_type=KitView,
    columns=columns_of(
        KitView,
        *("id", "name", "area_id", "area.name", "own"),
        leaves_out={
            "user_id": "the actor's own kits are marked",
            "lines": "several values in one cell",
            "version": "for the next change",
        },
    ),
    leaves_out=frozenset({"user_id", "active"}),
)

SHEETS = ExportedList(
    about="consumption sheets, open or closed ones",
    source=lambda export: export.use_cases.sheets.search,
    query=SheetQuery,
    item_type=SheetView,
    columns=columns_of(
        SheetView,
        *("id", *_PATIENT, "room_id", "room.name", "doctor", "diagnosis", "admission_date", "closed"),
        *("deleted_at", "total"),
        leaves_out={
            "consumptions": "in the list of details",
            "stays": "several values in one cell",
            "late_entries": "work that is still open",
            "unlisted_items": "work that is still open",
            "charging": "in the list of messages to billing",
            "undo_closing_until": "for the screen of the user who closed it",
            "visit_number": "of the hospital's system",
            "discharge_proposed_at": "a proposal",
            "admission_cancelled_at": "a proposal",
            "version": "for the next change",
        },
    ),
)


def _columns_of_details(query: DetailQuery) -> tuple[str, ...]:
    return _DETAILS_AND_VOIDED if query.voided else _DETAILS


DETAILS = ExportedList(
    about="consumption details, each with its patient",
    source=lambda export: export.use_cases.details.reader,
    query=DetailQuery,
    item_type=ExportedDetailView,
    columns=_columns_of_details,
    leaves_out=frozenset({"gtin_prefix", "implant", "incomplete"}),
)

# The details that used a recalled lot, which have their patient and room.
RECALLED_DETAILS = ExportedList(
    about="consumption details with a recalled lot",
    source=DETAILS.source,
    query=DetailQuery,
    item_type=ExportedDetailView,
    columns=lambda query: (*_columns_of_details(query), "recall_reason"),
    leaves_out=DETAILS.leaves_out,
)

RECALLS = ExportedList(
    about="recalls of products and lots",
    source=lambda export: export.use_cases.recalls.reader,
    query=RecallQuery,
    item_type=RecallView,
    columns=columns_of(
        RecallView,
        *("id", "product_id", "product.name", "lot", "reason", "opened_at", "closed", "closed_at", "set_aside"),
        leaves_out={"opened_by": "in the history"},
    ),
)

IMPLANTS = ExportedList(
    about="implants, each with its patient",
    source=lambda export: export.use_cases.implants.list,
    query=DetailQuery,
    item_type=ImplantView,
    columns=columns_of(
        ImplantView,
        *("id", "consumption_sheet_id", *_PATIENT, "day", "room.name", "product_id", "product.code", "product.name"),
        *("quantity", "gtin", "lot", "expiry", "serial", "udi", "implant_reason", "staff.name", "staff.first_surname"),
        leaves_out={"missing": "empty cells say it"},
    ),
    leaves_out=frozenset(
        {"consumption_sheet_id", "category_id", "staff_id", "area_id", "room_id", "shift", "gtin_prefix", "voided"}
        | {"form_id", "implant", "used_for", "use_reason"}
    ),
)

OUTBOUND_MESSAGES = ExportedList(
    about="messages to billing",
    source=lambda export: export.use_cases.outbound_messages.reader,
    query=OutboundMessageQuery,
    item_type=OutboundMessageView,
    columns=columns_of(OutboundMessageView),
    leaves_out=frozenset({"sort"}),
)

CONSUMPTION = ExportedList(
    about="the report of consumption: what was recorded in a period, added up",
    source=lambda export: _Consumption(export.use_cases.reports.consumption),
    query=ConsumptionQuery,
    item_type=ConsumptionRowView,
    columns=_consumption_columns,
    leaves_out=frozenset({"q", "previous", "shifts"}),
    files={Form.XLSX: _report_workbook, Form.PDF: _report_pdf},
)

HISTORY = ExportedList(
    about="all that happened to a sheet and its details",
    source=lambda export: _Worded(_History(export.use_cases.sheets.read_history), _words(export)),
    query=AuditQuery,
    item_type=HistoryView,
    columns=_ENTRIES,
    needs=frozenset({"sheet_id"}),
    leaves_out=frozenset({"entity", "entity_id", "patient_id", "sort"}),
)

READERS = ExportedList(
    about="all who looked at a patient or one of the patient's sheets, or changed one of them",
    source=lambda export: _Worded(export.use_cases.audit.read_access_log, _words(export)),
    query=AuditQuery,
    item_type=HistoryView,
    columns=_ENTRIES,
    needs=frozenset({"patient_id"}),
    leaves_out=frozenset({"entity", "entity_id", "sheet_id", "sort"}),
)

AUDIT = ExportedList(
    about="the audit log: everything that happened",
    source=lambda export: _Audit(export.use_cases.audit.reader, _words(export)),
    query=AuditQuery,
    item_type=HistoryView,
    columns=_ENTRIES,
    leaves_out=frozenset({"sheet_id", "patient_id", "sort"}),
)

IMPORTS = ExportedList(
    about="what was brought in",
    source=lambda export: export.use_cases.imports.reader,
    query=ListQuery,
    item_type=ImportView,
    columns=columns_of(
        ImportView,
        *("id", "at", "user.id", "user.email", "noun", "file_name", "created", "changed", "unchanged", "refused"),
        *("undone_at", "undone_by.email"),
    ),
)

LISTS: dict[str, ExportedList[Any, Any]] = {
    ROOM.store: ROOMS,
    PRODUCT.store: PRODUCTS,
    PATIENT.store: PATIENTS,
    STAFF.store: STAFF_MEMBERS,
    USER.store: USERS,
    KIT.store: KITS,
    SHEET.store: SHEETS,
    DETAIL.store: DETAILS,
    RECALL.store: RECALLS,
    "implants": IMPLANTS,
    "outbound-messages": OUTBOUND_MESSAGES,
    "consumption": CONSUMPTION,
    "history": HISTORY,
    "readers": READERS,
    "audit": AUDIT,
    IMPORT.store: IMPORTS,
}
"""Exportable lists, by their names on the command line."""

# The other groups that list, create, update and delete, and do nothing else, export all fields of their views.
for _name, _group in get_type_hints(UseCases).items():
    _use_cases = get_type_hints(_group)
    if _name not in LISTS and _use_cases.keys() == {"reader", "create", "update", "delete"}:
        LISTS[_name] = ExportedList(
            about=_name,
            source=attrgetter(f"use_cases.{_name}.reader"),
            query=ListQuery,
            item_type=_use_cases["reader"].item_type,
            columns=columns_of(_use_cases["reader"].item_type),
        )
