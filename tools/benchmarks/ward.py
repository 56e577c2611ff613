"""Data for the hot calls: 50,000 products, 300 open sheets, a session.

Some sheets have a hundred details.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice, product

from adapters.security.tokens import JwtTokens
from adapters.sql.store import SqlStore
from application.accounts.ports.identity import Session
from domain.accounts.user import User
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.common.policy import Actor, Role
from domain.people.patient import Patient
from domain.people.staff import Staff
from domain.sheets.sheet import PatientSheet, Usage

NOW = datetime(2026, 11, 20, 15, tzinfo=UTC)
PRODUCTS = 50_000
OPEN_SHEETS = 300
DETAILS = 100

_THINGS = "Gasa,Cánula,Sonda,Catéter,Jeringa,Guante,Aguja,Venda,Apósito,Sutura,Mascarilla,Electrodo,Llave,Tubo,Bolsa"
_KINDS = (
    "estéril,no estéril,pediátrico,neonatal,quirúrgico,de látex,de nitrilo,de silicón,desechable,reutilizable,"
    "de algodón,con balón,sin balón,de dos vías,de tres vías,radiopaco,adhesivo,elástico,impermeable,hidrofílico"
)


@dataclass(frozen=True, slots=True)
class Furnished:
    """The ids that the calls use, and the token of the signed-in user.

    ``full`` are sheets with a hundred details, ``unread`` yields more of them. Details are added to those in ``open``.
    """

    token: str
    full: Sequence[int]
    open: Sequence[int]
    products: range
    area_id: int
    unread: Iterator[int] = field(default_factory=lambda: iter(()))


def names(every: int = 1) -> Iterator[str]:
    """Yield 50,000 product names that share their words, or some of them."""
    sizes = (f"{size} × {length}" for size in range(1, 18) for length in range(1, 11))
    return islice(
        (f"{thing} {kind} {size}" for thing, kind, size in product(_THINGS.split(","), _KINDS.split(","), sizes)),
        0,
        PRODUCTS,
        every,
    )


def furnish(
    store: SqlStore,
    secret_key: str,
    role: Role = Role.SUPERVISOR,
    *,
    every: int = 1,
    sheets: int = OPEN_SHEETS,
    now: datetime = NOW,
) -> Furnished:
    """Add the data to a database; the signed-in user has that role.

    ``every`` is which of the products are added: all, or every tenth. ``now`` is the time of the last lines.
    """
    marked = secrets.token_hex(3)
    with store.begin() as work:
        areas = [Area(name=f"Área {marked} {number}") for number in range(10)]
        for area in areas:
            work.areas.add(area)
        categories = [
            Category(code=f"{marked}-{number:02}", name=f"Material de curación {number}") for number in range(40)
        ]
        for category in categories:
            work.categories.add(category)
        named = [*names(every)]
        ids = work.products.reserve(len(named))
        products = [
            Product(id=this, name=name, price=Decimal(1 + number % 5_000) / 100, category_id=categories[number % 40].id)
            for number, (this, name) in enumerate(zip(ids, named, strict=True))
        ]
        work.products.add_all(products)
        person = Staff(name="Lucía", first_surname="Gómez", second_surname="Paz", job_title="1")
        work.staff.add(person)
        user = User(email=f"{marked}@consumo.test", role=role, password_hash=None, staff_id=person.id)
        work.users.add(user)
        actor = Actor(user_id=user.id, role=user.role, staff_id=person.id)
        free = RoomStatus.AVAILABLE
        sheet_ids = []
        for number in range(sheets):
            room = Room(name=f"Cama {number}", status=free, type=RoomType.SINGLE, area_id=areas[number % 10].id)
            work.rooms.add(room)
            patient = Patient(name="Ana María", first_surname=f"Ríos {number}", second_surname="Vega")
            work.patients.add(patient)
            lines = DETAILS if number == 0 else 6
            sheet = PatientSheet(
                patient_id=patient.id,
                room_id=room.id,
                admission_date=(now - timedelta(hours=7 * lines, days=number % 9)).date(),
                diagnosis="Neumonía adquirida en la comunidad",
                doctor="Dra. Rosa Campos",
            )
            work.sheets.add(sheet)
            sheet_ids.append(sheet.id)
            for line in range(lines):
                at = now - timedelta(hours=7 * line)
                usage = Usage(
                    product=products[(number * 611 + line * 53) % len(products)],
                    quantity=Decimal(1 + line % 4),
                    day=at.date(),
                    staff_id=person.id,
                    area_id=areas[line % 10].id,
                )
                detail = sheet.record(usage, by=actor, at=at)
                work.details.add(detail)
            work.sheets.save(sheet)
        session = Session(
            id=secrets.token_hex(16),
            user_id=user.id,
            expires_at=datetime.now(UTC) + timedelta(days=1),
            used_at=datetime.now(UTC),
        )
        work.sessions.add(session)
    return Furnished(
        token=JwtTokens(secret_key).issue(session),
        full=sheet_ids[:1],
        open=sheet_ids[1:],
        products=range(ids[0], ids[-1] + 1),
        area_id=areas[0].id,
    )
