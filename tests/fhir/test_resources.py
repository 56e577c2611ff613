"""FHIR resources of the demonstration data and of random data are valid."""

import random
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters.fhir.bundle import bundle, capability_statement, operation_outcome
from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import SearchContext
from adapters.fhir.resource_types import PARAMETERS, TYPES
from adapters.fhir.resources import deleted
from adapters.fhir.search import search
from adapters.settings.read_settings import read_settings
from adapters.wiring.container import Container
from application.closing.reopen_sheet import ReopenDraft
from application.people.merge_patients import MergeDraft
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.errors import Refused
from domain.common.policy import Actor, Role
from tests.builders import NOON, ZONE, Ward, a_ward
from tests.fhir.oracles import faults, search_parameters
from tests.hl7.messages import Post, adt
from tests.walk import WALKS_ALL

BASE = "https://consumo.hospital.example/fhir/R4"
ADMIN = Actor(user_id=1, role=Role.ADMIN, staff_id=None)


def everything(context: SearchContext) -> Iterator[Resource]:
    """All resources of all types, page by page."""
    for kind in TYPES:
        cursor = None
        while True:
            found = search(context, kind, [], count=100, cursor=cursor)
            yield from found.resources
            cursor = found.following
            if cursor is None:
                break


@pytest.fixture
def demonstration(demo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchContext]:
    """The demonstration data."""
    shutil.copy(demo_file, tmp_path / "demo.db")
    monkeypatch.setenv("CONSUMO_DATABASE_URL", f"sqlite:///{tmp_path / 'demo.db'}")
    settings = read_settings()
    container = Container(settings=settings)
    yield SearchContext(container.use_cases(), ADMIN, "USD", ZoneInfo("UTC"))
    container.store().close()


def test_the_demonstration_data_is_valid_fhir(demonstration: SearchContext) -> None:
    reported = list(everything(demonstration))
    kinds = {one["resourceType"] for one in reported}
    assert kinds == set(TYPES)
    assert len(reported) > 500
    assert faults(reported) == []
    for invoice in (one for one in reported if one["resourceType"] == "Invoice"):
        parts = [part for line in invoice.get("lineItem", []) for part in line["priceComponent"]]
        assert sum(part["factor"] * part["amount"]["value"] for part in parts) == invoice["totalGross"]["value"]


def a_pack(chance: random.Random) -> dict[str, Any]:
    """Random data of a pack."""
    return {
        "gtin": chance.choice([None, "07501031311309"]),
        "lot": chance.choice([None, "L-7/ñ"]),
        "expiry": chance.choice([None, date(2092, 5, 31)]),
        "serial": chance.choice([None, f"S-{chance.random()}"]),
    }


def at_work(ward: Ward, chance: random.Random, sheets: int) -> None:
    """Random work on that many sheets."""
    products = [ward.product(f"Producto «{n}» & <b>", price) for n, price in enumerate(("0.01", "0.33", "999999.99"))]
    patients = [
        ward.patient("Luz María", "O'Higgins", second_surname="Ñúñez", record_number=f"E|{n}^") for n in range(6)
    ]
    # A newborn without a given name.
    Post(ward).send(adt("A28", name="RN de Paz^", visit=None))
    for _ in range(sheets):
        sheet = ward.sheet(patient_id=chance.choice(patients).id)["id"]
        for _ in range(chance.randrange(4)):
            pack = a_pack(chance)
            quantity = "1" if pack["serial"] else str(Decimal(chance.randrange(1, 5000)) / 1000)
            line = ward.detail(sheet, quantity, product_id=chance.choice(products).id, **pack)["id"]
            ward.clock.now += timedelta(minutes=7)
            match chance.randrange(5):
                case 0:
                    ward.use_cases.details.void(ward.admin, line, VoidDraft(reason="Otro paciente"))
                case 1:
                    returned = ReturnDraft(quantity=Decimal(quantity), reason="unused")
                    try:
                        ward.use_cases.details.return_part(ward.supervisor, line, returned)
                    except Refused:
                        continue
        if chance.random() < 0.7:
            ward.use_cases.sheets.close(ward.admin, sheet)
        if chance.random() < 0.3:
            try:
                ward.use_cases.sheets.reopen(ward.admin, sheet, ReopenDraft(reason="Faltaba uno"))
            except Refused:
                continue
    merged = MergeDraft(into_id=patients[1].id, reason="La misma persona")
    ward.use_cases.patients.merge(ward.admin, patients[0].id, merged)


@pytest.mark.parametrize("seed", range(5 if WALKS_ALL else 1))
def test_random_data_is_valid_fhir(seed: int) -> None:
    ward = a_ward()
    at_work(ward, random.Random(seed), sheets=20)
    reported = list(everything(SearchContext(ward.use_cases, ward.admin, "MXN", ZONE)))
    assert faults(reported) == []
    for invoice in (one for one in reported if one["resourceType"] == "Invoice"):
        parts = [part for line in invoice.get("lineItem", []) for part in line["priceComponent"]]
        added = sum((part["factor"] * part["amount"]["value"] for part in parts), Decimal(0))
        assert added == invoice["totalGross"]["value"]
    # The same resources without amounts, for a user who can't see prices.
    unpriced = [one for kind in set(TYPES) - {"Invoice", "AuditEvent"} for one in of_kind(ward, kind)]
    assert faults(unpriced) == []
    assert "value" not in str([one.get("priceOverride") for one in unpriced])


def of_kind(ward: Ward, kind: str) -> list[Resource]:
    return search(SearchContext(ward.use_cases, ward.nurse, "MXN", ZONE), kind, [], count=100, cursor=None).resources


def test_deleted_resources_are_valid_fhir() -> None:
    # Entries of the audit log are never deleted.
    assert faults([deleted(kind, "line-1", NOON) for kind in set(TYPES) - {"AuditEvent"}]) == []


def test_bundles_outcomes_and_capabilities_are_valid_fhir() -> None:
    patients = of_kind(a_ward(), "Patient")
    page = bundle(BASE, "Patient", [("family", "Ríos & Co"), ("_count", "1")], patients, total=9, following="0.1")
    empty = bundle(BASE, "Patient", [], [], total=0)
    outcomes = [operation_outcome(status, "x", "No.") for status in (400, 401, 403, 404, 405, 406, 409, 413, 422, 429)]
    outcomes += [operation_outcome(status, "x", "No.") for status in (408, 415, 500, 503, 507)]
    assert faults([page, empty, capability_statement(BASE, "1.0.0"), *outcomes]) == []


@pytest.mark.parametrize("kind", TYPES)
def test_each_search_parameter_is_standard(kind: str) -> None:
    standard = {**search_parameters()["Resource"], **search_parameters()[kind]}
    ours = {name: of_type for name, (of_type, _) in PARAMETERS[kind].items()}
    assert {name: standard.get(name) for name in ours} == ours
