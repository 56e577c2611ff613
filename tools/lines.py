"""Count hand-written lines by topic and floor: `make lines`.

A topic is the folder of that name on any floor; what several topics share is counted by its own folder. Generated code,
lock files, word lists and recorded data are not counted. `make check` fails if a topic has more lines than its budget
in lines_budget.txt: raise it there, in the commit that needs it, and say what is removed for it.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

FLOORS = {
    "domain": r"domain/",
    "application": r"application/",
    "sql": r"adapters/sql/",
    "http": r"adapters/http/",
    "adapters": r"adapters/",
    "tools": r"tools/|\.ci/",
    "tests": r"tests/",
    "client tests": r"ui/.*(\.test\.tsx?|/test/)",
    "client": r"ui/",
    "docs": r"docs/|[A-Z]+\.md",
}
BUDGET = Path(__file__).with_name("lines_budget.txt")
# Folders whose folders are topics, and the controllers of small topics.
_OF_TOPICS = re.compile(
    r"^(?:(?:domain|application|adapters/sql|tests/(?:use_cases|contracts|http)|ui/src/topics)/(\w+)/"
    r"|adapters/http/controllers/(\w+)(?:/|\.py$))"
)
_NO_TOPICS = ("engine", "migrations", "use_cases")
_WRITTEN = re.compile(r"\.(py|ts|tsx|css|mjs|md|json|mako)$|^\.ci/|Makefile$")
_NOT_WRITTEN = re.compile(
    r"openapi\.json|package-lock|generated|api/api\.ts|vectors\.json|_cases\.json|common_words|/files/|examples"
)


def topic_of(name: str) -> str:
    """Return the topic of a file, or else its folder."""
    topic = _OF_TOPICS.match(name)
    found = topic and (topic[1] or topic[2])
    if found and not found.startswith("_") and found not in _NO_TOPICS:
        return found
    folders = name.split("/")[:-1]
    return "/".join(
        folders[: 3 if folders[:2] == ["ui", "src"] else 2 if folders[:1] in (["adapters"], ["tests"]) else 1]
    )


def count() -> dict[str, Counter[str]]:
    """Return the lines of each topic by floor; none outside a checkout."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=False).stdout.split("\n")
    lines: dict[str, Counter[str]] = {}
    for name in listed:
        path = Path(name)
        if not _WRITTEN.search(name) or _NOT_WRITTEN.search(name) or not path.is_file():
            continue
        floor = next((floor for floor, begins in FLOORS.items() if re.match(begins, name)), None)
        if floor:
            of_topic = lines.setdefault(topic_of(name) or "documents", Counter())
            of_topic[floor] += len(path.read_text(encoding="utf-8").splitlines())
    return dict(sorted(lines.items()))


def beyond(lines: dict[str, Counter[str]], budget: str) -> list[str]:
    """Return a sentence for each topic that has more lines than its budget."""
    allowed = {topic: int(most) for topic, most in (row.split() for row in budget.splitlines())}
    return [
        f"{topic} has {of_floor.total()} lines; its budget in {BUDGET.name} is {allowed.get(topic, 0)}."
        for topic, of_floor in lines.items()
        if of_floor.total() > allowed.get(topic, 0)
    ]


def main() -> None:
    """Print a table, or compare it with the budget (``--check``)."""
    lines = count()
    if "--check" in sys.argv:
        sys.exit("\n".join(beyond(lines, BUDGET.read_text(encoding="utf-8"))) or 0)
    lines["all"] = sum(lines.values(), Counter())
    width = max(map(len, lines)) + 2
    print(f"{'':<{width}}" + "".join(f"{floor:>13}" for floor in (*FLOORS, "all")))
    for topic, of_floor in lines.items():
        figures = [*(of_floor[floor] for floor in FLOORS), of_floor.total()]
        print(f"{topic:<{width}}" + "".join(f"{figure or '·':>13}" for figure in figures))


if __name__ == "__main__":
    main()
