"""Views and list queries of the audit log and of imports."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, TypedDict

from application.common.entities import AuditAction
from application.common.paging import ListQuery, Meta
from application.common.redaction import Redacted


class AuditUserView(TypedDict):
    """The user of an entry. The email stays when the user is deleted."""

    id: int
    email: str


class ApiKeyNameView(TypedDict):
    """An API key, by name."""

    id: int
    name: str


class AuditView(TypedDict):
    """An entry of the audit log.

    ``changes`` has each changed field with its value before and after. ``sheet_id`` is the sheet whose history has the
    entry. ``patient_id`` is the patient of a sheet that was opened, changed, read or exported. ``api_key`` is the key
    of the program that made the change.
    """

    id: int
    at: datetime
    user: AuditUserView | None
    action: AuditAction
    entity: str
    entity_id: int
    sheet_id: int | None
    patient_id: int | None
    api_key: ApiKeyNameView | None
    changes: Annotated[dict[str, list[str | int | bool | None]], Redacted.CHANGES]


class NamedEntryView(AuditView):
    """An audit entry with names for its ids.

    ``person`` is the user's name, ``patient`` the name of the sheet's patient, and ``subject`` what else it is about,
    such as a detail's product or a user's email. ``names`` has the names of each changed id, before and after. Objects
    without a name, and deleted ones, have null.
    """

    person: str | None
    patient: str | None
    subject: str | None
    names: dict[str, list[str | None]]


class Shown(StrEnum):
    """How a changed field is shown with its entry."""

    CHANGE = "change"
    """What changed."""
    NOTE = "note"
    """Why, where or how, beside what changed."""
    DATA = "data"
    """The sentence of the entry already says what happened."""


class WordedChangeView(TypedDict):
    """A changed field of an entry in words."""

    field: str
    shown: Shown
    text: str


class HistoryView(NamedEntryView):
    """An audit entry in words, in the language of the request.

    ``who`` and ``did`` are the beginning and the end of a sentence.
    """

    who: str
    did: str
    in_words: list[WordedChangeView]


class AuditChoiceView(TypedDict):
    """A value of a filter, in words."""

    value: str
    text: str


class AuditPage(TypedDict):
    """A page of the audit log, and what its filters can select.

    ``actions`` are those of the selected kind of entity.
    """

    items: list[HistoryView]
    meta: Meta
    entities: list[AuditChoiceView]
    actions: list[AuditChoiceView]


class ImportView(TypedDict):
    """An import, with the counts of rows by result."""

    id: int
    noun: str
    file_name: str
    at: datetime
    user: AuditUserView
    created: int
    changed: int
    unchanged: int
    refused: int
    undone_at: datetime | None
    undone_by: AuditUserView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery(ListQuery):
    """A query for audit entries.

    ``sheet_id`` includes the entries of the sheet's details. ``patient_id`` selects entries of users who looked at the
    patient, or read or changed one of the patient's sheets. ``since`` and ``until`` are days, ``from_at`` and
    ``before_at`` moments.
    """

    entity: str | None = None
    entity_id: int | None = None
    user_id: int | None = None
    action: str | None = None
    sheet_id: int | None = None
    patient_id: int | None = None
    since: date | None = None
    until: date | None = None
    from_at: datetime | None = None
    before_at: datetime | None = None


AUDIT_SORTS = frozenset[str]()
IMPORT_SORTS = frozenset({"id"})
