"""Retries after a transaction conflict: the effect happens once."""

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from application.accounts.sign_in.sign_in import Credentials
from application.accounts.users.choose_password import ChosenPassword
from application.accounts.users.password_links import ResetRequest
from application.common.entities import AREA, IMPORT, EntityKind
from application.common.idempotency import IdempotencyKey
from application.common.store_errors import StoreUnavailable, TransactionConflict, UnavailableReason
from application.common.use_case import MAX_RETRIES
from tests.builders import PASSWORD, ZONE, Postbox, SettableClock, Ward, a_ward, use_cases_on
from tests.stores import InMemoryStore
from tests.use_cases.common.test_who_may import CALLS, Call, Scene, a_scene
from tests.use_cases.stored import audit_log, kept, nothing_written, put_back, rows_of, snapshot


class CrowdedStore(InMemoryStore):
    """A store whose units of work fail at their end, before the commit.

    ``fails`` returns the exception for a unit of work by its number, which starts at 1.
    """

    def __init__(self) -> None:
        super().__init__(ZONE)
        self.begun = 0
        self.fails: Callable[[int], Exception | None] = lambda _: None

    @contextmanager
    def begin(self) -> Iterator[Any]:
        self.begun += 1
        failure = self.fails(self.begun)
        with super().begin() as work:
            try:
                yield work
            finally:
                if failure:
                    raise failure

    def crowd(self, fails: Callable[[int], Exception | None]) -> None:
        """Start failing, with the next unit of work as number 1."""
        self.begun, self.fails = 0, fails


def the(number: int) -> Callable[[int], Exception | None]:
    """Make only the unit of work with that number fail."""
    return lambda this: TransactionConflict() if this == number else None


def the_first(count: int) -> Callable[[int], Exception | None]:
    return lambda this: TransactionConflict() if this <= count else None


@pytest.fixture
def store() -> CrowdedStore:
    return CrowdedStore()


@pytest.fixture
def ward(store: CrowdedStore) -> Ward:
    return a_ward(store)


def sign_in(scene: Scene, password: str) -> None:
    scene.use_cases.session.sign_in(Credentials(email="admin@consumo.test", password=password))


def choose_password(scene: Scene) -> None:
    link = scene.use_cases.users.create_reset_link(scene.ward.admin, scene.ward.nurse.user_id)
    new = "gasa, venda y cánula"
    chosen = ChosenPassword(token=link.url.partition("=")[2], password=new, password_confirmation=new)
    scene.use_cases.account.choose_password(chosen)


# Ids and secrets of these differ each time.
_RANDOM = ("password_links", "sessions", "passkeys", "passkey_secrets")
_RANDOM_COLUMNS = {
    "users": ("passkey_handle",),
    "api_keys": ("prefix", "digest"),
    "closings": ("salt", "digest"),
    "documents": ("salt", "digest", "document"),
}

# All calls of the permission table, and the ones that need no permission.
RETRIED = [pytest.param(call, id=name) for name, calls in CALLS.items() for call in calls] + [
    pytest.param(lambda s, _: sign_in(s, PASSWORD), id="session.sign_in"),
    pytest.param(lambda s, _: sign_in(s, "no such password"), id="session.sign_in (wrong password)"),
    pytest.param(
        lambda s, _: s.use_cases.account.request_password_reset(ResetRequest(email="user@consumo.test"), "es"),
        id="account.request_password_reset",
    ),
    pytest.param(lambda s, _: choose_password(s), id="account.choose_password"),
]


# The table has the check of a file, then its import.
_, IMPORT_ROWS = CALLS["imports.run"]


@dataclass(frozen=True)
class Came:
    """The effects of a call: its result or exception, the data and the mails."""

    outcome: str
    kept: dict[str, Any]
    letters: list[str]


@cache
def the_crowded_scene() -> tuple[CrowdedStore, Scene, bytes, datetime]:
    """Return a scene with its data and time, created once."""
    store = CrowdedStore()
    scene = a_scene(a_ward(store))
    return store, scene, snapshot(scene.ward), scene.ward.clock.now


