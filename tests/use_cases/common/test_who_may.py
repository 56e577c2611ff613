"""Every use case answers each role as in ``tests/permissions.py``.

A refused call must not write anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from adapters import demo
from adapters.hl7.adt_parser import AdtParser
from adapters.security.derived_keys import Purpose, derive_key
from adapters.security.unlocking import KeyedBadges
from application.accounts.ports.identity import Session
from application.accounts.sessions.device_proof import DeviceDraft
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.service_accounts import ApiKeyDraft, ServiceAccountDraft
from application.accounts.sign_in.badges import BadgeDraft, ScannedBadge
from application.accounts.sign_in.manage_passkeys import PasskeyName
from application.accounts.sign_in.oidc_return import OidcReturn
from application.accounts.sign_in.passkey_links import LostPasskeys
from application.accounts.sign_in.pins import PinDraft
from application.accounts.sign_in.register_passkey import PasskeyDraft, RegisterPasskey
from application.accounts.sign_in.sign_in import Credentials
from application.accounts.sign_in.unlock_session import UnlockDraft
from application.accounts.users.change_own_account import AccountDraft
from application.accounts.users.choose_own_ward import OwnWardDraft
from application.accounts.users.draft import UserDraft
from application.accounts.users.imported_links import ImportedLinksDraft
from application.accounts.users.judge_password import TypedPassword
from application.accounts.views import UserQuery
from application.audit.views import AuditQuery
from application.billing.outbound_messages import SettleDraft
from application.billing.views import OutboundMessageQuery
from application.catalogue.kits import KitDraft, KitLineDraft
from application.catalogue.product_codes import ProductCodeDraft
from application.catalogue.products import ProductDraft
from application.catalogue.room_ranges import RoomRangesDraft
from application.catalogue.rooms import RoomDraft
from application.catalogue.set_aside import SetAsideDraft
from application.catalogue.typed_names import TypedNameDraft
from application.catalogue.views import KitQuery, ProductQuery, RecallQuery
from application.closing.reopen_sheet import ReopenDraft
from application.common.draft import Draft
from application.common.idempotency import IdempotencyKey
from application.common.paging import ListQuery
from application.forms.contingency_forms import DiscardFormDraft, FormRecordDraft
from application.forms.print_forms import FormsDraft
from application.imports.batch import Batch
from application.imports.reading.cells import RawRow
from application.imports.reading.fields import Noun
from application.imports.reading.row import Row
from application.imports.reading.table import Choices
from application.inbound.held_messages import (
    DismissMessageDraft,
    PatientAnswerDraft,
    RetryMessagesDraft,
    RoomAnswerDraft,
    SheetAnswerDraft,
)
from application.inbound.refused_messages import RefusedMessage
from application.inbound.views import InboundMessageQuery
from application.labels.print_labels import LabelItemDraft, LabelsDraft
from application.people.identify_patient import IdentityDraft
from application.people.merge_patients import MergeDraft
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.people.views import PatientQuery, StaffQuery
from application.reports.judge import JudgementDraft
from application.reports.months import MonthDraft
from application.reports.read_for_fhir import PATIENTS
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.restock.restock_lists import CloseRestockDraft, PutBackDraft, ShelfDraft
from application.scanning.look_up_product import Lookup
from application.sheets.admit_unidentified import UnidentifiedDraft
from application.sheets.detail_views import DetailQuery
from application.sheets.lines.correct_detail import CorrectionDraft
from application.sheets.lines.mark_waste import WasteDraft
from application.sheets.lines.missed_charges import MissedChargeDraft
from application.sheets.lines.move_details import MoveDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.notices import SeenDraft
from application.sheets.offline.late_entries import DismissDraft, LateEntryDraft, RecordLateDraft
from application.sheets.offline.unlisted_items import DiscardDraft, ResolveDraft, UnlistedItemDraft
from application.sheets.recalls import RecallDraft
from application.sheets.transfer_patient import TransferDraft
from application.sheets.views import SheetQuery
from application.status.report_outbox import OutboxDraft
from application.use_cases import UseCases
from domain.accounts.badge import Badge
from domain.common.errors import Code, Forbidden, NotFound, Reason, Refused
from domain.common.policy import Actor, Limit, Permission, Role
from domain.forms.contingency_form import FormState
from domain.sheets.missed_charges import ProductPair
from tests.builders import (
    PASSWORD,
    SECRET_KEY,
    TODAY,
    ZONE,
    Ward,
    a_hospital_draft,
    a_passkey,
    a_ward,
    an_image,
    an_outbound_message,
    proof_of,
)
from tests.devices import TABLET, Device
from tests.hl7.messages import Post, adt
from tests.imports.importing import RowCollector
from tests.oidc.stub_provider import StubProvider, an_identity
from tests.passkey_device import Device as PasskeyDevice
from tests.permissions import INTERNAL, NOT_FOUND, PERMISSIONS, PUBLIC, RECORDS, ROLES, RecordKind, use_case_of
from tests.use_cases.stored import kept, nothing_written, put_back, snapshot


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
    admins_wasted_id: int
    closed_id: int
    month_id: int
    page_id: int
    with_implant_id: int
    other_id: int
    import_id: int
    merged_id: int
    unidentified_id: int
    late_id: int
    unlisted_id: int
    other_unlisted_id: int
    form_id: int
    recall_id: int
    account_id: int
    key_id: int
    message_id: int
    outbound_id: int
    spare: dict[str, int]
    # By user.
    sessions: dict[int, Session]

    def kit_draft(self, *, own: bool = False) -> KitDraft:
        line = KitLineDraft(product_id=self.ward.product_id, quantity=Decimal(1))
        return KitDraft(name="Sonda", own=own, lines=(line,))

    def move_draft(self, detail_id: int) -> MoveDraft:
        return MoveDraft(detail_ids=(detail_id,), to_sheet_id=self.other_id, reason="Otro paciente")

    def late_draft(self) -> LateEntryDraft:
        return LateEntryDraft(items=(self.ward.detail_draft(),), occurred_at=self.ward.clock.now)

    @property
    def use_cases(self) -> UseCases:
        return self.ward.use_cases

    def kit(self) -> int:
        """Return the id of the shared kit."""
        return self.use_cases.kits.reader.page(self.ward.admin, KitQuery())["items"][0]["id"]

    def badge(self, user_id: int) -> int:
        """Return the id of the user's badge."""
        with self.ward.store.begin_read_only() as work:
            return work.badges.find_many("user_id", [user_id])[0].id

    def own_kit(self, actor: Actor) -> int:
        """Create a kit of the actor's, or return the shared one."""
        may = actor.can(Permission.MANAGE_OWN_KITS)
        return self.use_cases.kits.create(actor, self.kit_draft(own=True)).id if may else self.kit()

    def own_unlisted(self, actor: Actor) -> int:
        """Note an unlisted item as the actor, or return the nurse's."""
        if not actor.can(Permission.ADD_DETAILS):
            return self.unlisted_id
        draft = UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
        return self.use_cases.unlisted_items.note(actor, self.open_id, draft).answer["id"]

    def recall(self, actor: Actor) -> int:
        """Open a recall, unless the actor is refused anyway."""
        if not actor.can(Permission.MANAGE_RECALLS):
            return 1
        draft = RecallDraft(product_id=self.ward.product_id, reason="R")
        return self.use_cases.recalls.open(self.ward.admin, draft).id

    def who(self, name: str) -> Actor:
        who: Actor = self.newcomer if name == "newcomer" else getattr(self.ward, name)
        return who


