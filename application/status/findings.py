"""Judge the state of an installation: what is right, and what to do.

The status page shows the findings. The rules are pure, so that a command can report the same.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from application.accounts.ports.identity_provider import ProviderState
from application.status.ports import BillingQueue, Replica, UnsentAudit, UnsentLines
from domain.status.backup import Backup

# Backups are made at least daily, with some hours for a slow one.
MAX_BACKUP_AGE = timedelta(hours=26)
BACKUP_LOST_AFTER = timedelta(days=3)
# A replica is written each half second; a restart of what writes it takes seconds.
MAX_REPLICA_AGE = timedelta(minutes=1)
REPLICA_LOST_AFTER = timedelta(hours=1)
# The audit log is sealed every hour by the timer in docs/operations.
MAX_SEAL_AGE = timedelta(hours=26)
# A hospital admits, moves or discharges a patient every day.
MAX_MESSAGE_AGE = timedelta(hours=24)
# For messages to billing and entries for the log server. Retries come within an hour.
MAX_SENDING_WAIT = timedelta(hours=1)
SENDING_STUCK_AFTER = timedelta(hours=12)
# Lines that were not sent for a day are probably forgotten on the device.
MAX_UNSENT_AGE = timedelta(hours=24)
# Free disk space. A backup or a restore on the same disk needs as much as the database.
MIN_FREE_BYTES = 2 * 2**30
FULL_BELOW_BYTES = 500 * 2**20


class StatusKey(StrEnum):
    """What is judged, in the order of the page."""

    SERVER = "server"
    DATABASE = "database"
    BACKUP = "backup"
    REPLICA = "replica"
    SEAL = "seal"
    AUDIT_SENDING = "audit_sending"
    INBOUND = "inbound"
    BILLING = "billing"
    EMAIL = "email"
    SIGN_IN = "sign_in"
    DEVICES = "devices"
    TIME_ZONE = "time_zone"


class StatusLevel(StrEnum):
    """How a finding is judged."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class StatusAdvice(StrEnum):
    """What is wrong, or to be known. Each needs a text in the client."""

    DISK_LOW = "disk_low"
    DISK_FULL = "disk_full"
    BACKUP_NONE = "backup_none"
    BACKUP_OLD = "backup_old"
    REPLICA_OFF = "replica_off"
    REPLICA_DOWN = "replica_down"
    REPLICA_OLD = "replica_old"
    SEAL_NONE = "seal_none"
    SEAL_OLD = "seal_old"
    AUDIT_OFF = "audit_off"
    AUDIT_SLOW = "audit_slow"
    AUDIT_STUCK = "audit_stuck"
    INBOUND_NONE = "inbound_none"
    INBOUND_QUIET = "inbound_quiet"
    INBOUND_HELD = "inbound_held"
    BILLING_OFF = "billing_off"
    BILLING_SLOW = "billing_slow"
    BILLING_STUCK = "billing_stuck"
    BILLING_DEAD = "billing_dead"
    EMAIL_OFF = "email_off"
    SIGN_IN_OFF = "sign_in_off"
    SIGN_IN_UNREACHABLE = "sign_in_unreachable"
    SIGN_IN_UNUSABLE = "sign_in_unusable"
    LINES_UNSENT = "lines_unsent"
    LINES_FORGOTTEN = "lines_forgotten"
    TIME_ZONE_UTC = "time_zone_utc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The state of an installation, as it was read at one moment."""

    now: datetime
    version: str
    started_at: datetime
    database_kind: str
    database_bytes: int | None
    free_bytes: int | None
    last_backup: Backup | None
    replica: Replica | None
    last_seal_at: datetime | None
    # None if it is sent nowhere.
    unsent_audit: UnsentAudit | None
    last_message_at: datetime | None
    held_messages: int
    sends_charges: bool
    billing: BillingQueue
    sends_email: bool
    identity_provider: ProviderState
    unsent: UnsentLines
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One judged part of the installation, with its facts.

    ``at`` is the time of the last event: start, backup, copy, seal, message. ``oldest_at`` is since when something
    waits. ``size`` and ``free`` are bytes. ``count`` is what waits, and ``failed`` what was given up. ``name`` is the
    version, the kind of database or the time zone. Facts that do not belong to the part are None.
    """

    key: StatusKey
    level: StatusLevel = StatusLevel.OK
    advice: StatusAdvice | None = None
    name: str | None = None
    at: datetime | None = None
    oldest_at: datetime | None = None
    size: int | None = None
    free: int | None = None
    count: int | None = None
    failed: int | None = None
    problem: str | None = None


def judge(facts: Facts) -> list[Finding]:
    """Return the findings in the order of ``StatusKey``.

    A database on a server of its own has no replica that could be judged here.
    """
    return [
        Finding(key=StatusKey.SERVER, name=facts.version, at=facts.started_at),
        _judge_database(facts),
        _judge_backup(facts),
        *([_judge_replica(facts.replica, facts.now)] if facts.replica else []),
        _judge_seal(facts),
        _judge_audit_sending(facts),
        _judge_inbound(facts),
        _judge_billing(facts),
        Finding(key=StatusKey.EMAIL, advice=None if facts.sends_email else StatusAdvice.EMAIL_OFF),
        judge_sign_in(facts.identity_provider),
        _judge_devices(facts),
        _judge_time_zone(facts),
    ]


def _judge_database(facts: Facts) -> Finding:
    level, advice = StatusLevel.OK, None
    if facts.free_bytes is not None:
        if facts.free_bytes < FULL_BELOW_BYTES:
            level, advice = StatusLevel.ERROR, StatusAdvice.DISK_FULL
        elif facts.free_bytes < max(MIN_FREE_BYTES, facts.database_bytes or 0):
            level, advice = StatusLevel.WARNING, StatusAdvice.DISK_LOW
    return Finding(
        key=StatusKey.DATABASE,
        level=level,
        advice=advice,
        name=facts.database_kind,
        size=facts.database_bytes,
        free=facts.free_bytes,
    )


def _judge_backup(facts: Facts) -> Finding:
    backup = facts.last_backup
    if backup is None:
        return Finding(key=StatusKey.BACKUP, level=StatusLevel.ERROR, advice=StatusAdvice.BACKUP_NONE)
    age = facts.now - backup.made_at
    level = (
        StatusLevel.OK
        if age <= MAX_BACKUP_AGE
        else StatusLevel.WARNING
        if age <= BACKUP_LOST_AFTER
        else StatusLevel.ERROR
    )
    advice = None if level is StatusLevel.OK else StatusAdvice.BACKUP_OLD
    return Finding(key=StatusKey.BACKUP, level=level, advice=advice, at=backup.made_at, size=backup.size)


def _judge_replica(replica: Replica, now: datetime) -> Finding:
    level, advice, at = StatusLevel.OK, None, replica.copied_at
    if not replica.is_kept:
        # Many wards live with the loss of what was recorded since the last backup.
        advice = StatusAdvice.REPLICA_OFF
    elif at is None:
        level, advice = StatusLevel.ERROR, StatusAdvice.REPLICA_DOWN
    elif now - at > MAX_REPLICA_AGE:
        is_lost = now - at > REPLICA_LOST_AFTER
        level, advice = StatusLevel.ERROR if is_lost else StatusLevel.WARNING, StatusAdvice.REPLICA_OLD
    return Finding(key=StatusKey.REPLICA, level=level, advice=advice, at=at)


def _judge_seal(facts: Facts) -> Finding:
    at = facts.last_seal_at
    if at is None:
        return Finding(key=StatusKey.SEAL, level=StatusLevel.WARNING, advice=StatusAdvice.SEAL_NONE)
    is_old = facts.now - at > MAX_SEAL_AGE
    level, advice = (StatusLevel.WARNING, StatusAdvice.SEAL_OLD) if is_old else (StatusLevel.OK, None)
    return Finding(key=StatusKey.SEAL, level=level, advice=advice, at=at)


def _judge_audit_sending(facts: Facts) -> Finding:
    unsent = facts.unsent_audit
    if unsent is None:
        return Finding(key=StatusKey.AUDIT_SENDING, advice=StatusAdvice.AUDIT_OFF)
    level = _level_of_waiting(facts.now, unsent.oldest_at)
    advice = {StatusLevel.WARNING: StatusAdvice.AUDIT_SLOW, StatusLevel.ERROR: StatusAdvice.AUDIT_STUCK}.get(level)
    return Finding(
        key=StatusKey.AUDIT_SENDING,
        level=level,
        advice=advice,
        oldest_at=unsent.oldest_at,
        count=unsent.waiting,
        problem=unsent.problem,
    )


def _level_of_waiting(now: datetime, oldest_at: datetime | None) -> StatusLevel:
    """Judge a queue to another system by what has waited longest."""
    waited = now - oldest_at if oldest_at else timedelta()
    if waited > SENDING_STUCK_AFTER:
        return StatusLevel.ERROR
    return StatusLevel.WARNING if waited > MAX_SENDING_WAIT else StatusLevel.OK


def _judge_inbound(facts: Facts) -> Finding:
    at, held = facts.last_message_at, facts.held_messages
    level, advice = StatusLevel.OK, None
    if at is None:
        # Many hospitals connect no system.
        advice = StatusAdvice.INBOUND_NONE
    elif facts.now - at > MAX_MESSAGE_AGE:
        level, advice = StatusLevel.WARNING, StatusAdvice.INBOUND_QUIET
    elif held:
        level, advice = StatusLevel.WARNING, StatusAdvice.INBOUND_HELD
    return Finding(key=StatusKey.INBOUND, level=level, advice=advice, at=at, count=held)


def _judge_billing(facts: Facts) -> Finding:
    queue = facts.billing
    level = _level_of_waiting(facts.now, queue.oldest_at if queue.waiting else None)
    advice = {StatusLevel.WARNING: StatusAdvice.BILLING_SLOW, StatusLevel.ERROR: StatusAdvice.BILLING_STUCK}.get(level)
    if queue.dead:
        level, advice = StatusLevel.ERROR, StatusAdvice.BILLING_DEAD
    elif level is StatusLevel.OK and not facts.sends_charges:
        advice = StatusAdvice.BILLING_OFF
    return Finding(
        key=StatusKey.BILLING,
        level=level,
        advice=advice,
        at=queue.sent_at,
        oldest_at=queue.oldest_at,
        count=queue.waiting,
        failed=queue.dead,
        problem=queue.problem,
    )


def judge_sign_in(provider: ProviderState) -> Finding:
    """Judge the state of the identity provider."""
    level, advice = {
        ProviderState.OFF: (StatusLevel.OK, StatusAdvice.SIGN_IN_OFF),
        ProviderState.READY: (StatusLevel.OK, None),
        ProviderState.UNREACHABLE: (StatusLevel.ERROR, StatusAdvice.SIGN_IN_UNREACHABLE),
        ProviderState.UNUSABLE: (StatusLevel.ERROR, StatusAdvice.SIGN_IN_UNUSABLE),
    }[provider]
    return Finding(key=StatusKey.SIGN_IN, level=level, advice=advice)


def _judge_devices(facts: Facts) -> Finding:
    unsent = facts.unsent
    level, advice = StatusLevel.OK, None
    if unsent.oldest_at is not None:
        is_forgotten = facts.now - unsent.oldest_at > MAX_UNSENT_AGE
        level = StatusLevel.ERROR if is_forgotten else StatusLevel.WARNING
        advice = StatusAdvice.LINES_FORGOTTEN if is_forgotten else StatusAdvice.LINES_UNSENT
    return Finding(key=StatusKey.DEVICES, level=level, advice=advice, count=unsent.devices, oldest_at=unsent.oldest_at)


def _judge_time_zone(facts: Facts) -> Finding:
    is_utc = facts.time_zone.upper() in ("UTC", "ETC/UTC")
    return Finding(
        key=StatusKey.TIME_ZONE,
        level=StatusLevel.WARNING if is_utc else StatusLevel.OK,
        advice=StatusAdvice.TIME_ZONE_UTC if is_utc else None,
        name=facts.time_zone,
    )
