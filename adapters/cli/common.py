"""What the commands share: the console, the container, in whose name they act, and how far they are."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adapters.container import Container
from adapters.i18n import messages
from adapters.settings import Settings
from adapters.sql.migrate import SchemaState, schema_state_of
from domain.policy import Actor
from domain.refusal import Reason
from domain.text import unique_key

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
def container_of(settings: Settings) -> Iterator[Container]:
    """Everything wired together, until the block ends."""
    container = Container(settings=settings)
    try:
        yield container
    finally:
        container.store().close()


def actor_of(container: Container, email: str | None) -> Actor:
    """The user in whose name a command acts."""
    with container.begin()() as work:
        user = work.users.find("email", unique_key(email)) if email else next(iter(work.users.administrators()), None)
    if user is None:
        who = f"no user {email}" if email else "no administrator"
        raise click.ClickException(f"There is {who}: register one with “consumo create-user”.")
    return Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)


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
