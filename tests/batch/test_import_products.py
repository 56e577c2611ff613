"""Importing a catalogue: text files as hospitals publish them."""

from decimal import Decimal
from pathlib import Path

import pytest

from adapters.batch.products import ROWS_AT_A_TIME, ProductColumns, import_products
from adapters.batch.tables import UnusableFile, open_table
from domain.refusal import Forbidden
from tests.batch.catalogue import COLUMNS, brought_in, file_of, of, products, refusals, told
from tests.builders import Ward

# --- files as they come ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"], ids=["comma", "semicolon", "pipe", "tab"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_any_usual_separator(ward: Ward, tmp_path: Path, separator: str, line_end: str) -> None:
    rows = [["area", "code", "name", "price"], ["W", "1", "Gasa", "1.50"], ["W", "2", "Venda", "0.35"]]
    text = line_end.join(separator.join(row) for row in rows)
    report = brought_in(ward, file_of(tmp_path, text))
    assert told(report) == (2, 0, 0, 0)
    assert {code: of(product) for code, product in products(ward).items()} == {
        "1": ("Gasa", "1.50"),
        "2": ("Venda", "0.35"),
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_any_usual_encoding(ward: Ward, tmp_path: Path, encoding: str) -> None:
    text = "code|name|price\nñ-1|Cánula de 5 µm|3.00\n"
    if encoding == "cp1252":
        text += "2|Gasa “fina” – 5 €|1.00\n"
    brought_in(ward, file_of(tmp_path, text, encoding=encoding))
    found = products(ward)
    assert found["ñ-1"]["name"] == "Cánula de 5 µm"
    assert encoding != "cp1252" or found["2"]["name"] == "Gasa “fina” – 5 €"


@pytest.mark.parametrize(
    ("written", "price"),
    [
        ("1141.40", "1141.40"),
        ("1,141.40", "1141.40"),
        ("351,984.50", "351984.50"),
        ("999,999,999,999.99", "999999999999.99"),
        ("7", "7.00"),
        ("0", "0.00"),
        ("0.005", "0.01"),
        ("0.0049", "0.00"),
        (" 5.00\N{NO-BREAK SPACE}", "5.00"),
    ],
)
def test_prices_as_they_are_written(ward: Ward, tmp_path: Path, written: str, price: str) -> None:
    brought_in(ward, file_of(tmp_path, f"code|name|price\n1|Gasa|{written}\n"))
    assert str(products(ward)["1"]["price"]) == price


def test_blanks_around_and_unbreakable_blanks_do_not_count(ward: Ward, tmp_path: Path) -> None:
    text = "\N{NO-BREAK SPACE}code | name|price \n 1\N{NO-BREAK SPACE}|  Gasa\N{NO-BREAK SPACE}fina |2\n"
    brought_in(ward, file_of(tmp_path, text, encoding="latin-1"))
    assert of(products(ward)["1"]) == ("Gasa fina", "2.00")


def test_quoted_fields_hold_separators_quotes_and_line_ends(ward: Ward, tmp_path: Path) -> None:
    text = 'code,name,price\n1,"Gasa, 4"" x 4""","1,000.00"\n2,"Set:\nuna gasa",2\n3,,x\n'
    report = brought_in(ward, file_of(tmp_path, text))
    found = products(ward)
    assert of(found["1"]) == ('Gasa, 4" x 4"', "1000.00")
    assert of(found["2"]) == ("Set:\nuna gasa", "2.00")
    assert list(refusals(report)) == [5]


def test_columns_are_called_as_the_file_calls_them_and_others_are_left_alone(ward: Ward, tmp_path: Path) -> None:
    columns = ProductColumns(code="Supply #", name="Procedure Description", price="Unit Price")
    text = "Service Area|Px Code|Procedure Description|Supply #|Unit Price\nWS|1004|PRE-PAYMENT|102371|153.65\n"
    brought_in(ward, file_of(tmp_path, text), columns=columns)
    assert of(products(ward)["102371"]) == ("PRE-PAYMENT", "153.65")


def test_empty_lines_are_passed_over_and_lines_without_an_end_count(ward: Ward, tmp_path: Path) -> None:
    report = brought_in(ward, file_of(tmp_path, "code,name,price\n\n1,Gasa,1\n,,\n\n2,Venda,2"))
    assert told(report) == (2, 0, 0, 0)


def test_what_stands_behind_the_last_column_is_left_alone(ward: Ward, tmp_path: Path) -> None:
    report = brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,1,extra,more\n"))
    assert told(report) == (1, 0, 0, 0)


# --- what is refused -------------------------------------------------------------------------------------------------


def test_refused_rows_are_told_with_their_line_and_every_reason_and_the_others_are_taken(
    ward: Ward, tmp_path: Path
) -> None:
    lines = [
        "code|name|price",
        "1|Gasa|1.00",
        "|Sin código|1.00",
        "3||1.00",
        "4|Sin precio|",
        "5|Precio raro|$5",
        "6|Negativo|-0.01",
        "7|Demasiado|1,000,000,000,000.00",
        "8|" + "x" * 201 + "|1",
        "9|Con\x07campana|1",
        "10",
        "||x",
        "12|Venda|2.00",
        "13|Mal agrupado|1,14.40",
        "14|Decimal con coma|1,5",
        "15|Infinito|Infinity",
        "16|Exponente|1e5",
    ]
    report = brought_in(ward, file_of(tmp_path, "\n".join(lines)))
    assert refusals(report) == {
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
    }
    assert report.created == 2
    assert set(products(ward)) == {"1", "12"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "first line is empty"),
        (b"\xef\xbb\xbf", "first line is empty"),
        (b"\n1|Gasa|1\n", "first line is empty"),
        (b"code|name\n1|Gasa\n", "no column “price”; it has “code”, “name”"),
        (b"Code|Name|Price\n", "no column “code”, “name”, “price”"),
        (b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 50, "no text file"),
        (b"PK\x03\x04\x14\x00\x06\x00" + b"\x00" * 500, "no text file"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00\x01" * 9_000, "no column “code”, “name”, “price”; it has “‰PNG”"),
        ("code|name|price\n1|Gasa|1\n".encode("utf-16"), "no text file"),
        (b"x" * 3_000_000, "no text file"),
        (b"\x00" * 1_000, "no text file"),
    ],
)
def test_files_that_are_no_catalogue_are_told_apart(ward: Ward, tmp_path: Path, content: bytes, why: str) -> None:
    file = tmp_path / "catalogue.csv"
    file.write_bytes(content)
    with pytest.raises(UnusableFile, match=why) as unusable:
        brought_in(ward, file)
    assert str(unusable.value).startswith(f"{file}: ")
    assert len(str(unusable.value)) < 500


