"""The names in docs/glossary.md exist on the screens and in the code."""

import re
from functools import cache

import pytest

from adapters.sql.engine.columns import metadata
from tests.servers import ROOT

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| word |")
]


@cache
def spanish() -> str:
    """All Spanish texts of client and server."""
    return "\n".join(file.read_text() for file in ROOT.glob("*/**/es.json") if "node_modules" not in file.parts).lower()


@cache
def python() -> str:
    """All Python source except tests."""
    return "\n".join(
        file.read_text() for top in ("domain", "application", "adapters") for file in (ROOT / top).rglob("*.py")
    )


@cache
def openapi() -> str:
    return (ROOT / "ui" / "openapi.json").read_text()


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_each_term_is_used_where_the_glossary_says(row: list[str]) -> None:
    _, on_screen, _, in_python, over_http, in_sql = row
    for word in filter(None, on_screen.split(", ")):
        assert word.lower() in spanish(), word
    for name in quoted(in_python):
        assert re.search(rf"\b(class|def) {name}\b|\b{name}\b\s*(:|=)", python()), name
    for name in quoted(over_http):
        assert f'"{name}"' in openapi(), name
    for name in quoted(in_sql):
        table, _, column = name.partition(".")
        assert table in metadata.tables, name
        assert not column or column in metadata.tables[table].columns, name


def test_the_glossary_is_not_empty() -> None:
    assert len(ROWS) > 40