def come_of(
    call: Call, fails: Callable[[int], Exception | None], reserved: Collection[EntityKind] = ()
) -> tuple[Came, int]:
    """Run a call as administrator on a new ward, with failing units of work.

    Returns the effects and the number of units of work. One id of each kind in ``reserved`` is reserved before and
    never used.
    """
    store, scene, data, now = the_crowded_scene()
    put_back(scene.ward, data)
    clock, postbox = SettableClock(now), Postbox()
    # New use cases: some remember what they have logged.
    use_cases = use_cases_on(store, clock=clock, mailer=postbox)
    scene = replace(scene, ward=replace(scene.ward, clock=clock, postbox=postbox, use_cases=use_cases))
    store.crowd(lambda _: None)
    with store.begin_bulk_load() as ready:
        ready.reserve(dict.fromkeys(reserved, 1))
    store.crowd(fails)
    try:
        outcome = repr(call(scene, scene.ward.admin))
    except Exception as error:  # noqa: BLE001 - the exception is compared
        outcome = repr(error)
    stored = rows_of(snapshot(scene.ward))
    keys = kept(scene.ward).api_keys.values()
    # Random values, such as the secret of a link, differ each time: compare only the number of rows.
    everything: dict[str, Any] = stored | {name: len(stored[name]) for name in _RANDOM}
    for table, columns in _RANDOM_COLUMNS.items():
        everything[table] = [{**row, **dict.fromkeys(columns)} for row in stored[table]]
    everything["audit_trail"] = [{**row, "changes": _without_random(row["changes"])} for row in stored["audit_trail"]]
    # An attempt at a secret is counted before it is checked, so a retry counts twice: that errs on the safe side.
    del everything["sign_in_failures"]
    outcome = outcome if "token=" not in outcome else "a link"
    outcome = outcome if "challenge" not in outcome else "options"
    outcome = outcome if "cns_" not in outcome else "a key"
    outcome = re.sub("CNS[CD][0-9]+|[0-9a-f]{64}", "a proof", outcome)
    for key in keys:
        outcome = outcome.replace(key.prefix, "")
    return Came(outcome, everything, [letter.to for letter in scene.ward.postbox.letters]), store.begun


# Fields of the audit log with random values.
RANDOM = ("prefix", "document_digest", "device")


def _without_random(changes: str) -> Any:
    return {name: change for name, change in json.loads(changes).items() if name not in RANDOM}


@pytest.mark.parametrize("call", RETRIED)
def test_a_retry_after_a_conflict_has_the_same_effects(call: Call) -> None:
    """Use cases can be retried: only their last unit of work stores data.

    They send mails only after that.
    """
    alone, begun = come_of(call, lambda _: None)
    for number in range(1, begun + 1):
        crowded, begun_in_all = come_of(call, the(number))
        assert begun_in_all > begun
        if call is IMPORT_ROWS and number > 1:
            # An import reserves its ids in a separate unit of work, before it stores the rows.
            assert crowded == come_of(call, lambda _: None, reserved=(IMPORT, AREA))[0]
        else:
            assert crowded == alone


def test_a_call_succeeds_after_three_conflicts(store: CrowdedStore, ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    before = len(audit_log(ward))
    store.crowd(the_first(MAX_RETRIES))
    assert ward.detail(sheet_id)["total"] == Decimal("12.50")
    assert store.begun == MAX_RETRIES + 1
    store.crowd(lambda _: None)
    assert [entry.action for entry in audit_log(ward)[before:]] == ["detail.added"]


def test_a_call_that_keeps_failing_is_given_up(store: CrowdedStore, ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    store.crowd(the_first(100))
    with nothing_written(ward), pytest.raises(StoreUnavailable) as raised:
        ward.detail(sheet_id)
    assert raised.value.reason is UnavailableReason.BUSY
    assert store.begun == MAX_RETRIES + 1


def test_other_errors_are_not_retried(store: CrowdedStore, ward: Ward) -> None:
    sheet_id = ward.sheet()["id"]
    for failure in (
        lambda: StoreUnavailable(UnavailableReason.UNREACHABLE),
        lambda: StoreUnavailable(UnavailableReason.BUSY),
        ValueError,
    ):
        store.crowd(lambda _, failure=failure: failure())  # type: ignore[misc]
        with pytest.raises((StoreUnavailable, ValueError)):
            ward.detail(sheet_id)
        assert store.begun == 1


def test_a_retried_call_with_a_key_is_done_once(store: CrowdedStore, ward: Ward) -> None:
    sheet_id, idempotency_key = ward.sheet()["id"], IdempotencyKey(key="k-1", fingerprint="this body")

    def send() -> Any:
        return ward.use_cases.details.add(
            ward.nurse, ward.detail_draft("2"), sheet_id=sheet_id, idempotency_key=idempotency_key
        )

    store.crowd(the_first(2))
    first = send()
    assert not first.replayed
    assert send() == (first.answer, True)
    assert len(kept(ward).details) == 1