def test_a_file_that_is_missing_or_a_folder_is_told(ward: Ward, tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="No such file"):
        brought_in(ward, tmp_path / "gone.csv")
    with pytest.raises(UnusableFile, match="Is a directory"):
        brought_in(ward, tmp_path)


def test_a_line_that_swallows_the_rest_of_the_file_is_told(ward: Ward, tmp_path: Path) -> None:
    text = 'code,name,price\n1,Gasa,1\n2,"no end,1\n' + "3,Venda,1\n" * 200_000
    with pytest.raises(UnusableFile, match="cannot be read"):
        brought_in(ward, file_of(tmp_path, text))


def test_ward_staff_import_nothing(ward: Ward, tmp_path: Path) -> None:
    before = products(ward)
    with pytest.raises(Forbidden):
        brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,1\n"), actor=ward.nurse)
    assert products(ward) == before


# --- again, and with other prices ------------------------------------------------------------------------------------


def test_the_same_file_again_changes_nothing(ward: Ward, tmp_path: Path) -> None:
    file = file_of(tmp_path, "code,name,price\n1,Gasa,1.50\n2,Venda,2\n")
    brought_in(ward, file)
    before = products(ward)
    assert told(brought_in(ward, file)) == (0, 0, 2, 0)
    assert products(ward) == before


