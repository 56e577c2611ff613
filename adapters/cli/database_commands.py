"""``consumo migrate``, ``consumo backup`` and ``consumo restore``."""

from datetime import UTC, datetime
from pathlib import Path

import rich_click as click

from adapters.cli.common import OtherFile, console
from adapters.cli.wiring import container_of
from adapters.settings import read_settings
from adapters.sql.backups import back_up, restore
from adapters.sql.migrate import migrate


@click.command("migrate")
@click.option(
    "--fill", is_flag=True, help="Then write down, some at a time, what a version before did not keep of closed sheets."
)
def migrate_command(*, fill: bool) -> None:
    """Bring the database's tables to the newest shape; what is there stays.

    With --fill, which may be stopped at any moment and goes on where it was while servers work, sheets that were closed
    before closings were kept are frozen as they are now.
    """
    settings = read_settings()
    migrate(settings.database_url)
    console.print("The database is up to date.")
    if fill:
        written, last = 0, 0
        with container_of(settings) as container:
            backfill_closings = container.use_cases().backfill_closings
            while found := backfill_closings(last):
                written, last = written + len(found), found[-1]
                console.print(f"{written:,} closings written.")
        console.print("Every closed sheet has its closing.")


@click.command("backup")
@click.argument("file", type=OtherFile())
def backup_command(file: Path) -> None:
    """Write the whole database to FILE, while the server goes on working.

    FILE is of one moment, and has its name only once it is whole; an older one of that name is replaced then.
    """
    settings = read_settings()
    with console.status("Backing up…"):
        about = back_up(settings.database_url, file, datetime.now(UTC))
    size = file.stat().st_size
    console.print(f"{file}: {sum(about.rows.values()):,} rows as of {about.made_at}, {size:,} bytes.", markup=False)


@click.command("restore")
@click.argument("file", type=OtherFile())
@click.option("--replace", is_flag=True, help="Overwrite the data that are in the database.")
def restore_command(file: Path, replace: bool) -> None:
    """Put the backup in FILE in the place of the database; stop the server first.

    It is checked before anything is changed. Its rows go into tables that this version makes; what else is in it, such
    as a trigger, is left out and named. A backup of SQLite goes into SQLite, one of PostgreSQL into PostgreSQL.
    """
    settings = read_settings()
    left_out: list[str] = []
    with console.status("Restoring…"):
        about = restore(settings.database_url, file, replace=replace, tell=left_out.append)
    for what in left_out:
        click.echo(f"Left out, because Consumo did not make it: {what}.", err=True)
    console.print(f"Restored: {sum(about.rows.values()):,} rows as of {about.made_at}.")
