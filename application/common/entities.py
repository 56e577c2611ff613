"""The kinds of entities, and the actions in the audit log.

Stores, views, imports, the audit log and names all use this list. A new kind needs one line here and its actions.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from application.common.imported import Import
from domain.accounts.api_key import ApiKey
from domain.accounts.badge import Badge
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.kit import Kit
from domain.catalogue.product import Category, Product, ProductCode, gtin_key
from domain.catalogue.recall import Recall, SetAside
from domain.catalogue.room import Room
from domain.catalogue.typed_name import TypedName
from domain.common.text import code_key, fold, fold_product, sort_name, strip_leading_zeros, unique_key
from domain.forms.contingency_form import ContingencyForm
from domain.interop.inbound_message import InboundMessage
from domain.interop.outbound_message import OutboundMessage
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.detail import Detail
from domain.sheets.late_entry import LateEntry
from domain.sheets.sheet import PatientSheet
from domain.sheets.unlisted_item import UnlistedItem

Key = Callable[[Any], Hashable]


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A kind of entity.

    ``name`` is its name in the audit log and the API, ``store`` the attribute of units of work and views, ``type`` the
    domain class. ``noun`` is the prefix of its actions and references, if that is not the name. ``keys`` are the
    natural keys by which many are found at a time, with functions that compute them. The keys that have to be unique
    are in ``unique``.
    """

    name: str
    store: str
    type: type
    noun: str = ""
    keys: Mapping[str, Key] = field(default_factory=dict, hash=False)
    unique: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """The field by which other entities refer to it."""
        return f"{self.noun or self.name}_id"

    def action(self, verb: str) -> "AuditAction":
        """Return the audit action for a verb, such as ``created``.

        Call it at module level, so that a wrong verb already fails at startup.
        """
        return AuditAction(f"{self.noun or self.name}.{verb}")

    def store_of(self, work: Any) -> Any:
        """Return its store in a unit of work, or its view in ``Views``."""
        return getattr(work, self.store)


def _or_none(text: str | None, key: Callable[[str], str]) -> str | None:
    return None if text is None else key(text)


def _full_name(person: Any) -> str:
    return sort_name(person.name, person.first_surname, person.second_surname)


