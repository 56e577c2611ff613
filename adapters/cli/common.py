"""What all commands share: the console, the look at the database, and how far they are."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adapters.i18n import messages
from adapters.settings import Settings
from adapters.sql.migrate import SchemaState, schema_state_of
from domain.refusal import Reason

# What is told about a run goes to standard error: standard output carries data.
console = Console(stderr=True, soft_wrap=True)

AS_USER = click.option("--user", "email", help="Whose name it is done in; the first administrator when not given.")


def must_be_current(settings: Settings) -> None:
    """Stop with a sentence where the database lacks what this version works with."""
    shape = schema_state_of(settings.database_url)
    if shape is SchemaState.BEHIND:
        raise click.ClickException("The database is not up to date: run “consumo migrate” first.")
    if shape is SchemaState.AHEAD:
        console.print("A newer version of Consumo has migrated this database: do not stay with this one for long.")


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar that shows how far it is."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)


def said(reasons: Iterable[Reason]) -> str:
    """The reasons in English."""
    return " ".join(messages.refusal("en", reason) for reason in reasons)
