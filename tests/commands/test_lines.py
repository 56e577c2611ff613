"""`make check` names the topics that have more lines than their budget."""

from collections import Counter

import pytest

from tools.lines import beyond, topic_of


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("domain/sheets/sheet.py", "sheets"),
        ("adapters/sql/sheets/details.py", "sheets"),
        ("adapters/http/controllers/restock.py", "restock"),
        ("ui/src/topics/restock/RestockPage.tsx", "restock"),
        ("tests/contracts/restock/test_restock.py", "restock"),
        ("adapters/sql/engine/lists.py", "adapters/sql"),
        ("ui/src/outbox/sending.ts", "ui/src/outbox"),
    ],
)
def test_a_file_belongs_to_the_topic_of_its_folder(name: str, topic: str) -> None:
    assert topic_of(name) == topic


def test_a_topic_beyond_its_budget_is_named() -> None:
    lines = {"sheets": Counter(domain=60, tests=41), "restock": Counter(sql=9)}
    assert beyond(lines, "sheets 101\nrestock 9\n") == []
    assert beyond(lines, "sheets 100\n") == [
        "sheets has 101 lines; its budget in lines_budget.txt is 100.",
        "restock has 9 lines; its budget in lines_budget.txt is 0.",
    ]
