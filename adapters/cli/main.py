"""The ``consumo`` command."""

import os
import pkgutil
from collections.abc import Mapping
from typing import Any

import rich_click as click
from click.exceptions import Exit

# Import path of each command. It is imported on use: importing all of them takes two seconds.
_COMMANDS = {
    "audit": "adapters.cli.audit_commands:audit_group",
    "backup": "adapters.cli.database_commands:backup_command",
    "check": "adapters.cli.check_command:check_command",
    "create-user": "adapters.cli.create_user_command:create_user",
    "demo": "adapters.cli.demo_command:demo_command",
    "doctor": "adapters.cli.doctor_command:doctor_command",
    "export": "adapters.cli.export_commands:export_group",
    "import": "adapters.cli.import_commands:import_group",
    "migrate": "adapters.cli.database_commands:migrate_command",
    "passkey-link": "adapters.cli.passkey_link_command:passkey_link",
    "receive": "adapters.cli.receive_command:receive_command",
    "restore": "adapters.cli.database_commands:restore_command",
    "send": "adapters.cli.send_command:send_command",
    "serve": "adapters.cli.serve_command:serve",
    "simulate": "adapters.cli.simulate_commands:simulate_group",
    "verify-paper": "adapters.cli.verify_paper_command:verify_paper",
}


class LazyGroup(click.RichGroup):
    """Imports commands lazily and shows expected errors as one sentence.

    Any other exception is a bug, and shows its traceback.
    """

    def __init__(self, *arguments: Any, commands_in: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._commands_in = commands_in

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(self._commands_in)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        place = self._commands_in.get(cmd_name)
        command: click.Command | None = pkgutil.resolve_name(place) if place else None
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and translate its errors."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, Exit, click.Abort):
            raise
        except Exception as error:
            from adapters.cli.errors import sentence_for

            if sentence := sentence_for(error):
                raise click.ClickException(sentence) from None
            raise


@click.group(cls=LazyGroup, commands_in=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="consumo")
def main() -> None:
    """Consumo records the consumption of patients during their stay.

    Settings are environment variables: CONSUMO_DATABASE_URL, CONSUMO_DATABASE_PASSWORD, CONSUMO_REPORTS_DATABASE_URL,
    CONSUMO_HOST, CONSUMO_PORT, CONSUMO_PUBLIC_URL, CONSUMO_SECRET_KEY, CONSUMO_SECRET_KEY_OLD, CONSUMO_TOKEN_HOURS,
    CONSUMO_IDLE_MINUTES, CONSUMO_QUICK_UNLOCK, CONSUMO_BADGE_ALONE, CONSUMO_ASK_ABOVE_TOTAL, CONSUMO_OFFLINE,
    CONSUMO_CURRENCY, CONSUMO_NUMBER_FORMAT, CONSUMO_TIME_ZONE, CONSUMO_SHIFTS, CONSUMO_SMTP_URL, CONSUMO_WORKERS,
    CONSUMO_POOL_SIZE, CONSUMO_STATEMENT_TIMEOUT, CONSUMO_LOCK_TIMEOUT, CONSUMO_DRAIN_SECONDS, CONSUMO_LETTERHEAD,
    CONSUMO_LOG_FORMAT, CONSUMO_METRICS_TOKEN, CONSUMO_PROXIES, CONSUMO_DFT_DESTINATION, CONSUMO_DFT_SENDER,
    CONSUMO_DFT_RECEIVER, CONSUMO_DFT_CHARSET, CONSUMO_DFT_PACK, CONSUMO_DFT_TLS_CA, CONSUMO_DFT_TLS_CERT,
    CONSUMO_DFT_TLS_KEY, CONSUMO_HL7_MAP, CONSUMO_HL7_AUTHORITY, CONSUMO_HL7_CLASSES, CONSUMO_HL7_PROCESSING,
    CONSUMO_HL7_KEEP_DAYS, CONSUMO_OIDC_ISSUER, CONSUMO_OIDC_CLIENT_ID, CONSUMO_OIDC_CLIENT_SECRET, CONSUMO_OIDC_NAME,
    CONSUMO_OIDC_SCOPE, CONSUMO_OIDC_ROLES, CONSUMO_OIDC_ROLE_CLAIM, CONSUMO_OIDC_CREATE, CONSUMO_OIDC_NEW_ROLE,
    CONSUMO_OIDC_TRUST_EMAIL, CONSUMO_OIDC_PROMPT, CONSUMO_OIDC_SESSION_HOURS, CONSUMO_OIDC_ONLY, CONSUMO_OIDC_LOGOUT,
    CONSUMO_OIDC_PROXY, CONSUMO_SECOND_FACTOR, CONSUMO_SECOND_FACTOR_FROM.
    docs/configuration.md describes each.
    """
    # Databases, backups and exports contain patient data: files are readable only by the current user.
    os.umask(0o077)
