"""The application under test with its data, and callers of its API."""

import asyncio
import io
import itertools
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from httpx import Response
from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import LitestarException
from litestar.testing import TestClient
from litestar.types import ASGIApp, Scope
from sqlalchemy import Engine, create_engine

from adapters.http.app import build_router
from adapters.http.workers.letters import LETTERS
from adapters.observability.logs import RequestLog
from adapters.observability.metrics import ProcessMetrics, Workers, text_of_all
from adapters.security.passwords import Argon2Passwords
from adapters.security.tokens import JwtTokens
from adapters.server.asgi import application
from adapters.server.health import Readiness
from adapters.settings.read_settings import Settings, read_settings
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from adapters.wiring.container import Container
from adapters.wiring.hospital import now
from application.accounts.ports.identity import Passwords, Session
from application.accounts.ports.identity_provider import IdentityProvider
from application.work import UnitOfWork
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.policy import Role
from domain.people.patient import Patient
from domain.people.staff import Staff
from tests.builders import ReusedContainer
from tests.oidc.stub_provider import ISSUER, StubProvider

SHEETS = "/api/consumption-sheets"
DETAILS = "/api/consumption-details"
ACCOUNTS = "/api/service-accounts"

PASSWORD = "aceite de ricino 7"
# Hashed at minimum cost: hashing is not tested here.
PASSWORD_HASH = "$argon2id$v=19$m=8,t=1,p=1$c2FsIGRlIG1hciBncnVlc2E$18zuR7aicd/dSLUSCpHi7tChveOnyN34t7Xl7f7f1eA"

# Decisive tests run on PostgreSQL, because all others run on SQLite; with `make walk` on both.
ON_EVERY_DATABASE = pytest.mark.parametrize(
    "database",
    [pytest.param("sqlite", marks=pytest.mark.walk), pytest.param("postgresql", marks=pytest.mark.postgresql)],
    indirect=True,
)
# Slow tests of answers, independent of the database, run on SQLite; with `make walk` on both.
ON_ANY_DATABASE = pytest.mark.parametrize(
    "database",
    ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.walk])],
    indirect=True,
)

# UTC-6 all year, so that the hospital's day differs from UTC's.
ZONE = ZoneInfo("America/Mexico_City")

PUBLIC_ADDRESS = "https://consumo.hospital.test"

# Created once, because that is slow.
_PASSWORDS = Argon2Passwords()

REQUEST_ID = "a-request-of-the-tests"

SECRET_KEY = "a key of this test and of no other server"


def exact(answer: Response) -> dict[str, Any]:
    """The JSON with its numbers as exact decimals."""
    return dict(json.loads(answer.content, parse_float=Decimal))


def refused(answer: Response) -> list[tuple[str | None, str]]:
    """Field and code of every error of a 422."""
    assert answer.status_code == 422, answer.text
    return [(error["field"], error["code"]) for error in answer.json()["errors"]]


