"""Plain English: words and names that the code and the documents do not use, and what to write instead."""

import ast
import re

import pytest

from tests.pages.test_stands_alone import files, texts
from tests.servers import ROOT

INSTEAD_OF = {
    "whoever": "the role: the recorder, users who record",
    "nobody": "no user, no process, or the passive",
    "somebody": "another user, a user, or the passive",
    "anew": "again",
    "once more": "again",
    "but for": "except",
    "so many": "the number, or the name of the parameter",
    "is told": "is notified, is reported, receives",
    "are told": "are notified, are reported, receive",
    "what was sent": "the request body",
    "what was filled in": "the form",
}
WORDS = re.compile(rf"\b({'|'.join(INSTEAD_OF)})\b", re.IGNORECASE)
NAMES = re.compile(r"\b_?(MOST|LONGEST|LARGEST|LEAST|SHORTEST|SMALLEST)_[A-Z]\w*")
# In descriptions of the API, which a program's author reads without the rest of the page.
DESCRIPTIONS = {"description", "help"}
UNCLEAR = re.compile(
    r"\b(left out|when missing|as often as|those|whatever|whose name|whom|the caller|the person|wanted|noted|alone|"
    r"tells?|the same as|which of both|is there|was there|what (its|came|a)|goes by)\b",
    re.IGNORECASE,
)
MAX_TEST_NAME_LENGTH = 60
MAX_FIRST_LINE_LENGTH = 72


@pytest.mark.parametrize("suffix", [".py", ".ts", ".tsx", ".mjs", ".css", ".md"])
def test_words_with_a_plainer_replacement_are_not_used(suffix: str) -> None:
    found = []
    for path, text in texts(suffix):
        if path == "tests/pages/test_plain_english.py":
            continue
        for match in WORDS.finditer(re.sub(r"\s+", " ", text)):
            instead = INSTEAD_OF[match[0].lower()]
            found.append(f"{path}: “{match.string[match.start() - 40 : match.end() + 20]}”; write {instead}")
    assert found == []


@pytest.mark.parametrize("suffix", [".py", ".ts", ".tsx", ".mjs"])
def test_limits_begin_with_max_or_min(suffix: str) -> None:
    assert [f"{path}: {match[0]}" for path, text in texts(suffix) for match in NAMES.finditer(text)] == []


def test_descriptions_name_their_subject() -> None:
    found = []
    for file in files():
        if file.suffix != ".py" or "adapters" not in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.keyword) and node.arg in DESCRIPTIONS and isinstance(node.value, ast.Constant):
                text = str(node.value.value)
                if match := UNCLEAR.search(text):
                    found.append(f"{file.relative_to(ROOT)}:{node.value.lineno}: {match[0]}: {text}")
    assert found == []


def test_test_names_and_first_lines_are_short() -> None:
    long = []
    for file in files():
        if file.suffix != ".py" or "versions" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if node.name.startswith("test_") and len(node.name) > MAX_TEST_NAME_LENGTH:
                long.append(f"{file.relative_to(ROOT)}: {node.name}")
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            if len(first) > MAX_FIRST_LINE_LENGTH:
                long.append(f"{file.relative_to(ROOT)}: {first}")
    assert long == []
