"""Consumption sheets over HTTP: open, read, update, close, reopen, delete."""

from decimal import Decimal

import pytest

from adapters.i18n import formats
from domain.common.day import day_of
from tests.builders import ZONE
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SHEETS, Hospital, exact, refused

CLOSED = [(None, "sheet.closed")]


# --- opening and reading ---------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_an_opened_sheet_is_returned_with_location_and_etag(hospital: Hospital) -> None:
    answer = hospital.supervisor.post(SHEETS, hospital.admission())
    assert answer.status_code == 201
    sheet = exact(answer)
    assert sheet == {
        "id": sheet["id"],
        "diagnosis": "Apendicitis aguda",
        "doctor": "Dra. Rosa Campos",
        "patient_id": hospital.patient,
        "patient": {
            "id": hospital.patient,
            "name": "Inés",
            "first_surname": "Álvarez",
            "second_surname": "Núñez",
            "record_number": "HC-0001",
            "date_of_birth": None,
        },
        "room_id": hospital.room,
        "room": {"id": hospital.room, "name": "Urgencias 1", "area_id": hospital.emergency},
        "admission_date": "2026-05-04",
        "late_entries": 0,
        "unlisted_items": 0,
        "visit_number": None,
        "discharge_proposed_at": None,
        "admission_cancelled_at": None,
        "charging": None,
        "total": Decimal("0.00"),
        "closed": False,
        "deleted_at": None,
        "consumptions": [],
        "version": 1,
        "stays": [
            {"room": {"id": hospital.room, "name": "Urgencias 1"}, "from": "2026-05-04T06:00:00Z", "until": None}
        ],
    }
    assert answer.headers["location"] == f"{SHEETS}/{sheet['id']}"
    assert answer.headers["etag"] == '"1"'
    again = hospital.supervisor.get(answer.headers["location"])
    assert (again.status_code, again.content) == (200, answer.content)
    assert again.headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("2026-05-04", "2026-05-04"),
        ("2026-05-04T00:00:00.000Z", "2026-05-04"),
        ("2026-05-04T23:30:00-06:00", "2026-05-04"),
        ("2026-05-04 08:15", "2026-05-04"),
        ("0001-01-01", "0001-01-01"),
        ("9999-12-31T23:59:59-12:00", "9999-12-31"),
    ],
)
def test_the_time_of_an_admission_is_dropped(hospital: Hospital, sent: str, kept: str) -> None:
    assert hospital.sheet(hospital.open_sheet(admission_date=sent))["admission_date"] == kept


def test_an_invalid_admission_date_is_refused(hospital: Hospital) -> None:
    for sent in (
        *("04/05/2026", "2026-5-4", "20260504", "2026-W19-1", "2026-124", "2026-02-30", "2026-13-01", "0000-00-00"),
        *(
            "10000-01-01",
            "2026-05-04T",
            "2026-05-04Z",
            "2026-05-04x10:00",
            "2026-05-04T25:00",
            "2026-05-04T10:00+99:99",
        ),
        *("２０２６-05-04", " 2026-05-04", "mañana", 20260504, 1.5, True, [2026, 5, 4], {"year": 2026}),
    ):
        answer = hospital.nurse.post(SHEETS, hospital.admission(admission_date=sent))
        assert refused(answer) == [("admission_date", "date.expected")], sent


def test_diagnosis_and_doctor_are_optional_and_trimmed(hospital: Hospital) -> None:
    bare = hospital.sheet(hospital.open_sheet(diagnosis=None, doctor=""))
    assert (bare["diagnosis"], bare["doctor"]) == ("", "")
    trimmed = hospital.sheet(hospital.open_sheet(diagnosis="  fiebre\n", doctor="\tDr. Soto "))
    assert (trimmed["diagnosis"], trimmed["doctor"]) == ("fiebre", "Dr. Soto")


def test_read_only_fields_are_ignored(hospital: Hospital) -> None:
    sheet = hospital.sheet(hospital.open_sheet(id=99, total=5, closed=True, deleted_at="2026-01-01", version=7, x=[]))
    assert (sheet["total"], sheet["closed"], sheet["deleted_at"], sheet["version"]) == (0, False, None, 1)


