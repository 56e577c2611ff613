"""Importing consumption of another system.

The source is a flat table, or a folder in the format of Synthea.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from adapters.spreadsheets.synthea import open_synthea
from application.audit.views import AuditQuery
from application.imports.reading.fields import Noun
from application.imports.report import ImportDecision
from application.people.views import PatientQuery
from application.sheets.admit_unidentified import UnidentifiedDraft
from application.sheets.detail_views import DetailQuery, DetailView
from application.sheets.offline.unlisted_items import UnlistedItemDraft
from application.sheets.views import SheetQuery, SheetView
from domain.common.errors import Code
from domain.common.policy import Actor
from tests.assertions import refused
from tests.builders import Ward
from tests.imports import importing
from tests.imports.catalogue import products
from tests.imports.importing import ImportOutcome, RowCollector, file_of

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


def brought_in(ward: Ward, folder: Path, *, actor: Actor | None = None, good_rows: bool = True) -> ImportOutcome:
    batch, listener = open_synthea(folder), RowCollector()
    report = ward.use_cases.imports.run(
        actor or ward.admin, batch, listener, decision=ImportDecision(good_rows=good_rows, all_warnings=True)
    )
    return ImportOutcome(None, report, listener.rows)


def sheets(ward: Ward, *, closed: bool) -> list[SheetView]:
    return ward.use_cases.sheets.reader.page(ward.admin, SheetQuery(closed=closed, limit=100))["items"]


def details(ward: Ward, sheet: SheetView) -> list[DetailView]:
    """Return the details of a sheet, oldest first."""
    query = DetailQuery(consumption_sheet_id=sheet["id"], limit=100)
    return ward.use_cases.details.reader.page(ward.admin, query)["items"][::-1]


def test_a_finished_encounter_becomes_a_closed_sheet(ward: Ward, tmp_path: Path) -> None:
    report = brought_in(ward, folder_of(tmp_path))
    assert report.counts == (4, 0, 0, 0)
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


def test_an_encounter_starts_on_the_hospitals_day(ward: Ward, tmp_path: Path) -> None:
    early = ["e1,2026-03-02T03:00:00Z,,p1,d1,A,"]
    brought_in(ward, folder_of(tmp_path, encounters=early, supplies=["2026-03-02,p1,e1,G-1,Gasa,1"]))
    (sheet,) = sheets(ward, closed=False)
    assert (str(sheet["admission_date"]), len(details(ward, sheet))) == ("2026-03-01", 1)


def test_an_encounter_without_an_end_becomes_an_open_sheet(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path))
    (sheet,) = sheets(ward, closed=False)
    assert (sheet["diagnosis"], sheet["patient"]["name"], sheet["closed"]) == ("Urgencia", "Luis", False)


def test_a_sheet_is_not_closed_before_its_last_detail(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path, supplies=["2026-03-09,p1,e1,G-1,Gasa,2"]))
    (sheet,) = sheets(ward, closed=True)
    assert str(sheet["deleted_at"]) == "2026-03-09 22:30:00+00:00"


def test_new_products_cost_nothing_and_known_ones_their_price(ward: Ward, tmp_path: Path) -> None:
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
    assert brought_in(ward, folder).counts == (0, 0, 4, 0)
    assert (sheets(ward, closed=True), sheets(ward, closed=False), products(ward)) == before
    assert ward.use_cases.patients.reader.page(ward.admin, PatientQuery(q="Ruiz"))["meta"]["total"] == 1


def test_a_patient_with_many_sheets_is_recognized_again(ward: Ward, tmp_path: Path) -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 21)]
    folder = folder_of(
        tmp_path,
        encounters=[f"e{day},{day}T08:00:00Z,{day}T09:00:00Z,p1,d1,Diálisis," for day in days],
        supplies=[f"{day},p1,e{day},G-1,Gasa,1" for day in days],
    )
    assert brought_in(ward, folder).counts == (120, 0, 0, 0)
    assert brought_in(ward, folder).counts == (0, 0, 120, 0)


def test_invalid_rows_are_refused_with_field_and_code(ward: Ward, tmp_path: Path) -> None:
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
    assert report.refusals == {
        3: [("quantity", "negative")],
        4: [("quantity", "number.expected")],
        5: [("quantity", "required")],
        6: [("product_code", "required")],
        7: [("product_name", "required")],
        8: [("created_at", "date.expected")],
        9: [("quantity", "quantity.too_fine")],
    }


def test_only_rows_of_a_folder_with_unclosed_quotes_are_refused(ward: Ward, tmp_path: Path) -> None:
    encounters = [*(row.replace("d1", '"d1"') for row in ENCOUNTERS), 'e3,2026-03-01T22:30:00Z,,p1,d1,"Urgencia,']
    supplies = ['2026-03-01,p1,e1,"G-1",Gasa,2', '2026-03-01,p1,e1,G-1,"Gasa,2', '2026-03-01,p1,e3,"G-1",Gasa,2']
    report = brought_in(ward, folder_of(tmp_path, encounters=encounters, supplies=supplies))
    assert report.counts == (1, 0, 0, 2)
    assert report.refusals == {3: [(None, "row.quotes_unclosed")], 4: [("admission_number", "reference.unknown")]}
    assert sheets(ward, closed=True) == []
    (sheet,) = sheets(ward, closed=False)
    assert [str(detail["quantity"]) for detail in details(ward, sheet)] == ["2.000"]


@pytest.mark.parametrize(
    ("encounter", "patient", "reason"),
    [
        ("e1,yesterday,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,2026-03-01T22:30:00,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,0001-01-01T00:00:00+14:00,,p1,d1,A,", PATIENTS[0], ("admission_date", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,tomorrow,p1,d1,A,", PATIENTS[0], ("discharge_date", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,2026-03-02T22:30:00,p1,d1,A,", PATIENTS[0], ("discharge_date", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,1980,Ana,Ruiz", ("date_of_birth", "date.expected")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,2999-01-01,Ana,Ruiz", ("date_of_birth", "date.in_future")),
        ("e1,2026-03-01T22:30:00Z,,p1,d1,A,", "p1,1980-01-01,,Ruiz", ("patient_name", "required")),
        ("e1,2026-03-01T22:30:00Z,,p9,d1,A,", PATIENTS[0], ("admission_number", "reference.unknown")),
        ("e9,2026-03-01T22:30:00Z,,p1,d1,A,", PATIENTS[0], ("admission_number", "reference.unknown")),
    ],
)
def test_an_invalid_encounter_is_refused_with_all_its_rows(
    ward: Ward, tmp_path: Path, encounter: str, patient: str, reason: tuple[str, str]
) -> None:
    supplies = ["2026-03-01,p1,e1,G-1,Gasa,2", "2026-04-01,p2,e2,V-2,Venda,4", "2026-03-02,p1,e1,G-1,Gasa,3"]
    folder = folder_of(
        tmp_path, patients=[patient, PATIENTS[1]], encounters=[encounter, ENCOUNTERS[1]], supplies=supplies
    )
    report = brought_in(ward, folder)
    assert report.refusals == {2: [reason], 4: [reason]}
    assert report.report.created == 1
    assert [sheet["patient"]["name"] for sheet in sheets(ward, closed=False)] == ["Luis"]
    assert sheets(ward, closed=True) == []
    assert ward.use_cases.patients.reader.page(ward.admin, PatientQuery(q="Ruiz"))["items"] == []


def test_an_unknown_provider_leaves_the_doctor_empty(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, folder_of(tmp_path, providers=[]))
    assert sheets(ward, closed=True)[0]["doctor"] == ""


def test_a_missing_file_or_column_is_reported(ward: Ward, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        brought_in(ward, tmp_path / "gone")
    folder = folder_of(tmp_path)
    (folder / "supplies.csv").write_text("DATE,PATIENT\n")
    with refused((Code.FILE_COLUMN_UNKNOWN, "column")):
        brought_in(ward, folder)


# --- a flat table ----------------------------------------------------------------------------------------------------

HEADER = "Expediente;Habitación;Fecha de ingreso;Código;Descripción;Cantidad;Fecha;Precio;Enfermera;Área"
ROWS = [
    "E-1;101;2026-03-01;G-1;Gasa;2;2026-03-01;1,50;Luz Gil;Urgencias",
    "E-1;101;2026-03-01;G-1;Gasa;2;2026-03-01;1,50;Luz Gil;Urgencias",
    "E-1;101;2026-03-01;V-2;Venda;0,5;2026-03-02 14:30;;;",
    "E-2;102;2026-03-02;G-1;Gasa;3;;2,00;Gil, Luz;Pediatría",
]


@pytest.fixture
def known(ward: Ward) -> Ward:
    """Return a ward with two patients, a nurse and a product."""
    ward.patient("José", "Ibáñez", record_number="E-1")
    ward.patient("Ana", "Soto", record_number="E-2")
    ward.staff("Luz", "Gil")
    ward.product("Gasa", "9.99", code="G-1")
    return ward


def bring(ward: Ward, folder: Path, *rows: str, header: str = HEADER, **choices: Any) -> ImportOutcome:
    return importing.brought_in(ward, file_of(folder, [header, *rows]), Noun.CONSUMPTION, **choices)


def test_each_admission_is_a_sheet_and_each_row_a_detail(known: Ward, tmp_path: Path) -> None:
    brought = bring(known, tmp_path, *ROWS)
    assert brought.counts == (4, 0, 0, 0)
    assert brought.report.also == {"areas": 1, "categories": 1, "products": 1, "rooms": 1, "sheets": 2}
    second, first = sheets(known, closed=False)
    assert (first["patient"]["name"], first["room"]["name"], str(first["admission_date"])) == (
        "José",
        "101",
        "2026-03-01",
    )
    assert (second["patient"]["name"], second["room"]["name"], second["total"]) == ("Ana", "102", Decimal("6.00"))
    reported = [
        (one["product"]["name"], *map(str, (one["quantity"], one["unit_price"], one["total"], one["created_at"])),
         one["staff"] and one["staff"]["name"], one["area"] and one["area"]["name"])
        for one in details(known, first)
    ]  # fmt: skip
    # A day without a time means noon in the hospital, which is six hours behind UTC.
    assert reported == [
        ("Gasa", "2.000", "1.50", "3.00", "2026-03-01 18:00:00+00:00", "Luz", "Urgencias"),
        ("Gasa", "2.000", "1.50", "3.00", "2026-03-01 18:00:00+00:00", "Luz", "Urgencias"),
        ("Venda", "0.500", "0.00", "0.00", "2026-03-02 20:30:00+00:00", None, None),
    ]
    assert first["total"] == Decimal("6.00")
    assert str(products(known)["G-1"]["price"]) == "9.99"


def test_the_same_table_adds_only_new_rows(known: Ward, tmp_path: Path) -> None:
    bring(known, tmp_path, *ROWS)
    before = sheets(known, closed=False), products(known)
    assert bring(known, tmp_path, *ROWS).counts == (0, 0, 4, 0)
    assert (sheets(known, closed=False), products(known)) == before
    more = [*ROWS, ROWS[0], "E-2;102;2026-03-02;V-2;Venda;1;2026-03-03;;;"]
    assert bring(known, tmp_path, *more).outcomes == {
        2: "unchanged", 3: "unchanged", 4: "unchanged", 5: "unchanged", 6: "created", 7: "created"
    }  # fmt: skip
    assert bring(known, tmp_path, *more).counts == (0, 0, 6, 0)


def test_a_sheet_opened_by_a_person_that_day_is_used(known: Ward, tmp_path: Path) -> None:
    patient_id = known.use_cases.patients.reader.page(known.admin, PatientQuery(q="E-1"))["items"][0]["id"]
    sheet = known.sheet(patient_id=patient_id, admission_date=date(2026, 3, 1))
    assert bring(known, tmp_path, ROWS[0]).report.also == {}
    assert len(details(known, sheet)) == 1


def test_a_closed_sheet_takes_no_rows(known: Ward, tmp_path: Path) -> None:
    bring(known, tmp_path, *ROWS)
    (sheet,) = [one for one in sheets(known, closed=False) if one["patient"]["name"] == "José"]
    known.use_cases.sheets.close(known.admin, sheet["id"])
    more = [*ROWS, "E-1;101;2026-03-01;V-2;Venda;1;2026-03-03;;;"]
    brought = bring(known, tmp_path, *more)
    assert brought.refusals == {6: [(None, "sheet.closed")]}
    assert brought.counts == (0, 0, 4, 1)


def test_errors_of_a_row_name_its_fields(known: Ward, tmp_path: Path) -> None:
    known.patient("Eva", "Luna", record_number="E-3", active=0)
    known.product("Tul", "1.00", code="T-3", active=0)
    brought = bring(
        known,
        tmp_path,
        "E-9;101;2026-03-01;G-1;Gasa;2;2026-03-01;1,50;;",
        "E-1;101;;X-1;;muchas;ayer;-1;Nadie;",
        "E-1;101;2026-03-01;X-1;;1;2026-03-01;;;",
        "E-1;101;2026-03-01;;Gasa;1;2026-03-01;;;",
        "E-3;101;2026-03-01;G-1;Gasa;1;2026-03-01;;;",
        "E-1;101;2026-03-01;T-3;Tul;1;2026-03-01;;;",
        "E-1;101;2026-03-01;G-1;Gasa;1;2095-01-01;;;",
        ";101;2026-03-01;G-1;Gasa;1;2026-03-01;;;",
    )
    assert brought.refusals == {
        2: [("record_number", "reference.unknown")],
        3: [
            ("quantity", "number.expected"),
            ("created_at", "date.expected"),
            ("price", "negative"),
            ("product_name", "required"),
            ("staff", "reference.unknown"),
            ("admission_date", "required"),
        ],
        4: [("product_name", "required")],
        5: [("product_code", "required")],
        6: [("record_number", "patient.inactive")],
        7: [("product_code", "product.inactive")],
        8: [("created_at", "date.in_future")],
        9: [("record_number", "required")],
    }
    assert sheets(known, closed=False) == []
    assert set(products(known)) == {"G-1", "T-3"}


def test_patients_are_registered_if_their_names_are_given(ward: Ward, tmp_path: Path) -> None:
    header = "NHC;Nombre;Apellido;Nacimiento;Fecha de ingreso;Código;Producto;Cantidad"
    row = "E-7;Luz;Gil;1980-01-03;2026-03-01;G-1;Gasa;1"
    brought = bring(ward, tmp_path, row, "E-8;;;;2026-03-01;G-1;Gasa;1", header=header)
    assert brought.refusals == {3: [("record_number", "reference.unknown")]}
    assert brought.report.also["patients"] == 1
    (sheet,) = sheets(ward, closed=False)
    assert (sheet["patient"]["name"], sheet["room"]["name"]) == ("Luz", "Importación")
    assert bring(ward, tmp_path, row, header=header).counts == (0, 0, 1, 0)


def test_patients_are_recognized_by_their_full_names(ward: Ward, tmp_path: Path) -> None:
    ward.patient("María José", "De la Cruz", second_surname="Peña")
    header = "Paciente;Fecha de ingreso;Producto;Cantidad"
    brought = bring(
        ward,
        tmp_path,
        "MARIA JOSE DE LA CRUZ PEÑA;2026-03-01;gasa esteril;1",
        "De la Cruz Peña, María José;2026-03-01;Gasa estéril;2",
        "Nadie Conocido;2026-03-01;Gasa estéril;2",
        "Ana Ríos;2026-03-01;Lo que sea;2",
        header=header,
    )
    assert brought.outcomes == {2: "created", 3: "created", 4: "refused", 5: "refused"}
    assert brought.refusals == {
        4: [("full_name", "full_name.unclear")],
        5: [("product_name", "reference.unknown")],
    }
    (sheet,) = sheets(ward, closed=False)
    assert len(details(ward, sheet)) == 2


def test_a_discharged_patient_has_a_closed_sheet(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Fecha de ingreso;Fecha de alta;Código;Cantidad"
    rows = [
        "E-1;2026-03-01;2026-03-05;G-1;2",
        "E-1;2026-03-01;2026-03-05;G-1;x",
        "E-2;2026-03-01;2026-03-05 10:00;G-1;2",
        "E-2;2026-04-01;2095-03-05;G-1;2",
    ]
    bring(known, tmp_path, *rows, header=header)
    (closed,) = sheets(known, closed=True)
    assert (closed["patient"]["name"], str(closed["deleted_at"])) == ("Ana", "2026-03-05 16:00:00+00:00")
    assert len(sheets(known, closed=False)) == 2
    assert bring(known, tmp_path, *rows[2:], header=header).counts == (0, 0, 2, 0)


def test_a_sheet_that_users_are_asked_about_stays_open(known: Ward, tmp_path: Path) -> None:
    found = {
        number: known.use_cases.patients.reader.page(known.admin, PatientQuery(q=number))["items"][0]["id"]
        for number in ("E-1", "E-2")
    }
    noted, other = [known.sheet(patient_id=id_, admission_date=date(2026, 3, 1))["id"] for id_ in found.values()]
    item = UnlistedItemDraft(description="Malla", quantity=Decimal(1))
    known.use_cases.unlisted_items.note(known.nurse, noted, item)
    unknown = known.use_cases.sheets.admit_unidentified(
        known.admin, UnidentifiedDraft(room_id=known.room_id, admission_date=date(2026, 3, 1))
    ).answer
    with known.store.begin() as work:
        patient = work.patients.lock(unknown["patient_id"])
        assert patient
        work.patients.save(replace(patient, record_number="E-7"))
    rows = [f"{number};2026-03-01;2026-03-05;G-1;2" for number in ("E-1", "E-2", "E-7")]
    header = "Expediente;Fecha de ingreso;Fecha de alta;Código;Cantidad"
    assert bring(known, tmp_path, *rows, header=header).counts == (3, 0, 0, 0)
    assert [one["id"] for one in sheets(known, closed=True)] == [other]
    assert {one["id"] for one in sheets(known, closed=False)} == {noted, unknown["id"]}


def test_uses_and_discharges_before_the_admission_are_refused(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Fecha de ingreso;Fecha de alta;Código;Cantidad;Fecha"
    brought = bring(
        known,
        tmp_path,
        "E-1;2026-03-02;;G-1;2;2026-03-01",
        "E-1;2026-03-02;2026-03-01;G-1;3;2026-03-02",
        "E-1;2026-03-02;2026-03-02T03:00:00Z;G-1;3;2026-03-02",
        "E-2;2026-03-02;2026-03-02;G-1;4;2026-03-02",
        header=header,
    )
    assert brought.refusals == {
        2: [("created_at", "moment.before_admission")],
        3: [("discharge_date", "discharge.before_admission")],
        4: [("discharge_date", "discharge.before_admission")],
    }
    reported = [reason.params for row in brought.rows for reason in row.reasons]
    assert [(one["day"], one["admission"]) for one in reported] == [(date(2026, 3, 1), date(2026, 3, 2))] * 3
    assert [one["value"] for one in reported] == ["2026-03-01", "2026-03-01", "2026-03-02T03:00:00Z"]
    assert sheets(known, closed=False) == []
    assert [sheet["patient"]["name"] for sheet in sheets(known, closed=True)] == ["Ana"]


def test_an_admission_with_a_time_zone_is_on_the_hospitals_day(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Fecha de ingreso;Código;Cantidad;Fecha"
    rows = [
        "E-1;2026-03-02T03:00:00Z;G-1;2;2026-03-02T03:10:00Z",
        "E-2;2026-03-02T23:00;G-1;2;2026-03-02T23:10",
    ]
    assert bring(known, tmp_path, *rows, header=header).counts == (2, 0, 0, 0)
    days = {sheet["patient"]["name"]: str(sheet["admission_date"]) for sheet in sheets(known, closed=False)}
    assert days == {"José": "2026-03-01", "Ana": "2026-03-02"}
    assert bring(known, tmp_path, *rows, header=header).counts == (0, 0, 2, 0)


def test_admissions_of_one_day_differ_by_their_number(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Fecha de ingreso;Número de cuenta;Médico;Código;Cantidad"
    rows = [
        "E-1;2026-03-01;C-1;Dra. Vega;G-1;2",
        "E-1;2026-03-01;C-2;Dra. Vega;G-1;2",
        "E-1;2026-03-01;C-1;Dra. Vega;G-1;5",
    ]
    assert bring(known, tmp_path, *rows, header=header).counts == (3, 0, 0, 0)
    assert sorted(len(details(known, sheet)) for sheet in sheets(known, closed=False)) == [1, 2]
    assert bring(known, tmp_path, *rows, header=header).counts == (0, 0, 3, 0)


def test_the_audit_log_has_the_time_of_the_import(known: Ward, tmp_path: Path) -> None:
    bring(known, tmp_path, ROWS[0])
    entries = known.use_cases.audit.reader.page(known.admin, AuditQuery(action="detail.added"))["items"]
    assert [entry["at"] for entry in entries] == [known.clock.now]
    assert entries[0]["changes"]["created_at"] == [None, "2026-03-01T18:00:00+00:00"]


def test_imported_rows_are_in_the_audit_log_of_their_patient(known: Ward, tmp_path: Path) -> None:
    bring(known, tmp_path, ROWS[0])
    [sheet] = sheets(known, closed=False)
    reported = known.use_cases.audit.reader.page(known.admin, AuditQuery(patient_id=sheet["patient_id"]))["items"]
    assert ("sheet.opened", sheet["id"]) in [(entry["action"], entry["entity_id"]) for entry in reported]


def test_refused_rows_of_an_unknown_sheet_keep_all_sheets_open(known: Ward, tmp_path: Path) -> None:
    header = "Expediente;Fecha de ingreso;Fecha de alta;Código;Cantidad"
    whole = "E-1;2026-03-01;2026-03-05;G-1;2"
    for lost in ("E-1;2026-03-01;2026-03-05;G-1;gasa; simple;2", "E-9;2026-03-01;2026-03-05;G-1;3"):
        bring(known, tmp_path, whole, lost, header=header)
        assert sheets(known, closed=True) == []
    bring(known, tmp_path, whole, header=header)
    assert len(sheets(known, closed=True)) == 1