@cache
def the_scene() -> tuple[Scene, bytes, datetime]:
    """Return the scene with its data and time, created once.

    Creating it takes longer than any of these tests.
    """
    scene = a_scene(a_ward(identity_provider=StubProvider()))
    return scene, snapshot(scene.ward), scene.ward.clock.now


@pytest.fixture
def scene() -> Scene:
    """Return the scene, reset to its initial data."""
    scene, data, now = the_scene()
    put_back(scene.ward, data)
    scene.ward.clock.now = now
    scene.ward.postbox.letters.clear()
    return scene


# A pair may be about a deleted product.
MISSING_PRODUCT = 999


def a_scene(ward: Ward) -> Scene:
    """Create the things of a scene on a ward."""
    opened, closed = ward.sheet()["id"], ward.sheet()["id"]
    ward.use_cases.sheets.close(ward.admin, closed)
    line = KitLineDraft(product_id=ward.product_id, quantity=Decimal(1))
    ward.use_cases.kits.create(ward.admin, KitDraft(name="Vía", lines=(line,)))
    ward.use_cases.products.look_up(ward.nurse, Lookup(scan="ZZ-1"))
    ward.use_cases.typed_names.note(ward.nurse, ward.product_id, TypedNameDraft(text="suero"))
    ward.use_cases.products.set_picture(ward.admin, ward.product_id, an_image(size=(9, 9)))
    moved, room = ward.sheet()["id"], RoomDraft(name="104", status=1, type=1, area_id=ward.area_id)
    to = ward.use_cases.rooms.create(ward.admin, room).id
    ward.use_cases.sheets.transfer_patient(ward.admin, moved, TransferDraft(room_id=to))
    account = ward.use_cases.service_accounts.create(ward.admin, ServiceAccountDraft(name="HIS"))["id"]
    made = ward.use_cases.service_accounts.create_key(
        ward.admin, account, ApiKeyDraft(name="Clave", scopes=("sheets.read",))
    )
    deputy = ward.register("deputy@consumo.test", Role.SUPERVISOR)
    wasted = ward.detail(opened)
    ward.use_cases.details.mark_waste(ward.admin, wasted["id"], WasteDraft(quantity=Decimal(1), use_reason="opened"))
    scene = Scene(
        ward=ward,
        newcomer=ward.register("new@consumo.test", Role.USER),
        other_user_id=ward.register("other@consumo.test", Role.USER).user_id,
        other_supervisor_id=deputy.user_id,
        other_admin_id=ward.register("chief@consumo.test", Role.ADMIN).user_id,
        open_id=opened,
        moved_id=moved,
        nurses_detail_id=ward.detail(opened, by=ward.nurse)["id"],
        admins_detail_id=ward.detail(opened)["id"],
        admins_wasted_id=wasted["id"],
        closed_id=closed,
        month_id=ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2025-11", turn=1))["id"],
        page_id=ward.use_cases.area_sheets.open(ward.admin, ward.area_id).view["id"],
        with_implant_id=a_sheet_with_an_implant(ward),
        other_id=ward.sheet()["id"],
        merged_id=a_merged_patient(ward),
        unidentified_id=an_unidentified_patient(ward),
        late_id=a_late_entry(ward),
        unlisted_id=an_unlisted_item(ward, ward.nurse),
        other_unlisted_id=an_unlisted_item(ward, deputy),
        form_id=a_form(ward, opened),
        recall_id=a_recall_of_another_product(ward),
        account_id=account,
        key_id=made["key"]["id"],
        outbound_id=an_outbound_message(ward.store, ward.clock.now, closed),
        message_id=Post(ward).send(adt("A01", visit="V-1", location="UCI^201", control_id="M-1")).id,
        import_id=ward.use_cases.imports.run(ward.admin, an_area("Hemodiálisis"), RowCollector()).import_id or 0,
        spare=spare(ward),
        sessions={},
    )
    for who in map(scene.who, ROLES):
        began = ward.clock.now
        session = Session(
            id=f"of {who.user_id}",
            user_id=who.user_id,
            expires_at=began + timedelta(hours=1),
            confirmed_at=began,
            device=TABLET.thumbprint,
            device_key=TABLET.point,
        )
        scene.sessions[who.user_id] = session
        with ward.store.begin() as work:
            work.sessions.add(session)
        add_badge(ward, who.user_id)
        a_passkey_of(scene, who.user_id)
    for user_id in (scene.other_user_id, scene.other_admin_id):
        add_badge(ward, user_id)
    ward.use_cases.reports.judge_right(ward.admin, JudgementDraft(kind="sheet_quiet", sheet_id=scene.other_id))
    pair = ProductPair(because_id=ward.product_id, product_id=MISSING_PRODUCT, sheets=100, together=96)
    with ward.store.begin() as work:
        work.missed_charges.replace_pairs([pair], max_denied=0)
    for email in ("other@consumo.test", "chief@consumo.test"):
        ward.use_cases.session.sign_in(Credentials(email=email, password=PASSWORD))
    a_passkey_of(scene, scene.other_user_id)
    a_passkey_of(scene, scene.other_admin_id)
    return scene


def add_badge(ward: Ward, user_id: int) -> None:
    """Store a badge with the text BADGE and the user's id."""
    digest = KeyedBadges([derive_key(SECRET_KEY, Purpose.BADGE)]).digests(f"BADGE-{user_id}")[0]
    badge = Badge(user_id=user_id, digest=digest, made_by=ward.admin.user_id, made_at=ward.clock.now)
    with ward.store.begin() as work:
        work.badges.add(badge)


def a_form(ward: Ward, sheet_id: int) -> int:
    """Print a form for the sheet and return its number."""
    return ward.use_cases.contingency_forms.print(ward.admin, FormsDraft(sheet_ids=(sheet_id,)))[0].number


def labels_of(what: str, number: int, size: str) -> LabelsDraft:
    return LabelsDraft(what=what, items=(LabelItemDraft(id=number),), size=size)


def a_sheet_with_an_implant(ward: Ward) -> int:
    """Return a closed sheet with an implant."""
    sheet_id, product_id = ward.sheet()["id"], ward.product("Marcapasos", implant=True).id
    ward.detail(sheet_id, product_id=product_id, lot="L1", serial="S1")
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    return sheet_id


def a_recall_of_another_product(ward: Ward) -> int:
    """Return a recall that no line of the scene is asked about."""
    draft = RecallDraft(product_id=ward.product("Sonda retirada").id, reason="R")
    return ward.use_cases.recalls.open(ward.admin, draft).id


def ranges_of(state: "Scene") -> RoomRangesDraft:
    return RoomRangesDraft(ranges="901–903", area_id=state.ward.area_id)


def answer_missed_charge(state: "Scene", actor: Actor) -> None:
    draft = MissedChargeDraft(because_id=state.ward.product_id, used=False)
    state.ward.use_cases.missed_charges.answer(actor, state.open_id, MISSING_PRODUCT, draft)


PUT_BACK = PutBackDraft(number=1, quantity=Decimal(2))


def tick_on_list(state: "Scene", actor: Actor) -> None:
    ward = state.ward
    if actor.can(Permission.RESTOCK):
        ward.detail(state.open_id, "2", area_id=ward.area_id)
    ward.use_cases.restock.put_back(actor, ward.area_id, ward.product_id, PUT_BACK)


def close_restock_list(state: "Scene", actor: Actor) -> None:
    ward = state.ward
    if actor.can(Permission.RESTOCK):
        tick_on_list(state, ward.admin)
    ward.use_cases.restock.close(actor, ward.area_id, CloseRestockDraft(number=1))


