"""Comparing texts: folding for searches, keys for uniqueness."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.accounts.user import is_email
from domain.common.text import (
    code_key,
    counted,
    fold,
    fold_code,
    fold_person,
    fold_product,
    is_storable,
    natural_key,
    person_words,
    product_words,
    unique_key,
)


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
def test_folding_ignores_case_accents_and_extra_blanks(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_a_quantity_is_read_before_its_name() -> None:
    assert counted("3", "Gasa 10 × 10 cm") == "3 Gasa 10 × 10 cm"
    # Not 30,9 %.
    assert counted("3", "0,9 % suero") == "3 × 0,9 % suero"


def test_names_with_numbers_are_sorted_by_the_numbers() -> None:
    names = ["", "2", "9", "10", "10-A", "10-B", "101", "9" * 5_000, "Box 2", "bóx 10", "Box 10 b", "UCI"]
    assert sorted(set(names), key=natural_key) == names


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Gasa estéril 10 × 10 cm", "gasa esteril 10x10 cm"),
        ("GASA 10x10", "gasa 10x10"),
        ("7.5 X 5 ✕ 2", "7.5x5x2"),
        ("Caja × 100", "caja x 100"),
        ("Extra 5 x caja", "extra 5 x caja"),
        ("Micro-gotero", "microgotero"),
        ("Micro\N{NON-BREAKING HYPHEN}gotero", "microgotero"),
        ("Guante T-36 (T-M)", "guante t36 (tm)"),
        ("Sutura 3-0 - azul", "sutura 3-0 - azul"),
        ("-a- b- -c", "-a- b- -c"),
    ],
)
def test_product_names_are_folded_ignoring_times_and_hyphens(name: str, folded: str) -> None:
    assert fold_product(name) == folded


@given(st.text("aA1 2xX×- \N{EN DASH}0.ñ_/"))
@settings(max_examples=300)
def test_folding_a_product_name_is_idempotent_and_finds_words(name: str) -> None:
    folded = fold_product(name)
    assert fold_product(folded) == folded
    assert all(word in folded for word in product_words(name))


@pytest.mark.parametrize(
    "name",
    ["Núñez, Ana", "nunez ana", "NÚÑEZ  ANA", "Núñez,Ana", "Nu\u0301n\u0303ez-Ana", "Núñez\u2010Ana", "Núñez. Ana"],
)
def test_commas_hyphens_and_dots_separate_words_of_a_name(name: str) -> None:
    assert fold_person(name) == "nunez ana"


@pytest.mark.parametrize("apostrophe", [*"'’‘ʼ`´′＇", ""])
def test_apostrophes_join_words_of_a_name(apostrophe: str) -> None:
    assert fold_person(f"O{apostrophe}Donnell") == "odonnell"
    assert fold_person(f"D{apostrophe}Ángelo-Pérez") == "dangelo perez"


@given(st.text("aÁñ ,.-;'’´3Ñ\u2013\u200b"))
@settings(max_examples=200, deadline=None)
def test_folding_a_persons_name_is_idempotent_and_finds_words(name: str) -> None:
    folded = fold_person(name)
    assert fold_person(folded) == folded
    assert not folded or all(word in folded for word in person_words(name))


@pytest.mark.parametrize(
    ("code", "folded"),
    [("MC-0005", "mc0005"), (" mc 00.05 ", "mc0005"), ("Ñ/1_×", "n1x"), ("--", ""), ("", "")],
)
def test_codes_are_folded_to_letters_and_digits(code: str, folded: str) -> None:
    assert fold_code(code) == folded


@given(st.text("aA áÁ ñÑ üÜ çÇ ßẞ ﬁ ½ º ªǅ İı ΐς e\u0301\u0308 ﷺ 한국 各"))
@settings(max_examples=150)
def test_composed_and_decomposed_accents_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Urgencias", "URGENCIAS"),
        ("ÑANDÚ", "ñandú"),
        ("é", "e\u0301"),
        # Strings that look the same have the same key.
        ("UNP-1", "UNP-1\u200b"),
        ("UNP-1", "\ufeffUNP\u00ad-1"),
        ("UNP-1", "UNP\u20111"),
        ("a b", "a  b"),
        ("a b", "a\u00a0b"),
        ("a b", "a\n b"),
    ],
)
def test_unique_keys_ignore_case_and_invisible_characters(one: str, other: str) -> None:
    assert unique_key(one) == unique_key(other)


@pytest.mark.parametrize(("one", "other"), [("Cánula", "Canula"), ("a b", "ab"), ("A-1", "A1")])
def test_unique_keys_distinguish_accents_blanks_and_hyphens(one: str, other: str) -> None:
    assert unique_key(one) != unique_key(other)


_CODES = json.loads((Path(__file__).parents[1] / "code_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("spellings", _CODES["same"], ids=ascii)
def test_codes_that_are_read_as_equal_have_one_key(spellings: list[str]) -> None:
    assert len(set(map(code_key, spellings))) == 1


@pytest.mark.parametrize(("one", "other"), _CODES["different"], ids=ascii)
def test_different_codes_have_different_keys(one: str, other: str) -> None:
    assert code_key(one) != code_key(other)


@pytest.mark.parametrize("text", ["", "Gasa 10×10\r\n\tcm", "輸液", "🩹"])
def test_printable_text_is_storable(text: str) -> None:
    assert is_storable(text)


@pytest.mark.parametrize("text", ["\x00", "a\x07", "\x7f", "\udfff"])
def test_control_characters_and_lone_surrogates_are_not_storable(text: str) -> None:
    assert not is_storable(text)


@pytest.mark.parametrize("text", ["ana@consumo.test", "a+b.c@sub.consumo.test", "ñ@españa.example"])
def test_an_email_has_one_at_and_a_host_with_a_dot(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text", ["", "ana", "@consumo.test", "ana@", "ana@consumo", "a@b@c.test", "a na@consumo.test", "ana@.", "ana@test."]
)
def test_invalid_emails_are_recognized(text: str) -> None:
    assert not is_email(text)
