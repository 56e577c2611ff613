"""The state of the installation: its rules, and what devices report."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from application.accounts.ports.identity_provider import ProviderState
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.throttle import MAX_TEST_EMAILS_PER_ACCOUNT
from application.accounts.users.choose_own_ward import OwnWardDraft
from application.audit.views import AuditQuery
from application.common.mail import MailFailure
from application.reports.judge import JudgementDraft
from application.status.findings import Facts, StatusAdvice, StatusKey, StatusLevel, judge
from application.status.ports import BillingQueue, Replica, UnsentAudit, UnsentLines
from application.status.report_outbox import OutboxDraft
from domain.common.errors import Code, Forbidden, NotFound, TooManyAttempts
from domain.sheets.anomalies import Oddity
from domain.sheets.device_outbox import MAX_DEVICES_PER_USER, MAX_UNSENT_LINES
from domain.status.backup import Backup
from tests.assertions import refused
from tests.builders import Ward

DEVICE = "4c9e6679-7425-40de-944b-e07fc1f90ae7"
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
GIGABYTE = 2**30

RIGHT = Facts(
    now=NOW,
    version="0.1.0",
    started_at=NOW - timedelta(days=3),
    database_kind="SQLite",
    database_bytes=GIGABYTE,
    free_bytes=50 * GIGABYTE,
    last_backup=Backup(made_at=NOW - timedelta(hours=6), size=GIGABYTE),
    replica=Replica(is_kept=True, copied_at=NOW - timedelta(seconds=1)),
    last_seal_at=NOW - timedelta(hours=1),
    unsent_audit=UnsentAudit(),
    last_message_at=NOW - timedelta(minutes=5),
    held_messages=0,
    sends_charges=True,
    billing=BillingQueue(sent_at=NOW - timedelta(minutes=1)),
    sends_email=True,
    identity_provider=ProviderState.READY,
    unsent=UnsentLines(),
    time_zone="America/Mexico_City",
)


def ago(**period: float) -> datetime:
    return NOW - timedelta(**period)


def test_everything_right_has_a_finding_for_each_part() -> None:
    findings = judge(RIGHT)
    assert [finding.key for finding in findings] == list(StatusKey)
    assert {(finding.level, finding.advice) for finding in findings} == {(StatusLevel.OK, None)}


def test_a_database_elsewhere_has_no_replica_to_judge() -> None:
    assert StatusKey.REPLICA not in {finding.key for finding in judge(replace(RIGHT, replica=None))}


OK, WARNING, ERROR = StatusLevel


@pytest.mark.parametrize(
    ("key", "changes", "level", "advice"),
    [
        ("database", {"free_bytes": 3 * GIGABYTE}, OK, None),
        ("database", {"free_bytes": None}, OK, None),
        ("database", {"free_bytes": GIGABYTE}, WARNING, StatusAdvice.DISK_LOW),
        ("database", {"free_bytes": 9 * GIGABYTE, "database_bytes": 10 * GIGABYTE}, WARNING, StatusAdvice.DISK_LOW),
        ("database", {"free_bytes": 2**20}, ERROR, StatusAdvice.DISK_FULL),
        ("backup", {"last_backup": None}, ERROR, StatusAdvice.BACKUP_NONE),
        ("backup", {"last_backup": Backup(made_at=ago(hours=27), size=1)}, WARNING, StatusAdvice.BACKUP_OLD),
        ("backup", {"last_backup": Backup(made_at=ago(days=4), size=1)}, ERROR, StatusAdvice.BACKUP_OLD),
        ("replica", {"replica": Replica()}, OK, StatusAdvice.REPLICA_OFF),
        ("replica", {"replica": Replica(is_kept=True)}, ERROR, StatusAdvice.REPLICA_DOWN),
        ("replica", {"replica": Replica(is_kept=True, copied_at=ago(minutes=2))}, WARNING, StatusAdvice.REPLICA_OLD),
        ("replica", {"replica": Replica(is_kept=True, copied_at=ago(hours=2))}, ERROR, StatusAdvice.REPLICA_OLD),
        ("seal", {"last_seal_at": None}, WARNING, StatusAdvice.SEAL_NONE),
        ("seal", {"last_seal_at": ago(hours=27)}, WARNING, StatusAdvice.SEAL_OLD),
        ("inbound", {"last_message_at": None}, OK, StatusAdvice.INBOUND_NONE),
        ("inbound", {"last_message_at": ago(hours=25)}, WARNING, StatusAdvice.INBOUND_QUIET),
        ("inbound", {"held_messages": 2}, WARNING, StatusAdvice.INBOUND_HELD),
        ("audit_sending", {"unsent_audit": None}, OK, StatusAdvice.AUDIT_OFF),
        ("audit_sending", {"unsent_audit": UnsentAudit(9, ago(minutes=59))}, OK, None),
        ("audit_sending", {"unsent_audit": UnsentAudit(9, ago(hours=2))}, WARNING, StatusAdvice.AUDIT_SLOW),
        ("audit_sending", {"unsent_audit": UnsentAudit(9, ago(hours=13))}, ERROR, StatusAdvice.AUDIT_STUCK),
        ("billing", {"sends_charges": False, "billing": BillingQueue()}, OK, StatusAdvice.BILLING_OFF),
        ("billing", {"billing": BillingQueue(waiting=1, oldest_at=ago(minutes=5))}, OK, None),
        ("billing", {"billing": BillingQueue(waiting=1, oldest_at=ago(hours=2))}, WARNING, StatusAdvice.BILLING_SLOW),
        ("billing", {"billing": BillingQueue(waiting=1, oldest_at=ago(hours=13))}, ERROR, StatusAdvice.BILLING_STUCK),
        ("billing", {"billing": BillingQueue(dead=1, oldest_at=ago(minutes=1))}, ERROR, StatusAdvice.BILLING_DEAD),
        ("email", {"sends_email": False}, OK, StatusAdvice.EMAIL_OFF),
        ("devices", {"unsent": UnsentLines(1, 3, ago(hours=1))}, WARNING, StatusAdvice.LINES_UNSENT),
        ("devices", {"unsent": UnsentLines(1, 3, ago(hours=25))}, ERROR, StatusAdvice.LINES_FORGOTTEN),
        ("time_zone", {"time_zone": "UTC"}, WARNING, StatusAdvice.TIME_ZONE_UTC),
    ],
)
def test_each_part_is_judged_alone(
    key: str, changes: dict[str, Any], level: StatusLevel, advice: StatusAdvice | None
) -> None:
    findings = {finding.key: finding for finding in judge(replace(RIGHT, **changes))}
    assert (findings[StatusKey(key)].level, findings[StatusKey(key)].advice) == (level, advice)
    others = {finding.level for each, finding in findings.items() if each != key}
    assert others == {StatusLevel.OK}


# --- the use case ----------------------------------------------------------------------------------------------------


def test_an_administrator_reads_the_status(ward: Ward) -> None:
    ward.use_cases.status.record_backup(Backup(made_at=ward.clock.now, size=5))
    report(ward, 2)
    view = ward.use_cases.status.read(ward.admin)
    found = {finding["key"]: finding for finding in view["findings"]}
    assert view["at"] == ward.clock.now
    assert (found[StatusKey.BACKUP]["level"], found[StatusKey.BACKUP]["size"]) == (StatusLevel.OK, 5)
    assert (found[StatusKey.DEVICES]["count"], found[StatusKey.DEVICES]["level"]) == (1, StatusLevel.WARNING)
    assert found[StatusKey.TIME_ZONE]["name"] == "America/Mexico_City"
    for actor in (ward.nurse, ward.supervisor):
        with pytest.raises(Forbidden):
            ward.use_cases.status.read(actor)


# --- the test email --------------------------------------------------------------------------------------------------


def test_a_test_email_goes_to_the_administrator_and_is_logged(ward: Ward) -> None:
    sent = ward.use_cases.status.send_test_email(ward.admin, "es")
    assert sent == {"email": "admin@consumo.test"}
    [letter] = ward.postbox.letters
    assert (letter.to, letter.occasion, letter.language, letter.url) == ("admin@consumo.test", "test", "es", "")
    [entry] = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="user.test_email_sent"))["items"]
    assert (entry["entity_id"], entry["user"] and entry["user"]["id"]) == (ward.admin.user_id, ward.admin.user_id)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (MailFailure.UNREACHABLE, Code.MAIL_UNREACHABLE),
        (MailFailure.NOT_ENCRYPTED, Code.MAIL_NOT_ENCRYPTED),
        (MailFailure.LOGIN_REFUSED, Code.MAIL_LOGIN_REFUSED),
        (MailFailure.REFUSED, Code.MAIL_REFUSED),
    ],
)
def test_a_failed_test_email_is_refused_with_the_reason(ward: Ward, failure: MailFailure, code: Code) -> None:
    ward.postbox.failure = failure
    with refused(code):
        ward.use_cases.status.send_test_email(ward.admin, "es")


def test_test_emails_are_limited(ward: Ward) -> None:
    for _ in range(MAX_TEST_EMAILS_PER_ACCOUNT):
        ward.use_cases.status.send_test_email(ward.admin, "es")
    with pytest.raises(TooManyAttempts):
        ward.use_cases.status.send_test_email(ward.admin, "es")
    assert len(ward.postbox.letters) == MAX_TEST_EMAILS_PER_ACCOUNT
    ward.clock.advance(minutes=16)
    ward.use_cases.status.send_test_email(ward.admin, "es")


def test_without_a_mail_server_nothing_is_sent_or_logged(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ward.postbox, "delivers", False)
    with refused(Code.MAIL_OFF):
        ward.use_cases.status.send_test_email(ward.admin, "es")
    assert not ward.use_cases.audit.reader.page(ward.admin, AuditQuery(action="user.test_email_sent"))["items"]


# --- what devices report ---------------------------------------------------------------------------------------------


def report(
    ward: Ward, count: int | None, *, by: Any = None, session: str = "", device: str = DEVICE, **fields: Any
) -> None:
    draft = OutboxDraft(**{"count": count, "oldest_at": ward.clock.now - timedelta(hours=1)} | fields)
    ward.use_cases.status.report_outbox(SignedIn(by or ward.nurse, session), device, draft)


def rows(ward: Ward) -> Any:
    return ward.use_cases.reports.read_worklist(ward.supervisor)["device_outboxes"]


def test_a_report_is_in_the_worklist_until_it_is_cleared(ward: Ward) -> None:
    ward.use_cases.account.choose_ward(ward.nurse, OwnWardDraft(area_id=ward.area_id))
    report(ward, 3)
    [row] = rows(ward)
    assert (row["by"], row["area"], row["lines"]) == ("Nuria Paz", "Urgencias", 3)
    assert (row["oldest_at"], row["reported_at"]) == (ward.clock.now - timedelta(hours=1), ward.clock.now)
    assert ward.use_cases.reports.read_worklist.count(ward.supervisor) == {"count": 1}
    report(ward, 0, by=ward.supervisor)
    assert len(rows(ward)) == 1
    report(ward, 0, oldest_at=None)
    assert rows(ward) == []


def test_a_fast_clock_and_a_huge_number_are_cut(ward: Ward) -> None:
    report(ward, 10**9, oldest_at=ward.clock.now + timedelta(days=9))
    [row] = rows(ward)
    assert (row["lines"], row["oldest_at"]) == (MAX_UNSENT_LINES, ward.clock.now)


def test_wrong_reports_are_refused(ward: Ward) -> None:
    for fields, reason in (
        ({"count": None}, (Code.REQUIRED, "count")),
        ({"count": -1}, (Code.NEGATIVE, "count")),
        ({"count": 1, "oldest_at": None}, (Code.REQUIRED, "oldest_at")),
    ):
        with refused(reason):
            report(ward, **fields)
    for device in ("", "short", "x" * 65, "4c9e6679/7425/40de"):
        with pytest.raises(NotFound):
            report(ward, 1, device=device)
    assert rows(ward) == []


def test_a_person_has_a_limited_number_of_devices(ward: Ward) -> None:
    for number in range(MAX_DEVICES_PER_USER + 3):
        ward.clock.advance(minutes=1)
        report(ward, number + 1, device=f"device-number-{number:04}")
    assert min(row["lines"] for row in rows(ward)) == 4
    assert len(rows(ward)) == MAX_DEVICES_PER_USER


def test_a_device_is_judged_right_and_the_judgement_undone(ward: Ward) -> None:
    report(ward, 3)
    [row] = rows(ward)
    draft = JudgementDraft(kind=Oddity.LINES_UNSENT, outbox_id=row["id"])
    reports = ward.use_cases.reports
    reports.judge_right(ward.supervisor, draft)
    assert rows(ward) == []
    reports.undo_judgement(ward.supervisor, draft)
    assert rows(ward) == [row]
    reports.judge_right(ward.supervisor, draft)
    report(ward, 4)
    assert [each["lines"] for each in rows(ward)] == [4]
    entries = ward.use_cases.audit.reader.page(ward.admin, AuditQuery(entity="user", limit=3))["items"]
    assert [(entry["action"], entry["entity_id"]) for entry in entries] == [
        ("user.outbox_judged_right", ward.nurse.user_id),
        ("user.outbox_judgement_undone", ward.nurse.user_id),
        ("user.outbox_judged_right", ward.nurse.user_id),
    ]
    with refused((Code.REQUIRED, "outbox_id")):
        reports.judge_right(ward.supervisor, JudgementDraft(kind=Oddity.LINES_UNSENT, sheet_id=1))
    with pytest.raises(NotFound):
        reports.judge_right(ward.supervisor, replace(draft, outbox_id=999))
