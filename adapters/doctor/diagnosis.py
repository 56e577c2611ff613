"""One line of the diagnosis for each part of an installation."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from adapters.doctor import connections
from adapters.settings.read_settings import Settings, fixed_on_the_page, unknown_settings
from application.status.findings import Finding, StatusAdvice, StatusKey, StatusLevel

# The clocks of two machines with time synchronization differ by less.
MAX_CLOCK_DIFFERENCE_SECONDS = 5

_NAMES = {
    StatusKey.SERVER: "version",
    StatusKey.DATABASE: "database",
    StatusKey.BACKUP: "backup",
    StatusKey.REPLICA: "replica",
    StatusKey.SEAL: "audit log",
    StatusKey.AUDIT_SENDING: "audit log server",
    StatusKey.INBOUND: "admissions",
    StatusKey.BILLING: "billing",
    StatusKey.EMAIL: "email",
    StatusKey.SIGN_IN: "sign-in",
    StatusKey.DEVICES: "devices",
    StatusKey.TIME_ZONE: "time zone",
}
_ADVICE = {
    StatusAdvice.DISK_LOW: "space runs out: free some, or enlarge the disk",
    StatusAdvice.DISK_FULL: "the disk is almost full: free space now, or nothing can be recorded soon",
    StatusAdvice.BACKUP_NONE: "none was made: schedule consumo backup",
    StatusAdvice.BACKUP_OLD: "look whether consumo backup still runs, and whether its disk has space",
    StatusAdvice.REPLICA_OFF: "none: what was recorded since the last backup is on one disk; see Litestream",
    StatusAdvice.REPLICA_DOWN: "Litestream does not answer, or does not copy this file: look at its service",
    StatusAdvice.REPLICA_OLD: "nothing was copied since: look at Litestream's log, and at the place of the replica",
    StatusAdvice.SEAL_NONE: "it was not sealed: schedule consumo audit seal every hour",
    StatusAdvice.SEAL_OLD: "look whether consumo audit seal still runs",
    StatusAdvice.AUDIT_OFF: "the audit log stays here; set CONSUMO_AUDIT_DESTINATION to send it to a log server",
    StatusAdvice.AUDIT_SLOW: "entries wait for more than an hour: look whether the log server confirms them",
    StatusAdvice.AUDIT_STUCK: (
        "entries wait for hours: look whether consumo send-audit runs and the log server confirms them"
    ),
    StatusAdvice.INBOUND_NONE: "no message has arrived; without the hospital's system that is right",
    StatusAdvice.INBOUND_QUIET: "look whether consumo receive runs and the hospital's system sends",
    StatusAdvice.INBOUND_HELD: "some messages wait for a decision on the page Mensajes",
    StatusAdvice.BILLING_OFF: "closings are not sent; set CONSUMO_DFT_DESTINATION to send them",
    StatusAdvice.BILLING_SLOW: "messages wait for more than an hour: look whether billing receives",
    StatusAdvice.BILLING_STUCK: "messages wait for hours: look whether consumo send runs and billing receives",
    StatusAdvice.BILLING_DEAD: "some messages are not sent again: an administrator decides on Mensajes a facturación",
    StatusAdvice.EMAIL_OFF: "not sent: set CONSUMO_SMTP_URL, or hand over links",
    StatusAdvice.SIGN_IN_OFF: "with passwords of Consumo; set CONSUMO_OIDC_ISSUER to use the hospital's accounts",
    StatusAdvice.SIGN_IN_UNREACHABLE: "the identity provider does not answer: check CONSUMO_OIDC_ISSUER and network",
    StatusAdvice.SIGN_IN_UNUSABLE: (
        "the identity provider does not describe itself as CONSUMO_OIDC_ISSUER: compare its issuer and endpoints"
    ),
    StatusAdvice.LINES_UNSENT: "the users have to sign in on these devices, which then send their lines",
    StatusAdvice.LINES_FORGOTTEN: "lines wait for more than a day: look for these devices and users",
    StatusAdvice.TIME_ZONE_UTC: "days and shifts are those of UTC: choose the hospital's on the page Hospital",
}
_GIBIBYTE = 2**30


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A judged part of the installation, with what to do.

    ``quoted`` is what another system said, which may name a patient.
    """

    name: str
    level: StatusLevel
    text: str
    quoted: str | None = None

    @property
    def sentence(self) -> str:
        """Return the text with what another system said."""
        return "; ".join(filter(None, [self.text, self.quoted]))