@dataclass(frozen=True, slots=True)
class Caller:
    """A client of the API; ``headers`` contain the token and the language."""

    client: TestClient[Litestar]
    user_id: int = 0
    staff_id: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Response:
        """Send ``body`` as JSON, or bytes unchanged; ``if_match`` is `If-Match`."""
        sent = dict(self.headers)
        if body is not None:
            sent["Content-Type"] = "application/json"
        if (method, path.rpartition("/")[2]) == ("POST", "late-entries"):
            # Late entries require a key.
            sent["Idempotency-Key"] = secrets.token_hex(8)
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return self.client.request(method, path, content=content, headers=sent)

    def get(self, path: str, **headers: str) -> Response:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Response:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: object = None, **headers: str) -> Response:
        return self.call("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Response:
        return self.call("DELETE", path, **headers)

    def speaking(self, languages: str) -> "Caller":
        """The same caller with an ``Accept-Language``."""
        return replace(self, headers={**self.headers, "Accept-Language": languages})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hospital:
    """Ids of areas, rooms, patients and products; a caller of each role."""

    client: TestClient[Litestar]
    store: SqlStore
    clock: Callable[[], datetime]
    database_url: str
    # Reads the tables; each read is a new transaction.
    engine: Engine
    log: io.StringIO

    nurse: Caller
    colleague: Caller
    newcomer: Caller
    supervisor: Caller
    admin: Caller
    stranger: Caller

    emergency: int
    theatre: int
    room: int
    theatre_room: int
    patient: int
    other_patient: int
    discharged: int
    dressings: int
    tubes: int
    gauze: int
    cannula: int
    retired: int

    numbers: Iterator[int] = field(default_factory=itertools.count)

    def admission(self, **changes: object) -> dict[str, object]:
        """The form for opening a sheet."""
        return {
            "diagnosis": "Apendicitis aguda",
            "doctor": "Dra. Rosa Campos",
            "patient_id": self.patient,
            "room_id": self.room,
            "admission_date": "2026-05-04",
        } | changes

    def open_sheet(self, **changes: object) -> int:
        """Open a sheet; returns its id."""
        answer = self.admin.post(SHEETS, self.admission(**changes))
        assert answer.status_code == 201, answer.text
        return int(answer.json()["id"])

    def close(self, sheet: int) -> None:
        answer = self.admin.delete(f"{SHEETS}/{sheet}/close")
        assert answer.status_code == 200, answer.text

    def closed_sheet(self) -> int:
        """The id of a closed sheet with one detail."""
        sheet = self.open_sheet()
        self.add_detail(sheet)
        self.close(sheet)
        return sheet

    def add_detail(self, sheet: int, *, by: Caller | None = None, **changes: object) -> dict[str, Any]:
        """Record two gauzes; returns the answer."""
        body = {"product_id": self.gauze, "quantity": 2} | changes
        answer = (by or self.admin).post(f"{SHEETS}/{sheet}/consumption-details", body)
        assert answer.status_code == 201, answer.text
        return exact(answer)

    def sheet(self, id: int) -> dict[str, Any]:
        """A sheet as an administrator sees it."""
        return exact(self.admin.get(f"{SHEETS}/{id}"))

    def detail(self, id: int) -> dict[str, Any]:
        """A detail as an administrator sees it."""
        return exact(self.admin.get(f"{DETAILS}/{id}"))

    def email(self, caller: Caller) -> str:
        with self.store.begin() as work:
            user = work.users.get(caller.user_id)
        assert user is not None
        return user.email

    def set_price(self, product_id: int, price: str) -> None:
        with self.store.begin() as work:
            product = work.products.get(product_id)
            assert product is not None
            work.products.save(replace(product, price=Decimal(price)))

    def set_role(self, caller: Caller, role: Role) -> None:
        with self.store.begin() as work:
            user = work.users.get(caller.user_id)
            assert user is not None
            work.users.save(replace(user, role=role))

    def someone(self, role: Role, *, profile: bool = True) -> Caller:
        """A new user with that role, signed in."""
        with self.store.begin() as work:
            return _someone(work, self.client, role, next(self.numbers), self.clock(), profile=profile)

    def sign_in(self, caller: Caller, *, lasts: timedelta = timedelta(days=7), secret_key: str = SECRET_KEY) -> Caller:
        """The same user in another session."""
        with self.store.begin() as work:
            return _signed_in(work, caller, self.clock(), lasts, secret_key)

    def rows(self) -> dict[str, list[Any]]:
        """All rows of all tables; equal before and after if nothing was written.

        Read by the driver, which takes a fifth of the time: most tests compare them twice.
        """
        with closing(self.engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
            found = {}
            for name, key in _TABLES:
                cursor.execute(f"SELECT * FROM {name} ORDER BY {key}")  # noqa: S608
                found[name] = list(cursor.fetchall())
            return found

    def rows_of(self, table: str) -> list[Any]:
        """All rows of a table, with their columns by name."""
        with self.engine.connect() as connection:
            return list(connection.exec_driver_sql(f"SELECT * FROM {table}"))  # noqa: S608


_TABLES = [(table.name, ", ".join(key.name for key in table.primary_key) or "1") for table in metadata.sorted_tables]


def a_key(hospital: Hospital, scopes: Iterable[str], **particulars: object) -> tuple[Caller, dict[str, Any]]:
    """A service account with a key, and the answer that created the key."""
    account = hospital.admin.post(ACCOUNTS, {"name": f"Programa {next(hospital.numbers)}"}).json()
    draft = {"name": "Clave", "scopes": sorted(scopes), **particulars}
    answer = hospital.admin.post(f"{ACCOUNTS}/{account['id']}/keys", draft)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    headers = {"Authorization": f"Bearer {made['secret']}"}
    return Caller(hospital.client, user_id=account["id"], headers=headers), made


def _someone(
    work: UnitOfWork, client: TestClient[Litestar], role: Role, number: int, at: datetime, *, profile: bool
) -> Caller:
    staff = Staff(name="Pilar", first_surname="Ríos", job_title="1")
    if profile:
        work.staff.add(staff)
    email = f"{role.name.lower()}-{number}@hospital.test"
    user = User(email=email, role=role, password_hash=PASSWORD_HASH, staff_id=staff.id or None)
    work.users.add(user)
    return _signed_in(work, Caller(client, user.id, user.staff_id), at)


# Sessions with the same start time are listed by id, so ids increase.
_SESSION_NUMBERS = itertools.count(1)


def _signed_in(
    work: UnitOfWork,
    caller: Caller,
    at: datetime,
    lasts: timedelta = timedelta(days=7),
    secret_key: str = SECRET_KEY,
) -> Caller:
    session = Session(
        id=f"{next(_SESSION_NUMBERS):016x}",
        user_id=caller.user_id,
        expires_at=at + lasts,
        began_at=at,
        used_at=at,
        confirmed_at=at,
    )
    work.sessions.add(session)
    return replace(caller, headers={"Authorization": f"Bearer {JwtTokens(secret_key).issue(session)}"})


# Unused applications and containers, for reuse: building the routes takes longer than everything else.
_IDLE: list[tuple[Litestar, ASGIApp]] = []
_IDLE_CONTAINERS: list[ReusedContainer] = []


@contextmanager
def _container(
    settings: Settings,
    clock: Callable[[], datetime],
    passwords: Passwords | None,
    provider: IdentityProvider,
) -> Iterator[Container]:
    """A reused container without earlier state, or a new one."""
    idle = _IDLE_CONTAINERS.pop() if _IDLE_CONTAINERS else ReusedContainer()
    given = {"settings": settings, "clock": clock, "passwords": passwords or _PASSWORDS, "identity_provider": provider}
    with idle.given(**given) as container:
        try:
            yield container
        finally:
            LETTERS.finish()
            container.mailer().close()
            container.store().close()
    _IDLE_CONTAINERS.append(idle)


@contextmanager
def routes_of_before() -> Iterator[Callable[[], Litestar]]:
    """Gives a router builder that reuses the routes of an earlier application."""
    if _IDLE:
        app, handler = _IDLE.pop()
    else:
        app = build_router()
        handler = app.asgi_handler

    def again() -> Litestar:
        app.state, app.asgi_handler = State(), handler
        return app

    yield again
    _IDLE.append((app, handler))


@contextmanager
def hospital_on(
    database_url: str,
    folder: Path,
    *,
    clock: Callable[[], datetime] = now,
    prices: tuple[str, str] = ("2.50", "0.35"),
    passwords: Passwords | None = None,
    smtp_url: str = "",
    provider: IdentityProvider | None = None,
    **settings: str,
) -> Iterator[Hospital]:
    """The application on a migrated, empty database, with its data.

    ``prices`` are the prices of gauze and cannula. ``provider`` is the hospital's identity provider.
    """
    read = read_settings(
        {
            "CONSUMO_DATABASE_URL": database_url,
            "CONSUMO_SECRET_KEY": SECRET_KEY,
            "CONSUMO_TIME_ZONE": ZONE.key,
            "CONSUMO_CURRENCY": "MXN",
            "CONSUMO_PUBLIC_URL": PUBLIC_ADDRESS,
            "CONSUMO_SMTP_URL": smtp_url,
            "CONSUMO_OIDC_ISSUER": ISSUER,
            "CONSUMO_OIDC_CLIENT_ID": "consumo",
            "CONSUMO_OIDC_NAME": "Hospital San José",
            "CONSUMO_OIDC_LOGOUT": "on",
            **{f"CONSUMO_{name}": value for name, value in settings.items()},
        },
        folder=folder,
    )
    assets = folder / "client" / "assets"
    assets.mkdir(parents=True)
    (assets / "app-1a2b.js").write_text("console.log('¡hola!');\n" * 100)
    (assets.parent / "index.html").write_text("<!doctype html><title>Consumo</title>")
    log = io.StringIO()
    with _container(read, clock, passwords, provider or StubProvider()) as container, routes_of_before() as routes:
        store = container.store()
        with patch("adapters.http.app.build_router", routes):
            app = application(
                container,
                RequestLog("json", log),
                Readiness(store.schema_state, store.try_writing),
                Workers(partial(text_of_all, ProcessMetrics(), {"": container.metrics()}), None).text,
                client=assets.parent,
            )
        # A 5xx is returned as an answer, not raised in the test.
        with TestClient(app, raise_server_exceptions=False) as client:
            # A fixed request id, because a random one would make all answers different.
            client.headers["X-Request-Id"] = REQUEST_ID
            hospital = _furnished(client, store, clock, database_url, prices, log)
            try:
                yield hospital
            finally:
                hospital.engine.dispose()


def _furnished(
    client: TestClient[Litestar],
    store: SqlStore,
    clock: Callable[[], datetime],
    database_url: str,
    prices: tuple[str, str],
    log: io.StringIO,
) -> Hospital:
    with store.begin() as work:
        dressings, tubes = Category(code="CUR-01", name="Curación"), Category(code="SON-02", name="Sondas")
        for category in (dressings, tubes):
            work.categories.add(category)
        emergency, theatre = Area(name="Urgencias"), Area(name="Quirófano")
        for area in (emergency, theatre):
            work.areas.add(area)
        free = RoomStatus.AVAILABLE
        room = Room(name="Urgencias 1", status=free, type=RoomType.SINGLE, area_id=emergency.id)
        theatre_room = Room(name="Sala A", status=RoomStatus.CLEANING, type=RoomType.SINGLE, area_id=theatre.id)
        for each in (room, theatre_room):
            work.rooms.add(each)
        patient = Patient(name="Inés", first_surname="Álvarez", second_surname="Núñez", record_number="HC-0001")
        other_patient = Patient(name="Bruno", first_surname="Zamora", record_number="HC-0002")
        discharged = Patient(name="Carla", first_surname="Mena", active=False)
        for person in (patient, other_patient, discharged):
            work.patients.add(person)
        gauze = Product(name="Gasa estéril", price=Decimal(prices[0]), category_id=dressings.id, code="G-100")
        cannula = Product(
            name="Cánula nasal", price=Decimal(prices[1]), category_id=tubes.id, code="C-7", gtin="4006381333931"
        )
        retired = Product(name="Gasa con yodo", price=Decimal("9.99"), category_id=dressings.id, active=False)
        for product in (gauze, cannula, retired):
            work.products.add(product)
        numbers, at = itertools.count(), clock()
        people = {
            name: _someone(work, client, role, next(numbers), at, profile=profile)
            for name, role, profile in (
                ("nurse", Role.USER, True),
                ("colleague", Role.USER, True),
                ("newcomer", Role.USER, False),
                ("supervisor", Role.SUPERVISOR, True),
                ("admin", Role.ADMIN, False),
            )
        }
    return Hospital(
        client=client,
        store=store,
        clock=clock,
        database_url=database_url,
        engine=create_engine(to_url(database_url), isolation_level="AUTOCOMMIT"),
        log=log,
        **people,
        stranger=Caller(client),
        emergency=emergency.id,
        theatre=theatre.id,
        room=room.id,
        theatre_room=theatre_room.id,
        patient=patient.id,
        other_patient=other_patient.id,
        discharged=discharged.id,
        dressings=dressings.id,
        tubes=tubes.id,
        gauze=gauze.id,
        cannula=cannula.id,
        retired=retired.id,
        numbers=numbers,
    )


async def ask(
    hospital: Hospital,
    path: str,
    *headers: tuple[bytes, bytes],
    address: str = "192.0.2.7",
    hear: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """GET a path through ASGI, from that address; ``hear`` gets each message."""
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000"), *headers],
        "client": (address, 4711),
        "server": ("127.0.0.1", 8000),
        "http_version": "1.1",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "extensions": {},
    }
    parts: list[dict[str, Any]] = []
    requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

    over = asyncio.Event()

    async def receive() -> Any:
        if said := next(requests, None):
            return said
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        parts.append(dict(message))
        hear(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            over.set()

    with suppress(LitestarException):
        await hospital.client.app(cast("Scope", scope), receive, send)
    return parts
