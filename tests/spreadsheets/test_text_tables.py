"""Text files: detecting or choosing encoding, separator and quotes."""

from pathlib import Path
from typing import Any

import pytest

from adapters.spreadsheets.open_table import open_table
from application.imports.reading.cells import Cell, Formula, shown
from application.imports.reading.table import Choices, Separator
from domain.common.errors import Code
from tests.assertions import refused
from tests.imports.importing import file_of

ROWS = [["Código", "Descripción", "Precio"], ["1", "Cánula de 5 µm", "1.50"], ["2", "Vendaje «ñandú»", "0.35"]]


def read(file: Path, **choices: Any) -> tuple[list[list[str]], dict[str, tuple[str, str]]]:
    """Return the cells of every row, and value and code of each finding."""
    table = open_table(file, Choices(**choices))
    rows = [[shown(cell) for cell in row.cells] for row in table.rows("")]
    return rows, {found.what: (found.value, found.code) for found in table.findings}


def lines_of(file: Path, **choices: Any) -> list[int]:
    return [row.line for row in open_table(file, Choices(**choices)).rows("")]


@pytest.mark.parametrize(
    ("mark", "name"), [(",", "comma"), (";", "semicolon"), ("|", "pipe"), ("\t", "tab")], ids=lambda value: str(value)
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
def test_common_separators_and_line_ends_are_detected(tmp_path: Path, mark: str, name: str, line_end: str) -> None:
    rows, found = read(file_of(tmp_path, line_end.join(mark.join(row) for row in ROWS)))
    assert rows == ROWS
    assert found["separator"] == (name, "separator.counted")


@pytest.mark.parametrize(
    ("encoding", "mark", "reported"),
    [
        ("utf-8", b"", ("utf-8", "encoding.valid_utf8")),
        ("utf-8", b"\xef\xbb\xbf", ("utf-8", "encoding.marked")),
        ("utf-16-le", b"\xff\xfe", ("utf-16-le", "encoding.marked")),
        ("utf-16-be", b"\xfe\xff", ("utf-16-be", "encoding.marked")),
        ("utf-16-le", b"", ("utf-16-le", "encoding.half_empty")),
        ("utf-16-be", b"", ("utf-16-be", "encoding.half_empty")),
        ("cp1252", b"", ("windows-1252", "encoding.not_utf8")),
    ],
)
def test_common_encodings_are_detected(tmp_path: Path, encoding: str, mark: bytes, reported: tuple[str, str]) -> None:
    file = tmp_path / "file.csv"
    file.write_bytes(mark + "\n".join(";".join(row) for row in ROWS).encode(encoding))
    rows, found = read(file)
    assert rows == ROWS
    assert found["encoding"] == reported


def test_ascii_needs_no_encoding(tmp_path: Path) -> None:
    assert read(file_of(tmp_path, "a,b\n1,2\n"))[1]["encoding"] == ("utf-8", "encoding.ascii")


def test_windows_1252_has_quotes_and_euro_and_no_invalid_bytes(
    tmp_path: Path,
) -> None:
    rows, _ = read(file_of(tmp_path, "a;b\nGasa “fina” – 5 €;1\n", encoding="cp1252"))
    assert rows[1] == ["Gasa “fina” – 5 €", "1"]
    file = tmp_path / "odd.csv"
    file.write_bytes("a;b\ncanción ".encode("latin-1") + b"\x81;1\n")
    assert read(file)[0][1] == ["canción \x81", "1"]


def test_an_encoding_can_be_chosen(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a;b\nCánula;ñ\n", encoding="cp850")
    rows, found = read(file, encoding="cp850")
    assert (rows[1], found["encoding"]) == (["Cánula", "ñ"], ("cp850", "encoding.chosen"))
    file = file_of(tmp_path, "a;b\nCánula;ñ\n", encoding="mac-roman")
    assert read(file, encoding="mac-roman")[0][1] == ["Cánula", "ñ"]
    file = file_of(tmp_path, "a;b\nx;1\nCánula;ñ\n", encoding="cp1252")
    with refused((Code.FILE_ENCODING_WRONG, "file")):
        read(file, encoding="utf-8")


def test_damaged_utf_8_is_refused_and_not_read_otherwise(tmp_path: Path) -> None:
    """A file may be cut off in the middle of a character.

    In another encoding, each of its accented letters would become two wrong ones.
    """
    whole = "a;b\n" + "Cánula ñandú;1\n" * 200
    file = tmp_path / "cut.csv"
    file.write_bytes((whole + "Cán").encode()[:-2])
    with refused((Code.FILE_ENCODING_BROKEN, "file")):
        read(file)


def test_surrounding_and_non_breaking_blanks_are_normalized(tmp_path: Path) -> None:
    text = "\N{NO-BREAK SPACE}code | name\n 1\N{NO-BREAK SPACE}|  Gasa\N{NO-BREAK SPACE}fina \n"
    assert read(file_of(tmp_path, text, encoding="latin-1"))[0] == [["code", "name"], ["1", "Gasa fina"]]


def test_quoted_cells_may_have_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    file = file_of(tmp_path, 'code,name\n1,"Gasa, 4"" x 4"""\n2,"Set:\nuna gasa"\n\n3,Venda\n')
    rows, found = read(file)
    assert rows == [["code", "name"], ["1", 'Gasa, 4" x 4"'], ["2", "Set:\nuna gasa"], [], ["3", "Venda"]]
    assert "quotes" not in found
    assert lines_of(file) == [1, 2, 3, 5, 6]


@pytest.mark.parametrize(
    "row",
    ['1|3"X35" SPLINT|2', '1|SPLINT 4"|2', '1|"14" TUBE|2', '1|"no end|2', '1|ADAPTOR "Y"|2'],
    ids=lambda row: row,
)
def test_inch_marks_are_no_quotes(tmp_path: Path, row: str) -> None:
    rows, _ = read(file_of(tmp_path, ["code|name|price", "0|Gasa|1", row, "2|Venda|3"]))
    assert rows == [["code", "name", "price"], ["0", "Gasa", "1"], row.split("|"), ["2", "Venda", "3"]]


def test_literal_quotes_are_reported(tmp_path: Path) -> None:
    _, found = read(file_of(tmp_path, ["code|name|price", '1|"14" TUBE|2', "2|Venda|3"]))
    assert found["quotes"] == ("none", "quotes.literal")


def test_commas_in_numbers_and_names_are_no_separators(tmp_path: Path) -> None:
    lines = ["codigo;nombre;precio", "1;Gasa, 10 x 10;1,50", "2;Venda, elástica, 5 cm;12,00", "3;Tul;3,00"]
    assert read(file_of(tmp_path, lines))[1]["separator"][0] == "semicolon"
    lines = ["code|name|price", "1|CATH, FOLEY, 16FR|1.50", "2|KIT, A; B; C|2.00", "3|TUBE|1,200.00"]
    assert read(file_of(tmp_path, lines))[1]["separator"][0] == "pipe"


def test_titles_above_the_table_do_not_count(tmp_path: Path) -> None:
    lines = ["Hospital General, A.C.", "Precios vigentes; sujetos a cambio, sin aviso", "", "a;b;c", "1;2;3", "4;5;6",
             "7;8;9", "10;11;12", "13;14;15", "16;17;18", "19;20;21"]  # fmt: skip
    assert read(file_of(tmp_path, lines))[1]["separator"][0] == "semicolon"


def test_a_single_column_is_a_table(tmp_path: Path) -> None:
    rows, found = read(file_of(tmp_path, "Área\nMedicina Interna\nUrgencias\nCirugía, hombres\n"))
    assert rows == [["Área"], ["Medicina Interna"], ["Urgencias"], ["Cirugía, hombres"]]
    assert found["separator"] == ("none", "separator.none")


def test_the_separator_line_of_excel_is_no_row(tmp_path: Path) -> None:
    file = file_of(tmp_path, "sep=;\r\na;b\r\n1;2\r\n")
    rows, found = read(file)
    assert rows == [["a", "b"], ["1", "2"]]
    assert found["separator"] == ("semicolon", "separator.told")
    assert lines_of(file) == [2, 3]


def test_a_separator_can_be_chosen(tmp_path: Path) -> None:
    rows, found = read(file_of(tmp_path, "a;b,c\n1;2,3\n"), separator="comma")
    assert rows == [["a;b", "c"], ["1;2", "3"]]
    assert found["separator"] == ("comma", "separator.chosen")
    assert read(file_of(tmp_path, "a;b\n"), separator="none")[0] == [["a;b"]]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('="00123"', "00123"),
        (' ="00123" ', "00123"),
        ('"=""00123"""', "00123"),
        ('"=""4"""" x 4"""""""', '4" x 4"'),
        ('=""', ""),
        ("=1+1", Formula("=1+1")),
        (" =A1", Formula("=A1")),
        ('"=HYPERLINK(""http://x"")"', Formula('=HYPERLINK("http://x")')),
        ('="a"&"b"', Formula('="a"&"b"')),
        ("'=1+1", "'=1+1"),
        ("a=b", "a=b"),
        ("+1", "+1"),
    ],
)
def test_formulas_in_text_files_are_recognized(tmp_path: Path, written: str, read: Cell) -> None:
    """A code is often written as the text of a formula.

    That keeps a spreadsheet from turning it into a number.
    """
    table = open_table(file_of(tmp_path, f"a,b,c\n1,{written},2\n3,x,4\n"), Choices())
    assert list(table.rows(""))[1].cells == ["1", read, "2"]


@pytest.mark.parametrize("end", ["\x1a", "\x1a\r\n", "\x1a" * 40, "b;\x1a", "b;\r\n\x1a"])
def test_the_end_mark_of_dos_is_no_row(tmp_path: Path, end: str) -> None:
    file = tmp_path / "file.csv"
    file.write_bytes(f"x;y\r\na;1\r\n{end}".encode("cp850"))
    rows = [row.cells for row in open_table(file, Choices(separator=Separator.SEMICOLON)).rows("")]
    assert rows == [["x", "y"], ["a", "1"], *([["b", ""]] if "b" in end else [])]


def test_the_file_name_does_not_matter(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a,b\n1,2\n", name="really.xlsx")
    assert read(file)[1]["kind"] == ("CSV", "kind.text")
