"""Managing areas, rooms, categories, products, patients and staff."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from domain.common.day import day_of
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, ZONE, Hospital, exact, refused


@dataclass(frozen=True)
class Thing:
    """One kind of thing: a valid form, changes, required fields and errors."""

    path: str
    form: dict[str, Any]
    changes: dict[str, Any]
    required: tuple[str, ...]
    wrong: dict[str, tuple[Any, str]] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.path


NAMES_TOO_LONG = ("x" * 201, "text.too_long")
AREA = Thing("/api/areas", {"name": "Pediatría"}, {"name": "Neonatos"}, ("name",), {"name": NAMES_TOO_LONG})
CATEGORY = Thing(
    "/api/categories",
    {"code": "LAB-03", "name": "Laboratorio"},
    {"code": "LAB-04", "name": "Análisis"},
    ("code", "name"),
    {"code": (7, "text.expected"), "name": ("a\x00b", "text.unwritable")},
)
ROOM = Thing(
    "/api/rooms",
    {"name": "Cuna 3", "status": 1, "type": 1, "area_id": 2},
    {"name": "Cuna 4", "status": 4, "type": 3, "area_id": 1},
    ("name", "status", "type", "area_id"),
    {
        "name": (" \t ", "required"),
        "status": (5, "choice.unknown"),
        "type": ("1", "whole_number.expected"),
        "area_id": (10**12, "reference.unknown"),
    },
)
PRODUCT = Thing(
    "/api/products",
    {
        "name": "Sonda Foley 16 Fr",
        "price": 3.21,
        "category_id": 2,
        "code": "S-16",
        "gtin": "9506000134352",
        "unit": "pieza",
        "active": 1,
    },
    {
        "name": "Sonda Foley 18 Fr",
        "price": 0,
        "category_id": 1,
        "code": None,
        "gtin": "4006381333948",
        "unit": None,
        "active": 0,
    },
    ("name", "price", "category_id"),
    {
        "name": ([], "text.expected"),
        "price": (-0.01, "negative"),
        "category_id": (10**12, "reference.unknown"),
        "code": ("c" * 201, "text.too_long"),
        "gtin": ("9506000134353", "gtin.invalid"),
        "unit": ({}, "text.expected"),
        "active": (2, "yes_or_no.expected"),
    },
)
PATIENT = Thing(
    "/api/patients",
    {
        "name": "Luz",
        "first_surname": "Soto",
        "second_surname": "Ñáñez",
        "date_of_birth": "1958-07-30",
        "active": 1,
        "record_number": "HC-77",
    },
    {
        "name": "Luz María",
        "first_surname": "Sotó",
        "second_surname": None,
        "date_of_birth": None,
        "active": 0,
        "record_number": "hc-78",
    },
    ("name", "first_surname"),
    {
        "name": (True, "text.expected"),
        "first_surname": NAMES_TOO_LONG,
        "second_surname": ("\x1b", "text.unwritable"),
        "date_of_birth": ("1958-02-30", "date.expected"),
        "active": ("yes", "whole_number.expected"),
        "record_number": (12, "text.expected"),
    },
)
STAFF = Thing(
    "/api/staff",
    {
        "name": "Rosa",
        "first_surname": "Núñez",
        "second_surname": "Peña",
        "telephone_number": "+52 55 5555 0103",
        "job_title": "Enfermera",
        "date_of_birth": "1990-02-03",
    },
    {
        "name": "Rosa Elena",
        "first_surname": "Núñez",
        "second_surname": None,
        "telephone_number": None,
        "job_title": None,
        "date_of_birth": None,
    },
    ("name", "first_surname"),
    {
        "name": ("", "required"),
        "first_surname": (0, "text.expected"),
        "second_surname": NAMES_TOO_LONG,
        "telephone_number": (5555, "text.expected"),
        "job_title": ([], "text.expected"),
        "date_of_birth": ("03/02/1990", "date.expected"),
    },
)
THINGS = [AREA, CATEGORY, ROOM, PRODUCT, PATIENT, STAFF]
EVERY_THING = pytest.mark.parametrize("thing", THINGS, ids=str)


def create(hospital: Hospital, thing: Thing, **changes: object) -> dict[str, Any]:
    answer = hospital.supervisor.post(thing.path, thing.form | changes)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def as_sent(thing: Thing, answer: dict[str, Any]) -> dict[str, Any]:
    """The answer's values of the fields of the form."""
    return {name: answer[name] for name in thing.form}


