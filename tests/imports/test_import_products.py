"""Importing a catalogue: the outcome of each row."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from application.common.paging import ListQuery
from application.imports.reading.fields import Noun
from tests.builders import Ward
from tests.imports.catalogue import of, products
from tests.imports.importing import ImportOutcome, brought_in, file_of, tried
from tests.spreadsheets.workbooks import ZEROS, Raw, number, xls, xlsx


def bring(
    ward: Ward, folder: Path, *lines: str, header: str = "code;name;price", good_rows: bool = True
) -> ImportOutcome:
    return brought_in(ward, file_of(folder, [header, *lines]), good_rows=good_rows, decimal="point")


def categories(ward: Ward) -> dict[str, str]:
    """Return the names of categories by their codes."""
    page = ward.use_cases.categories.reader.page(ward.admin, ListQuery(limit=100))
    return {one["code"]: one["name"] for one in page["items"]}


# --- accepted rows ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "price"),
    [
        ("1141.40", "1141.40"),
        ("1,141.40", "1141.40"),
        ("$1,512.00", "1512.00"),
        ("999,999,999.99", "999999999.99"),
        ("7", "7.00"),
        ("0", "0.00"),
        ("0.005", "0.01"),
        ("0.0049", "0.00"),
        (" 5.00\N{NO-BREAK SPACE}", "5.00"),
    ],
)
def test_prices_are_read_in_common_notations(ward: Ward, tmp_path: Path, written: str, price: str) -> None:
    bring(ward, tmp_path, f"1;Gasa;{written}")
    assert str(products(ward)["1"]["price"]) == price


def test_a_decimal_comma_is_recognized(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, ["clave;descripción;precio", "1;Gasa;1.512,00", "2;Venda;0,5", "3;Tul;1.234"])
    assert brought_in(ward, file).counts == (3, 0, 0, 0)
    assert [str(product["price"]) for product in products(ward).values()] == ["1512.00", "1234.00", "0.50"]


def test_a_workbook_with_typed_cells_is_imported(ward: Ward, tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Código", "Descripción", "Precio", "Activo"],
        [27201347, "Gasa", 1637.75, True],
        [number(123, ZEROS), "Venda", 2, "no"],
        ["A-1", "Tul", "$3.50", None],
    ]
    assert brought_in(ward, xlsx(tmp_path, *rows)).counts == (3, 0, 0, 0)
    found = products(ward)
    assert {code: of(product) for code, product in found.items()} == {
        "27201347": ("Gasa", "1637.75"),
        "00123": ("Venda", "2.00"),
        "A-1": ("Tul", "3.50"),
    }
    assert [product["active"] for product in found.values()] == [True, True, False]
    old: list[list[Any]] = [["Código", "Descripción", "Precio"], [27201347, "Gasa", 1637.75]]
    assert brought_in(ward, xls(tmp_path, *old)).counts == (0, 0, 1, 0)


def test_all_fields_of_a_product_are_imported(ward: Ward, tmp_path: Path) -> None:
    header = "code;name;price;category;gtin;unit;active"
    bring(ward, tmp_path, "1;Gasa;1.50;Curación;4006381333931;caja;sí", header=header)
    product = products(ward)["1"]
    assert (product["gtin"], product["unit"], product["active"]) == ("4006381333931", "caja", True)
    assert product["category_id"] == ward.category_id


def test_other_names_are_in_one_cell(ward: Ward, tmp_path: Path) -> None:
    header = "código\tnombre\tprecio\ttambién se llama"
    bring(ward, tmp_path, "1\tVenda\t1.00\tTela; Rollo ;tela;", "2\tGasa\t1.00\t", header=header)
    assert [product["also_called"] for product in products(ward).values()] == [[], ["Tela", "Rollo"]]
    brought = bring(ward, tmp_path, f"1\tVenda\t1.00\t{'x' * 61}", header=header)
    assert brought.refusals == {2: [("also_called", "text.too_long")]}


def test_fields_without_a_column_are_kept(ward: Ward, tmp_path: Path) -> None:
    kept: dict[str, Any] = {
        "decimals": 0,
        "asks_lot": True,
        "asks_serial": True,
        "implant": True,
        "also_called": ("Tela", "Rollo"),
    }
    ward.product("Venda", "1.00", code="1", unit="caja", **kept)
    assert bring(ward, tmp_path, "1;Venda;1.00").counts == (0, 0, 1, 0)
    assert bring(ward, tmp_path, "1;Venda;1.50").counts == (0, 1, 0, 0)
    [product] = products(ward).values()
    assert {**product, **kept, "also_called": ["Tela", "Rollo"]} == product


# --- refused rows ----------------------------------------------------------------------------------------------------


def test_refused_rows_have_their_line_and_all_errors(ward: Ward, tmp_path: Path) -> None:
    lines = [
        "1;Gasa;1.00",
        ";Sin código;1.00",
        "3;;1.00",
        "4;Sin precio;",
        "5;Precio raro;5 pesos",
        "6;Negativo;-0.01",
        "7;Demasiado;1,000,000,000,000.00",
        f"8;{'x' * 201};1",
        "9;Con\x07campana;1",
        "10",
        ";;x",
        "12;Venda;2.00",
        "13;Mal agrupado;1,14.40",
        "14;Decimal con coma;1,5",
        "15;Infinito;Infinity",
        "16;Exponente;1e5",
        "1.23E+11;Código recortado;1",
        "1;Otra cosa;1.00",
    ]
    brought = bring(ward, tmp_path, *lines)
    assert brought.refusals == {
        3: [("code", "required")],
        4: [("name", "required")],
        5: [("price", "required")],
        6: [("price", "number.expected")],
        7: [("price", "negative")],
        8: [("price", "money.too_large")],
        9: [("name", "text.too_long")],
        10: [("name", "text.unwritable")],
        11: [("name", "required"), ("price", "required")],
        12: [("price", "number.expected"), ("code", "required"), ("name", "required")],
        14: [("price", "number.expected")],
        15: [("price", "number.expected")],
        16: [("price", "number.expected")],
        17: [("price", "number.expected")],
        18: [("code", "code.cut_off")],
        19: [(None, "row.contradicts")],
    }
    assert brought.counts == (2, 0, 0, 16)
    assert {code: of(product) for code, product in products(ward).items()} == {
        "1": ("Gasa", "1.00"),
        "12": ("Venda", "2.00"),
    }


def test_a_refused_row_blocks_all_unless_good_rows_are_wanted(ward: Ward, tmp_path: Path) -> None:
    lines = ["1;Gasa;1.00", "2;Venda;x"]
    brought = bring(ward, tmp_path, *lines, good_rows=False)
    assert (brought.counts, brought.report.kept, brought.report.import_id) == ((1, 0, 0, 1), False, None)
    assert products(ward) == {}
    assert bring(ward, tmp_path, *lines).report.kept
    assert set(products(ward)) == {"1"}


def test_a_refused_row_stores_nothing(ward: Ward, tmp_path: Path) -> None:
    """This includes the category that it would have created."""
    bring(ward, tmp_path, "1;Gasa;x;Sondas", "2;Venda;2.00;Vendajes", header="code;name;price;category")
    assert categories(ward) == {"CUR": "Curación", "Vendajes": "Vendajes"}


def test_a_gtin_is_unique_and_has_a_check_digit(ward: Ward, tmp_path: Path) -> None:
    brought = bring(
        ward,
        tmp_path,
        "1;Gasa;1;4006381333931",
        "2;Venda;1;4006381333932",
        "3;Tul;1;4006381333931",
        header="code;name;price;gtin",
    )
    assert brought.refusals == {3: [("gtin", "gtin.invalid")], 4: [("gtin", "taken")]}


# --- repeated imports ------------------------------------------------------------------------------------------------


def test_the_same_file_again_changes_nothing(ward: Ward, tmp_path: Path) -> None:
    lines = ["1;Gasa;1.50;Curación", "2;Venda;2;Vendajes", "2;Venda;2;Vendajes"]
    first = bring(ward, tmp_path, *lines, header="code;name;price;category")
    assert first.counts == (2, 0, 1, 0)
    before = products(ward), categories(ward)
    again = bring(ward, tmp_path, *lines, header="code;name;price;category")
    assert (again.counts, again.report.import_id) == ((0, 0, 3, 0), None)
    assert (products(ward), categories(ward)) == before


def test_a_new_name_or_price_changes_the_product_of_the_code(ward: Ward, tmp_path: Path) -> None:
    bring(ward, tmp_path, "a-1;Gasa;1.50", "b;Venda;2", "c;Tul;3")
    before = products(ward)
    brought = bring(ward, tmp_path, "A-1;Gasa;1.60", "b;Venda elástica;2", "c;Tul;3")
    assert brought.counts == (0, 2, 1, 0)
    assert [row.changes for row in brought.rows] == [
        {"code": ("a-1", "A-1"), "price": ("1.50", "1.60")},
        {"name": ("Venda", "Venda elástica")},
        {},
    ]
    after = products(ward)
    assert (after["A-1"]["id"], str(after["A-1"]["price"])) == (before["a-1"]["id"], "1.60")
    assert after["c"] == before["c"]


def test_empty_cells_change_nothing(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa", "1.00", code="1", gtin="4006381333931", unit="caja", active=0)
    bring(ward, tmp_path, "1;;2;;", header="code;name;price;unit;category")
    product = products(ward)["1"]
    assert of(product) == ("Gasa", "2.00")
    assert (product["category_id"], product["gtin"], product["unit"], product["active"]) == (
        ward.category_id,
        "4006381333931",
        "caja",
        False,
    )


def test_recorded_details_keep_their_price(ward: Ward, tmp_path: Path) -> None:
    bring(ward, tmp_path, "1;Gasa;1.50")
    sheet = ward.sheet()
    detail = ward.detail(sheet["id"], "2", product_id=products(ward)["1"]["id"])
    bring(ward, tmp_path, "1;Gasa;9.99")
    kept = ward.use_cases.details.reader.one(ward.admin, detail["id"])
    assert (kept["unit_price"], kept["total"]) == (Decimal("1.50"), Decimal("3.00"))


def test_products_without_codes_are_recognized_by_gtin_or_name(ward: Ward, tmp_path: Path) -> None:
    ward.product("Venda", "1.00", gtin="4006381333931")
    brought = bring(ward, tmp_path, "4006381333931;Venda;2", ";Tul;3", header="gtin;name;price")
    assert brought.counts == (0, 1, 0, 1)
    ward.product("Cánula", "1.00")
    ward.product("Sonda", "1.00")
    ward.product("SONDA", "2.00")
    brought = bring(ward, tmp_path, "canula;2", "Sonda;3", "Gasa fina;4", header="name;price")
    assert brought.refusals == {3: [("name", "known_twice")]}
    assert brought.outcomes == {2: "changed", 3: "refused", 4: "created"}


# --- categories ------------------------------------------------------------------------------------------------------


def test_products_without_a_category_get_a_category_of_their_own(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "1;Gasa;1", "2;Venda;1")
    category = products(ward)["1"]["category"]
    assert (category.get("code"), category["name"]) == ("SIN-CLASIFICAR", "Sin clasificar")
    assert brought.report.also == {"categories": 1}


def test_a_category_is_found_by_code_or_name_or_created(ward: Ward, tmp_path: Path) -> None:
    brought = bring(
        ward, tmp_path, "1;Gasa;1;cur", "2;Venda;1;CURACION", "3;Sonda;1;Sondas", "4;Tul;1;sondas",
        header="code;name;price;categoría",
    )  # fmt: skip
    assert brought.counts == (4, 0, 0, 0)
    assert brought.report.also == {"categories": 1}
    found = products(ward)
    assert found["1"]["category_id"] == found["2"]["category_id"] == ward.category_id
    assert found["3"]["category_id"] == found["4"]["category_id"]
    assert categories(ward) == {"CUR": "Curación", "Sondas": "Sondas"}


def test_a_category_may_have_code_and_name(ward: Ward, tmp_path: Path) -> None:
    header = "code;name;price;category_code;category_name"
    bring(ward, tmp_path, "1;Gasa;1;CUR;lo que sea", "2;Sonda;1;SON;Sondas", header=header)
    assert categories(ward) == {"CUR": "Curación", "SON": "Sondas"}


def test_an_invalid_category_is_one_of_the_errors(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, f"1;;x;{'y' * 201}", header="code;name;price;category")
    assert brought.refusals == {2: [("price", "number.expected"), ("category", "text.too_long"), ("name", "required")]}


# --- check -----------------------------------------------------------------------------------------------------------


def test_a_check_reports_each_row_and_stores_nothing(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa", "1.00", code="1")
    ward.product("Venda", "1.00", code="2")
    before = products(ward), categories(ward)
    file = file_of(tmp_path, ["code;name;price", "1;Gasa;1.00", "2;Venda;2.00", "3;Tul;3.00", "4;Mal;x"])
    brought = tried(ward, file)
    assert brought.outcomes == {2: "unchanged", 3: "changed", 4: "created", 5: "refused"}
    assert (brought.counts, brought.report.also) == ((1, 1, 1, 1), {"categories": 1})
    assert [row.label for row in brought.rows] == ["1 · Gasa · 1.00", "2 · Venda · 2.00", "3 · Tul · 3.00", "4 · Mal"]
    assert [list(row.cells) for row in brought.rows if row.reasons] == [["4", "Mal", "x"]]
    assert (products(ward), categories(ward)) == before
    assert not brought.report.kept


def test_a_column_of_any_name_can_be_chosen(ward: Ward, tmp_path: Path) -> None:
    text = "Service Area|Px Code|Procedure Description|Supply #|Unit Price\nWS|1004|PRE-PAYMENT|102371|153.65\n"
    mapping = {"code": "Px Code", "name": "Service Area", "price": "Unit Price"}
    brought_in(ward, file_of(tmp_path, text), Noun.PRODUCTS, mapping=mapping)
    assert of(products(ward)["1004"]) == ("WS", "153.65")


def test_an_error_in_a_cell_is_reported(ward: Ward, tmp_path: Path) -> None:
    file = xlsx(tmp_path, ["code", "name", "price"], ["1", Raw('<c t="e"><v>#REF!</v></c>'), 1], [1.5e17, "Gasa", 1])
    brought = brought_in(ward, file)
    assert brought.refusals == {2: [("name", "cell.fault")], 3: [("code", "code.cut_off")]}


def test_cells_shifted_by_an_unquoted_separator_are_refused(ward: Ward, tmp_path: Path) -> None:
    lines = [
        "description,price",
        "Gasa,$407.00",
        "Sonda,$1,973.00",
        "Gasa, 10 cm,$294.00",
        'Venda,"$1,115.00"',
        "Tul,$5.00,",
    ]
    brought = brought_in(ward, file_of(tmp_path, lines))
    assert brought.outcomes == {2: "created", 3: "refused", 4: "refused", 5: "created", 6: "created"}
    assert brought.refusals == {3: [(None, "row.too_wide")], 4: [(None, "row.too_wide")]}
    assert [row.label for row in brought.rows if row.reasons] == ["Sonda · $1 · 973.00", "Gasa · 10 cm · $294.00"]


def test_a_note_beside_the_columns_of_a_workbook_is_ignored(ward: Ward, tmp_path: Path) -> None:
    sonda = ["2", "Sonda", number("35.449999999999996")]
    file = xlsx(tmp_path, ["code", "name", "price"], ["1", "Gasa", 4.07, "", "since March"], sonda)
    assert brought_in(ward, file).counts == (2, 0, 0, 0)
    assert [str(product["price"]) for product in products(ward).values()] == ["4.07", "35.45"]
