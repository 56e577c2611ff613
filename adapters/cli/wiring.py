"""The container and the acting user, for commands that call use cases."""

from collections.abc import Iterator
from contextlib import contextmanager

import rich_click as click

from adapters.settings.read_settings import Settings
from adapters.wiring.container import Container
from domain.common.policy import Actor
from domain.common.text import unique_key


@contextmanager
def container_of(settings: Settings) -> Iterator[Container]:
    """Yield the container and close it at the end of the block.

    It has the hospital's settings of this moment.
    """
    container = Container(settings=settings)
    try:
        container.refresh_hospital()
        yield container
    finally:
        container.store().close()


def actor_of(container: Container, email: str | None) -> Actor:
    """Return the acting user of a command, by email."""
    with container.begin()() as work:
        user = work.users.find("email", unique_key(email)) if email else next(iter(work.users.administrators()), None)
    if user is None:
        who = f"no user {email}" if email else "no administrator"
        raise click.ClickException(f"There is {who}: register one with “consumo create-user”.")
    return Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
