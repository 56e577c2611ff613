"""PgBouncer between the servers and PostgreSQL dies while writers work."""

from functools import partial

from adapters.sql.migrate import migrate
from tests.poolers import POOLER, pooling
from tools.faults.databases import a_postgresql
from tools.faults.kills import reported
from tools.faults.load import wait_for, writers
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers

_RECOVERY_SECONDS = 60.0


def _kill_the_pooler(mode: str, run: ScenarioRun) -> Outcome:
    if POOLER is None:
        raise CannotRun("pgbouncer is not installed")
    outcome, chance = Outcome(), run.chance()
    with a_postgresql() as database:
        url = database.cluster.create("consumo")
        migrate(url)
        ward, token = furnish(url)
        with pooling(url, mode) as pooler:
            # In session mode it is the address of the database. Two servers open more connections than it has.
            through = pooler.url if mode == "session" else url
            settings = {} if mode == "session" else {"CONSUMO_POOLER_URL": pooler.url}
            with servers(through, many=2, mutant=run.mutant, settings={"CONSUMO_POOL_SIZE": "4"} | settings) as running:
                addresses = [server.address for server in running]
                with writers(ward, token, addresses, run.chance("writers")) as ledger:
                    for number in run.each_round():
                        wanted = ledger.acknowledged + chance.randrange(5, 60)
                        if not wait_for(lambda: ledger.acknowledged >= wanted, _RECOVERY_SECONDS):  # noqa: B023
                            ledger.find("the servers do not write again though the pooler is back")
                            break
                        pooler.kill()
                        outcome.injected += 1
                        run.linger(number)
                        pooler.start()
        return reported(outcome, url, ledger)


kill_the_session_pooler = partial(_kill_the_pooler, "session")
kill_the_transaction_pooler = partial(_kill_the_pooler, "transaction")