def read_restock_list(state: "Scene", actor: Actor) -> None:
    if actor.can(Permission.RESTOCK):
        close_restock_list(state, state.ward.admin)
    state.ward.use_cases.restock.read_document(actor, 1)


IDENTITY = IdentityDraft(name="Eva", first_surname="Sol")


def an_unidentified_patient(ward: Ward) -> int:
    """Admit an unidentified patient and return the patient's id."""
    draft = UnidentifiedDraft(room_id=ward.room_id)
    return ward.use_cases.sheets.admit_unidentified(ward.admin, draft).answer["patient_id"]


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


def closed_by(scene: Scene, actor: Actor) -> int:
    """Return a sheet that the actor has just closed, if that is allowed."""
    if not actor.can(Permission.CLOSE_SHEETS):
        return scene.closed_id
    sheet_id = scene.ward.sheet()["id"]
    scene.use_cases.sheets.close(actor, sheet_id)
    return sheet_id


def an_unlisted_item(ward: Ward, actor: Actor) -> int:
    """Note an unlisted item on an open sheet."""
    draft = UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
    return ward.use_cases.unlisted_items.note(actor, ward.sheet()["id"], draft).answer["id"]


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


def a_store_file() -> Batch:
    """Return a store's file without rows."""
    return Batch(
        noun=Noun.HANDED_OUT,
        file_name="store.csv",
        count=0,
        given=frozenset({"product_code", "quantity"}),
        columns=("code", "quantity"),
        rows=lambda: iter([]),
    )


def spare(ward: Ward) -> dict[str, int]:
    """Create one unused thing of each kind."""
    use_cases, admin = ward.use_cases, ward.admin
    return {
        **{group: getattr(use_cases, group).create(admin, another(record)).id for group, record in RECORDS.items()},
        "product": ward.product("Sonda").id,
        "patient": ward.patient("Luis", "Gil").id,
    }


def another(record: RecordKind) -> Draft:
    """Return the draft with other texts."""
    texts: dict[str, Any] = {name: f"{text} 2" for name, text in record.fields.items() if isinstance(text, str)}
    return replace(record.draft, **texts)


def a_session(scene: Scene, user_id: int) -> str:
    """Return the id of the user's only session."""
    with scene.ward.store.read() as views:
        (session,) = views.sessions(user_id, scene.ward.clock.now)
    return session.id


Call = Callable[[Scene, Actor], object]
SEVEN = CorrectionDraft(quantity=Decimal(7))


def calls_of(group: str, record: RecordKind) -> dict[str, list[Call]]:
    def use_cases(scene: Scene) -> Any:
        return getattr(scene.use_cases, group)

    return {
        f"{group}.reader": [
            lambda s, a: use_cases(s).reader.page(a, record.query()),
            lambda s, a: use_cases(s).reader.one(a, s.spare[group]),
            lambda s, a: list(use_cases(s).reader.iterate(a, record.query())),
        ],
        f"{group}.create": [lambda s, a: use_cases(s).create(a, record.draft)],
        f"{group}.update": [lambda s, a: use_cases(s).update(a, s.spare[group], record.draft)],
        f"{group}.delete": [lambda s, a: use_cases(s).delete(a, s.spare[group])],
    }


def registered(role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role, password="una venda y dos gasas")
    return lambda scene, who: scene.use_cases.users.register(who, draft)


def invited(role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role)
    return lambda scene, who: scene.use_cases.users.invite(who, draft, "es")


def updated(whose: str, role: Role) -> Call:
    draft = UserDraft(email="x@consumo.test", role=role)
    return lambda scene, who: scene.use_cases.users.update(who, getattr(scene, whose), draft)


def bandage(ward: Ward) -> ProductDraft:
    return ProductDraft(name="Venda", price=Decimal(1), category_id=ward.category_id)


def session_of(scene: Scene, who: Actor) -> SignedIn:
    """Return the session of that person, which began with the scene."""
    return SignedIn(who, scene.sessions[who.user_id].id)


def linking(scene: Scene, who: Actor) -> OidcReturn:
    """Return the provider's answer to linking that person's account."""
    return OidcReturn(code="new", state="s", transaction=f"link {session_of(scene, who).session_id}")


def a_passkey_of(scene: Scene, user_id: int) -> int:
    """The id of a new passkey of that user."""
    made = a_passkey(user_id, scene.ward.clock.now)
    with scene.ward.store.begin() as work:
        work.passkeys.add(made)
    return made.id


def the_passkey_of(scene: Scene, user_id: int) -> int:
    """The id of the first passkey of that user."""
    return next(one.id for one in kept(scene.ward).passkeys.values() if one.user_id == user_id)


def registered_passkey(
    scene: Scene, who: Actor, register: RegisterPasskey, device: PasskeyDevice | None = None
) -> None:
    """Register a passkey with options of that user's account."""
    signed_in = session_of(scene, who)
    options = scene.use_cases.passkeys.begin_registration.own(signed_in)
    register.own(signed_in, PasskeyDraft(credential=PasskeyDevice().create(options), name="Teléfono"))


DEVICE = "4c9e6679-7425-40de-944b-e07fc1f90ae7"


def device_form(scene: Scene, who: Actor) -> DeviceDraft:
    """Return the form with a key that no session is bound to."""
    device = Device()
    proof = device.proof(scene.use_cases, session_of(scene, who), "device")
    return DeviceDraft(public_key=device.public_key, **proof)


def scanned_badge(scene: Scene, who: Actor) -> ScannedBadge:
    """Return the form with the nurse's badge, signed by the shared tablet."""
    proof = TABLET.proof(scene.use_cases, session_of(scene, who), "badge")
    return ScannedBadge(badge=f"BADGE-{scene.ward.nurse.user_id}", **proof)


