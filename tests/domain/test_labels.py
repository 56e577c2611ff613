"""Labels of this application: their text, and their check digits."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from domain.scanning.label import Label, LabelKind, is_own_label, label_text, paper_label_text, read_label

CASES: dict[str, Any] = json.loads((Path(__file__).parent.parent / "label_cases.json").read_text())
INSTALLATION = 123_456
DIGEST = "0123456789abcdef" * 4


def a_text(kind: LabelKind, number: int) -> str:
    if kind in (LabelKind.CLOSING, LabelKind.DOCUMENT):
        return paper_label_text(kind, number, 1, DIGEST, INSTALLATION) or ""
    return label_text(kind, number, INSTALLATION)


@pytest.mark.parametrize("case", CASES["labels"], ids=lambda case: case["text"])
def test_a_label_reads_as_what_it_names(case: dict[str, Any]) -> None:
    reads = case["reads"]
    expected = Label(LabelKind[reads["kind"].upper()], reads["number"], reads["foreign"])
    assert read_label(case["text"], CASES["installation"]) == expected
    by = CASES["installation"] if not expected.foreign else 654_321
    assert label_text(expected.kind, expected.number, by) == case["text"].upper()


@pytest.mark.parametrize("text", CASES["others"])
def test_other_and_damaged_texts_are_no_labels(text: str) -> None:
    assert read_label(text, CASES["installation"]) is None


@pytest.mark.parametrize("kind", LabelKind)
def test_each_wrong_or_swapped_digit_is_found(kind: LabelKind) -> None:
    right = a_text(kind, 40_718)
    for place, digit in product(range(4, len(right)), "0123456789"):
        wrong = right[:place] + digit + right[place + 1 :]
        assert read_label(wrong, INSTALLATION) is None or wrong == right
    for place in range(4, len(right) - 1):
        swapped = right[:place] + right[place + 1] + right[place] + right[place + 2 :]
        assert read_label(swapped, INSTALLATION) is None or swapped == right


def test_a_letter_that_was_changed_is_found() -> None:
    texts = {kind: a_text(kind, 742) for kind in LabelKind}
    for kind, other in product(LabelKind, LabelKind):
        changed = texts[kind].replace(f"CNS{kind}", f"CNS{other}")
        assert (read_label(changed, INSTALLATION) is None) == (kind is not other)


def test_damaged_labels_are_recognized_as_ours() -> None:
    assert all(map(is_own_label, ("CNSP1", "cnsk99", "CNSF123", "CNSC1", "CNSD1")))
    assert not any(map(is_own_label, ("CNS", "CNSP", "CNSX1", "XCNSP1", "742")))


@pytest.mark.parametrize("case", CASES["papers"], ids=lambda case: case["text"][:20])
def test_a_paper_names_number_turn_and_digest(case: dict[str, Any]) -> None:
    kind = LabelKind[case["kind"].upper()]
    label = read_label(case["text"], CASES["installation"])
    assert label == Label(kind, case["number"], case["foreign"], case["turn"], case["digest"])
    by = CASES["installation"] if not label.foreign else 654_321
    text = paper_label_text(kind, case["number"], case["turn"], case["digest"] + "0" * 32, by)
    assert (text, len(case["text"])) == (case["text"].upper(), 61)


def test_a_paper_has_the_first_half_of_the_digest() -> None:
    label = read_label(a_text(LabelKind.CLOSING, 7), INSTALLATION)
    assert label
    assert label.has_digest_of(DIGEST)
    assert label.has_digest_of(DIGEST[:32] + "f" * 32)
    assert not label.has_digest_of("f" + DIGEST[1:])


@pytest.mark.parametrize(("sheet_id", "turn"), [(100_000_000, 1), (1, 100)])
def test_numbers_that_do_not_fit_have_no_symbol(sheet_id: int, turn: int) -> None:
    assert paper_label_text(LabelKind.CLOSING, sheet_id, turn, DIGEST, INSTALLATION) is None
