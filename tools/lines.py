"""Count hand-written lines by topic and floor: `make lines`.

A file belongs to the first topic with a word that is in its path. Generated code, lock files, word lists and recorded
data are not counted. Files that several topics share are in the last row.
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

TOPICS = {
    "imports": "import|spreadsheet",
    "offline": "outbox|offline|service.?worker|device",
    "scanning": "scan|gs1|hibc|keyboard|camera",
    "sign-in": "session|passkey|oidc|unlock|badge|pin|lock_?screen|password|sign",
    "accounts": "user|account|invit|api_key",
    "messages": "hl7|interop|message|fhir|mllp|charg|billing|simulator",
    "audit": "audit|seal|access_log|history",
    "people": "patient|people|staff|merg|unidentified|wristband",
    "catalogue": "product|catalogue|categor|area|room|kit|recall|picture|typed_name|favourite|usual",
    "forms": "contingency|print_form|paper|closing_digest|unlisted|late_entr|label",
    "reports": "report|consumption|chart|reconcil|missed|worklist|overview|ward|shift|restock|implant",
    "sheets": "sheet|detail|transfer|stay|notice",
    "lists": "list|paging|search|export|document",
    "operation": "backup|migrat|doctor|metrics|status|monitor|health|release|archive|wheel|fault|benchmark|hospital",
    "manual": "manual|help",
}
SHARED = "shared"
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
_WRITTEN = re.compile(r"\.(py|ts|tsx|css|mjs|md|json|mako)$|^\.ci/|Makefile$")
_NOT_WRITTEN = re.compile(
    r"openapi\.json|package-lock|generated|api/api\.ts|vectors\.json|_cases\.json|common_words|/files/|examples"
)


def count() -> dict[str, Counter[str]]:
    """Return the lines of each topic by floor."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    lines: dict[str, Counter[str]] = {topic: Counter() for topic in (*TOPICS, SHARED)}
    for name in listed:
        path = Path(name)
        if not _WRITTEN.search(name) or _NOT_WRITTEN.search(name) or not path.is_file():
            continue
        floor = next((floor for floor, begins in FLOORS.items() if re.match(begins, name)), None)
        topic = next((topic for topic, words in TOPICS.items() if re.search(words, name.lower())), SHARED)
        if floor:
            lines[topic][floor] += len(path.read_text(encoding="utf-8").splitlines())
    return lines


def main() -> None:
    """Print a table."""
    lines = count()
    lines["all"] = sum(lines.values(), Counter())
    print(f"{'':<12}" + "".join(f"{floor:>13}" for floor in (*FLOORS, "all")))
    for topic, of_floor in lines.items():
        figures = [*(of_floor[floor] for floor in FLOORS), of_floor.total()]
        print(f"{topic:<12}" + "".join(f"{figure or '·':>13}" for figure in figures))


if __name__ == "__main__":
    main()
