"""The permission of every use case, for every role.

A refused call must not write anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from adapters import demo
from adapters.hl7.adt_parser import AdtParser
from adapters.memory.data import MemoryData
from application.areas import AreaDraft
from application.categories import CategoryDraft
from application.entities import PATIENT
from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.columns import Noun
from application.imports.reading.rows import Row
from application.imports.reading.table import Choices
from application.inbound_messages.held_messages import DismissMessageDraft, PatientAnswerDraft, RoomAnswerDraft
from application.kits import KitDraft, KitLineDraft
from application.look_up_product import Lookup
from application.merge_patients import MergeDraft
from application.outbound_messages import SettleDraft
from application.paging import ListQuery
from application.patients import PatientDraft
from application.ports.idempotency import IdempotencyKey
from application.product_codes import ProductCodeDraft
from application.products import ProductDraft
from application.recalls import RecallDraft
from application.rooms import RoomDraft
from application.service_accounts import ApiKeyDraft, ServiceAccountDraft
from application.session.change_own_account import AccountDraft
from application.session.confirm_password import GivenPassword
from application.session.identify import SignedIn
from application.session.judge_password import TypedPassword
from application.session.sign_in import Credentials
from application.sheets.correct_detail import CorrectionDraft
from application.sheets.late_entries import DismissDraft, LateEntryDraft, RecordLateDraft
from application.sheets.move_details import MoveDraft
from application.sheets.record_details import DetailsDraft
from application.sheets.reopen_sheet import ReopenDraft
from application.sheets.return_detail import ReturnDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.unlisted_items import DiscardDraft, ResolveDraft, UnlistedItemDraft
from application.sheets.void_details import VoidDraft
from application.staff import StaffDraft
from application.typed_names import TypedNameDraft
from application.use_cases import UseCases
from application.users.draft import UserDraft
from application.views.audit import AuditQuery
from application.views.catalogue import KitQuery, ProductQuery, RecallQuery, RoomQuery
from application.views.details import DetailQuery
from application.views.messages import OutboundMessageQuery
from application.views.people import PatientQuery, StaffQuery
from application.views.reports import ConsumptionBy, ConsumptionQuery
from application.views.sheets import SheetQuery
from application.views.users import UserQuery
from domain.errors import Code, Forbidden, NotFound, Refused
from domain.policy import Actor, Permission, Role
from tests.builders import PASSWORD, ZONE, Ward, a_ward, an_outbound_message
from tests.hl7.messages import Post, adt
from tests.imports.importing import RowCollector
from tests.use_cases.stored import kept, nothing_written, put_back


@dataclass(frozen=True)
class Scene:
    """A ward with sheets, details and one of each other thing, by their ids."""

    ward: Ward
    newcomer: Actor
    other_user_id: int
    other_supervisor_id: int
    other_admin_id: int
    open_id: int
    moved_id: int
    nurses_detail_id: int
    admins_detail_id: int
    closed_id: int
    other_id: int
    import_id: int
    merged_id: int
    late_id: int
    unlisted_id: int
    account_id: int
    key_id: int
    message_id: int
    outbound_id: int
    spare: dict[str, int]

    def kit_draft(self, *, own: bool = False) -> KitDraft:
        line = KitLineDraft(product_id=self.ward.product_id, quantity=Decimal(1))
        return KitDraft(name="Sonda", own=own, lines=(line,))

    def move_draft(self, detail_id: int) -> MoveDraft:
        return MoveDraft(detail_ids=(detail_id,), to_sheet_id=self.other_id, reason="Otro paciente")

    def late_draft(self) -> LateEntryDraft:
        return LateEntryDraft(items=(self.ward.detail_draft(),), occurred_at=self.ward.clock.now)

    def kit(self) -> int:
        """Return the id of the shared kit."""
        return self.ward.use_cases.kits.reader.page(self.ward.admin, KitQuery())["items"][0]["id"]

    def who(self, name: str) -> Actor:
        who: Actor = self.newcomer if name == "newcomer" else getattr(self.ward, name)
        return who


@cache
def the_scene() -> tuple[Scene, MemoryData, datetime]:
    """Return the scene with its data and time, created once.

    Creating it takes longer than any of these tests.
    """
    scene = a_scene(a_ward())
    return scene, kept(scene.ward), scene.ward.clock.now


@pytest.fixture
def scene() -> Scene:
    """Return the scene, reset to its initial data."""
    scene, data, now = the_scene()
    put_back(scene.ward, data)
    scene.ward.clock.now = now
    scene.ward.postbox.letters.clear()
    return scene


def a_scene(ward: Ward) -> Scene:
    """Create the things of a scene on a ward."""
    opened, closed = ward.sheet()["id"], ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(1))
    ward.use_cases.kits.create(ward.admin, KitDraft(name="Vía", lines=(line,)))
    ward.use_cases.products.look_up(ward.nurse, Lookup(scan="ZZ-1"))
    ward.use_cases.typed_names.note(ward.nurse, ward.product_id, TypedNameDraft(text="suero"))
    moved, room = ward.sheet()["id"], RoomDraft(name="104", status=1, type=1, area_id=ward.area_id)
    to = ward.use_cases.rooms.create(ward.admin, room).id
    ward.use_cases.sheets.transfer_patient(ward.admin, moved, TransferDraft(room_id=to))
    account = ward.use_cases.service_accounts.create(ward.admin, ServiceAccountDraft(name="HIS"))["id"]
    made = ward.use_cases.service_accounts.create_key(
        ward.admin, account, ApiKeyDraft(name="Clave", scopes=("sheets.read",))
    )
    scene = Scene(
        ward=ward,
        newcomer=ward.register("new@consumo.test", Role.USER),
        other_user_id=ward.register("other@consumo.test", Role.USER).user_id,
        other_supervisor_id=ward.register("deputy@consumo.test", Role.SUPERVISOR).user_id,
        other_admin_id=ward.register("chief@consumo.test", Role.ADMIN).user_id,
        open_id=opened,
        moved_id=moved,
        nurses_detail_id=ward.detail(opened, by=ward.nurse)["id"],
        admins_detail_id=ward.detail(opened)["id"],
        closed_id=closed,
        other_id=ward.sheet()["id"],
        merged_id=a_merged_patient(ward),
        late_id=a_late_entry(ward),
        unlisted_id=an_unlisted_item(ward),
        account_id=account,
        key_id=made["key"]["id"],
        outbound_id=an_outbound_message(ward.store, ward.clock.now, closed),
        message_id=Post(ward).send(adt("A01", visit="V-1", location="UCI^201", control_id="M-1")).id,
        import_id=ward.use_cases.imports.run(ward.admin, an_area("Hemodiálisis"), RowCollector()).import_id or 0,
        spare=spare(ward),
    )
    for email in ("other@consumo.test", "chief@consumo.test"):
        ward.use_cases.session.sign_in(Credentials(email=email, password=PASSWORD))
    return scene


def a_merged_patient(ward: Ward) -> int:
    """Merge two patients and return the id of the merged record."""
    merged, stays = ward.patient("Eva", "Sol"), ward.patient("Eva", "Sol")
    ward.use_cases.patients.merge(ward.admin, merged.id, MergeDraft(into_id=stays.id, reason="Dos registros"))
    return merged.id


def a_late_entry(ward: Ward) -> int:
    """Submit a late entry to a closed sheet, reopen that and return the entry."""
    sheet = ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, sheet)
    draft = LateEntryDraft(items=(ward.detail_draft(),), occurred_at=ward.clock.now)
    late = ward.use_cases.late_entries.submit(ward.nurse, sheet, draft, idempotency_key=IdempotencyKey("k-1", "f"))
    ward.use_cases.sheets.reopen(ward.admin, sheet, ReopenDraft(reason="Llegó tarde"))
    return late.answer["id"]


def an_unlisted_item(ward: Ward) -> int:
    """Note an unlisted item as the nurse, on an open sheet."""
    draft = UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
    return ward.use_cases.unlisted_items.note(ward.nurse, ward.sheet()["id"], draft).answer["id"]


def a_catalogue() -> Path:
    """Return the path of the catalogue in this project's demonstration data."""
    return Path(demo.__file__).parent / "data" / "supplies.csv"


