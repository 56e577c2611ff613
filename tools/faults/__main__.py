"""Fault injection: break things on this machine and check for losses."""

import argparse
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tools.faults.alerts import AS_MINUTES, AS_SECONDS, Recording, can_judge, recorded
from tools.faults.charges import SENT_BEFOREHAND, kill_the_sender
from tools.faults.clock import jump_in_time
from tools.faults.concurrent_edits import close_among_writers, edit_one_line
from tools.faults.cut_connections import cut_the_connection
from tools.faults.failover import ASYNCHRONOUS, fail_over
from tools.faults.full_disk import fill_the_disk, fill_the_only_disk
from tools.faults.kills import kill_postgresql, kill_the_server
from tools.faults.lost_file import COPIED_EVERY_MINUTE, lose_the_file
from tools.faults.moving import SEQUENCES_FORGOTTEN, move_a_hospital
from tools.faults.next_version import FIRST_FAILURE_STOPS_ALL
from tools.faults.online_migration import BACKFILL_BATCH, migrate_among_writers
from tools.faults.outbox import KEY_REMADE, lose_the_network
from tools.faults.point_in_time import RESTORED_TO_THE_END, restore_before_a_mistake
from tools.faults.pooler import kill_the_session_pooler, kill_the_transaction_pooler
from tools.faults.receiver import kill_the_receiver
from tools.faults.rolling_restart import KILLED, rolling_restart
from tools.faults.scenario import POSTGRESQL, SQLITE, CannotRun, Outcome, ScenarioRun
from tools.faults.several_hospitals import kill_and_migrate

