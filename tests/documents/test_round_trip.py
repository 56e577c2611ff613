"""Every list that can be exported and imported: another installation gets all fields."""

from dataclasses import fields
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from adapters.documents.lists import LISTS, Export, Form
from adapters.hospital.profile import HospitalProfile
from application.common.entities import AREA, PATIENT, PRODUCT, ROOM, STAFF
from application.imports.reading.columns import IMPORTABLE
from application.imports.reading.fields import Noun
from domain.catalogue.area import Area
from domain.catalogue.product import Category, Product
from domain.catalogue.room import Room, RoomStatus, RoomType
from domain.people.patient import Patient
from domain.people.staff import Staff
from tests.builders import ZONE, Ward, a_ward
from tests.imports.importing import brought_in

# A record of each noun, with another value than the default in each field. References come with it.
RECORDS: dict[Noun, Any] = {
    Noun.AREAS: Area(name="Pediatría", code="PED"),
    Noun.ROOMS: Room(
        name="Cuna 3", code="PED^C3", area_id=0, status=RoomStatus.CLEANING, type=RoomType.SHARED
    ),
    Noun.PATIENTS: Patient(
        name="Lucía", first_surname="Arce", second_surname="Núñez", record_number="0090234",
        date_of_birth=date(1980, 2, 3), active=False,
    ),
    Noun.STAFF: Staff(
        name="Eva", first_surname="Toral", second_surname="Vives", telephone_number="0991234567",
        job_title="Enfermera", date_of_birth=date(1990, 5, 6),
    ),
    Noun.PRODUCTS: Product(
        name="Catéter", price=Decimal("12.50"), code="00.5", gtin="4006381333931", unit="caja", active=False,
        decimals=1, asks_lot=True, asks_serial=True, implant=True, included_in_stay=True,
        also_called=("Yelco", "Abbo-cath"), plain_name="Tubo fino", category_id=0,
    ),
}  # fmt: skip
KINDS = {Noun.AREAS: AREA, Noun.ROOMS: ROOM, Noun.PATIENTS: PATIENT, Noun.STAFF: STAFF, Noun.PRODUCTS: PRODUCT}
# Another installation has its own ids, messages and merges.
OWN = {
    "id",
    "area_id",
    "category_id",
    "external_record",
    "merged_into",
    "merged_at",
    "merged_by",
    "unidentified_number",
}


def exported_fields(record: Any) -> dict[str, Any]:
    """Return the fields that a file should have."""
    return {one.name: getattr(record, one.name) for one in fields(record) if one.name not in OWN}


def store(where: Ward, noun: Noun) -> None:
    """Store the record and what it refers to."""
    record = RECORDS[noun]
    record.id = 0
    with where.store.begin() as work:
        if noun is Noun.ROOMS:
            work.areas.add(area := Area(name="Pediatría"))
            record.area_id = area.id
        if noun is Noun.PRODUCTS:
            work.categories.add(category := Category(code="CAT-9", name="Accesos"))
            record.category_id = category.id
        KINDS[noun].store_of(work).add(record)


def export(where: Ward, noun: Noun, file: Path, language: str | None) -> None:
    exported = LISTS[noun.value]
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    how = Export(
        use_cases=where.use_cases, actor=where.admin, query=exported.query(), language=language or "es",
        hospital=hospital,
    )  # fmt: skip
    if file.suffix == ".csv":
        file.write_text("".join(exported.csv(how, language)), encoding="utf-8", newline="")
    else:
        with exported.file(Form.XLSX, how) as written:
            file.write_bytes(written.read())


def test_every_noun_that_has_both_is_tried() -> None:
    # Users are invited, and the report of consumption is no list of lines.
    both = {noun for noun in IMPORTABLE if noun.value in LISTS}
    assert set(RECORDS) == both - {Noun.USERS, Noun.CONSUMPTION}


@pytest.mark.parametrize("noun", RECORDS)
def test_each_field_of_the_record_has_a_value(noun: Noun) -> None:
    defaults = {one.name: one.default for one in fields(RECORDS[noun])}
    assert [name for name, value in exported_fields(RECORDS[noun]).items() if value == defaults[name]] == []


@pytest.mark.parametrize("name", ["list.csv", "list.xlsx"])
@pytest.mark.parametrize("language", [None, "es", "en"])
@pytest.mark.parametrize("noun", RECORDS)
def test_an_exported_record_is_imported_whole(
    ward: Ward, tmp_path: Path, noun: Noun, language: str | None, name: str
) -> None:
    store(ward, noun)
    export(ward, noun, tmp_path / name, language)
    other = a_ward()
    if noun is Noun.ROOMS:
        with other.store.begin() as work:
            work.areas.add(Area(name="Pediatría"))
    brought_in(other, tmp_path / name, noun)
    kind = KINDS[noun]
    [(by, key)] = list(kind.keys.items())[:1]
    with other.store.begin() as work:
        [imported] = kind.store_of(work).find_many(by, [key(RECORDS[noun])])
    assert exported_fields(imported) == exported_fields(RECORDS[noun])