@pytest.mark.parametrize(
    ("language", "used", "moved", "discharged"),
    [
        (
            "es",
            "Corrija «Fecha de ingreso»: lo ocurrido el {today} es anterior al ingreso del 31 dic 9999.",
            "Corrija «Fecha de ingreso»: lo ocurrido el {today} es anterior al ingreso del 31 dic 9999.",
            "Corrija «Fecha de ingreso»: el alta del {today} es anterior al ingreso del 31 dic 9999.",
        ),
        (
            "en",
            "Correct “Admission date”: what happened on {today} is before the admission of Dec 31, 9999.",
            "Correct “Admission date”: what happened on {today} is before the admission of Dec 31, 9999.",
            "Correct “Admission date”: the discharge of {today} is before the admission of Dec 31, 9999.",
        ),
    ],
)
def test_an_admission_after_a_use_is_refused_with_both_days(
    timed_hospital: Hospital, language: str, used: str, moved: str, discharged: str
) -> None:
    hospital = timed_hospital
    nurse = hospital.nurse.speaking(language)
    last = "9999-12-31"
    planned, begun = hospital.open_sheet(admission_date=last), hospital.open_sheet()
    hospital.add_detail(begun)
    today = formats.day(language, day_of(hospital.clock(), ZONE))
    for answer, code, message in (
        (nurse.post(f"{SHEETS}/{planned}/consumption-details", {"product_id": hospital.gauze, "quantity": 1}),
         "moment.before_admission", used),
        (nurse.put(f"{SHEETS}/{begun}", hospital.admission(admission_date=last)), "moment.before_admission", moved),
        (nurse.delete(f"{SHEETS}/{planned}/close"), "discharge.before_admission", discharged),
    ):  # fmt: skip
        assert refused(answer) == [("admission_date", code)]
        assert answer.json()["message"] == [message.format(today=today)]


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        (
            "es",
            {
                "diagnosis": "Escriba un texto en «Diagnóstico».",
                "doctor": "Acorte «Médico»: admite hasta 200 caracteres.",
                "patient_id": "Complete el campo «Paciente».",
                "room_id": "Elija otro valor en «Habitación»: ese no existe.",
                "admission_date": "Escriba una fecha válida en «Fecha de ingreso» (AAAA-MM-DD).",
            },
        ),
        (
            "en",
            {
                "diagnosis": "Enter text in “Diagnosis”.",
                "doctor": "Shorten “Doctor”: up to 200 characters.",
                "patient_id": "Fill in “Patient”.",
                "room_id": "Choose another value in “Room”: that one doesn’t exist.",
                "admission_date": "Enter a valid date in “Admission date” (YYYY-MM-DD).",
            },
        ),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_every_error_of_a_sheet_is_reported_at_its_field(
    hospital: Hospital, method: str, language: str, messages: dict[str, str]
) -> None:
    body = {"diagnosis": 5, "doctor": "x" * 201, "patient_id": 0, "room_id": 999, "admission_date": "04/05/2026"}
    path = SHEETS if method == "POST" else f"{SHEETS}/{hospital.open_sheet()}"
    before = hospital.rows()
    answer = hospital.nurse.speaking(language).call(method, path, body)
    assert answer.status_code == 422
    problem = answer.json()
    assert {error["field"]: error["message"] for error in problem["errors"]} == messages
    assert sorted(problem["message"]) == sorted(messages.values())
    assert hospital.rows() == before


def test_an_empty_sheet_form_reports_every_required_field(hospital: Hospital) -> None:
    required = [("patient_id", "required"), ("room_id", "required"), ("admission_date", "required")]
    assert refused(hospital.nurse.post(SHEETS, {})) == required
    assert refused(hospital.nurse.put(f"{SHEETS}/{hospital.open_sheet()}", {})) == required


def test_a_diagnosis_is_limited_to_2000_characters(hospital: Hospital) -> None:
    hospital.open_sheet(diagnosis="ñ" * 2000)
    answer = hospital.admin.post(SHEETS, hospital.admission(diagnosis="ñ" * 2001))
    assert refused(answer) == [("diagnosis", "text.too_long")]


