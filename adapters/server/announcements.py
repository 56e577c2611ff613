"""What a server says to its operator when it starts: the setup link, and other settings of the receiver."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from adapters.settings.read_settings import Settings
from adapters.wiring.container import Container
from application.common.store_errors import StoreUnavailable

_OTHER_SETTINGS = (
    "“consumo receive” reads messages by other settings, so that messages which are held would be read differently "
    "here. Give both the same CONSUMO_HL7_MAP, and the same CONSUMO_HL7_AUTHORITY, CONSUMO_HL7_CLASSES, "
    "CONSUMO_HL7_CLASS_MAP, CONSUMO_HL7_VISIT, CONSUMO_HL7_PROCESSING and CONSUMO_TIME_ZONE."
)


def announce_once(containers: Iterable[Container], announce: Callable[[str], None], folder: Path) -> None:
    """Announce it if this is the first process of the server.

    ``folder`` is that of the processes of one server. A hospital whose database cannot be used is left out.
    """
    try:
        (folder / "announced").touch(exist_ok=False)
    except FileExistsError:
        return
    for container in containers:
        with suppress(SQLAlchemyError, StoreUnavailable):
            warn_of_other_receiver_settings(container, announce)
            announce_setup_link(container, announce)


def announce_setup_link(container: Container, announce: Callable[[str], None]) -> None:
    """Announce the link for the first administrator if there is no account."""
    settings: Settings = container.settings()
    link = container.use_cases().users.create_setup_link()
    if link is not None:
        place = f" at {settings.name}" if settings.name else ""
        announce(
            f"There is no account yet{place}. Create the first administrator at\n{link.url}\n"
            "The link works once and for an hour. A new start prints another one."
        )


def warn_of_other_receiver_settings(container: Container, announce: Callable[[str], None]) -> None:
    """Announce it if ``consumo receive`` was started with other settings."""
    digest = container.parse_message().settings_digest
    if not container.use_cases().inbound_messages.check_receiver_settings(digest):
        announce(_OTHER_SETTINGS)
