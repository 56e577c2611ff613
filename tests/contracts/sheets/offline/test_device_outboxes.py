"""Contract of every store: unsent lines of devices, and what status reads."""

from datetime import timedelta
from typing import Any

import pytest

from application.accounts.ports.identity import Session
from application.accounts.sessions.identify import SignedIn
from application.accounts.users.choose_own_ward import OwnWardDraft
from application.catalogue.areas import AreaDraft
from application.status.ports import BillingQueue, UnsentLines
from application.status.report_outbox import OutboxDraft
from domain.sheets.anomalies import Judgement, Oddity
from domain.sheets.device_outbox import DeviceOutbox
from domain.status.backup import Backup
from tests.builders import Ward, an_outbound_message

TABLET, PHONE = "4c9e6679-7425-40de-944b-e07fc1f90ae7", "0b6f2b1e-0d53-4c0f-8a55-6f5c3a0d6f11"


def report(ward: Ward, lines: int = 2, *, device: str = TABLET, minutes: int = 30, **changes: Any) -> None:
    now = ward.clock.now
    given: dict[str, Any] = {"user_id": ward.nurse.user_id, "area_id": ward.area_id, "reported_at": now}
    outbox = DeviceOutbox(device_id=device, lines=lines, oldest_at=now - timedelta(minutes=minutes), **given | changes)
    with ward.store.begin() as work:
        work.device_outboxes.save(outbox)


def unsent(ward: Ward, *, most: int = 9) -> Any:
    with ward.store.read() as views:
        return views.worklist.unsent(most=most)


def ids(ward: Ward) -> list[int]:
    return [each["id"] for each in unsent(ward)]


def get(ward: Ward, id: int) -> DeviceOutbox:
    with ward.store.begin() as work:
        outbox = work.device_outboxes.get(id)
    assert outbox is not None
    return outbox


def status(ward: Ward) -> Any:
    with ward.store.read() as views:
        reader = views.status
        return reader.last_backup(), reader.last_message_at(), reader.billing(), reader.unsent()


def test_a_report_replaces_the_last_one_of_the_same_person(ward: Ward) -> None:
    report(ward, 2)
    report(ward, 1, device=PHONE, minutes=90, user_id=ward.supervisor.user_id, area_id=None)
    report(ward, 3, minutes=40)
    now = ward.clock.now
    phone, tablet = unsent(ward)
    assert tablet == {
        "id": 1,
        "by": "Nuria Paz",
        "area": "Urgencias",
        "lines": 3,
        "oldest_at": now - timedelta(minutes=40),
        "reported_at": now,
    }
    assert (phone["by"], phone["area"], phone["lines"]) == ("supervisor@consumo.test", None, 1)
    assert [each["id"] for each in unsent(ward, most=1)] == [phone["id"]]
    assert status(ward)[3] == UnsentLines(devices=2, lines=4, oldest_at=now - timedelta(minutes=90))


def test_a_cleared_report_is_gone_and_its_id_is_not_reused(ward: Ward) -> None:
    report(ward)
    [first] = ids(ward)
    with ward.store.begin() as work:
        work.device_outboxes.remove(PHONE, ward.nurse.user_id)
        work.device_outboxes.remove(TABLET, ward.supervisor.user_id)
    assert ids(ward) == [first]
    with ward.store.begin() as work:
        work.device_outboxes.remove(TABLET, ward.nurse.user_id)
        assert work.device_outboxes.get(first) is None
    assert status(ward)[3] == UnsentLines()
    report(ward)
    assert ids(ward)[0] > first


def test_the_version_grows_with_more_or_other_lines(ward: Ward) -> None:
    report(ward, 2, minutes=60)
    [outbox] = ids(ward)
    assert get(ward, outbox).version == 1
    for lines, minutes, version in ((2, 60, 1), (1, 60, 1), (2, 60, 2), (2, 50, 3), (2, 60, 4)):
        report(ward, lines, minutes=minutes)
        assert get(ward, outbox).version == version, (lines, minutes)


def test_a_device_judged_right_returns_with_more_lines(ward: Ward) -> None:
    report(ward, 2)
    [outbox] = ids(ward)
    by = ward.supervisor.user_id
    with ward.store.begin() as work:
        work.judgements.save(
            Judgement(kind=Oddity.LINES_UNSENT, entity_id=outbox, version=1, user_id=by, at=ward.clock.now)
        )
    report(ward, 1)
    assert ids(ward) == []
    report(ward, 2)
    assert ids(ward) == [outbox]


