"""kill -9 of the sender of charges, with an unreliable receiver.

The receiver disconnects and fails at random.
"""

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

from adapters.simulator.billing_system import Behavior, BillingSystem, listening
from adapters.simulator.charges import balance_of, charges_in
from adapters.sql.store import SqlStore
from application.closing.reopen_sheet import ReopenDraft
from domain.common.day import day_of
from domain.interop.outbound_message import OutboundState
from tests.builders import ZONE, SettableClock, Ward, a_ward
from tests.hl7.charges import sheet_id_in
from tools.faults.databases import a_database
from tools.faults.scenario import Outcome, ScenarioRun
from tools.faults.servers import sender_of

SENT_BEFOREHAND = "noted-as-sent-beforehand"
# Number of sheets closed before each kill, some of them again after a reopening.
_SHEETS_PER_ROUND = 4


def kill_the_sender(run: ScenarioRun) -> Outcome:
    """Close, reopen and close sheets, and kill the sender at random times."""
    outcome, chance = Outcome(), run.chance()
    with a_database(run) as url, listening(BillingSystem(_unreliable(run.chance("receiver")))) as receiver:
        store = SqlStore(url, ZONE)
        ward = a_ward(store, charging=True, clock=SettableClock(datetime.now(UTC)))
        sheets: list[int] = []
        with sender_of(url, f"mllp://127.0.0.1:{receiver.port}", run.mutant) as sender:
            for _ in run.each_round():
                _close_some(ward, sheets, chance)
                time.sleep(chance.random() * 0.1)
                sender.kill()
                outcome.injected += 1
                sender.start()
            _drain(store, run, outcome)
        _compare(ward, receiver, sheets, outcome)
        store.close()
    return outcome


def _unreliable(chance: random.Random) -> Callable[[int], Behavior]:
    """Return a receiver that accepts most messages and fails at random.

    It disconnects before or after a message, fails, or answers something else.
    """
    moods = [each for each in Behavior if each not in (Behavior.BOOKS_SILENTLY, Behavior.REFUSES)]
    return lambda _: Behavior.ACCEPTS if chance.random() < 0.6 else chance.choice(moods)


def _close_some(ward: Ward, sheets: list[int], chance: random.Random) -> None:
    uc = ward.use_cases
    for _ in range(_SHEETS_PER_ROUND):
        if sheets and chance.random() < 0.4:
            sheet_id = chance.choice(sheets)
            uc.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó"))
        else:
            sheet_id = ward.sheet(admission_date=day_of(ward.clock.now, ZONE))["id"]
            sheets.append(sheet_id)
        ward.detail(sheet_id, str(chance.randrange(1, 9)))
        ward.clock.advance(microseconds=1)
        uc.sheets.close(ward.admin, sheet_id)


def _drain(store: SqlStore, run: ScenarioRun, outcome: Outcome) -> None:
    """Wait until no message is waiting."""
    waiting = 0
    while time.monotonic() < run.until:
        unfinished = store.unfinished_messages() or {}
        waiting = sum(count for count, _ in unfinished.values())
        if not waiting:
            return
        time.sleep(0.05)
    outcome.findings.append(f"{waiting} messages were not sent: {store.unfinished_messages()}")


def _compare(ward: Ward, receiver: BillingSystem, sheets: list[int], outcome: Outcome) -> None:
    """Check that each charge was booked once, unchanged, with equal totals."""
    with ward.store.begin() as work:
        messages = work.outbound_messages.find_many("sheet_id", sheets)
    assert all(one.state is OutboundState.SENT for one in messages) or outcome.findings
    written = {charge.transaction_id: charge for one in messages for charge in charges_in(one.body)}
    outcome.acknowledged = len(receiver.booked)
    outcome.figures["messages written, and how often they came"] = f"{len(messages):,}, {len(receiver.bodies):,}"
    for transaction_id in written.keys() - receiver.booked.keys():
        outcome.findings.append(f"charge {transaction_id} never arrived")
    for transaction_id in receiver.booked.keys() - written.keys():
        outcome.findings.append(f"charge {transaction_id} was never written")
    for transaction_id in receiver.contradicted:
        outcome.findings.append(f"charge {transaction_id} came again and said something else")
    for sheet_id in sheets:
        booked = balance_of([charge for key, charge in receiver.booked.items() if sheet_id_in(key) == sheet_id])
        total = ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["total"]
        if booked != total:
            outcome.findings.append(f"sheet {sheet_id} came to {total}, and {booked} was booked")
