"""Consumption details over HTTP: recording, correcting and voiding."""

from decimal import Decimal

import pytest
from httpx import Response

from domain.common.money import MAX_PRICE, MAX_QUANTITY, line_total
from domain.sheets.anomalies import MEDIAN_RANK
from tests.http.hospital import DETAILS, ON_EVERY_DATABASE, SHEETS, Hospital, exact, refused


def on(sheet: int) -> str:
    return f"{SHEETS}/{sheet}/consumption-details"


# --- recording -------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_recorded_detail_is_returned_with_location_and_etag(hospital: Hospital) -> None:
    sheet, staff = hospital.open_sheet(), hospital.nurse.staff_id
    body = {"product_id": hospital.cannula, "quantity": 1.5, "staff_id": staff, "area_id": hospital.theatre}
    answer = hospital.supervisor.post(on(sheet), body)
    assert answer.status_code == 201
    detail = exact(answer)
    assert detail == {
        "id": detail["id"],
        "consumption_sheet_id": sheet,
        "product_id": hospital.cannula,
        "product": {
            "id": hospital.cannula,
            "code": "C-7",
            "unit": None,
            "name": "Cánula nasal",
            "price": Decimal("0.35"),
            "gtin": "4006381333931",
            "implant": False,
            "category": {"id": hospital.tubes, "code": "SON-02", "name": "Sondas"},
        },
        "staff_id": staff,
        "staff": {"id": staff, "name": "Pilar", "first_surname": "Ríos", "second_surname": None},
        "user_id": hospital.supervisor.user_id,
        "area_id": hospital.theatre,
        "area": {"id": hospital.theatre, "name": "Quirófano"},
        "quantity": Decimal("1.500"),
        "unit_price": Decimal("0.35"),
        "total": Decimal("0.53"),
        "use_reason": None,
        "unbilled": None,
        "created_at": detail["created_at"],
        "occurred_at": None,
        "day": detail["day"],
        "room_id": detail["room_id"],
        "acknowledged": [],
        "recall_reason": None,
        "form_id": None,
        "implant_reason": None,
        "gtin": None,
        "lot": None,
        "expiry": None,
        "serial": None,
        "kit_id": None,
        "kit": None,
        "returned": 0,
        "corrected_from": None,
        "version": 1,
    }
    assert detail["created_at"].endswith("Z")
    assert answer.headers["location"] == f"{DETAILS}/{detail['id']}"
    assert answer.headers["etag"] == '"1"'
    again = hospital.supervisor.get(answer.headers["location"])
    assert again.status_code == 200
    assert again.headers["etag"] == '"1"'
    assert exact(again) == detail


def test_the_time_of_use_has_its_offset(hospital: Hospital) -> None:
    sheet = hospital.open_sheet(admission_date="2020-01-01")
    body = {"product_id": hospital.gauze, "quantity": 1}
    answer = hospital.supervisor.post(on(sheet), body | {"occurred_at": "2026-01-02T01:30:00-06:00"})
    assert (answer.json()["occurred_at"], answer.json()["day"]) == ("2026-01-02T07:30:00Z", "2026-01-02")
    for wrong in ("2026-01-02T01:30:00", "2026-01-02", "yesterday", 7, "0001-01-01T00:00:00+14:00"):
        answer = hospital.supervisor.post(on(sheet), body | {"occurred_at": wrong})
        assert refused(answer) == [("occurred_at", "moment.expected")]