def an_area(name: str = "Pediatría") -> Batch:
    """Return a file with one area."""
    row = Row(2, {"name": name}, (), RawRow(2, [name]))
    return Batch(
        noun=Noun.AREAS,
        file_name="areas.csv",
        count=1,
        given=frozenset({"name"}),
        columns=("name",),
        rows=lambda: iter([row]),
    )


def spare(ward: Ward) -> dict[str, int]:
    """Create one unused thing of each kind."""
    use_cases, admin = ward.use_cases, ward.admin
    room = RoomDraft(name="103", status=1, type=1, area_id=ward.area_id)
    return {
        "area": use_cases.areas.create(admin, AreaDraft(name="Quirófano")).id,
        "category": use_cases.categories.create(admin, CategoryDraft(code="MED", name="Medicación")).id,
        "product": ward.product("Sonda").id,
        "room": use_cases.rooms.create(admin, room).id,
        "patient": ward.patient("Luis", "Gil").id,
        "staff": ward.staff("Luz", "Gil").id,
    }


def a_session(scene: Scene, user_id: int) -> str:
    """Return the id of the user's only session."""
    with scene.ward.store.read() as views:
        (session,) = views.sessions(user_id, scene.ward.clock.now)
    return session.id


Call = Callable[[Scene, Actor], object]
# FORBIDDEN codes: the caller lacks the permission. Other codes: the permission is there, but not for this object.
SEVEN = CorrectionDraft(quantity=Decimal(7))
YES, NO, PROFILE, NOT_THERE = None, "forbidden", "profile_required", "not_found"
Answer = str | Code | None


def registered(role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role, password="una venda y dos gasas")
    return lambda scene, who: scene.ward.use_cases.users.register(who, draft)


def invited(role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role)
    return lambda scene, who: scene.ward.use_cases.users.invite(who, draft, "es")


def updated(whose: str, role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role)
    return lambda scene, who: scene.ward.use_cases.users.update(who, getattr(scene, whose), draft)


def bandage(ward: Ward) -> ProductDraft:
    return ProductDraft(name="Venda", price=Decimal(1), category_id=ward.category_id)


