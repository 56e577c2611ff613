"""The reconciliation with a store's file, as an answer and as a workbook."""

from typing import Any
from urllib.parse import quote

from tests.http.accounts.signed_in import audit
from tests.http.files.workbooks import table_of, workbook_of
from tests.http.hospital import Hospital, refused

RECONCILIATION = "/api/reports/reconciliation"
WORKBOOK = f"{RECONCILIATION}/workbook"


def area_of(hospital: Hospital, area_id: int) -> str:
    return str(hospital.admin.get(f"/api/areas/{area_id}").json()["name"])


def product_of(hospital: Hospital, product_id: int) -> Any:
    return hospital.admin.get(f"/api/products/{product_id}").json()


def file_for(hospital: Hospital) -> bytes:
    """Return a file with 5 of gauze, an unknown product and a row to check."""
    area, gauze = area_of(hospital, hospital.emergency), product_of(hospital, hospital.gauze)["name"]
    rows = [f"{area};{gauze};5", f"{area};Cosa rara;2", f"{area};{gauze};muchas"]
    return "\n".join(["área;producto;cantidad", *rows]).encode()


def asked(hospital: Hospital, path: str, **more: str) -> str:
    day = hospital.admin.get("/api/reports/consumption").json()["period"]["to"]
    query = {"from": day, "to": day} | more
    return path + "?" + "&".join(f"{name}={quote(value)}" for name, value in query.items())


def used(hospital: Hospital) -> Hospital:
    """Record 2 of gauze in the emergency room."""
    sheet = hospital.open_sheet()
    hospital.add_detail(sheet, product_id=hospital.gauze, area_id=hospital.emergency, quantity=2)
    return hospital


def test_the_answer_compares_file_and_records(hospital: Hospital) -> None:
    used(hospital)
    answer = hospital.supervisor.post(asked(hospital, RECONCILIATION), file_for(hospital))
    assert answer.status_code == 200, answer.text
    found = answer.json()
    area, gauze = area_of(hospital, hospital.emergency), product_of(hospital, hospital.gauze)
    assert [set(item) for item in found["items"]] == [
        {"area_id", "area", "product_id", "code", "product", "unit", "handed_out", "recorded", "difference"}
        | {"treatment", "area_use", "wasted", "returned"}
    ] * 2
    assert [
        (item["area"], item["product"], item["handed_out"], item["recorded"], item["difference"])
        for item in found["items"]
    ] == [(area, gauze["name"], 5, 2, 3), (area, "Cosa rara", 2, None, None)]
    assert [(one["line"], one["counts"], len(one["messages"])) for one in found["doubts"]] == [
        (3, True, 1),
        (4, False, 1),
    ]
    assert "Cosa rara" in found["doubts"][0]["messages"][0]
    assert (found["all_items"], found["all_doubts"], found["counted"], found["left_out"]) == (2, 2, 2, 0)


def test_the_workbook_has_the_answer_and_is_audited(hospital: Hospital) -> None:
    used(hospital)
    answer = hospital.supervisor.post(asked(hospital, WORKBOOK), file_for(hospital))
    book = workbook_of(answer)
    assert book.sheetnames == ["Entregado y registrado", "Por revisar"]
    area, gauze = area_of(hospital, hospital.emergency), product_of(hospital, hospital.gauze)
    table = table_of(answer)
    assert table[3] == (
        *("Área", "Código", "Producto", "Unidad", "Entregado", "Tratamiento", "Gasto del área", "Desechado"),
        *("Devuelto", "Registrado", "Sin explicar"),
    )
    assert table[4:] == [
        (area, gauze["code"], gauze["name"], gauze["unit"], 5, 2, 0, 0, 0, 2, 3),
        (area, None, "Cosa rara", None, 2, *[None] * 4, "No está en Consumo", None),
    ]
    rows = list(book.worksheets[1].iter_rows(values_only=True))
    assert [row[:2] for row in rows] == [("Línea", "Cuenta"), (3, "Sí"), (4, "No")]
    newest = audit(hospital)[0]
    assert (newest["action"], newest["user"]["id"]) == ("consumption.exported", hospital.supervisor.user_id)


def test_a_period_that_ends_before_it_begins_is_refused(hospital: Hospital) -> None:
    answer = hospital.supervisor.post(asked(hospital, RECONCILIATION, to="2020-01-01"), file_for(hospital))
    assert refused(answer) == [("from", "period.reversed")]
