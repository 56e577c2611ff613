"""The position up to which the log server has the audit log."""

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import create_engine, text

from adapters.cli.send_audit_command import MAX_ENTRIES, send_entries, send_next
from adapters.sql.audit import complete_entries
from adapters.sql.audit.complete_entries import WritesInProgress
from adapters.sql.audit.unsent_entries import LEASE, UnsentEntries
from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from adapters.syslog.tls_client import NotDelivered
from application.audit.views import AuditView
from tests.builders import NOON, ZONE, a_ward
from tests.servers import EMPTY
from tests.syslog.entries import append_entries

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(EMPTY[request.param]))


@pytest.fixture
def entries(url: str) -> Iterator[UnsentEntries]:
    unsent = UnsentEntries(url)
    yield unsent
    unsent.close()


class Receiver:
    """Keeps ids, and refuses those of the given calls."""

    def __init__(self, *refused: int) -> None:
        self.calls: list[list[int]] = []
        self._refused = refused

    def __call__(self, found: list[AuditView]) -> None:
        self.calls.append([one["id"] for one in found])
        if len(self.calls) in self._refused:
            raise NotDelivered("full")


def test_all_entries_are_sent_in_order_and_once(url: str, entries: UnsentEntries) -> None:
    ids = append_entries(url, MAX_ENTRIES + 3)
    receiver = Receiver()
    assert not send_entries(entries, receiver, threading.Event(), once=True)
    assert receiver.calls == [ids[:MAX_ENTRIES], ids[MAX_ENTRIES:]]
    assert not send_entries(entries, receiver, threading.Event(), once=True)
    assert len(receiver.calls) == 2


def test_entries_stay_until_they_are_confirmed(url: str, entries: UnsentEntries) -> None:
    ids = append_entries(url, 9)
    receiver = Receiver(2)
    assert send_next(entries, receiver, 4) == 4
    with pytest.raises(NotDelivered):
        send_next(entries, receiver, 4)
    assert entries.problem() == "full"
    assert send_entries(entries, Receiver(1), threading.Event(), once=True)
    assert send_next(entries, receiver, 1) == 1
    assert receiver.calls == [ids[:4], ids[4:8], ids[4:5]]
    assert entries.problem() is None


def test_after_a_failure_few_are_sent_then_more(url: str, entries: UnsentEntries) -> None:
    append_entries(url, 30)
    receiver, stop = Receiver(1), threading.Event()

    def send(found: list[AuditView]) -> None:
        if len(receiver.calls) == 4:
            stop.set()
        receiver(found)

    send_entries(entries, send, stop, once=False)
    assert [len(call) for call in receiver.calls] == [30, 1, 2, 4, 8]


def test_one_process_sends_at_a_time(url: str, entries: UnsentEntries) -> None:
    append_entries(url, 1)
    assert entries.claim(NOON)
    assert not entries.claim(NOON + LEASE - timedelta(seconds=1))
    assert entries.claim(NOON + LEASE)
    entries.release(NOON)
    assert entries.claim(NOON)


def test_another_process_that_sends_is_left_alone(url: str, entries: UnsentEntries) -> None:
    append_entries(url, 1)
    receiver = Receiver()

    def send(found: list[AuditView]) -> None:
        assert send_next(entries, receiver, 1) is None
        assert send_entries(entries, receiver, threading.Event(), once=True)

    assert send_next(entries, send, 1) == 1
    assert receiver.calls == []


def test_recording_goes_on_while_entries_are_sent(url: str, entries: UnsentEntries) -> None:
    store = SqlStore(url, ZONE)
    ward = a_ward(store)
    sheet_id = ward.sheet()["id"]

    def send(found: list[AuditView]) -> None:
        ward.detail(sheet_id)

    assert send_next(entries, send, 1) == 1
    store.close()


def test_a_late_confirmation_puts_nothing_back(url: str, entries: UnsentEntries) -> None:
    ids = append_entries(url, 5)
    entries.confirm(ids[-1])
    entries.confirm(ids[1])
    assert not entries.exist()


@pytest.mark.postgresql
def test_entries_wait_for_earlier_uncommitted_ones(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, entries = create_engine(to_url(postgresql_url)), UnsentEntries(postgresql_url)
    with engine.connect() as slow:
        slow.execute(
            text(
                "INSERT INTO audit_trail (at, action, entity, entity_id, changes) "
                "VALUES (now(), 'area.created', 'area', 1, '{}')"
            )
        )
        [later] = append_entries(postgresql_url, 1)
        monkeypatch.setattr(complete_entries, "_WAIT_SECONDS", 0)
        with pytest.raises(WritesInProgress):
            entries.next(9)
        slow.commit()
    assert [one["id"] for one in entries.next(9)] == [later - 1, later]
    entries.close()
    engine.dispose()
