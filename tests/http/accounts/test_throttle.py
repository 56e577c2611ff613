"""Rate limits of sign-in attempts, checked before a password is hashed.

A lock is always temporary.
"""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Barrier, Event

import httpx
import pytest
from httpx import Response

from adapters.http.requests.client_address import normalized
from adapters.http.workers.fair_queue import HASHING
from application.accounts.sessions.throttle import (
    MAX_ATTEMPTS_PER_ACCOUNT_FROM_SUSPECT_ADDRESS,
    MAX_ATTEMPTS_PER_ADDRESS,
    MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT,
)
from tests.builders import QuickPasswords, SettableClock
from tests.http.accounts.signed_in import LOGIN, USERS
from tests.http.hospital import ON_EVERY_DATABASE, PASSWORD, Hospital, hospital_on
from tests.pace import PATIENCE

FEW = MAX_ATTEMPTS_PER_ADDRESS_AND_ACCOUNT
UNKNOWN = "unknown@hospital.test"
WRONG = "not the password"


class CountedPasswords(QuickPasswords):
    """Counts the password checks."""

    def __init__(self) -> None:
        self.looked_at = 0

    def match(self, password: str, password_hash: str | None) -> bool:
        self.looked_at += 1
        return password == PASSWORD and password_hash is not None


@pytest.fixture
def passwords() -> CountedPasswords:
    return CountedPasswords()


@pytest.fixture
def timed_hospital(
    database: str, tmp_path: Path, clock: SettableClock, passwords: CountedPasswords
) -> Iterator[Hospital]:
    with hospital_on(database, tmp_path, clock=clock, passwords=passwords) as hospital:
        yield hospital


