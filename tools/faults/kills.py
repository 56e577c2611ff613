"""kill -9 of the server and of PostgreSQL while writers work."""

from adapters.sql.migrate import migrate
from tools.faults.databases import a_database, a_postgresql
from tools.faults.invariants import findings_in
from tools.faults.load import Ledger, wait_for, writers
from tools.faults.scenario import POSTGRESQL, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers

_RECOVERY_SECONDS = 60.0


def kill_the_server(run: ScenarioRun) -> Outcome:
    """Kill a server while it is writing and restart it, repeatedly."""
    outcome, chance = Outcome(), run.chance()
    many = 2 if run.kind == POSTGRESQL else 1
    with a_database(run) as url:
        ward, token = furnish(url)
        with servers(url, many=many, mutant=run.mutant) as running:
            with writers(ward, token, [server.address for server in running], run.chance("writers")) as ledger:
                for number in run.each_round():
                    victim = chance.choice(running)
                    before = ledger.answers_by.get(victim.address, 0)
                    wanted = before + chance.randrange(1, 25)
                    if not wait_for(lambda: ledger.answers_by.get(victim.address, 0) >= wanted, _RECOVERY_SECONDS):  # noqa: B023
                        ledger.find("a server that was started again did not answer")
                        break
                    victim.kill()
                    outcome.injected += 1
                    run.linger(number)
                    victim.start()
            return reported(outcome, url, ledger)


def kill_postgresql(run: ScenarioRun) -> Outcome:
    """Kill PostgreSQL or one of its backends; the servers keep running."""
    outcome, chance = Outcome(), run.chance()
    with a_postgresql() as database:
        url = database.cluster.create("consumo")
        migrate(url)
        ward, token = furnish(url)
        with servers(url, many=2, mutant=run.mutant) as running:
            with writers(ward, token, [server.address for server in running], run.chance("writers")) as ledger:
                whole = backends = 0
                for number in run.each_round():
                    wanted = ledger.acknowledged + chance.randrange(5, 60)
                    if not wait_for(lambda: ledger.acknowledged >= wanted, _RECOVERY_SECONDS):  # noqa: B023
                        ledger.find("the servers do not write again though PostgreSQL is back")
                        break
                    if number % 2:
                        backends += database.kill_a_backend(chance)
                    else:
                        database.kill()
                        run.linger(number)
                        database.start()
                        whole += 1
            outcome.injected = whole + backends
            outcome.figures["killed as a whole, one backend"] = f"{whole}, {backends}"
            return reported(outcome, url, ledger)


def reported(outcome: Outcome, url: str, ledger: Ledger) -> Outcome:
    """Add the violations in ledger and database to the outcome."""
    outcome.acknowledged = ledger.acknowledged
    outcome.figures["requests without an answer"] = ledger.cut
    outcome.figures["of these done all the same, and told so when sent again"] = ledger.replayed
    if ledger.put_off:
        outcome.figures["told to come again"] = ", ".join(
            f"{many} × {status}" for status, many in sorted(ledger.put_off.items())
        )
    outcome.figures["longest time without an acknowledged write"] = f"{ledger.max_silence:.1f} s"
    outcome.findings = findings_in(url, ledger)
    return outcome
