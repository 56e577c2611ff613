"""Warnings about rows: nothing is stored before they are confirmed."""

from pathlib import Path

import pytest

from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from application.imports.report import UNDECIDED, ImportDecision, Report, lines_named
from tests.builders import Ward
from tests.imports.catalogue import products
from tests.imports.importing import RowCollector, file_of

FILE = ["code;name;price", "G-1;Gasa;0.375", "G-2;Venda;2.00", "G-3;Tul;1.005"]


def bring(
    ward: Ward, folder: Path, decision: ImportDecision = UNDECIDED, lines: list[str] = FILE
) -> tuple[Report, RowCollector]:
    reported = RowCollector()
    _, batch = ward.use_cases.imports.read_file(ward.admin, file_of(folder, lines), Noun.PRODUCTS, Choices())
    return ward.use_cases.imports.run(ward.admin, batch, reported, decision=decision), reported


def test_nothing_is_stored_before_the_warnings_are_confirmed(ward: Ward, tmp_path: Path) -> None:
    report, reported = bring(ward, tmp_path)
    assert (report.created, report.warned, report.kept) == (3, 2, False)
    assert {
        row.line: [(one.field, one.code.value, one.params["value"]) for one in row.warnings] for row in reported.rows
    } == {
        2: [("price", "money.rounded", "0.375")],
        3: [],
        4: [("price", "money.rounded", "1.005")],
    }
    assert products(ward) == {}


def test_seen_warnings_are_confirmed_together(ward: Ward, tmp_path: Path) -> None:
    seen = bring(ward, tmp_path)[0].warnings
    assert bring(ward, tmp_path, ImportDecision(confirmed=seen))[0].kept
    assert {code: str(one["price"]) for code, one in products(ward).items()} == {
        "G-1": "0.38",
        "G-2": "2.00",
        "G-3": "1.01",
    }


def test_warnings_that_were_not_seen_are_not_confirmed(ward: Ward, tmp_path: Path) -> None:
    seen = bring(ward, tmp_path)[0].warnings
    other = [*FILE[:3], "G-3;Tul;1.004"]
    assert not bring(ward, tmp_path, ImportDecision(confirmed=seen), other)[0].kept
    assert products(ward) == {}


def test_a_row_can_be_left_out(ward: Ward, tmp_path: Path) -> None:
    without = frozenset({2, 4})
    report, _ = bring(ward, tmp_path, ImportDecision(leave_out=without))
    assert (report.created, report.left_out, report.warned, report.kept) == (1, 2, 0, True)
    assert set(products(ward)) == {"G-2"}


def test_an_unchanged_row_has_no_warning(ward: Ward, tmp_path: Path) -> None:
    bring(ward, tmp_path, ImportDecision(all_warnings=True))
    report, _ = bring(ward, tmp_path)
    assert (report.unchanged, report.warned, report.kept) == (3, 0, True)


def test_a_binary_rounding_error_of_a_price_has_no_warning(ward: Ward, tmp_path: Path) -> None:
    assert bring(ward, tmp_path, UNDECIDED, [FILE[0], "G-1;Gasa;0.30000000000000004"])[0].kept


@pytest.mark.parametrize(
    ("text", "lines"), [("", set()), ("12", {12}), ("12,15-17", {12, 15, 16, 17}), (" 3 , 4", {3, 4}), ("5-3", set())]
)
def test_lines_are_given_as_numbers_and_ranges(text: str, lines: set[int]) -> None:
    assert lines_named(text) == lines


@pytest.mark.parametrize("text", ["x", "1-", "-3", "1-9999999", "1;2", "٣"])
def test_invalid_line_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        lines_named(text)