# --- updating --------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_an_updated_sheet_is_returned_with_its_new_version(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    answer = hospital.nurse.put(
        f"{SHEETS}/{sheet}",
        hospital.admission(patient_id=hospital.other_patient, room_id=hospital.theatre_room, diagnosis="Otra"),
    )
    assert answer.status_code == 200
    assert answer.headers["etag"] == '"2"'
    kept = hospital.sheet(sheet)
    assert kept["patient"]["name"] == answer.json()["patient"]["name"] == "Bruno"
    assert kept["room"]["name"] == "Sala A"
    assert kept["diagnosis"] == "Otra"


# --- If-Match --------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
@pytest.mark.parametrize("action", ["update", "close", "delete"])
def test_an_outdated_version_is_412_and_changes_nothing(hospital: Hospital, action: str) -> None:
    sheet = hospital.open_sheet()
    seen = hospital.admin.get(f"{SHEETS}/{sheet}").headers["etag"]
    hospital.add_detail(sheet)
    before = hospital.rows()
    answers = {
        "update": lambda: hospital.admin.put(f"{SHEETS}/{sheet}", hospital.admission(), if_match=seen),
        "close": lambda: hospital.admin.delete(f"{SHEETS}/{sheet}/close", if_match=seen),
        "delete": lambda: hospital.admin.delete(f"{SHEETS}/{sheet}", if_match=seen),
    }
    answer = answers[action]()
    assert answer.status_code == 412
    assert answer.json()["code"] == "outdated"
    assert isinstance(answer.json()["message"], str)
    assert hospital.rows() == before


def test_the_current_version_is_accepted(hospital: Hospital) -> None:
    for if_match in ('"1"', "*", " * ", 'W/"1"', '"8", "1"', '"8",W/"1"', '"x", "1"'):
        sheet = hospital.open_sheet()
        answer = hospital.admin.put(f"{SHEETS}/{sheet}", hospital.admission(), if_match=if_match)
        assert answer.status_code == 200, if_match