def diagnose_settings(settings: Settings) -> Iterator[Diagnosis]:
    """Report variables that are no settings, and what the page cannot set."""
    yield Diagnosis("settings", StatusLevel.OK, "valid")
    for sentence in unknown_settings():
        yield Diagnosis("settings", StatusLevel.WARNING, sentence)
    if fixed := fixed_on_the_page(settings):
        text = f"{', '.join(fixed)}: set here, so that the page Hospital cannot change it"
        yield Diagnosis("settings", StatusLevel.OK, text)


def describe(finding: Finding, settings: Settings) -> Diagnosis:
    """Return the line of a finding of the status page."""
    advice = [_ADVICE[finding.advice]] if finding.advice else []
    if finding.advice is StatusAdvice.TIME_ZONE_UTC and settings.hospital.time_zone:
        advice = ["days and shifts are those of UTC: change CONSUMO_TIME_ZONE, or remove it to use the page Hospital"]
    text = "; ".join([*_facts(finding), *advice]) or "fine"
    return Diagnosis(_NAMES[finding.key], finding.level, text, finding.problem)


def diagnose_clock(now: datetime, database_now: datetime | None) -> Iterator[Diagnosis]:
    """Compare this machine's clock with the database's, if it has its own."""
    if database_now is None:
        return
    seconds = abs((now - database_now).total_seconds())
    if seconds > MAX_CLOCK_DIFFERENCE_SECONDS:
        text = f"this machine and the database differ by {seconds:.0f} s: synchronize both"
        yield Diagnosis("clock", StatusLevel.ERROR, text)
    else:
        yield Diagnosis("clock", StatusLevel.OK, "the same as the database's")


def diagnose_search(has_trigrams: bool | None) -> Iterator[Diagnosis]:
    """Report a PostgreSQL database without trigram indexes."""
    if has_trigrams is False:
        text = "slow: install the extension pg_trgm (postgresql-contrib), and run consumo migrate"
        yield Diagnosis("search", StatusLevel.WARNING, text)


def diagnose_passkeys(settings: Settings) -> Iterator[Diagnosis]:
    """Report whether browsers allow passkeys at the public address."""
    if host := settings.passkey_host:
        yield Diagnosis("passkeys", StatusLevel.OK, f"bound to the name {host}")
    else:
        text = "off: browsers allow them only over https and by name, not by IP address: set CONSUMO_PUBLIC_URL"
        yield Diagnosis("passkeys", StatusLevel.WARNING, text)


def diagnose_public_address(settings: Settings) -> Iterator[Diagnosis]:
    """Report whether the server answers at the public address."""
    name, address = "public address", settings.public_address
    problem = connections.address_problem(address)
    if problem:
        text = f"{address} does not answer ({problem}): check CONSUMO_PUBLIC_URL, the balancer and consumo serve"
        yield Diagnosis(name, StatusLevel.ERROR, text)
    elif not address.startswith("https:") and not settings.on_this_machine_alone:
        text = f"{address} answers without TLS: tablets work without network, and use the camera, only with https"
        yield Diagnosis(name, StatusLevel.WARNING, text)
    else:
        yield Diagnosis(name, StatusLevel.OK, f"{address} answers")


def diagnose_mail_server(settings: Settings) -> Iterator[Diagnosis]:
    """Report whether the mail server accepts the sign-in, if there is one."""
    if settings.mail_server:
        problem = connections.mail_problem(settings.mail_server)
        yield _connected("mail server", problem, "check CONSUMO_SMTP_URL")


def diagnose_billing_destination(settings: Settings) -> Iterator[Diagnosis]:
    """Report whether billing accepts connections, if charges are sent."""
    if settings.dft_destination:
        problem = connections.destination_problem(settings.dft_destination)
        yield _connected("billing destination", problem, "check CONSUMO_DFT_DESTINATION and billing")


def diagnose_audit_destination(settings: Settings) -> Iterator[Diagnosis]:
    """Report whether the log server accepts connections, if there is one."""
    if settings.audit_destination:
        problem = connections.destination_problem(settings.audit_destination)
        yield _connected("audit destination", problem, "check CONSUMO_AUDIT_DESTINATION and the log server")


def _connected(name: str, problem: str | None, advice: str) -> Diagnosis:
    if problem:
        return Diagnosis(name, StatusLevel.ERROR, f"no connection ({problem}): {advice}")
    return Diagnosis(name, StatusLevel.OK, "accepts connections")


def _facts(finding: Finding) -> Iterator[str]:
    if finding.name:
        yield finding.name
    # The start of this command says nothing about the server.
    if finding.at and finding.key is not StatusKey.SERVER:
        yield finding.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    if finding.size is not None:
        yield f"{finding.size:,} bytes"
    if finding.free is not None:
        yield f"{finding.free / _GIBIBYTE:.1f} GiB free"
    if finding.count:
        yield f"{finding.count:,} waiting"
    if finding.failed:
        yield f"{finding.failed:,} given up"
