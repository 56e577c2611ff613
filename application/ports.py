"""What the use cases need from outside: shapes that adapters satisfy without inheriting from them."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Generic, NamedTuple, Protocol, TypeVar

from application.audit import Entry
from application.imports.imported import Import
from application.paging import ListQuery, Page
from application.views import (
    AreaView,
    AuditQuery,
    AuditView,
    CategoryView,
    ConsumptionPage,
    ConsumptionQuery,
    ConsumptionRowView,
    DetailQuery,
    DetailView,
    ExportedDetailView,
    ImportView,
    PatientQuery,
    PatientView,
    ProductNameView,
    ProductQuery,
    ProductView,
    RoomQuery,
    RoomView,
    SheetAtWorkView,
    SheetQuery,
    SheetView,
    StaffQuery,
    StaffView,
    SummaryLineView,
    TodayView,
    UserQuery,
    UserView,
)
from domain.area import Area
from domain.patient import Patient
from domain.policy import Actor
from domain.product import Category, Product
from domain.refusal import Code
from domain.room import Room
from domain.sheet import Detail, Sheet
from domain.staff import Staff
from domain.summary import Portion
from domain.user import PasswordLink, User

Clock = Callable[[], datetime]
"""The moment now, aware and in UTC."""

Entity = TypeVar("Entity")
Answer = TypeVar("Answer")
Item = TypeVar("Item")
Query = TypeVar("Query", bound=ListQuery, contravariant=True)


class Store(Protocol[Entity]):
    """Keeps entities of one kind. What it hands out is a copy: a change that nobody saved is not kept."""

    def get(self, id: int) -> Entity | None: ...

    def lock(self, id: int) -> Entity | None:
        """The entity, which nobody else changes until this unit of work ends."""

    def add(self, entity: Entity) -> None:
        """Keep a new one and give it its ``id``."""

    def save(self, entity: Entity) -> None: ...

    def remove(self, entity: Entity) -> None:
        """Delete it for good. Raise ``Refused`` (in_use) while others refer to it."""

    def uses(self, id: int) -> int:
        """How many other things refer to it."""

    # Many at a time, for imports: as few statements as can be, whatever the number.

    def having(self, key: str, values: Collection[Hashable], *, locked: bool = False) -> list[Entity]:
        """All whose ``key`` is one of these, by id; ``locked``: nobody else changes them until this unit of work ends.

        A key is ``id`` or one of those in ``application.imports.staged``.
        """

    def used(self, ids: Collection[int]) -> set[int]:
        """Which of them others refer to."""

    def reserve(self, count: int) -> Sequence[int]:
        """Ids that nothing else will ever have."""

    def add_all(self, entities: Sequence[Entity]) -> None:
        """Keep new ones, whose ids were reserved."""

    def save_all(self, entities: Sequence[Entity]) -> None: ...

    def remove_all(self, ids: Collection[int]) -> None: ...


class Areas(Store[Area], Protocol):
    def named(self, name: str) -> Area | None:
        """The area of that name, whatever the case."""


class Categories(Store[Category], Protocol):
    def coded(self, code: str) -> Category | None:
        """The category with that code, whatever the case."""


class Products(Store[Product], Protocol):
    def coded(self, code: str) -> Product | None:
        """The product with the hospital's own code, whatever the case."""

    def with_gtin(self, gtin: str) -> Product | None: ...


class Patients(Store[Patient], Protocol):
    def with_record_number(self, record_number: str) -> Patient | None: ...


class Users(Store[User], Protocol):
    def with_email(self, email: str) -> User | None:
        """The user who signs in with that email, whatever the case."""

    def with_profile(self, staff_id: int) -> User | None:
        """The user whose profile that staff member is."""

    def administrators(self) -> list[User]:
        """All users of role 10 who may sign in, the oldest first."""

    def lock_with_administrators(self, id: int) -> tuple[User | None, list[User]]:
        """That user and all administrators, none of whom anybody else changes until this unit of work ends."""


class Sheets(Store[Sheet], Protocol):
    def lock_of_detail(self, detail_id: int) -> Sheet | None:
        """The sheet that detail is on, locked likewise."""

    def remove(self, sheet: Sheet) -> None:
        """Delete it for good, and its details with it."""


class References(NamedTuple):
    """What a detail refers to; None for what does not exist."""

    product: Product | None
    category: Category | None
    staff: Staff | None
    area: Area | None


