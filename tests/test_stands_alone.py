"""Whoever has this repository has all that it refers to: documents, their headings, files."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.servers import ROOT

# Not ours, or made here by building, testing and running.
PASSED_OVER = re.compile(
    r"\.git|\.hypothesis|\.venv|node_modules|dist|var|__pycache__|\.artifacts|\..*_cache|build|.*\.egg-info"
)
WRITTEN_BY_US = re.compile(r".*\.(py|md|ts|tsx|mjs|cjs|css|toml|ini|mako|sh|conf|yml|service|timer|html)|[^.]+")
CODE = r"(?:py|md|tsx?|mjs|cjs|css|toml|yml|sh|json)"

# How one speaks of documents that lie elsewhere, of a list of tasks, or of a folder beside this one.
ELSEWHERE = re.compile(
    r"\bspecification\b|\bas specified\b|\bcontract('s)?,? \(?(sections?|tables?|chapters?|\d)|\bthe contract's\b"
    r"|\bsections? \d|§ ?\d|\bissues? #?\d|\.\./shared|\bshared/data|/work/",
    re.IGNORECASE,
)
LINK = re.compile(r"\]\((?!https?:|mailto:)(?P<path>[^)#\s]*)(?:#(?P<heading>[^)\s]+))?\)")
HEADING_NAMED = re.compile(r'(?P<path>docs/[\w-]+\.md), "(?P<heading>[^"]+)"')
FILE_NAMED = re.compile(rf"(?<![\w./:-])(?P<path>(?:domain|application|adapters|tests|docs|ui)/[\w./-]+\.{CODE})\b")
FILE_QUOTED = re.compile(rf"`(?P<path>[\w.-]+(?:/[\w.-]+)*\.{CODE})(?:::[^`]*)?`")


@cache
def files() -> tuple[Path, ...]:
    """Every file of the repository, told from what is made here by its folder."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not PASSED_OVER.fullmatch(name)]
        found += [Path(folder, name) for name in names]
    return tuple(found)


def texts(*suffixes: str) -> Iterator[tuple[str, str]]:
    """Path and text of what was written by us, comments without what marks their lines."""
    for file in files():
        if file == Path(__file__) or not WRITTEN_BY_US.fullmatch(file.name):
            continue
        if not suffixes or file.suffix in suffixes:
            text = file.read_text(errors="replace")
            yield (
                str(file.relative_to(ROOT)),
                text if file.suffix == ".md" else re.sub(r"\n\s*(#|//|\*)?\s*", " ", text),
            )


def anchors(document: str) -> set[str]:
    """By which a heading is reached, as GitHub makes it: small letters, hyphens for blanks, no other sign."""
    headings = re.findall(r"^#+ (.+)$", document, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_nothing_is_referred_to_that_is_not_here() -> None:
    assert [f"{path}: {found.group()}" for path, text in texts() for found in ELSEWHERE.finditer(text)] == []


@pytest.mark.parametrize(
    "said", ["(contract, section 5)", "the specification", "issue 6", "../shared/data", "shared/data beside it"]
)
def test_such_references_are_known(said: str) -> None:
    assert ELSEWHERE.search(said)


def test_every_link_leads_somewhere() -> None:
    broken = []
    for path, text in texts(".md"):
        for link in LINK.finditer(text):
            target = ROOT / path if not link["path"] else (ROOT / path).parent / link["path"]
            if not target.exists() or (link["heading"] and link["heading"] not in anchors(target.read_text())):
                broken.append(f"{path}: {link.group()}")
    assert broken == []


def test_every_heading_that_is_named_is_there() -> None:
    named = [(path, found) for path, text in texts() for found in HEADING_NAMED.finditer(text)]
    assert named
    for path, found in named:
        document = ROOT / found["path"]
        assert document.exists(), (path, found.group())
        assert re.search(rf"^#+ {re.escape(found['heading'])}$", document.read_text(), re.MULTILINE), (
            path,
            found.group(),
        )


def test_every_file_that_is_named_is_there() -> None:
    """In documents by the end of its path, such as ``app/base.css``; in code and comments by the whole path."""
    there = [str(file.relative_to(ROOT)) for file in files()]
    ends = {path[start:] for path in there for start in [0, *(at.end() for at in re.finditer("/", path))]}
    missing = [
        f"{path}: {found['path']}"
        for path, text in texts()
        for found in (FILE_QUOTED if path.endswith(".md") else FILE_NAMED).finditer(text)
        if found["path"] not in ends
    ]
    assert missing == []