def test_a_question_is_marked_and_answered_with_its_code(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    body = {"product_id": hospital.gauze, "quantity": 1, "occurred_at": "2020-01-01T12:00:00Z"}
    asked = hospital.supervisor.post(on(sheet), body)
    [error] = asked.json()["errors"]
    assert (error["field"], error["code"], error["acknowledgeable"]) == ("occurred_at", "moment.before_admission", True)
    answer = hospital.supervisor.post(on(sheet), body | {"acknowledged": [error["code"]]})
    assert (answer.status_code, answer.json()["acknowledged"]) == (201, [error["code"]])
    [error] = hospital.supervisor.post(on(sheet), body | {"quantity": -1, "acknowledged": [error["code"]]}).json()[
        "errors"
    ]
    assert "acknowledgeable" not in error
    for wrong in ("moment.before_admission", [7], {"code": "moment.before_admission"}):
        answer = hospital.supervisor.post(on(sheet), body | {"acknowledged": wrong})
        assert ("acknowledged", "text.expected") in refused(answer)


# --- quantities far above the usual ----------------------------------------------------------------------------------


def make_usual(hospital: Hospital, sheet: int) -> None:
    """Record the gauze often enough for a quantity of 1 to be usual."""
    items = [{"product_id": hospital.gauze, "quantity": 1}] * MEDIAN_RANK
    assert hospital.supervisor.post(f"{on(sheet)}/several", {"items": items}).status_code == 201


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", "12 es mucho: lo habitual es 1. ¿Es correcto?"),
        ("en", "12 is a lot: usually 1. Is that right?"),
    ],
)
def test_acknowledging_clients_are_asked_about_large_quantities(hospital: Hospital, language: str, words: str) -> None:
    sheet, nurse = hospital.open_sheet(), hospital.nurse.speaking(language)
    make_usual(hospital, sheet)
    body = {"product_id": hospital.gauze, "quantity": 12, "acknowledged": []}
    question = {"code": "quantity.far_out", "message": words, "acknowledgeable": True}
    asked = nurse.post(on(sheet), body)
    assert (asked.status_code, asked.json()["errors"]) == (422, [{"field": "quantity", **question}])
    asked = nurse.post(f"{on(sheet)}/several", {"items": [body | {"quantity": 1}, body]})
    assert [(error["field"], error["code"]) for error in asked.json()["errors"]] == [
        ("items.1.quantity", "quantity.far_out")
    ]
    answer = nurse.post(on(sheet), body | {"acknowledged": ["quantity.far_out"]})
    assert (answer.status_code, answer.json()["acknowledged"]) == (201, ["quantity.far_out"])
    assert not [one for one in answer.json().get("warnings", []) if one["code"] == "quantity.far_out"]


@pytest.mark.parametrize("more", [{}, {"acknowledged": None}], ids=["absent", "null"])
def test_other_clients_are_warned_about_large_quantities(hospital: Hospital, more: dict[str, object]) -> None:
    sheet, body = hospital.open_sheet(), {"product_id": hospital.gauze, "quantity": 12, **more}
    make_usual(hospital, sheet)
    warning = {
        "code": "quantity.far_out",
        "quantity": Decimal(12),
        "usual_quantity": Decimal(1),
        "message": "12 es mucho: lo habitual es 1. ¿Es correcto?",
    }

    def warned(answer: Response) -> list[dict[str, object]]:
        assert answer.status_code in (200, 201)
        return [one for one in exact(answer).get("warnings", []) if one["code"] == "quantity.far_out"]

    recorded = hospital.nurse.post(on(sheet), body)
    assert warned(recorded) == [warning]
    several = hospital.nurse.post(f"{on(sheet)}/several", {"items": [body]})
    assert [(one["field"], one["quantity"]) for one in warned(several)] == [("items.0", 12)]
    line = f"{DETAILS}/{recorded.json()['id']}"
    assert [one["quantity"] for one in warned(hospital.supervisor.put(line, body | {"quantity": 13}))] == [13]
    assert [one["quantity"] for one in warned(hospital.nurse.post(f"{line}/correct", {"quantity": 14, **more}))] == [14]


