"""``consumo migrate``, ``consumo backup`` and ``consumo restore``."""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from adapters.cli.check_command import check_consistency
from adapters.cli.common import OtherFile, console
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import Settings, read_settings
from adapters.sql.backups import back_up, restore, restored
from adapters.sql.migrate import SchemaState, migrate, schema_state_of
from application.common.store_errors import StoreUnavailable
from domain.status.backup import Backup


@click.command("migrate")
@click.option(
    "--fill", is_flag=True, help="Then freeze closed sheets that an earlier version did not freeze, 200 at a time."
)
def migrate_command(*, fill: bool) -> None:
    """Migrate the database to the schema of this version; data stays.

    --fill freezes sheets that were closed before closings were stored, as they are now, and stores missing digests of
    closings, which are printed on paper. It works next to running servers, and resumes where it was stopped.
    """
    settings = read_settings()
    migrate(settings.database_url)
    console.print("The database is up to date.")
    if fill:
        written, last = 0, 0
        with container_of(settings) as container:
            backfill_closings = container.use_cases().sheets.backfill_closings
            while found := backfill_closings(last):
                written, last = written + len(found), found[-1]
                console.print(f"{written:,} closings written.")
            digests, place = 0, (0, 0)
            backfill_digests = container.use_cases().sheets.backfill_digests
            while positions := backfill_digests(place):
                digests, place = digests + len(positions), positions[-1]
                console.print(f"{digests:,} digests written.")
        console.print("Every closed sheet has its closing, and every closing its digest.")


@click.command("backup")
@click.argument("file", type=OtherFile())
@click.option(
    "--encrypt-to", metavar="KEY", help="Encrypt to a key in GnuPG's keyring, or to all public keys of a file."
)
@click.option("--replace", is_flag=True, help="Overwrite FILE if it exists.")
def backup_command(file: Path, *, encrypt_to: str | None, replace: bool) -> None:
    """Back up the whole database to FILE while the server is working.

    FILE is a consistent snapshot. It gets its name once it is complete. A file that exists is overwritten only with
    --replace. “consumo check-backup” checks a backup.
    """
    settings = read_settings()
    with console.status("Backing up…"):
        about = back_up(settings.database_url, file, datetime.now(UTC), replace=replace, encrypt_to=encrypt_to)
    size = file.stat().st_size
    # A backup before an upgrade is of tables that this version has not migrated yet.
    if schema_state_of(settings.database_url) is not SchemaState.BEHIND:
        _record_backup(settings, Backup(made_at=datetime.fromisoformat(about.made_at), size=size))
    console.print(f"{file}: {sum(about.rows.values()):,} rows as of {about.made_at}, {size:,} bytes.", markup=False)


def _record_backup(settings: Settings, backup: Backup) -> None:
    """Store when the backup was made. The backup is good even if this fails."""
    try:
        with container_of(settings) as container:
            container.use_cases().status.record_backup(backup)
    except (StoreUnavailable, SQLAlchemyError):
        # The database may be read-only for this command.
        click.echo("The backup is good, but it could not be recorded: the status page will not show it.", err=True)


@click.command("check-backup")
@click.argument("file", type=OtherFile())
def check_backup_command(file: Path) -> None:
    """Restore the backup in FILE into a scratch database, and check it.

    Its rows are compared with what it says it holds, and its amounts are checked as by “consumo check”. Neither FILE
    nor the database is changed.

    The scratch database is on the same server, or beside the SQLite database, and is dropped afterwards. An encrypted
    backup needs its private key.
    """
    settings = read_settings()
    with restored(settings.database_url, file) as (url, about):
        console.print(f"{file}: {sum(about.rows.values()):,} rows as of {about.made_at}.", markup=False)
        check_consistency(dataclasses.replace(settings, database_url=url, reports_database_url=None, pooler_url=None))


@click.command("restore")
@click.argument("file", type=OtherFile())
@click.option("--replace", is_flag=True, help="Overwrite the data in the database.")
@click.option("--as-schema", metavar="NAME", help="Restore a backup of another PostgreSQL schema into this one.")
def restore_command(file: Path, replace: bool, as_schema: str | None) -> None:
    """Replace the database with the backup in FILE; stop the server first.

    The backup is checked before anything is changed. Its rows go into tables of this version's schema. Anything else in
    it, such as a trigger, is left out and listed. A SQLite backup goes into SQLite, a PostgreSQL backup into
    PostgreSQL.
    """
    settings = read_settings()
    left_out: list[str] = []
    with console.status("Restoring…"):
        about = restore(settings.database_url, file, replace=replace, as_schema=as_schema, on_skipped=left_out.append)
    for what in left_out:
        click.echo(f"Left out, because Consumo did not make it: {what}.", err=True)
    console.print(f"Restored: {sum(about.rows.values()):,} rows as of {about.made_at}.")