@ON_EVERY_DATABASE
@EVERY_THING
def test_a_created_thing_is_read_updated_and_deleted(hospital: Hospital, thing: Thing) -> None:
    answer = hospital.supervisor.post(thing.path, thing.form)
    assert answer.status_code == 201
    made, location = answer.json(), answer.headers["location"]
    assert location == f"{thing.path}/{made['id']}"
    assert as_sent(thing, made) == thing.form
    assert hospital.admin.get(location).json() == made
    assert made in hospital.admin.get(f"{thing.path}?limit=100").json()["items"]

    changed = hospital.supervisor.put(location, thing.changes | {"id": 999, "unknown": "ignored"})
    assert changed.status_code == 200
    assert changed.json()["id"] == made["id"]
    assert as_sent(thing, changed.json()) == thing.changes
    assert hospital.admin.get(location).json() == changed.json()

    gone = hospital.supervisor.delete(location)
    assert (gone.status_code, gone.content) == (204, b"")
    for method, body in (("GET", None), ("PUT", thing.form), ("DELETE", None)):
        assert hospital.admin.call(method, location, body).status_code == 404
    assert made["id"] not in [each["id"] for each in hospital.admin.get(f"{thing.path}?limit=100").json()["items"]]


@EVERY_THING
def test_an_empty_form_reports_every_required_field(hospital: Hospital, thing: Thing) -> None:
    made = create(hospital, thing)
    before = hospital.rows()
    for method, path in (("POST", thing.path), ("PUT", f"{thing.path}/{made['id']}")):
        for empty in ({}, dict.fromkeys(thing.form), dict.fromkeys(thing.form, "")):
            assert refused(hospital.admin.call(method, path, empty)) == [(name, "required") for name in thing.required]
    assert hospital.rows() == before


@ON_EVERY_DATABASE
@EVERY_THING
def test_every_error_is_reported_at_once(hospital: Hospital, thing: Thing) -> None:
    made = create(hospital, thing)
    before = hospital.rows()
    reported = [(name, code) for name, (_, code) in sorted(thing.wrong.items())]
    faults = {name: value for name, (value, _) in thing.wrong.items()}
    for method, path in (("POST", thing.path), ("PUT", f"{thing.path}/{made['id']}")):
        answer = hospital.admin.speaking("en").call(method, path, thing.form | faults)
        assert sorted(refused(answer), key=str) == reported
        assert answer.json()["message"] == [error["message"] for error in answer.json()["errors"]]
    assert hospital.rows() == before


@EVERY_THING
def test_texts_are_trimmed(hospital: Hospital, thing: Thing) -> None:
    blanks = {
        name: f" \t{value}\n " for name, value in thing.form.items() if isinstance(value, str) and "date" not in name
    }
    assert as_sent(thing, create(hospital, thing, **blanks)) == thing.form


@EVERY_THING
def test_a_read_thing_can_be_saved_unchanged(hospital: Hospital, thing: Thing) -> None:
    made = create(hospital, thing)
    before = hospital.rows()
    assert hospital.admin.put(f"{thing.path}/{made['id']}", made).json() == made
    assert hospital.rows() == before


# --- unique fields ---------------------------------------------------------------------------------------------------

UNIQUE = [
    (AREA, "name", "PEDIATRÍA"),
    (CATEGORY, "code", "lab-03"),
    (PRODUCT, "code", "s-16"),
    (PRODUCT, "gtin", "9506000134352"),
    (PATIENT, "record_number", "hc-77"),
]


