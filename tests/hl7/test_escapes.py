"""HL7 escape sequences, without loss and without control characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hl7.charset import decode_escaped
from adapters.hl7.escapes import Delimiters, escape, unescape

USUAL = Delimiters()


def read(text: str, character_set: str = "UNICODE UTF-8", delimiters: Delimiters = USUAL) -> str:
    return unescape(text, delimiters, lambda content: decode_escaped(content, character_set))


MEANT = {
    r"N\T\S": "N&S",
    r"\F\\S\\R\\E\\T\ ": "|^~\\& ",
    r"\H\Sepsis\N\ abdominal": "Sepsis abdominal",
    r"uno\.br\dos\.sp2\tres\.ce\cuatro": "uno\ndos\ntres\ncuatro",
    r"uno\.in+4\dos\.sk 3\tres": "uno dos tres",
    r"\.fi\uno\.nf\ ": "uno ",
    r"Mu\XC3B1\oz": "Muñoz",
    r"Mu\XC3\\XB1\oz": "Muñoz",
    r"Mu\Xc3b1\oz": "Muñoz",
    r"uno\X0D0A\dos\X0A\tres\X0D\cuatro": "uno\ndos\ntres\ncuatro",
}


@pytest.mark.parametrize("written", MEANT)
def test_an_escape_sequence_is_decoded(written: str) -> None:
    assert read(written) == MEANT[written]


@pytest.mark.parametrize(
    "written",
    [
        r"V\12", "\\", r"\\", r"4\5 metatarso", r"C:\datos\Ana", r"\Z01\ ", r"\C2842\ ", r"\M244242\ ", r"\h\ ",
        r"\ T\ ",        r"\.xx\ ", r"\.br", r"\.sp99999\ ", r"\X\ ", r"\X4\ ", r"\XZZ\ ",
        r"\X000d\ ", r"\X00\ ", r"\X07\ ", r"\X1B\ ",
        r"\X7F\ ", r"\XC285\ ", r"\XE280AE\ ", r"\XE2808B\ ", r"\XFF\ ", r"\XEDA080\ ", r"\X41", "\\H",
    ],
)  # fmt: skip
def test_an_invalid_escape_sequence_is_kept(written: str) -> None:
    assert read(written) == written


def test_an_escape_after_a_stray_backslash_is_decoded() -> None:
    assert read(r"4\5 metatarso \T\ tarso\ ") == "4\\5 metatarso & tarso\\ "


def test_hexadecimal_bytes_use_the_messages_character_set() -> None:
    assert read(r"Mu\XF1\oz", "8859/1") == read(r"Mu\XF1\oz", "") == "Muñoz"
    assert read(r"\XA4\ ", "8859/15") == "€ "
    assert read(r"Mu\XF1\oz", "UNICODE UTF-8") == r"Mu\XF1\oz"


def test_other_delimiters_are_supported() -> None:
    delimiters = Delimiters("#", ":", "*", "!", "%")
    assert read(r"!F!!S!!R!!E!!T! \T\ ", delimiters=delimiters) == r"#:*!% \T" + "\\ "
    assert read("XX41X", delimiters=Delimiters(escape="X")) == "XX41X"


READABLE = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\\|^~&\nHNFSRTEX.br0D"))


@given(READABLE)
def test_an_escaped_text_is_read_back_unchanged(text: str) -> None:
    written = escape(text)
    assert not set(written) & set("|^~&\n")
    assert read(written) == text


@given(st.text(st.sampled_from("\\\\\\AXHN.br0C4\n")))
def test_no_escape_produces_a_control_character(text: str) -> None:
    assert not any(character < " " and character != "\n" for character in read(text))
