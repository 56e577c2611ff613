"""Builders for tests: actors, things, and a small ward."""

import hashlib
import io
import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, ClassVar, Protocol
from zoneinfo import ZoneInfo

from dependency_injector import providers
from PIL import Image

import application
from adapters.setting_values.destination import Destination
from adapters.settings.read_settings import Settings
from adapters.wiring.container import Container
from application.accounts.ports.identity import PasswordChecker, Passwords, PasswordScore
from application.accounts.ports.identity_provider import IdentityProvider
from application.accounts.users.draft import UserDraft
from application.catalogue.areas import AreaDraft
from application.catalogue.categories import CategoryDraft
from application.catalogue.products import ProductDraft
from application.catalogue.rooms import RoomDraft
from application.common.mail import Mailer, MailFailure, MailMessage
from application.hospital.settings import HospitalDraft
from application.imports.bulk_load import BulkLoad
from application.people.patients import PatientDraft
from application.people.staff import StaffDraft
from application.sheets.detail_views import DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.record_details import DetailsDraft
from application.sheets.sheet_draft import SheetDraft
from application.sheets.views import SheetView
from application.use_cases import UseCases
from application.work import UnitOfWork, Views
from domain.accounts.passkey import Passkey
from domain.catalogue.product import Product
from domain.common.policy import Actor, Role
from domain.hospital.settings import HospitalSettings
from domain.interop.outbound_message import OutboundMessage
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.scanning.label import LabelKind, label_text, paper_label_text
from domain.sheets.detail import Detail
from domain.sheets.sheet import PatientSheet, Usage
from tests.stores import InMemoryStore

# Far in the future, so that tokens issued then have not expired by the system's clock.
NOON = datetime(2091, 5, 3, 12, 0, tzinfo=UTC)
TODAY = NOON.date()
# UTC-6 all year, so that a day in UTC is not mistaken for the hospital's day.
ZONE = ZoneInfo("America/Mexico_City")
PASSWORD = "tres gasas y una venda"
PRICE = "12.50"
SECRET_KEY = "a secret of the tests, and of nothing else"


# --- actors and things that are in no store --------------------------------------------------------------------------


def a_nurse(*, user_id: int = 1, staff_id: int | None = 11) -> Actor:
    """Ward staff with a profile."""
    return Actor(user_id=user_id, role=Role.USER, staff_id=staff_id)


def a_newcomer(*, user_id: int = 4) -> Actor:
    """Ward staff without a profile."""
    return a_nurse(user_id=user_id, staff_id=None)


def a_supervisor(*, user_id: int = 2, staff_id: int | None = 12) -> Actor:
    return Actor(user_id=user_id, role=Role.SUPERVISOR, staff_id=staff_id)


def an_admin(*, user_id: int = 3) -> Actor:
    return Actor(user_id=user_id, role=Role.ADMIN, staff_id=None)


def a_product(price: str = PRICE, **particulars: Any) -> Product:
    filled_in: dict[str, Any] = {"id": 5, "name": "Gasa estéril", "price": Decimal(price), "category_id": 6}
    return Product(**filled_in | particulars)


def a_sheet(**particulars: Any) -> PatientSheet:
    filled_in: dict[str, Any] = {"patient_id": 8, "room_id": 9, "diagnosis": "Neumonía", "doctor": "Dra. Vega"}
    return PatientSheet(**filled_in | {"id": 7, "admission_date": TODAY} | particulars)


def a_detail(
    sheet: PatientSheet, product: Product | None = None, quantity: str = "1", *, by: Actor | None = None
) -> Detail:
    """A detail recorded on that sheet."""
    by = by or a_nurse()
    usage = Usage(product=product or a_product(), quantity=Decimal(quantity), day=TODAY, staff_id=by.staff_id)
    return sheet.record(usage, by=by, at=NOON)


# --- a ward ----------------------------------------------------------------------------------------------------------


class SettableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> datetime:
        """Advance by ``hours``, ``days`` and so on."""
        self.now += timedelta(**by)
        return self.now


class QuickPasswords:
    """A fast password hash, for tests that are not about hashing."""

    def hash(self, password: str) -> str:
        return hashlib.sha256(password.encode()).hexdigest()

    def match(self, password: str, password_hash: str | None) -> bool:
        return self.hash(password) == password_hash


class RememberingJudge:
    """Caches the scores of ``judge``, because tests use the same passwords."""

    _judged: ClassVar[dict[tuple[str, tuple[str, ...]], PasswordScore]] = {}

    def __init__(self, judge: PasswordChecker) -> None:
        self._judge = judge

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:
        asked = (password, tuple(about))
        if asked not in self._judged:
            self._judged[asked] = self._judge.judge(password, about)
        return self._judged[asked]


class Postbox:
    """Keeps emails instead of sending them."""

    delivers = True

    def __init__(self) -> None:
        self.letters: list[MailMessage] = []
        self.failure: MailFailure | None = None

    def send(self, letter: MailMessage) -> None:
        self.letters.append(letter)

    def deliver(self, letter: MailMessage) -> MailFailure | None:
        if self.failure is None:
            self.letters.append(letter)
        return self.failure


class AnyStore(Protocol):
    """The methods that all stores have."""

    def begin(self) -> AbstractContextManager[UnitOfWork]: ...

    def begin_bulk_load(self) -> AbstractContextManager[BulkLoad]: ...

    def begin_read_only(self) -> AbstractContextManager[UnitOfWork]: ...

    def read(self) -> AbstractContextManager[Views]: ...

    def read_for_reports(self) -> AbstractContextManager[Views]: ...


@dataclass(frozen=True)
class Ward:
    """Use cases on a store, a user of each role, and one of each thing."""

    store: AnyStore
    clock: SettableClock
    postbox: Postbox
    use_cases: UseCases
    admin: Actor
    supervisor: Actor
    nurse: Actor
    area_id: int
    category_id: int
    room_id: int
    patient_id: int
    product_id: int

    def register(self, email: str, role: Role, password: str = PASSWORD) -> Actor:
        """Register a user without a profile."""
        user = self.use_cases.users.register(None, UserDraft(email=email, role=role, password=password))
        return Actor(user_id=user.id, role=user.role, staff_id=None)

    def product(self, name: str, price: str = "1.00", **particulars: Any) -> Product:
        filled_in: dict[str, Any] = {"name": name, "price": Decimal(price), "category_id": self.category_id}
        return self.use_cases.products.create(self.admin, ProductDraft(**filled_in | particulars))

    def patient(self, name: str, first_surname: str, **particulars: Any) -> Patient:
        draft = PatientDraft(name=name, first_surname=first_surname, **particulars)
        return self.use_cases.patients.create(self.admin, draft)

    def staff(self, name: str, first_surname: str, **particulars: Any) -> Staff:
        return self.use_cases.staff.create(
            self.admin, StaffDraft(name=name, first_surname=first_surname, **particulars)
        )

    def sheet(self, **particulars: Any) -> SheetView:
        """Open a sheet; returns it as an administrator sees it."""
        return self.use_cases.sheets.open(self.admin, self.sheet_draft(**particulars)).answer

    def detail(self, sheet_id: int, quantity: str = "1", *, by: Actor | None = None, **particulars: Any) -> DetailView:
        """Record a detail, by default as an administrator."""
        draft = self.detail_draft(quantity, **particulars)
        return self.use_cases.details.add(by or self.admin, draft, sheet_id=sheet_id).answer

    def details(self, sheet_id: int, *drafts: DetailDraft, by: Actor | None = None) -> list[DetailView]:
        """Record several details at once."""
        draft = DetailsDraft(items=drafts)
        return self.use_cases.details.record_many(by or self.admin, sheet_id, draft).answer["items"]

    def sheet_draft(self, **particulars: Any) -> SheetDraft:
        """A valid form of a sheet, with some changes."""
        filled_in: dict[str, Any] = {"patient_id": self.patient_id, "room_id": self.room_id, "admission_date": TODAY}
        return SheetDraft(**filled_in | {"diagnosis": "Neumonía", "doctor": "Dra. Vega"} | particulars)

    def detail_draft(self, quantity: str = "1", **particulars: Any) -> DetailDraft:
        """A valid form of a detail, with some changes."""
        filled_in: dict[str, Any] = {"product_id": self.product_id, "quantity": Decimal(quantity)}
        return DetailDraft(**filled_in | particulars)


