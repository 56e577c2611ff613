"""Quotes in text files, row by row: an inch mark affects one row only."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.spreadsheets.open_table import open_table
from adapters.spreadsheets.text import TextTable
from application.imports.reading.table import Choices, Separator
from domain.common.errors import Code
from tests.builders import Ward
from tests.imports.catalogue import products
from tests.imports.importing import brought_in, file_of, understood

HEADER = "codigo,nombre,precio"
BEFORE = '"00000","Gasa, 10 cm","1.00"'
AFTER = ['"00008","Venda ""elástica""","2.00"', '"00009","Tul","3.00"']


def table_of(folder: Path, lines: Sequence[str]) -> TextTable:
    table = open_table(file_of(folder, lines), Choices())
    assert isinstance(table, TextTable)
    return table


def rows_of(folder: Path, lines: Sequence[str]) -> list[tuple[int, list[object], object]]:
    """Return line, cells and quoted fault of every row."""
    rows = table_of(folder, lines).rows("")
    return [(row.line, list(row.cells), row.fault and row.fault.params["value"]) for row in rows]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ('"00001","Gasa 4" x 4"","5.00"', ["00001", 'Gasa 4" x 4"', "5.00"]),
        ('00001,"Gasa 4" x 4"",5.00', ["00001", 'Gasa 4" x 4"', "5.00"]),
        ('"00001","Gasa 4"x4"","5.00"', ["00001", 'Gasa 4"x4"', "5.00"]),
        ('"00001","Tubo 3" largo","5.00"', ["00001", 'Tubo 3" largo', "5.00"]),
        ('"00001","Tubo 3"","5.00"', ["00001", 'Tubo 3"', "5.00"]),
        ('"00001","Tubo 3", "5.00"', ["00001", "Tubo 3", "5.00"]),
        ('"00001" , "Tubo 3" , "5.00"', ["00001", "Tubo 3", "5.00"]),
        ('00001, "Sonda, 10 cm", 5.00', ["00001", "Sonda, 10 cm", " 5.00"]),
        ('"00001","Sonda 10" , larga","5.00"', ["00001", 'Sonda 10" , larga', "5.00"]),
        ('00001,Sonda 10" ,5.00', ["00001", 'Sonda 10" ', "5.00"]),
        ('00001,Sonda "Y" 10",5.00', ["00001", 'Sonda "Y" 10"', "5.00"]),
        ('"00001","Conector "Y" macho","5.00"', ["00001", 'Conector "Y" macho', "5.00"]),
        ('"00001",""Y" conector","5.00"', ["00001", '"Y" conector', "5.00"]),
        ('"00001","Set 2"" y 3" finos","5.00"', ["00001", 'Set 2" y 3" finos', "5.00"]),
        ('"00001","Set 2"", 3" finos","5.00"', ["00001", 'Set 2", 3" finos', "5.00"]),
    ],
)
def test_a_stray_quote_stays_in_its_cell(tmp_path: Path, row: str, cells: list[str]) -> None:
    read = rows_of(tmp_path, [HEADER, BEFORE, row, *AFTER])
    assert read[2] == (3, cells, None)
    assert [cells for _, cells, _ in read[:2] + read[3:]] == [
        HEADER.split(","),
        ["00000", "Gasa, 10 cm", "1.00"],
        ["00008", 'Venda "elástica"', "2.00"],
        ["00009", "Tul", "3.00"],
    ]


