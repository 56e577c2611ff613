"""References in the repository: documents, headings and files exist."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.servers import ROOT

# Generated or foreign folders.
PASSED_OVER = re.compile(
    r"\.git|\.hypothesis|\.venv|node_modules|dist|var|__pycache__|\.artifacts|\..*_cache|build|.*\.egg-info"
)
WRITTEN_BY_US = re.compile(r".*\.(py|md|ts|tsx|mjs|cjs|css|toml|ini|mako|sh|conf|yml|service|timer|html)|[^.]+")
CODE = r"(?:py|md|tsx?|mjs|cjs|css|toml|yml|sh|json)"

# References to documents outside of the repository.
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
    """All files of the repository except generated ones."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not PASSED_OVER.fullmatch(name)]
        found += [Path(folder, name) for name in names]
    return tuple(found)


def texts(*suffixes: str) -> Iterator[tuple[str, str]]:
    """Path and text of our own files, with the markers of comments removed."""
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
    """GitHub's anchors of headings: lowercase, with hyphens for spaces.

    The manual names sections alike in both languages.
    """
    headings = re.findall(r"^#+ (.+)$", document, re.MULTILINE)
    named = re.findall(r'<a id="([\w-]+)">', document)
    return {*named, *(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)}


def test_nothing_outside_the_repository_is_referred_to() -> None:
    assert [f"{path}: {found.group()}" for path, text in texts() for found in ELSEWHERE.finditer(text)] == []


@pytest.mark.parametrize(
    "said", ["(contract, section 5)", "the specification", "issue 6", "../shared/data", "shared/data beside it"]
)
def test_references_to_the_outside_are_recognised(said: str) -> None:
    assert ELSEWHERE.search(said)


def test_every_link_has_a_target() -> None:
    broken = []
    for path, text in texts(".md"):
        for link in LINK.finditer(text):
            target = ROOT / path if not link["path"] else (ROOT / path).parent / link["path"]
            if not target.exists() or (link["heading"] and link["heading"] not in anchors(target.read_text())):
                broken.append(f"{path}: {link.group()}")
    assert broken == []


def test_every_referenced_heading_exists() -> None:
    named = [(path, found) for path, text in texts() for found in HEADING_NAMED.finditer(text)]
    assert named
    for path, found in named:
        document = ROOT / found["path"]
        assert document.exists(), (path, found.group())
        assert re.search(rf"^#+ {re.escape(found['heading'])}$", document.read_text(), re.MULTILINE), (
            path,
            found.group(),
        )


def test_every_referenced_file_exists() -> None:
    """Documents may shorten a path, such as ``app/base.css``; code may not."""
    there = [str(file.relative_to(ROOT)) for file in files()]
    ends = {path[start:] for path in there for start in [0, *(at.end() for at in re.finditer("/", path))]}
    missing = [
        f"{path}: {found['path']}"
        for path, text in texts()
        for found in (FILE_QUOTED if path.endswith(".md") else FILE_NAMED).finditer(text)
        if found["path"] not in ends
    ]
    assert missing == []