CALLS: dict[str, list[Call]] = {
    "session.sign_out": [lambda s, a: s.use_cases.session.sign_out(SignedIn(a, "a session"))],
    "session.lock": [lambda s, a: s.use_cases.session.lock(session_of(s, a))],
    "session.unlock": [lambda s, a: s.use_cases.session.unlock(session_of(s, a), UnlockDraft(password=PASSWORD))],
    "session.make_nonce": [lambda s, a: s.use_cases.session.make_nonce(session_of(s, a))],
    "session.bind_device": [lambda s, a: s.use_cases.session.bind_device(session_of(s, a), device_form(s, a))],
    "session.set_pin": [
        lambda s, a: s.use_cases.session.set_pin(session_of(s, a), PinDraft(pin="480716", pin_confirmation="480716"))
    ],
    "session.remove_pin": [lambda s, a: s.use_cases.session.remove_pin(a)],
    "session.end_on_device": [lambda s, a: s.use_cases.session.end_on_device(session_of(s, a), TABLET.thumbprint)],
    "badges.list (own)": [lambda s, a: s.use_cases.badges.list(a, a.user_id)],
    "badges.list": [lambda s, a: s.use_cases.badges.list(a, s.other_user_id)],
    "badges.list (of role 10)": [lambda s, a: s.use_cases.badges.list(a, s.other_admin_id)],
    "badges.add (own)": [lambda s, a: s.use_cases.badges.add(session_of(s, a), a.user_id, BadgeDraft(badge="B-12345"))],
    "badges.add": [lambda s, a: s.use_cases.badges.add(session_of(s, a), s.other_user_id, BadgeDraft(badge="B-12345"))],
    "badges.add (of role 10)": [
        lambda s, a: s.use_cases.badges.add(session_of(s, a), s.other_admin_id, BadgeDraft(badge="B-12345"))
    ],
    "badges.remove (own)": [lambda s, a: s.use_cases.badges.remove(a, a.user_id, s.badge(a.user_id))],
    "badges.remove": [lambda s, a: s.use_cases.badges.remove(a, s.other_user_id, s.badge(s.other_user_id))],
    "badges.remove (of role 10)": [
        lambda s, a: s.use_cases.badges.remove(a, s.other_admin_id, s.badge(s.other_admin_id))
    ],
    "badges.find": [lambda s, a: s.use_cases.badges.find(session_of(s, a), scanned_badge(s, a))],
    "session.read_logout_url": [lambda s, a: s.use_cases.session.read_logout_url(SignedIn(a, ""))],
    "session.list (own)": [lambda s, a: s.use_cases.session.list(SignedIn(a, ""), a.user_id)],
    "session.list": [lambda s, a: s.use_cases.session.list(SignedIn(a, ""), s.other_user_id)],
    "session.list (of role 10)": [lambda s, a: s.use_cases.session.list(SignedIn(a, ""), s.other_admin_id)],
    "session.end (own)": [lambda s, a: s.use_cases.session.end.others(SignedIn(a, ""), a.user_id)],
    "session.end": [
        lambda s, a: s.use_cases.session.end.others(SignedIn(a, ""), s.other_user_id),
        lambda s, a: s.use_cases.session.end.one(SignedIn(a, ""), s.other_user_id, a_session(s, s.other_user_id)),
    ],
    "session.end (of role 10)": [
        lambda s, a: s.use_cases.session.end.others(SignedIn(a, ""), s.other_admin_id),
        lambda s, a: s.use_cases.session.end.one(SignedIn(a, ""), s.other_admin_id, a_session(s, s.other_admin_id)),
    ],
    "account.read": [lambda s, a: s.use_cases.account.read(a)],
    "account.change": [
        lambda s, a: s.use_cases.account.change(a, AccountDraft(email="x@consumo.test", current_password=PASSWORD))
    ],
    "account.read_profile": [lambda s, a: s.use_cases.account.read_profile(a)],
    "account.complete_profile": [
        lambda s, a: s.use_cases.account.complete_profile(a, StaffDraft(name="Luis", first_surname="Gil"))
    ],
    "account.choose_ward": [lambda s, a: s.use_cases.account.choose_ward(a, OwnWardDraft())],
    "account.check_password": [
        lambda s, a: s.use_cases.account.check_password.own(a, TypedPassword(password=PASSWORD))
    ],
    "users.reader": [
        lambda s, a: s.use_cases.users.reader.page(a, UserQuery()),
        lambda s, a: list(s.use_cases.users.reader.iterate(a, UserQuery())),
    ],
    "users.reader (one)": [lambda s, a: s.use_cases.users.reader.one(a, s.other_user_id)],
    "users.reader (one of role 10)": [lambda s, a: s.use_cases.users.reader.one(a, s.other_admin_id)],
    "users.reader (own)": [lambda s, a: s.use_cases.users.reader.one(a, a.user_id)],
    "users.register": [registered(Role.USER), registered(Role.SUPERVISOR)],
    "users.register (role 10)": [registered(Role.ADMIN)],
    "users.invite": [invited(Role.USER), invited(Role.SUPERVISOR)],
    "users.invite (role 10)": [invited(Role.ADMIN)],
    "users.assign_profile": [lambda s, a: s.use_cases.users.assign_profile(a, s.other_user_id, None)],
    "users.assign_profile (of role 10)": [lambda s, a: s.use_cases.users.assign_profile(a, s.other_admin_id, None)],
    "users.assign_profile (own)": [lambda s, a: s.use_cases.users.assign_profile(a, a.user_id, None)],
    "users.update": [
        updated("other_user_id", Role.USER),
        updated("other_user_id", Role.SUPERVISOR),
        updated("other_supervisor_id", Role.USER),
    ],
    "users.update (to role 10)": [updated("other_user_id", Role.ADMIN)],
    "users.update (of role 10)": [updated("other_admin_id", Role.ADMIN), updated("other_admin_id", Role.USER)],
    "users.update (own)": [
        lambda s, a: s.use_cases.users.update(a, a.user_id, UserDraft(email="x@consumo.test", role=10))
    ],
    "users.delete": [
        lambda s, a: s.use_cases.users.delete(a, s.other_user_id),
        lambda s, a: s.use_cases.users.delete(a, s.other_supervisor_id),
    ],
    "users.delete (of role 10)": [lambda s, a: s.use_cases.users.delete(a, s.other_admin_id)],
    "users.delete (own)": [lambda s, a: s.use_cases.users.delete(a, a.user_id)],
    "users.unlink_oidc": [lambda s, a: s.use_cases.users.unlink_oidc(a, s.other_user_id)],
    "users.unlink_oidc (of role 10)": [lambda s, a: s.use_cases.users.unlink_oidc(a, s.other_admin_id)],
    "users.unlink_oidc (own)": [lambda s, a: s.use_cases.users.unlink_oidc(a, a.user_id)],
    "account.begin_linking_oidc": [lambda s, a: s.use_cases.account.begin_linking_oidc(session_of(s, a))],
    "account.link_oidc": [
        lambda s, a: s.use_cases.account.link_oidc(session_of(s, a), linking(s, a)),
        lambda s, a: s.use_cases.account.link_oidc.link(a, an_identity()),
    ],
    "users.create_imported_links": [
        lambda s, a: s.use_cases.users.create_imported_links(a, ImportedLinksDraft(import_id=s.import_id))
    ],
    "passkeys.begin_unlock": [lambda s, a: s.use_cases.passkeys.begin_unlock(session_of(s, a))],
    "passkeys.begin_registration": [lambda s, a: s.use_cases.passkeys.begin_registration.own(session_of(s, a))],
    "passkeys.register": [lambda s, a: registered_passkey(s, a, s.use_cases.passkeys.register)],
    "passkeys.list (own)": [lambda s, a: s.use_cases.passkeys.list(a, a.user_id)],
    "passkeys.list": [lambda s, a: s.use_cases.passkeys.list(a, s.other_user_id)],
    "passkeys.list (of role 10)": [lambda s, a: s.use_cases.passkeys.list(a, s.other_admin_id)],
    "passkeys.rename (own)": [
        lambda s, a: s.use_cases.passkeys.rename(
            a, a.user_id, the_passkey_of(s, a.user_id), PasskeyName(name="Tableta")
        )
    ],
    "passkeys.rename": [lambda s, a: s.use_cases.passkeys.rename(a, s.other_user_id, 1, PasskeyName(name="Tableta"))],
    "passkeys.remove (own)": [
        lambda s, a: s.use_cases.passkeys.remove(session_of(s, a), a.user_id, the_passkey_of(s, a.user_id))
    ],
    "passkeys.remove": [
        lambda s, a: s.use_cases.passkeys.remove(SignedIn(a, ""), s.other_user_id, the_passkey_of(s, s.other_user_id))
    ],
    "passkeys.remove (of role 10)": [
        lambda s, a: s.use_cases.passkeys.remove(SignedIn(a, ""), s.other_admin_id, the_passkey_of(s, s.other_admin_id))
    ],
    "passkeys.hand_out_link": [lambda s, a: s.use_cases.passkeys.hand_out_link(a, s.other_user_id, LostPasskeys())],
    "passkeys.hand_out_link (of role 10)": [
        lambda s, a: s.use_cases.passkeys.hand_out_link(a, s.other_admin_id, LostPasskeys())
    ],
    "passkeys.hand_out_link (own)": [lambda s, a: s.use_cases.passkeys.hand_out_link(a, a.user_id, LostPasskeys())],
    "users.create_reset_link": [lambda s, a: s.use_cases.users.create_reset_link(a, s.other_user_id)],
    "users.create_reset_link (of role 10)": [lambda s, a: s.use_cases.users.create_reset_link(a, s.other_admin_id)],
    "users.create_reset_link (own)": [lambda s, a: s.use_cases.users.create_reset_link(a, a.user_id)],
    "hospital.read_settings": [lambda s, a: s.use_cases.hospital.read_settings(a)],
    "hospital.change_settings": [lambda s, a: s.use_cases.hospital.change_settings(a, a_hospital_draft())],
    "hospital.preview_settings": [lambda s, a: s.use_cases.hospital.preview_settings(a, a_hospital_draft())],
    "hospital.set_logo": [lambda s, a: s.use_cases.hospital.set_logo(a, an_image())],
    "hospital.remove_logo": [lambda s, a: s.use_cases.hospital.remove_logo(a)],
    "service_accounts.list": [lambda s, a: s.use_cases.service_accounts.list(a)],
    "service_accounts.create": [lambda s, a: s.use_cases.service_accounts.create(a, ServiceAccountDraft(name="BI"))],
    "service_accounts.update": [
        lambda s, a: s.use_cases.service_accounts.update(a, s.account_id, ServiceAccountDraft(name="BI"))
    ],
    "service_accounts.delete": [lambda s, a: s.use_cases.service_accounts.delete(a, s.account_id)],
    "service_accounts.create_key": [
        lambda s, a: s.use_cases.service_accounts.create_key(
            a, s.account_id, ApiKeyDraft(name="K", scopes=("sheets.read",))
        )
    ],
    "service_accounts.read_own_key": [lambda s, a: s.use_cases.service_accounts.read_own_key(a)],
    "service_accounts.revoke_key": [lambda s, a: s.use_cases.service_accounts.revoke_key(a, s.key_id)],
    "sheets.reader": [
        lambda s, a: s.use_cases.sheets.reader.one(a, s.closed_id),
        lambda s, a: s.use_cases.sheets.reader.page(a, SheetQuery()),
        lambda s, a: list(s.use_cases.sheets.reader.iterate(a, SheetQuery())),
    ],
    "sheets.search": [
        lambda s, a: s.use_cases.sheets.search.page(a, SheetQuery(q="rioz")),
        lambda s, a: list(s.use_cases.sheets.search.iterate(a, SheetQuery(q="ana"))),
    ],
    "sheets.open": [lambda s, a: s.use_cases.sheets.open(a, s.ward.sheet_draft())],
    "rooms.check_ranges": [lambda s, a: s.use_cases.rooms.check_ranges(a, ranges_of(s))],
    "rooms.create_ranges": [lambda s, a: s.use_cases.rooms.create_ranges(a, ranges_of(s))],
    "sheets.admit_unidentified": [
        lambda s, a: s.use_cases.sheets.admit_unidentified(a, UnidentifiedDraft(room_id=s.ward.room_id))
    ],
    "sheets.update": [lambda s, a: s.use_cases.sheets.update(a, s.open_id, s.ward.sheet_draft(doctor="Dr. Sol"))],
    "sheets.close": [lambda s, a: s.use_cases.sheets.close(a, s.open_id)],
    "sheets.reopen": [lambda s, a: s.use_cases.sheets.reopen(a, s.closed_id, ReopenDraft(reason="Faltaba una venda"))],
    "sheets.read": [lambda s, a: s.use_cases.sheets.read(a, s.open_id)],
    "sheets.undo_closing": [lambda s, a: s.use_cases.sheets.undo_closing(a, closed_by(s, a))],
    "sheets.transfer_patient": [
        lambda s, a: s.use_cases.sheets.transfer_patient(a, s.open_id, TransferDraft(room_id=s.spare["rooms"]))
    ],
    "sheets.undo_transfer": [lambda s, a: s.use_cases.sheets.undo_transfer(a, s.moved_id)],
    "sheets.delete": [lambda s, a: s.use_cases.sheets.delete(a, s.other_id)],
    "sheets.delete (with lines)": [lambda s, a: s.use_cases.sheets.delete(a, s.open_id)],
    "sheets.delete (closed)": [lambda s, a: s.use_cases.sheets.delete(a, s.closed_id)],
    "sheets.summarize": [lambda s, a: s.use_cases.sheets.summarize(a, s.open_id)],
    "sheets.read_version": [lambda s, a: s.use_cases.sheets.read_version(a, s.open_id)],
    "sheets.print": [
        lambda s, a: s.use_cases.sheets.print(a, s.open_id),
        lambda s, a: s.use_cases.sheets.print(a, s.closed_id, 1),
    ],
    "sheets.list_closings": [lambda s, a: s.use_cases.sheets.list_closings(a, s.closed_id)],
    "sheets.read_closing": [lambda s, a: s.use_cases.sheets.read_closing(a, s.closed_id, 1)],
    "sheets.check_paper": [lambda s, a: s.use_cases.sheets.check_paper(a, proof_of(s.ward, s.closed_id))],
    "sheets.list_usual_products": [lambda s, a: s.use_cases.sheets.list_usual_products(a, s.open_id)],
    "sheets.list_repeatable": [lambda s, a: s.use_cases.sheets.list_repeatable(a, s.open_id, from_sheet=s.closed_id)],
    "contingency_forms.print": [
        lambda s, a: s.use_cases.contingency_forms.print(a, FormsDraft(sheet_ids=(s.open_id,)))
    ],
    "contingency_forms.list": [lambda s, a: s.use_cases.contingency_forms.list(a, FormState.OPEN)],
    "contingency_forms.read": [lambda s, a: s.use_cases.contingency_forms.read(a, s.form_id)],
    "contingency_forms.record": [
        lambda s, a: s.use_cases.contingency_forms.record(
            a,
            s.form_id,
            FormRecordDraft(sheet_id=s.open_id, items=(s.ward.detail_draft(),), occurred_at=s.ward.clock.now),
        )
    ],
    "contingency_forms.discard": [
        lambda s, a: s.use_cases.contingency_forms.discard(a, s.form_id, DiscardFormDraft(reason="R"))
    ],
    "missed_charges.list": [lambda s, a: s.use_cases.missed_charges.list(a, s.open_id)],
    "missed_charges.answer": [answer_missed_charge],
    "sheets.read_history": [
        lambda s, a: s.use_cases.sheets.read_history(a, s.open_id, AuditQuery()),
        lambda s, a: list(s.use_cases.sheets.read_history.iterate(a, s.open_id, AuditQuery())),
    ],
    "details.reader": [
        lambda s, a: s.use_cases.details.reader.page(a, DetailQuery()),
        lambda s, a: list(s.use_cases.details.reader.iterate(a, DetailQuery())),
    ],
    "details.reader_with_patients": [lambda s, a: s.use_cases.details.reader_with_patients.page(a, DetailQuery())],
    "accounts.read": [lambda s, a: s.use_cases.accounts.read(a, s.open_id)],
    "accounts.issue": [lambda s, a: s.use_cases.accounts.issue(a, s.open_id)],
    "accounts.compare": [lambda s, a: s.use_cases.accounts.compare(a, s.closed_id, "closing-1")],
    "accounts.print": [lambda s, a: s.use_cases.accounts.print(a, s.closed_id, "closing-1", with_prices=True)],
    "area_sheets.open": [lambda s, a: s.use_cases.area_sheets.open(a, s.ward.area_id)],
    "area_sheets.read": [
        lambda s, a: s.use_cases.area_sheets.read(a, s.page_id),
        lambda s, a: s.use_cases.area_sheets.read.version(a, s.page_id),
    ],
    "area_sheets.list": [lambda s, a: s.use_cases.area_sheets.list(a, s.ward.area_id)],
    "details.list_of_sheet": [
        lambda s, a: s.use_cases.details.list_of_sheet.page(a, DetailQuery(consumption_sheet_id=s.open_id)),
        lambda s, a: list(s.use_cases.details.list_of_sheet.iterate(a, DetailQuery(consumption_sheet_id=s.open_id))),
    ],
    "details.add": [lambda s, a: s.use_cases.details.add(a, s.ward.detail_draft(), sheet_id=s.open_id)],
    "details.record_many": [
        lambda s, a: s.use_cases.details.record_many(a, s.open_id, DetailsDraft(items=(s.ward.detail_draft(),)))
    ],
    "details.edit": [lambda s, a: s.use_cases.details.edit(a, s.nurses_detail_id, s.ward.detail_draft("3"))],
    "details.correct (own)": [
        lambda s, a: s.use_cases.details.correct(a, s.nurses_detail_id, SEVEN, reason="Cantidad corregida")
    ],
    "details.correct (of someone else)": [
        lambda s, a: s.use_cases.details.correct(a, s.admins_detail_id, SEVEN, reason="Cantidad corregida")
    ],
    "details.delete (own)": [lambda s, a: s.use_cases.details.delete(a, s.nurses_detail_id)],
    "details.delete (of someone else)": [lambda s, a: s.use_cases.details.delete(a, s.admins_detail_id)],
    "details.void (own)": [lambda s, a: s.use_cases.details.void(a, s.nurses_detail_id, VoidDraft(reason="Repetida"))],
    "details.void (of someone else)": [
        lambda s, a: s.use_cases.details.void(a, s.admins_detail_id, VoidDraft(reason="Repetida")),
        lambda s, a: s.use_cases.details.void.several(a, VoidDraft(ids=(s.admins_detail_id,), reason="Repetida")),
    ],
    "details.move (own)": [lambda s, a: s.use_cases.details.move(a, s.open_id, s.move_draft(s.nurses_detail_id))],
    "details.move (of someone else)": [
        lambda s, a: s.use_cases.details.move(a, s.open_id, s.move_draft(s.admins_detail_id))
    ],
    "details.return_part": [
        lambda s, a: s.use_cases.details.return_part(
            a, s.admins_detail_id, ReturnDraft(quantity=Decimal(1), reason="unused")
        )
    ],
    "details.mark_waste": [
        lambda s, a: s.use_cases.details.mark_waste(
            a, s.admins_detail_id, WasteDraft(quantity=Decimal(1), use_reason="opened")
        )
    ],
    "details.unmark_waste": [lambda s, a: s.use_cases.details.unmark_waste(a, s.admins_wasted_id)],
    "late_entries.submit": [
        lambda s, a: s.use_cases.late_entries.submit(
            a, s.closed_id, s.late_draft(), idempotency_key=IdempotencyKey("k-2", "f")
        )
    ],
    "late_entries.list": [lambda s, a: s.use_cases.late_entries.list(a, s.closed_id)],
    "late_entries.dismiss": [
        lambda s, a: s.use_cases.late_entries.dismiss(a, s.late_id, DismissDraft(reason="Ya está"))
    ],
    "late_entries.record": [lambda s, a: s.use_cases.late_entries.record(a, s.late_id, RecordLateDraft())],
    "unlisted_items.note": [
        lambda s, a: s.use_cases.unlisted_items.note(
            a, s.open_id, UnlistedItemDraft(description="bisturí láser", quantity=Decimal(1))
        )
    ],
    "unlisted_items.list": [lambda s, a: s.use_cases.unlisted_items.list(a, s.open_id)],
    "unlisted_items.resolve": [
        lambda s, a: s.use_cases.unlisted_items.resolve(a, s.unlisted_id, ResolveDraft(product_id=s.ward.product_id))
    ],
    "unlisted_items.discard": [
        lambda s, a: s.use_cases.unlisted_items.discard(a, s.unlisted_id, DiscardDraft(reason="No se usó"))
    ],
    "unlisted_items.withdraw (own)": [lambda s, a: s.use_cases.unlisted_items.withdraw(a, s.own_unlisted(a))],
    "unlisted_items.withdraw (of someone else)": [
        lambda s, a: s.use_cases.unlisted_items.withdraw(a, s.other_unlisted_id)
    ],
    "products.reader": [
        lambda s, a: s.use_cases.products.reader.page(a, ProductQuery()),
        lambda s, a: list(s.use_cases.products.reader.iterate(a, ProductQuery())),
    ],
    "products.search": [
        lambda s, a: s.use_cases.products.search.page(a, ProductQuery(q="gaza")),
        lambda s, a: list(s.use_cases.products.search.iterate(a, ProductQuery(q="gasa"))),
    ],
    "products.create": [lambda s, a: s.use_cases.products.create(a, bandage(s.ward))],
    "products.update": [lambda s, a: s.use_cases.products.update(a, s.ward.product_id, bandage(s.ward))],
    "products.delete": [lambda s, a: s.use_cases.products.delete(a, s.spare["product"])],
    "products.look_up": [lambda s, a: s.use_cases.products.look_up(a, Lookup(code="C-7"))],
    "products.read_price_history": [lambda s, a: s.use_cases.products.read_price_history(a, s.ward.product_id)],
    "products.read_usual_quantity": [lambda s, a: s.use_cases.products.read_usual_quantity(a, s.ward.product_id)],
    "products.list_codes": [lambda s, a: s.use_cases.products.list_codes(a, s.ward.product_id)],
    "products.add_code": [
        lambda s, a: s.use_cases.products.add_code(a, s.ward.product_id, ProductCodeDraft(system="hibc", code="+A"))
    ],
    "products.remove_code": [
        lambda s, a: (
            s.use_cases.products.remove_code(
                a,
                s.use_cases.products.add_code(
                    s.ward.admin, s.ward.product_id, ProductCodeDraft(system="hibc", code="+B")
                )["id"],
            )
            if a.can(Permission.MANAGE_CATALOGUE)
            else s.use_cases.products.remove_code(a, 1)
        )
    ],
    "products.list_typed": [lambda s, a: s.use_cases.products.list_typed(a)],
    "products.list_unknown_codes": [lambda s, a: s.use_cases.products.list_unknown_codes(a)],
    "products.ignore_unknown_code": [lambda s, a: s.use_cases.products.ignore_unknown_code(a, "code", "ZZ-1")],
    "products.read_catalogue": [
        lambda s, a: s.use_cases.products.read_catalogue(a),
        lambda s, a: s.use_cases.products.read_catalogue.version(a),
    ],
    "products.pin": [lambda s, a: s.use_cases.products.pin(a, s.ward.product_id)],
    "products.unpin": [lambda s, a: s.use_cases.products.unpin(a, s.ward.product_id)],
    "products.read_picture": [lambda s, a: s.use_cases.products.read_picture(a, s.ward.product_id)],
    "products.set_picture": [lambda s, a: s.use_cases.products.set_picture(a, s.ward.product_id, an_image())],
    "products.remove_picture": [lambda s, a: s.use_cases.products.remove_picture(a, s.ward.product_id)],
    "labels.print": [lambda s, a: s.use_cases.labels.print(a, labels_of("product", s.ward.product_id, "50x25"))],
    "labels.print (patient)": [
        lambda s, a: s.use_cases.labels.print(a, labels_of("band", s.ward.patient_id, "band-adult"))
    ],
    "typed_names.note": [lambda s, a: s.use_cases.typed_names.note(a, s.ward.product_id, TypedNameDraft(text="suero"))],
    "typed_names.list": [lambda s, a: s.use_cases.typed_names.list(a, s.ward.product_id)],
    "typed_names.add": [lambda s, a: s.use_cases.typed_names.add(a, 1)],
    "typed_names.dismiss": [lambda s, a: s.use_cases.typed_names.dismiss(a, 1)],
    "implants.list": [lambda s, a: s.use_cases.implants.list.page(a, DetailQuery())],
    "implants.print_card": [lambda s, a: s.use_cases.implants.print_card(a, s.with_implant_id)],
    "recalls.reader": [lambda s, a: s.use_cases.recalls.reader.page(a, RecallQuery())],
    "recalls.open": [lambda s, a: s.use_cases.recalls.open(a, RecallDraft(product_id=s.ward.product_id, reason="R"))],
    "recalls.update": [
        lambda s, a: s.use_cases.recalls.update(
            a,
            s.recall(a),
            RecallDraft(product_id=s.ward.product_id, reason="R", closed=True),
        )
    ],
    "recalls.list_details": [
        lambda s, a: s.use_cases.recalls.list_details.page(
            a,
            DetailQuery(),
            s.recall(a),
        )
    ],
    "recalls.set_aside": [
        lambda s, a: s.use_cases.recalls.set_aside(a, s.recall_id, SetAsideDraft(quantity=Decimal(2)))
    ],
    "recalls.list_set_aside": [lambda s, a: s.use_cases.recalls.list_set_aside(a, s.recall(a))],
    "recalls.acknowledge_use": [lambda s, a: s.use_cases.recalls.acknowledge_use(a, s.nurses_detail_id)],
    "restock.read": [lambda s, a: s.use_cases.restock.read(a, s.ward.area_id)],
    "restock.put_back": [tick_on_list],
    "restock.undo_put_back": [lambda s, a: s.use_cases.restock.undo_put_back(a, s.ward.area_id, s.ward.product_id, 1)],
    "restock.close": [close_restock_list],
    "restock.list_closed": [lambda s, a: s.use_cases.restock.list_closed(a, s.ward.area_id)],
    "restock.read_document": [read_restock_list],
    "restock.list_shelves": [lambda s, a: s.use_cases.restock.list_shelves(a, s.ward.area_id)],
    "restock.set_shelf": [
        lambda s, a: s.use_cases.restock.set_shelf(a, s.ward.area_id, s.ward.product_id, ShelfDraft(shelf="B 2"))
    ],
    "kits.reader": [lambda s, a: s.use_cases.kits.reader.page(a, KitQuery())],
    "kits.create (own)": [lambda s, a: s.use_cases.kits.create(a, s.kit_draft(own=True))],
    "kits.create (of the hospital)": [lambda s, a: s.use_cases.kits.create(a, s.kit_draft())],
    "kits.update (own)": [lambda s, a: s.use_cases.kits.update(a, s.own_kit(a), s.kit_draft(own=True))],
    "kits.update (of the hospital)": [lambda s, a: s.use_cases.kits.update(a, s.kit(), s.kit_draft())],
    "kits.review (own)": [lambda s, a: s.use_cases.kits.review(a, s.own_kit(a))],
    "kits.review (of the hospital)": [lambda s, a: s.use_cases.kits.review(a, s.kit())],
    "kits.delete (own)": [lambda s, a: s.use_cases.kits.delete(a, s.own_kit(a))],
    "kits.delete (of the hospital)": [lambda s, a: s.use_cases.kits.delete(a, s.kit())],
    "patients.reader": [
        lambda s, a: s.use_cases.patients.reader.page(a, PatientQuery()),
        lambda s, a: s.use_cases.patients.reader.one(a, s.ward.patient_id),
        lambda s, a: list(s.use_cases.patients.reader.iterate(a, PatientQuery())),
    ],
    "patients.search": [
        lambda s, a: s.use_cases.patients.search.page(a, PatientQuery(q="rioz")),
        lambda s, a: list(s.use_cases.patients.search.iterate(a, PatientQuery(q="ana"))),
    ],
    "patients.create": [lambda s, a: s.use_cases.patients.create(a, PatientDraft(name="Luis", first_surname="Gil"))],
    "patients.update": [
        lambda s, a: s.use_cases.patients.update(a, s.ward.patient_id, PatientDraft(name="Ana", first_surname="Gil"))
    ],
    "patients.delete": [lambda s, a: s.use_cases.patients.delete(a, s.spare["patient"])],
    "patients.preview_merge": [
        lambda s, a: s.use_cases.patients.preview_merge(a, s.spare["patient"], s.ward.patient_id)
    ],
    "patients.merge": [
        lambda s, a: s.use_cases.patients.merge(
            a, s.spare["patient"], MergeDraft(into_id=s.ward.patient_id, reason="Dos registros")
        )
    ],
    "patients.unmerge": [lambda s, a: s.use_cases.patients.unmerge(a, s.merged_id)],
    "patients.identify": [
        lambda s, a: s.use_cases.patients.identify(a, s.unidentified_id, IDENTITY),
        lambda s, a: s.use_cases.patients.identify(a, s.unidentified_id, IdentityDraft(into_id=s.spare["patient"])),
    ],
    "inbound_messages.receive": [
        lambda s, a: s.use_cases.inbound_messages.receive(a, AdtParser(zone=ZONE)(adt("A01", control_id="M-2")), "MSH")
    ],
    "inbound_messages.note_refused": [
        lambda s, a: s.use_cases.inbound_messages.note_refused(
            a,
            RefusedMessage(source="HIS|", control_id="", kind="", digest="0", reason=Reason(Code.REFUSED_NO_HL7)),
        )
    ],
    "inbound_messages.list": [lambda s, a: s.use_cases.inbound_messages.list(a, InboundMessageQuery())],
    "inbound_messages.read": [lambda s, a: s.use_cases.inbound_messages.read(a, s.message_id)],
    "inbound_messages.retry": [
        lambda s, a: s.use_cases.inbound_messages.retry(a, s.message_id),
        lambda s, a: s.use_cases.inbound_messages.retry.several(a, RetryMessagesDraft(ids=(s.message_id,))),
    ],
    "inbound_messages.dismiss": [
        lambda s, a: s.use_cases.inbound_messages.dismiss(a, s.message_id, DismissMessageDraft(reason="De prueba")),
        lambda s, a: s.use_cases.inbound_messages.dismiss.several(
            a, DismissMessageDraft(ids=(s.message_id,), reason="De prueba")
        ),
    ],
    "inbound_messages.assign_room": [
        lambda s, a: s.use_cases.inbound_messages.assign_room(a, s.message_id, RoomAnswerDraft(room_id=s.ward.room_id))
    ],
    "inbound_messages.assign_patient": [
        lambda s, a: s.use_cases.inbound_messages.assign_patient(
            a, s.message_id, PatientAnswerDraft(patient_id=s.ward.patient_id)
        )
    ],
    "inbound_messages.open_sheet": [
        lambda s, a: s.use_cases.inbound_messages.open_sheet(a, s.message_id, RoomAnswerDraft(room_id=s.ward.room_id))
    ],
    "inbound_messages.assign_sheet": [
        lambda s, a: s.use_cases.inbound_messages.assign_sheet(
            a, s.message_id, SheetAnswerDraft(consumption_sheet_id=s.open_id)
        )
    ],
    "outbound_messages.reader": [lambda s, a: s.use_cases.outbound_messages.reader.page(a, OutboundMessageQuery())],
    "outbound_messages.read": [lambda s, a: s.use_cases.outbound_messages.read(a, s.outbound_id)],
    "outbound_messages.retry": [lambda s, a: s.use_cases.outbound_messages.retry(a, s.outbound_id)],
    "outbound_messages.mark_sent": [
        lambda s, a: s.use_cases.outbound_messages.mark_sent(a, s.outbound_id, SettleDraft(reason="A mano"))
    ],
    "imports.reader": [lambda s, a: s.use_cases.imports.reader.page(a, ListQuery())],
    "imports.read_file": [
        lambda s, a: s.use_cases.imports.read_file(a, a_catalogue(), Noun.PRODUCTS, Choices()),
        lambda s, a: s.use_cases.imports.read_file.nouns(a, a_catalogue(), Choices()),
    ],
    "imports.run": [
        lambda s, a: s.use_cases.imports.run.check(a, an_area(), RowCollector()),
        lambda s, a: s.use_cases.imports.run(a, an_area(), RowCollector()),
    ],
    "imports.undo": [lambda s, a: s.use_cases.imports.undo(a, s.import_id)],
    "reports.read_overview": [lambda s, a: s.use_cases.reports.read_overview(a)],
    "reports.read_worklist": [
        lambda s, a: s.use_cases.reports.read_worklist(a),
        lambda s, a: s.use_cases.reports.read_worklist.count(a),
    ],
    "reports.judge_right": [
        lambda s, a: s.use_cases.reports.judge_right(a, JudgementDraft(kind="sheet_quiet", sheet_id=s.open_id))
    ],
    "reports.undo_judgement": [
        lambda s, a: s.use_cases.reports.undo_judgement(a, JudgementDraft(kind="sheet_quiet", sheet_id=s.other_id))
    ],
    "reports.read_ward": [lambda s, a: s.use_cases.reports.read_ward(a)],
    "reports.read_shift": [lambda s, a: s.use_cases.reports.read_shift(a)],
    "reports.list_notices": [lambda s, a: s.use_cases.reports.list_notices(a)],
    "reports.mark_notices_seen": [lambda s, a: s.use_cases.reports.mark_notices_seen(a, SeenDraft(ids=(1,)))],
    "reports.consumption": [
        lambda s, a: s.use_cases.reports.consumption.page(a, ConsumptionQuery()),
        lambda s, a: s.use_cases.reports.consumption.page(a, ConsumptionQuery(by=ConsumptionBy.PATIENT)),
        lambda s, a: list(s.use_cases.reports.consumption.iterate(a, ConsumptionQuery())),
    ],
    "reports.close_month": [lambda s, a: s.use_cases.reports.close_month(a, MonthDraft(month="2025-12", turn=1))],
    "reports.read_month": [lambda s, a: s.use_cases.reports.read_month(a, s.month_id)],
    "reports.export_month": [lambda s, a: s.use_cases.reports.export_month(a, s.month_id)],
    "reports.list_months": [lambda s, a: s.use_cases.reports.list_months(a)],
    "reports.reconcile_handed_out": [
        lambda s, a: s.use_cases.reports.reconcile_handed_out(
            a, a_store_file(), area_id=s.ward.area_id, since=TODAY, until=TODAY
        )
    ],
    "reports.consumption (by staff)": [
        lambda s, a: s.use_cases.reports.consumption.page(a, ConsumptionQuery(by=ConsumptionBy.STAFF)),
        lambda s, a: list(s.use_cases.reports.consumption.iterate(a, ConsumptionQuery(by=ConsumptionBy.STAFF))),
    ],
    "status.read": [lambda s, a: s.use_cases.status.read(a)],
    "status.send_test_email": [lambda s, a: s.use_cases.status.send_test_email(a, "es")],
    "status.report_outbox": [
        lambda s, a: s.use_cases.status.report_outbox(
            SignedIn(a, ""), DEVICE, OutboxDraft(count=2, oldest_at=s.ward.clock.now)
        )
    ],
    "audit.reader": [
        lambda s, a: s.use_cases.audit.reader.page(a, AuditQuery()),
        lambda s, a: list(s.use_cases.audit.reader.iterate(a, AuditQuery())),
    ],
    "audit.read_access_log": [
        lambda s, a: s.use_cases.audit.read_access_log.page(a, AuditQuery(patient_id=s.ward.patient_id)),
        lambda s, a: list(s.use_cases.audit.read_access_log.iterate(a, AuditQuery(patient_id=s.ward.patient_id))),
    ],
    "fhir.practitioners": [lambda s, a: s.use_cases.fhir.practitioners.page(a, StaffQuery())],
    "fhir.read_closing_records": [lambda s, a: s.use_cases.fhir.read_closing_records(a, 0, 0, most=10)],
    "fhir.find_patients_by_number": [lambda s, a: s.use_cases.fhir.find_patients_by_number(a, "E-1")],
    "fhir.read_patient_classes": [
        lambda s, a: s.use_cases.fhir.read_patient_classes(a, [s.open_id]),
    ],
    "fhir.read_last_changes": [
        lambda s, a: s.use_cases.fhir.read_last_changes(a, PATIENTS, [s.ward.patient_id]),
        lambda s, a: s.use_cases.fhir.read_last_changes.deletions(a, PATIENTS.kind, [s.ward.patient_id]),
    ],
}
OF_RECORDS = {name: calls for group, record in RECORDS.items() for name, calls in calls_of(group, record).items()}
CALLS |= OF_RECORDS


