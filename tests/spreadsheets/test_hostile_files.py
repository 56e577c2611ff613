"""Files that are no tables or hostile, refused with a clear message.

Reading them takes limited time and memory.
"""

import random
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from adapters.i18n import messages
from adapters.i18n.catalogue import LANGUAGES
from adapters.spreadsheets import limits
from adapters.spreadsheets.open_table import open_table
from application.imports.reading.fields import Noun
from application.imports.reading.table import MAX_FILE_BYTES, Choices
from domain.common.errors import Code, Refused
from tests.builders import Ward
from tests.imports.catalogue import of, products
from tests.imports.importing import brought_in, file_of, understood, warnings
from tests.pace import PATIENCE, unit, used_by_children
from tests.servers import ROOT
from tests.spreadsheets.workbooks import MAIN, Raw, formula, sheet_xml, workbook_parts, write_parts, xls, xlsx

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20


def read(file: Path) -> None:
    """Read a file to its end."""
    table = open_table(file, Choices())
    for sheet in table.sheets:
        for _ in table.rows(sheet):
            pass


def refusal(file: Path) -> Code:
    """Return the code of the refusal when a file is read to its end.

    Every refusal must have a message in both languages.
    """
    with pytest.raises(Refused) as caught:
        read(file)
    (reason,) = caught.value.reasons
    for language in LANGUAGES:
        said = messages.refusal(language, reason)
        assert 10 < len(said) < 200
        assert "{" not in said
    return reason.code


def with_sheet(folder: Path, xml: str, **options: Any) -> Path:
    return write_parts(folder / "file.xlsx", workbook_parts({"Hoja1": xml}, **options))


