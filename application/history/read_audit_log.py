"""Read the audit log: all of it, a sheet's history, a patient's readers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar

from application.audit.access_log import AccessLog, AuditAccess
from application.audit.views import AUDIT_SORTS, AuditQuery, AuditView, NamedEntryView
from application.common.entities import DETAIL, NAMED, PATIENT, USER
from application.common.paging import Page
from application.common.use_case import permitted, retried
from application.common.views import View
from application.people.work import Read, Views
from application.records.list_reader import BATCH_SIZE, ListReader
from domain.common.errors import NotFound
from domain.common.policy import Actor, Permission

# The fields that refer to entities, and the field for looking up their names.
_REFERENCES = {kind.reference: kind.reference for kind in NAMED} | {
    "merged_into": PATIENT.reference,
    # Details may move to another sheet.
    "sheet_id": "sheet_id",
}
# The field for looking up the names of the entries' entities: users by account, sheets by patient.
_SUBJECTS = {kind.name: kind.reference for kind in (*NAMED, DETAIL)} | {USER.name: "account_id"}


class ListEntries(ListReader[AuditView, AuditQuery]):
    """The entries of the audit log, the newest first."""

    entity = "audit"
    permission = Permission.READ_AUDIT_LOG
    item_type = AuditView
    sorts = AUDIT_SORTS
    access: ClassVar[type[Any] | None] = AuditAccess

    def view(self, views: Views) -> View[AuditView, AuditQuery]:
        """Return the view of the audit log."""
        return views.audit


class ListHistory(ListEntries):
    """The entries of one sheet."""

    permission = Permission.READ_SHEET_HISTORY
    access = None


class ListAccesses(ListEntries):
    """The entries of those who looked at a patient."""

    permission = Permission.READ_ACCESS_LOG
    access = None


@dataclass(frozen=True, slots=True)
class ReadAuditLog:
    """Read the audit log, newest first, with the names of its entities."""

    read: Read
    audit_log: ListEntries

    def page(self, actor: Actor, query: AuditQuery) -> Page[NamedEntryView]:
        """Read a page."""
        page = self.audit_log.page(actor, query)
        return Page(items=_with_names(self.read, page["items"]), meta=page["meta"])

    def iterate(self, actor: Actor, query: AuditQuery) -> Iterator[NamedEntryView]:
        """Iterate over all entries."""
        return _iterate_with_names(self.read, self.audit_log.iterate(actor, query))


@dataclass(frozen=True, slots=True)
class ReadSheetHistory:
    """Read the history of a sheet and its details, newest first.

    It is still available when the sheet is deleted.
    """

    read: Read
    audit_log: ListHistory
    access_log: AccessLog

    @permitted(Permission.READ_SHEET_HISTORY)
    def __call__(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Page[NamedEntryView]:
        page = self.audit_log.page(actor, replace(query, sheet_id=sheet_id))
        if page["meta"]["total"] == 0 and self._is_unknown_sheet(actor, sheet_id):
            raise NotFound
        self.access_log.note_sheet_read(actor, sheet_id)
        return Page(items=_with_names(self.read, page["items"]), meta=page["meta"])

    def _is_unknown_sheet(self, actor: Actor, sheet_id: int) -> bool:
        """Return whether there never was such a sheet, ignoring the filters."""
        return self.audit_log.page(actor, AuditQuery(sheet_id=sheet_id, limit=1))["meta"]["total"] == 0

    @retried
    def iterate(self, actor: Actor, sheet_id: int, query: AuditQuery) -> Iterator[NamedEntryView]:
        """Iterate over the whole history."""
        self(actor, sheet_id, replace(query, page=1, cursor=None, offset=None))
        return _iterate_with_names(self.read, self.audit_log.iterate(actor, replace(query, sheet_id=sheet_id)))


@dataclass(frozen=True, slots=True)
class ReadAccessLog:
    """Read who looked at a patient or changed one of the patient's sheets."""

    read: Read
    audit_log: ListAccesses

    def page(self, actor: Actor, query: AuditQuery) -> Page[NamedEntryView]:
        """Read a page. Raise ``NotFound`` if there never was such a patient."""
        page = self.audit_log.page(actor, query)
        if not page["items"]:
            self._must_be_known(actor, query)
        return Page(items=_with_names(self.read, page["items"]), meta=page["meta"])

    def iterate(self, actor: Actor, query: AuditQuery) -> Iterator[NamedEntryView]:
        """Iterate over all entries."""
        self.page(actor, replace(query, page=1, limit=1, cursor=None, offset=None))
        return _iterate_with_names(self.read, self.audit_log.iterate(actor, query))

    def _must_be_known(self, actor: Actor, query: AuditQuery) -> None:
        with self.read() as views:
            if query.patient_id and views.patients.one(query.patient_id):
                return
        # The entries stay when the patient is deleted.
        if not self.audit_log.page(actor, AuditQuery(patient_id=query.patient_id, limit=1))["items"]:
            raise NotFound


def _iterate_with_names(read: Read, entries: Iterator[AuditView]) -> Iterator[NamedEntryView]:
    while batch := list(islice(entries, BATCH_SIZE)):
        yield from _with_names(read, batch)


def _with_names(read: Read, entries: list[AuditView]) -> list[NamedEntryView]:
    mentioned: dict[str, set[int]] = {}
    for entry in entries:
        for field, ids in _mentioned_in(entry):
            mentioned.setdefault(field, set()).update(each for each in ids if isinstance(each, int))
    with read() as views:
        names = {field: views.names(field, ids) for field, ids in mentioned.items()}

    def called(field: str, id: object) -> str | None:
        return names[field].get(id) if isinstance(id, int) else None

    return [
        NamedEntryView(
            **entry,
            person=called("user_id", entry["user"]["id"]) if entry["user"] else None,
            patient=_patient(called, entry),
            subject=called(_SUBJECTS[entry["entity"]], entry["entity_id"]) if entry["entity"] in _SUBJECTS else None,
            names={
                field: [called(asked, each) for each in entry["changes"][field]]
                for field, asked in _REFERENCES.items()
                if field in entry["changes"]
            },
        )
        for entry in entries
    ]


def _patient(called: Callable[[str, object], str | None], entry: AuditView) -> str | None:
    """Return the patient's name of the sheet that the entry is about.

    A deleted sheet has no patient any more, but entries with a patient id do.
    """
    if entry["patient_id"] and entry["entity"] != PATIENT.name:
        return called("patient_id", entry["patient_id"])
    return called("sheet_id", entry["sheet_id"]) if entry["sheet_id"] else None


def _mentioned_in(entry: AuditView) -> Iterator[tuple[str, Iterable[object]]]:
    """Yield the ids in an entry, by the field for looking up their names."""
    yield "user_id", [entry["user"]["id"]] if entry["user"] else []
    yield "sheet_id", [entry["sheet_id"]]
    yield "patient_id", [entry["patient_id"]]
    if entry["entity"] in _SUBJECTS:
        yield _SUBJECTS[entry["entity"]], [entry["entity_id"]]
    for field, asked in _REFERENCES.items():
        yield asked, entry["changes"].get(field, ())
