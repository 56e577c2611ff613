"""The benchmark's hand-written baseline gives our answers, and writes the same."""

import asyncio
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, insert, select, update

from adapters.sql.audit.tables import noted_looks
from adapters.sql.catalogue.tables import product_pictures, products
from adapters.sql.engine.columns import metadata
from adapters.sql.people.tables import patients
from adapters.sql.sheets.tables import details, sheets, unlisted_items
from domain.common.errors import Code
from domain.common.policy import Role
from tests.builders import SettableClock
from tests.http.hospital import SECRET_KEY, hospital_on
from tools.benchmarks import baseline
from tools.benchmarks.hot_calls import (
    add_a_detail,
    answers_alike,
    compare_answers,
    list_details,
    list_open_sheets,
    search,
)
from tools.benchmarks.servers import Request
from tools.benchmarks.ward import Furnished, furnish

ON_BOTH_DATABASES = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)], indirect=True
)
# Of what both write, these columns identify a row or a request, or have either's own form.
_OWN = {"id", "entity_id", "key", "fingerprint", "answer", "changes", "entry_digest"}


@dataclass(frozen=True, slots=True)
class Both:
    """Consumo and the baseline on one database."""

    ward: Furnished
    engine: Engine
    ours: Callable[[Request], bytes]
    by_hand: Callable[[Request], bytes]


@pytest.fixture
def both(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    clock = SettableClock(datetime.now(UTC))
    monkeypatch.setenv("CONSUMO_DATABASE_URL", database)
    monkeypatch.setenv("CONSUMO_SECRET_KEY", SECRET_KEY)
    by_hand = importlib.reload(baseline)
    monkeypatch.setattr(by_hand, "now", clock)
    with hospital_on(database, tmp_path, clock=clock, TIME_ZONE="UTC") as hospital:
        ward = furnish(hospital.store, SECRET_KEY, Role.USER, every=37, sheets=20)
        ward = replace(ward, unread=iter(ward.open[10:]), open=ward.open[:10])
        fill_every_field(hospital.engine, ward)
        # A plain product is recorded, without questions.
        ward = replace(ward, products=ward.products[4:])

        def headers_of(request: Request) -> dict[str, str]:
            return {"Authorization": f"Bearer {ward.token}", "Accept-Encoding": "gzip", **request.headers}

        def ours(request: Request) -> bytes:
            return answered(
                request,
                hospital.client.request(request.method, request.path, json=request.body, headers=headers_of(request)),
            )

        async def send(request: Request) -> httpx.Response:
            transport = httpx.ASGITransport(app=by_hand.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://baseline") as client:
                return await client.request(
                    request.method, request.path, json=request.body, headers=headers_of(request)
                )

        yield Both(ward, hospital.engine, ours, lambda request: answered(request, asyncio.run(send(request))))


def answered(request: Request, answer: httpx.Response) -> bytes:
    assert answer.status_code == request.status, answer.text
    return answer.content


def fill_every_field(engine: Engine, ward: Furnished) -> None:
    """Give a line, a product, a sheet and a patient what few have."""
    first = ward.products[0]
    with engine.begin() as connection:
        lines = connection.execute(
            select(details.c.id, details.c.product_id)
            .where(details.c.sheet_id == ward.full[0])
            .order_by(details.c.id)
            .limit(2)
        ).all()
        moment, day = datetime(2026, 2, 3, 4, 5, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC).date()
        whole: dict[str, Any] = {
            "occurred_at": moment,
            "acknowledged": f"{Code.QUANTITY_FAR_OUT} {Code.LOT_EXPIRED}",
            "recall_reason": "No hay otro",
            "implant_reason": "Sin caja",
            "gtin": "04006381333931",
            "lot": "L-1",
            "expiry": day,
            "serial": "S-1",
            "returned": Decimal(1),
            "corrected_from": Decimal(3),
        }
        connection.execute(update(details).where(details.c.id == lines[0].id).values(whole))
        connection.execute(update(details).where(details.c.id == lines[1].id).values(voided_at=moment))
        for product_id, values in (
            (lines[0].product_id, {"code": "G-1", "code_key": "g-1", "code_folded": "g1", "implant": True}),
            (first + 1, {"code": "M-DE-3", "code_key": "m-de-3", "code_folded": "mde3", "gtin": "7501055363278"}),
            (first + 2, {"also_called": ("Bolsa de agua",), "also_called_folded": "bolsa de agua", "unit": "caja"}),
            (first + 3, {"asks_lot": True, "asks_serial": True, "implant": True, "active": False, "decimals": 0}),
        ):
            connection.execute(update(products).where(products.c.id == product_id).values(values))
        picture = {"digest": "d", "media_type": "image/webp", "width": 1, "height": 1, "at": moment, "content": b""}
        connection.execute(insert(product_pictures).values(product_id=first, **picture))
        this = sheets.c.id == ward.open[0]
        [(patient_id, room_id)] = connection.execute(select(sheets.c.patient_id, sheets.c.room_id).where(this))
        proposals = {"discharge_proposed_at": moment, "admission_cancelled_at": moment, "visit_number": "V-1"}
        connection.execute(update(sheets).where(this).values(proposals))
        named = {"record_number": "HC-1", "date_of_birth": day, "unidentified_number": 1}
        connection.execute(update(patients).where(patients.c.id == patient_id).values(named))
        unlisted = {
            "description": "Faja",
            "quantity": Decimal(1),
            "occurred_at": moment,
            "created_at": moment,
            "state": "open",
        }
        [user_id] = connection.execute(select(details.c.user_id).limit(1)).scalars()
        of_sheet = {"sheet_id": ward.open[0], "room_id": room_id, "user_id": user_id}
        connection.execute(insert(unlisted_items).values(**of_sheet, **unlisted))


def rows(engine: Engine) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return all rows by table and key."""
    with engine.connect() as connection:
        return {
            (table.name, *(row[key.name] for key in table.primary_key)): dict(row)
            for table in metadata.sorted_tables
            for row in connection.execute(select(table)).mappings()
        }


def written(engine: Engine, call: Callable[[Request], bytes], request: Request) -> list[tuple[str, dict[str, Any]]]:
    """Return what the request writes, except when the session was last used.

    Of a changed row it is the difference.
    """
    before = rows(engine)
    call(request)
    found = []
    for key, row in rows(engine).items():
        old = before.get(key)
        if old is None:
            found.append((key[0], {name: value for name, value in row.items() if name not in _OWN}))
        elif row != old and key[0] != "sessions":
            found.append((key[0], {name: value - old[name] for name, value in row.items() if value != old[name]}))
    return found


@ON_BOTH_DATABASES
def test_the_baseline_gives_our_answers(both: Both) -> None:
    answers_alike(both.ward, both.ours, both.by_hand)
    for text in ("C-7", "g-1", "7501055363278", "4006381333931", "bolsa de agua", "de-3"):
        compare_answers(search(text), both.ours, both.by_hand)


@ON_BOTH_DATABASES
def test_the_baseline_writes_what_we_write(both: Both) -> None:
    read = list_details(both.ward.open[0])
    for asked in (read, read, list_open_sheets(both.ward), add_a_detail(both.ward)):
        by_us = written(both.engine, both.ours, asked)
        with both.engine.begin() as connection:
            # Otherwise the baseline finds that we have logged it.
            connection.execute(noted_looks.delete())
        assert by_us == written(both.engine, both.by_hand, replace(asked, headers={"Idempotency-Key": "b" * 32}))
