"""What people wrote never becomes a formula, and comes back as it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from adapters.documents.csv_file import csv_lines
from adapters.documents.refused_rows import RefusedRows
from adapters.documents.xlsx import list_workbook
from adapters.hospital_profile import HospitalProfile
from application.formula_guard import guarded, is_like_a_formula, unguarded
from tests.builders import ZONE, an_admin

BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# What spreadsheets take for a formula, or what they take for one once they passed over the blank before it.
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
def test_what_is_like_a_formula_has_an_apostrophe_before_it(text: str) -> None:
    assert is_like_a_formula(text)
    assert guarded(text) == f"'{text}"
    assert unguarded(f"'{text}") == text


@pytest.mark.parametrize("text", OTHERS, ids=repr)
def test_what_is_no_formula_is_left_alone(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r\n＝ a")) | st.text())
def test_whatever_is_written_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(BEGINNINGS)


@pytest.mark.parametrize("text", LIKE_FORMULAS, ids=repr)
def test_no_cell_of_a_csv_begins_like_a_formula(text: str) -> None:
    lines = "".join(csv_lines([{"name": text}], ("name",), an_admin())).removeprefix("\N{BYTE ORDER MARK}")
    assert [*csv.reader(io.StringIO(lines, newline=""))] == [["name"], [f"'{text}"]]


@pytest.mark.parametrize("text", LIKE_FORMULAS, ids=repr)
def test_no_refused_row_begins_like_a_formula(text: str) -> None:
    out = io.StringIO(newline="")
    RefusedRows(out, [text], "es").add([text], ())
    head, row = csv.reader(io.StringIO(out.getvalue().removeprefix("\N{BYTE ORDER MARK}"), newline=""))
    # What was guarded when it came needs no second one.
    assert (head[0], row[0]) == (f"'{text}", text if text.startswith("'") else f"'{text}")


@pytest.mark.parametrize(("texts", "marked"), [(LIKE_FORMULAS, True), (["Gasa = 1", "a\tb", "ñ", "0012"], False)])
def test_a_cell_of_a_workbook_says_that_it_means_a_text(texts: list[str], marked: bool) -> None:
    """However it is edited there: a spreadsheet that is not told so asks anew what the text is."""
    hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)
    with list_workbook([{"name": text} for text in texts], ("name",), an_admin(), "es", hospital) as file:
        _, *cells = [row[0] for row in load_workbook(file).worksheets[0].iter_rows()]
    for cell, text in zip(cells, texts, strict=True):
        # Openpyxl leaves escapes as they are written.
        assert str(cell.value).replace("_x000D_", "\r") == text
        assert cell.data_type != "f"
        assert cell.quotePrefix is marked, text
