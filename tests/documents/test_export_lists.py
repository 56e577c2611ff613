"""Exported lists are imported unchanged, in the same or another hospital."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.documents.lists import LISTS, Export, Form
from adapters.hospital.profile import HospitalProfile
from application.catalogue.areas import AreaDraft
from application.catalogue.rooms import RoomDraft
from application.imports.reading.fields import Noun
from tests.builders import ZONE, Ward, a_ward
from tests.imports.importing import brought_in, file_of

TEXTS = ["+SUM(1)", "=1+1", "-2", "@x", "'=ya", "''+dos", "'a'", "0012", "1E5", "TRUE", "1.50", "<r>x</r>", "ñ 漢字"]
LISTED = [noun for noun in Noun if noun not in (Noun.PRODUCTS, Noun.CONSUMPTION, Noun.HANDED_OUT)]


def fill(ward: Ward) -> None:
    for number, text in enumerate(TEXTS):
        area = ward.use_cases.areas.create(ward.admin, AreaDraft(name=text, code=text))
        room = RoomDraft(name=text, status=1 + number % 4, type=1 + number % 3, area_id=area.id, code=text)
        ward.use_cases.rooms.create(ward.admin, room)
        name: Any = {"first_surname": text, "second_surname": text, "date_of_birth": date(1910 + number, 1, 2)}
        ward.patient(text, record_number=text, active=number % 2, **name)
        ward.staff(text, telephone_number="+52 55 5555", job_title=text, **name)


def of_list(ward: Ward, noun: Noun, language: str) -> Export[Any]:
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    query = LISTS[noun.value].query()
    return Export(use_cases=ward.use_cases, actor=ward.admin, query=query, language=language, hospital=hospital)


def taken_out(ward: Ward, noun: Noun, file: Path, language: str) -> Path:
    listed, export = LISTS[noun.value], of_list(ward, noun, language)
    if file.suffix == ".csv":
        return file_of(file.parent, "".join(listed.csv(export, language)), name=file.name)
    with listed.file(Form.XLSX, export) as written:
        file.write_bytes(written.read())
    return file


def reported(ward: Ward, noun: Noun) -> list[dict[str, Any]]:
    """All items of a list, without ids that differ between hospitals."""
    export = of_list(ward, noun, "es")
    items = LISTS[noun.value].source(export).iterate(ward.admin, export.query)
    bare = [
        {field: value for field, value in item.items() if field not in ("id", "area_id", "user_id", "sheets")}
        for item in items
    ]
    for item in bare:
        if "area" in item:
            item["area"] = item["area"]["name"]
    return sorted(bare, key=str)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("noun", LISTED)
def test_an_exported_list_is_imported_unchanged(tmp_path: Path, noun: Noun, form: str, language: str) -> None:
    ward, other = a_ward(), a_ward()
    fill(ward)
    file = taken_out(ward, noun, tmp_path / f"list.{form}", language)
    before = reported(ward, noun)
    again = brought_in(ward, file, noun)
    assert (again.report.created, again.report.changed, again.report.refused) == (0, 0, 0), again.refusals
    assert reported(ward, noun) == before
    there = brought_in(other, file, noun)
    assert (there.report.changed, there.report.refused) == (0, 0), there.refusals
    assert reported(other, noun) == before
