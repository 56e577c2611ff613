"""Detecting legacy encodings by letters; unclear cases are asked about."""

from pathlib import Path

import pytest

from tests.builders import Ward
from tests.imports.importing import file_of, findings, understood

LIST = ["code;name;price", "1;Algodón 100 g;1.50", "2;Cánula niño 5 µm;2.00", "3;CIRUGÍA;3.00", "4;Pañal;4.00"]


def read(ward: Ward, folder: Path, lines: list[str], encoding: str) -> tuple[str, str, list[object]]:
    """Return the encoding of a file, its reason, and questions about it."""
    how = understood(ward, file_of(folder, lines, encoding=encoding))
    asked: list[object] = [
        (one.options, one.suggestion, one.params) for one in how.questions if one.about == "encoding"
    ]
    return *findings(how)["encoding"], asked


@pytest.mark.parametrize(
    ("encoding", "value", "code"),
    [
        ("cp1252", "windows-1252", "encoding.not_utf8"),
        ("cp850", "cp850", "encoding.letters"),
        ("mac-roman", "mac-roman", "encoding.letters"),
    ],
)
def test_a_list_with_accents_reveals_its_encoding(
    ward: Ward, tmp_path: Path, encoding: str, value: str, code: str
) -> None:
    lines = [line.replace(" 5 µm", "") for line in LIST] if encoding == "mac-roman" else LIST
    assert read(ward, tmp_path, lines, encoding) == (value, code, [])


@pytest.mark.parametrize(
    "name",
    ["Algodón", "ALGODÓN", "PAÑAL", "Jeringa niño", "Núñez", "Válvula aórtica", "CÁNULA", "Óxido de cinc y baño"],
)
def test_one_word_can_reveal_the_encoding_of_an_old_program(ward: Ward, tmp_path: Path, name: str) -> None:
    assert read(ward, tmp_path, ["code;name;price", f"1;{name};1.50"], "cp850")[0] == "cp850"


@pytest.mark.parametrize(
    "name",
    [
        "Algodón", "Filtro 0,22 µm", "Surgeon’s cap", "“Fina” – 5 cm", "Precio £5 €", "Gasa\N{NO-BREAK SPACE}fina",
        "5\N{NO-BREAK SPACE}ml", "Luer® lock ½", "Guante N° 7", "3ª generación", "¿Estéril? ¡Sí!", "Ärzte groß",
        "Boîte à œufs", "TERMÓMETRO 37 °C", "±2 × 5", "Tela·gasa", "PAÑAL", "ñ", "é", "Å",
    ],
)  # fmt: skip
def test_windows_1252_is_never_mistaken_or_asked_about(ward: Ward, tmp_path: Path, name: str) -> None:
    reported = read(ward, tmp_path, ["code;name;price", f"1;{name};1.50"], "cp1252")
    assert reported == ("windows-1252", "encoding.not_utf8", [])


def test_an_unclear_encoding_is_asked_about_with_both_readings(ward: Ward, tmp_path: Path) -> None:
    """An á of CP850 is a blank in Windows-1252, which is possible anywhere."""
    lines = ["code;name;price", "1;Gasa;1.00", "2;Sábana;1.50"]
    value, code, asked = read(ward, tmp_path, lines, "cp850")
    assert (value, code) == ("cp850", "encoding.letters")
    params = {"line": 3, "word": "Sábana", "other": "S\N{NO-BREAK SPACE}bana"}
    assert asked == [(("cp850", "windows-1252"), "cp850", params)]
    chosen = understood(ward, file_of(tmp_path, lines, encoding="cp850"), encoding="cp850")
    assert chosen.questions == ()