# Callers: role 1 without and with a profile, role 2, role 10.
MATRIX: dict[str, tuple[Call, tuple[Answer, Answer, Answer, Answer]]] = {
    "open a sheet": (lambda s, a: s.ward.use_cases.sheets.open(a, s.ward.sheet_draft()), (PROFILE, YES, YES, YES)),
    "read a sheet": (lambda s, a: s.ward.use_cases.sheets.reader.one(a, s.closed_id), (PROFILE, YES, YES, YES)),
    "list sheets": (lambda s, a: s.ward.use_cases.sheets.reader.page(a, SheetQuery()), (PROFILE, YES, YES, YES)),
    "correct a sheet": (
        lambda s, a: s.ward.use_cases.sheets.update(a, s.open_id, s.ward.sheet_draft(doctor="Dr. Sol")),
        (PROFILE, YES, YES, YES),
    ),
    "close a sheet": (lambda s, a: s.ward.use_cases.sheets.close(a, s.open_id), (PROFILE, YES, YES, YES)),
    "reopen a sheet": (
        lambda s, a: s.ward.use_cases.sheets.reopen(a, s.closed_id, ReopenDraft(reason="Faltaba una venda")),
        (NO, NO, NO, YES),
    ),
    "transfer a patient": (
        lambda s, a: s.ward.use_cases.sheets.transfer_patient(a, s.open_id, TransferDraft(room_id=s.spare["room"])),
        (PROFILE, YES, YES, YES),
    ),
    "undo a transfer": (
        lambda s, a: s.ward.use_cases.sheets.undo_transfer(a, s.moved_id),
        (NO, NO, YES, YES),
    ),
    "delete an open sheet": (
        lambda s, a: s.ward.use_cases.sheets.delete(a, s.open_id),
        (PROFILE, Code.SHEET_FOR_SUPERVISION, YES, YES),
    ),
    "list messages to billing": (
        lambda s, a: s.ward.use_cases.outbound_messages.reader.page(a, OutboundMessageQuery()),
        (NO, NO, YES, YES),
    ),
    "read a message to billing": (
        lambda s, a: s.ward.use_cases.outbound_messages.read(a, s.outbound_id),
        (NO, NO, YES, YES),
    ),
    "send a message again": (
        lambda s, a: s.ward.use_cases.outbound_messages.retry(a, s.outbound_id),
        (NO, NO, NO, YES),
    ),
    "take a message for sent": (
        lambda s, a: s.ward.use_cases.outbound_messages.mark_sent(a, s.outbound_id, SettleDraft(reason="A mano")),
        (NO, NO, NO, YES),
    ),
    "delete a closed sheet": (
        lambda s, a: s.ward.use_cases.sheets.delete(a, s.closed_id),
        (PROFILE, Code.SHEET_FOR_ADMINISTRATION, Code.SHEET_FOR_ADMINISTRATION, YES),
    ),
    "add a detail": (
        lambda s, a: s.ward.use_cases.details.add(a, s.ward.detail_draft(), sheet_id=s.open_id),
        (PROFILE, YES, YES, YES),
    ),
    "record several details": (
        lambda s, a: s.ward.use_cases.details.record_many(a, s.open_id, DetailsDraft(items=(s.ward.detail_draft(),))),
        (PROFILE, YES, YES, YES),
    ),
    "pin a product": (lambda s, a: s.ward.use_cases.products.pin(a, s.ward.product_id), (PROFILE, YES, YES, YES)),
    "unpin a product": (lambda s, a: s.ward.use_cases.products.unpin(a, s.ward.product_id), (PROFILE, YES, YES, YES)),
    "list repeatable lines": (
        lambda s, a: s.ward.use_cases.sheets.list_repeatable(a, s.open_id, from_sheet=s.closed_id),
        (PROFILE, YES, YES, YES),
    ),
    "list kits": (lambda s, a: s.ward.use_cases.kits.reader.page(a, KitQuery()), (PROFILE, YES, YES, YES)),
    "create a kit of the hospital's": (
        lambda s, a: s.ward.use_cases.kits.create(a, s.kit_draft()),
        (PROFILE, Code.KIT_FOR_SUPERVISION, YES, YES),
    ),
    "create an own kit": (
        lambda s, a: s.ward.use_cases.kits.create(a, s.kit_draft(own=True)),
        (PROFILE, YES, YES, YES),
    ),
    "change a kit of the hospital's": (
        lambda s, a: s.ward.use_cases.kits.update(a, s.kit(), s.kit_draft()),
        (PROFILE, Code.KIT_FOR_SUPERVISION, YES, YES),
    ),
    "delete a kit of the hospital's": (
        lambda s, a: s.ward.use_cases.kits.delete(a, s.kit()),
        (PROFILE, Code.KIT_FOR_SUPERVISION, YES, YES),
    ),
    "edit a detail": (
        lambda s, a: s.ward.use_cases.details.edit(a, s.nurses_detail_id, s.ward.detail_draft("3")),
        (NO, NO, YES, YES),
    ),
    "delete the nurse's detail": (
        lambda s, a: s.ward.use_cases.details.delete(a, s.nurses_detail_id),
        (PROFILE, YES, YES, YES),
    ),
    "delete another's detail": (
        lambda s, a: s.ward.use_cases.details.delete(a, s.admins_detail_id),
        (PROFILE, Code.DETAIL_NOT_OWN, YES, YES),
    ),
    "void the nurse's detail": (
        lambda s, a: s.ward.use_cases.details.void(a, s.nurses_detail_id, VoidDraft(reason="Repetida")),
        (PROFILE, YES, YES, YES),
    ),
    "void another's detail": (
        lambda s, a: s.ward.use_cases.details.void(a, s.admins_detail_id, VoidDraft(reason="Repetida")),
        (PROFILE, Code.DETAIL_NOT_OWN, YES, YES),
    ),
    "void several of another's details": (
        lambda s, a: s.ward.use_cases.details.void.several(a, VoidDraft(ids=(s.admins_detail_id,), reason="Repetida")),
        (PROFILE, Code.DETAIL_NOT_OWN, YES, YES),
    ),
    "correct the nurse's detail": (
        lambda s, a: s.ward.use_cases.details.correct(a, s.nurses_detail_id, SEVEN, reason="Cantidad corregida"),
        (PROFILE, YES, YES, YES),
    ),
    "correct another's detail": (
        lambda s, a: s.ward.use_cases.details.correct(a, s.admins_detail_id, SEVEN, reason="Cantidad corregida"),
        (PROFILE, Code.DETAIL_NOT_OWN, YES, YES),
    ),
    "move the nurse's detail": (
        lambda s, a: s.ward.use_cases.details.move(a, s.open_id, s.move_draft(s.nurses_detail_id)),
        (PROFILE, YES, YES, YES),
    ),
    "move another's detail": (
        lambda s, a: s.ward.use_cases.details.move(a, s.open_id, s.move_draft(s.admins_detail_id)),
        (PROFILE, Code.DETAIL_NOT_OWN, YES, YES),
    ),
    "return another's detail": (
        lambda s, a: s.ward.use_cases.details.return_part(
            a, s.admins_detail_id, ReturnDraft(quantity=Decimal(1), reason="unused")
        ),
        (PROFILE, YES, YES, YES),
    ),
    "list the usual products": (
        lambda s, a: s.ward.use_cases.sheets.list_usual_products(a, s.open_id),
        (PROFILE, YES, YES, YES),
    ),
    "read what is usually recorded of a product": (
        lambda s, a: s.ward.use_cases.products.read_usual_quantity(a, s.ward.product_id),
        (PROFILE, YES, YES, YES),
    ),
    "print a sheet": (lambda s, a: s.ward.use_cases.sheets.print(a, s.open_id), (PROFILE, YES, YES, YES)),
    "print a closing": (lambda s, a: s.ward.use_cases.sheets.print(a, s.closed_id, 1), (PROFILE, YES, YES, YES)),
    "read closing": (lambda s, a: s.ward.use_cases.sheets.read_closing(a, s.closed_id, 1), (PROFILE, YES, YES, YES)),
    "list closings": (lambda s, a: s.ward.use_cases.sheets.list_closings(a, s.closed_id), (PROFILE, YES, YES, YES)),
    "summarize a sheet": (lambda s, a: s.ward.use_cases.sheets.summarize(a, s.open_id), (PROFILE, YES, YES, YES)),
    "look at a sheet's version": (
        lambda s, a: s.ward.use_cases.sheets.read_version(a, s.open_id),
        (PROFILE, YES, YES, YES),
    ),
    "list details": (lambda s, a: s.ward.use_cases.details.reader.page(a, DetailQuery()), (PROFILE, YES, YES, YES)),
    "list a sheet's details": (
        lambda s, a: s.ward.use_cases.details.list_of_sheet.page(a, DetailQuery(consumption_sheet_id=s.open_id)),
        (PROFILE, YES, YES, YES),
    ),
    "list products": (lambda s, a: s.ward.use_cases.products.reader.page(a, ProductQuery()), (PROFILE, YES, YES, YES)),
    "search products": (
        lambda s, a: s.ward.use_cases.products.search.page(a, ProductQuery(q="gaza")),
        (PROFILE, YES, YES, YES),
    ),
    "take out the products that are found": (
        lambda s, a: list(s.ward.use_cases.products.search.iterate(a, ProductQuery(q="gasa"))),
        (PROFILE, YES, YES, YES),
    ),
    "search sheets": (
        lambda s, a: s.ward.use_cases.sheets.search.page(a, SheetQuery(q="rioz")),
        (PROFILE, YES, YES, YES),
    ),
    "take out the sheets that are found": (
        lambda s, a: list(s.ward.use_cases.sheets.search.iterate(a, SheetQuery(q="ana"))),
        (PROFILE, YES, YES, YES),
    ),
    "search patients": (
        lambda s, a: s.ward.use_cases.patients.search.page(a, PatientQuery(q="rioz")),
        (PROFILE, YES, YES, YES),
    ),
    "take out the patients that are found": (
        lambda s, a: list(s.ward.use_cases.patients.search.iterate(a, PatientQuery(q="ana"))),
        (PROFILE, YES, YES, YES),
    ),
    "list categories": (lambda s, a: s.ward.use_cases.categories.reader.page(a, ListQuery()), (PROFILE, YES, YES, YES)),
    "list areas": (lambda s, a: s.ward.use_cases.areas.reader.page(a, ListQuery()), (PROFILE, YES, YES, YES)),
    "list rooms": (lambda s, a: s.ward.use_cases.rooms.reader.page(a, RoomQuery()), (PROFILE, YES, YES, YES)),
    "list patients": (lambda s, a: s.ward.use_cases.patients.reader.page(a, PatientQuery()), (PROFILE, YES, YES, YES)),
    "list staff": (lambda s, a: s.ward.use_cases.staff.reader.page(a, StaffQuery()), (NO, NO, YES, YES)),
    "read staff": (lambda s, a: s.ward.use_cases.staff.reader.one(a, 1), (NO, NO, YES, YES)),
    "create a patient": (
        lambda s, a: s.ward.use_cases.patients.create(a, PatientDraft(name="Luis", first_surname="Gil")),
        (PROFILE, YES, YES, YES),
    ),
    "create an area": (lambda s, a: s.ward.use_cases.areas.create(a, AreaDraft(name="UCI")), (NO, NO, YES, YES)),
    "create a category": (
        lambda s, a: s.ward.use_cases.categories.create(a, CategoryDraft(code="X", name="X")),
        (NO, NO, YES, YES),
    ),
    "create a product": (
        lambda s, a: s.ward.use_cases.products.create(a, bandage(s.ward)),
        (NO, NO, YES, YES),
    ),
    "change a product": (
        lambda s, a: s.ward.use_cases.products.update(a, s.ward.product_id, bandage(s.ward)),
        (NO, NO, YES, YES),
    ),
    "create a room": (
        lambda s, a: s.ward.use_cases.rooms.create(a, RoomDraft(name="102", status=1, type=1, area_id=s.ward.area_id)),
        (NO, NO, YES, YES),
    ),
    "create staff": (
        lambda s, a: s.ward.use_cases.staff.create(a, StaffDraft(name="Luis", first_surname="Gil")),
        (NO, NO, YES, YES),
    ),
    "register a user": (registered(Role.USER), (NO, NO, YES, YES)),
    "register a supervisor": (registered(Role.SUPERVISOR), (NO, NO, YES, YES)),
    "register an administrator": (registered(Role.ADMIN), (NO, NO, Code.ROLE_FOR_ADMINISTRATION, YES)),
    "assign a user's profile": (
        lambda s, a: s.ward.use_cases.users.assign_profile(a, s.other_user_id, None),
        (NO, NO, YES, YES),
    ),
    "assign an administrator's profile": (
        lambda s, a: s.ward.use_cases.users.assign_profile(a, s.other_admin_id, None),
        (NO, NO, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "invite a user": (invited(Role.USER), (NO, NO, YES, YES)),
    "invite a supervisor": (invited(Role.SUPERVISOR), (NO, NO, YES, YES)),
    "invite an administrator": (invited(Role.ADMIN), (NO, NO, Code.ROLE_FOR_ADMINISTRATION, YES)),
    "list users": (lambda s, a: s.ward.use_cases.users.reader.page(a, UserQuery()), (NO, NO, YES, YES)),
    "read a user": (
        lambda s, a: s.ward.use_cases.users.reader.one(a, s.other_user_id),
        (NOT_THERE, NOT_THERE, YES, YES),
    ),
    "read the own account as a user": (
        lambda s, a: s.ward.use_cases.users.reader.one(a, a.user_id),
        (YES, YES, YES, YES),
    ),
    "take out the users": (
        lambda s, a: list(s.ward.use_cases.users.reader.iterate(a, UserQuery())),
        (NO, NO, YES, YES),
    ),
    "change a user": (updated("other_user_id", Role.USER), (Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES)),
    "promote a user": (updated("other_user_id", Role.SUPERVISOR), (Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES)),
    "make a user an administrator": (
        updated("other_user_id", Role.ADMIN),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.ROLE_FOR_ADMINISTRATION, YES),
    ),
    "demote a supervisor": (
        updated("other_supervisor_id", Role.USER),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES),
    ),
    "change an administrator": (
        updated("other_admin_id", Role.ADMIN),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "demote an administrator": (
        updated("other_admin_id", Role.USER),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "delete a user": (lambda s, a: s.ward.use_cases.users.delete(a, s.other_user_id), (NO, NO, YES, YES)),
    "delete a supervisor": (lambda s, a: s.ward.use_cases.users.delete(a, s.other_supervisor_id), (NO, NO, YES, YES)),
    "delete an administrator": (
        lambda s, a: s.ward.use_cases.users.delete(a, s.other_admin_id),
        (NO, NO, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "delete the own account": (
        lambda s, a: s.ward.use_cases.users.delete(a, a.user_id),
        (NO, NO, Code.USER_OWN, Code.USER_OWN),
    ),
    "give oneself a role": (
        lambda s, a: s.ward.use_cases.users.update(a, a.user_id, UserDraft(email="x@consumo.test", role=10)),
        (NO, NO, Code.USER_OWN, Code.USER_OWN),
    ),
    "hand out a user's link": (
        lambda s, a: s.ward.use_cases.users.create_reset_link(a, s.other_user_id),
        (NO, NO, YES, YES),
    ),
    "hand out an administrator's link": (
        lambda s, a: s.ward.use_cases.users.create_reset_link(a, s.other_admin_id),
        (NO, NO, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "hand out a link for oneself": (
        lambda s, a: s.ward.use_cases.users.create_reset_link(a, a.user_id),
        (NO, NO, Code.USER_OWN, Code.USER_OWN),
    ),
    "change the own account": (
        lambda s, a: s.ward.use_cases.account.change(
            a, AccountDraft(email="x@consumo.test", current_password=PASSWORD)
        ),
        (YES, YES, YES, YES),
    ),
    "have a password judged": (
        lambda s, a: s.ward.use_cases.account.check_password.own(a, TypedPassword(password=PASSWORD)),
        (YES, YES, YES, YES),
    ),
    "change a patient": (
        lambda s, a: s.ward.use_cases.patients.update(
            a, s.ward.patient_id, PatientDraft(name="Ana", first_surname="Gil")
        ),
        (PROFILE, YES, YES, YES),
    ),
    "delete a patient": (lambda s, a: s.ward.use_cases.patients.delete(a, s.spare["patient"]), (NO, NO, YES, YES)),
    "keep what arrives late": (
        lambda s, a: s.ward.use_cases.late_entries.submit(
            a, s.closed_id, s.late_draft(), idempotency_key=IdempotencyKey("k-2", "f")
        ),
        (PROFILE, YES, YES, YES),
    ),
    "receive a message": (
        lambda s, a: s.ward.use_cases.inbound_messages.receive(
            a, AdtParser(zone=ZONE)(adt("A01", control_id="M-2")), "MSH"
        ),
        (PROFILE, YES, YES, YES),
    ),
    "try a message again": (
        lambda s, a: s.ward.use_cases.inbound_messages.retry(a, s.message_id),
        (NO, NO, NO, YES),
    ),
    "dismiss a message": (
        lambda s, a: s.ward.use_cases.inbound_messages.dismiss(
            a, s.message_id, DismissMessageDraft(reason="De prueba")
        ),
        (NO, NO, NO, YES),
    ),
    "say which room it is": (
        lambda s, a: s.ward.use_cases.inbound_messages.assign_room(
            a, s.message_id, RoomAnswerDraft(room_id=s.ward.room_id)
        ),
        (NO, NO, NO, YES),
    ),
    "say which patient it is": (
        lambda s, a: s.ward.use_cases.inbound_messages.assign_patient(
            a, s.message_id, PatientAnswerDraft(patient_id=s.ward.patient_id)
        ),
        (NO, NO, NO, YES),
    ),
    "list what arrived late": (lambda s, a: s.ward.use_cases.late_entries.list(a, s.closed_id), (NO, NO, YES, YES)),
    "record what arrived late": (
        lambda s, a: s.ward.use_cases.late_entries.record(a, s.late_id, RecordLateDraft()),
        (NO, NO, YES, YES),
    ),
    "dismiss what arrived late": (
        lambda s, a: s.ward.use_cases.late_entries.dismiss(a, s.late_id, DismissDraft(reason="Ya está")),
        (NO, NO, YES, YES),
    ),
    "note an unlisted item": (
        lambda s, a: s.ward.use_cases.unlisted_items.note(
            a, s.open_id, UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
        ),
        (PROFILE, YES, YES, YES),
    ),
    "list unlisted items": (
        lambda s, a: s.ward.use_cases.unlisted_items.list(a, s.open_id),
        (PROFILE, YES, YES, YES),
    ),
    "resolve an unlisted item": (
        lambda s, a: s.ward.use_cases.unlisted_items.resolve(
            a, s.unlisted_id, ResolveDraft(product_id=s.ward.product_id)
        ),
        (NO, NO, YES, YES),
    ),
    "discard an unlisted item": (
        lambda s, a: s.ward.use_cases.unlisted_items.discard(a, s.unlisted_id, DiscardDraft(reason="No se usó")),
        (NO, NO, YES, YES),
    ),
    "take back an unlisted item": (
        lambda s, a: s.ward.use_cases.unlisted_items.withdraw(a, s.unlisted_id),
        (PROFILE, YES, Code.DETAIL_NOT_OWN, Code.DETAIL_NOT_OWN),
    ),
    "see what a merge would do": (
        lambda s, a: s.ward.use_cases.patients.preview_merge(a, s.spare["patient"], s.ward.patient_id),
        (NO, NO, YES, YES),
    ),
    "merge patients": (
        lambda s, a: s.ward.use_cases.patients.merge(
            a, s.spare["patient"], MergeDraft(into_id=s.ward.patient_id, reason="Dos registros")
        ),
        (NO, NO, YES, YES),
    ),
    "undo a merge": (lambda s, a: s.ward.use_cases.patients.unmerge(a, s.merged_id), (NO, NO, NO, YES)),
    "change an area": (
        lambda s, a: s.ward.use_cases.areas.update(a, s.ward.area_id, AreaDraft(name="UCI")),
        (NO, NO, YES, YES),
    ),
    "delete an area": (lambda s, a: s.ward.use_cases.areas.delete(a, s.spare["area"]), (NO, NO, YES, YES)),
    "change a category": (
        lambda s, a: s.ward.use_cases.categories.update(a, s.ward.category_id, CategoryDraft(code="X", name="X")),
        (NO, NO, YES, YES),
    ),
    "delete a category": (lambda s, a: s.ward.use_cases.categories.delete(a, s.spare["category"]), (NO, NO, YES, YES)),
    "delete a product": (lambda s, a: s.ward.use_cases.products.delete(a, s.spare["product"]), (NO, NO, YES, YES)),
    "change a room": (
        lambda s, a: s.ward.use_cases.rooms.update(
            a, s.ward.room_id, RoomDraft(name="102", status=1, type=1, area_id=s.ward.area_id)
        ),
        (NO, NO, YES, YES),
    ),
    "delete a room": (lambda s, a: s.ward.use_cases.rooms.delete(a, s.spare["room"]), (NO, NO, YES, YES)),
    "change staff": (
        lambda s, a: s.ward.use_cases.staff.update(
            a, s.ward.nurse.staff_id or 0, StaffDraft(name="Luis", first_surname="Gil")
        ),
        (NO, NO, YES, YES),
    ),
    "delete staff": (lambda s, a: s.ward.use_cases.staff.delete(a, s.spare["staff"]), (NO, NO, YES, YES)),
    "read who looked at a patient": (
        lambda s, a: s.ward.use_cases.audit.read_access_log.page(a, AuditQuery(patient_id=s.ward.patient_id)),
        (NO, NO, YES, YES),
    ),
    "take out who looked at a patient": (
        lambda s, a: list(s.ward.use_cases.audit.read_access_log.iterate(a, AuditQuery(patient_id=s.ward.patient_id))),
        (NO, NO, YES, YES),
    ),
    "read a sheet's history": (
        lambda s, a: s.ward.use_cases.sheets.read_history(a, s.open_id, AuditQuery()),
        (NO, NO, YES, YES),
    ),
    "take out a sheet's history": (
        lambda s, a: list(s.ward.use_cases.sheets.read_history.iterate(a, s.open_id, AuditQuery())),
        (NO, NO, YES, YES),
    ),
    "look into a file": (
        lambda s, a: s.ward.use_cases.imports.read_file(a, a_catalogue(), Noun.PRODUCTS, Choices()),
        (NO, NO, YES, YES),
    ),
    "tell what a file holds": (
        lambda s, a: s.ward.use_cases.imports.read_file.nouns(a, a_catalogue(), Choices()),
        (NO, NO, YES, YES),
    ),
    "try an import": (
        lambda s, a: s.ward.use_cases.imports.run.check(a, an_area(), RowCollector()),
        (NO, NO, YES, YES),
    ),
    "import": (lambda s, a: s.ward.use_cases.imports.run(a, an_area(), RowCollector()), (NO, NO, YES, YES)),
    "undo an import": (lambda s, a: s.ward.use_cases.imports.undo(a, s.import_id), (NO, NO, YES, YES)),
    "list imports": (lambda s, a: s.ward.use_cases.imports.reader.page(a, ListQuery()), (NO, NO, YES, YES)),
    "read the audit log": (lambda s, a: s.ward.use_cases.audit.reader.page(a, AuditQuery()), (NO, NO, NO, YES)),
    "take out the audit log": (
        lambda s, a: list(s.ward.use_cases.audit.reader.iterate(a, AuditQuery())),
        (NO, NO, NO, YES),
    ),
    "read a patient": (
        lambda s, a: s.ward.use_cases.patients.reader.one(a, s.ward.patient_id),
        (PROFILE, YES, YES, YES),
    ),
    "take out the sheets": (
        lambda s, a: list(s.ward.use_cases.sheets.reader.iterate(a, SheetQuery())),
        (PROFILE, YES, YES, YES),
    ),
    "take out the details": (
        lambda s, a: list(s.ward.use_cases.details.reader.iterate(a, DetailQuery())),
        (PROFILE, YES, YES, YES),
    ),
    "take out a sheet's details": (
        lambda s, a: list(
            s.ward.use_cases.details.list_of_sheet.iterate(a, DetailQuery(consumption_sheet_id=s.open_id))
        ),
        (PROFILE, YES, YES, YES),
    ),
    "take out the products": (
        lambda s, a: list(s.ward.use_cases.products.reader.iterate(a, ProductQuery())),
        (PROFILE, YES, YES, YES),
    ),
    "take out the patients": (
        lambda s, a: list(s.ward.use_cases.patients.reader.iterate(a, PatientQuery())),
        (PROFILE, YES, YES, YES),
    ),
    "take out the staff": (
        lambda s, a: list(s.ward.use_cases.staff.reader.iterate(a, StaffQuery())),
        (NO, NO, YES, YES),
    ),
    "read the overview": (lambda s, a: s.ward.use_cases.reports.read_overview(a), (PROFILE, YES, YES, YES)),
    "report consumption": (
        lambda s, a: s.ward.use_cases.reports.consumption.page(a, ConsumptionQuery()),
        (PROFILE, YES, YES, YES),
    ),
    "report consumption by patient": (
        lambda s, a: s.ward.use_cases.reports.consumption.page(a, ConsumptionQuery(by=ConsumptionBy.PATIENT)),
        (PROFILE, YES, YES, YES),
    ),
    "report consumption by staff": (
        lambda s, a: s.ward.use_cases.reports.consumption.page(a, ConsumptionQuery(by=ConsumptionBy.STAFF)),
        (PROFILE, Code.REPORT_FOR_SUPERVISION, YES, YES),
    ),
    "take out consumption": (
        lambda s, a: list(s.ward.use_cases.reports.consumption.iterate(a, ConsumptionQuery())),
        (PROFILE, YES, YES, YES),
    ),
    "take out consumption by staff": (
        lambda s, a: list(s.ward.use_cases.reports.consumption.iterate(a, ConsumptionQuery(by=ConsumptionBy.STAFF))),
        (PROFILE, Code.REPORT_FOR_SUPERVISION, YES, YES),
    ),
    "complete the own profile": (
        lambda s, a: s.ward.use_cases.account.complete_profile(a, StaffDraft(name="Luis", first_surname="Gil")),
        (YES, YES, YES, YES),
    ),
    "confirm the own password": (
        lambda s, a: s.ward.use_cases.session.confirm_password(a, GivenPassword(password=PASSWORD)),
        (YES, YES, YES, YES),
    ),
    "list the own sessions": (
        lambda s, a: s.ward.use_cases.session.list(SignedIn(a, ""), a.user_id),
        (YES, YES, YES, YES),
    ),
    "list someone's sessions": (
        lambda s, a: s.ward.use_cases.session.list(SignedIn(a, ""), s.other_user_id),
        (NOT_THERE, NOT_THERE, YES, YES),
    ),
    "end the own other sessions": (
        lambda s, a: s.ward.use_cases.session.end.others(SignedIn(a, ""), a.user_id),
        (YES, YES, YES, YES),
    ),
    "end a user's sessions": (
        lambda s, a: s.ward.use_cases.session.end.others(SignedIn(a, ""), s.other_user_id),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES),
    ),
    "end an administrator's sessions": (
        lambda s, a: s.ward.use_cases.session.end.others(SignedIn(a, ""), s.other_admin_id),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "end one of a user's sessions": (
        lambda s, a: s.ward.use_cases.session.end.one(SignedIn(a, ""), s.other_user_id, a_session(s, s.other_user_id)),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, YES, YES),
    ),
    "end one of an administrator's sessions": (
        lambda s, a: s.ward.use_cases.session.end.one(
            SignedIn(a, ""), s.other_admin_id, a_session(s, s.other_admin_id)
        ),
        (Code.USER_NOT_OWN, Code.USER_NOT_OWN, Code.USER_FOR_ADMINISTRATION, YES),
    ),
    "read the whole catalogue": (
        lambda s, a: s.ward.use_cases.products.read_catalogue(a),
        (PROFILE, YES, YES, YES),
    ),
    "look whether the catalogue changed": (
        lambda s, a: s.ward.use_cases.products.read_catalogue.version(a),
        (PROFILE, YES, YES, YES),
    ),
    "look up a product": (
        lambda s, a: s.ward.use_cases.products.look_up(a, Lookup(code="C-7")),
        (PROFILE, YES, YES, YES),
    ),
    "list unknown codes": (
        lambda s, a: s.ward.use_cases.products.list_unknown_codes(a),
        (NO, NO, YES, YES),
    ),
    "ignore an unknown code": (
        lambda s, a: s.ward.use_cases.products.ignore_unknown_code(a, "code", "ZZ-1"),
        (NO, NO, YES, YES),
    ),
    "read the price history of a product": (
        lambda s, a: s.ward.use_cases.products.read_price_history(a, s.ward.product_id),
        (NO, NO, YES, YES),
    ),
    "tell that a recalled use was seen": (
        lambda s, a: s.ward.use_cases.recalls.acknowledge_use(a, s.nurses_detail_id),
        (NO, NO, YES, YES),
    ),
    "note what was typed in vain for a product": (
        lambda s, a: s.ward.use_cases.typed_names.note(a, s.ward.product_id, TypedNameDraft(text="suero")),
        (PROFILE, YES, YES, YES),
    ),
    "list what is typed in vain for a product": (
        lambda s, a: s.ward.use_cases.typed_names.list(a, s.ward.product_id),
        (NO, NO, YES, YES),
    ),
    "add what is typed in vain for a product to its names": (
        lambda s, a: s.ward.use_cases.typed_names.add(a, 1),
        (NO, NO, YES, YES),
    ),
    "dismiss what is typed in vain for a product": (
        lambda s, a: s.ward.use_cases.typed_names.dismiss(a, 1),
        (NO, NO, YES, YES),
    ),
    "list a product's codes": (
        lambda s, a: s.ward.use_cases.products.list_codes(a, s.ward.product_id),
        (NO, NO, YES, YES),
    ),
    "add a product's code": (
        lambda s, a: s.ward.use_cases.products.add_code(
            a, s.ward.product_id, ProductCodeDraft(system="hibc", code="+A")
        ),
        (NO, NO, YES, YES),
    ),
    "remove a product's code": (
        lambda s, a: (
            s.ward.use_cases.products.remove_code(
                a,
                s.ward.use_cases.products.add_code(
                    s.ward.admin, s.ward.product_id, ProductCodeDraft(system="hibc", code="+B")
                )["id"],
            )
            if a.can(Permission.MANAGE_CATALOGUE)
            else s.ward.use_cases.products.remove_code(a, 1)
        ),
        (NO, NO, YES, YES),
    ),
    "open a recall": (
        lambda s, a: s.ward.use_cases.recalls.open(a, RecallDraft(product_id=s.ward.product_id, reason="R")),
        (NO, NO, YES, YES),
    ),
    "update a recall": (
        lambda s, a: s.ward.use_cases.recalls.update(
            a,
            s.ward.use_cases.recalls.open(s.ward.admin, RecallDraft(product_id=s.ward.product_id, reason="R")).id
            if a.can(Permission.MANAGE_RECALLS)
            else 1,
            RecallDraft(product_id=s.ward.product_id, reason="R", closed=True),
        ),
        (NO, NO, YES, YES),
    ),
    "list recalls": (lambda s, a: s.ward.use_cases.recalls.reader.page(a, RecallQuery()), (NO, NO, YES, YES)),
    "list where a recalled lot went": (
        lambda s, a: s.ward.use_cases.recalls.list_details.page(
            a,
            DetailQuery(),
            s.ward.use_cases.recalls.open(s.ward.admin, RecallDraft(product_id=s.ward.product_id, reason="R")).id
            if a.can(Permission.MANAGE_RECALLS)
            else 1,
        ),
        (NO, NO, YES, YES),
    ),
    "read accounts that were closed": (
        lambda s, a: s.ward.use_cases.fhir.read_closing_records(a, 0, 0, most=10),
        (PROFILE, NO, YES, YES),
    ),
    "read when things were changed": (
        lambda s, a: s.ward.use_cases.fhir.read_last_changes(a, PATIENT, [s.ward.patient_id]),
        (PROFILE, YES, YES, YES),
    ),
    "find patients by number": (
        lambda s, a: s.ward.use_cases.fhir.find_patients_by_number(a, "E-1"),
        (PROFILE, YES, YES, YES),
    ),
    "list details with their patients": (
        lambda s, a: s.ward.use_cases.details.reader_with_patients.page(a, DetailQuery()),
        (PROFILE, YES, YES, YES),
    ),
    "list practitioners": (
        lambda s, a: s.ward.use_cases.fhir.practitioners.page(a, StaffQuery()),
        (PROFILE, YES, YES, YES),
    ),
    "list the messages of the hospital's system": (
        lambda s, a: s.ward.use_cases.inbound_messages.list(a),
        (NO, NO, YES, YES),
    ),
    "read a message of the hospital's system": (
        lambda s, a: s.ward.use_cases.inbound_messages.read(a, s.message_id),
        (NO, NO, YES, YES),
    ),
    "list service accounts": (lambda s, a: s.ward.use_cases.service_accounts.list(a), (NO, NO, NO, YES)),
    "create a service account": (
        lambda s, a: s.ward.use_cases.service_accounts.create(a, ServiceAccountDraft(name="BI")),
        (NO, NO, NO, YES),
    ),
    "rename a service account": (
        lambda s, a: s.ward.use_cases.service_accounts.update(a, s.account_id, ServiceAccountDraft(name="BI")),
        (NO, NO, NO, YES),
    ),
    "delete a service account": (
        lambda s, a: s.ward.use_cases.service_accounts.delete(a, s.account_id),
        (NO, NO, NO, YES),
    ),
    "make a key": (
        lambda s, a: s.ward.use_cases.service_accounts.create_key(
            a, s.account_id, ApiKeyDraft(name="K", scopes=("sheets.read",))
        ),
        (NO, NO, NO, YES),
    ),
    "revoke a key": (lambda s, a: s.ward.use_cases.service_accounts.revoke_key(a, s.key_id), (NO, NO, NO, YES)),
    "read the own account": (lambda s, a: s.ward.use_cases.account.read(a), (YES, YES, YES, YES)),
    "read the own profile": (lambda s, a: s.ward.use_cases.account.read_profile(a), (YES, YES, YES, YES)),
}


@pytest.mark.parametrize("who", ["newcomer", "nurse", "supervisor", "admin"])
@pytest.mark.parametrize("what", MATRIX)
def test_a_call_without_permission_is_refused_and_writes_nothing(scene: Scene, who: str, what: str) -> None:
    call, answers = MATRIX[what]
    expected = answers[["newcomer", "nurse", "supervisor", "admin"].index(who)]
    actor = scene.who(who)
    if expected is YES:
        call(scene, actor)
        return
    with nothing_written(scene.ward), pytest.raises((Forbidden, Refused, NotFound)) as denied:
        call(scene, actor)
    match denied.value:
        case Forbidden(code=code):
            assert code == expected
        case Refused(reasons=[reason]):
            assert reason.code is expected
        case NotFound():
            assert expected is NOT_THERE


# Calls without a permission: signing in and out, and choosing a password with a link.
FOR_EVERYBODY = {
    # only for operators, from the command line
    "backfill_closings",
    "check_consistency",
    "claim_due_message",
    "record_delivery",
    "sign_in",
    "sign_out",
    "identify",
    "note_use",
    "note_key_use",
    "request_password_reset",
    "choose_password",
    # not called by users: the receiver of messages and the step after a decision use them
    "ensure_receiver_account",
    "reprocess_held_messages",
}


def test_every_use_case_is_in_the_table() -> None:
    """Each use case is called at least once in the table, by its code."""
    called = {name for call, _ in MATRIX.values() for name in names_in(call)}
    assert {field.name for field in fields(UseCases)} - FOR_EVERYBODY <= called


def names_in(call: Call) -> set[str]:
    """Return all names in the code of a call."""
    return set(call.__code__.co_names)