@ON_EVERY_DATABASE
@pytest.mark.parametrize(("thing", "name", "same"), UNIQUE, ids=lambda value: str(value))
def test_unique_fields_ignore_case(hospital: Hospital, thing: Thing, name: str, same: str) -> None:
    first = create(hospital, thing)
    others = {unique: None for each, unique, _ in UNIQUE if each is thing and unique != name}
    free = {"name": "Otra"} if thing is AREA else {"code": "OTRO"} if thing is CATEGORY else {name: None}
    second = create(hospital, thing, **others, **free)
    before = hospital.rows()
    taken = thing.form | others | {name: f" {same} "}
    assert refused(hospital.admin.post(thing.path, taken)) == [(name, "taken")]
    assert refused(hospital.admin.put(f"{thing.path}/{second['id']}", taken)) == [(name, "taken")]
    assert hospital.rows() == before
    # The own value is not a duplicate, and its case may change.
    assert hospital.admin.put(f"{thing.path}/{first['id']}", taken).json()[name] == same


@pytest.mark.parametrize(
    ("thing", "name", "typed", "in_spanish", "in_english"),
    [
        (AREA, "name", "PEDIATRÍA", "un área llamada «PEDIATRÍA»: cambie «Nombre».", "an area called “PEDIATRÍA”"),
        (
            CATEGORY,
            "code",
            "lab-03",
            "una categoría con el código «lab-03»: cambie «Código».",
            "a category with the code",
        ),
        (
            PRODUCT,
            "code",
            "s-16",
            "un producto con el código «s-16»: cambie «Código».",
            "a product with the code “s-16”",
        ),
        (
            PRODUCT,
            "gtin",
            "9506000134352",
            "un producto con el GTIN «9506000134352»: cambie «GTIN».",
            "a product with the GTIN “9506000134352”",
        ),
        (
            PATIENT,
            "record_number",
            "hc-77",
            "un paciente con el número de expediente «hc-77»: cambie «Número de expediente».",
            "a patient with the record number “hc-77”",
        ),
    ],
)
def test_a_duplicate_is_named_with_its_noun_and_typed_value(
    hospital: Hospital, thing: Thing, name: str, typed: str, in_spanish: str, in_english: str
) -> None:
    create(hospital, thing)
    others = {unique: None for each, unique, _ in UNIQUE if each is thing and unique != name}
    taken = thing.form | others | {name: typed}
    assert hospital.admin.post(thing.path, taken).json()["message"] == [f"Ya existe {in_spanish}"]
    (english,) = hospital.admin.speaking("en").post(thing.path, taken).json()["message"]
    assert english.startswith(f"There is already {in_english}")


@ON_EVERY_DATABASE
def test_invalid_text_is_refused_before_checking_duplicates(hospital: Hospital) -> None:
    for thing, name, same in UNIQUE:
        for text, code in ((f"{same}\x00", "text.unwritable"), ("x" * 100_000, "text.too_long")):
            assert refused(hospital.admin.post(thing.path, thing.form | {name: text})) == [(name, code)]
    for path, body in (("/api/auth/register-by-admin", {"role": "1"}), (f"/api/users/{hospital.admin.user_id}", {})):
        method = "POST" if body else "PUT"
        body = body | {"email": "a\x00b@hospital.test", "current_password": PASSWORD}
        answer = hospital.admin.call(method, path, body)
        assert refused(answer) == [("email", "text.unwritable")]


# --- things in use ---------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_thing_in_use_is_not_deleted_and_its_uses_are_counted(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for _ in range(2):
        hospital.add_detail(sheet, by=hospital.nurse)
    before = hospital.rows()
    answer = hospital.supervisor.speaking("en").delete(f"/api/products/{hospital.gauze}")
    assert refused(answer) == [(None, "in_use")]
    assert answer.json()["message"] == ["Can’t be deleted: other data depends on it (2)."]
    assert hospital.rows() == before


# --- inactive things -------------------------------------------------------------------------------------------------


