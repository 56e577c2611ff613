"""``consumo serve``."""

from collections.abc import Callable
from contextlib import ExitStack

import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from adapters.cli.common import must_be_current
from adapters.cli.errors import sentence_for
from adapters.observability.logs import announcer
from adapters.server.serving import reserve_database, run_server
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.hl7_map import adt_paths
from adapters.settings.read_settings import Settings, read_all_settings, unknown_settings
from application.common.store_errors import StoreUnavailable


@click.command()
def serve() -> None:
    """Serve the API and the web client, of all hospitals if there are several."""
    hospitals = read_all_settings()
    announce = announcer(hospitals[0].log_format, hospitals[0].name)
    for sentence in unknown_settings():
        announce(sentence)
    for settings in hospitals:
        # A process that answers requests would end again and again.
        adt_paths(settings)
    if len(hospitals) == 1:
        must_be_current(hospitals[0])
    else:
        # The trouble of one hospital does not stop the others.
        for settings in hospitals:
            _announce_if_unusable(settings, announce)
    with ExitStack() as reserved:
        for settings in hospitals:
            reserved.enter_context(reserve_database(settings.database_url))
        run_server(hospitals[0], announce)


def _announce_if_unusable(settings: Settings, announce: Callable[[str], None]) -> None:
    """Announce it if the database of a hospital cannot be used."""
    try:
        must_be_current(settings)
    except (click.ClickException, InvalidSetting, SQLAlchemyError, StoreUnavailable) as error:
        why = error.message if isinstance(error, click.ClickException) else sentence_for(error)
        if why is None:
            raise
        announce(f"{settings.name} cannot be used yet. {why}")