def test_another_version_is_412(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for if_match in ('"2"', 'W/"2"', '"2", "3"', "1", "", '""', '"x"', f'"{"9" * 400}"', '"-1"'):
        answer = hospital.admin.put(f"{SHEETS}/{sheet}", hospital.admission(), if_match=if_match)
        assert answer.status_code == 412, if_match


def test_every_change_of_a_detail_changes_the_sheets_version(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    versions = [hospital.admin.get(f"{SHEETS}/{sheet}").headers["etag"]]
    detail = hospital.add_detail(sheet)["id"]
    versions.append(hospital.admin.get(f"{SHEETS}/{sheet}").headers["etag"])
    hospital.admin.put(f"{DETAILS}/{detail}", {"product_id": hospital.gauze, "quantity": 3})
    versions.append(hospital.admin.get(f"{SHEETS}/{sheet}").headers["etag"])
    hospital.admin.delete(f"{DETAILS}/{detail}")
    versions.append(hospital.admin.get(f"{SHEETS}/{sheet}").headers["etag"])
    assert len(set(versions)) == 4


# --- polling ---------------------------------------------------------------------------------------------------------


def test_polling_a_version_answers_204_until_it_changes(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    path = f"{SHEETS}/{sheet}/version"
    version = hospital.nurse.get(f"{SHEETS}/{sheet}").json()["version"]
    assert hospital.nurse.get(path).json() == {"version": version}
    same = hospital.nurse.get(f"{path}?version={version}")
    assert (same.status_code, same.content) == (204, b"")
    hospital.add_detail(sheet)
    assert hospital.nurse.get(f"{path}?version={version}").json() == {"version": version + 1}
    assert hospital.nurse.get(f"{SHEETS}/999/version?version=1").status_code == 404
    assert hospital.nurse.get(f"{path}?version=x").status_code == 400


def test_the_current_etag_is_answered_with_304(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    path = f"{SHEETS}/{sheet}"
    has = hospital.nurse.get(path).headers["etag"]
    for known in (has, f"W/{has}", f'"77", {has}'):
        answer = hospital.nurse.get(path, if_none_match=known)
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", has), known
    hospital.add_detail(sheet)
    answer = hospital.nurse.get(path, if_none_match=has)
    assert answer.status_code == 200
    assert answer.content == hospital.nurse.get(path).content
    assert answer.headers["etag"] == '"2"' != has


def test_an_unknown_etag_gets_the_whole_sheet(hospital: Hospital) -> None:
    path = f"{SHEETS}/{hospital.open_sheet()}"
    for known in ("", "x", "1", '"x"', '"99"', '"999999999999999999999"', "*"):
        assert hospital.nurse.get(path, if_none_match=known).status_code == 200, known
    assert hospital.nurse.get(f"{SHEETS}/999", if_none_match='"1"').status_code == 404
    assert hospital.stranger.get(path, if_none_match='"1"').status_code == 401


# --- summary ---------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_summary_equals_what_closing_freezes(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet)
    hospital.set_price(hospital.cannula, "0.00")
    nothing = hospital.add_detail(sheet, quantity=0)
    gift = hospital.add_detail(sheet, product_id=hospital.cannula)
    answer = hospital.supervisor.get(f"{SHEETS}/{sheet}/summary")
    summary = exact(answer)
    (day,) = [one for one in summary["days"] if one["lines"]]
    assert (day["lines"], day["total"]) == (3, Decimal("5.00"))
    assert summary["categories"] == [
        {"category": {"id": hospital.dressings, "code": "CUR-01", "name": "Curación"}, "lines": 2, "total": 5},
        {"category": {"id": hospital.tubes, "code": "SON-02", "name": "Sondas"}, "lines": 1, "total": 0},
    ]
    assert [line["id"] for line in summary["without_quantity"]] == [nothing["id"]]
    assert summary["without_price"] == [
        {
            "id": gift["id"],
            "product_id": hospital.cannula,
            "product_name": "Cánula nasal",
            "product_code": "C-7",
            "quantity": 2,
            "created_at": gift["created_at"],
        }
    ]
    etag = answer.headers["etag"]
    hospital.add_detail(sheet)
    assert hospital.supervisor.delete(f"{SHEETS}/{sheet}/close", if_match=etag).status_code == 412
    etag = hospital.supervisor.get(f"{SHEETS}/{sheet}/summary").headers["etag"]
    closed = hospital.supervisor.delete(f"{SHEETS}/{sheet}/close", if_match=etag)
    assert exact(closed)["total"] == exact(hospital.admin.get(f"{SHEETS}/{sheet}/summary"))["total"] == Decimal("10.00")


# --- closing and reopening -------------------------------------------------------------------------------------------


def test_a_closed_sheet_is_reported_together_with_other_errors(hospital: Hospital) -> None:
    sheet = hospital.closed_sheet()
    faulty = hospital.nurse.put(f"{SHEETS}/{sheet}", hospital.admission(room_id=999))
    assert refused(faulty) == [("room_id", "reference.unknown"), *CLOSED]
    answer = hospital.admin.post(f"{SHEETS}/{sheet}/consumption-details", {"quantity": -1})
    assert refused(answer) == [("product_id", "required"), ("quantity", "negative"), *CLOSED]
    assert answer.json()["message"][-1] == "La hoja de consumo está cerrada: ya no admite cambios."


# --- deleting --------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_ward_staff_can_delete_an_open_sheet_without_lines(hospital: Hospital) -> None:
    assert hospital.nurse.delete(f"{SHEETS}/{hospital.open_sheet()}").status_code == 204
    with_lines, closed = hospital.open_sheet(), hospital.closed_sheet()
    detail = hospital.add_detail(with_lines, by=hospital.nurse)["id"]
    assert refused(hospital.nurse.delete(f"{SHEETS}/{with_lines}")) == [(None, "sheet.for_supervision")]
    # Voided lines count as lines.
    assert hospital.nurse.delete(f"{DETAILS}/{detail}").status_code == 204
    assert refused(hospital.nurse.delete(f"{SHEETS}/{with_lines}")) == [(None, "sheet.for_supervision")]
    for who in (hospital.nurse, hospital.supervisor):
        assert refused(who.delete(f"{SHEETS}/{closed}")) == [(None, "sheet.for_administration")]