@pytest.mark.parametrize(
    ("row", "quoted", "cells"),
    [
        ('"00001","Tubo 3,"5.00"', '"Tubo 3', ["00001", '"Tubo 3', "5.00"]),
        ('"00001,"Tubo 3","5.00"', '"00001', ['"00001', "Tubo 3", "5.00"]),
        ('"00001","Tubo 3","5.00', '"5.00', ["00001", "Tubo 3", '"5.00']),
        ('00001,"Tubo 3,5.00', '"Tubo 3', ["00001", '"Tubo 3', "5.00"]),
        ('00001,"14" TUBO,5.00', '"14" TUBO', ["00001", '"14" TUBO', "5.00"]),
        ('"00001","Sonda 10" ,"5.00"', '"00001","Sonda 10" ,"5.00"', ["00001", "Sonda 10", "5.00"]),
        ('"00001","Sonda, 3, "x", 4","5.00"', '"Sonda', ["00001", '"Sonda', " 3", "x", ' 4"', "5.00"]),
        ('"00001","Tubo 3" largo"', '"00001","Tubo 3" largo"', ["00001", 'Tubo 3" largo']),
    ],
)  # fmt: skip
def test_only_a_row_with_unclear_cells_is_refused(tmp_path: Path, row: str, quoted: str, cells: list[str]) -> None:
    read = rows_of(tmp_path, [HEADER, BEFORE, row, *AFTER])
    assert read[2] == (3, cells, quoted)
    assert [(line, fault) for line, _, fault in read[:2] + read[3:]] == [(1, None), (2, None), (4, None), (5, None)]
    assert [cells[0] for _, cells, _ in read[3:]] == ["00008", "00009"]


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (['1,"Set:', 'una gasa",5'], [["1", "Set:\nuna gasa", "5"]]),
        (['"Set', 'doble",Venda,5'], [["Set\ndoble", "Venda", "5"]]),
        (['1,2,"Nota:', "", 'larga"'], [["1", "2", "Nota:\n\nlarga"]]),
        (['1,"Nota:', "Calle 1, Piso 2, Quito", 'fin",5'], [["1", "Nota:\nCalle 1, Piso 2, Quito\nfin", "5"]]),
        (['"a', 'b","c', 'd","e', 'f"'], [["a\nb", "c\nd", "e\nf"]]),
        (['1,"Gasa ""fina""', '4""",5'], [["1", 'Gasa "fina"\n4"', "5"]]),
        (['1,"dos', 'líneas",5', '2,"Gasa 4" x 4"",6'], [["1", "dos\nlíneas", "5"], ["2", 'Gasa 4" x 4"', "6"]]),
    ],
)
def test_cells_with_several_lines_are_read(tmp_path: Path, lines: list[str], read: list[list[str]]) -> None:
    rows = rows_of(tmp_path, [HEADER, "0,Tul,1", *lines, "8,Venda,2", "9,Vaso,3"])
    assert [cells for _, cells, _ in rows[2:]] == [*read, ["8", "Venda", "2"], ["9", "Vaso", "3"]]
    assert all(fault is None for _, _, fault in rows)


@pytest.mark.parametrize("end", ['3,Venda 5",2.00', '3,"Venda" 5,2.00', '3,"Venda, 5 cm",2.00', "3,Venda,2.00"])
def test_an_unclosed_quote_does_not_swallow_other_rows(tmp_path: Path, end: str) -> None:
    rows = rows_of(tmp_path, [HEADER, *AFTER, '1,"Tubo 3,5.00', "2,Gasa,1.00", end, "4,Tul,3.00", "5,Vaso,4.00"])
    assert rows[3] == (4, ["1", '"Tubo 3', "5.00"], '"Tubo 3')
    assert [(line, cells[0]) for line, cells, _ in rows[4:]] == [(5, "2"), (6, "3"), (7, "4"), (8, "5")]


def test_quotes_that_never_enclose_cells_are_literal(tmp_path: Path) -> None:
    table = table_of(tmp_path, ["code|name|price", '1|"14" TUBE|2', '2|"no end|2', '3|"Y" x 5|2'])
    assert [row.cells for row in table.rows("")][1:] == [
        ["1", '"14" TUBE', "2"],
        ["2", '"no end', "2"],
        ["3", '"Y" x 5', "2"],
    ]