def test_the_question_about_a_total_has_two_decimals(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    hospital.set_price(hospital.gauze, "600.50")
    body = {"product_id": hospital.gauze, "quantity": 2, "acknowledged": []}
    [error] = hospital.supervisor.post(on(sheet), body).json()["errors"]
    assert error["message"] == "Con 2, esta línea suma 1.201,00. ¿Es correcto?"
    assert hospital.nurse.post(on(sheet), body).status_code == 201


# --- correcting a quantity -------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_quantity_is_corrected_in_one_call(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet, by=hospital.nurse, quantity=650)
    path, body = f"{DETAILS}/{line['id']}/correct", {"quantity": 65}
    assert hospital.nurse.post(path, body, if_match='"9"').status_code == 412
    answer = hospital.nurse.post(path, body, if_match='"1"', idempotency_key="k")
    assert answer.status_code == 201
    corrected = exact(answer)
    assert (corrected["quantity"], corrected["corrected_from"]) == (65, 650)
    assert (answer.headers["location"], answer.headers["etag"]) == (f"{DETAILS}/{corrected['id']}", '"1"')
    again = hospital.nurse.post(path, body, if_match='"1"', idempotency_key="k")
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert exact(again) == corrected
    assert hospital.nurse.get(f"{DETAILS}/{line['id']}").status_code == 404
    [struck] = hospital.nurse.get(f"{on(sheet)}?voided=only").json()["items"]
    assert (struck["id"], struck["voided"]["reason"]) == (line["id"], "Cantidad corregida")
    assert hospital.sheet(sheet)["total"] == Decimal("162.50")


def test_the_reason_of_a_correction_uses_the_callers_language(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet, by=hospital.nurse)
    assert hospital.nurse.speaking("en").post(f"{DETAILS}/{line['id']}/correct", {"quantity": 9}).status_code == 201
    [struck] = hospital.nurse.get(f"{on(sheet)}?voided=only").json()["items"]
    assert struck["voided"]["reason"] == "Quantity corrected"


def test_an_impossible_correction_is_refused_in_a_sentence(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    line = hospital.add_detail(sheet, by=hospital.nurse, quantity=2)
    path = f"{DETAILS}/{line['id']}/correct"
    for quantity, code, words in (
        (0, "quantity.zero", "Borre la línea si no se usó nada: una corrección no admite 0 en «Cantidad»."),
        (2, "quantity.same", "Escriba otra cantidad en «Cantidad»: la línea ya tiene 2."),
    ):
        answer = hospital.nurse.post(path, {"quantity": quantity})
        assert refused(answer) == [("quantity", code)]
        assert answer.json()["message"] == [words]
    for wrong in ({}, {"quantity": None}, {"quantity": "7"}, {"quantity": -1}, {"quantity": 7, "acknowledged": "x"}):
        assert hospital.nurse.post(path, wrong).status_code == 422
    assert hospital.nurse.post(f"{DETAILS}/999/correct", {"quantity": 7}).status_code == 404
    others = hospital.add_detail(sheet)["id"]
    assert refused(hospital.nurse.post(f"{DETAILS}/{others}/correct", {"quantity": 7})) == [(None, "detail.not_own")]
    hospital.close(sheet)
    assert refused(hospital.nurse.post(path, {"quantity": 7})) == [(None, "sheet.closed")]


def test_the_path_overrides_the_body(hospital: Hospital) -> None:
    sheet, other = hospital.open_sheet(), hospital.open_sheet()
    for named in (other, 999, 0, "", None):
        assert hospital.add_detail(sheet, consumption_sheet_id=named)["consumption_sheet_id"] == sheet
    assert hospital.sheet(other)["total"] == 0


def test_an_unknown_sheet_is_404_in_the_path_and_422_in_the_body(hospital: Hospital) -> None:
    body = {"product_id": hospital.gauze, "quantity": 1}
    for unknown in (999, 2**63 - 1, 2**63, 2**80):
        assert hospital.nurse.post(on(unknown), body).status_code == 404
        answer = hospital.nurse.post(DETAILS, body | {"consumption_sheet_id": unknown})
        assert refused(answer) == [("consumption_sheet_id", "reference.unknown")]
    assert refused(hospital.nurse.post(DETAILS, body | {"consumption_sheet_id": -1})) == [
        ("consumption_sheet_id", "reference.unknown")
    ]
    for missing in (0, "", None):
        answer = hospital.nurse.post(DETAILS, body | {"consumption_sheet_id": missing})
        assert refused(answer) == [("consumption_sheet_id", "required")]


def test_valid_quantities_are_accepted(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for quantity in ("0", "0.0", "-0", "0.001", "1.000", "2e0", "1E-3", "9999.999", "1.5000"):
        body = f'{{"product_id": {hospital.gauze}, "quantity": {quantity}}}'.encode()
        answer = hospital.nurse.post(on(sheet), body)
        assert answer.status_code == 201, answer.text
        assert exact(answer)["quantity"] == Decimal(quantity)


def test_invalid_quantities_are_refused(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    before = hospital.rows()
    for code, quantities in {
        "required": ["null", '""'],
        "negative": ["-0.001", "-1e400"],
        "quantity.too_fine": ["0.0001", "1e-400"],
        "quantity.too_large": ["10000", "9999.9991", "1e400", "9" * 400],
        "number.expected": ['"2"', "true", "[1]", '{"value": 1}'],
    }.items():
        for quantity in quantities:
            body = f'{{"product_id": {hospital.gauze}, "quantity": {quantity}}}'.encode()
            assert refused(hospital.nurse.post(on(sheet), body)) == [("quantity", code)], quantity
    assert hospital.rows() == before


def test_the_largest_amounts_are_exact(hospital: Hospital) -> None:
    hospital.set_price(hospital.gauze, str(MAX_PRICE))
    sheet = hospital.open_sheet()
    for count in range(1, 13):
        hospital.add_detail(sheet, quantity=float(MAX_QUANTITY))
        assert hospital.sheet(sheet)["total"] == count * line_total(MAX_PRICE, MAX_QUANTITY)


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        (
            "es",
            {
                "consumption_sheet_id": "Complete el campo «Hoja de consumo».",
                "product_id": "Elija otro valor en «Producto»: ese no existe.",
                "quantity": "En «Cantidad» escriba un número mayor o igual que 0.",
                "staff_id": "Escriba un número entero en «Personal».",
                "area_id": "Elija otro valor en «Área»: ese no existe.",
                "total": "Escriba un número en «Total».",
            },
        ),
        (
            "en",
            {
                "consumption_sheet_id": "Fill in “Consumption sheet”.",
                "product_id": "Choose another value in “Product”: that one doesn’t exist.",
                "quantity": "Enter 0 or more in “Quantity”.",
                "staff_id": "Enter a whole number in “Staff member”.",
                "area_id": "Choose another value in “Area”: that one doesn’t exist.",
                "total": "Enter a number in “Total”.",
            },
        ),
    ],
)
def test_every_error_of_a_detail_is_reported_at_its_field(
    hospital: Hospital, language: str, messages: dict[str, str]
) -> None:
    body = {"product_id": 999, "quantity": -1, "staff_id": "Pilar", "area_id": 999, "total": "5"}
    answer = hospital.supervisor.speaking(language).post(DETAILS, body)
    assert answer.status_code == 422
    problem = answer.json()
    assert {error["field"]: error["message"] for error in problem["errors"]} == messages
    assert sorted(problem["message"]) == sorted(messages.values())


# --- recording several ------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_several_details_are_returned_as_they_are_read_later(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    items = [
        {"product_id": hospital.cannula, "quantity": 1.5, "area_id": hospital.theatre},
        {"product_id": hospital.gauze, "quantity": 2, "total": 999, "consumption_sheet_id": 999},
    ]
    answer = hospital.supervisor.post(f"{on(sheet)}/several", {"items": items})
    assert answer.status_code == 201, answer.text
    recorded = exact(answer)["items"]
    assert recorded == [hospital.detail(one["id"]) for one in recorded]
    assert [one["total"] for one in recorded] == [Decimal("0.53"), Decimal("5.00")]
    assert hospital.sheet(sheet)["total"] == Decimal("5.53")


@ON_EVERY_DATABASE
def test_one_invalid_item_refuses_all_and_is_named_by_position(hospital: Hospital) -> None:
    right = {"product_id": hospital.gauze, "quantity": 2}
    items = [right, right | {"quantity": "2"}, right, right | {"product_id": 999, "quantity": -1}]
    path = f"{on(hospital.open_sheet())}/several"
    before = hospital.rows()
    answer = hospital.nurse.speaking("en").post(path, {"items": items})
    assert refused(answer) == [
        ("items.1.quantity", "number.expected"),
        ("items.3.quantity", "negative"),
        ("items.3.product_id", "reference.unknown"),
    ]
    assert answer.json()["message"] == [
        "Line 2: Enter a number in “Quantity”.",
        "Line 4: Enter 0 or more in “Quantity”.",
        "Line 4: Choose another value in “Product”: that one doesn’t exist.",
    ]
    assert answer.json()["errors"][0]["message"] == "Enter a number in “Quantity”."
    assert hospital.rows() == before


@pytest.mark.parametrize(
    ("items", "code"),
    [
        (None, "required"),
        ([], "required"),
        ("x", "items.expected"),
        ({"product_id": 1}, "items.expected"),
        ([1], "items.expected"),
        ([[]], "items.expected"),
        ([{}] * 101, "items.too_many"),
    ],
)
def test_a_batch_holds_1_to_100_objects(hospital: Hospital, items: object, code: str) -> None:
    answer = hospital.nurse.post(f"{on(hospital.open_sheet())}/several", {"items": items})
    assert refused(answer) == [("items", code)]


# --- staff, user and area --------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_the_recorder_is_always_the_caller(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for caller in (hospital.nurse, hospital.supervisor, hospital.admin):
        detail = hospital.add_detail(sheet, by=caller, user_id=hospital.colleague.user_id)
        assert detail["user_id"] == caller.user_id


def test_a_supervisor_records_for_anyone_or_without_staff(hospital: Hospital) -> None:
    sheet, colleague = hospital.open_sheet(), hospital.colleague.staff_id
    assert hospital.add_detail(sheet, by=hospital.supervisor, staff_id=colleague)["staff_id"] == colleague
    for none in (0, "", None):
        detail = hospital.add_detail(sheet, by=hospital.supervisor, staff_id=none)
        assert (detail["staff_id"], detail["staff"]) == (None, None)
    answer = hospital.supervisor.post(on(sheet), {"product_id": hospital.gauze, "quantity": 1, "staff_id": 999})
    assert refused(answer) == [("staff_id", "reference.unknown")]


def test_0_and_an_empty_text_mean_no_area(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    for none in (0, "", None):
        detail = hospital.add_detail(sheet, area_id=none, user_id=none)
        assert (detail["area_id"], detail["area"]) == (None, None)


# --- correcting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "kept"), [("7.77", "7.77"), ("0", "0.00"), ("1.005", "1.01"), ("1.0049", "1.00")])
def test_a_total_in_the_body_is_stored(hospital: Hospital, sent: str, kept: str) -> None:
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet, quantity=1)
    detail = hospital.add_detail(sheet, quantity=2)
    body = f'{{"product_id": {hospital.gauze}, "quantity": 3, "total": {sent}}}'.encode()
    edited = exact(hospital.supervisor.put(f"{DETAILS}/{detail['id']}", body))
    assert (edited["total"], edited["unit_price"]) == (Decimal(kept), Decimal("2.50"))
    assert hospital.sheet(sheet)["total"] == Decimal(kept) + Decimal("2.50")


def test_without_a_total_it_is_computed_again(hospital: Hospital) -> None:
    detail = f"{DETAILS}/{hospital.add_detail(hospital.open_sheet(), quantity=2)['id']}"
    body = {"product_id": hospital.gauze, "quantity": 2}
    hospital.supervisor.put(detail, body | {"total": 1})
    for none in ({}, {"total": None}, {"total": ""}):
        assert exact(hospital.supervisor.put(detail, body | none))["total"] == Decimal("5.00")


def test_invalid_totals_are_refused(hospital: Hospital) -> None:
    detail = hospital.add_detail(hospital.open_sheet(), quantity=2)
    body = {"product_id": hospital.gauze, "quantity": 2}
    refusals: dict[str, list[object]] = {
        "negative": [-0.01, -(10**30)],
        "money.too_large": [10_000_000_000_000, 10**30],
        "number.expected": ["1", False, []],
    }
    for code, totals in refusals.items():
        for total in totals:
            answer = hospital.supervisor.put(f"{DETAILS}/{detail['id']}", body | {"total": total})
            assert refused(answer) == [("total", code)], total
    assert hospital.detail(detail["id"]) == detail


# --- voiding ---------------------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_an_outdated_version_of_a_detail_is_412(hospital: Hospital, method: str) -> None:
    body = {"product_id": hospital.gauze, "quantity": 1}
    detail = f"{DETAILS}/{hospital.add_detail(hospital.open_sheet())['id']}"
    seen = hospital.admin.get(detail).headers["etag"]
    now = hospital.supervisor.put(detail, body, if_match=seen).headers["etag"]
    before = hospital.rows()
    sent = body if method == "PUT" else None
    assert hospital.admin.call(method, detail, sent, if_match=seen).status_code == 412
    assert hospital.rows() == before
    assert hospital.admin.call(method, detail, sent, if_match=f"{seen}, W/{now}").is_success


# --- possible duplicates ---------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_possible_duplicate_is_a_translated_warning(hospital: Hospital) -> None:
    sheet = hospital.open_sheet()
    first = hospital.add_detail(sheet, by=hospital.nurse, quantity=1.5)
    body = {"product_id": hospital.gauze, "quantity": 2}
    answer = hospital.colleague.post(on(sheet), body, idempotency_key="k-1")
    [warning] = exact(answer)["warnings"]
    assert warning == {
        "code": "detail.repeated",
        "message": "¿Repetido? Pilar Ríos registró 1,5 Gasa estéril · G-100 recién.",
        "detail_id": first["id"],
        "by": "Pilar Ríos",
        "product": "Gasa estéril · G-100",
        "quantity": Decimal("1.500"),
        "at": first["created_at"],
        "minutes": 0,
    }
    again = hospital.colleague.speaking("en").post(on(sheet), body, idempotency_key="k-1")
    said = "Repeated? Pilar Ríos recorded {} Gasa estéril · G-100 just now."
    assert again.json()["warnings"][0]["message"] == said.format("1.5")
    several = hospital.colleague.speaking("en").post(f"{on(sheet)}/several", {"items": [body]}).json()
    assert [one["message"] for one in several["warnings"]] == [said.format("2")]
    assert "warnings" not in hospital.colleague.get(f"{DETAILS}/{first['id']}").json()
