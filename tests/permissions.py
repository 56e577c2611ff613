"""Who may do what: the answer of every use case to every role.

The tests of use cases, routes, documents and screens read it. It is written by hand, and never derived from
``domain/common/policy.py`` or from the guards of the routes.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

from application.catalogue.areas import AreaDraft, ListAreas
from application.catalogue.categories import CategoryDraft, ListCategories
from application.catalogue.rooms import ListRooms, RoomDraft
from application.catalogue.views import RoomQuery
from application.common.draft import Draft
from application.common.paging import ListQuery
from application.people.staff import ListStaff, StaffDraft
from application.people.views import StaffQuery
from application.records.list_reader import ListReader
from domain.common.errors import Code

YES, NO, PROFILE, NOT_FOUND = None, "forbidden", "profile_required", "not_found"
ONLY_KEYS = "only_for_keys"
# None if the role may; otherwise the code of the refusal.
Answer = str | Code | None


@dataclass(frozen=True)
class Answers:
    """The answers to role 1 without and with a profile, role 2 and role 10."""

    newcomer: Answer
    nurse: Answer
    supervisor: Answer
    admin: Answer

    def to(self, role: str) -> Answer:
        answer: Answer = getattr(self, role)
        return answer


ROLES = ("newcomer", "nurse", "supervisor", "admin")
EVERYONE = Answers(YES, YES, YES, YES)
WARD = Answers(PROFILE, YES, YES, YES)
SUPERVISION = Answers(NO, NO, YES, YES)
ADMINISTRATION = Answers(NO, NO, NO, YES)


def for_supervision(code: Code) -> Answers:
    """Ward staff have the permission, but not for this object."""
    return Answers(PROFILE, code, YES, YES)


def for_administration(code: Code) -> Answers:
    """Supervisors have the permission, but not for this object."""
    return Answers(NO, NO, code, YES)


NOT_OWN = for_supervision(Code.DETAIL_NOT_OWN)
OF_ADMINISTRATORS = for_administration(Code.USER_FOR_ADMINISTRATION)
OWN_USER = Answers(NO, NO, Code.USER_OWN, Code.USER_OWN)
OTHER_USER = Answers(Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES)
OTHER_ADMIN = Answers(Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_FOR_ADMINISTRATION, YES)
# Role 10 may not unlock by PIN and badge, unless the hospital says so.
QUICK_ROLES = Answers(YES, YES, YES, Code.UNLOCK_NOT_FOR_ROLE)


@dataclass(frozen=True)
class RecordKind:
    """Records that are listed, read, created, updated and deleted alike.

    ``one`` is the name of one of them in routes. All texts of the ``draft`` are names or codes. Without ``has_pages``
    they are on other screens.
    """

    one: str
    reader: type[ListReader[Any, Any]]
    draft: Draft
    reads: Answers
    writes: Answers = SUPERVISION
    query: type[ListQuery] = ListQuery
    has_pages: bool = True

    @property
    def fields(self) -> dict[str, str | int]:
        """The fields of the draft that are filled in."""
        return {name: value for name, value in asdict(self.draft).items() if isinstance(value, str | int)}


# By the name in UseCases, in routes and of the exported list.
RECORDS = {
    "areas": RecordKind("area", ListAreas, AreaDraft(name="UCI"), reads=WARD),
    "categories": RecordKind(
        "category", ListCategories, CategoryDraft(code="X", name="X"), reads=WARD, has_pages=False
    ),
    "rooms": RecordKind(
        "room", ListRooms, RoomDraft(name="102", status=1, type=1, area_id=1), reads=WARD, query=RoomQuery
    ),
    "staff": RecordKind(
        "staff", ListStaff, StaffDraft(name="Luis", first_surname="Gil"), reads=SUPERVISION, query=StaffQuery
    ),
}

# By the name in UseCases. Words in parentheses name the object, if it matters.
PERMISSIONS: dict[str, Answers] = {
    "session.sign_out": EVERYONE,
    "session.lock": EVERYONE,
    "session.unlock": EVERYONE,
    "session.make_nonce": EVERYONE,
    "session.bind_device": EVERYONE,
    "session.set_pin": QUICK_ROLES,
    "session.remove_pin": EVERYONE,
    "session.end_on_device": SUPERVISION,
    "badges.list (own)": EVERYONE,
    "badges.list": Answers(NOT_FOUND, NOT_FOUND, YES, YES),
    "badges.list (of role 10)": Answers(NOT_FOUND, NOT_FOUND, NOT_FOUND, YES),
    "badges.add (own)": QUICK_ROLES,
    "badges.add": OTHER_USER,
    "badges.add (of role 10)": replace(OTHER_ADMIN, admin=Code.UNLOCK_NOT_FOR_ROLE),
    "badges.remove (own)": EVERYONE,
    "badges.remove": OTHER_USER,
    "badges.remove (of role 10)": OTHER_ADMIN,
    "session.read_logout_url": EVERYONE,
    "badges.find": EVERYONE,
    "session.list (own)": EVERYONE,
    "session.list": Answers(NOT_FOUND, NOT_FOUND, YES, YES),
    "session.list (of role 10)": Answers(NOT_FOUND, NOT_FOUND, NOT_FOUND, YES),
    "session.end (own)": EVERYONE,
    "session.end": OTHER_USER,
    "session.end (of role 10)": OTHER_ADMIN,
    "account.read": EVERYONE,
    "account.change": EVERYONE,
    "account.read_profile": EVERYONE,
    "account.complete_profile": EVERYONE,
    "account.choose_ward": EVERYONE,
    "account.check_password": EVERYONE,
    "account.begin_linking_oidc": EVERYONE,
    "account.link_oidc": EVERYONE,
    "users.reader": SUPERVISION,
    "users.reader (one)": Answers(NOT_FOUND, NOT_FOUND, YES, YES),
    "users.reader (one of role 10)": Answers(NOT_FOUND, NOT_FOUND, NOT_FOUND, YES),
    "users.reader (own)": EVERYONE,
    "users.register": SUPERVISION,
    "users.register (role 10)": for_administration(Code.ROLE_FOR_ADMINISTRATION),
    "users.invite": SUPERVISION,
    "users.invite (role 10)": for_administration(Code.ROLE_FOR_ADMINISTRATION),
    "users.assign_profile": SUPERVISION,
    "users.assign_profile (of role 10)": OF_ADMINISTRATORS,
    "users.assign_profile (own)": OWN_USER,
    "users.update": OTHER_USER,
    "users.update (to role 10)": Answers(Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.ROLE_FOR_ADMINISTRATION, YES),
    "users.update (of role 10)": OTHER_ADMIN,
    "users.update (own)": OWN_USER,
    "users.delete": SUPERVISION,
    "users.delete (of role 10)": OF_ADMINISTRATORS,
    "users.delete (own)": OWN_USER,
    "passkeys.begin_unlock": EVERYONE,
    "passkeys.begin_registration": EVERYONE,
    "passkeys.register": EVERYONE,
    "passkeys.list (own)": EVERYONE,
    "passkeys.list": Answers(NOT_FOUND, NOT_FOUND, YES, YES),
    "passkeys.list (of role 10)": Answers(NOT_FOUND, NOT_FOUND, NOT_FOUND, YES),
    "passkeys.rename (own)": EVERYONE,
    "passkeys.rename": Answers(Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_NOT_OWN),
    "passkeys.remove (own)": EVERYONE,
    "passkeys.remove": OTHER_USER,
    "passkeys.remove (of role 10)": OTHER_ADMIN,
    "passkeys.hand_out_link": SUPERVISION,
    "passkeys.hand_out_link (of role 10)": OF_ADMINISTRATORS,
    "passkeys.hand_out_link (own)": OWN_USER,
    "users.create_reset_link": SUPERVISION,
    "users.create_reset_link (of role 10)": OF_ADMINISTRATORS,
    "users.create_reset_link (own)": OWN_USER,
    "users.unlink_oidc": SUPERVISION,
    "users.unlink_oidc (of role 10)": OF_ADMINISTRATORS,
    "users.unlink_oidc (own)": OWN_USER,
    "service_accounts.list": ADMINISTRATION,
    "service_accounts.create": ADMINISTRATION,
    "service_accounts.update": ADMINISTRATION,
    "service_accounts.delete": ADMINISTRATION,
    "service_accounts.create_key": ADMINISTRATION,
    "service_accounts.revoke_key": ADMINISTRATION,
    "service_accounts.read_own_key": Answers(ONLY_KEYS, ONLY_KEYS, ONLY_KEYS, ONLY_KEYS),
    "sheets.reader": WARD,
    "sheets.search": WARD,
    "sheets.open": WARD,
    "sheets.admit_unidentified": WARD,
    "users.create_imported_links": SUPERVISION,
    "rooms.check_ranges": SUPERVISION,
    "rooms.create_ranges": SUPERVISION,
    "sheets.update": WARD,
    "sheets.close": WARD,
    "sheets.reopen": ADMINISTRATION,
    "sheets.read": WARD,
    "sheets.undo_closing": WARD,
    "sheets.transfer_patient": WARD,
    "sheets.undo_transfer": SUPERVISION,
    "sheets.delete": WARD,
    "sheets.delete (with lines)": for_supervision(Code.SHEET_FOR_SUPERVISION),
    "sheets.delete (closed)": Answers(PROFILE, Code.SHEET_FOR_ADMINISTRATION, Code.SHEET_FOR_ADMINISTRATION, YES),
    "sheets.summarize": WARD,
    "sheets.read_version": WARD,
    "sheets.print": WARD,
    "sheets.list_closings": WARD,
    "sheets.read_closing": WARD,
    "sheets.check_paper": WARD,
    "sheets.list_usual_products": WARD,
    "sheets.list_repeatable": WARD,
    "sheets.read_history": SUPERVISION,
    "contingency_forms.print": WARD,
    "contingency_forms.list": WARD,
    "contingency_forms.read": WARD,
    "contingency_forms.record": WARD,
    "contingency_forms.discard": SUPERVISION,
    "missed_charges.list": WARD,
    "missed_charges.answer": WARD,
    "details.reader": WARD,
    "details.reader_with_patients": WARD,
    "accounts.read": WARD,
    "accounts.issue": WARD,
    "accounts.compare": WARD,
    "accounts.print": WARD,
    "area_sheets.open": WARD,
    "area_sheets.read": WARD,
    "area_sheets.list": WARD,
    "details.list_of_sheet": WARD,
    "details.add": WARD,
    "details.record_many": WARD,
    "details.edit": SUPERVISION,
    "details.correct (own)": WARD,
    "details.correct (of someone else)": NOT_OWN,
    "details.delete (own)": WARD,
    "details.delete (of someone else)": NOT_OWN,
    "details.void (own)": WARD,
    "details.void (of someone else)": NOT_OWN,
    "details.move (own)": WARD,
    "details.move (of someone else)": NOT_OWN,
    "details.return_part": WARD,
    "details.mark_waste": WARD,
    "details.unmark_waste": WARD,
    "late_entries.submit": WARD,
    "late_entries.list": SUPERVISION,
    "late_entries.dismiss": SUPERVISION,
    "late_entries.record": SUPERVISION,
    "unlisted_items.note": WARD,
    "unlisted_items.list": WARD,
    "unlisted_items.resolve": SUPERVISION,
    "unlisted_items.discard": SUPERVISION,
    "unlisted_items.withdraw (own)": WARD,
    "unlisted_items.withdraw (of someone else)": Answers(
        PROFILE, Code.DETAIL_NOT_OWN, Code.DETAIL_NOT_OWN, Code.DETAIL_NOT_OWN
    ),
    **{f"{group}.reader": record.reads for group, record in RECORDS.items()},
    **{
        f"{group}.{verb}": record.writes for group, record in RECORDS.items() for verb in ("create", "update", "delete")
    },
    "products.reader": WARD,
    "products.search": WARD,
    "products.create": SUPERVISION,
    "products.update": SUPERVISION,
    "products.delete": SUPERVISION,
    "products.look_up": WARD,
    "products.read_price_history": SUPERVISION,
    "products.read_usual_quantity": WARD,
    "products.list_codes": SUPERVISION,
    "products.add_code": SUPERVISION,
    "products.remove_code": SUPERVISION,
    "products.list_unknown_codes": SUPERVISION,
    "products.list_typed": SUPERVISION,
    "products.ignore_unknown_code": SUPERVISION,
    "products.read_catalogue": WARD,
    "products.pin": WARD,
    "products.unpin": WARD,
    "products.read_picture": WARD,
    "products.set_picture": SUPERVISION,
    "products.remove_picture": SUPERVISION,
    "labels.print": WARD,
    "labels.print (patient)": WARD,
    "typed_names.note": WARD,
    "typed_names.list": SUPERVISION,
    "typed_names.add": SUPERVISION,
    "typed_names.dismiss": SUPERVISION,
    "implants.list": SUPERVISION,
    "implants.print_card": SUPERVISION,
    "recalls.reader": SUPERVISION,
    "recalls.open": SUPERVISION,
    "recalls.update": SUPERVISION,
    "recalls.list_details": SUPERVISION,
    "recalls.acknowledge_use": SUPERVISION,
    "recalls.set_aside": WARD,
    "recalls.list_set_aside": SUPERVISION,
    "restock.read": WARD,
    "restock.put_back": WARD,
    "restock.undo_put_back": WARD,
    "restock.close": WARD,
    "restock.list_closed": WARD,
    "restock.read_document": WARD,
    "restock.list_shelves": WARD,
    "restock.set_shelf": SUPERVISION,
    "kits.reader": WARD,
    "kits.create (own)": WARD,
    "kits.create (of the hospital)": for_supervision(Code.KIT_FOR_SUPERVISION),
    "kits.update (own)": WARD,
    "kits.update (of the hospital)": for_supervision(Code.KIT_FOR_SUPERVISION),
    "kits.review (own)": WARD,
    "kits.review (of the hospital)": for_supervision(Code.KIT_FOR_SUPERVISION),
    "kits.delete (own)": WARD,
    "kits.delete (of the hospital)": for_supervision(Code.KIT_FOR_SUPERVISION),
    "patients.reader": WARD,
    "patients.search": WARD,
    "patients.create": WARD,
    "patients.update": WARD,
    "patients.delete": SUPERVISION,
    "patients.preview_merge": SUPERVISION,
    "patients.merge": SUPERVISION,
    "patients.unmerge": for_administration(Code.MERGE_NOT_OWN),
    "patients.identify": WARD,
    "inbound_messages.receive": WARD,
    "inbound_messages.note_refused": WARD,
    "inbound_messages.list": SUPERVISION,
    "inbound_messages.read": SUPERVISION,
    "inbound_messages.retry": ADMINISTRATION,
    "inbound_messages.dismiss": ADMINISTRATION,
    "inbound_messages.assign_room": ADMINISTRATION,
    "inbound_messages.assign_patient": ADMINISTRATION,
    "inbound_messages.open_sheet": ADMINISTRATION,
    "inbound_messages.assign_sheet": ADMINISTRATION,
    "outbound_messages.reader": SUPERVISION,
    "outbound_messages.read": SUPERVISION,
    "outbound_messages.retry": ADMINISTRATION,
    "outbound_messages.mark_sent": ADMINISTRATION,
    "imports.reader": SUPERVISION,
    "imports.read_file": SUPERVISION,
    "imports.run": SUPERVISION,
    "imports.undo": SUPERVISION,
    "reports.read_overview": WARD,
    "reports.read_worklist": SUPERVISION,
    "reports.judge_right": SUPERVISION,
    "reports.undo_judgement": SUPERVISION,
    "reports.read_ward": WARD,
    "reports.read_shift": WARD,
    "reports.list_notices": WARD,
    "reports.mark_notices_seen": WARD,
    "reports.consumption": WARD,
    "reports.consumption (by staff)": for_supervision(Code.REPORT_FOR_SUPERVISION),
    "reports.reconcile_handed_out": SUPERVISION,
    "reports.close_month": SUPERVISION,
    "reports.read_month": SUPERVISION,
    "reports.export_month": SUPERVISION,
    "reports.list_months": SUPERVISION,
    "status.read": ADMINISTRATION,
    "status.send_test_email": ADMINISTRATION,
    "status.report_outbox": EVERYONE,
    "hospital.read_settings": ADMINISTRATION,
    "hospital.change_settings": ADMINISTRATION,
    "hospital.preview_settings": ADMINISTRATION,
    "hospital.set_logo": ADMINISTRATION,
    "hospital.remove_logo": ADMINISTRATION,
    "audit.reader": ADMINISTRATION,
    "audit.read_access_log": SUPERVISION,
    "fhir.practitioners": WARD,
    "fhir.read_closing_records": Answers(PROFILE, NO, YES, YES),
    "fhir.find_patients_by_number": WARD,
    "fhir.read_last_changes": WARD,
    "fhir.read_patient_classes": WARD,
}

# Without signing in.
PUBLIC = {
    "session.sign_in",
    "session.identify",
    "session.begin_oidc",
    "session.finish_oidc",
    "session.end_by_provider",
    "passkeys.begin_sign_in",
    "passkeys.sign_in",
    "passkeys.give_second_factor",
    "passkeys.begin_registration (by link)",
    "passkeys.register (by link)",
    "account.read_link",
    "account.choose_password",
    "account.request_password_reset",
    "account.check_password (by link)",
    "users.create_first_administrator",
    "users.check_setup",
}
# Without a caller: for the command line, the senders and receivers of messages, and the server itself.
INTERNAL = {
    "session.touch",
    "session.touch_key",
    "service_accounts.ensure_receiver",
    "sheets.backfill_closings",
    "sheets.backfill_digests",
    "sheets.find_printouts",
    "missed_charges.learn",
    "inbound_messages.reprocess_held",
    "inbound_messages.record_receiver_settings",
    "inbound_messages.check_receiver_settings",
    "outbound_messages.claim_due",
    "outbound_messages.record_delivery",
    "reports.check_consistency",
    "users.create_setup_link",
    "status.record_backup",
}

# Refusals of one object or value to a caller who has the permission.
REFUSALS = {
    answer for answers in PERMISSIONS.values() for role in ROLES if isinstance(answer := answers.to(role), Code)
}


def use_case_of(name: str) -> str:
    """Return the name of the use case without its object."""
    return name.partition(" ")[0]
