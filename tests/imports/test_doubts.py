"""Cells that may mean something else: what is stored, with which warnings."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.i18n import messages
from application.catalogue.views import RoomQuery
from application.imports.reading.fields import Noun
from application.people.views import PatientQuery
from tests.builders import Ward
from tests.imports.catalogue import products
from tests.imports.importing import ImportOutcome, brought_in, file_of, understood, warnings
from tests.spreadsheets.workbooks import xls

ZERO_WIDTH, BYTE_ORDER_MARK, SOFT_HYPHEN = "\u200b", "\ufeff", "\u00ad"
NO_BREAK = "\N{NO-BREAK SPACE}"


def bring(ward: Ward, folder: Path, *lines: str, noun: Noun = Noun.PRODUCTS, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, lines), noun, **choices)


# --- invisible characters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "code", "characters"),
    [
        (f"{BYTE_ORDER_MARK}00123", "00123", "U+FEFF"),
        (f"00{ZERO_WIDTH}1{ZERO_WIDTH}23", "00123", "U+200B"),
        (f"A{SOFT_HYPHEN}-\u200e1", "A-1", "U+00AD, U+200E"),
        (f"12{NO_BREAK}345", "12345", "U+00A0"),
        ("12\u202f345", "12345", "U+202F"),
        ("\u202aA-1\u202c", "A-1", "U+202A, U+202C"),
        (f"{NO_BREAK}A-1{NO_BREAK}", "A-1", ""),
        ("Ñ-1", "Ñ-1", ""),
    ],
)
def test_invisible_characters_are_removed_from_codes(
    ward: Ward, tmp_path: Path, written: str, code: str, characters: str
) -> None:
    brought = bring(ward, tmp_path, "code;name;price", f"{written};Gasa;1.50")
    assert set(products(ward)) == {code}
    assert warnings(brought) == ({2: [("code", "characters.unseen", code)]} if characters else {})
    assert [one.params["characters"] for row in brought.rows for one in row.warnings] == [characters] * bool(characters)


def test_invisible_characters_are_removed_everywhere(ward: Ward, tmp_path: Path) -> None:
    brought = bring(
        ward,
        tmp_path,
        f"cód{SOFT_HYPHEN}igo;{ZERO_WIDTH}nombre;precio",
        f"1;Ga{ZERO_WIDTH}sa{NO_BREAK}fina;\u200e1,50\u200e",
    )
    product = products(ward)["1"]
    assert (product["name"], str(product["price"])) == ("Gasa fina", "1.50")
    assert warnings(brought)[2] == [
        ("name", "characters.unseen", "Gasa fina"),
        ("price", "characters.unseen", "1,50"),
    ]


# --- codes changed by a spreadsheet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("date", ["2026-03-01", "1/3/2026", "2026-03-01 00:00:00"])
def test_a_date_is_no_code(ward: Ward, tmp_path: Path, date: str) -> None:
    brought = bring(ward, tmp_path, "code;name;price", f"{date};Gasa;1.50", "20260301;Venda;2.50", "3-1;Tul;2")
    assert brought.refusals == {2: [("code", "cell.date")]}
    assert brought.rows[0].reasons[0].params["value"] == date


@pytest.mark.parametrize(("code", "warned"), [("01-mar", True), ("mar-26", True), ("3-Jan-26", True), ("mar", False)])
def test_a_code_that_looks_like_a_date_is_warned_about(ward: Ward, tmp_path: Path, code: str, warned: bool) -> None:
    brought = bring(ward, tmp_path, "code;name;price", f"{code};Gasa;1.50")
    assert set(products(ward)) == {code}
    assert warnings(brought) == ({2: [("code", "code.like_a_date", code)]} if warned else {})


def test_a_date_cell_is_neither_a_code_nor_a_name(ward: Ward, tmp_path: Path) -> None:
    march = datetime(2026, 3, 1)
    file = xls(tmp_path, ["code", "name", "price"], [march, "Gasa", 1], ["2", march, 1])
    brought = brought_in(ward, file)
    assert brought.refusals == {2: [("code", "cell.date")], 3: [("name", "cell.date")]}


# --- active or inactive ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "active", "warned"),
    [
        ("INACTIVO", False, False),
        ("Baja", False, False),
        ("Descontinuado", False, False),
        ("No vigente", False, False),
        ("Bloqueado", False, False),
        ("Vigente", True, False),
        ("Activo", True, False),
        ("A", True, False),
        ("", True, False),
        ("En revisión", True, True),
    ],
)
def test_a_state_column_sets_whether_a_product_is_active(
    ward: Ward, tmp_path: Path, said: str, active: bool, warned: bool
) -> None:
    brought = bring(ward, tmp_path, "Código;Nombre;Precio;Estado", "1;Gasa;1.50;Activo", f"2;Venda;2.50;{said}")
    assert products(ward)["2"]["active"] is active
    assert warnings(brought) == ({3: [("active", "active.unknown", said)]} if warned else {})


def test_a_state_column_sets_whether_a_patient_is_active(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Nombre;Apellido;Situación", "1;Ana;Ríos;Inactivo", "2;Eva;Luna;Vigente", "3;Luz;Gil;Hospitalizada"]
    brought = bring(ward, tmp_path, *lines, noun=Noun.PATIENTS)
    assert warnings(brought) == {4: [("active", "active.unknown", "Hospitalizada")]}
    page = ward.use_cases.patients.reader.page(ward.admin, PatientQuery(limit=100))["items"]
    assert {one["record_number"]: one["active"] for one in page if one["record_number"]} == {"1": 0, "2": 1, "3": 1}


def test_a_province_or_marital_status_is_no_state(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Nombre;Apellido;Estado;Estado civil", "1;Ana;Ríos;Jalisco;casada", "2;Eva;Luna;Puebla;soltera"]
    how = understood(ward, file_of(tmp_path, lines), Noun.PATIENTS)
    assert (how.questions, "active" in how.mapping) == ((), False)


def test_an_active_column_takes_precedence_over_a_state_column(ward: Ward, tmp_path: Path) -> None:
    how = understood(ward, file_of(tmp_path, ["code;name;price;Estado;Activo", "1;Gasa;1.50;Baja;sí"]))
    assert how.named_mapping["active"] == "Activo"


# --- rooms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "kept", "warned"),
    [
        ("Doble", 2, False),
        ("Individual", 1, False),
        ("Compartida", 3, False),
        ("UCI", 4, False),
        ("Aislamiento", 4, False),
        ("5", 1, True),
        ("3", 3, False),
        ("Ocupada", 1, True),
        ("", 1, False),
    ],
)
def test_an_unknown_room_type_is_replaced_with_a_warning(
    ward: Ward, tmp_path: Path, written: str, kept: int, warned: bool
) -> None:
    brought = bring(ward, tmp_path, "Habitación;Área;Tipo", f"R-7;Urgencias;{written}", noun=Noun.ROOMS)
    rooms = {
        one["name"]: one["type"] for one in ward.use_cases.rooms.reader.page(ward.admin, RoomQuery(limit=100))["items"]
    }
    assert rooms["R-7"] == kept
    assert warnings(brought) == ({2: [("type", "room_type.unknown", written)]} if warned else {})


# --- currencies ------------------------------------------------------------------------------------------------------

ANOTHER, FOREIGN = "money.of_another_currency", "money.foreign"


@pytest.mark.parametrize(
    ("prices", "warned"),
    [
        (["$1.50", "$2.50", "€3.50"], {4: [("price", ANOTHER, "€3.50")]}),
        (["$1.50", "USD 2.50", "US$ 3.50", "4.50"], {}),
        (["$1.50", "$ 2.50 M.N.", "3.50"], {3: [("price", ANOTHER, "$ 2.50 M.N.")]}),
        (["€1.50", "2.50", "€3.50"], {2: [("price", FOREIGN, "€1.50")], 4: [("price", FOREIGN, "€3.50")]}),
        (["€1.50", "€2.50", "$3.50"],
         {2: [("price", FOREIGN, "€1.50")], 3: [("price", FOREIGN, "€2.50")], 4: [("price", ANOTHER, "$3.50")]}),
        (["S/ 1.50", "$2.50"], {2: [("price", ANOTHER, "S/ 1.50")]}),
    ],
)  # fmt: skip
def test_other_currencies_are_warned_about(
    ward: Ward, tmp_path: Path, prices: list[str], warned: dict[int, Any]
) -> None:
    """The currency of the hospital is the dollar."""
    brought = bring(ward, tmp_path, "code;name;price", *(f"{n};Gasa {n};{text}" for n, text in enumerate(prices)))
    assert brought.report.created == len(prices)
    assert warnings(brought) == warned


def test_the_currency_can_be_in_its_own_column_or_in_the_header(ward: Ward, tmp_path: Path) -> None:
    lines = ["code;name;price;Moneda", "1;Gasa;1.50;USD", "2;Venda;2.50;USD", "3;Tul;3.50;EUR", "4;Sonda;4.50;pesos"]
    brought = bring(ward, tmp_path, *lines)
    assert warnings(brought) == {
        4: [("price", ANOTHER, "3.50 EUR")],
        5: [("price", ANOTHER, "4.50 pesos")],
    }
    brought = bring(ward, tmp_path, "code;name;Precio (EUR)", "7;Gasa;1.50", "8;Venda;$2.50")
    assert warnings(brought) == {2: [("price", ANOTHER, "1.50")]}


# --- texts -----------------------------------------------------------------------------------------------------------


def test_warnings_quote_the_file_in_both_languages(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "code;name;price;Estado", "1;Gasa;$1.50;Activo", "2;Tul;€0.375;Raro")
    (row,) = [row for row in brought.rows if row.warnings]
    assert [messages.refusal("es", one) for one in row.warnings] == [
        "«€0.375» se guardaría como 0,38: los precios tienen dos decimales.",
        "«Raro» no indica si está activo: no se cambia.",
        "«€0.375» está en EUR y la mayoría de los precios en USD: se importa sin convertir.",
    ]
    assert [messages.refusal("en", one) for one in row.warnings] == [
        "“€0.375” would be saved as 0.38: prices have two decimals.",
        "“Raro” doesn’t say whether it is active: left unchanged.",
        "“€0.375” is in EUR and most prices are in USD: imported without conversion.",
    ]
