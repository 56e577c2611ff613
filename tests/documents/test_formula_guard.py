"""Protection against formulas in exported texts."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from adapters.documents.csv_file import csv_lines
from adapters.documents.refused_rows import RefusedRows
from adapters.documents.xlsx import list_workbook
from adapters.hospital.profile import HospitalProfile
from application.common.formula_guard import guarded, is_like_a_formula, unguarded
from tests.builders import ZONE

BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Texts that spreadsheets read as formulas, also after leading whitespace.
FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\t",
    "\r1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(A1)",
]
LIKE_FORMULAS = [*FORMULAS, *(f"'{text}" for text in FORMULAS), "''=1+1", "''\t"]
OTHERS = ["", "'", "''", "'Gasa' fina", "Gasa = 1", "5' - 6'", "a\tb", " =1", "1", "ñ", "0012"]


@pytest.mark.parametrize("text", LIKE_FORMULAS, ids=repr)
def test_a_formula_is_guarded_with_an_apostrophe(text: str) -> None:
    assert is_like_a_formula(text)
    assert guarded(text) == f"'{text}"
    assert unguarded(f"'{text}") == text


@pytest.mark.parametrize("text", OTHERS, ids=repr)
def test_other_texts_are_unchanged(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r\n＝ a")) | st.text())
def test_guarding_is_reversible(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(BEGINNINGS)


@pytest.mark.parametrize("text", LIKE_FORMULAS, ids=repr)
def test_no_csv_cell_starts_like_a_formula(text: str) -> None:
    lines = "".join(csv_lines([{"name": text}], ("name",))).removeprefix("\N{BYTE ORDER MARK}")
    assert [*csv.reader(io.StringIO(lines, newline=""))] == [["name"], [f"'{text}"]]


@pytest.mark.parametrize("text", LIKE_FORMULAS, ids=repr)
def test_no_refused_row_starts_like_a_formula(text: str) -> None:
    out = io.StringIO(newline="")
    RefusedRows(out, [text], "es").add([text], ())
    head, row = csv.reader(io.StringIO(out.getvalue().removeprefix("\N{BYTE ORDER MARK}"), newline=""))
    # A text that was guarded in the imported file needs no second apostrophe.
    assert (head[0], row[0]) == (f"'{text}", text if text.startswith("'") else f"'{text}")


@pytest.mark.parametrize(("texts", "marked"), [(LIKE_FORMULAS, True), (["Gasa = 1", "a\tb", "ñ", "0012"], False)])
def test_texts_like_formulas_are_marked_as_text_in_workbooks(texts: list[str], marked: bool) -> None:
    """Otherwise a spreadsheet would evaluate the text when the cell is edited."""
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    with list_workbook([{"name": text} for text in texts], ("name",), "es", hospital) as file:
        _, *cells = [row[0] for row in load_workbook(file).worksheets[0].iter_rows()]
    for cell, text in zip(cells, texts, strict=True):
        # Openpyxl does not decode escapes.
        assert str(cell.value).replace("_x000D_", "\r") == text
        assert cell.data_type != "f"
        assert cell.quotePrefix is marked, text
