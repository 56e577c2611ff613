"""`python -m tools.faults.failover`: Patroni failover under load."""

import sys
import time

import httpx
import psycopg

from adapters.sql.migrate import migrate
from tools.faults.kills import reported
from tools.faults.load import wait_for, writers
from tools.faults.patroni import a_pair
from tools.faults.scenario import Outcome, ScenarioRun
from tools.faults.servers import Server, furnish, servers

_TAKEOVER_SECONDS = 120.0
ASYNCHRONOUS = "asynchronous"
_PRIMARY, _STANDBY, _LINE = "the primary dies", "the standby dies", "the line between them is dead"
_FAULTS = (_PRIMARY, _PRIMARY, _STANDBY, _LINE)


def fail_over(run: ScenarioRun) -> Outcome:
    """Kill the primary while two servers write; Patroni promotes the standby.

    Shortly before that, replication is cut: an acknowledged write is lost unless the server waited for the standby. In
    the third round the standby is killed instead. In the fourth round only the line between the nodes fails, and the
    primary goes on alone.
    """
    outcome = Outcome()
    synchronous = run.mutant != ASYNCHRONOUS
    follower = "sync_standby" if synchronous else "replica"
    silences: dict[str, list[str]] = {}
    with a_pair(synchronous=synchronous) as pair:
        with psycopg.connect(pair.url("postgres"), autocommit=True) as admin:
            admin.execute("CREATE DATABASE consumo")
        url = pair.url("consumo")
        migrate(url)
        ward, token = furnish(url)
        reports = {"CONSUMO_REPORTS_DATABASE_URL": pair.url("consumo", prefer="prefer-standby")}
        with servers(url, many=2, settings=reports) as running:
            with writers(ward, token, [each.address for each in running], run.chance("writers")) as ledger:
                for number in run.each_round():
                    if number:
                        pair.wait_until_whole(follower, 180)
                    done = ledger.acknowledged
                    if not wait_for(lambda: ledger.acknowledged > done + 200, 60):  # noqa: B023
                        ledger.find("nothing is written though the cluster is whole")
                        break
                    if not _exports(running[0], token):
                        ledger.find("nothing can be exported though the cluster is whole")
                    primary = pair.leader()
                    what = _FAULTS[number % len(_FAULTS)]
                    victim = {_PRIMARY: primary, _STANDBY: pair.other(primary)}.get(what)
                    primary.proxy.hold()
                    time.sleep(0.5)
                    if victim:
                        victim.kill()
                        primary.proxy.break_off()
                    begun = time.monotonic()
                    outcome.injected += 1
                    done = ledger.acknowledged
                    if not wait_for(lambda: ledger.acknowledged > done + 8, _TAKEOVER_SECONDS):  # noqa: B023
                        ledger.find("no process took over")
                        break
                    silences.setdefault(what, []).append(f"{time.monotonic() - begun:.1f} s")
                    if victim:
                        victim.start()
                    else:
                        primary.proxy.break_off()
            reported(outcome, url, ledger)
            for what, seconds in silences.items():
                outcome.figures[f"{what}: until the next acknowledged write"] = ", ".join(seconds)
            outcome.figures["details acknowledged, kept"] = (
                f"{len(set(ledger.lines) - ledger.removed):,}, {_kept(url):,}"
            )
    return outcome


def _exports(server: Server, token: str) -> bool:
    """Return whether exports work; they read from the standby if there is one."""
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.get(f"{server.address}/api/areas?format=csv", headers=headers, trust_env=False, timeout=60)
    return answer.status_code == 200 and "Urgencias" in answer.text


def _kept(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM consumption_details").fetchone()
    assert row
    return int(row[0])


if __name__ == "__main__":
    from tools.faults.__main__ import main

    sys.exit(main(["failover", *sys.argv[1:]]))
