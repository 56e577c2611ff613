"""A process that records details, for tests that run or kill several.

It prints "ready", waits for a line on stdin, runs its task and prints each acknowledged id:

- ``until-closed``: record one detail after the other until the sheet is closed, 300 at most;
- ``once``: record one with the key "k-1", and print whether it was a replay;
- ``halfway``: record one, and stop in the middle of the unit of work;
- ``month``: close a month, and stop in the middle of the unit of work.
"""

import sys
from decimal import Decimal

from adapters.sql.store import SqlStore
from application.common.idempotency import IdempotencyKey
from application.common.use_case import bind_to
from application.reports.months import MonthDraft
from application.sheets.lines.detail_draft import DetailDraft
from domain.common.errors import Refused, RequestInProgress
from domain.common.policy import Actor, Role
from tests.builders import ZONE, use_cases_on


def say(*words: object) -> None:
    print(*words, flush=True)


def main(database_url: str, task: str, *ids: str) -> None:
    user_id, sheet_id, product_id = map(int, ids)
    store = SqlStore(database_url, ZONE)
    use_cases = use_cases_on(store)
    add_detail = use_cases.details.add
    actor = Actor(user_id=user_id, role=Role.ADMIN, staff_id=None)
    draft = DetailDraft(product_id=product_id, quantity=Decimal("0.333"))
    say("ready")
    sys.stdin.readline()
    if task == "until-closed":
        try:
            for _ in range(300):
                say(add_detail(actor, draft, sheet_id=sheet_id).answer["id"])
        except Refused as refused:
            say(refused)
    elif task == "once":
        idempotency_key = IdempotencyKey(key="k-1", fingerprint="this body")
        try:
            done = add_detail(actor, draft, sheet_id=sheet_id, idempotency_key=idempotency_key)
            say(done.answer["id"], done.replayed)
        except RequestInProgress:
            say("still running")
    elif task == "halfway":
        with store.begin() as work:
            done = bind_to(add_detail, work)(actor, draft, sheet_id=sheet_id)
            say(done.answer["id"])
            sys.stdin.readline()
    elif task == "month":
        with store.begin() as work:
            month = bind_to(use_cases.reports.close_month, work)(actor, MonthDraft(month="2001-01", turn=1))
            say(month["id"])
            sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
