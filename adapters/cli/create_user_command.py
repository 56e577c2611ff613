"""``consumo create-user``."""

import sys

import rich_click as click

from adapters.cli.common import PASSWORD_STDIN, console, must_be_current, password_from_stdin
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import read_settings
from application.accounts.users.draft import UserDraft
from domain.common.policy import HUMAN_ROLES


@click.command("create-user")
@click.argument("email")
@click.option(
    "--role", type=click.Choice([str(int(role)) for role in sorted(HUMAN_ROLES)]), default="10", show_default=True
)
@PASSWORD_STDIN
def create_user(email: str, role: str, password_stdin: bool) -> None:
    """Create a user, such as the first administrator.

    Roles: 1 user, 2 supervisor, 10 administrator.

    The password is prompted for, or read with --password-stdin. It is never an argument: every user of the machine
    could read it in the process list.
    """
    settings = read_settings()
    must_be_current(settings)
    password = password_from_stdin() if password_stdin else _prompt_for_password()
    with container_of(settings) as container:
        draft = UserDraft(email=email, role=int(role), password=password)
        user = container.use_cases().users.register(None, draft)
        console.print(f"{user.email} may sign in.", markup=False)


def _prompt_for_password() -> str:
    if not sys.stdin.isatty():
        raise click.UsageError("There is no terminal to ask for the password at: use --password-stdin.")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return password
