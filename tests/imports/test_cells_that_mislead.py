"""Misleading cells: formats, placeholders, impossible dates, encodings."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.i18n import messages
from application.imports.reading.fields import Noun
from application.imports.reading.misread import mended
from application.people.views import PatientQuery
from tests.builders import Ward
from tests.imports.catalogue import products
from tests.imports.importing import ImportOutcome, brought_in, file_of, findings, understood, warnings
from tests.spreadsheets.workbooks import MAIN, Raw, sheet_xml, workbook_parts, write_parts, xlsx


def bring(ward: Ward, folder: Path, *lines: str, noun: Noun = Noun.PRODUCTS, **choices: Any) -> ImportOutcome:
    return brought_in(ward, file_of(folder, lines), noun, **choices)


def patients(ward: Ward) -> dict[str, Any]:
    page = ward.use_cases.patients.reader.page(ward.admin, PatientQuery(limit=100))["items"]
    return {one["first_surname"]: one for one in page}


def formatted(folder: Path, columns: list[str], *rows: list[Any], formats: list[str]) -> Path:
    """Write a workbook whose styles, from 1 on, have these formats."""
    numbers = "".join(
        f'<numFmt numFmtId="{164 + n}" formatCode="{code.replace(chr(34), "&quot;")}"/>'
        for n, code in enumerate(formats)
    )
    styles = "".join(f'<xf numFmtId="{164 + n}"/>' for n in range(len(formats)))
    xfs = f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs>'
    xml = f'<styleSheet xmlns="{MAIN}"><numFmts>{numbers}</numFmts>{xfs}</styleSheet>'
    parts = workbook_parts({"Hoja1": sheet_xml([columns, *rows])}) | {"xl/styles.xml": xml}
    return write_parts(folder / "file.xlsx", parts)


def styled(value: object, style: int) -> Raw:
    return Raw(f'<c s="{style}"><v>{value}</v></c>')


# --- the displayed text of a cell ------------------------------------------------------------------------------------


def test_a_code_is_the_displayed_text_of_the_cell(ward: Ward, tmp_path: Path) -> None:
    rows: list[list[Any]] = [[styled(34, 1), "Gasa", 1], [styled(1234567, 2), "Venda", 2], [styled(2.5, 3), "Tul", 3]]
    file = formatted(tmp_path, ["code", "name", "price"], *rows, formats=['"MC-"0000', "#,##0", "# ?/?"])
    brought = brought_in(ward, file)
    assert set(products(ward)) == {"MC-0034", "1234567", "2.5"}
    assert warnings(brought) == {
        3: [("code", "cell.shown_otherwise", "1,234,567")],
        4: [("code", "cell.format_unknown", "2.5")],
    }
    reported = [messages.refusal("es", one) for row in brought.rows for one in row.warnings]
    assert "«1,234,567» y contiene 1234567" in reported[0]
    assert "«# ?/?»" in reported[1]
    assert brought_in(ward, file).counts == (0, 0, 3, 0)


@pytest.mark.parametrize("noun", [Noun.PATIENTS, Noun.CONSUMPTION])
def test_a_record_number_is_the_displayed_text_of_the_cell(ward: Ward, tmp_path: Path, noun: Noun) -> None:
    columns = ["NHC", "Nombre", "Apellido", "Ingreso", "Código", "Producto", "Cantidad"]
    row = [styled(120345, 1), "Ana", "Ríos", "2026-03-31", styled(7, 2), "Gasa", 1]
    width = 3 if noun is Noun.PATIENTS else len(row)
    file = formatted(tmp_path, columns[:width], row[:width], formats=["000\\-000\\-000", '"INS"000'])
    brought_in(ward, file, noun)
    assert patients(ward)["Ríos"]["record_number"] == "000-120-345"
    assert noun is Noun.PATIENTS or "INS007" in products(ward)


def test_a_percentage_is_no_price_in_any_kind_of_file(ward: Ward, tmp_path: Path) -> None:
    file = formatted(tmp_path, ["code", "name", "price"], ["1", "Gasa", styled(0.15, 1)], formats=["0 %"])
    brought = brought_in(ward, file)
    assert brought.refusals == {2: [("price", "number.expected")]}
    assert (
        messages.refusal("es", brought.rows[0].reasons[0])
        == "Escriba un número en «Precio»: «15 %» no es un número válido."
    )
    assert bring(ward, tmp_path, "code;name;price", "1;Gasa;15%").refusals == brought.refusals


@pytest.mark.parametrize(
    ("value", "form", "warned"),
    [
        ("1549.0943", "#,##0.00", [("price", "money.rounded", "1549.0943")]),
        ("1512", "#,##0.00", []),
        ("12.5", "0", [("price", "cell.shown_otherwise", "13")]),
        ("1234567", "0,", [("price", "cell.shown_otherwise", "1235")]),
        ("5", '0" ml"', [("price", "cell.shown_otherwise", "5 ml")]),
        ("0", '0.00;-0.00;"-"', [("price", "cell.shown_otherwise", "-")]),
        ("15", '"US$" 0.00', []),
        ("15", "[$€-2] 0.00", [("price", "money.foreign", "€ 15.00")]),
    ],
)
def test_a_price_with_a_different_display_is_warned_about(
    ward: Ward, tmp_path: Path, value: str, form: str, warned: Any
) -> None:
    """The currency of the hospital is the dollar."""
    file = formatted(tmp_path, ["code", "name", "price"], ["1", "Gasa", styled(value, 1)], formats=[form])
    brought = brought_in(ward, file)
    assert (brought.report.created, warnings(brought)) == (1, {2: warned} if warned else {})


# --- placeholders ----------------------------------------------------------------------------------------------------

HUMAN_ROLES = "NHC;Nombre;Apellido;Segundo apellido;Nacimiento"


@pytest.mark.parametrize(
    "word", ["NULL", "None", "nan", "N/A", "S/D", "s/d", "(Null)", "#N/A", "sin datos", "undefined"]
)
def test_a_placeholder_word_is_not_stored(ward: Ward, tmp_path: Path, word: str) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"7;Eva;Sanz;{word};{word}", noun=Noun.PATIENTS)
    kept = patients(ward)["Sanz"]
    assert (kept["second_surname"], kept["date_of_birth"]) == (None, None)
    sure = word.startswith("(")
    expected = [(name, "cell.says_nothing", word) for name in ("second_surname", "date_of_birth")]
    assert warnings(brought) == ({} if sure else {2: expected})


@pytest.mark.parametrize("mark", ["-", "—", "--", "\\N", "...", "…", "·", "***", "‒", "(en blanco)"])
def test_a_placeholder_mark_is_an_empty_cell(ward: Ward, tmp_path: Path, mark: str) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"{mark};Eva;Sanz;{mark};{mark}", noun=Noun.PATIENTS)
    kept = patients(ward)["Sanz"]
    assert (kept["record_number"], kept["second_surname"], kept["date_of_birth"]) == (None, None, None)
    assert warnings(brought) == {}


def test_a_placeholder_in_a_required_field_is_quoted(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, "7;Eva;Null;;", noun=Noun.PATIENTS)
    assert brought.refusals == {2: [("first_surname", "required")]}
    assert "«Null»" in messages.refusal("es", brought.rows[0].reasons[0])
    assert bring(ward, tmp_path, "code;name;price", "1;Gasa;N/A").refusals == {2: [("price", "required")]}


def test_a_possible_code_is_stored_with_a_warning(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "code;name;price;unit", "NA;Gasa;1.50;pza")
    assert set(products(ward)) == {"NA"}
    assert warnings(brought) == {2: [("code", "cell.may_say_nothing", "NA")]}


@pytest.mark.parametrize("number", ["0", "000000", "S/N", "NULL"])
def test_a_record_number_of_zeros_is_missing(ward: Ward, tmp_path: Path, number: str) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"{number};Eva;Sanz;;", f"{number};Luz;Gil;;", noun=Noun.PATIENTS)
    assert [patients(ward)[name]["record_number"] for name in ("Sanz", "Gil")] == [None, None]
    assert warnings(brought) == {line: [("record_number", "cell.says_nothing", number)] for line in (2, 3)}


@pytest.mark.parametrize("called", ["Núñez Gil,José", "Solís Paz , Irma", "Paz  Ruiz,  Ana", "Null Gil, Luz"])
def test_a_name_without_placeholder_gets_no_warning(ward: Ward, tmp_path: Path, called: str) -> None:
    assert warnings(bring(ward, tmp_path, "NHC;Paciente", f"1;{called}", noun=Noun.PATIENTS)) == {}


def test_a_placeholder_word_in_a_full_name_is_left_out(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Paciente", "1;Sanz NULL, Eva", "2;Null Gil, Luz"]
    brought = bring(ward, tmp_path, *lines, noun=Noun.PATIENTS)
    assert {"Sanz", "Null Gil"} <= set(patients(ward))
    assert warnings(brought) == {2: [("full_name", "cell.word_says_nothing", "Sanz NULL, Eva")]}


@pytest.mark.parametrize("written", ["90234.0", "90234,0", "90234.", "90234.00"])
def test_decimals_of_a_code_are_removed_with_a_warning(ward: Ward, tmp_path: Path, written: str) -> None:
    bring(ward, tmp_path, HUMAN_ROLES, "90234;Eva;Sanz;;", noun=Noun.PATIENTS)
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"{written};Eva;Sanz;;", noun=Noun.PATIENTS)
    assert brought.counts == (0, 0, 1, 0)
    brought = bring(ward, tmp_path, "code;name;price", f"{written};Gasa;1.5")
    assert set(products(ward)) == {"90234"}
    assert warnings(brought) == {2: [("code", "code.with_decimals", written)]}


def test_codes_with_decimals_of_their_own_keep_them(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "code;name;price", "2.0;Gasa;1.5", "2.1;Venda;1.5", "1.000;Tul;1.5")
    assert (set(products(ward)), warnings(brought)) == ({"2.0", "2.1", "1.000"}, {})


def test_a_code_with_more_digits_than_numbers_is_refused(ward: Ward, tmp_path: Path) -> None:
    brought = bring(ward, tmp_path, "code;name;price", "12345678901234568.0;Gasa;1.5")
    assert brought.refusals == {2: [("code", "code.cut_off")]}


def test_a_gtin_of_zeros_is_missing(ward: Ward, tmp_path: Path) -> None:
    lines = ["code;name;price;gtin", "1;Gasa;1.50;0000000000000", "2;Venda;2.50;00000000", "3;Tul;3.00;55555555"]
    brought = bring(ward, tmp_path, *lines)
    assert [products(ward)[code]["gtin"] for code in "12"] == [None, None]
    assert warnings(brought)[2] == [("gtin", "cell.says_nothing", "0000000000000")]
    assert brought.refusals == {4: [("gtin", "gtin.invalid")]}


@pytest.mark.parametrize(
    "error", ["#REF!", "#¡VALOR!", "#DIV/0!", "####", "Err:502", "#¿NOMBRE?", "#¡DESBORDAMIENTO!", "#SPILL!", "#CAMPO!"]
)
def test_an_error_text_is_an_error_as_in_a_workbook(ward: Ward, tmp_path: Path, error: str) -> None:
    assert bring(ward, tmp_path, "code;name;price", f"1;{error};1").refusals == {2: [("name", "cell.fault")]}


def test_a_not_available_error_is_a_placeholder_in_a_workbook(ward: Ward, tmp_path: Path) -> None:
    unavailable = Raw('<c t="e"><v>#N/A</v></c>')
    brought = brought_in(ward, xlsx(tmp_path, ["code", "name", "price", "unit"], ["1", "Gasa", 1, unavailable]))
    assert warnings(brought) == {2: [("unit", "cell.says_nothing", "#N/A")]}


# --- missing dates ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "  /  /    ",
        "0000-00-00",
        "00/00/0000",
        "0000-00-00 00:00:00",
        "--",
        "  -   -  ",
        "0",
        "00000000",
        "__/__/____",
        "NaT",
    ],
)
def test_a_date_without_digits_is_missing(ward: Ward, tmp_path: Path, text: str) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"7;Eva;Sanz;;{text}", noun=Noun.PATIENTS)
    assert (patients(ward)["Sanz"]["date_of_birth"], warnings(brought)) == (None, {})


@pytest.mark.parametrize(
    "text", ["30/12/1899", "31/12/1899", "01/01/1900", "01/01/0001", "1753-01-01", "9999-12-31", "1601-01-01 00:00:00"]
)
def test_a_date_that_means_none_is_missing_with_a_warning(ward: Ward, tmp_path: Path, text: str) -> None:
    brought = bring(ward, tmp_path, HUMAN_ROLES, f"7;Eva;Sanz;;{text}", noun=Noun.PATIENTS, dates="day-first")
    assert patients(ward)["Sanz"]["date_of_birth"] is None
    assert warnings(brought) == {2: [("date_of_birth", "date.means_none", text)]}


def test_many_births_on_the_first_unix_day_are_warned_about(ward: Ward, tmp_path: Path) -> None:
    first = date(1970, 1, 1).isoformat()
    one = bring(ward, tmp_path, HUMAN_ROLES, f"1;Eva;Sanz;;{first}", "2;Luz;Gil;;1980-02-03", noun=Noun.PATIENTS)
    assert (patients(ward)["Sanz"]["date_of_birth"], warnings(one)) == (date(1970, 1, 1), {})
    lines = [f"{n};Eva;Sanz{n};;01/01/1970" for n in range(3, 6)]
    many = bring(ward, tmp_path, HUMAN_ROLES, *lines, noun=Noun.PATIENTS)
    assert patients(ward)["Sanz3"]["date_of_birth"] == date(1970, 1, 1)
    assert [reported[0][1] for reported in warnings(many).values()] == ["date.comes_often"] * 3


def test_a_discharge_on_the_last_calendar_day_is_missing(ward: Ward, tmp_path: Path) -> None:
    lines = ["NHC;Nombre;Apellido;Ingreso;Alta;Código;Producto;Cantidad"]
    lines += ["1;Ana;Ríos;2026-03-31;9999-12-31;G;Gasa;1", "2;Eva;Luna;1970-01-01;;G;Gasa;1"]
    brought = bring(ward, tmp_path, *lines, noun=Noun.CONSUMPTION)
    assert warnings(brought) == {2: [("discharge_date", "date.means_none", "9999-12-31")]}
    assert brought.refusals[3] == [("admission_date", "required")]


# --- encodings -------------------------------------------------------------------------------------------------------

NAMES = ["Algodón", "Cánula niño", "PAÑAL", "Sonda Ñandú 5 µm"]


def mixed(folder: Path, *encodings: str) -> Path:
    lines = [f"{n};{name};1.50\n".encode(encodings[n % len(encodings)]) for n, name in enumerate(NAMES * 50)]
    file = folder / "mixed.csv"
    file.write_bytes(b"code;name;price\n" + b"".join(lines))
    return file


@pytest.mark.parametrize(
    "encodings",
    [("utf-8", "cp1252"), ("cp1252", "utf-8"), ("utf-8",) * 99 + ("cp1252",), ("cp1252",) * 99 + ("utf-8",),
     ("utf-8", "cp850")],
)  # fmt: skip
def test_each_line_is_read_in_its_own_encoding(ward: Ward, tmp_path: Path, encodings: tuple[str, ...]) -> None:
    file = mixed(tmp_path, *encodings)
    assert findings(understood(ward, file))["encoding"][1] == "encoding.mixed"
    brought = brought_in(ward, file)
    assert {one["name"] for one in products(ward).values()} >= set(NAMES)
    assert warnings(brought) == {}


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("codec", ["cp1252", "latin-1", "mac-roman", "cp850"])
def test_misread_letters_are_repaired_with_a_warning(ward: Ward, tmp_path: Path, codec: str, times: int) -> None:
    name = "Algodón niño"
    written = name
    for _ in range(times):
        written = written.encode().decode(codec)
    text = bring(ward, tmp_path, "code;name;price", f"1;{written};1.50")
    book = brought_in(ward, xlsx(tmp_path, ["code", "name", "price"], ["2", written, 1]))
    assert {one["name"] for code, one in products(ward).items() if code in "12"} == {name}
    assert warnings(text) == warnings(book) == {2: [("name", "letters.misread", written)]}


@pytest.mark.parametrize("text", ["Algod?n", "Algod\ufffdn", "algodã³n", "PolicÃa", "Ãngel"])
def test_lost_letters_are_warned_about(ward: Ward, tmp_path: Path, text: str) -> None:
    brought = bring(ward, tmp_path, "code;name;price", f"1;{text};1.50")
    assert warnings(brought) == {2: [("name", "letters.lost", text)]}


@pytest.mark.parametrize(
    "text",
    ["MAÇÃ", "SÃO", "São João", "LÃ\N{NO-BREAK SPACE}500 g", "Pão", "MAÇÃ…", "MAÇÃ®", "ÂNGELO", "Ångström", "37 °C",
     "5 µm ± 2", "¿Estéril?", "œufs", "Ärzte", "10 × 10", "½ l", "surgeon’s", "AVÔ", "¡Ojo!", "3ª", "«fina»", "IRMÃ"],
)  # fmt: skip
def test_correct_words_are_not_changed(text: str) -> None:
    assert mended(text) is None


def test_columns_with_misread_names_are_recognized(ward: Ward, tmp_path: Path) -> None:
    lines = [text.encode().decode("cp1252") for text in ("Código;Descripción;Precio", "1;Gasa;1.50")]
    assert bring(ward, tmp_path, *lines).report.created == 1
