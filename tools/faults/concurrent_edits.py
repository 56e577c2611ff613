"""Concurrent edits: two writers on one line, and fifty against a closing."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from decimal import Decimal
from itertools import count

from httpx import Response

from tools.faults.databases import a_database
from tools.faults.invariants import findings_in
from tools.faults.load import DETAILS, SHEETS, Caller, Ledger, Line, add_line, open_sheet, wait_for
from tools.faults.scenario import POSTGRESQL, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers


def edit_one_line(run: ScenarioRun) -> Outcome:
    """Edit a line twice at the same moment: one edit must get a 412."""
    outcome, ledger, keys = Outcome(), Ledger(), count(1)
    with a_database(run) as url:
        ward, token = furnish(url)
        with servers(url, many=2 if run.kind == POSTGRESQL else 1, mutant=run.mutant) as running:
            # One server per caller, if there are several.
            callers = [Caller([running[n % len(running)].address], token, ledger, run.chance(n)) for n in (0, 1)]
            sheet_id = open_sheet(callers[0], ward, "sheet")
            at_once = threading.Barrier(2)

            def edit(n: int, detail_id: int, etag: str, quantity: str) -> Response:
                at_once.wait(30)
                body = {"product_id": ward.product_id, "quantity": Decimal(quantity)}
                return callers[n].send("PUT", f"{DETAILS}/{detail_id}", body, If_Match=etag)

            with ThreadPoolExecutor(2) as pool:
                for number in run.each_round():
                    key = f"line-{next(keys)}"
                    added = add_line(callers[0], ward, sheet_id, key, Decimal(1))
                    line, etag = added.json()["id"], added.headers["etag"]
                    wanted = [f"2.{number % 1000:03}", f"3.{number % 1000:03}"]
                    both = [pool.submit(edit, n, line, etag, wanted[n]) for n in (0, 1)]
                    answers = [each.result() for each in both]
                    outcome.injected += 1
                    statuses = sorted(answer.status_code for answer in answers)
                    if statuses != [200, 412]:
                        ledger.find(f"two who edited one line were answered with {statuses}, not with 200 and 412")
                    winner = next((n for n in (0, 1) if answers[n].status_code == 200), 0)
                    ledger.acknowledge()
                    ledger.lines[line] = Line(key, sheet_id, Decimal(wanted[winner]))
        outcome.acknowledged = ledger.acknowledged
        outcome.findings = findings_in(url, ledger)
    return outcome


def close_among_writers(run: ScenarioRun) -> Outcome:
    """Close a sheet among fifty writers: no late lines, and an exact total."""
    outcome, chance, ledger = Outcome(), run.chance(), Ledger()
    late = 0
    with a_database(run) as url:
        ward, token = furnish(url)
        with servers(url, many=2 if run.kind == POSTGRESQL else 1, mutant=run.mutant) as running:
            addresses = [server.address for server in running]
            closer = Caller(addresses, token, ledger, chance)
            callers = [Caller(addresses, token, ledger, run.chance(n)) for n in range(50)]

            def record(n: int, sheet_id: int, over: threading.Event) -> int:
                for number in count():
                    if over.is_set():
                        break
                    key, quantity = f"s{sheet_id}-w{n}-{number}", Decimal(1 + number * 7 % 9999).scaleb(-3)
                    answer = add_line(callers[n], ward, sheet_id, key, quantity)
                    if answer.status_code != 201:
                        return 1
                    ledger.lines[answer.json()["id"]] = Line(key, sheet_id, quantity)
                return 0

            with ThreadPoolExecutor(50) as pool:
                for _ in run.each_round():
                    sheet_id = open_sheet(closer, ward, f"sheet-{outcome.injected}")
                    before = len(ledger.lines)
                    wanted = before + chance.randrange(20, 200)
                    over = threading.Event()
                    at_work = [pool.submit(record, n, sheet_id, over) for n in range(50)]
                    wait_for(lambda: len(ledger.lines) >= wanted, 60)  # noqa: B023
                    closed = closer.send("DELETE", f"{SHEETS}/{sheet_id}/close")
                    outcome.injected += 1
                    # By now every writer gets the error with its next line; otherwise it has one second to add a late
                    # line.
                    wait(at_work, 1)
                    over.set()
                    late += sum(each.result() for each in at_work)
                    if closed.status_code != 200:
                        ledger.find(f"closing was answered with {closed.status_code}: {closed.text[:200]}")
                        continue
                    ledger.acknowledge()
                    ledger.closed.add(sheet_id)
                    # The total in the answer of the closing must stay, to the cent.
                    frozen, now = (_total(answer) for answer in (closed, closer.send("GET", f"{SHEETS}/{sheet_id}")))
                    if frozen != now:
                        ledger.find(f"sheet {sheet_id} was closed at {frozen} and now comes to {now}")
        outcome.acknowledged = ledger.acknowledged
        outcome.figures["writers told that the sheet is closed"] = late
        outcome.findings = findings_in(url, ledger)
    return outcome


def _total(answer: Response) -> Decimal:
    return Decimal(str(answer.json()["total"]))
