"""Design decisions: each page has a date, an alternative that was rejected, and a row in the index."""

import re

from tests.servers import ROOT

FOLDER = ROOT / "docs" / "adr"
PAGES = sorted(FOLDER.glob("0*.md"))
TITLE = re.compile(
    r"# (?P<number>\d+)\. (?P<title>.+)\n\n\*(?P<status>Accepted|Replaced by .+) on \d{4}-\d\d-\d\d\.\*\n"
)
ROW = re.compile(
    r"^\| (?P<number>\d{4}) \| \[(?P<title>[^]]+)\]\((?P<file>[\w.-]+)\) \| (?P<measured>yes)? ?\|$", re.MULTILINE
)


def test_each_decision_has_a_date_and_an_alternative() -> None:
    incomplete = []
    for page in PAGES:
        text = page.read_text()
        title = TITLE.match(text)
        if not title or int(title["number"]) != int(page.name[:4]):
            incomplete.append(f"{page.name}: title and date")
        headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
        if [name for name in headings if name != "Measurements"] != ["Context", "Decision", "Rejected", "Consequences"]:
            incomplete.append(f"{page.name}: {headings}")
    assert incomplete == []


def test_the_index_has_every_decision() -> None:
    rows = {row["file"]: row for row in ROW.finditer((FOLDER / "README.md").read_text())}
    assert sorted(rows) == [page.name for page in PAGES]
    for page in PAGES:
        text, row = page.read_text(), rows[page.name]
        assert text.startswith(f"# {int(row['number'])}. {row['title']}\n"), page.name
        assert bool(row["measured"]) == ("\n## Measurements\n" in text), page.name
