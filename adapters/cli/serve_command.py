"""``consumo serve``."""

from collections.abc import Callable
from contextlib import ExitStack

import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from adapters.cli.common import announcer, must_be_current
from adapters.cli.errors import sentence_for
from adapters.cli.wiring import container_of
from adapters.server.serving import reserve_database, run_server
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import Settings, read_all_settings, unknown_settings
from application.common.store_errors import StoreUnavailable

_OTHER_SETTINGS = (
    "“consumo receive” reads messages by other settings, so that messages which are held would be read differently "
    "here. Give both the same CONSUMO_HL7_MAP, and the same CONSUMO_HL7_AUTHORITY, CONSUMO_HL7_CLASSES, "
    "CONSUMO_HL7_CLASS_MAP, CONSUMO_HL7_VISIT, CONSUMO_HL7_PROCESSING and CONSUMO_TIME_ZONE."
)


@click.command()
def serve() -> None:
    """Serve the API and the web client, of all hospitals if there are several."""
    hospitals = read_all_settings()
    announce = announcer(hospitals[0])
    for sentence in unknown_settings():
        announce(sentence)
    if len(hospitals) == 1:
        must_be_current(hospitals[0])
        usable = hospitals
    else:
        # The trouble of one hospital does not stop the others.
        usable = [settings for settings in hospitals if _is_usable(settings, announce)]
    for settings in usable:
        warn_of_other_receiver_settings(settings, announce)

    def prepare() -> None:
        for settings in usable:
            announce_setup_link(settings, announce)

    with ExitStack() as reserved:
        for settings in hospitals:
            reserved.enter_context(reserve_database(settings.database_url))
        # Not before the port is reserved: a new link replaces that of a running server.
        run_server(hospitals[0], announce, prepare)


def _is_usable(settings: Settings, announce: Callable[[str], None]) -> bool:
    """Announce it if the database of a hospital cannot be used."""
    try:
        must_be_current(settings)
    except (click.ClickException, InvalidSetting, SQLAlchemyError, StoreUnavailable) as error:
        why = error.message if isinstance(error, click.ClickException) else sentence_for(error)
        if why is None:
            raise
        announce(f"{settings.name} cannot be used yet. {why}")
        return False
    return True


def announce_setup_link(settings: Settings, announce: Callable[[str], None]) -> None:
    """Announce the link for the first administrator if there is no account."""
    with container_of(settings) as container:
        link = container.use_cases().users.create_setup_link()
    if link is not None:
        place = f" at {settings.name}" if settings.name else ""
        announce(
            f"There is no account yet{place}. Create the first administrator at\n{link.url}\n"
            "The link works once and for an hour. A new start prints another one."
        )


def warn_of_other_receiver_settings(settings: Settings, announce: Callable[[str], None]) -> None:
    """Announce it if ``consumo receive`` was started with other settings."""
    with container_of(settings) as container:
        digest = container.parse_message().settings_digest
        if not container.use_cases().inbound_messages.check_receiver_settings(digest):
            announce(_OTHER_SETTINGS)
