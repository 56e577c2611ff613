"""A process that imports products, for tests that kill it.

It prints "ready", waits for a line on stdin, and imports. With ``halfway`` it stops when everything is written and
nothing committed: it prints "halfway" and waits. At the end it prints the number of created products.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adapters.sql.store import SqlStore
from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from application.imports.rows.staged import StagedUnitOfWork
from application.sheets.stores import Closing
from domain.common.policy import Actor, Role
from tests.builders import ZONE, use_cases_on
from tests.imports.importing import RowCollector


def say(*words: object) -> None:
    print(*words, flush=True)


def main(database_url: str, task: str, user_id: str, file: str) -> None:
    use_cases = use_cases_on(SqlStore(database_url, ZONE))
    actor = Actor(user_id=int(user_id), role=Role.ADMIN, staff_id=None)
    if task == "halfway":
        freeze_closed = StagedUnitOfWork.freeze_closed

        def freeze_and_wait(stage: StagedUnitOfWork, *given: Any) -> Iterator[Closing]:
            yield from freeze_closed(stage, *given)
            say("halfway")
            sys.stdin.readline()

        StagedUnitOfWork.freeze_closed = freeze_and_wait  # type: ignore[assignment, method-assign]
    say("ready")
    sys.stdin.readline()
    _, batch = use_cases.imports.read_file(actor, Path(file), Noun.PRODUCTS, Choices())
    say(use_cases.imports.run(actor, batch, RowCollector()).created)


if __name__ == "__main__":
    main(*sys.argv[1:])
