"""Importing consumption that another system recorded, from folders as Synthea writes them."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import pytest

from adapters.batch.consumption import import_consumption, open_folder
from adapters.batch.report import Report
from adapters.batch.tables import UnusableFile
from application.views import DetailQuery, DetailView, PatientQuery, SheetQuery, SheetView
from domain.policy import Actor
from domain.refusal import Forbidden
from tests.batch.catalogue import products, refusals, told
from tests.builders import Ward

PATIENTS = ["p1,1980-02-03,Ana,Ruiz", "p2,,Luis,Gil"]
ENCOUNTERS = [
    "e1,2026-03-01T22:30:00Z,2026-03-05T10:00:00Z,p1,d1,Hospital admission,Neumonía",
    "e2,2026-04-01T08:00:00Z,,p2,d1,Urgencia,",
]
PROVIDERS = ["d1,Dra. Vega"]
SUPPLIES = [
    "2026-03-01,p1,e1,G-1,Gasa,2",
    "2026-03-02,p1,e1,G-1,Gasa,3",
    "2026-03-04,p1,e1,V-2,Venda,1.5",
    "2026-04-01,p2,e2,V-2,Venda,4",
]


def folder_of(
    folder: Path,
    *,
    patients: Iterable[str] = PATIENTS,
    encounters: Iterable[str] = ENCOUNTERS,
    providers: Iterable[str] = PROVIDERS,
    supplies: Iterable[str] = SUPPLIES,
) -> Path:
    for name, header, rows in (
        ("patients", "Id,BIRTHDATE,FIRST,LAST", patients),
        ("encounters", "Id,START,STOP,PATIENT,PROVIDER,DESCRIPTION,REASONDESCRIPTION", encounters),
        ("providers", "Id,NAME", providers),
        ("supplies", "DATE,PATIENT,ENCOUNTER,CODE,DESCRIPTION,QUANTITY", supplies),
    ):
        (folder / f"{name}.csv").write_text("\n".join([header, *rows]) + "\n")
    return folder


def brought_in(ward: Ward, folder: Path, *, actor: Actor | None = None) -> Report:
    files, begin = open_folder(folder), ward.store.begin
    return import_consumption(ward.use_cases, begin, actor or ward.admin, files, advance=lambda _: None)


def sheets(ward: Ward, *, closed: bool) -> list[SheetView]:
    return ward.use_cases.sheets.page(ward.admin, SheetQuery(closed=closed, limit=100))["items"]


def details(ward: Ward, sheet: SheetView) -> list[DetailView]:
    """The oldest first."""
    query = DetailQuery(consumption_sheet_id=sheet["id"], limit=100)
    return ward.use_cases.details.page(ward.admin, query)["items"][::-1]


def test_an_encounter_that_ended_is_a_closed_sheet(ward: Ward, tmp_path: Path) -> None:
    report = brought_in(ward, folder_of(tmp_path))
    assert told(report) == (4, 0, 0, 0)
    (sheet,) = sheets(ward, closed=True)
    assert (sheet["diagnosis"], sheet["doctor"]) == ("Neumonía", "Dra. Vega")
    assert (sheet["patient"]["name"], sheet["patient"]["first_surname"]) == ("Ana", "Ruiz")
    assert str(sheet["admission_date"]) == "2026-03-01"
    assert str(sheet["deleted_at"]) == "2026-03-05 10:00:00+00:00"
    assert [(d["product"]["name"], str(d["quantity"]), str(d["created_at"])) for d in details(ward, sheet)] == [
        ("Gasa", "2.000", "2026-03-01 22:30:00+00:00"),
        ("Gasa", "3.000", "2026-03-02 22:30:00+00:00"),
        ("Venda", "1.500", "2026-03-04 22:30:00+00:00"),
    ]


def test_an_encounter_without_an_end_is_an_open_sheet(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path))
    (sheet,) = sheets(ward, closed=False)
    assert (sheet["diagnosis"], sheet["patient"]["name"], sheet["closed"]) == ("Urgencia", "Luis", False)


def test_a_sheet_does_not_close_before_its_last_detail(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path, supplies=["2026-03-09,p1,e1,G-1,Gasa,2"]))
    (sheet,) = sheets(ward, closed=True)
    assert str(sheet["deleted_at"]) == "2026-03-09 22:30:00+00:00"


def test_new_products_have_no_price_and_known_ones_have_theirs(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa de aquí", "2.50", code="g-1")
    brought_in(ward, folder_of(tmp_path))
    (sheet,) = sheets(ward, closed=True)
    assert [str(detail["unit_price"]) for detail in details(ward, sheet)] == ["2.50", "2.50", "0.00"]
    assert sheet["total"] == Decimal("12.50")
    assert set(products(ward)) == {"g-1", "V-2"}


def test_the_same_folder_again_changes_nothing(ward: Ward, tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    brought_in(ward, folder)
    before = sheets(ward, closed=True), sheets(ward, closed=False), products(ward)
    assert told(brought_in(ward, folder)) == (0, 0, 4, 0)
    assert (sheets(ward, closed=True), sheets(ward, closed=False), products(ward)) == before
    assert ward.use_cases.patients.page(ward.admin, PatientQuery(q="Ruiz"))["meta"]["total"] == 1


def test_it_is_known_again_however_many_sheets_a_patient_has(ward: Ward, tmp_path: Path) -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 21)]
    folder = folder_of(
        tmp_path,
        encounters=[f"e{day},{day}T08:00:00Z,{day}T09:00:00Z,p1,d1,Diálisis," for day in days],
        supplies=[f"{day},p1,e{day},G-1,Gasa,1" for day in days],
    )
    assert told(brought_in(ward, folder)) == (120, 0, 0, 0)
    assert told(brought_in(ward, folder)) == (0, 0, 120, 0)


def test_a_refused_row_leaves_the_sheet_open_for_a_person_to_complete(ward: Ward, tmp_path: Path) -> None:
    supplies = [
        "2026-03-01,p1,e1,G-1,Gasa,2",
        "2026-03-01,p1,e1,G-1,Gasa,-1",
        "2026-03-01,p1,e1,G-1,Gasa,muchas",
        "2026-03-01,p1,e1,G-1,Gasa,",
        "2026-03-01,p1,e1,,Gasa,1",
        "2026-03-01,p1,e1,X-1,,1",
        "01/03/2026,p1,e1,G-1,Gasa,1",
        "2026-03-02,p1,e1,G-1,Gasa,0.0001",
    ]
    report = brought_in(ward, folder_of(tmp_path, supplies=supplies))
    assert refusals(report) == {
        3: [("quantity", "negative")],
        4: [("quantity", "number.expected")],
        5: [("quantity", "required")],
        6: [("code", "required")],
        7: [("name", "required")],
        8: [("created_at", "date.expected")],
        9: [("quantity", "quantity.too_fine")],
    }
    assert sheets(ward, closed=True) == []
    (sheet,) = sheets(ward, closed=False)
    assert [str(detail["quantity"]) for detail in details(ward, sheet)] == ["2.000"]


@pytest.mark.parametrize(
    ("encounter", "patient", "reason"),
    [
        ("e1,yesterday,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,2026-03-01T22:30:00,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,0001-01-01T00:00:00+14:00,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,tomorrow,p1,d1,A,", PATIENTS[0], ("deleted_at", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,2026-03-02T22:30:00,p1,d1,A,", PATIENTS[0], ("deleted_at", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,1980,Ana,Ruiz", ("date_of_birth", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,2999-01-01,Ana,Ruiz", ("date_of_birth", "date.in_future")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,1980-01-01,,Ruiz", ("name", "required")),
        ("e1,2026-03-01T22:30:00Z,,p9,d1,A,", PATIENTS[0], ("consumption_sheet_id", "reference.unknown")),
        ("e9,2026-03-01T22:30:00Z,,p1,d1,A,", PATIENTS[0], ("consumption_sheet_id", "reference.unknown")),
    ],
)
def test_of_an_encounter_that_cannot_be_taken_nothing_is_kept(
    ward: Ward, tmp_path: Path, encounter: str, patient: str, reason: tuple[str, str]
) -> None:
    supplies = ["2026-03-01,p1,e1,G-1,Gasa,2", "2026-04-01,p2,e2,V-2,Venda,4", "2026-03-02,p1,e1,G-1,Gasa,3"]
    folder = folder_of(
        tmp_path, patients=[patient, PATIENTS[1]], encounters=[encounter, ENCOUNTERS[1]], supplies=supplies
    )
    report = brought_in(ward, folder)
    assert refusals(report) == {2: [reason], 4: [reason]}
    assert report.created == 1
    assert [sheet["patient"]["name"] for sheet in sheets(ward, closed=False)] == ["Luis"]
    assert sheets(ward, closed=True) == []
    assert ward.use_cases.patients.page(ward.admin, PatientQuery(q="Ruiz"))["items"] == []


def test_an_unknown_provider_leaves_the_doctor_empty(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path, providers=[]))
    assert sheets(ward, closed=True)[0]["doctor"] == ""


def test_a_folder_that_lacks_a_file_or_a_column_is_told(ward: Ward, tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match=r"gone/patients\.csv: No such file"):
        brought_in(ward, tmp_path / "gone")
    folder = folder_of(tmp_path)
    (folder / "supplies.csv").write_text("DATE,PATIENT\n")
    with pytest.raises(UnusableFile, match=r"supplies\.csv: there is no column “ENCOUNTER”"):
        brought_in(ward, folder)
    (folder / "supplies.csv").unlink()
    with pytest.raises(UnusableFile, match=r"supplies\.csv: No such file"):
        brought_in(ward, folder)


def test_ward_staff_import_no_consumption(ward: Ward, tmp_path: Path) -> None:
    with pytest.raises(Forbidden):
        brought_in(ward, folder_of(tmp_path), actor=ward.nurse)
    assert sheets(ward, closed=True) == sheets(ward, closed=False) == []
