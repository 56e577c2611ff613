"""The claims of security, accessibility, hazards and questionnaire name tests that exist."""

import re

import pytest

from tests.servers import ROOT

# Page and number of claims at least; for those with numbered requirements also of rows.
CLAIMS = {"security.md": 50, "accessibility.md": 15, "hazards.md": 25, "questionnaire.md": 20}
ROWS = {"security.md": 70, "accessibility.md": 50}
# `tests/…/file.py::test_name`, or `ui/src/…/file.test.tsx::test name`
CLAIM = re.compile(r"`(?P<file>(?:tests|ui)/[\w./-]+)::(?P<name>[^`]+)`")
STATES = ("met", "partly", "not met", "no test", "not ours")


@pytest.mark.parametrize("page", CLAIMS)
def test_every_test_named_on_the_page_exists(page: str) -> None:
    claims = [(found["file"], found["name"]) for found in CLAIM.finditer((ROOT / "docs" / page).read_text())]
    assert len(claims) >= CLAIMS[page]
    for file, name in claims:
        source = (ROOT / file).read_text() if (ROOT / file).exists() else ""
        there = f"def {name}(" in source if file.endswith(".py") else f"it('{name}'" in source
        assert there, f"{file}::{name}"


@pytest.mark.parametrize("page", ROWS)
def test_every_requirement_called_met_names_a_test(page: str) -> None:
    """The cell after the number is the state; *met* and *partly* need a test."""
    text = (ROOT / "docs" / page).read_text()
    rows = [line for line in text.splitlines() if re.match(r"\| \d+\.\d+\.\d+ ", line)]
    assert len(rows) >= ROWS[page]
    for row in rows:
        number, _, state, *_ = [cell.strip() for cell in row.strip("|").split("|")]
        assert state in STATES, row
        if state in ("met", "partly"):
            assert CLAIM.search(row), f"{number} is {state} by no test"
