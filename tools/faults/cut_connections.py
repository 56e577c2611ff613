"""Cut connections: within a request, or between commit and answer."""

from contextlib import ExitStack

from tools.faults.databases import a_database
from tools.faults.kills import reported
from tools.faults.load import wait_for, writers
from tools.faults.proxy import FaultyProxy
from tools.faults.scenario import POSTGRESQL, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers


def cut_the_connection(run: ScenarioRun) -> Outcome:
    """Cut connections while writers work, a hundred per round."""
    outcome = Outcome()
    with ExitStack() as stack:
        url = stack.enter_context(a_database(run))
        ward, token = furnish(url)
        running = stack.enter_context(servers(url, many=2 if run.kind == POSTGRESQL else 1, mutant=run.mutant))
        proxies = [
            FaultyProxy(server.port, run.chance(number), cut_requests=0.1, cut_answers=0.25)
            for number, server in enumerate(running)
        ]

        def cut() -> int:
            return sum(proxy.requests_cut + proxy.answers_cut for proxy in proxies)

        with writers(ward, token, [proxy.address for proxy in proxies], run.chance("writers")) as ledger:
            for number in run.each_round():
                if not wait_for(lambda: cut() >= 100 * (number + 1), 120):  # noqa: B023
                    ledger.find("no client writes any more")
                    break
        for proxy in proxies:
            proxy.close()
        outcome.injected = cut()
        outcome.figures["requests cut in half"] = sum(proxy.requests_cut for proxy in proxies)
        outcome.figures["answers cut off"] = sum(proxy.answers_cut for proxy in proxies)
        return reported(outcome, url, ledger)