def a_ward(
    store: AnyStore | None = None,
    *,
    zone: ZoneInfo = ZONE,
    clock: SettableClock | None = None,
    passwords: Passwords | None = None,
    charging: bool = False,
    price: str = PRICE,
    identity_provider: IdentityProvider | None = None,
    **settings: Any,
) -> Ward:
    """A ward on an empty store, by default in memory.

    With ``charging``, closings are sent to billing. ``settings`` are others of the installation.
    """
    is_usual = (store, clock, passwords, zone, price) == (None, None, None, ZONE, PRICE)
    data, people_and_things = _the_usual_ward() if is_usual else (None, None)
    store = store or InMemoryStore(zone, data)
    clock = clock or SettableClock()
    postbox = Postbox()
    use_cases = use_cases_on(
        store,
        zone=zone,
        clock=clock,
        passwords=passwords,
        mailer=postbox,
        charging=charging,
        identity_provider=identity_provider,
        **settings,
    )
    people_and_things = people_and_things or _fill(use_cases, price)
    return Ward(store=store, clock=clock, postbox=postbox, use_cases=use_cases, **people_and_things)


@cache
def _the_usual_ward() -> tuple[bytes, dict[str, Any]]:
    """The data of a ward, created once: copying it is faster."""
    store = InMemoryStore(ZONE)
    people_and_things = _fill(use_cases_on(store), PRICE)
    return store.database.snapshot(), people_and_things


def _fill(use_cases: UseCases, price: str) -> dict[str, Any]:
    def registered(role: Role) -> Actor:
        email = f"{role.name.lower()}@consumo.test"
        user = use_cases.users.register(None, UserDraft(email=email, role=role, password=PASSWORD))
        return Actor(user_id=user.id, role=role, staff_id=None)

    admin, supervisor, nurse = registered(Role.ADMIN), registered(Role.SUPERVISOR), registered(Role.USER)
    profile = use_cases.account.complete_profile(nurse, StaffDraft(name="Nuria", first_surname="Paz"))
    area = use_cases.areas.create(admin, AreaDraft(name="Urgencias"))
    category = use_cases.categories.create(admin, CategoryDraft(code="CUR", name="Curación"))
    room = use_cases.rooms.create(admin, RoomDraft(name="101", status=1, type=1, area_id=area.id))
    patient = use_cases.patients.create(admin, PatientDraft(name="Ana", first_surname="Ríos"))
    gauze = ProductDraft(name="Gasa estéril", price=Decimal(price), category_id=category.id)
    return {
        "admin": admin,
        "supervisor": supervisor,
        "nurse": Actor(user_id=nurse.user_id, role=nurse.role, staff_id=profile["id"]),
        "area_id": area.id,
        "category_id": category.id,
        "room_id": room.id,
        "patient_id": patient.id,
        "product_id": use_cases.products.create(admin, gauze).id,
    }


def own_label(ward: Ward, kind: LabelKind, number: int) -> str:
    """The text of a label that the ward's installation prints."""
    with ward.store.read() as views:
        return label_text(kind, number, views.installation_number())


def proof_of(ward: Ward, sheet_id: int, turn: int | None = None) -> str:
    """The text in the symbol on a closed sheet's paper."""
    with ward.store.read() as views:
        closing = views.closings.frozen(sheet_id, turn)
        assert closing
        assert closing.digest
        return (
            paper_label_text(LabelKind.CLOSING, sheet_id, closing.turn, closing.digest, views.installation_number())
            or ""
        )


