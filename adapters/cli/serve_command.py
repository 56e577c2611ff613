"""``consumo serve``."""

from collections.abc import Callable
from functools import partial

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.server.serving import run_server
from adapters.settings import Settings, read_settings

_OTHER_SETTINGS = (
    "“consumo receive” reads messages by other settings, so that messages which are held would be read differently "
    "here. Give both the same CONSUMO_HL7_MAP, and the same CONSUMO_HL7_AUTHORITY, CONSUMO_HL7_CLASSES, "
    "CONSUMO_HL7_PROCESSING and CONSUMO_TIME_ZONE."
)


@click.command()
def serve() -> None:
    """Serve the API and the web client."""
    settings = read_settings()
    must_be_current(settings)
    announce = partial(console.print, markup=False)
    warn_of_other_receiver_settings(settings, announce)
    # Not before the port is reserved: a new link replaces that of a running server.
    run_server(settings, announce, partial(announce_setup_link, settings, announce))


def announce_setup_link(settings: Settings, announce: Callable[[str], None]) -> None:
    """Announce the link for the first administrator if there is no account."""
    with container_of(settings) as container:
        link = container.use_cases().users.create_setup_link()
    if link is not None:
        announce(
            f"There is no account yet. Create the first administrator at\n{link.url}\n"
            "The link works once and for an hour. A new start prints another one."
        )


def warn_of_other_receiver_settings(settings: Settings, announce: Callable[[str], None]) -> None:
    """Announce it if ``consumo receive`` was started with other settings."""
    with container_of(settings) as container:
        digest = container.parse_message().settings_digest
        if not container.use_cases().inbound_messages.check_receiver_settings(digest):
            announce(_OTHER_SETTINGS)