class Details(Store[Detail], Protocol):
    def record(self, detail: Detail, sheet: Sheet) -> None:
        """Keep a new detail and give it its ``id``; and what it made of its sheet, which is locked."""

    def on_sheet(self, sheet_id: int) -> list[Detail]:
        """All details of a sheet, the oldest first."""

    def first_day(self, sheet_id: int) -> date | None:
        """The first day on which something was used on that sheet."""

    def references(self, *, product_id: int, staff_id: int | None, area_id: int | None) -> References:
        """All that a detail refers to, in one look."""


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in: it ends at its hour, which every use puts off to at most ``ends_at``, or when somebody ends it.

    ``address`` and ``client`` (a browser's name of itself) tell where it was begun. What began before that was kept
    does not tell it, and runs until its hour.
    """

    id: str
    user_id: int
    expires_at: datetime
    began_at: datetime | None = None
    used_at: datetime | None = None
    ends_at: datetime | None = None
    address: str = ""
    client: str = ""


class Running(NamedTuple):
    """Who acts in a session, and when it was last known to be used."""

    actor: Actor
    used_at: datetime | None


class Sessions(Protocol):
    def add(self, session: Session) -> None: ...

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """The session, which nobody else changes until this unit of work ends; None once it has ended."""

    def save(self, session: Session) -> None:
        """Keep when it was used and when it expires."""

    def end(self, session_id: str) -> None: ...

    def end_all(self, user_id: int) -> None:
        """End every session of that user."""


class Links(Protocol):
    """The links with which passwords are chosen."""

    def add(self, link: PasswordLink) -> None: ...

    def get(self, digest: str) -> PasswordLink | None: ...

    def take(self, digest: str) -> PasswordLink | None:
        """The link with that digest, which from now on is gone."""

    def drop_all(self, user_id: int) -> None:
        """Drop every link of that user."""


class Failures(Protocol):
    """Tries that failed, or are under way, by what was tried and from where (as digests)."""

    def lock(self, subjects: Sequence[str]) -> None:
        """Nobody else counts tries of these until the unit of work ends."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Note a try under each of its subjects; by the ids it can be removed."""

    def remove(self, ids: Sequence[int]) -> None: ...

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """When tries failed after that moment, the oldest first."""

    def clear(self, subject: str) -> None: ...

    def forget(self, before: datetime) -> None:
        """Drop what failed before that moment."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is mailed: a link and until when it works (``occasion`` is ``activation`` or ``reset``), or that the account
    was changed and when (``password_changed``, ``email_changed``).
    """

    to: str
    occasion: str
    language: str
    at: datetime
    url: str = ""


@dataclass(frozen=True, slots=True)
class Once:
    """A client's promise that requests with this ``key`` are one; ``fingerprint`` tells whether it keeps it."""

    key: str
    fingerprint: str


class Answers(Protocol):
    """What was answered under an idempotency key (docs/contract.md, "Idempotency keys")."""

    def recall(self, user_id: int, once: Once, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        Raise ``Refused`` (idempotency_key.reused) when the same key came with another body, ``StillRunning`` while the
        first request is being worked on.
        """

    def keep(self, user_id: int, once: Once, answer: object, at: datetime) -> None: ...

    def forget(self, before: datetime, *, but: int) -> None:
        """Drop what was answered before that moment, but for the latest so many."""


class Trail(Protocol):
    """The append-only record of who did what."""

    def append(self, entry: Entry) -> None: ...

    def append_once(self, entry: Entry, hour: int) -> None:
        """Keep an entry about somebody who did that to that thing, unless one was kept in that hour."""

    def forget_hours(self, before: int) -> None:
        """Drop what is known of earlier hours; the entries stay."""

    def extend(self, entries: Sequence[Entry]) -> None:
        """Keep several."""

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, Entry]]:
        """What an import did to things of one kind, the last thing first, with the entries' ids.

        ``before``: only what lies before that id.
        """

    def count_of_import(self, import_id: int) -> int:
        """How many entries tell what an import did."""


class Imports(Protocol):
    """What was brought in, and how files of one shape were read."""

    def take_turn(self) -> None:
        """Wait until no other import is being kept; none will be until this unit of work ends."""

    def add(self, imported: Import) -> None:
        """Keep a new one and give it its ``id``."""

    def lock(self, id: int) -> Import | None:
        """The import, which nobody else changes until this unit of work ends."""

    def save(self, imported: Import) -> None: ...

    def knows(self, noun: str, digest: str) -> bool:
        """Whether that very file was brought in as that, and was not undone."""

    def mapping(self, noun: str, shape: str) -> Mapping[str, str]:
        """Which columns filled which fields the last time that a file of that shape was brought in; nothing yet."""

    def remember(self, noun: str, shape: str, mapping: Mapping[str, str]) -> None: ...


class View(Protocol[Item, Query]):
    """Reads one kind of thing as it is answered."""

    def page(self, query: Query) -> Page[Item]: ...

    def one(self, id: int) -> Item | None: ...


class ProductsView(View[ProductView, ProductQuery], Protocol):
    def nearest(self, query: ProductQuery) -> list[ProductView]:
        """Of what the filters let through those whose names are most like the text, the likest first."""


class LineToMend(NamedTuple):
    """A line without quantity or without price: one that costs nothing because its product had no price."""

    view: SummaryLineView
    without_quantity: bool
    without_price: bool


class Summaries(Protocol):
    """What sheets come to."""

    def portions(self, sheet_id: int) -> tuple[int, list[Portion]] | None:
        """The sheet's version, and what was recorded of each category on each day; None where there is no sheet."""

    def to_mend(self, sheet_id: int) -> list[LineToMend]:
        """The lines without quantity or price, the oldest first."""


# How far back the usual products go.
LATEST_OF_PERSON = 60
LATEST_OF_ROOM = 3
LATEST_OF_AREA = 40
LATEST_OF_SHEET = 25


class UsualProducts(Protocol):
    """What is recorded again and again.

    However much was ever recorded, each look costs the same: it goes by the latest alone.
    """

    def area_of(self, sheet_id: int) -> int | None:
        """The area in which the sheet's room lies; None where there is no such sheet."""

    def of_person(self, user_id: int, *, most: int) -> list[ProductView]:
        """The active products of the last ``LATEST_OF_PERSON`` details that this user recorded, the latest first."""

    def of_area(self, area_id: int, *, most: int) -> list[ProductView]:
        """The active products that stand most often among the area's latest details, the most frequent first.

        Those are the last ``LATEST_OF_SHEET`` of each of the ``LATEST_OF_AREA`` newest sheets, of which a room counts
        the ``LATEST_OF_ROOM`` newest. Of equals the one that was recorded last comes first.
        """

    def quantities(self, product_id: int, *, most: int) -> list[Decimal]:
        """The quantities of the product's latest details, the latest first."""


class Consumption(Protocol):
    """Adds up what was consumed. The query's period and order are given."""

    def report(self, query: ConsumptionQuery) -> ConsumptionPage:
        """The page that was asked for, with the sums of all."""

    def rows(self, query: ConsumptionQuery) -> Iterator[ConsumptionRowView]:
        """All rows, whatever page was asked for."""


class OpenSheet(NamedTuple):
    """When the patient came, and when the last detail was recorded."""

    id: int
    admission_date: date
    last_recorded_at: datetime | None


class DetailOfToday(NamedTuple):
    """A detail of today on an open sheet, and what is usual of its product where that was asked."""

    id: int
    sheet_id: int
    product: ProductNameView
    quantity: Decimal
    usual: Decimal | None


# How far back the overview looks: each of its looks costs the same, however much was ever recorded.
RECORDED_BY_PERSON = 300
OPENED_BY_PERSON = 50
OLDEST_OPEN = 200
LATEST_OF_TODAY = 100


class Overview(Protocol):
    """What a person at work wants first."""

    def today(self, day: date) -> TodayView:
        """What was recorded on that day."""

    def open_sheets(self) -> int:
        """How many sheets are open."""

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """The ids of the open sheets that this user opened or recorded on, the latest first.

        Those are among the last ``OPENED_BY_PERSON`` that the user opened and those of the last ``RECORDED_BY_PERSON``
        details.
        """

    def longest_open(self, admitted_by: date) -> list[OpenSheet]:
        """The ``OLDEST_OPEN`` open sheets of the oldest admissions up to that day, the oldest first."""

    def zero_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """That day's details with quantity zero, the latest first."""

    def far_out_of(self, day: date, *, most: int) -> list[DetailOfToday]:
        """Those of the day's last ``LATEST_OF_TODAY`` details with a quantity that is far out, the latest first."""

    def without_price(self, *, most: int) -> list[ProductNameView]:
        """Active products without a price, by name."""

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Those open sheets, by id."""


class Views(Protocol):
    """All that can be read."""

    @property
    def sheets(self) -> View[SheetView, SheetQuery]: ...
    @property
    def details(self) -> View[DetailView, DetailQuery]: ...
    @property
    def exported_details(self) -> View[ExportedDetailView, DetailQuery]: ...
    @property
    def products(self) -> ProductsView: ...
    @property
    def categories(self) -> View[CategoryView, ListQuery]: ...
    @property
    def areas(self) -> View[AreaView, ListQuery]: ...
    @property
    def rooms(self) -> View[RoomView, RoomQuery]: ...
    @property
    def patients(self) -> View[PatientView, PatientQuery]: ...
    @property
    def staff(self) -> View[StaffView, StaffQuery]: ...
    @property
    def users(self) -> View[UserView, UserQuery]: ...
    @property
    def audit(self) -> View[AuditView, AuditQuery]: ...
    @property
    def imports(self) -> View[ImportView, ListQuery]: ...
    @property
    def consumption(self) -> Consumption: ...
    @property
    def overview(self) -> Overview: ...

    @property
    def usual_products(self) -> UsualProducts: ...
    @property
    def summaries(self) -> Summaries: ...

    def version_of_sheet(self, sheet_id: int) -> int | None:
        """At which version that sheet is."""

    def names(self, field: str, ids: Collection[int]) -> dict[int, str]:
        """What the things with those ids are called, by the field that refers to them.

        The fields are product_id, category_id, staff_id, area_id, room_id and patient_id; user_id for the name on a
        user's profile and account_id for the email, even of one who was deleted; sheet_id for the sheet's patient; and
        detail_id for the product of a detail, even of one that was deleted. What is no more has no name.
        """

    def running(self, session_id: str, user_id: int, at: datetime) -> Running | None:
        """Who acts in that session; None once it has ended."""

    def sessions(self, user_id: int, at: datetime) -> list[Session]:
        """The sessions of that user that have not ended, the oldest first."""


class UnitOfWork(Protocol):
    """All that is changed together: kept when it ends well, undone when it ends with an exception."""

    @property
    def areas(self) -> Areas: ...
    @property
    def categories(self) -> Categories: ...
    @property
    def products(self) -> Products: ...
    @property
    def rooms(self) -> Store[Room]: ...
    @property
    def patients(self) -> Patients: ...
    @property
    def staff(self) -> Store[Staff]: ...
    @property
    def users(self) -> Users: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def links(self) -> Links: ...
    @property
    def failures(self) -> Failures: ...
    @property
    def sheets(self) -> Sheets: ...
    @property
    def details(self) -> Details: ...
    @property
    def answers(self) -> Answers: ...
    @property
    def trail(self) -> Trail: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def views(self) -> Views: ...


class Trouble(StrEnum):
    """Why the store cannot be used."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    FULL = "full"


class StoreUnavailable(Exception):
    """The store cannot be used at this moment, through no fault of what was asked: it may be asked again.

    Nothing is half kept. Of a ``BUSY`` or ``FULL`` store nothing at all is kept; of one that became ``UNREACHABLE``
    while the unit of work ended it is not known whether it was.
    """

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Collided(StoreUnavailable):
    """The store ended a unit of work because it and another one stood in each other's way: each waited for the other,
    or what one read the other changed. Nothing is kept of it, and done anew it comes to its end.
    """

    def __init__(self) -> None:
        super().__init__(Trouble.BUSY)


Begin = Callable[[], AbstractContextManager[UnitOfWork]]
"""Begins a unit of work: commits on a clean exit, undoes on an exception. May raise ``StoreUnavailable``, ``Collided``
among them, after which the use case is called again (``application.retry``).
"""

Look = Callable[[], AbstractContextManager[UnitOfWork]]
"""Opens a unit of work of which nothing is kept: to look things up in without holding anybody up."""

Read = Callable[[], AbstractContextManager[Views]]
"""Opens what can be read, outside any unit of work. May raise ``StoreUnavailable``.

What takes long or goes through everything is read by another one, ``read_for_reports``: it takes nothing away from
those who are at work, and may be a moment behind them.
"""


class Passwords(Protocol):
    """Turns passwords into what is stored of them."""

    def hash(self, password: str) -> str: ...

    def match(self, password: str, password_hash: str | None) -> bool:
        """Whether it is that password. Without a hash the answer is no, after the same time."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How hard a password is to guess, from 0 to 4; where that is too easy, ``weakness`` says why."""

    score: int
    weakness: Code | None = None


class PasswordJudge(Protocol):
    """Judges passwords that are chosen. It knows what the hospital is called, and what many people choose."""

    def judge(self, password: str, about: Sequence[str]) -> Judgement:
        """How hard it is to guess for who knows this about the person."""


class Mailer(Protocol):
    """Sends letters, if the hospital has set up how: only then it ``delivers``."""

    @property
    def delivers(self) -> bool: ...

    def send(self, letter: Letter) -> None:
        """Hand a letter over; returns at once, whether or not it will arrive."""


class Tokens(Protocol):
    """Turns a session into the token that the client carries, and back."""

    def issue(self, session: Session) -> str: ...

    def read(self, token: str) -> tuple[str, int]:
        """The ids of session and user. Raise ``NotSignedIn`` for a token that is not ours or has expired."""


class Done(NamedTuple, Generic[Answer]):
    """What a request that may be sent twice brought about; ``replayed`` when it was done before."""

    answer: Answer
    replayed: bool
