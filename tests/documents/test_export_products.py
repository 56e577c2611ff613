"""Exporting the catalogue as RFC 4180 CSV without formulas, for re-import."""

import csv
import io
from pathlib import Path

import pytest

from application.catalogue.categories import CategoryDraft
from tests.builders import Ward, a_ward
from tests.imports.catalogue import products, workbook_of, written_out
from tests.imports.importing import brought_in, file_of
from tests.spreadsheets.workbooks import xlsx

HEADER = [
    *("id", "code", "name", "price", "unit", "gtin", "category_id", "category_code", "category_name", "active"),
    *("also_called", "decimals", "asks_lot", "asks_serial", "implant", "included_in_stay", "plain_name"),
]

NASTY = [
    "=HYPERLINK(1)",
    "+1+2",
    "-DESCONTINUADO",
    "@SUM(A1)",
    "'=ya con apóstrofo",
    "''+dos",
    "'Gasa' entre apóstrofos",
    "5'-6' de tubo",
    'Gasa, 4" x 4"',
    '"entre comillas"',
    "una;dos|tres",
    "dos\nlíneas",
    "dos\r\nlíneas",
    "tabulado\ta la mitad",
    "ñandú ½ µ €",
]


# Texts that a workbook might convert.
TEXTS = [
    *("+SUM(1)", "=1+1", "-2", "@SUM(A1)", "'=ya", "''+dos", "'Gasa'", "＝1", "'－1", "0012", "1E5", "12", "1.50"),
    *(
        "TRUE",
        "{=1+1}",
        "<r>x</r>",
        "_x0041_",
        "a & b",
        "ñ 漢字",
        "http://x.test",
    ),
]


def test_a_csv_has_a_bom_and_crlf_line_ends(ward: Ward) -> None:
    ward.product("Gasa fina", "1.50", code="1")
    text = written_out(ward)
    assert text.startswith("\N{BYTE ORDER MARK}" + ",".join(HEADER) + "\r\n")
    assert text.endswith("\r\n")
    assert text.count("\n") == text.count("\r\n")


def test_every_product_is_written_with_all_its_fields(ward: Ward) -> None:
    ward.product(
        "Venda", "1141.40", code="1", gtin="4006381333931", unit="caja", active=0, also_called=("Tela", "Rollo")
    )
    rows = list(csv.reader(io.StringIO(written_out(ward).removeprefix("\N{BYTE ORDER MARK}"), newline="")))
    assert rows[0] == HEADER
    assert rows[1:] == [
        ["1", "", "Gasa estéril", "12.50", "", "", "1", "CUR", "Curación", "1", "", "3", "0", "0", "0", "0", ""],
        [
            "2",
            "1",
            "Venda",
            "1141.40",
            "caja",
            "4006381333931",
            "1",
            "CUR",
            "Curación",
            "0",
            "Tela; Rollo",
            "3",
            "0",
            "0",
            "0",
            "0",
            "",
        ],
    ]


def test_an_exported_catalogue_is_imported_unchanged(ward: Ward, tmp_path: Path) -> None:
    for number, name in enumerate(NASTY):
        called = (f"={number}", "-otro", "Núñez' s")[: number % 4]
        ward.product(name, f"{number}.05", code=f"-{number}", also_called=called, asks_lot=True, decimals=1)
    before = products(ward)
    file = file_of(tmp_path, written_out(ward))
    # The ward's own gauze has no code that identifies it.
    assert brought_in(ward, file).counts == (0, 0, len(NASTY), 1)
    assert products(ward) == before


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_workbook_is_imported_unchanged_in_either_language(ward: Ward, tmp_path: Path, language: str) -> None:
    for number, name in enumerate(NASTY):
        called = (f"={number}", "-otro", "Núñez' s")[: number % 4]
        ward.product(name, f"{number}.05", code=f"00{number}", active=number % 2, also_called=called)
    before = products(ward)
    file = workbook_of(ward, tmp_path / "catalogue.xlsx", language=language)
    assert brought_in(ward, file).counts == (0, 0, len(NASTY), 1)
    assert products(ward) == before


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_every_text_survives_export_and_import(ward: Ward, tmp_path: Path, form: str) -> None:
    """In another hospital, which has none of the codes, units and categories."""
    for number, text in enumerate(TEXTS):
        category = ward.use_cases.categories.create(ward.admin, CategoryDraft(code=text, name=f"{text}{number}"))
        ward.product(text, "1.05", code=text, unit=text, category_id=category.id)
    file = tmp_path / f"catalogue.{form}"
    if form == "csv":
        file_of(tmp_path, written_out(ward), name=file.name)
    else:
        workbook_of(ward, file)
    other = a_ward()
    assert brought_in(other, file).counts == (len(TEXTS), 0, 0, 1)

    def reported(where: Ward) -> dict[str, tuple[str, str | None, str, str | None]]:
        return {
            code: (each["name"], each["unit"], each["category"]["name"], each["category"].get("code"))
            for code, each in products(where).items()
        }

    assert reported(other) == reported(ward)
    assert set(reported(other)) == set(TEXTS)


def test_guarding_apostrophes_are_removed_in_workbooks_too(ward: Ward, tmp_path: Path) -> None:
    """A spreadsheet that opens a CSV and saves a workbook keeps them as text."""
    brought_in(ward, xlsx(tmp_path, ["code", "name", "price"], ["'-7", "'=Gasa", 1], ["8", "''=Gasa", 1]))
    assert {code: each["name"] for code, each in products(ward).items()} == {"-7": "=Gasa", "8": "'=Gasa"}
