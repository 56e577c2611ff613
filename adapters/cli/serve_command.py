"""``consumo serve``."""

from functools import partial

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.server.serving import run_server
from adapters.settings import read_settings


@click.command()
def serve() -> None:
    """Serve the API and the web client."""
    settings = read_settings()
    must_be_current(settings)
    run_server(settings, partial(console.print, markup=False))