def test_another_name_or_price_changes_the_product_with_that_code(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, file_of(tmp_path, "code,name,price\na-1,Gasa,1.50\nb,Venda,2\nc,Tul,3\n"))
    before = products(ward)
    report = brought_in(ward, file_of(tmp_path, "code,name,price\nA-1,Gasa,1.60\nb,Venda elástica,2\nc,Tul,3\n"))
    assert told(report) == (0, 2, 1, 0)
    after = products(ward)
    assert (after["A-1"]["id"], str(after["A-1"]["price"])) == (before["a-1"]["id"], "1.60")
    assert (after["b"]["id"], after["b"]["name"]) == (before["b"]["id"], "Venda elástica")
    assert after["c"] == before["c"]


def test_what_the_file_does_not_tell_stays(ward: Ward, tmp_path: Path) -> None:
    ward.product("Gasa", "1.00", code="1", gtin="4006381333931", unit="caja", active=0)
    brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,2\n"))
    product = products(ward)["1"]
    assert str(product["price"]) == "2.00"
    assert (product["category_id"], product["gtin"], product["unit"], product["active"]) == (
        ward.category_id,
        "4006381333931",
        "caja",
        False,
    )


def test_products_that_come_without_a_category_go_into_one_of_their_own(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,1\n"))
    category = products(ward)["1"]["category"]
    assert (category.get("code"), category["name"]) == ("SIN-CLASIFICAR", "Sin clasificar")


def test_of_a_code_that_comes_twice_the_last_row_counts(ward: Ward, tmp_path: Path) -> None:
    report = brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,1\n1,Gasa,2\n"))
    assert told(report) == (1, 1, 0, 0)
    assert str(products(ward)["1"]["price"]) == "2.00"


def test_what_was_recorded_keeps_its_price(ward: Ward, tmp_path: Path) -> None:
    brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,1.50\n"))
    sheet = ward.sheet()
    detail = ward.detail(sheet["id"], "2", product_id=products(ward)["1"]["id"])
    brought_in(ward, file_of(tmp_path, "code,name,price\n1,Gasa,9.99\n"))
    kept = ward.use_cases.details.one(ward.admin, detail["id"])
    assert (kept["unit_price"], kept["total"]) == (Decimal("1.50"), Decimal("3.00"))
    assert ward.use_cases.sheets.one(ward.admin, sheet["id"])["total"] == Decimal("3.00")


def test_progress_is_told_until_every_row_is_done(ward: Ward, tmp_path: Path) -> None:
    rows = 2 * ROWS_AT_A_TIME + 1
    text = "code,name,price\n" + "".join(f"{number},Gasa {number},1\n" for number in range(rows))
    table = open_table(file_of(tmp_path, text), ["code"])
    steps: list[int] = []
    report = import_products(ward.use_cases, ward.store.begin, ward.admin, table, COLUMNS, advance=steps.append)
    assert steps == [ROWS_AT_A_TIME, ROWS_AT_A_TIME, 1]
    assert sum(steps) == table.count() == report.created


def test_rows_are_kept_some_hundred_at_a_time(ward: Ward, tmp_path: Path) -> None:
    """A file that breaks off keeps what came before, and coming again with the whole one goes on from there."""
    text = "code,name,price\n" + "".join(f"{number},Gasa {number},1\n" for number in range(ROWS_AT_A_TIME + 5))
    broken = file_of(tmp_path, text + '9999,"' + "x" * 1_100_000)
    with pytest.raises(UnusableFile):
        brought_in(ward, broken)
    assert len(products(ward)) == ROWS_AT_A_TIME
    assert told(brought_in(ward, file_of(tmp_path, text))) == (5, 0, ROWS_AT_A_TIME, 0)