@pytest.mark.parametrize("who", ROLES)
@pytest.mark.parametrize(
    ("name", "call"), [pytest.param(name, call, id=name) for name, calls in CALLS.items() for call in calls]
)
def test_a_call_without_permission_is_refused_and_writes_nothing(scene: Scene, who: str, name: str, call: Call) -> None:
    expected, actor = PERMISSIONS[name].to(who), scene.who(who)
    if expected is None:
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
            assert expected == NOT_FOUND
        case _:
            pytest.fail(str(denied.value))


LEFT_WHILE_LOCKED = {
    *("session.lock", "session.unlock", "session.make_nonce", "badges.find", "session.sign_out"),
    "passkeys.begin_unlock",
    *("status.report_outbox", "details.add", "details.record_many", "late_entries.submit"),
}


@pytest.mark.parametrize(
    ("name", "call"), [pytest.param(name, call, id=name) for name, calls in CALLS.items() for call in calls]
)
def test_a_locked_session_is_refused_almost_everything(scene: Scene, name: str, call: Call) -> None:
    actor = replace(scene.ward.admin, session_limits=(Limit.LOCKED,))
    if name in LEFT_WHILE_LOCKED:
        call(scene, actor)
        return
    with nothing_written(scene.ward), pytest.raises(Forbidden) as denied:
        call(scene, actor)
    assert denied.value.code == (PERMISSIONS[name].admin if name == "service_accounts.read_own_key" else Limit.LOCKED)


def test_every_use_case_is_in_the_table() -> None:
    use_cases = {
        f"{group.name}.{use_case.name}"
        for group in fields(UseCases)
        for use_case in fields(get_type_hints(UseCases)[group.name])
    }
    assert use_cases == {use_case_of(name) for name in {*PERMISSIONS, *PUBLIC, *INTERNAL}}
    assert CALLS.keys() == PERMISSIONS.keys()


@pytest.mark.parametrize("name", [name for name in CALLS if name not in OF_RECORDS])
def test_each_call_calls_the_use_case_of_its_name(name: str) -> None:
    for call in CALLS[name]:
        assert {*use_case_of(name).split(".")} <= {*call.__code__.co_names}
