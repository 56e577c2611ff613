"""``consumo doctor``."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

import rich_click as click

from adapters.cli.common import must_be_current
from adapters.cli.errors import sentence_for
from adapters.cli.wiring import container_of
from adapters.doctor.diagnosis import (
    Diagnosis,
    describe,
    diagnose_audit_destination,
    diagnose_billing_destination,
    diagnose_clock,
    diagnose_mail_server,
    diagnose_passkeys,
    diagnose_public_address,
    diagnose_search,
    diagnose_settings,
)
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.declared import DATABASE_URL, SETTINGS
from adapters.settings.hl7_map import adt_paths
from adapters.settings.read_settings import Settings, read_settings
from adapters.sql.engine.connections import pooler_problem
from adapters.sql.migrate import SchemaState, schema_revision, schema_state_at, schema_state_of
from adapters.sql.status.server_facts import read_server_facts
from adapters.wiring.accounts import make_identity_provider
from application.accounts.ports.identity_provider import ProviderState
from application.status.findings import StatusKey, StatusLevel, judge, judge_sign_in

# For each part.
MAX_SECONDS = 40

_EXIT_STATUS = {StatusLevel.OK: 0, StatusLevel.WARNING: 1, StatusLevel.ERROR: 2}
_COLOURS = {StatusLevel.OK: "green", StatusLevel.WARNING: "yellow", StatusLevel.ERROR: "red"}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.pass_context
def doctor_command(context: click.Context, *, as_json: bool) -> None:
    """Check the installation, and say what to do about each problem.

    It reads the settings, the database, the clock, backups, the seals of the audit log and the queues, and connects to
    the reports database, the public address, the mail server, the identity provider, billing and the log server. It
    sends and changes nothing, and prints no secret. What does not answer is an error after 40 seconds.

    The exit status is 1 after a warning, and 2 after an error.
    """
    found = [*diagnose()]
    if as_json:
        click.echo(
            json.dumps([{"name": one.name, "level": one.level, "text": one.sentence} for one in found], indent=1)
        )
    else:
        for one in found:
            click.echo(f"{click.style(f'{one.level:8}', fg=_COLOURS[one.level])}{one.name}: {one.sentence}")
    context.exit(max(_EXIT_STATUS[one.level] for one in found))


def diagnose() -> Iterator[Diagnosis]:
    """Yield a line for each part of the installation."""
    try:
        settings = read_settings()
    except InvalidSetting as error:
        yield Diagnosis("settings", StatusLevel.ERROR, str(error))
        return
    yield from diagnose_settings(settings)
    for part, diagnose_part in _PARTS.items():
        yield from _diagnose_in_time(part, partial(diagnose_part, settings))


def _diagnose_in_time(part: str, diagnose: Callable[[], Iterable[Diagnosis]]) -> list[Diagnosis]:
    """Return the lines of a part, and an error if they take too long."""
    found: SimpleQueue[Diagnosis | None] = SimpleQueue()

    def run() -> None:
        try:
            for one in diagnose():
                found.put(one)
        except Exception as error:  # noqa: BLE001 - the other parts are not to blame, and its text may hold a secret
            expected = sentence_for(error, database=_variable_of(part))
            text = expected or f"it could not be checked ({type(error).__name__}): report this"
            found.put(Diagnosis(part, StatusLevel.ERROR, text))
        found.put(None)

    # A daemon: what never answers does not keep the command from ending.
    Thread(target=run, name=part, daemon=True).start()
    until, lines = monotonic() + MAX_SECONDS, []
    try:
        while one := found.get(timeout=max(until - monotonic(), 0)):
            lines.append(one)
    except Empty:
        text = f"not checked within {MAX_SECONDS} s: look at the network and at what {_variable_of(part)} names"
        lines.append(Diagnosis(part, StatusLevel.ERROR, text))
    return lines


def _variable_of(part: str) -> str:
    """Return the variable of the setting that a part uses."""
    return next((one.variable for one in SETTINGS if one.doctor_line == part), DATABASE_URL.variable)


def _diagnose_database(settings: Settings) -> Iterator[Diagnosis]:
    revision = schema_revision(settings.database_url)
    if schema_state_at(revision) is SchemaState.BEHIND:
        what = "it is empty" if revision is None else "its tables are of an earlier version"
        yield Diagnosis("database", StatusLevel.ERROR, f"{what}: run consumo migrate")
        return
    must_be_current(settings)
    facts = read_server_facts(settings.database_url)
    yield from diagnose_clock(datetime.now(UTC), facts.now)
    yield from diagnose_search(facts.has_trigrams)
    # The identity provider is asked even if the database is down.
    with container_of(replace(settings, oidc=None)) as container:
        for finding in judge(container.use_cases().status.read.facts()):
            if finding.key is not StatusKey.SIGN_IN:
                yield describe(finding, settings)


def _diagnose_reports_database(settings: Settings) -> Iterator[Diagnosis]:
    if settings.reports_database_url is None:
        return
    if schema_state_of(settings.reports_database_url) is SchemaState.BEHIND:
        text = "its tables are missing or of an earlier version: look whether it is a replica and receives changes"
        yield Diagnosis("reports database", StatusLevel.ERROR, text)
    else:
        yield Diagnosis("reports database", StatusLevel.OK, "accepts connections")


def _diagnose_pooler(settings: Settings) -> Iterator[Diagnosis]:
    if settings.pooler_url is None:
        return
    problem = pooler_problem(settings.database_url, settings.pooler_url)
    yield Diagnosis("pooler", StatusLevel.ERROR if problem else StatusLevel.OK, problem or "leads to the database")


def _diagnose_admission_messages(settings: Settings) -> Iterator[Diagnosis]:
    adt_paths(settings)
    if settings.hl7_map:
        yield Diagnosis("admission messages", StatusLevel.OK, f"read as {settings.hl7_map} says")


def _diagnose_sign_in(settings: Settings) -> Iterator[Diagnosis]:
    provider = make_identity_provider(settings, lambda: datetime.now(UTC))
    yield describe(judge_sign_in(provider.state() if provider else ProviderState.OFF), settings)


# By the name of the line that the declared settings have.
_PARTS: dict[str, Callable[[Settings], Iterator[Diagnosis]]] = {
    "database": _diagnose_database,
    "reports database": _diagnose_reports_database,
    "pooler": _diagnose_pooler,
    "admission messages": _diagnose_admission_messages,
    "sign-in": _diagnose_sign_in,
    "passkeys": diagnose_passkeys,
    "public address": diagnose_public_address,
    "mail server": diagnose_mail_server,
    "billing destination": diagnose_billing_destination,
    "audit destination": diagnose_audit_destination,
}