AREA = EntityKind(
    "area",
    "areas",
    Area,
    keys={"name": lambda area: unique_key(area.name), "code": lambda area: area.code},
    unique=("name", "code"),
)
CATEGORY = EntityKind(
    "category",
    "categories",
    Category,
    keys={"code": lambda one: code_key(one.code), "name": lambda one: fold(one.name)},
    unique=("code",),
)
PRODUCT = EntityKind(
    "product",
    "products",
    Product,
    keys={
        "code": lambda one: _or_none(one.code, code_key),
        "code_without_zeros": lambda one: _or_none(one.code, strip_leading_zeros),
        "gtin": lambda one: _or_none(one.gtin, gtin_key),
        "name": lambda one: fold_product(one.name),
    },
    unique=(
        "code",
        "gtin",
    ),
)
PRODUCT_CODE = EntityKind(
    "product_code",
    "product_codes",
    ProductCode,
    keys={"code": lambda one: (one.system, one.key), "product_id": lambda one: one.product_id},
    unique=("code",),
)
TYPED_NAME = EntityKind("typed_name", "typed_names", TypedName, keys={"product_id": lambda one: one.product_id})
RECALL = EntityKind("recall", "recalls", Recall, keys={"product_id": lambda one: one.product_id})
SET_ASIDE = EntityKind(
    "set_aside",
    "set_aside",
    SetAside,
    keys={"digest": lambda one: one.digest, "recall_id": lambda one: one.recall_id},
)
ROOM = EntityKind(
    "room",
    "rooms",
    Room,
    keys={"name": lambda room: fold(room.name), "code": lambda room: room.code},
    unique=("code",),
)
PATIENT = EntityKind(
    "patient",
    "patients",
    Patient,
    keys={
        "record_number": lambda one: _or_none(one.record_number, code_key),
        "record_number_without_zeros": lambda one: _or_none(one.record_number, strip_leading_zeros),
        "full_name": _full_name,
        "merged_into": lambda one: one.merged_into,
        "unidentified_number": lambda one: one.unidentified_number,
    },
    unique=("record_number",),
)
STAFF = EntityKind("staff", "staff", Staff, keys={"full_name": _full_name})
SHEET = EntityKind(
    "consumption_sheet",
    "sheets",
    PatientSheet,
    noun="sheet",
    keys={"patient_id": lambda sheet: sheet.patient_id, "visit_number": lambda sheet: sheet.visit_number},
    unique=("visit_number",),
)
DETAIL = EntityKind(
    "consumption_detail", "details", Detail, noun="detail", keys={"sheet_id": lambda detail: detail.sheet_id}
)
USER = EntityKind(
    "user",
    "users",
    User,
    keys={
        "email": lambda user: None if user.deleted else unique_key(user.email),
        "staff_id": lambda user: user.staff_id,
    },
    unique=(
        "email",
        "staff_id",
    ),
)
IMPORT = EntityKind("import", "imports", Import)
LATE_ENTRY = EntityKind(
    "late_entry",
    "late_entries",
    LateEntry,
    keys={"digest": lambda one: one.digest, "sheet_id": lambda one: one.sheet_id},
)
UNLISTED_ITEM = EntityKind(
    "unlisted_item",
    "unlisted_items",
    UnlistedItem,
    keys={"digest": lambda one: one.digest, "sheet_id": lambda one: one.sheet_id},
)
CONTINGENCY_FORM = EntityKind("contingency_form", "contingency_forms", ContingencyForm, noun="form")
OUTBOUND_MESSAGE = EntityKind(
    "outbound_message", "outbound_messages", OutboundMessage, keys={"sheet_id": lambda one: one.sheet_id}
)
KIT = EntityKind(
    "kit",
    "kits",
    Kit,
    keys={"name": lambda kit: (kit.user_id or 0, unique_key(kit.name)) if kit.active else None},
    unique=("name",),
)
INBOUND_MESSAGE = EntityKind(
    "inbound_message",
    "inbound_messages",
    InboundMessage,
    keys={
        "control_id": lambda one: (one.source, one.control_id, one.digest),
        "called": lambda one: (one.source, one.control_id),
    },
    unique=("control_id",),
)

BADGE = EntityKind(
    "badge", "badges", Badge, keys={"digest": lambda one: one.digest, "user_id": lambda one: one.user_id}
)
API_KEY = EntityKind("api_key", "api_keys", ApiKey, noun="key", keys={"user_id": lambda key: key.user_id})

# Data that other entities refer to and users maintain.
MASTER_DATA = (AREA, CATEGORY, PRODUCT, ROOM, PATIENT, STAFF)
# Entities that imports create, ordered so that each comes after those it refers to.
IMPORTED = (*MASTER_DATA, USER, SHEET, DETAIL)
ENTITIES = (
    *IMPORTED, PRODUCT_CODE, TYPED_NAME, RECALL, SET_ASIDE, IMPORT, KIT, LATE_ENTRY, UNLISTED_ITEM, API_KEY,
    OUTBOUND_MESSAGE, INBOUND_MESSAGE, BADGE, CONTINGENCY_FORM,
)  # fmt: skip
# Entities that others refer to and that have a name.
NAMED = (*MASTER_DATA, KIT)


