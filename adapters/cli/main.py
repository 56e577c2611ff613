"""The ``consumo`` command."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import rich_click as click
from sqlalchemy.exc import DatabaseError, OperationalError

from adapters import demo
from adapters.cli.audit_commands import audit_group
from adapters.cli.common import console, container_of, must_be_current, said
from adapters.cli.export_commands import export_group
from adapters.cli.import_commands import import_group
from adapters.container import now
from adapters.i18n import messages
from adapters.server.serving import CannotServe, run_server
from adapters.settings import BadSetting, read_settings
from adapters.sql.backups import BackupProblem, back_up, restore
from adapters.sql.migrate import TablesInUse, migrate
from application.paging import BadQuery
from application.ports.unit_of_work import StoreUnavailable
from application.users.draft import UserDraft
from domain.policy import Role
from domain.refusal import Forbidden, NotFound, Refused


class CommandGroup(click.RichGroup):
    """Says in a sentence what a person can put right; anything else is a defect and shows its traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (BadSetting, BackupProblem, CannotServe) as wrong:
            raise click.ClickException(str(wrong)) from None
        except Refused as refused:
            raise click.ClickException(said(refused.reasons)) from None
        except Forbidden as forbidden:
            raise click.ClickException(messages.problem("en", forbidden.code)) from None
        except NotFound:
            raise click.ClickException(messages.problem("en", "not_found")) from None
        except BadQuery as bad:
            raise click.ClickException(messages.problem("en", "malformed_query").format(field=bad.field)) from None
        except TablesInUse:
            raise click.ClickException(
                "A table is in use and was not let go of for minutes: try again later."
            ) from None
        except StoreUnavailable as unavailable:
            raise _unusable(unavailable.__cause__ or unavailable) from None
        except DatabaseError as error:
            if type(error) not in (OperationalError, DatabaseError):
                raise
            raise _unusable(error) from None


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="consumo")
def main() -> None:
    """Consumo: what each admitted patient consumes, from admission to discharge.

    Settings are environment variables: CONSUMO_DATABASE_URL, CONSUMO_REPORTS_DATABASE_URL, CONSUMO_HOST,
    CONSUMO_PORT, CONSUMO_PUBLIC_URL, CONSUMO_SECRET_KEY, CONSUMO_SECRET_KEY_OLD, CONSUMO_TOKEN_HOURS,
    CONSUMO_IDLE_MINUTES, CONSUMO_CURRENCY, CONSUMO_TIME_ZONE, CONSUMO_SMTP_URL, CONSUMO_WORKERS,
    CONSUMO_POOL_SIZE, CONSUMO_STATEMENT_TIMEOUT, CONSUMO_LOCK_TIMEOUT, CONSUMO_DRAIN_SECONDS,
    CONSUMO_LETTERHEAD, CONSUMO_LOG_FORMAT, CONSUMO_METRICS_TOKEN, CONSUMO_PROXIES. The README says what each is.
    """
    # Databases, backups and exports hold the data of patients: what is written is for whoever runs this alone.
    os.umask(0o077)


@main.command()
def serve() -> None:
    """Serve the API and the web client."""
    settings = read_settings()
    must_be_current(settings)
    run_server(settings, partial(console.print, markup=False))


@main.command("migrate")
def migrate_command() -> None:
    """Bring the database's tables to the newest shape; what is there stays."""
    migrate(read_settings().database_url)
    console.print("The database is up to date.")


@main.command("demo")
@click.option("--if-empty", is_flag=True, help="Do nothing, and do not complain, where there is data already.")
def demo_command(if_empty: bool) -> None:
    """Fill an empty database with a small hospital to try things out on, and its demonstration accounts."""
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        if demo.is_empty(container.begin()):
            with console.status("Filling the database with demonstration data…"):
                demo.fill(container.use_cases(), container.begin(), now, settings.time_zone)
        elif not if_empty:
            raise click.ClickException("There is data already: demonstration data goes into an empty database only.")
        if demo.is_there(container.begin()):
            console.print("Demonstration accounts:")
            for account in demo.ACCOUNTS:
                console.print(f"  {account.email}  [dim]{account.about}[/]")
            console.print(f"  password: [bold]{demo.PASSWORD}[/]")


@main.command("create-user")
@click.argument("email")
@click.option("--role", type=click.Choice([str(int(role)) for role in Role]), default="10", show_default=True)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input, for scripts.")
def create_user(email: str, role: str, password_stdin: bool) -> None:
    """Register a user, such as the first administrator. Roles: 1 user, 2 supervisor, 10 administrator.

    The password is asked for. It is never an argument: everybody on the machine could read it in the list of processes.
    """
    settings = read_settings()
    must_be_current(settings)
    password = _password_from_stdin() if password_stdin else _password_asked_for()
    with container_of(settings) as container:
        draft = UserDraft(email=email, role=int(role), password=password)
        user = container.use_cases().register_user(None, draft)
        console.print(f"{user.email} may sign in.", markup=False)


def _password_asked_for() -> str:
    if not sys.stdin.isatty():
        raise click.UsageError("There is no terminal to ask for the password at: use --password-stdin.")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return password


def _password_from_stdin() -> str:
    try:
        given = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise click.ClickException("The password on standard input is no text in UTF-8.") from None
    return given.removesuffix("\n").removesuffix("\r")


@main.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
def backup_command(file: Path) -> None:
    """Write the whole database to FILE, while the server goes on working.

    FILE is of one moment, and has its name only once it is whole; an older one of that name is replaced then.
    """
    settings = read_settings()
    with console.status("Backing up…"):
        about = back_up(settings.database_url, file, now())
    size = file.stat().st_size
    console.print(f"{file}: {sum(about.rows.values()):,} rows as of {about.made_at}, {size:,} bytes.", markup=False)


@main.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Overwrite the data that are in the database.")
def restore_command(file: Path, replace: bool) -> None:
    """Put the backup in FILE in the place of the database; stop the server first.

    It is checked before anything is changed, and brought to the newest shape. A backup of SQLite goes into SQLite, one
    of PostgreSQL into PostgreSQL.
    """
    settings = read_settings()
    with console.status("Restoring…"):
        about = restore(settings.database_url, file, replace=replace)
    console.print(f"Restored: {sum(about.rows.values()):,} rows as of {about.made_at}.")


main.add_command(import_group)
main.add_command(export_group)
main.add_command(audit_group)


def _unusable(error: BaseException) -> click.ClickException:
    told = str(error.orig if isinstance(error, DatabaseError) else error).partition("\n")[0].strip()
    return click.ClickException(f"CONSUMO_DATABASE_URL: the database cannot be used: {told}.")
