"""``consumo doctor``."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from adapters.cli.common import must_be_current
from adapters.cli.errors import sentence_for
from adapters.cli.wiring import container_of
from adapters.doctor.diagnosis import (
    Diagnosis,
    describe,
    diagnose_clock,
    diagnose_connections,
    diagnose_passkeys,
    diagnose_search,
    diagnose_settings,
)
from adapters.invalid_setting import InvalidSetting
from adapters.settings import Settings, read_settings
from adapters.sql.migrate import SchemaState, schema_state_of
from adapters.sql.server_facts import read_server_facts
from application.ports.unit_of_work import StoreUnavailable
from application.status.findings import StatusLevel, judge

_EXIT_STATUS = {StatusLevel.OK: 0, StatusLevel.WARNING: 1, StatusLevel.ERROR: 2}
_COLOURS = {StatusLevel.OK: "green", StatusLevel.WARNING: "yellow", StatusLevel.ERROR: "red"}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.pass_context
def doctor_command(context: click.Context, *, as_json: bool) -> None:
    """Check the installation, and say what to do about each problem.

    It reads the settings, the database, the clock, backups, the seals of the audit log and the queues, and connects to
    the public address, the mail server, the identity provider and billing. It sends and changes nothing, and prints no
    secret.

    The exit status is 1 after a warning, and 2 after an error.
    """
    found = [*_diagnose()]
    if as_json:
        click.echo(json.dumps([{"name": one.name, "level": one.level, "text": one.text} for one in found], indent=1))
    else:
        for one in found:
            click.echo(f"{click.style(f'{one.level:8}', fg=_COLOURS[one.level])}{one.name}: {one.text}")
    context.exit(max(_EXIT_STATUS[one.level] for one in found))


def _diagnose() -> Iterator[Diagnosis]:
    try:
        settings = read_settings()
    except InvalidSetting as error:
        yield Diagnosis("settings", StatusLevel.ERROR, str(error))
        return
    yield from diagnose_settings(settings)
    for part, diagnose in _PARTS.items():
        try:
            yield from diagnose(settings)
        except InvalidSetting as error:
            yield Diagnosis(part, StatusLevel.ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - the other parts are not to blame, and its text may hold a secret
            yield Diagnosis(part, StatusLevel.ERROR, f"it could not be checked ({type(error).__name__}): report this")


def _diagnose_database(settings: Settings) -> Iterator[Diagnosis]:
    try:
        if schema_state_of(settings.database_url) is SchemaState.BEHIND:
            yield Diagnosis("database", StatusLevel.ERROR, "its tables are of an earlier version: run consumo migrate")
            return
        must_be_current(settings)
        facts = read_server_facts(settings.database_url)
        yield from diagnose_clock(datetime.now(UTC), facts.now)
        yield from diagnose_search(facts.has_trigrams)
        with container_of(settings) as container:
            for finding in judge(container.use_cases().status.read.facts()):
                yield describe(finding, settings)
            container.parse_message()
    except (SQLAlchemyError, StoreUnavailable) as error:
        sentence = sentence_for(error)
        if sentence is None:
            raise
        yield Diagnosis("database", StatusLevel.ERROR, sentence)


_PARTS = {
    "database": _diagnose_database,
    "passkeys": diagnose_passkeys,
    "connections": diagnose_connections,
}
