"""The inner rings import the standard library and each other, and nothing that anyone might install one day."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {"domain": {"domain"}, "application": {"application", "domain"}}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("ring", ALLOWED)
def test_only_the_standard_library(ring: str) -> None:
    allowed = ALLOWED[ring] | sys.stdlib_module_names
    files = list((ROOT / ring).rglob("*.py"))
    strangers = {f"{file.relative_to(ROOT)}: {name}" for file in files for name in imported(file)
                 if name.partition(".")[0] not in allowed}  # fmt: skip
    assert files
    assert not strangers
