"""The connection breaks: in the middle of a request, or after the commit and before the answer."""

from contextlib import ExitStack

from tools.faults.databases import a_database
from tools.faults.kills import told
from tools.faults.load import wait_for, writers
from tools.faults.proxy import BadLine
from tools.faults.running import furnish, servers
from tools.faults.trial import POSTGRESQL, Outcome, Trial


def cut_the_connection(trial: Trial) -> Outcome:
    """Break connections off while people write; each round is a hundred of them."""
    outcome = Outcome()
    with ExitStack() as stack:
        url = stack.enter_context(a_database(trial))
        ward, token = furnish(url)
        running = stack.enter_context(servers(url, many=2 if trial.kind == POSTGRESQL else 1, mutant=trial.mutant))
        lines = [
            BadLine(server.port, trial.chance(number), cut_requests=0.1, cut_answers=0.25)
            for number, server in enumerate(running)
        ]

        def cut() -> int:
            return sum(line.requests_cut + line.answers_cut for line in lines)

        with writers(ward, token, [line.address for line in lines], trial.chance("writers")) as ledger:
            for number in trial.each_round():
                if not wait_for(lambda: cut() >= 100 * (number + 1), 120):  # noqa: B023
                    ledger.find("nobody writes any more")
                    break
        for line in lines:
            line.close()
        outcome.injected = cut()
        outcome.figures["requests cut in half"] = sum(line.requests_cut for line in lines)
        outcome.figures["answers cut off"] = sum(line.answers_cut for line in lines)
        return told(outcome, url, ledger)