BOTH = (SQLITE, POSTGRESQL)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A kind of fault, its databases and rounds, and the mutants it must find.

    ``alerts`` are the alerts that its metrics fire, and no others. Without any, ``quiet`` says why none is needed. A
    second of the run counts as ``pace`` seconds for them.
    """

    about: str
    run: Callable[[ScenarioRun], Outcome]
    rounds: int
    kinds: tuple[str, ...] = BOTH
    mutants: tuple[str, ...] = ()
    rounds_to_prove: int = 20
    alerts: tuple[str, ...] = ()
    quiet: str = ""
    pace: int = AS_MINUTES


SCENARIOS = {
    "kill-server": Scenario(
        "kill -9 of the server in mid-write", kill_the_server, 200,
        mutants=("acknowledged-before-commit", "key-kept-afterwards", "log-kept-afterwards", "total-kept-afterwards"),
        alerts=("ConsumoDown",),
    ),
    "kill-receiver": Scenario(
        "kill -9 of what receives the hospital's messages, before and after it kept one", kill_the_receiver, 200,
        quiet="it has no metrics; its service starts it again, and the hospital's system repeats",
    ),
    "kill-postgresql": Scenario(
        "kill -9 of PostgreSQL in mid-write", kill_postgresql, 40, (POSTGRESQL,),
        mutants=("acknowledged-before-commit", "troubles-unknown"), rounds_to_prove=8,
        alerts=("ConsumoDatabaseUnavailable",),
    ),
    "kill-sender": Scenario(
        "kill -9 of the sender, and a receiver that hangs up and fails", kill_the_sender, 200,
        mutants=(SENT_BEFOREHAND,), rounds_to_prove=20,
        quiet="it has no metrics; ConsumoBillingUnreachable fires when charges have waited for a quarter of an hour",
    ),
    "cut-connection": Scenario(
        "the connection breaks before, in and after the answer, and the same is sent again", cut_the_connection, 5,
        mutants=("keys-forgotten",), rounds_to_prove=1,
        quiet="the client sends again",
    ),
    "outbox": Scenario(
        "the Wi-Fi loses a third of the answers, and pages are killed in mid-sending", lose_the_network, 200, (SQLITE,),
        mutants=(KEY_REMADE,), rounds_to_prove=2,
        quiet="the device sends again", pace=AS_SECONDS,
    ),
    "full-disk": Scenario(
        "the database's disk is full, and then there is room again", fill_the_disk, 5,
        mutants=("troubles-unknown",), rounds_to_prove=1,
        alerts=("ConsumoDiskFull",),
    ),
    "full-disk-and-log": Scenario(
        "PostgreSQL has no room for its log either", fill_the_only_disk, 3, (POSTGRESQL,),
        alerts=("ConsumoDiskFull",),
    ),
    "edit-one-line": Scenario(
        "two people edit one line", edit_one_line, 50, mutants=("no-look-at-the-version",), rounds_to_prove=10,
        quiet="one of the two is refused",
    ),
    "close-among-writers": Scenario(
        "fifty writers against a closing", close_among_writers, 5, mutants=("no-lock-on-the-sheet",), rounds_to_prove=2,
        quiet="late writers are refused",
    ),
    "migration": Scenario(
        "a million rows are migrated while people write", migrate_among_writers, 1, (POSTGRESQL,),
        mutants=(BACKFILL_BATCH,), rounds_to_prove=1,
        quiet="writers do not wait", pace=AS_SECONDS,
    ),
    "four-hospitals": Scenario(
        "kill -9 of the server of four hospitals, and a migration that fails at one of them", kill_and_migrate, 50,
        (POSTGRESQL,), mutants=("acknowledged-before-commit", "stores-mixed-up", FIRST_FAILURE_STOPS_ALL),
        rounds_to_prove=10, alerts=("ConsumoDown",),
    ),
    "moved-hospital": Scenario(
        "a hospital of a network moves to another PostgreSQL while its wards record", move_a_hospital, 3, (POSTGRESQL,),
        mutants=(SEQUENCES_FORGOTTEN,), rounds_to_prove=1,
        quiet="it is over before the two minutes of ConsumoDatabaseUnavailable", pace=AS_SECONDS,
    ),
    "point-in-time": Scenario(
        "lines are deleted by mistake, and the database goes back to the moment before", restore_before_a_mistake, 3,
        (POSTGRESQL,), mutants=(RESTORED_TO_THE_END,), rounds_to_prove=1,
        quiet="metrics do not show a mistake", pace=AS_SECONDS,
    ),
    "lost-file": Scenario(
        "kill -9 of server and Litestream, and the SQLite file is deleted and restored", lose_the_file, 3, (SQLITE,),
        mutants=(COPIED_EVERY_MINUTE,), rounds_to_prove=1,
        quiet="it is restored within the minute of ConsumoDown", pace=AS_SECONDS,
    ),
    "pooler-session": Scenario(
        "kill -9 of PgBouncer in session mode, in mid-write", kill_the_session_pooler, 20, (POSTGRESQL,),
        mutants=("acknowledged-before-commit",), rounds_to_prove=8, alerts=("ConsumoDatabaseUnavailable",),
    ),
    "pooler-transaction": Scenario(
        "the same in transaction mode, with four connections", kill_the_transaction_pooler, 20, (POSTGRESQL,),
        mutants=("acknowledged-before-commit",), rounds_to_prove=8, alerts=("ConsumoDatabaseUnavailable",),
    ),
    "failover": Scenario(
        "of two PostgreSQL nodes the primary, the standby or the line between them dies", fail_over, 4, (POSTGRESQL,),
        mutants=(ASYNCHRONOUS,), rounds_to_prove=1,
        quiet="it is over before the two minutes of ConsumoDatabaseUnavailable", pace=AS_SECONDS,
    ),
    "rolling-restart": Scenario(
        "two hosts behind a load balancer are restarted one after the other", rolling_restart, 2, (POSTGRESQL,),
        mutants=(KILLED,), rounds_to_prove=1,
        quiet="the other host answers, and each is back within the minute of ConsumoDown", pace=AS_SECONDS,
    ),
    "clock": Scenario(
        "the server's clock jumps", jump_in_time, 20, mutants=("nothing-stays-but-by-the-clock",), rounds_to_prove=10,
        quiet="nothing depends on it", pace=AS_SECONDS,
    ),
}  # fmt: skip


class Verdict(StrEnum):
    """The verdict on a run."""

    HELD = "nothing was found"
    FOUND = "something was found"
    SKIPPED = "it cannot run here"
    BROKEN = "it could not be brought to its end"


def main(arguments: Sequence[str]) -> int:
    """Run the requested scenarios and return the exit status."""
    asked = _asked(arguments)
    names = asked.scenario or list(SCENARIOS)
    print(f"seed {asked.seed} (give --seed {asked.seed} for the same chances)", flush=True)
    bad, skipped = [], []

    def run(name: str, kind: str, rounds: int, mutant: str | None, *, wanted: Verdict) -> None:
        verdict = _run(name, kind, rounds, asked, mutant)
        called = f"{name} on {kind}" + (f" with {mutant}" if mutant else "")
        if verdict is Verdict.SKIPPED:
            skipped.append(called)
        elif verdict is not wanted:
            bad.append(called)

    if not asked.prove:
        for name in names:
            for kind in _kinds(name, asked):
                run(name, kind, asked.rounds or SCENARIOS[name].rounds, asked.mutant, wanted=Verdict.HELD)
    if asked.prove or not (asked.mutant or asked.without_proof):
        print("\nthe same with a defect planted, which must be found")
        for name in names:
            for mutant in SCENARIOS[name].mutants:
                for kind in _kinds(name, asked)[-1:]:
                    run(name, kind, SCENARIOS[name].rounds_to_prove, mutant, wanted=Verdict.FOUND)
    if skipped:
        print(f"\nskipped: {', '.join(skipped)}")
    print(f"\nFAIL: {', '.join(bad)}" if bad else "\npass")
    return 1 if bad else 0


def named(alerts: Collection[str]) -> str:
    """Return the names of alerts as text."""
    return ", ".join(sorted(alerts)) or "none"


def _kinds(name: str, asked: argparse.Namespace) -> list[str]:
    return [kind for kind in SCENARIOS[name].kinds if asked.on in (None, kind)]


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("scenario", nargs="*", choices=[[], *SCENARIOS], help="which ones; all when left out")
    parser.add_argument("--rounds", type=int, help="how many faults of each kind, instead of as many as usual")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="other chances, other timings")
    parser.add_argument("--seconds", type=float, default=900, help="no scenario begins another round after that time")
    parser.add_argument("--on", choices=BOTH, help="on this database alone")
    parser.add_argument("--mutant", help="run with this defect planted: fails when it is found, as it must be")
    parser.add_argument("--prove", action="store_true", help="only show that each scenario finds what is planted")
    parser.add_argument("--without-proof", action="store_true", help="do not show that")
    asked = parser.parse_args(arguments)
    if asked.mutant:
        for name in asked.scenario or SCENARIOS:
            if asked.mutant not in SCENARIOS[name].mutants:
                parser.error(f"{name} does not look for {asked.mutant}, only for: {', '.join(SCENARIOS[name].mutants)}")
    return asked


def _run(name: str, kind: str, rounds: int, asked: argparse.Namespace, mutant: str | None) -> Verdict:
    scenario = SCENARIOS[name]
    print(f"\n{name} on {kind}: {scenario.about}" + (f", with {mutant}" if mutant else ""), flush=True)
    begun = time.monotonic()
    run = ScenarioRun(kind=kind, rounds=rounds, seed=asked.seed, seconds=asked.seconds, mutant=mutant)
    recording = None if mutant or not can_judge() else Recording()
    try:
        with recorded(recording):
            outcome = scenario.run(run)
        if recording and (fired := recording.fired(scenario.pace)) != set(scenario.alerts):
            outcome.findings.append(f"alerts: {named(fired)} fired, and not {named(scenario.alerts)}")
    except CannotRun as why:
        print(f"  skipped: {why}")
        return Verdict.SKIPPED
    except Exception:  # noqa: BLE001 - the other scenarios still run
        traceback.print_exc(file=sys.stdout)
        return Verdict.BROKEN
    print(f"  {outcome.acknowledged:,} writes acknowledged, {outcome.injected:,} faults injected")
    if recording:
        print(f"  alerts: {named(scenario.alerts)}{f' ({scenario.quiet})' if scenario.quiet else ''}")
    elif not mutant:
        print("  alerts: not compared, because promtool is not installed")
    for figure, value in outcome.figures.items():
        print(f"  {figure}: {value}")
    if not outcome.acknowledged or not outcome.injected:
        print("  nothing was tried")
        return Verdict.BROKEN
    for finding in outcome.findings[:10]:
        print(f"  FOUND: {finding}")
    if len(outcome.findings) > 10:
        print(f"  FOUND: and {len(outcome.findings) - 10} more")
    if mutant:
        said = "found, as it must be" if outcome.findings else "MISSED, though it is there"
    else:
        said = "FAIL" if outcome.findings else "pass"
    print(f"  {said} ({time.monotonic() - begun:.0f} s)", flush=True)
    return Verdict.FOUND if outcome.findings else Verdict.HELD


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