class AuditAction(StrEnum):
    """The actions of the audit log."""

    # Each needs words in ``adapters/i18n``.

    AREA_CREATED = "area.created"
    AREA_UPDATED = "area.updated"
    AREA_DELETED = "area.deleted"
    AREA_EXPORTED = "area.exported"

    CATEGORY_CREATED = "category.created"
    CATEGORY_UPDATED = "category.updated"
    CATEGORY_DELETED = "category.deleted"
    CATEGORY_EXPORTED = "category.exported"

    PRODUCT_CREATED = "product.created"
    PRODUCT_UPDATED = "product.updated"
    PRODUCT_DELETED = "product.deleted"
    PRODUCT_EXPORTED = "product.exported"
    PRODUCT_NAME_DISMISSED = "product.name_dismissed"
    PRODUCT_PICTURE_SET = "product.picture_set"
    PRODUCT_PICTURE_REMOVED = "product.picture_removed"
    PRODUCT_CODE_ADDED = "product_code.added"
    PRODUCT_CODE_REMOVED = "product_code.removed"
    UNKNOWN_CODE_IGNORED = "unknown_code.ignored"

    RECALL_OPENED = "recall.opened"
    RECALL_UPDATED = "recall.updated"
    RECALL_CLOSED = "recall.closed"
    RECALL_READ = "recall.read"
    RECALL_EXPORTED = "recall.exported"
    SET_ASIDE_RECORDED = "set_aside.recorded"
    RESTOCK_LIST_CLOSED = "restock_list.closed"
    MONTH_CLOSED = "month.closed"
    MONTH_EXPORTED = "month.exported"
    SHELF_CHANGED = "area.shelf_changed"
    AREA_SHEET_OPENED = "area.sheet_opened"
    RESTOCK_TICKED = "area.restock_ticked"
    RESTOCK_UNTICKED = "area.restock_unticked"

    ROOM_CREATED = "room.created"
    ROOM_UPDATED = "room.updated"
    ROOM_DELETED = "room.deleted"
    ROOM_EXPORTED = "room.exported"
    # Of earlier versions. Now the sheets of the patients in the room are named.
    ROOM_READ = "room.read"
    ROOM_LISTED = "room.listed"

    PATIENT_CREATED = "patient.created"
    PATIENT_UPDATED = "patient.updated"
    PATIENT_DELETED = "patient.deleted"
    PATIENT_EXPORTED = "patient.exported"
    PATIENT_READ = "patient.read"
    PATIENT_LISTED = "patient.listed"
    PATIENT_SHEETS_LISTED = "patient.sheets_listed"
    PATIENT_PRINTED = "patient.printed"
    PATIENT_MERGED = "patient.merged"
    PATIENT_UNMERGED = "patient.unmerged"
    PATIENT_IDENTIFIED = "patient.identified"

    STAFF_CREATED = "staff.created"
    STAFF_UPDATED = "staff.updated"
    STAFF_DELETED = "staff.deleted"
    STAFF_EXPORTED = "staff.exported"
    PROFILE_COMPLETED = "profile.completed"
    PROFILE_UPDATED = "profile.updated"

    SHEET_OPENED = "sheet.opened"
    SHEET_UPDATED = "sheet.updated"
    SHEET_CLOSED = "sheet.closed"
    SHEET_REOPENED = "sheet.reopened"
    SHEET_CLOSING_UNDONE = "sheet.closing_undone"
    SHEET_TRANSFERRED = "sheet.transferred"
    SHEET_TRANSFER_UNDONE = "sheet.transfer_undone"
    SHEET_COPIED_FROM = "sheet.copied_from"
    SHEET_PRINTED = "sheet.printed"
    SHEET_ACCOUNT_ISSUED = "sheet.account_issued"
    SHEET_ACCOUNT_PRINTED = "sheet.account_printed"
    SHEET_IMPLANTS_PRINTED = "sheet.implants_printed"
    SHEET_DELETED = "sheet.deleted"
    SHEET_PATIENT_MERGED = "sheet.patient_merged"
    SHEET_PATIENT_UNMERGED = "sheet.patient_unmerged"
    SHEET_READ = "consumption_sheet.read"
    SHEET_LISTED = "consumption_sheet.listed"
    SHEET_EXPORTED = "consumption_sheet.exported"
    SHEET_JUDGED_RIGHT = "sheet.judged_right"
    SHEET_JUDGEMENT_UNDONE = "sheet.judgement_undone"

    DETAIL_ADDED = "detail.added"
    DETAIL_EDITED = "detail.edited"
    DETAIL_VOIDED = "detail.voided"
    DETAIL_MOVED_AWAY = "detail.moved_away"
    DETAIL_MOVED_HERE = "detail.moved_here"
    DETAIL_RETURNED = "detail.returned"
    DETAIL_WASTED = "detail.wasted"
    DETAIL_WASTE_UNDONE = "detail.waste_undone"
    DETAIL_DELETED = "detail.deleted"
    DETAIL_RECALL_SEEN = "detail.recall_seen"
    MISSED_CHARGE_ANSWERED = "sheet.missed_charge_answered"
    DETAIL_JUDGED_RIGHT = "detail.judged_right"
    DETAIL_JUDGEMENT_UNDONE = "detail.judgement_undone"
    DETAIL_EXPORTED = "consumption_detail.exported"

    IMPLANT_LISTED = "implant.listed"
    IMPLANT_EXPORTED = "implant.exported"

    LATE_ENTRY_ARRIVED = "late_entry.arrived"
    LATE_ENTRY_RECORDED = "late_entry.recorded"
    LATE_ENTRY_DISMISSED = "late_entry.dismissed"

    UNLISTED_ITEM_NOTED = "unlisted_item.noted"
    UNLISTED_ITEM_RESOLVED = "unlisted_item.resolved"
    UNLISTED_ITEM_DISCARDED = "unlisted_item.discarded"
    UNLISTED_ITEM_WITHDRAWN = "unlisted_item.withdrawn"

    FORM_PRINTED = "form.printed"
    FORM_RECORDED = "form.recorded"
    FORM_DISCARDED = "form.discarded"

    OUTBOUND_MESSAGE_READ = "outbound_message.read"
    OUTBOUND_MESSAGE_RETRIED = "outbound_message.retried"
    OUTBOUND_MESSAGE_SETTLED = "outbound_message.settled"
    OUTBOUND_MESSAGE_EXPORTED = "outbound_message.exported"

    KIT_CREATED = "kit.created"
    KIT_UPDATED = "kit.updated"
    KIT_DELETED = "kit.deleted"
    KIT_EXPORTED = "kit.exported"

    SERVICE_ACCOUNT_CREATED = "service_account.created"
    SERVICE_ACCOUNT_UPDATED = "service_account.updated"
    SERVICE_ACCOUNT_DELETED = "service_account.deleted"
    KEY_MADE = "key.made"
    KEY_REVOKED = "key.revoked"

    USER_INVITED = "user.invited"
    USER_REGISTERED = "user.registered"
    USER_UPDATED = "user.updated"
    USER_DELETED = "user.deleted"
    USER_PROFILE_ASSIGNED = "user.profile_assigned"
    USER_ACCOUNT_CHANGED = "user.account_changed"
    USER_PASSWORD_CHANGED = "user.password_changed"  # noqa: S105 - an action
    USER_PASSWORD_CHOSEN = "user.password_chosen"  # noqa: S105 - an action
    USER_RESET_LINK_HANDED_OUT = "user.reset_link_handed_out"
    USER_RESET_LINK_MAILED = "user.reset_link_mailed"
    USER_RESET_REQUESTED = "user.reset_requested"
    USER_OUTBOX_JUDGED_RIGHT = "user.outbox_judged_right"
    USER_OUTBOX_JUDGEMENT_UNDONE = "user.outbox_judgement_undone"
    USER_TEST_EMAIL_SENT = "user.test_email_sent"
    USER_CREATED_BY_OIDC = "user.created_by_oidc"
    USER_OIDC_LINKED = "user.oidc_linked"
    USER_OIDC_UNLINKED = "user.oidc_unlinked"
    USER_ROLE_FROM_OIDC = "user.role_from_oidc"
    USER_ROLE_KEPT = "user.role_kept"
    USER_REFUSED_BY_OIDC = "user.refused_by_oidc"
    USER_ADMITTED_BY_OIDC = "user.admitted_by_oidc"
    USER_EXPORTED = "user.exported"
    USER_PASSKEY_LINK_HANDED_OUT = "user.passkey_link_handed_out"
    PASSKEY_REGISTERED = "passkey.registered"
    PASSKEY_RENAMED = "passkey.renamed"
    PASSKEY_REMOVED = "passkey.removed"
    PASSKEY_CLONE_SUSPECTED = "passkey.clone_suspected"
    SIGNED_IN = "session.signed_in"
    SIGNED_OUT = "session.signed_out"
    SIGN_IN_FAILED = "session.sign_in_failed"
    OIDC_REFUSED = "session.oidc_refused"
    SECOND_FACTOR_FAILED = "session.second_factor_failed"
    SESSION_ENDED = "session.ended"
    SESSION_UNLOCKED = "session.unlocked"
    SESSION_UNLOCK_FAILED = "session.unlock_failed"
    SESSION_PIN_EXHAUSTED = "session.pin_exhausted"
    SESSION_DEVICE_BOUND = "session.device_bound"
    USER_PIN_SET = "user.pin_set"
    USER_PIN_REMOVED = "user.pin_removed"
    USER_BADGE_ADDED = "user.badge_added"
    USER_BADGE_REMOVED = "user.badge_removed"
    DEVICE_SESSIONS_ENDED = "device.sessions_ended"

    INBOUND_MESSAGE_RETRIED = "inbound_message.retried"
    INBOUND_MESSAGE_DISMISSED = "inbound_message.dismissed"
    INBOUND_MESSAGE_ANSWERED = "inbound_message.answered"
    INBOUND_MESSAGE_READ = "inbound_message.read"

    HOSPITAL_UPDATED = "hospital.updated"
    HOSPITAL_LOGO_CHANGED = "hospital.logo_changed"

    IMPORT_DONE = "import.done"
    IMPORT_UNDONE = "import.undone"
    IMPORT_EXPORTED = "import.exported"

    AUDIT_EXPORTED = "audit.exported"
    OVERVIEW_LISTED = "overview.listed"
    WORKLIST_LISTED = "worklist.listed"
    WARD_LISTED = "ward.listed"
    SHIFT_LISTED = "shift.listed"
    NOTICES_LISTED = "notice.listed"
    CONSUMPTION_LISTED = "consumption.listed"
    CONSUMPTION_EXPORTED = "consumption.exported"

    @property
    def entity(self) -> str:
        """The kind of entity in the audit log, or the name of a list."""
        noun = self.partition(".")[0]
        return _NAMES.get(noun, noun)


# Actions that only read, export or print, and change nothing.
ACCESS_ACTIONS = frozenset(
    action
    for action in AuditAction
    if action.partition(".")[2]
    in ("read", "listed", "sheets_listed", "exported", "printed", "implants_printed", "account_printed", "copied_from")
)

# Actions that were tried and refused.
FAILURES = frozenset(
    {
        AuditAction.SIGN_IN_FAILED,
        AuditAction.OIDC_REFUSED,
        AuditAction.SECOND_FACTOR_FAILED,
        AuditAction.SESSION_UNLOCK_FAILED,
        AuditAction.SESSION_PIN_EXHAUSTED,
        AuditAction.PASSKEY_CLONE_SUSPECTED,
        AuditAction.USER_REFUSED_BY_OIDC,
    }
)

_NAMES = {kind.noun: kind.name for kind in ENTITIES if kind.noun} | {
    "session": USER.name,
    "passkey": USER.name,
    "service_account": USER.name,
    "profile": STAFF.name,
}
