"""``consumo passkey-link``."""

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import read_settings
from domain.common.errors import NotFound


@click.command("passkey-link")
@click.argument("email")
def passkey_link(email: str) -> None:
    """Create a link on which a user registers a passkey.

    For the last administrator whose passkey is lost, or who has none on the day from which the role needs one. The link
    works once, within an hour. Administrators hand out links to all other users.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        try:
            link = container.use_cases().passkeys.hand_out_link.on_server(email)
        except NotFound:
            raise click.ClickException(f"No user has the email {email}.") from None
    console.print(f"Valid once, until {link.expires_at:%Y-%m-%d %H:%M} UTC:", markup=False)
    click.echo(link.url)
