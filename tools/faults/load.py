"""Writers that retry each request until it is answered."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from typing import Self

import httpx
import msgspec

from domain.common.errors import Code
from tests.builders import Ward

SHEETS, DETAILS = "/api/consumption-sheets", "/api/consumption-details"

_EXACT = msgspec.json.Encoder(decimal_format="number")

# How long a writer retries before it reports that the server does not come back.
PATIENCE_SECONDS = 90


@dataclass(slots=True)
class Line:
    """An acknowledged detail."""

    key: str
    sheet_id: int
    quantity: Decimal


class Ledger:
    """What was acknowledged, and what went wrong."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.lines: dict[int, Line] = {}
        self.removed: set[int] = set()
        self.closed: set[int] = set()
        self.acknowledged = 0
        # Requests without an answer, and those answered with "try again later".
        self.cut = 0
        self.refused = 0
        self.put_off: dict[int, int] = {}
        # Retried requests that had been executed, although their first answer was lost.
        self.replayed = 0
        self.findings: list[str] = []
        self.answers_by: dict[str, int] = {}
        self.last_answer = time.monotonic()
        self.max_silence = 0.0

    def acknowledge(self) -> None:
        """Count an acknowledged write."""
        with self._lock:
            now = time.monotonic()
            self.max_silence = max(self.max_silence, now - self.last_answer)
            self.last_answer = now
            self.acknowledged += 1

    def answered(self, address: str) -> None:
        with self._lock:
            self.answers_by[address] = self.answers_by.get(address, 0) + 1

    def missed(self) -> None:
        with self._lock:
            self.cut += 1

    def turned_away(self) -> None:
        with self._lock:
            self.refused += 1

    def later(self, status: int) -> None:
        with self._lock:
            self.put_off[status] = self.put_off.get(status, 0) + 1

    def find(self, finding: str) -> None:
        """Note a violation, once."""
        with self._lock:
            if finding not in self.findings and len(self.findings) < 50:
                self.findings.append(finding)


class GaveUp(Exception):
    """There was no answer for too long."""