@pytest.mark.parametrize(
    "rows",
    [
        ['"00001","Tubo 3,"5.00"'],
        ['"00001","Gasa 4" x 4"","5.00"'],
        ['"00001","Gasa" fina,"5.00"', '"00002","Tubo 3,"5.00"', '"00003",Vaso",5.00"'],
    ],
)
def test_codes_never_include_their_quotes(ward: Ward, tmp_path: Path, rows: list[str]) -> None:
    """This holds even in a file without any correct row."""
    brought_in(ward, file_of(tmp_path, [HEADER, *rows]))
    assert not [code for code in products(ward) if '"' in code]


def test_an_inch_mark_does_not_change_the_catalogue(ward: Ward, tmp_path: Path) -> None:
    rows = [f'"{number:05}","Gasa {number}","{number}.50"' for number in range(200)]
    brought_in(ward, file_of(tmp_path, [HEADER, *rows]))
    rows[100] = '"00100","Gasa 4" x 4"","100.50"'
    rows[150] = '"00150","Tubo 3,"150.50"'
    again = brought_in(ward, file_of(tmp_path, [HEADER, *rows]))
    assert again.counts == (0, 1, 198, 1)
    assert again.refusals == {152: [(None, "row.quotes_unclosed")]}
    assert products(ward)["00100"]["name"] == 'Gasa 4" x 4"'


def test_the_first_stray_quote_is_reported(ward: Ward, tmp_path: Path) -> None:
    how = understood(ward, file_of(tmp_path, [HEADER, BEFORE, '"00001","Gasa 4" x 4"","5.00"', *AFTER]))
    (found,) = [found for found in how.findings if found.what == "quotes"]
    assert (found.code, found.params) == ("quotes.stray", {"line": 3})


def test_a_faulty_row_does_not_count_for_the_number_format(ward: Ward, tmp_path: Path) -> None:
    lines = ["codigo;nombre;precio", '"1";"Gasa";"1,50"', '"2";"Tubo 3;"1.234,5.6"', '"3";"Tul";"2,50"']
    how = understood(ward, file_of(tmp_path, lines))
    assert (how.mark, how.questions) == ("comma", ())


CELLS = st.text(st.sampled_from('ab1 ,"\n'), max_size=8)


@settings(max_examples=150)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6), st.booleans())
def test_output_of_the_csv_module_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], all_quoted: bool
) -> None:
    """A valid file neither loses nor gains rows.

    At worst, a cell that looks like rows is refused.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL, lineterminator="\n")
    writer.writerows([["x", "y", "z"], *rows])
    file = tmp_path_factory.mktemp("quotes") / "file.csv"
    file.write_text(out.getvalue(), newline="")
    read = list(open_table(file, Choices(separator=Separator.COMMA)).rows(""))
    if not any(row.fault for row in read):
        assert [row.cells for row in read][1:] == rows


@settings(max_examples=150)
@given(st.text(st.sampled_from('a1 ,"\n'), max_size=60))
def test_rows_around_any_noise_are_read(tmp_path_factory: pytest.TempPathFactory, noise: str) -> None:
    file = tmp_path_factory.mktemp("quotes") / "file.csv"
    good = [f'"{number:05}","Gasa {number}","1.00"' for number in range(20)]
    file.write_text("\n".join([HEADER, *good, noise, *good]) + "\n", newline="")
    rows = [row for row in open_table(file, Choices(separator=Separator.COMMA)).rows("") if not row.fault]
    assert [row.cells[0] for row in rows[1:21]] == [f"{number:05}" for number in range(20)]
    assert [row.cells[0] for row in rows[-20:]] == [f"{number:05}" for number in range(20)]


def test_an_unclosed_quote_has_its_own_code(tmp_path: Path) -> None:
    (fault,) = [row.fault for row in table_of(tmp_path, [HEADER, BEFORE, '1,"a,2', *AFTER]).rows("") if row.fault]
    assert fault.code is Code.ROW_QUOTES_UNCLOSED