def a_hospital_draft(**changes: Any) -> HospitalDraft:
    """The settings without those that the server sets in tests."""
    usual: dict[str, Any] = {
        "name": "San José",
        "number_format": "language",
        "idle_minutes": 15,
        "ask_above_total": Decimal("500.00"),
        "shift_starts": ("06:00", "14:00", "22:00"),
    }
    return HospitalDraft(**usual | changes)


def an_image(kind: str = "PNG", size: tuple[int, int] = (320, 80), colour: str = "teal") -> bytes:
    """An image of one colour."""
    written = io.BytesIO()
    Image.new("RGB", size, colour).save(written, kind)
    return written.getvalue()


def an_outbound_message(store: AnyStore, at: datetime, sheet_id: int, **particulars: Any) -> int:
    """Add a waiting message to billing; returns its id."""
    filled_in: dict[str, Any] = {"control_id": f"{sheet_id}.1.1", "body": "MSH|^~\\&|\r", "charges": 1}
    message = OutboundMessage(sheet_id=sheet_id, **filled_in | {"created_at": at, "next_try_at": at} | particulars)
    with store.begin() as work:
        work.outbound_messages.add(message)
    return message.id


def a_passkey(user_id: int, at: datetime) -> Passkey:
    """A passkey that no device holds."""
    return Passkey(
        user_id=user_id,
        credential_id=secrets.token_bytes(32),
        public_key=b"no key",
        sign_count=0,
        transports=("internal", "hybrid"),
        backed_up=True,
        aaguid="00000000-0000-0000-0000-000000000000",
        name="Teléfono",
        made_at=at,
    )


class ReusedContainer:
    """A container that tests reuse, because creating one is slow."""

    def __init__(self) -> None:
        self.container = Container()
        # Finding them takes as long as creating all their objects.
        self._singletons = list(self.container.traverse(types=[providers.BaseSingleton]))

    @contextmanager
    def given(self, **given: object) -> Iterator[Container]:
        """Override providers; singletons created meanwhile are discarded."""
        try:
            with self.container.override_providers(**{name: providers.Object(each) for name, each in given.items()}):
                yield self.container
        finally:
            for singleton in self._singletons:
                singleton.reset()


@cache
def the_container() -> ReusedContainer:
    """The shared container."""
    return ReusedContainer()


def use_cases_on(
    store: AnyStore,
    *,
    zone: ZoneInfo = ZONE,
    clock: SettableClock | None = None,
    passwords: Passwords | None = None,
    mailer: Mailer | None = None,
    charging: bool = False,
    identity_provider: IdentityProvider | None = None,
    **others: Any,
) -> UseCases:
    """The use cases of the container, on that store."""
    settings = Settings(
        database_url="sqlite://",
        host="127.0.0.1",
        port=8000,
        secret_key=SECRET_KEY,
        workers=1,
        hospital=HospitalSettings(currency="USD", time_zone=zone.key),
        token_hours=12,
        dft_destination=Destination(host="billing.test", port=6661) if charging else None,
    )
    settings = replace(settings, **others)
    given = {
        "settings": settings,
        "store": store,
        "passwords": passwords or QuickPasswords(),
        "mailer": mailer or Postbox(),
        "clock": clock or SettableClock(),
        "identity_provider": identity_provider,
    }
    with the_container().given(**given) as container:
        judge = RememberingJudge(container.judge())
        with container.judge.override(providers.Object(judge)):
            use_cases: UseCases = container.use_cases()
    return use_cases


def view_modules(*endings: str) -> list[ModuleType]:
    """The modules of views of all topics, or those with other endings."""
    modules = walk_packages(application.__path__, f"{application.__name__}.")
    return [import_module(one.name) for one in modules if one.name.endswith(endings or "views")]
