"""Imports over HTTP: reading a file, check, import, progress and undo."""

import csv
import io
import json
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
from httpx import Response

from adapters.http.requests import upload
from adapters.http.responses.import_report import MAX_REPORTED_ROWS
from adapters.http.workers.fair_queue import LONG_WORK, Owner
from application.imports.reading.table import MAX_FILE_BYTES
from tests.http.hospital import (
    ON_EVERY_DATABASE,
    SECRET_KEY,
    Caller,
    Hospital,
    hospital_on,
    refused,
)
from tests.pace import PATIENCE
from tests.servers import Server
from tests.spreadsheets.workbooks import xls

IMPORTS = "/api/imports"
PRICES = "Clave;Descripción;Precio\n1;Gasa simple;1,50\n2;Cánula;2,50\n"
UNCLEAR = "Clave;Descripción;Precio\n1;Gasa simple;1.234\n2;Cánula;2.500\n"


@pytest.fixture(autouse=True)
def folder(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Directory for temporary files; fails if a request leaves one behind."""
    assert database
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def send(caller: Caller, path: str, content: str | bytes, *mapping: str, **asked: object) -> Response:
    body = content if isinstance(content, bytes) else content.encode()
    query = urlencode([*asked.items(), *(("mapping", pair) for pair in mapping)])
    return caller.post(f"{IMPORTS}{path}?{query}", body, content_type="application/octet-stream")


def read(caller: Caller, content: str | bytes, *mapping: str, **asked: object) -> dict[str, Any]:
    answer = send(caller, "/read", content, *mapping, **asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["reading"])


def lines(answer: Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def report(answer: Response) -> dict[str, Any]:
    return dict(lines(answer)[-1]["report"])


def bring_in(caller: Caller, content: str | bytes, *mapping: str, noun: str = "products", **asked: object) -> Any:
    return report(send(caller, "", content, *mapping, **{"noun": noun, "file_name": "lista.csv"} | asked))


def counts(reported: dict[str, Any]) -> tuple[int, ...]:
    return tuple(reported[name] for name in ("created", "changed", "unchanged", "refused"))


def setting(reading: dict[str, Any], about: str) -> dict[str, Any]:
    return dict(next(one for one in reading["settings"] if one["about"] == about))


def named(reading: dict[str, Any], name: str) -> dict[str, Any]:
    return dict(next(one for one in reading["fields"] if one["name"] == name))


def many(count: int, *, price: str = "2.50") -> str:
    return "code;name;price\n" + "".join(f"P{number};Gasa {number};{price}\n" for number in range(count))


# --- reading a file --------------------------------------------------------------------------------------------------


def test_every_setting_of_a_file_is_detected_with_its_reason(hospital: Hospital) -> None:
    answer = send(hospital.supervisor, "/read", PRICES.encode("cp1252")).json()
    assert answer["nouns"] == ["products"]
    reading = answer["reading"]
    assert (reading["noun"], reading["rows"], reading["unanswered"]) == ("products", 2, 0)
    assert reading["columns"] == ["Clave", "Descripción", "Precio"]
    assert setting(reading, "encoding")["value"] == "windows-1252"
    assert setting(reading, "encoding")["reason"].startswith("Los caracteres se leen como Windows-1252: la línea 1")
    assert {"value": "cp850", "label": "CP850"} in setting(reading, "encoding")["options"]
    assert setting(reading, "separator")["value"] == "semicolon"
    assert setting(reading, "header_row")["value"] == "1"
    assert setting(reading, "header_row")["options"][:2] == [
        {"value": "0", "label": "Sin encabezado"},
        {"value": "1", "label": "Línea 1: Clave · Descripción · Precio"},
    ]
    assert setting(reading, "decimal")["value"] == "comma"
    assert reading["notes"] == ["Es un archivo de texto."]
    price = named(reading, "price")
    assert (price["label"], price["kind"], price["needed"], price["column"]) == ("Precio", "money", True, "Precio")
    assert price["reason"] == "«Precio» viene de la columna «Precio», que tiene ese nombre."
    assert reading["sample"][0] == {
        "line": 2,
        "cells": ["1", "Gasa simple", "1,50"],
        "read": {"code": "1", "name": "Gasa simple", "price": "1.50"},
        "wrong": {},
    }


def test_file_findings_use_the_callers_language(hospital: Hospital) -> None:
    reading = read(hospital.supervisor.speaking("en"), UNCLEAR)
    assert reading["notes"] == ["It is a text file."]
    assert setting(reading, "decimal")["question"].startswith("Which decimal separator?")
    assert named(reading, "price")["label"] == "Price"


def test_an_ambiguous_decimal_separator_is_asked_and_answered(hospital: Hospital) -> None:
    reading = read(hospital.supervisor, UNCLEAR)
    decimal = setting(reading, "decimal")
    assert (reading["unanswered"], decimal["value"], decimal["reason"]) == (1, None, None)
    assert decimal["question"] == "¿Cuál es el separador decimal? «1.234» se puede leer de dos maneras."
    assert decimal["options"] == [{"value": "point", "label": "punto"}, {"value": "comma", "label": "coma"}]
    # A value is not shown while its reading is uncertain.
    assert [row["read"] for row in reading["sample"]] == [
        {"code": "1", "name": "Gasa simple"},
        {"code": "2", "name": "Cánula"},
    ]
    for path in ("", "/check", "/refused-rows"):
        answer = send(hospital.supervisor, path, UNCLEAR, noun="products", file_name="x.csv")
        assert refused(answer) == [(None, "import.unanswered")]
    answered = read(hospital.supervisor, UNCLEAR, decimal="comma")
    assert answered["unanswered"] == 0
    assert [row["read"]["price"] for row in answered["sample"]] == ["1234", "2500"]


@pytest.mark.parametrize(
    ("about", "choice"),
    [("encoding", "cp850"), ("separator", "comma"), ("header_row", "0"), ("decimal", "point")],
)
def test_each_choice_reaches_the_reading(hospital: Hospital, about: str, choice: str) -> None:
    """What a choice does is tested in tests/imports and tests/spreadsheets."""
    detected = setting(read(hospital.supervisor, PRICES.encode("cp1252"), noun="products"), about)["value"]
    chosen = setting(read(hospital.supervisor, PRICES.encode("cp1252"), noun="products", **{about: choice}), about)
    assert (chosen["value"], detected != choice) == (choice, True)


def test_a_column_is_chosen_or_left_out(hospital: Hospital) -> None:
    two = "code,name,Lowest Price,Highest Price\n1,Gasa,1.50,2.50\n"
    price = named(read(hospital.supervisor, two), "price")
    assert price["question"] == "¿Qué columna es «Precio»? Hay varias que pueden serlo."
    chosen = read(hospital.supervisor, two, "price=Highest Price", "code=")
    assert [named(chosen, name)["column"] for name in ("price", "code")] == ["Highest Price", None]


def test_a_mapping_accepts_commas_and_equals_signs(hospital: Hospital) -> None:
    reading = read(hospital.supervisor, 'code;name;"a=b, c"\n1;Gasa;2,50\n', "price=a=b, c", noun="products")
    assert named(reading, "price")["column"] == "a=b, c"


def test_an_undetected_kind_of_file_must_be_named(hospital: Hospital) -> None:
    answer = send(hospital.supervisor, "/read", "nombre;apellido\nAna;Soto\n").json()
    assert answer == {"nouns": [], "reading": None}
    named_so = send(hospital.supervisor, "/read", "nombre;apellido\nAna;Soto\n", noun="staff").json()
    assert named_so["reading"]["noun"] == "staff"


def test_the_sample_shows_unreadable_cells(hospital: Hospital) -> None:
    reading = read(hospital.supervisor, "code;name;price\n1;Gasa;=1+1\n2;Tul;dos\n3;Lino;2,50\n")
    assert [row["wrong"] for row in reading["sample"]] == [
        {"price": "Escriba en «Precio» el valor: «=1+1» es una fórmula."},
        {"price": "Escriba un número en «Precio»: «dos» no es un número válido."},
        {},
    ]


def test_the_sheet_of_a_workbook_can_be_chosen(hospital: Hospital, tmp_path: Path) -> None:
    price = [["code", "name", "price"], [1, "Gasa", 1.5]]
    content = xls(tmp_path, sheets={"Enero": price, "Febrero": price}).read_bytes()
    asked = setting(read(hospital.supervisor, content), "sheet")
    assert asked["question"] == "Varias hojas encajan igual: ¿cuál es?"
    assert [option["value"] for option in asked["options"]] == ["Enero", "Febrero"]
    assert setting(read(hospital.supervisor, content, sheet="Febrero"), "sheet")["value"] == "Febrero"
    assert refused(send(hospital.supervisor, "/read", content, sheet="Marzo")) == [("sheet", "file.sheet_unknown")]


# --- checking and importing ------------------------------------------------------------------------------------------


@ON_EVERY_DATABASE
def test_a_check_reports_every_row_and_writes_nothing(hospital: Hospital) -> None:
    known = "code;name;price;categoría\nG-100;Gasa estéril;2.75;Vendajes\nC-7;Cánula nasal;0.35;\n"
    known += "N-1;Tul;x;\nN-2;Lino;4.00;\n"
    before = hospital.rows()
    reported = lines(send(hospital.supervisor, "/check", known, noun="products"))
    assert hospital.rows() == before
    assert reported[0] == {"done": 0, "total": 4}
    done = reported[-1]["report"]
    assert counts(done) == (1, 1, 1, 1)
    assert (done["kept"], done["import_id"], done["also"]) == (False, None, {"categories": 2})
    created, changed, unchanged, wrong = done["rows"]
    assert [row["line"] for row in done["rows"]] == [5, 2, 3, 4]
    assert (created["outcome"], created["label"]) == ("created", "N-2 · Lino · 4.00")
    assert changed["changes"] == [
        {"field": "price", "label": "Precio", "before": "2.50", "after": "2.75"},
        {"field": "category", "label": "Categoría", "before": "Curación", "after": "Vendajes"},
    ]
    assert (unchanged["outcome"], unchanged["changes"]) == ("unchanged", [])
    assert wrong["reasons"] == [
        {
            "field": "price",
            "label": "Precio",
            "value": "x",
            "code": "number.expected",
            "message": "Escriba un número en «Precio»: «x» no es un número válido.",
        }
    ]


@ON_EVERY_DATABASE
def test_an_import_is_stored_once_listed_and_undone(hospital: Hospital) -> None:
    before = hospital.admin.get("/api/products").json()
    done = bring_in(hospital.supervisor, PRICES, file_name=" Precios ñ.csv ")
    assert (counts(done), done["kept"]) == ((2, 0, 0, 0), True)
    # A client whose answer was lost may send the file again: nothing changes.
    again = bring_in(hospital.supervisor, PRICES)
    assert (counts(again), again["kept"], again["import_id"]) == ((0, 0, 2, 0), True, None)

    (listed,) = hospital.admin.get(IMPORTS).json()["items"]
    assert listed == hospital.admin.get(f"{IMPORTS}/{done['import_id']}").json()
    assert (listed["file_name"], listed["noun"], listed["created"]) == ("Precios ñ.csv", "products", 2)
    assert listed["user"]["id"] == hospital.supervisor.user_id

    undone = hospital.admin.post(f"{IMPORTS}/{done['import_id']}/undo")
    assert (undone.status_code, undone.json()["undone_by"]["id"]) == (200, hospital.admin.user_id)
    assert hospital.admin.get("/api/products").json() == before
    assert refused(hospital.admin.post(f"{IMPORTS}/{done['import_id']}/undo")) == [(None, "import.undone")]
    for answer in (hospital.admin.get(f"{IMPORTS}/999"), hospital.admin.post(f"{IMPORTS}/999/undo")):
        assert answer.status_code == 404


def test_a_blocked_undo_is_explained_in_one_sentence(hospital: Hospital) -> None:
    done = bring_in(hospital.supervisor, PRICES)
    product = hospital.admin.get("/api/products?q=Cánula").json()["items"][0]["id"]
    hospital.add_detail(hospital.open_sheet(), product_id=product)
    answer = hospital.supervisor.post(f"{IMPORTS}/{done['import_id']}/undo")
    assert answer.json()["message"] == [
        # Two things are in use: the product, and the category that contains it.
        "No se puede deshacer: parte de lo importado ya se usa (2) o cambió después (0)."
    ]


def test_refused_rows_block_an_import_unless_good_rows_wanted(hospital: Hospital) -> None:
    one_wrong = PRICES + "3;Tul;x\n"
    before = hospital.rows()
    done = bring_in(hospital.supervisor, one_wrong)
    assert (counts(done), done["kept"], done["import_id"]) == ((2, 0, 0, 1), False, None)
    assert hospital.rows() == before
    kept = bring_in(hospital.supervisor, one_wrong, good_rows="true")
    assert (counts(kept), kept["kept"]) == ((2, 0, 0, 1), True)


def test_refused_rows_download_can_be_corrected_and_imported(hospital: Hospital) -> None:
    answer = send(hospital.supervisor, "/refused-rows", PRICES + "3;=Tul;x\n4;Lino;\n", noun="products")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"), newline="")))
    assert rows[0] == ["Clave", "Descripción", "Precio", "Motivos del rechazo"]
    assert rows[1][:3] == ["3", "'=Tul", "x"]
    assert "Escriba un número en «Precio»: «x» no es un número válido." in rows[1][3]
    assert rows[2] == ["4", "Lino", "", "Complete el campo «Precio»."]
    corrected = answer.text.replace("'=Tul,x", "Tul,3.50").replace("Lino,,", "Lino,4.50,")
    assert counts(bring_in(hospital.supervisor, corrected)) == (2, 0, 0, 0)


def test_a_report_holds_the_first_rows_of_each_outcome(hospital: Hospital) -> None:
    some = MAX_REPORTED_ROWS + 5
    wrong = "".join(f"W{number};Tul;x\n" for number in range(some))
    done = report(send(hospital.supervisor, "/check", many(some) + wrong, noun="products"))
    assert counts(done) == (some, 0, 0, some)
    assert [row["outcome"] for row in done["rows"]] == ["created"] * MAX_REPORTED_ROWS + ["refused"] * MAX_REPORTED_ROWS
    long = report(send(hospital.supervisor, "/check", f"code;name;price\n{'x' * 30_000};Tul;1,5\n", noun="products"))
    assert len(long["rows"][0]["label"]) == 200


def told_rows(reported: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Collect the rows of all progress lines; `done: 0` starts over."""
    rows: list[dict[str, Any]] = []
    for line in reported[:-1]:
        rows = [*(rows if line["done"] else ()), *line["rows"]]
        assert len(rows) == line["done"]
    return rows


def test_rows_all_streams_every_row(hospital: Hospital) -> None:
    count = 2 * MAX_REPORTED_ROWS + 1_100
    content = many(count) + "W;Tul;x\n"
    reported = lines(send(hospital.supervisor, "/check", content, noun="products", rows="all"))
    rows = told_rows(reported)
    assert [row["line"] for row in rows] == list(range(2, count + 3))
    assert max(len(line.get("rows", ())) for line in reported) <= 500
    assert rows[0] == {
        "line": 2,
        "outcome": "created",
        "label": "P0 · Gasa 0 · 2.50",
        "cells": ["P0", "Gasa 0", "2.50"],
        "changes": [],
        "reasons": [],
        "warnings": [],
    }
    (wrong,) = rows[-1]["reasons"]
    assert (wrong["field"], wrong["label"], wrong["value"], wrong["code"]) == (
        "price",
        "Precio",
        "x",
        "number.expected",
    )
    # The report is the same with and without `rows=all`: it holds the first rows only.
    assert reported[-1]["report"]["rows"] == [*rows[:MAX_REPORTED_ROWS], rows[-1]]
    others = lines(send(hospital.supervisor, "/check", content, noun="products"))
    assert others[-1] == reported[-1]
    assert all("rows" not in line for line in others)
    done = lines(send(hospital.supervisor, "", many(3), noun="products", rows="all", file_name="x"))
    assert [row["outcome"] for row in told_rows(done)] == ["created"] * 3


def test_rows_are_streamed_again_when_the_data_has_changed(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    still_so = iter((False, True))
    monkeypatch.setattr("application.imports.rows.staged.StagedUnitOfWork.is_unchanged", lambda *_: next(still_so))
    reported = lines(send(hospital.supervisor, "", PRICES, noun="products", rows="all", file_name="x"))
    assert [line["done"] for line in reported[:-1]].count(0) == 2
    assert [row["line"] for row in told_rows(reported)] == [2, 3]
    assert reported[-1]["report"]["kept"]


DOUBTFUL = "Clave;Descripción;Precio\n1;Gasa simple;0,375\n2;Cánula;2,50\n3;Tul; 1,005 \n4;Lino;7,00\n"


@ON_EVERY_DATABASE
def test_warnings_quote_the_file_and_must_be_confirmed(hospital: Hospital) -> None:
    checked = report(send(hospital.supervisor, "/check", DOUBTFUL, noun="products"))
    assert (counts(checked), checked["warned"]) == ((4, 0, 0, 0), 2)
    assert [(row["line"], row["outcome"], row["warnings"]) for row in checked["rows"] if row["warnings"]] == [
        (line, "created", [{"field": "price", "label": "Precio", "value": value, "code": "money.rounded"} | said])
        for line, value, said in (
            (2, "0,375", {"message": "«0,375» se guardaría como 0,38: los precios tienen dos decimales."}),
            (4, "1,005", {"message": "«1,005» se guardaría como 1,01: los precios tienen dos decimales."}),
        )
    ]
    before = hospital.rows()
    unconfirmed = bring_in(hospital.supervisor, DOUBTFUL)
    assert (unconfirmed["kept"], unconfirmed["warnings"]) == (False, checked["warnings"])
    # The confirmation of one file's warnings is not valid for another file's.
    other = DOUBTFUL.replace("0,375", "0,374")
    assert not bring_in(hospital.supervisor, other, confirmed=checked["warnings"])["kept"]
    assert hospital.rows() == before
    assert bring_in(hospital.supervisor, DOUBTFUL, confirmed=checked["warnings"])["kept"]


def test_rows_are_left_out_by_line_number(hospital: Hospital) -> None:
    checked = report(send(hospital.supervisor, "/check", DOUBTFUL, noun="products", leave_out="2,4-5"))
    assert (counts(checked), checked["left_out"], checked["warned"], checked["warnings"]) == ((1, 0, 0, 0), 3, 0, "")
    assert [row["line"] for row in checked["rows"] if row["outcome"] == "left_out"] == [2, 4, 5]
    assert checked["rows"][-1]["cells"] == ["4", "Lino", "7,00"]
    done = bring_in(hospital.supervisor, DOUBTFUL, leave_out="2,4-5")
    assert (counts(done), done["kept"]) == ((1, 0, 0, 0), True)
    for path in ("", "/check", "/refused-rows"):
        answer = send(hospital.supervisor, path, DOUBTFUL, noun="products", file_name="x", leave_out="5-")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query")


def test_rows_with_warnings_can_be_downloaded(hospital: Hospital) -> None:
    answer = send(hospital.supervisor, "/refused-rows", DOUBTFUL, noun="products", rows="warned", leave_out="4")
    rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"), newline="")))
    said = "«0,375» se guardaría como 0,38: los precios tienen dos decimales."
    assert rows == [
        ["Clave", "Descripción", "Precio", "Advertencias de la importación"],
        ["1", "Gasa simple", "0,375", said],
    ]
    corrected = answer.text.replace('"0,375"', '"0,38"')
    assert counts(bring_in(hospital.supervisor, corrected)) == (1, 0, 0, 0)


# --- undoing ---------------------------------------------------------------------------------------------------------


def undo(caller: Caller, import_id: int) -> list[dict[str, Any]]:
    """The progress lines of undoing an import."""
    return lines(caller.post(f"{IMPORTS}/{import_id}/undo", accept="application/x-ndjson"))


@ON_EVERY_DATABASE
def test_undoing_streams_its_progress(hospital: Hospital) -> None:
    before = hospital.admin.get("/api/products").json()
    done = bring_in(hospital.supervisor, many(1_200))
    reported = undo(hospital.admin, done["import_id"])
    # The rows are all products and their new category.
    assert [line["done"] for line in reported[:-1]] == [0, 500, 1_000, 1_200, 1_201]
    assert {line["total"] for line in reported[:-1]} == {1_201}
    assert reported[-1]["import"] == hospital.admin.get(f"{IMPORTS}/{done['import_id']}").json()
    assert reported[-1]["import"]["undone_by"]["id"] == hospital.admin.user_id
    assert hospital.admin.get("/api/products").json() == before


def test_a_blocked_undo_is_reported_in_the_last_line(hospital: Hospital) -> None:
    done = bring_in(hospital.supervisor, PRICES)
    product = hospital.admin.get("/api/products?q=Cánula").json()["items"][0]["id"]
    hospital.add_detail(hospital.open_sheet(), product_id=product)
    before = hospital.rows()
    error = undo(hospital.supervisor, done["import_id"])[-1]["error"]
    assert (error["status"], error["errors"][0]["code"]) == (422, "import.depended_on")
    assert hospital.rows() == before
    # Errors found before the stream starts have their own status code.
    assert hospital.admin.post(f"{IMPORTS}/999/undo", accept="application/x-ndjson").status_code == 404


# --- refused uploads -------------------------------------------------------------------------------------------------


def test_an_unauthorized_upload_is_refused_before_its_body(hospital: Hospital, folder: Path) -> None:
    def never() -> Iterator[bytes]:
        yield b"x"
        raise AssertionError("the file was read")

    for path in ("", "/read", "/check", "/refused-rows"):
        for caller, status in ((hospital.nurse, 403), (hospital.stranger, 401)):
            answer = hospital.client.post(
                f"{IMPORTS}{path}?noun=products&file_name=x", content=b"x" * 2_000_000, headers=dict(caller.headers)
            )
            assert answer.status_code == status


@pytest.mark.parametrize(
    "query",
    [
        *("", "noun=x", "noun=products&decimal=x", "noun=products&header_row=-1", "noun=products&mapping=price"),
        *("noun=products&mapping=nothing=x", "noun=products&mapping==x", "noun=products&encoding=utf-7"),
    ],
)
def test_invalid_settings_are_a_malformed_query(hospital: Hospital, query: str) -> None:
    for path in ("", "/check"):
        answer = hospital.admin.post(f"{IMPORTS}{path}?file_name=x&{query}", PRICES.encode())
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query"), answer.text


def test_an_import_needs_a_printable_file_name(hospital: Hospital) -> None:
    for name in ("", "%20", "%00", "a%07"):
        answer = hospital.admin.post(f"{IMPORTS}?noun=products&file_name={name}", PRICES.encode())
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed_query")
    assert hospital.admin.post(f"{IMPORTS}?noun=products", PRICES.encode()).status_code == 400
    long = bring_in(hospital.admin, PRICES, file_name="ñ" * 300)
    assert hospital.admin.get(f"{IMPORTS}/{long['import_id']}").json()["file_name"] == "ñ" * 255


HOSTILE: dict[str, bytes] = {
    "file.empty": b"",
    "file.kind_unknown": b"%PDF-1.7 x",
    "file.damaged": b"PK\x03\x04" + b"\x00" * 200,
    "file.with_nul": b"code;name;price\n1;\x00;2\n" + b"a" * 3_000,
    "file.too_wide": b";".join([b"a"] * 600) + b"\n",
    "file.cell_too_long": b'code;name;price\n1;"' + b"x" * 40_000 + b'";2\n',
    "file.without_rows": b"\n\n\n",
}


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_files_are_refused_with_a_sentence(hospital: Hospital, code: str) -> None:
    for path in ("/read", "/check", ""):
        answer = send(hospital.admin.speaking("en"), path, HOSTILE[code], noun="products", file_name="x")
        assert answer.status_code == 422, answer.text
        assert [error["code"] for error in answer.json()["errors"]] == [code]
        assert answer.json()["message"][0].endswith(".")


def test_a_file_over_the_size_limit_is_413(hospital: Hospital) -> None:
    def drops(size: int) -> Iterator[bytes]:
        for _ in range(size // 1_000_000):
            yield b"a" * 1_000_000

    headers = dict(hospital.admin.headers)
    # Larger than the limit of all other bodies: only the table in it is refused.
    answer = hospital.client.post(f"{IMPORTS}/read", content=drops(3_000_000), headers=headers)
    assert refused(answer) == [("file", "file.cell_too_long")]
    for content in (drops(MAX_FILE_BYTES + 1_000_000), b"a" * (MAX_FILE_BYTES + 1)):
        answer = hospital.client.post(f"{IMPORTS}/read", content=content, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")
        assert answer.json()["message"] == "El archivo es demasiado grande: el límite es 50 MB. Divídalo."


def test_a_multipart_form_is_415(hospital: Hospital) -> None:
    answer = hospital.client.post(
        f"{IMPORTS}/read", files={"file": PRICES.encode()}, headers=dict(hospital.admin.headers)
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "not_the_file_itself")
    # Any other content type is accepted.
    for content_type in ("text/csv", "application/vnd.ms-excel", "x"):
        sent = hospital.admin.post(f"{IMPORTS}/read", PRICES.encode(), content_type=content_type)
        assert sent.status_code == 200


def test_a_full_disk_is_507(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        name = "full"

        def write(self, _: bytes) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            """Do nothing."""

    monkeypatch.setattr(upload, "NamedTemporaryFile", lambda **_: Full())
    answer = send(hospital.admin, "/read", PRICES)
    assert (answer.status_code, answer.json()["code"]) == (507, "store_full")


def test_an_error_midway_is_reported_in_the_last_line(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = hospital.rows()
    monkeypatch.setattr("application.imports.rows.staged.StagedUnitOfWork.freeze_closed", lambda *_: 1 / 0)
    reported = lines(send(hospital.admin, "", PRICES, noun="products", file_name="x"))
    assert reported[0] == {"done": 0, "total": 2}
    assert (reported[-1]["error"]["status"], reported[-1]["error"]["code"]) == (500, "unexpected")
    assert "ZeroDivisionError" in caplog.text
    assert hospital.rows() == before


# --- a real server ---------------------------------------------------------------------------------------------------


def head(path: str, length: int, caller: Caller, more: str = "") -> bytes:
    token = caller.headers["Authorization"]
    return (
        f"POST {IMPORTS}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n{more}"
        f"Content-Type: application/octet-stream\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def connect(server: Server) -> socket.socket:
    address = urlsplit(server.address)
    return socket.create_connection((address.hostname or "", address.port or 0), timeout=PATIENCE)


def products(server: Server, caller: Caller) -> int:
    answer = httpx.get(f"{server.address}/api/products?limit=1", headers=dict(caller.headers), trust_env=False)
    return int(answer.json()["meta"]["total"])


def post(server: Server, caller: Caller, path: str, content: bytes = b"", **headers: str) -> Response:
    return httpx.post(
        f"{server.address}{IMPORTS}{path}",
        content=content,
        headers={**caller.headers, **headers},
        trust_env=False,
        timeout=PATIENCE,
    )


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


@ON_EVERY_DATABASE
def test_a_server_survives_aborted_uploads_and_serves_others(
    database: str, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    temporary = tmp_path / "server"
    temporary.mkdir()
    with hospital_on(database, tmp_path) as hospital:
        admin = hospital.admin
    server = serve(database, CONSUMO_SECRET_KEY=SECRET_KEY, TMPDIR=str(temporary))
    kept_at_rest = sorted(temporary.iterdir())
    there = products(server, admin)
    content = many(5_000).encode()

    def gone() -> bool:
        return sorted(temporary.iterdir()) == kept_at_rest

    # Disconnect during the upload.
    with connect(server) as connection:
        connection.sendall(head("?noun=products&file_name=x", len(content), admin) + content[:50_000])
        wait_for(lambda: not gone())
    wait_for(gone)
    assert products(server, admin) == there

    # Disconnect at the first bytes of the answer, or later: all rows are stored, or none.
    for wait in (0.0, 0.3, 1.0):
        with connect(server) as connection:
            connection.sendall(head("?noun=products&file_name=x", len(content), admin) + content)
            connection.recv(100)
            time.sleep(wait)
        wait_for(gone)
        total = products(server, admin)
        assert total in (there, there + 5_000)
        # A client that disconnects at once is noticed while the rows are being checked.
        assert wait or total == there
        if total > there:
            (latest, *_) = httpx.get(f"{server.address}{IMPORTS}", headers=dict(admin.headers), trust_env=False).json()[
                "items"
            ]
            assert post(server, admin, f"/{latest['id']}/undo").status_code == 200

    # Disconnect at the first bytes of an undo: all of it is undone, or nothing.
    done = report(post(server, admin, "?noun=products&file_name=x", content))
    with connect(server) as connection:
        path = f"/{done['import_id']}/undo"
        connection.sendall(head(path, 0, admin, "Accept: application/x-ndjson\r\n"))
        assert b" 200 " in connection.recv(100)
    assert post(server, admin, path).status_code in (200, 422)
    assert products(server, admin) == there

    # Other requests are served during imports, and two imports run one after the other.
    slowest, begun = 0.0, time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        imports = [
            threads.submit(post, server, admin, f"?noun=products&file_name={name}", content) for name in ("a", "b")
        ]
        while not all(one.done() for one in imports):
            started = time.monotonic()
            assert products(server, admin) in (there, there + 5_000)
            slowest = max(slowest, time.monotonic() - started)
    # On a busy machine everything takes longer, including the imports.
    assert slowest < max(2, (time.monotonic() - begun) / 2)
    assert sorted(counts(report(one.result())) for one in imports) == [(0, 0, 5_000, 0), (5_000, 0, 0, 0)]
    assert gone()


def test_a_stalled_upload_times_out_and_a_slow_one_does_not(
    sqlite_url: str, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    temporary = tmp_path / "server"
    temporary.mkdir()
    with hospital_on(sqlite_url, tmp_path) as hospital:
        admin = hospital.admin
    server = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY, TMPDIR=str(temporary))
    content = many(40_000).encode()

    def answer_to(piece: int, pause: float) -> bytes:
        with connect(server) as connection:
            connection.sendall(head("/check?noun=products", len(content), admin))
            for start in range(0, len(content), piece):
                try:
                    connection.sendall(content[start : start + piece])
                except OSError:
                    break
                connection.settimeout(pause)
                try:
                    return connection.recv(65_536)
                except TimeoutError:
                    connection.settimeout(PATIENCE)
            return connection.recv(65_536)

    with ThreadPoolExecutor() as threads:
        still = threads.submit(answer_to, 5, 0.5)
        moving = threads.submit(answer_to, 40_000, 0.5)
        assert still.result().startswith(b"HTTP/1.1 408 ")
        assert moving.result().startswith(b"HTTP/1.1 200 ")


def test_a_server_can_be_stopped_during_an_import(
    sqlite_url: str, tmp_path: Path, serve: Callable[..., Server]
) -> None:
    with hospital_on(sqlite_url, tmp_path) as hospital:
        admin = hospital.admin
    server = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY)
    content = many(60_000).encode()
    with connect(server) as connection:
        connection.sendall(head("?noun=products&file_name=x", len(content), admin) + content)
        assert b"200" in connection.recv(100)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(PATIENCE)
    again = serve(sqlite_url, CONSUMO_SECRET_KEY=SECRET_KEY)
    assert products(again, admin) in (3, 60_003)


def test_files_of_one_user_do_not_delay_other_users(hospital: Hospital) -> None:
    go = threading.Event()
    held = [LONG_WORK.submit(Owner(0, hospital.supervisor.user_id), lambda: go.wait(PATIENCE)) for _ in range(3)]
    try:
        assert read(hospital.admin, PRICES)["rows"] == 2
        assert bring_in(hospital.admin, PRICES)["created"] == 2
        assert not any(one.done() for one in held)
    finally:
        go.set()
    assert all(one.result(PATIENCE) for one in held)
