"""Importing patients, staff, areas and rooms, and recognizing them again."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.i18n import messages
from adapters.i18n.catalogue import LANGUAGES
from application.catalogue.rooms import RoomDraft
from application.catalogue.views import RoomQuery
from application.common.paging import ListQuery
from application.imports.reading.fields import Noun
from application.people.views import PatientQuery, StaffQuery
from domain.catalogue.room import RoomType
from tests.builders import Ward
from tests.imports.importing import ImportOutcome, brought_in, file_of, warnings


def bring(ward: Ward, folder: Path, noun: Noun, *lines: str, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, lines), noun, **choices)


def patients(ward: Ward) -> list[tuple[object, ...]]:
    page = ward.use_cases.patients.reader.page(ward.admin, PatientQuery(limit=100))
    fields = ("record_number", "name", "first_surname", "second_surname", "date_of_birth", "active")
    return [tuple(one[field] for field in fields) for one in page["items"]]  # type: ignore[literal-required]


def staff(ward: Ward) -> list[tuple[object, ...]]:
    page = ward.use_cases.staff.reader.page(ward.admin, StaffQuery(limit=100))
    fields = ("name", "first_surname", "second_surname", "telephone_number", "job_title", "date_of_birth")
    return [tuple(one[field] for field in fields) for one in page["items"]]  # type: ignore[literal-required]


ANA = (None, "Ana", "Ríos", None, None, 1)


@pytest.mark.parametrize("noun", [Noun.PATIENTS, Noun.STAFF])
@pytest.mark.parametrize(
    "row",
    [
        "Ana;García Lopera;O'Donnell",
        "ANA;Garcia-Lopera;O’Donnell",
        "Ana;García – Lopera;ODonnell",
        "Ana,;García;Lopera ODonnell",
    ],
)
def test_a_person_is_recognized_in_any_spelling_of_the_name(ward: Ward, tmp_path: Path, noun: Noun, row: str) -> None:
    header = "Nombre;Apellido paterno;Apellido materno"
    assert bring(ward, tmp_path, noun, header, "Ana;García-Lopera;O’Donnell").counts == (1, 0, 0, 0)
    assert bring(ward, tmp_path, noun, header, row).counts[0] == 0


@pytest.mark.parametrize("noun", [Noun.PATIENTS, Noun.STAFF])
@pytest.mark.parametrize(
    ("known", "lines"),
    [
        ("Eva;Toral;Vives", ["Nombre completo", "Toral Vives, Eva"]),
        ("Ana María;de la Paz;Íñigo", ["Nombre completo", "de la Paz Íñigo, Ana María"]),
        ("Eva;Toral;Vives", ["Nombre;Apellidos", "Eva;Toral Vives"]),
        ("Eva;Peña;Núñez", ["Nombre;Apellidos", "Eva;Peña-Núñez"]),
        ("Eva;Toral;Vives", ["Nombre;Apellido paterno;Apellido materno", "Eva;Toral Vives;"]),
        ("Eva;García;García", ["Nombre completo", "García García, Eva"]),
        ("Eva;Ramón;Cajal", ["Nombre;Apellidos", "Eva;Ramón Cajal"]),
    ],
)
def test_both_surnames_in_one_place_tell_nothing_new(
    ward: Ward, tmp_path: Path, noun: Noun, known: str, lines: list[str]
) -> None:
    born = ";Nacimiento", ";1992-02-02"
    lines = [f'"{line}"{more}' if "," in line else line + more for line, more in zip(lines, born, strict=True)]
    bring(ward, tmp_path, noun, "Nombre;Apellido paterno;Apellido materno;Nacimiento", known + born[1])
    assert bring(ward, tmp_path, noun, *lines).counts == (0, 0, 1, 0)
    assert bring(ward, tmp_path, noun, *lines).counts == (0, 0, 1, 0)


def test_surnames_that_may_be_others_are_kept_with_a_warning(ward: Ward, tmp_path: Path) -> None:
    header = "Expediente;Nombre;Apellido paterno;Apellido materno"
    bring(ward, tmp_path, Noun.PATIENTS, header, "E-1;Eva;Toral;Vives")
    found = bring(ward, tmp_path, Noun.PATIENTS, "Expediente;Nombre completo", 'E-1;"Toral Rivas, Eva"')
    assert ("full_name", "person.surnames_together", "Toral Rivas") in warnings(found)[2]
    assert [one[1:4] for one in patients(ward) if one[0] == "E-1"] == [("Eva", "Toral", "Vives")]


# --- patients --------------------------------------------------------------------------------------------------------


def test_patients_are_recognized_by_record_number(ward: Ward, tmp_path: Path) -> None:
    lines = [
        "Expediente;Nombre;Apellido paterno;Apellido materno;Fecha de nacimiento;Activo",
        "E-1;José;Ibáñez;Soto;30/07/1958;1",
        "E-2;Luz;Gil;;15 de marzo de 1990;no",
        "e-1;José;Ibáñez;Soto;30/07/1958;sí",
    ]
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines[:3]).counts == (2, 0, 0, 0)
    assert patients(ward) == [
        ("E-2", "Luz", "Gil", None, date(1990, 3, 15), 0),
        ("E-1", "José", "Ibáñez", "Soto", date(1958, 7, 30), 1),
        ANA,
    ]
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines[:3]).counts == (0, 0, 2, 0)
    changed = bring(ward, tmp_path, Noun.PATIENTS, lines[0], "E-1;José María;Ibáñez;;30/07/1958;1")
    assert changed.rows[0].changes == {"name": ("José", "José María")}


def test_patients_are_recognized_by_name_and_date_of_birth(ward: Ward, tmp_path: Path) -> None:
    lines = ["Nombre;Apellido;Nacimiento", "José;Ibáñez;1958-07-30", "JOSE;IBAÑEZ;1958-07-31", "Ana;Ríos;"]
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).outcomes == {2: "created", 3: "created", 4: "unchanged"}
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).counts == (0, 0, 3, 0)
    ward.patient("Ana", "Ríos")
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).refusals == {4: [("name", "known_twice")]}


def test_a_registered_patient_gets_the_record_number_of_a_file(ward: Ward, tmp_path: Path) -> None:
    ward.patient("José", "Ibáñez", date_of_birth=date(1958, 7, 30))
    ward.patient("Luz", "Gil")
    lines = ["NHC;Nombre;Apellido;Nacimiento", "E-1;José;Ibáñez;1958-07-30", "E-2;Luz;Gil;"]
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).outcomes == {2: "changed", 3: "created"}
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).counts == (0, 0, 2, 0)


def test_full_names_in_one_column_are_split_at_the_comma(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Paciente;F. Nac.", "E-1;De la Cruz Peña, María José;3-ene-1980", "E-2;Juan Pérez Gil;3-ene-1981"]
    brought = bring(ward, tmp_path, Noun.PATIENTS, *lines)
    assert brought.refusals == {3: [("full_name", "full_name.unclear")]}
    assert ("E-1", "María José", "De la Cruz Peña", None, date(1980, 1, 3), 1) in patients(ward)


def test_all_errors_of_a_patient_are_reported_at_once(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Nombre;Apellido;Nacimiento", "E-1;;Gil;ayer", "E-2;Luz;Gil;2999-01-01", "E-3;Luz;Gil;3-ene-12",
             "E-4;Luz;Gil;2/30/1980"]  # fmt: skip
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines, dates="month-first").refusals == {
        2: [("date_of_birth", "date.expected"), ("name", "required")],
        3: [("date_of_birth", "date.in_future")],
        5: [("date_of_birth", "date.expected")],
    }


def test_an_ambiguous_century_of_a_birthday_is_refused(ward: Ward, tmp_path: Path) -> None:
    """In 2026, a child born in 12 may be 14, or a person of 114 years."""
    ward.clock.now = ward.clock.now.replace(year=2026)
    lines = ["NHC;Nombre;Apellido;Nacimiento", "E-1;Luz;Gil;31/01/12", "E-2;Luz;Gil;31/01/45"]
    assert bring(ward, tmp_path, Noun.PATIENTS, *lines).refusals == {2: [("date_of_birth", "date.year_unclear")]}


# --- staff -----------------------------------------------------------------------------------------------------------


def test_staff_are_recognized_by_name_and_date_of_birth(ward: Ward, tmp_path: Path) -> None:
    lines = [
        "Nombre;Primer apellido;Segundo apellido;Teléfono;Puesto;Fecha de nacimiento",
        "Rosa;Núñez;Peña;55 5555 0103;Enfermera;1990-02-03",
        "Luz;Gil;;;Camillera;",
    ]
    assert bring(ward, tmp_path, Noun.STAFF, *lines).counts == (2, 0, 0, 0)
    assert bring(ward, tmp_path, Noun.STAFF, *lines).counts == (0, 0, 2, 0)
    again = [lines[0], "ROSA;NUÑEZ;PEÑA;55 5555 0104;;1990-02-03", "Luz;Gil;;;Enfermera;1991-01-01"]
    assert bring(ward, tmp_path, Noun.STAFF, *again).outcomes == {2: "changed", 3: "changed"}
    assert ("Luz", "Gil", None, None, "Enfermera", date(1991, 1, 1)) in staff(ward)
    assert ("ROSA", "NUÑEZ", "PEÑA", "55 5555 0104", "Enfermera", date(1990, 2, 3)) in staff(ward)


def test_staff_without_a_date_of_birth_need_a_unique_name(ward: Ward, tmp_path: Path) -> None:
    lines = ["Nombre;Apellido;Puesto", "Luz;Gil;Enfermera"]
    bring(ward, tmp_path, Noun.STAFF, *lines)
    assert bring(ward, tmp_path, Noun.STAFF, *lines).counts == (0, 0, 1, 0)
    ward.staff("Luz", "Gil")
    assert bring(ward, tmp_path, Noun.STAFF, *lines).refusals == {2: [("name", "known_twice")]}


# --- areas and rooms -------------------------------------------------------------------------------------------------


def test_areas_are_recognized_by_name(ward: Ward, tmp_path: Path) -> None:
    lines = ["Área", "URGENCIAS", "Medicina Interna", "Cirugía, hombres", "medicina interna"]
    assert bring(ward, tmp_path, Noun.AREAS, *lines).outcomes == {
        2: "unchanged", 3: "created", 4: "created", 5: "unchanged"
    }  # fmt: skip
    names = [one["name"] for one in ward.use_cases.areas.reader.page(ward.admin, ListQuery())["items"]]
    assert names == ["Cirugía, hombres", "Medicina Interna", "Urgencias"]


def test_rooms_are_recognized_by_name_and_area(ward: Ward, tmp_path: Path) -> None:
    lines = ["Habitación,Área,Estado", "101,Urgencias,ocupada", "101,Pediatría,", "102,Pediatría,4", "103,,1",
             "104,Pediatría,rota"]  # fmt: skip
    brought = bring(ward, tmp_path, Noun.ROOMS, *lines)
    assert brought.outcomes == {2: "changed", 3: "created", 4: "created", 5: "refused", 6: "refused"}
    assert brought.refusals == {5: [("area", "required")], 6: [("status", "choice.unknown")]}
    assert brought.report.also == {"areas": 1}
    rooms = ward.use_cases.rooms.reader.page(ward.admin, RoomQuery())["items"]
    assert sorted((one["name"], one["area"]["name"], one["status"], one["type"]) for one in rooms) == [
        ("101", "Pediatría", 1, 1),
        ("101", "Urgencias", 2, 1),
        ("102", "Pediatría", 4, 4),
    ]
    assert bring(ward, tmp_path, Noun.ROOMS, *lines[:4]).counts == (0, 0, 3, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_room_types_are_read_as_the_export_writes_them(ward: Ward, tmp_path: Path, language: str) -> None:
    called = [messages.value(language, f"room_type.{int(kind)}") for kind in RoomType]
    rows = [f"{place};Urgencias;{word}" for place, word in enumerate(called)]
    brought = bring(ward, tmp_path, Noun.ROOMS, "room;area;type", *rows, "9;Urgencias;Disponible")
    assert brought.counts == (len(called) + 1, 0, 0, 0)
    assert warnings(brought) == {6: [("type", "room_type.unknown", "Disponible")]}
    rooms = {
        one["name"]: one["type"] for one in ward.use_cases.rooms.reader.page(ward.admin, RoomQuery(limit=100))["items"]
    }
    assert [rooms[str(place)] for place in range(len(called))] == list(RoomType)


def test_codes_of_rooms_are_imported_and_kept(ward: Ward, tmp_path: Path) -> None:
    lines = ["Habitación;Área;Código", "101;Urgencias;UCI^101^A", "102;Urgencias;0201", "103;Urgencias;"]
    assert bring(ward, tmp_path, Noun.ROOMS, *lines).outcomes == {2: "changed", 3: "created", 4: "created"}

    def codes() -> dict[str, str | None]:
        rooms = ward.use_cases.rooms.reader.page(ward.admin, RoomQuery())["items"]
        return {one["name"]: one["code"] for one in rooms}

    assert codes() == {"101": "UCI^101^A", "102": "0201", "103": None}
    assert bring(ward, tmp_path, Noun.ROOMS, *lines).counts == (0, 0, 3, 0)
    # An empty cell, and a file without codes, leave the stored code.
    bring(ward, tmp_path, Noun.ROOMS, "room;area;bed code", "101;Urgencias;")
    bring(ward, tmp_path, Noun.ROOMS, "room;area;status", "102;Urgencias;2")
    assert codes() == {"101": "UCI^101^A", "102": "0201", "103": None}
    # A code belongs to one room, stored or in the file.
    brought = bring(ward, tmp_path, Noun.ROOMS, "room;area;code", "103;Urgencias;0201", "104;Urgencias;C-4",
                    "105;Urgencias;C-4")  # fmt: skip
    assert brought.outcomes == {2: "refused", 3: "created", 4: "refused"}
    assert {reasons[0][0] for reasons in brought.refusals.values()} == {"code"}


def test_codes_of_areas_are_imported_and_kept(ward: Ward, tmp_path: Path) -> None:
    lines = ["Área;Código", "URGENCIAS;U-1", "Pediatría;", "Cirugía;U-1"]
    brought = bring(ward, tmp_path, Noun.AREAS, *lines)
    assert brought.outcomes == {2: "changed", 3: "created", 4: "refused"}
    assert [field for field, _ in brought.refusals[4]] == ["code"]
    bring(ward, tmp_path, Noun.AREAS, "Área", "urgencias")
    areas = ward.use_cases.areas.reader.page(ward.admin, ListQuery())["items"]
    assert {one["name"]: one["code"] for one in areas} == {"Pediatría": None, "Urgencias": "U-1"}
    assert bring(ward, tmp_path, Noun.AREAS, *lines[:3]).counts == (0, 0, 2, 0)
    contradicting = bring(ward, tmp_path, Noun.AREAS, "Área;Código", "Pediatría;P-1", "pediatría;P-2")
    assert contradicting.outcomes == {2: "changed", 3: "refused"}


def test_an_area_needed_only_by_a_refused_room_is_not_created(ward: Ward, tmp_path: Path) -> None:
    bring(ward, tmp_path, Noun.ROOMS, "Habitación;Área;Estado", "101;Pediatría;rota", ";Cirugía;1")
    names = [one["name"] for one in ward.use_cases.areas.reader.page(ward.admin, ListQuery())["items"]]
    assert names == ["Urgencias"]


def test_an_ambiguous_room_is_refused(ward: Ward, tmp_path: Path) -> None:
    for _ in range(2):
        ward.use_cases.rooms.create(ward.admin, RoomDraft(name="9", status=1, type=1, area_id=ward.area_id))
    brought = bring(ward, tmp_path, Noun.ROOMS, "room;area;status", "9;Urgencias;2")
    assert brought.refusals == {2: [("name", "known_twice")]}