@pytest.mark.parametrize("most", [0, 1, 2])
def test_only_the_latest_devices_of_a_person_are_kept(ward: Ward, most: int) -> None:
    report(ward, 9, device=PHONE, user_id=ward.admin.user_id)
    report(ward, 1)
    ward.clock.advance(minutes=1)
    report(ward, 2, device=PHONE)
    with ward.store.begin() as work:
        work.device_outboxes.keep_latest(ward.nurse.user_id, most)
    assert sorted(each["lines"] for each in unsent(ward)) == sorted([9, *[2, 1][:most]])


def test_old_reports_are_purged(ward: Ward) -> None:
    report(ward, 1)
    ward.clock.advance(days=1)
    report(ward, 2, device=PHONE)
    with ward.store.begin() as work:
        work.device_outboxes.purge(ward.clock.now)
    assert [each["lines"] for each in unsent(ward)] == [2]


def test_a_report_outlives_the_area(ward: Ward) -> None:
    area = ward.use_cases.areas.create(ward.admin, AreaDraft(name="Cirugía")).id
    ward.use_cases.account.choose_ward(ward.nurse, OwnWardDraft(area_id=area))
    report(ward, area_id=area)
    assert [each["area"] for each in unsent(ward)] == ["Cirugía"]
    ward.use_cases.areas.delete(ward.admin, area)
    assert [each["area"] for each in unsent(ward)] == [None]


# --- what status reads -----------------------------------------------------------------------------------------------


def test_an_empty_store_has_no_backup_message_or_queue(ward: Ward) -> None:
    assert status(ward) == (None, None, BillingQueue(), UnsentLines())


def test_the_last_backup_counts(ward: Ward) -> None:
    now = ward.clock.now
    for backup in (Backup(made_at=now, size=3), Backup(made_at=now + timedelta(hours=1), size=2**40)):
        ward.use_cases.status.record_backup(backup)
    assert status(ward)[0] == Backup(made_at=now + timedelta(hours=1), size=2**40)


def test_the_billing_queue_has_its_oldest_and_last_problem(ward: Ward) -> None:
    now = ward.clock.now
    first, second, third = (
        an_outbound_message(ward.store, now + timedelta(minutes=minutes), ward.sheet()["id"], control_id=str(minutes))
        for minutes in (0, 1, 2)
    )

    def change(id: int, done: Any) -> None:
        with ward.store.begin() as work:
            message = work.outbound_messages.lock(id)
            assert message is not None
            done(message)
            work.outbound_messages.save(message)

    change(first, lambda message: message.mark_delivered(now + timedelta(hours=1)))
    change(second, lambda message: message.mark_failed(now, "Rejected", is_permanent=True))
    change(third, lambda message: message.mark_failed(now, "Connection refused"))
    assert status(ward)[2] == BillingQueue(
        waiting=1,
        dead=1,
        oldest_at=now + timedelta(minutes=1),
        sent_at=now + timedelta(hours=1),
        problem="Connection refused",
    )


def test_only_a_shared_device_reports_for_another_user(ward: Ward) -> None:
    nurse, supervisor = ward.nurse.user_id, ward.supervisor.user_id
    with ward.store.begin() as work:
        for name, user_id, device in (
            ("n", nurse, "A"),
            ("s", supervisor, "A"),
            ("b", supervisor, "B"),
            ("-", 3, None),
        ):
            session = Session(id=name, user_id=user_id, expires_at=ward.clock.now, device=device)
            work.sessions.add(session)
        work.sessions.revoke("n")
    # A session elsewhere, one on no device, none, and an unknown user.

    def say(count: int, name: str, whose: int) -> None:
        draft = OutboxDraft(count=count, oldest_at=ward.clock.now, user_id=whose)
        ward.use_cases.status.report_outbox(SignedIn(ward.supervisor, name), TABLET, draft)

    for name, whose in (("b", nurse), ("-", nurse), ("", nurse), ("s", 999)):
        say(2, name, whose)
        assert unsent(ward) == []
    say(2, "s", nurse)
    for name in ("b", ""):
        say(0, name, nurse)
    assert [row["by"] for row in unsent(ward)] == ["Nuria Paz"]
    say(0, "s", nurse)
    assert unsent(ward) == []