def test_a_new_product_or_patient_is_active_by_default(hospital: Hospital) -> None:
    product = hospital.admin.post("/api/products", {"name": "Vendas", "price": 1, "category_id": 1}).json()
    patient = hospital.admin.post("/api/patients", {"name": "Luz", "first_surname": "Soto"}).json()
    assert product["active"] is True
    assert patient["active"] == 1


# --- products --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "kept"),
    [
        (b"0", "0.00"),
        (b"0.005", "0.01"),
        (b"2.675", "2.68"),
        (b"1e2", "100.00"),
        (b"999999999.99", "999999999.99"),
        (b"999999999.994", "999999999.99"),
    ],
)
def test_a_price_is_rounded_half_up_to_cents(hospital: Hospital, price: bytes, kept: str) -> None:
    answer = hospital.admin.post("/api/products", b'{"name": "Venda", "category_id": 1, "price": %s}' % price)
    assert str(exact(answer)["price"]) == kept


@pytest.mark.parametrize(
    ("price", "code"),
    [
        (b"999999999.995", "money.too_large"),
        (b"1e400", "money.too_large"),
        (b"-0.01", "negative"),
        (b'"3.20"', "number.expected"),
        (b"true", "number.expected"),
        (b"null", "required"),
    ],
)
def test_an_invalid_price_is_refused(hospital: Hospital, price: bytes, code: str) -> None:
    answer = hospital.admin.post("/api/products", b'{"name": "Venda", "category_id": 1, "price": %s}' % price)
    assert refused(answer) == [("price", code)]


@pytest.mark.parametrize("gtin", ["96385074", "036000291452", "9506000134352", "10012345678902"])
def test_a_gtin_has_8_12_13_or_14_digits(hospital: Hospital, gtin: str) -> None:
    assert create(hospital, PRODUCT, gtin=gtin)["gtin"] == gtin


@pytest.mark.parametrize("gtin", ["96385075", "036000291453", "1", "9506 000134352", "٩٥٠٦٠٠٠١٣٤٣٥٢", "950600013435X"])
def test_a_gtin_with_a_wrong_check_digit_is_refused(hospital: Hospital, gtin: str) -> None:
    assert refused(hospital.admin.post("/api/products", PRODUCT.form | {"gtin": gtin})) == [("gtin", "gtin.invalid")]


# --- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thing", [PATIENT, STAFF], ids=str)
def test_a_birth_date_is_not_after_the_hospitals_today(timed_hospital: Hospital, thing: Thing) -> None:
    hospital = timed_hospital
    today = day_of(hospital.clock(), ZONE)
    made = create(hospital, thing, date_of_birth=today.isoformat())
    tomorrow = thing.form | {"record_number": None, "date_of_birth": (today + timedelta(days=1)).isoformat()}
    assert refused(hospital.admin.post(thing.path, tomorrow)) == [("date_of_birth", "date.in_future")]
    changed = hospital.admin.put(f"{thing.path}/{made['id']}", tomorrow)
    assert refused(changed) == [("date_of_birth", "date.in_future")]


@pytest.mark.parametrize("thing", [PATIENT, STAFF], ids=str)
def test_the_time_of_a_birth_date_is_dropped(hospital: Hospital, thing: Thing) -> None:
    made = create(hospital, thing, date_of_birth="1958-07-30T23:59:59.000Z")
    assert made["date_of_birth"] == "1958-07-30"


def test_the_user_of_a_staff_member_cannot_be_set(hospital: Hospital) -> None:
    made = create(hospital, STAFF, user_id=hospital.newcomer.user_id)
    assert made["user_id"] is None
    known = hospital.admin.get(f"/api/staff/{hospital.nurse.staff_id}").json()
    kept = hospital.admin.put(f"/api/staff/{hospital.nurse.staff_id}", known | {"user_id": 0})
    assert kept.json()["user_id"] == hospital.nurse.user_id


def test_staff_without_a_user_can_be_listed(hospital: Hospital) -> None:
    made = create(hospital, STAFF)
    unassigned = hospital.supervisor.get("/api/staff?unassigned=true").json()["items"]
    assert [each["id"] for each in unassigned] == [made["id"]]