def try_it(
    hospital: Hospital,
    email: str,
    password: str = WRONG,
    *,
    address: str = "192.0.2.1",
    times: int = 1,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Try to sign in from that address; returns the last answer."""

    async def post() -> Response:
        transport = httpx.ASGITransport(hospital.client.app, client=(address, 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            for _ in range(times):
                answer = await client.post(LOGIN, json={"email": email, "password": password}, headers=headers)
            return answer

    return asyncio.run(post())


def retry_after(answer: Response) -> int:
    assert answer.status_code == 429, answer.text
    problem = answer.json()
    assert (problem["status"], problem["code"], problem["errors"]) == (429, "too_many_tries", [])
    assert answer.headers["content-type"] == "application/problem+json"
    return int(answer.headers["retry-after"])


def test_behind_a_trusted_proxy_clients_are_distinguished(
    sqlite_url: str, tmp_path: Path, passwords: CountedPasswords
) -> None:
    """Addresses before the last untrusted one can be forged."""
    with hospital_on(sqlite_url, tmp_path, passwords=passwords, PROXIES="192.0.2.0/24") as hospital:
        email = hospital.email(hospital.nurse)

        def from_behind(password: str, forwarded: str, *, proxy: str = "192.0.2.1", times: int = 1) -> int:
            headers = {"X-Forwarded-For": forwarded}
            return try_it(hospital, email, password, address=proxy, times=times, headers=headers).status_code

        assert from_behind(WRONG, "198.51.100.7", times=FEW) == 404
        assert from_behind(PASSWORD, "198.51.100.7") == 429
        assert from_behind(PASSWORD, "203.0.113.5, 198.51.100.7, 192.0.2.9") == 429
        assert from_behind(PASSWORD, "198.51.100.8") == 201
        # A forwarded address from an untrusted peer is ignored.
        assert from_behind(PASSWORD, "198.51.100.7", proxy="203.0.113.5") == 201


def test_without_trusted_proxies_forwarded_addresses_are_ignored(
    sqlite_url: str, tmp_path: Path, passwords: CountedPasswords
) -> None:
    with hospital_on(sqlite_url, tmp_path, passwords=passwords) as hospital:
        email = hospital.email(hospital.nurse)
        for number in range(FEW):
            try_it(hospital, email, headers={"X-Forwarded-For": f"198.51.100.{number}"})
        assert try_it(hospital, email, PASSWORD, headers={"X-Forwarded-For": "198.51.100.99"}).status_code == 429


def headers_of(answer: Response) -> list[tuple[str, str]]:
    """All headers except the random request id."""
    return [(name, value) for name, value in answer.headers.items() if name != "x-request-id"]


@ON_EVERY_DATABASE
def test_known_and_unknown_accounts_are_throttled_equally(
    timed_hospital: Hospital, passwords: CountedPasswords
) -> None:
    hospital = timed_hospital
    gone = hospital.email(hospital.colleague)
    hospital.admin.delete(f"{USERS}/{hospital.colleague.user_id}")
    reported = []
    for number, email in enumerate((hospital.email(hospital.nurse), UNKNOWN, gone)):
        answers = [try_it(hospital, email, address=f"192.0.2.{number}") for _ in range(FEW + 2)]
        reported.append([(answer.status_code, answer.content, headers_of(answer)) for answer in answers])
    assert reported[0] == reported[1] == reported[2]
    assert [status for status, _, _ in reported[0]] == [404] * FEW + [429] * 2
    assert passwords.looked_at == 3 * FEW


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("es", "Demasiados intentos. Espere e inténtelo de nuevo."),
        ("en", "Too many attempts. Wait and try again."),
    ],
)
def test_a_throttled_sign_in_explains_what_to_do(timed_hospital: Hospital, language: str, message: str) -> None:
    someone = timed_hospital.stranger.speaking(language)
    for _ in range(FEW):
        someone.post(LOGIN, {"email": UNKNOWN, "password": WRONG})
    answer = someone.post(LOGIN, {"email": UNKNOWN, "password": WRONG})
    retry_after(answer)
    assert answer.json()["message"] == message


def test_attempts_of_one_address_are_limited(timed_hospital: Hospital, passwords: CountedPasswords) -> None:
    hospital, nurse = timed_hospital, timed_hospital.email(timed_hospital.nurse)
    assert try_it(hospital, nurse, PASSWORD, address="203.0.113.66").status_code == 201
    for number in range(MAX_ATTEMPTS_PER_ADDRESS):
        assert try_it(hospital, f"guess-{number}@hospital.test", address="203.0.113.66").status_code == 404
    looked_at = passwords.looked_at
    for email in ("another@hospital.test", hospital.email(hospital.colleague)):
        assert retry_after(try_it(hospital, email, PASSWORD, address="203.0.113.66")) <= 900
    assert passwords.looked_at == looked_at
    # A whole hospital may share that address: accounts that signed in from there before still can.
    few = MAX_ATTEMPTS_PER_ACCOUNT_FROM_SUSPECT_ADDRESS
    assert try_it(hospital, nurse, PASSWORD, address="203.0.113.66").status_code == 201
    assert try_it(hospital, nurse, address="203.0.113.66", times=few).status_code == 404
    assert try_it(hospital, nurse, PASSWORD, address="203.0.113.66").status_code == 429
    assert try_it(hospital, hospital.email(hospital.colleague), PASSWORD, address="192.0.2.1").status_code == 201


def test_another_address_is_served_next_when_one_fills_the_queue(
    timed_hospital: Hospital, passwords: CountedPasswords
) -> None:
    """After two of the attacker, the nurse's is one of the next two."""
    hospital, nurse = timed_hospital, timed_hospital.email(timed_hospital.nurse)
    order: list[str] = []
    both_busy, go_on = Barrier(3), Event()

    def match(password: str, password_hash: str | None) -> bool:
        order.append(password)
        if len(order) <= 2:
            both_busy.wait(PATIENCE)
            go_on.wait(PATIENCE)
        return password == PASSWORD and password_hash is not None

    passwords.match = match  # type: ignore[method-assign]

    async def post(email: str, password: str, address: str) -> int:
        transport = httpx.ASGITransport(hospital.client.app, client=(address, 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return (await client.post(LOGIN, json={"email": email, "password": password})).status_code

    async def queued(address: str, tries: int) -> None:
        async with asyncio.timeout(60):
            while HASHING.waiting(address) < tries:  # noqa: ASYNC110 the server does not say when a request is queued
                await asyncio.sleep(0)

    async def try_all() -> list[int]:
        strangers = [asyncio.create_task(post(f"{n}@hospital.test", WRONG, "203.0.113.66")) for n in range(8)]
        await asyncio.to_thread(both_busy.wait, 60)
        await queued("203.0.113.66", 6)
        owner = asyncio.create_task(post(nurse, PASSWORD, "192.0.2.1"))
        await queued("192.0.2.1", 1)
        go_on.set()
        return await asyncio.gather(owner, *strangers)

    assert asyncio.run(try_all()) == [201] + [404] * 8
    # Both threads go on at once.
    assert PASSWORD in order[2:4]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.7:51234", "192.0.2.7:9", True),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("[2001:db8::7]:51234", "2001:db8::ffff:1", True),
        ("2001:db8:0:0::7", "2001:db8:0:1::7", False),
        ("192.0.2.7", "192.0.2.8", False),
    ],
)
def test_addresses_ignore_ports_and_group_ipv6_by_network(one: str, other: str, same: bool) -> None:
    assert (normalized(one) == normalized(other)) is same


@ON_EVERY_DATABASE
def test_concurrent_attempts_do_not_exceed_the_limit(timed_hospital: Hospital, passwords: CountedPasswords) -> None:
    hospital, email = timed_hospital, timed_hospital.email(timed_hospital.nurse)

    async def try_all() -> list[int]:
        transport = httpx.ASGITransport(hospital.client.app, client=("192.0.2.1", 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            tries = [client.post(LOGIN, json={"email": email, "password": WRONG}) for _ in range(64)]
            return [answer.status_code for answer in await asyncio.gather(*tries)]

    assert sorted(asyncio.run(try_all())) == [404] * FEW + [429] * (64 - FEW)
    assert passwords.looked_at == FEW
