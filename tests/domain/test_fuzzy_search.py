"""Fuzzy search: names similar to a text that matches none of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.common.fuzzy_search import best_matches, contains, is_fuzzy_matchable, ngrams, similarity

LETTERS = "abcdeilnorst"


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("jeirnga", "jeringa"),  # swapped
        ("geringa", "jeringa"),  # wrong
        ("jerinnga", "jeringa"),  # extra
        ("jernga", "jeringa"),  # missing
        ("gaza", "gasa"),
        ("gsaa", "gasa"),
        ("veda", "venda"),
        ("benda", "venda"),
        ("sodna", "sonda"),
        ("jeirn", "jeringa"),  # incomplete
        ("catetre", "cateterismo"),
        ("electrocrdiograma", "electrocardiograma"),
        ("hemostatco", "hemostatico"),
    ],
)
def test_a_word_with_one_error_is_similar(asked: str, word: str) -> None:
    assert 0.65 <= similarity(asked, word) < 1
    assert any(contains(f"una {word} de prueba", piece) for piece in ngrams(asked))


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("gasa", "tubo"),
        ("bnda", "venda"),  # two errors in four letters
        ("102371", "102372"),  # a different number
        ("21ga", "22ga"),
        ("gel", "gas"),  # too short to judge
        ("jeringa", "aguja"),
    ],
)
def test_a_different_word_is_not_similar(asked: str, word: str) -> None:
    assert similarity(asked, word) == 0


def test_a_word_that_contains_the_text_has_similarity_one() -> None:
    assert similarity("ring", "jeringa") == similarity("21", "21ga") == 1


@given(st.text(LETTERS, min_size=4, max_size=14), st.data())
@settings(max_examples=400)
def test_any_single_error_is_found_and_similar(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    other = data.draw(st.sampled_from(LETTERS))
    asked = data.draw(
        st.sampled_from(
            [
                word[:at] + other + word[at + 1 :],
                word[:at] + other + word[at:],
                word[:at] + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            ]
        )
    )
    if is_fuzzy_matchable(asked):
        assert any(contains(word, piece) for piece in ngrams(asked)), asked
        assert similarity(asked, word) >= 0.65, asked


NAMES = list(
    enumerate(
        [
            "aguja para jeringa",
            "jeringa 10 ml",
            "jeringa 5 ml con aguja",
            "gasa esteril 10x10 cm",
            "gasa no esteril",
            "tubo de drenaje",
        ]
    )
)


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("jeirnga", [1, 2, 0]),
        ("jeirnga 5", [2, 1, 0]),
        ("jeirnga aguja", [0, 2, 1]),
        ("esteirl gasa", [3, 4]),
        ("gaza", [3, 4]),
        ("tuvo", [5]),
        ("xyzw", []),
        ("gasa qwer asdf zxcv", []),
    ],
)
def test_matches_come_by_similarity_then_position_then_name(asked: str, ids: list[int]) -> None:
    assert best_matches(asked.split(), reversed(NAMES), most=9) == ids
    assert best_matches(asked.split(), NAMES, most=1) == ids[:1]
