"""Clock jumps of the server by seconds up to a year, with libfaketime."""

import json
from contextlib import ExitStack
from datetime import timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path

import httpx
from sqlalchemy import create_engine, select

from adapters.security.passwords import Argon2Passwords
from adapters.sql.engine.connections import to_url
from adapters.sql.sheets.tables import details
from adapters.sql.store import SqlStore
from application.accounts.users.draft import UserDraft
from domain.common.day import day_of
from domain.common.policy import Role
from tests.builders import PASSWORD, ZONE, Ward, use_cases_on
from tools.faults.databases import a_database, a_folder
from tools.faults.kills import reported
from tools.faults.load import Caller, Ledger, Line, add_line, open_sheet, wait_for, writers
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import Server, furnish, servers, token_of

_WHO = "mistyped@consumo.test"
_SHIFT = timedelta(hours=12)
_JUMPS = (
    timedelta(seconds=40), timedelta(seconds=-5), timedelta(hours=-1), timedelta(hours=11), timedelta(hours=13),
    timedelta(days=-1), timedelta(days=30), timedelta(days=-400), timedelta(days=400), timedelta(0),
)  # fmt: skip


class FalseClock:
    """The time of a process: real time plus an offset that may change."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
        if not found:
            raise CannotRun("libfaketime is not on this machine (`.ci/need faults` installs it)")
        self._file = folder / "clock"
        self.turn(timedelta(0))
        self.environment = {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            # As on a real machine, the monotonic clock does not jump.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def turn(self, offset: timedelta) -> None:
        """Set the offset from real time."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{offset.total_seconds():+.0f}\n")
        new.replace(self._file)


def jump_in_time(run: ScenarioRun) -> Outcome:
    """Change the clock while writers work; restart the server at wrong times."""
    outcome, chance = Outcome(), run.chance()
    with ExitStack() as stack:
        clock = FalseClock(stack.enter_context(a_folder()))
        url = stack.enter_context(a_database(run))
        ward, token = furnish(url)
        (server,) = stack.enter_context(servers(url, mutant=run.mutant, environment=clock.environment))
        shift = _of_one_shift(url, ward)
        with (
            writers(ward, token, [server.address], run.chance("writers"), many=4) as ledger,
            Caller([server.address], token, ledger, chance) as caller,
        ):
            sheet_id = open_sheet(caller, ward, "before")
            before = {f"before-{number}": _added(caller, ward, sheet_id, f"before-{number}") for number in range(10)}
            for number in run.each_round():
                offset = _JUMPS[number % len(_JUMPS)]
                clock.turn(offset)
                outcome.injected += 1
                if abs(offset) > timedelta(days=20):
                    server.kill()
                    server.start()
                    server.wait()
                    _fail_to_sign_in(server)
                done = ledger.acknowledged
                if not wait_for(lambda: ledger.acknowledged > done + 30, 60):  # noqa: B023
                    ledger.find(f"nothing is written with the clock turned by {offset}")
                    break
                signed_out = _status(server, shift) == 401
                if signed_out is not (offset > _SHIFT):
                    ledger.find(
                        f"who signed in for 12 hours is {'out' if signed_out else 'in'} when it is {offset} later"
                    )
            clock.turn(timedelta(0))
            server.kill()
            server.start()
            server.wait()
            for key, line in before.items():
                if _added(caller, ward, sheet_id, key) != line:
                    ledger.find(f"the retry with key {key} was executed again")
            if not _sign_in(server, PASSWORD):
                ledger.find("a user with failed attempts at another time cannot sign in now")
        with Caller([server.address], token, ledger, chance) as caller:
            _check_each_line_once(caller, ledger)
        reported(outcome, url, ledger)
        outcome.findings += _wrong_days(url)
    return outcome


def _of_one_shift(url: str, ward: Ward) -> str:
    store = SqlStore(url, ZONE)
    try:
        use_cases = use_cases_on(store, passwords=Argon2Passwords())
        use_cases.users.register(None, UserDraft(email=_WHO, role=int(Role.SUPERVISOR), password=PASSWORD))
        return token_of(store, ward.admin, lasts=_SHIFT)
    finally:
        store.close()


def _added(caller: Caller, ward: Ward, sheet_id: int, key: str) -> int:
    answer = add_line(caller, ward, sheet_id, key, Decimal(1))
    if answer.status_code != 201:
        return 0
    line = int(answer.json()["id"])
    caller.ledger.lines[line] = Line(key, sheet_id, Decimal(1))
    return line


def _status(server: Server, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.get(f"{server.address}/api/auth/profile", headers=headers, trust_env=False, timeout=30).status_code


def _sign_in(server: Server, password: str) -> bool:
    body = {"email": _WHO, "password": password}
    return httpx.post(f"{server.address}/api/auth/login", json=body, trust_env=False, timeout=30).status_code == 201


def _fail_to_sign_in(server: Server) -> None:
    for _ in range(10):
        _sign_in(server, "not this one")


def _check_each_line_once(caller: Caller, ledger: Ledger) -> None:
    """Read all details page by page and check that each occurs once."""
    seen: list[int] = []
    path = "/api/consumption-details?limit=100"
    cursor = ""
    for _ in count():
        page = json.loads(caller.send("GET", path + cursor).content)
        seen += [item["id"] for item in page["items"]]
        following = page["meta"].get("next")
        if not following:
            break
        cursor = f"&cursor={following}"
    expected = set(ledger.lines) - ledger.removed
    if len(seen) != len(set(seen)) or set(seen) != expected:
        ledger.find(
            f"a walk through the list shows {len(seen)} lines, of which {len(set(seen))} differ, not {len(expected)}"
        )


def _wrong_days(url: str) -> list[str]:
    engine = create_engine(to_url(url))
    with engine.connect() as connection:
        rows = connection.execute(select(details.c.id, details.c.created_at, details.c.day)).all()
    engine.dispose()
    return [f"detail {row.id} is counted to another day" for row in rows if row.day != day_of(row.created_at, ZONE)]