@dataclass(slots=True)
class Caller:
    """Sends each request until it is answered, by any of the servers.

    ``host`` is the host name of a hospital among several.
    """

    addresses: Sequence[str]
    token: str
    ledger: Ledger
    chance: random.Random
    stopping: threading.Event = field(default_factory=threading.Event)
    patience: float = PATIENCE_SECONDS
    host: str = ""
    _client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"} | ({"Host": self.host} if self.host else {})
        self._client = httpx.Client(trust_env=False, timeout=40, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def send(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Return the final answer, after retries."""
        content = None if body is None else _EXACT.encode(body)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if content is not None:
            sent["Content-Type"] = "application/json"
        until = time.monotonic() + self.patience
        pause = 0.02
        while time.monotonic() < until:
            address = self.chance.choice(self.addresses)
            try:
                answer = self._client.request(method, address + path, content=content, headers=sent)
            except httpx.ConnectError:
                self.ledger.turned_away()
                time.sleep(pause)
                pause = min(pause * 1.5, 0.25)
                continue
            except httpx.TransportError:
                self.ledger.missed()
                continue
            self.ledger.answered(address)
            if answer.status_code in (503, 507):
                self._check_retry_answer(answer)
                self.ledger.later(answer.status_code)
                time.sleep(0.05)
            elif answer.status_code == 409 and answer.json()["code"] == "still_running":
                self.ledger.later(409)
                time.sleep(0.02)
            else:
                if answer.status_code >= 500:
                    problem = answer.json() if "json" in answer.headers.get("content-type", "") else {}
                    self.ledger.find(f"{method} was answered with {answer.status_code} {problem.get('code', '')}")
                    time.sleep(0.1)
                    continue
                return answer
        raise GaveUp

    def _check_retry_answer(self, answer: httpx.Response) -> None:
        problem = answer.json()
        if not problem.get("message") or "retry-after" not in answer.headers:
            self.ledger.find(f"{answer.status_code} without a sentence or the time to wait: {answer.text[:200]}")


def open_sheet(caller: Caller, ward: Ward, key: str) -> int:
    """Open a sheet and return its id."""
    body = {"patient_id": ward.patient_id, "room_id": ward.room_id, "admission_date": "2020-01-01"}
    filled_in = body | {"diagnosis": "Apendicitis", "doctor": "Dr. Paz"}
    answer = caller.send("POST", SHEETS, filled_in, Idempotency_Key=key)
    if answer.status_code != 201:
        raise RuntimeError(f"no sheet could be opened: {answer.status_code} {answer.text}")
    caller.ledger.acknowledge()
    return int(answer.json()["id"])


def add_line(caller: Caller, ward: Ward, sheet_id: int, key: str, quantity: Decimal) -> httpx.Response:
    """Add a detail and return the answer."""
    body = {"product_id": ward.product_id, "quantity": quantity}
    answer = caller.send("POST", f"{SHEETS}/{sheet_id}/consumption-details", body, Idempotency_Key=key)
    if answer.status_code == 201:
        caller.ledger.acknowledge()
    elif answer.json().get("code") != Code.SHEET_CLOSED:
        caller.ledger.find(f"a detail was answered with {answer.status_code}: {answer.text[:200]}")
    return answer


class Writer:
    """Adds, corrects and deletes details, on shared sheets and its own sheet.

    It also closes its own sheet.
    """

    def __init__(self, caller: Caller, ward: Ward, shared: Sequence[int], name: str) -> None:
        self._caller, self._ward, self._shared = caller, ward, shared
        self._ledger, self._chance = caller.ledger, caller.chance
        self._keys = (f"{name}-{number}" for number in count(1))
        self._own = 0
        self._mine: list[int] = []

    def work(self) -> None:
        """Work until stopped; an operation in progress is completed."""
        with self._caller:
            try:
                while not self._caller.stopping.is_set():
                    self._step()
            except GaveUp:
                self._ledger.find("the server did not come back")

    def _step(self) -> None:
        if not self._own:
            self._open()
            return
        what = self._chance.random()
        if what < 0.6:
            self._add(self._chance.choice(self._shared), keep=False)
        elif what < 0.8 or not self._mine:
            self._add(self._own, keep=True)
        elif what < 0.92:
            self._edit(self._chance.choice(self._mine))
        elif what < 0.98:
            self._delete(self._mine.pop(self._chance.randrange(len(self._mine))))
        else:
            self._close()

    def _quantity(self) -> Decimal:
        return Decimal(self._chance.randrange(1, 5000)).scaleb(-3)

    def _open(self) -> None:
        body = {
            "patient_id": self._ward.patient_id,
            "room_id": self._ward.room_id,
            "admission_date": "2020-01-01",
            "diagnosis": "Neumonía",
            "doctor": "Dra. Vega",
        }
        answer = self._send("POST", SHEETS, body, 201, Idempotency_Key=next(self._keys))
        if answer is not None:
            self._own, self._mine = answer.json()["id"], []

    def _add(self, sheet_id: int, *, keep: bool) -> None:
        quantity, key = self._quantity(), next(self._keys)
        body = {"product_id": self._ward.product_id, "quantity": quantity}
        answer = self._send("POST", f"{SHEETS}/{sheet_id}/consumption-details", body, 201, Idempotency_Key=key)
        if answer is None:
            return
        detail_id = answer.json()["id"]
        if "idempotent-replayed" in answer.headers:
            self._ledger.replayed += 1
        self._ledger.lines[detail_id] = Line(key, sheet_id, quantity)
        if keep:
            self._mine.append(detail_id)

    def _edit(self, detail_id: int) -> None:
        quantity = self._quantity()
        body = {"product_id": self._ward.product_id, "quantity": quantity}
        if self._send("PUT", f"{DETAILS}/{detail_id}", body, 200) is not None:
            self._ledger.lines[detail_id].quantity = quantity

    def _delete(self, detail_id: int) -> None:
        # Gone already: a previous try deleted it, and its answer was lost.
        if self._send("DELETE", f"{DETAILS}/{detail_id}", None, 204, 404) is not None:
            self._ledger.removed.add(detail_id)

    def _close(self) -> None:
        if self._send("DELETE", f"{SHEETS}/{self._own}/close", None, 200, 422) is not None:
            self._ledger.closed.add(self._own)
            self._own = 0

    def _send(self, method: str, path: str, body: object, *expected: int, **headers: str) -> httpx.Response | None:
        answer = self._caller.send(method, path, body, **headers)
        if answer.status_code not in expected:
            self._ledger.find(f"{method} was answered with {answer.status_code}: {answer.text[:300]}")
            time.sleep(0.1)
            return None
        self._ledger.acknowledge()
        return answer


@contextmanager
def writers(
    ward: Ward,
    token: str,
    addresses: Sequence[str],
    chance: random.Random,
    *,
    many: int = 8,
    sheets: int = 3,
    patience: float = PATIENCE_SECONDS,
    host: str = "",
) -> Iterator[Ledger]:
    """Run writers until the block ends and all of them have their answers."""
    ledger, stopping = Ledger(), threading.Event()

    def caller(name: str) -> Caller:
        own = random.Random(f"{chance.random()} {name}")
        return Caller(addresses, token, ledger, own, stopping, patience, host)

    with caller("first") as first:
        shared = [open_sheet(first, ward, f"shared-{number}") for number in range(sheets)]
    at_work = [
        threading.Thread(target=Writer(caller(f"w{number}"), ward, shared, f"w{number}").work, daemon=True)
        for number in range(many)
    ]
    for each in at_work:
        each.start()
    try:
        yield ledger
    finally:
        stopping.set()
        for each in at_work:
            each.join(patience + 60)


def wait_for(reached: Callable[[], bool], seconds: float, *, between: float = 0.002) -> bool:
    """Wait for a condition; return whether it became true in time."""
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            return False
        time.sleep(between)
    return True
