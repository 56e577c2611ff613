"""`python -m tests.faults.failover`: the primary of a Patroni cluster dies under load, and the other takes over."""

import sys
import time

import psycopg

from adapters.sql.migrate import migrate
from tests.faults.kills import told
from tests.faults.load import wait_for, writers
from tests.faults.patroni import a_pair
from tests.faults.running import furnish, servers
from tests.faults.trial import Outcome, Trial

_TO_TAKE_OVER = 120.0
ASYNCHRONOUS = "asynchronous"


def fail_over(trial: Trial) -> Outcome:
    """Kill Patroni and PostgreSQL on the primary while two servers write; the standby is promoted by Patroni alone.

    A moment before, nothing reaches the standby any more: what is acknowledged then is lost unless somebody had waited
    for it.
    """
    outcome = Outcome()
    synchronous = trial.plant != ASYNCHRONOUS
    follower = "sync_standby" if synchronous else "replica"
    silences: list[str] = []
    with a_pair(synchronous=synchronous) as pair:
        with psycopg.connect(pair.url("postgres"), autocommit=True) as admin:
            admin.execute("CREATE DATABASE consumo")
        url = pair.url("consumo")
        migrate(url)
        ward, token = furnish(url)
        with servers(url, many=2) as running:
            with writers(ward, token, [each.address for each in running], trial.chance("writers")) as ledger:
                for number in trial.each_round():
                    if number:
                        pair.wait_until_whole(follower, 180)
                    done = ledger.acknowledged
                    if not wait_for(lambda: ledger.acknowledged > done + 200, 60):  # noqa: B023
                        ledger.find("nothing is written though the cluster is whole")
                        break
                    primary = pair.leader()
                    primary.line.hold()
                    time.sleep(0.5)
                    primary.kill()
                    primary.line.break_off()
                    killed = time.monotonic()
                    outcome.injected += 1
                    done = ledger.acknowledged
                    if not wait_for(lambda: ledger.acknowledged > done + 8, _TO_TAKE_OVER):  # noqa: B023
                        ledger.find("nobody took over")
                        break
                    silences.append(f"{time.monotonic() - killed:.1f} s")
                    primary.start()
            told(outcome, url, ledger)
            outcome.figures["from the kill to the next acknowledged write"] = ", ".join(silences)
            outcome.figures["details acknowledged, kept"] = (
                f"{len(set(ledger.lines) - ledger.removed):,}, {_kept(url):,}"
            )
    return outcome


def _kept(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM consumption_details").fetchone()
    assert row
    return int(row[0])


if __name__ == "__main__":
    from tests.faults.__main__ import main

    sys.exit(main(["failover", *sys.argv[1:]]))
