"""``consumo audit``: seal the audit log and detect tampering."""

import sys
from datetime import UTC, datetime

import rich_click as click

from adapters.cli.common import console, counted, must_be_current
from adapters.settings.read_settings import read_settings
from adapters.sql.audit import audit_seals
from adapters.sql.audit.complete_entries import WritesInProgress


@click.group("audit")
def audit_group() -> None:
    """Seal the audit log and detect tampering."""


@audit_group.command("seal")
def seal_command() -> None:
    """Seal the entries since the last seal in a chain of digests.

    The server may go on working. Store the last seal outside this machine: “consumo audit verify --seal” compares with
    it.
    """
    settings = read_settings()
    must_be_current(settings)
    try:
        made = audit_seals.seal(settings.database_url, datetime.now(UTC))
    except WritesInProgress:
        raise click.ClickException(
            "Another process has been writing for a minute. Try again after an import."
        ) from None
    for one in made:
        click.echo(f"{one.number}:{one.digest}  {counted(one.entries, 'entry', 'entries')} up to {one.last_entry_id}")
    if not made:
        console.print("There is nothing new to seal.")


@audit_group.command("verify")
@click.option("--seal", "written_down", metavar="NUMBER:DIGEST", help="Seal that was kept elsewhere.")
def verify_command(written_down: str | None) -> None:
    """Find entries that were changed, removed or inserted after sealing.

    The exit status is 1 if there are any. Entries whose time is not between their seal and the previous one are
    misdated: inserted later, or written by a server whose clock was wrong.
    """
    number, colon, digest = (written_down or "").strip().partition(":")
    if written_down is not None and not (number.isdecimal() and colon and digest):
        raise click.UsageError("--seal: give a seal as “consumo audit seal” wrote it, such as 12:3f9a….")
    settings = read_settings()
    must_be_current(settings)
    found = audit_seals.verify(settings.database_url, (int(number), digest.lower()) if written_down else None)
    for one in found.tamperings:
        click.echo(f"{one.what} {one.number}: {one.kind}")
    if found.emptied:
        raise click.ClickException("The audit log is empty, although the database was used: its entries were removed.")
    sealed = f"{counted(found.entries, 'entry', 'entries')} under {counted(found.seals, 'seal', 'seals')}"
    wrong = f"{counted(len(found.tamperings), 'is', 'are')} not" if found.tamperings else "all"
    console.print(f"{sealed}: {wrong} as they were sealed. {found.unsealed} came after the last one.")
    if found.tamperings:
        sys.exit(1)
    if found.unsealed and not found.seals:
        raise click.ClickException(
            "No entry is sealed, so that nothing can be compared: run “consumo audit seal”, or find out why the seals "
            "are gone."
        )
