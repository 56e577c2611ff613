"""``consumo copy``."""

import dataclasses
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rich_click as click

from adapters.cli.common import (
    PASSWORD_STDIN,
    AdministratorsDatabase,
    OtherFile,
    console,
    must_be_current,
    password_from_stdin,
)
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import read_settings
from adapters.sql.copies.columns import MAIL_DOMAIN
from adapters.sql.copies.copy_without_names import copy_without_names
from adapters.sql.engine.connections import is_sqlite, to_url
from application.accounts.users.draft import UserDraft
from domain.common.policy import Role

_ADMINISTRATOR = f"admin@{MAIL_DOMAIN}"
_PASSWORD_BYTES = 15


class _Target(click.ParamType[str]):
    """An SQLite file, or a PostgreSQL URL without a password."""

    name = "target"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the URL of the database."""
        if "://" in value:
            url: str = AdministratorsDatabase().convert(value, param, ctx)
            if not is_sqlite(to_url(url)):
                return url
            value = to_url(url).database or ""
        file: Path = OtherFile(dir_okay=False).convert(value, param, ctx)
        return f"sqlite:///{file.absolute()}"


@click.command("copy")
@click.argument("target", type=_Target())
@click.option("--pseudonymised", is_flag=True, required=True, help="Replace names, numbers and typed texts (required).")
@PASSWORD_STDIN
def copy_command(target: str, *, pseudonymised: bool, password_stdin: bool) -> None:  # noqa: ARG001 - always given
    """Copy the database into TARGET without the names of patients and staff.

    TARGET is a new SQLite file, or the URL of an empty PostgreSQL database, whose password is read with
    --password-stdin, or from PGPASSWORD or ~/.pgpass. The server may go on working.

    Names, numbers and typed texts are replaced or left out, dates of birth are reduced to the year, and every sum of
    every report stays. docs/operations.md has the list. One new administrator may sign in: the password is printed
    once.
    """
    settings = read_settings()
    must_be_current(settings)
    if password_stdin:
        if is_sqlite(to_url(target)):
            raise click.UsageError("--password-stdin goes with the URL of a PostgreSQL database.")
        target = to_url(target).set(password=password_from_stdin()).render_as_string(hide_password=False)
    with console.status("Copying…"):
        rows = copy_without_names(settings.database_url, target, datetime.now(UTC).date())
    password = secrets.token_urlsafe(_PASSWORD_BYTES)
    copy = dataclasses.replace(settings, database_url=target, reports_database_url=None, mail_server=None, oidc=None)
    with container_of(copy) as container:
        draft = UserDraft(email=_ADMINISTRATOR, role=Role.ADMIN, password=password)
        container.use_cases().users.register(None, draft)
    console.print(f"Copied {sum(rows.values()):,} rows. {_ADMINISTRATOR} may sign in there.", markup=False)
    console.print("The password is not shown again:")
    click.echo(password)
