"""How texts are compared: searches without case and accents, uniqueness without case."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.text import fold, is_writable, unique_key
from domain.user import is_email


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Cánula", "canula"),
        ("CÁNULA", "canula"),
        ("Ca\u0301nula", "canula"),
        ("niño Ñandú", "nino nandu"),
        ("  Gasa \t estéril\n10×10 ", "gasa esteril 10×10"),
        ("ﬁltro", "filtro"),
        ("Straße", "strasse"),
        ("½ %_\\", "1⁄2 %_\\"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_a_search_looks_past_case_accents_and_doubled_blanks(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text("aA áÁ ñÑ üÜ çÇ ßẞ ﬁ ½ º ªǅ İı ΐς e\u0301\u0308 ﷺ 한국 各"))
@settings(max_examples=150, deadline=None)
def test_accents_make_no_difference_however_they_are_written(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@pytest.mark.parametrize(("one", "other"), [("Urgencias", "URGENCIAS"), ("ÑANDÚ", "ñandú"), ("é", "e\u0301")])
def test_what_must_be_unique_is_so_without_regard_to_case(one: str, other: str) -> None:
    assert unique_key(one) == unique_key(other)


@pytest.mark.parametrize(("one", "other"), [("Cánula", "Canula"), ("a b", "a  b"), ("A-1", "A1")])
def test_what_must_be_unique_may_differ_in_an_accent(one: str, other: str) -> None:
    assert unique_key(one) != unique_key(other)


@pytest.mark.parametrize("text", ["", "Gasa 10×10\r\n\tcm", "輸液", "🩹"])
def test_what_can_be_shown_can_be_written(text: str) -> None:
    assert is_writable(text)


@pytest.mark.parametrize("text", ["\x00", "a\x07", "\x7f", "\udfff"])
def test_control_characters_and_lone_surrogates_cannot_be_written(text: str) -> None:
    assert not is_writable(text)


@pytest.mark.parametrize("text", ["ana@consumo.test", "a+b.c@sub.consumo.test", "ñ@españa.example"])
def test_an_email_has_one_at_and_a_host_with_a_dot(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text", ["", "ana", "@consumo.test", "ana@", "ana@consumo", "a@b@c.test", "a na@consumo.test", "ana@.", "ana@test."]
)
def test_what_cannot_be_an_email_is_recognised(text: str) -> None:
    assert not is_email(text)
