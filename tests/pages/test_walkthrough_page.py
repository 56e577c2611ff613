"""The walkthrough quotes code that exists, line by line."""

import re

import pytest

from tests.servers import ROOT

PAGE = (ROOT / "docs" / "walkthrough.md").read_text()
LINK = re.compile(r"\]\(\.\./([\w/.-]+\.(?:py|tsx?))\)")
BLOCKS = [
    (tuple(LINK.findall(section)), code)
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)
    for code in re.findall(r"```(?:python|ts)\n(.*?)```", section, re.DOTALL)
]


@pytest.mark.parametrize(("paths", "code"), BLOCKS, ids=[paths[0] for paths, _ in BLOCKS])
def test_quoted_code_is_in_a_file_linked_beside_it(paths: tuple[str, ...], code: str) -> None:
    lines = {line.strip() for path in paths for line in (ROOT / path).read_text().splitlines()}
    assert [line for line in code.splitlines() if line.strip() and line.strip() not in lines] == []


def test_every_step_quotes_code() -> None:
    assert len(BLOCKS) >= 6