def of_cells(cells: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>'


# --- other kinds of files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", Code.FILE_EMPTY),
        (PNG, Code.FILE_KIND_UNKNOWN),
        (b"%PDF-1.7\n" + bytes(range(256)), Code.FILE_KIND_UNKNOWN),
        (b"\xff\xd8\xff\xe0" + bytes(500), Code.FILE_KIND_UNKNOWN),
        (b"\x1f\x8b\x08" + bytes(500), Code.FILE_KIND_UNKNOWN),
        (b"\x7fELF" + bytes(500), Code.FILE_KIND_UNKNOWN),
        (b"MZ" + bytes(500), Code.FILE_KIND_UNKNOWN),
        (b"<html><table></table></html>", Code.FILE_KIND_UNKNOWN),
        (b"\xef\xbb\xbf  <!DOCTYPE html><p>", Code.FILE_KIND_UNKNOWN),
        (b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', Code.FILE_WITHOUT_ROWS),
        (b'<?xml version="1.0"?><ClinicalDocument/>', Code.FILE_KIND_UNKNOWN),
        (b"MIME-Version: 1.0\nX-Document-Type: Workbook\n", Code.FILE_KIND_UNKNOWN),
        (b"{\\rtf1 hello}", Code.FILE_KIND_UNKNOWN),
        (b"\x00" * 1_000, Code.FILE_WITH_NUL),
        (b"code,name\n1,Ga\x00sa\n", Code.FILE_WITH_NUL),
        (b"PK\x03\x04" + bytes(500), Code.FILE_DAMAGED),
        (b"PK\x03\x04", Code.FILE_DAMAGED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000), Code.FILE_DAMAGED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Code.FILE_DAMAGED),
    ],
    ids=lambda value: repr(value)[:30],
)
@pytest.mark.parametrize("name", ["file.csv", "file.xlsx", "file.xls"])
def test_a_file_that_is_no_table_is_refused_whatever_its_name(
    tmp_path: Path, content: bytes, code: Code, name: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    assert refusal(file) is code


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({"word/document.xml": "<w/>"}, "DOCX"),
        ({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<o/>"}, "ODT"),
        ({"xl/workbook.bin": "x"}, "XLSB"),
        ({"holiday.jpg": "x"}, "ZIP"),
    ],
)
def test_other_archives_are_recognized(tmp_path: Path, parts: dict[str, str], kind: str) -> None:
    file = write_parts(tmp_path / "file.xlsx", parts)
    with pytest.raises(Refused) as caught:
        open_table(file, Choices())
    assert [(one.code, one.params) for one in caught.value.reasons] == [(Code.FILE_KIND_UNKNOWN, {"kind": kind})]


def test_random_bytes_are_never_accepted_as_a_table(ward: Ward, tmp_path: Path) -> None:
    """Any bytes lead to a refusal or a question, and to no other exception."""
    chance = random.Random(2026)
    for number in range(60):
        file = tmp_path / f"{number}.csv"
        beginning = chance.choice([b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xff\xfe", b"a,b\n"])
        file.write_bytes(beginning + chance.randbytes(chance.randrange(1, 5_000)))
        with suppress(Refused):
            assert understood(ward, file).questions


# --- workbooks -------------------------------------------------------------------------------------------------------


def test_protected_workbooks_are_refused(tmp_path: Path) -> None:
    """Excel stores an encrypted workbook in the container of the old format.

    Other programs encrypt the archive.
    """
    file = tmp_path / "file.xlsx"
    container = xls(tmp_path, ["a"]).read_bytes()
    file.write_bytes(container + "EncryptedPackage".encode("utf-16-le") + bytes(100))
    assert refusal(file) is Code.FILE_ENCRYPTED
    encrypted = bytearray(xlsx(tmp_path, ["a"]).read_bytes())
    for place in range(len(encrypted)):
        if encrypted[place : place + 4] == b"PK\x01\x02":
            encrypted[place + 8] |= 1
    file.write_bytes(encrypted)
    assert refusal(file) is Code.FILE_ENCRYPTED


def test_a_protected_old_workbook_is_refused(tmp_path: Path) -> None:
    """The second record of its stream says that it is encrypted."""
    content = bytearray(xls(tmp_path, ["a"]).read_bytes())
    begin = content.index(b"\x09\x08\x10\x00\x00\x06\x05\x00")
    after = begin + 4 + 16
    content[after : after + 6] = struct.pack("<HHH", 0x2F, 2, 0)
    file = tmp_path / "protected.xls"
    file.write_bytes(content)
    assert refusal(file) in (Code.FILE_ENCRYPTED, Code.FILE_DAMAGED)


@pytest.mark.parametrize("make", [xlsx, xls])
def test_truncated_files_are_refused(tmp_path: Path, make: Callable[..., Path]) -> None:
    chance = random.Random(1)
    rows = [[f"C-{number}", chance.random()] for number in range(2_000)]
    whole = make(tmp_path, *rows).read_bytes()
    for part in (0.1, 0.5, 0.9, 0.999):
        file = tmp_path / "cut.xlsx"
        file.write_bytes(whole[: int(len(whole) * part)])
        assert refusal(file) is Code.FILE_DAMAGED


def test_files_with_random_damage_cause_no_other_exception(tmp_path: Path) -> None:
    whole = bytearray(xlsx(tmp_path, *([f"C-{number}", number] for number in range(2_000))).read_bytes())
    chance = random.Random(7)
    for _ in range(40):
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        file = tmp_path / "damaged.xlsx"
        file.write_bytes(damaged)
        with suppress(Refused):
            read(file)


BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>"
)
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("bomb", [BILLION_LAUGHS, OUTSIDE])
@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml", "_rels/.rels"])
def test_xml_with_entities_is_refused(tmp_path: Path, bomb: str, part: str) -> None:
    sheet = of_cells('<c t="s"><v>0</v></c>')
    parts = workbook_parts({"Hoja1": sheet}, shared=f'<sst xmlns="{MAIN}"><si><t>a</t></si></sst>')
    bare = parts[part].partition("?>")[2] or parts[part]
    parts[part] = bomb + bare.replace("<t>a</t>", "<t>&j;</t>")
    assert refusal(write_parts(tmp_path / "file.xlsx", parts)) is Code.FILE_WITH_ENTITIES


def test_a_zip_bomb_with_its_real_size_is_refused(tmp_path: Path) -> None:
    parts = workbook_parts({"Hoja1": of_cells("")})
    file = write_parts(tmp_path / "file.xlsx", parts)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/media/image1.png", "w") as image:
        for _ in range(limits.MAX_UNPACKED_BYTES // 10_000_000 + 1):
            image.write(bytes(10_000_000))
    assert file.stat().st_size < 1_000_000
    assert refusal(file) is Code.FILE_UNPACKS_TOO_LARGE


def test_a_zip_bomb_with_a_false_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.spreadsheets.xlsx.MAX_UNPACKED_BYTES", 3_000_000)
    blanks = " " * 5_000_000
    file = with_sheet(tmp_path, f'<worksheet xmlns="{MAIN}"><sheetData>{blanks}</sheetData></worksheet>')
    content = bytearray(file.read_bytes())
    place = content.index(b"xl/worksheets/sheet1.xml", content.index(b"PK\x01\x02")) - 46
    struct.pack_into("<I", content, place + 24, 1_000)
    file.write_bytes(content)
    assert refusal(file) in (Code.FILE_UNPACKS_TOO_LARGE, Code.FILE_DAMAGED)


def test_sheets_share_one_budget_and_reading_again_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ELEMENTS_OF_SHEETS", 1_000)
    few, many = (
        write_parts(tmp_path / f"{count}.xlsx", workbook_parts(dict.fromkeys(names, sheet_xml([[1]] * 60))))
        for count in (4, 8)
        for names in [[f"Hoja{number}" for number in range(count)]]
    )
    table = open_table(few, Choices())
    for _ in range(3):
        for sheet in table.sheets:
            assert len(list(table.rows(sheet))) == 60
    assert refusal(many) is Code.FILE_TOO_MANY_CELLS


def test_highly_compressed_content_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.spreadsheets.archive.UNPACKED_AT_ANY_RATIO", 200_000)
    read_to_its_end = with_sheet(tmp_path, of_cells(" " * 100_000))
    read(read_to_its_end)
    assert refusal(with_sheet(tmp_path, of_cells(" " * 500_000))) is Code.FILE_TOO_MANY_CELLS


def test_an_archive_with_a_huge_directory_is_refused(tmp_path: Path) -> None:
    file = xlsx(tmp_path, ["a"])
    content = bytearray(file.read_bytes())
    struct.pack_into("<I", content, content.rindex(b"PK\x05\x06") + 12, 40_000_000)
    file.write_bytes(content)
    assert refusal(file) is Code.FILE_UNPACKS_TOO_LARGE


def test_two_cells_in_opposite_corners_take_no_space_between(tmp_path: Path) -> None:
    """A rectangle that holds both would have 17 thousand million cells."""
    sheet = (
        f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
        '<row r="1048576"><c r="SF1048576"><v>2</v></c></row></sheetData></worksheet>'
    )
    rows = list(open_table(with_sheet(tmp_path, sheet), Choices()).rows("Hoja1"))
    assert [(row.line, len(row.cells)) for row in rows] == [(1, 1), (1_048_576, 500)]
    far = list(open_table(xls(tmp_path, sheets={"Hoja1": _corners()}), Choices()).rows("Hoja1"))
    assert [(row.line, len(row.cells)) for row in far] == [(1, 1), (65_536, 256)]


def _corners() -> list[list[Any]]:
    return [["a"], *[[None]] * 65_534, [None] * 255 + ["b"]]


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ('<c r="XFD1"><v>1</v></c>', Code.FILE_TOO_WIDE),
        ('<c r="AAAA1"><v>1</v></c>', Code.FILE_DAMAGED),
        ('<c r="É1"><v>1</v></c>', Code.FILE_DAMAGED),
        ('<c r="1"><v>1</v></c>', Code.FILE_DAMAGED),
        ('<c t="s"><v>0</v></c>', Code.FILE_DAMAGED),
        ('<c t="s"><v>x</v></c>', Code.FILE_DAMAGED),
        ("<c><v>one</v></c>", Code.FILE_DAMAGED),
        ('<c s="x"><v>1</v></c>', Code.FILE_DAMAGED),
        ('<c t="d"><v>yesterday</v></c>', Code.FILE_DAMAGED),
        ("<c><v>1</v>", Code.FILE_DAMAGED),
        (f'<c t="inlineStr"><is><t>{"x" * 32_768}</t></is></c>', Code.FILE_CELL_TOO_LONG),
        (f"<c><v>{'9' * 10_000_000}</v></c>", Code.FILE_CELL_TOO_LONG),
        ("<c><v>1</v></c>" * 501, Code.FILE_TOO_WIDE),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_impossible_cells_are_refused(tmp_path: Path, cells: str, code: Code) -> None:
    assert refusal(with_sheet(tmp_path, of_cells(cells))) is code


@pytest.mark.parametrize("value", ["INF", "NaN", "1E+999999999", "-1E-99999", "1E400"])
def test_invalid_numbers_are_errors_in_their_cell(ward: Ward, tmp_path: Path, value: str) -> None:
    file = xlsx(tmp_path, ["code", "name", "price"], ["1", "Gasa", Raw(f"<c><v>{value}</v></c>")])
    assert brought_in(ward, file).refusals == {2: [("price", "cell.fault")]}


def test_a_shared_text_of_ten_megabytes_is_refused(tmp_path: Path) -> None:
    shared = f'<sst xmlns="{MAIN}"><si><t>{"x" * 10_000_000}</t></si></sst>'
    assert refusal(with_sheet(tmp_path, of_cells('<c t="s"><v>0</v></c>'), shared=shared)) is Code.FILE_CELL_TOO_LONG


def test_too_many_shared_texts_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.spreadsheets.xlsx.MAX_SHARED_LETTERS", 100_000)
    shared = (
        f'<sst xmlns="{MAIN}">{"<si><t>" + "x" * 1_000 + "</t></si>"}' * 1
        + f"{'<si><t>' + 'x' * 999 + '</t></si>'}" * 150
    )
    file = with_sheet(tmp_path, of_cells('<c t="s"><v>0</v></c>'), shared=shared + "</sst>")
    assert refusal(file) is Code.FILE_TOO_LARGE


# --- text files ------------------------------------------------------------------------------------------------------


def test_a_cell_of_ten_megabytes_is_refused(tmp_path: Path) -> None:
    assert refusal(file_of(tmp_path, f"code,name\n1,{'x' * 10_000_000}\n")) is Code.FILE_CELL_TOO_LONG
    assert refusal(file_of(tmp_path, f'code,name\n1,"{"x" * 40_000}"\n')) is Code.FILE_CELL_TOO_LONG
    lines = "\n".join("x" * 70 for _ in range(1_000))
    assert refusal(file_of(tmp_path, f'code,name\n1,"{lines}"\n2,a\n')) is Code.FILE_CELL_TOO_LONG


def test_a_million_columns_are_refused(tmp_path: Path) -> None:
    assert refusal(file_of(tmp_path, f"{'a,' * 1_000_000}\n1\n")) is Code.FILE_TOO_WIDE
    assert refusal(file_of(tmp_path, f"{'a,' * 600}\n{'1,' * 600}\n")) is Code.FILE_TOO_WIDE
    assert refusal(file_of(tmp_path, "," * 1_900_000)) is Code.FILE_TOO_WIDE


def test_too_many_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 1_000)
    assert refusal(file_of(tmp_path, "a,b\n" + "1,2\n" * 1_001)) is Code.FILE_TOO_LONG
    assert refusal(with_sheet(tmp_path, sheet_xml([[1]] * 1_002))) is Code.FILE_TOO_LONG
    assert refusal(xls(tmp_path, *[[1]] * 1_002)) is Code.FILE_TOO_LONG


def test_too_many_bytes_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    with file.open("wb") as out:
        out.truncate(MAX_FILE_BYTES + 1)
    assert refusal(file) is Code.FILE_TOO_LARGE


# --- formulas --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["=1+1", '=HYPERLINK("http://x")', "=cmd|' /C calc'!A0", " =A1"])
def test_formulas_in_used_columns_are_refused(ward: Ward, tmp_path: Path, text: str) -> None:
    quoted = text.replace('"', '""')
    file = file_of(
        tmp_path, ["code;name;price;other", f'1;"{quoted}";2,50;x', f'2;Gasa;"{quoted}";x', f'3;Tul;1,50;"{quoted}"']
    )
    brought = brought_in(ward, file)
    assert brought.refusals == {2: [("name", "cell.formula")], 3: [("price", "cell.formula")]}
    assert brought.counts == (1, 0, 0, 2)


def test_formulas_of_workbooks_give_their_result_with_a_warning(ward: Ward, tmp_path: Path) -> None:
    text = Raw('<c t="str"><f>UPPER(D4)</f><v>TUL</v></c>')
    nothing = Raw('<c t="str"><f>""</f><v></v></c>')
    file = xlsx(tmp_path, ["code", "name", "price", "unit", "other"], ["1", "Gasa", formula("E2*1.16", 5.8), nothing],
                ["2", "Venda", 3, None, formula("1+1", 2)], ["3", text, formula("E4/8", 0.375)],
                ["4", "Gel", formula("A9")], [formula("1E11*1E5", 1e16), "Asa", 1])  # fmt: skip
    brought = brought_in(ward, file)
    assert warnings(brought) == {
        2: [("price", "cell.formula_taken", "5.8")],
        4: [
            ("name", "cell.formula_taken", "TUL"),
            ("price", "cell.formula_taken", "0.375"),
            ("price", "money.rounded", "0.375"),
        ],
    }
    assert brought.refusals == {5: [("price", "cell.formula")], 6: [("code", "code.cut_off")]}
    assert {code: of(one) for code, one in products(ward).items()} == {
        "1": ("Gasa", "5.80"),
        "2": ("Venda", "3.00"),
        "3": ("TUL", "0.38"),
    }
    assert brought_in(ward, file).outcomes == {
        2: "unchanged",
        3: "unchanged",
        4: "unchanged",
        5: "refused",
        6: "refused",
    }


def test_workbook_texts_that_start_like_a_formula_are_texts(ward: Ward, tmp_path: Path) -> None:
    file = xlsx(tmp_path, ["code", "name", "price"], ["=1", "=SUM(A1)", 3])
    brought = brought_in(ward, file)
    assert (brought.counts, warnings(brought)) == ((1, 0, 0, 0), {})
    assert [one["name"] for one in products(ward).values()] == ["=SUM(A1)"]


@pytest.mark.parametrize("name", ["+Gasa", "-DESCONTINUADO", "@SUM(A1)", "- 5 °C"])
def test_names_that_only_look_like_a_formula_are_accepted(ward: Ward, tmp_path: Path, name: str) -> None:
    assert brought_in(ward, file_of(tmp_path, ["code;name;price", f"1;{name};2,50"])).counts == (1, 0, 0, 0)


# --- time and memory -------------------------------------------------------------------------------------------------

_MEASURED = """
import resource, sys
from pathlib import Path
from typing import Any
from adapters.spreadsheets.open_table import open_table
from application.imports.reading.fields import Noun
from application.imports.reading.table import MAX_FILE_BYTES, Choices
from application.imports.reading.layout import detect_layout
from domain.common.errors import Refused
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    detect_layout(open_table(Path(sys.argv[1]), Choices()), Noun.PRODUCTS, Choices())
except Refused as refused:
    pass
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def megabytes(file: Path) -> int:
    """Return the additional memory for detecting a file's layout, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return int(done.stdout)


def _blanks(folder: Path) -> Path:
    return with_sheet(folder, f'<worksheet xmlns="{MAIN}"><sheetData>{" " * 100_000_000}</sheetData></worksheet>')


def _rows_of_nothing(folder: Path) -> Path:
    rows = '<row><c r="A1"/></row>' * 1_000_000
    return with_sheet(folder, f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>')


def _commas(folder: Path) -> Path:
    return file_of(folder, ("," * 1_000_000 + "\n") * 20)


def _one_line(folder: Path) -> Path:
    return file_of(folder, "x" * 45_000_000)


def _quote_without_end(folder: Path) -> Path:
    return file_of(folder, 'code,name,price\n1,"' + "Gasa\n" * 3_000_000)


def _cells_that_begin_on_every_line_and_never_end(folder: Path) -> Path:
    return file_of(folder, 'code,name,price\n1,"a\n' + 'b","c\n' * 140_000)


def _corners_of_an_old_one(folder: Path) -> Path:
    return xls(folder, sheets={"Hoja1": _corners()})


@pytest.mark.parametrize(
    "make",
    [
        _blanks,
        _rows_of_nothing,
        _commas,
        _one_line,
        _quote_without_end,
        _cells_that_begin_on_every_line_and_never_end,
        _corners_of_an_old_one,
    ],
)
def test_hostile_files_take_limited_time_and_memory(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    file = make(tmp_path)
    begun = used_by_children()
    assert megabytes(file) < 120
    assert used_by_children() - begun < 400 * unit()


def test_every_noun_refuses_a_file_that_is_no_table(ward: Ward, tmp_path: Path) -> None:
    file = tmp_path / "holiday.csv"
    file.write_bytes(PNG)
    for noun in Noun:
        with pytest.raises(Refused):
            understood(ward, file, noun)
