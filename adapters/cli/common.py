"""Shared by all commands: console, schema check, progress bar, messages."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sqlalchemy.exc import ArgumentError

from adapters.i18n import messages
from adapters.i18n.catalogue import LANGUAGES
from adapters.observability.logs import announcer
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import Settings, read_settings
from adapters.sql.engine.connections import pooler_problem, shares_connections, sqlite_files, to_url
from adapters.sql.migrate import SchemaState, schema_state_of
from domain.common.errors import Reason

# Progress and results go to standard error: standard output carries data.
console = Console(stderr=True, soft_wrap=True)


LANGUAGE = click.option(
    "--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language of the texts."
)
AS_USER = click.option("--user", "email", help="User who is recorded as the author (default: the first administrator).")


def counted(number: int, one: str, many: str) -> str:
    """Return a number and the word for one or for many."""
    return f"{number} {one if number == 1 else many}"


def must_be_current(settings: Settings) -> None:
    """Raise an error if the database is older, or behind an unusable pooler."""
    shape = schema_state_of(settings.database_url)
    if shape is SchemaState.BEHIND:
        raise click.ClickException("The database is not up to date: run “consumo migrate” first.")
    if shape is SchemaState.AHEAD:
        announce = announcer(settings.log_format, settings.name)
        announce("A newer version of Consumo has migrated this database: do not stay with this one for long.")
    if shares_connections(settings.database_url):
        raise InvalidSetting(
            "CONSUMO_DATABASE_URL: the pooler there gives each transaction another connection: name PostgreSQL itself, "
            "and the pooler in CONSUMO_POOLER_URL, or set its pool_mode to session."
        )
    if settings.pooler_url and (problem := pooler_problem(settings.database_url, settings.pooler_url)):
        raise InvalidSetting(f"CONSUMO_POOLER_URL: {problem}.")


def parse_address(option: str, text: str) -> tuple[str, int]:
    """Return the host and port of an option's value such as ``0.0.0.0:2575``."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 <= int(port) <= 65_535:
        raise click.UsageError(f"{option} {text}: give an address and a port, such as 0.0.0.0:2575.")
    return host.strip("[]"), int(port)


class OtherFile(click.Path):
    """A path other than the SQLite database files.

    Writing to these would destroy the database, and reading them here drops its locks.
    """

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Convert to a path. Fail if the database is stored there."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.resolve() in sqlite_files(read_settings().database_url):
            raise click.ClickException(f"{value} belongs to the database: name another file.")
        return path


class NewFolder(click.Path):
    """A folder that does not exist yet, or is empty."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Convert to a path. Fail if there is a file, or a folder with files."""
        folder = Path(os.fsdecode(super().convert(value, param, ctx)))
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise click.ClickException(f"{value} exists: name a folder that does not exist yet, or an empty one.")
        return folder


class AdministratorsDatabase(click.ParamType[str]):
    """A database URL without a password.

    Every user of the machine can read the arguments of a command.
    """

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the URL. Fail if it holds a password."""
        try:
            url = to_url(value)
        except (ArgumentError, ValueError):
            self.fail("give a URL such as postgresql://admin@db.example/consumo, without a password.", param, ctx)
        if url.password is not None or "password" in url.query or "@" in (url.host or ""):
            self.fail(
                "leave the password out, because every user of the machine can read it there: give it with "
                "--password-stdin, in PGPASSWORD or in ~/.pgpass.",
                param,
                ctx,
            )
        return str(value)


PASSWORD_STDIN = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")


def password_from_stdin() -> str:
    """Return the password on standard input, without its line end."""
    try:
        given = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise click.ClickException("The password on standard input is no text in UTF-8.") from None
    return given.removesuffix("\n").removesuffix("\r")


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; the yielded function advances it."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)


def said(reasons: Iterable[Reason]) -> str:
    """Return the reasons as English sentences."""
    return " ".join(messages.refusal("en", reason) for reason in reasons)
