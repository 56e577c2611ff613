"""``consumo demo``."""

import rich_click as click

from adapters import demo
from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import read_settings
from adapters.wiring.hospital import now


@click.command("demo")
@click.option("--if-empty", is_flag=True, help="Exit without an error if the database contains data.")
def demo_command(if_empty: bool) -> None:
    """Fill an empty database with a demonstration hospital and its accounts."""
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        if demo.is_empty(container.begin()):
            with console.status("Filling the database with demonstration data…"):
                demo.fill(container.use_cases(), container.begin(), now, container.hospital().zone())
        elif not if_empty:
            raise click.ClickException("There is data already: demonstration data goes into an empty database only.")
        if demo.is_there(container.begin()):
            console.print("Demonstration accounts:")
            for account in demo.ACCOUNTS:
                console.print(f"  {account.email}  [dim]{account.about}[/]")
            console.print(f"  password: [bold]{demo.PASSWORD}[/]")
