"""The ``consumo`` command."""

import gc
import os
import pkgutil
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import rich_click as click
from click.exceptions import Exit

# Import path of each command. It is imported on use: importing all of them takes two seconds.
_COMMANDS = {
    "audit": "adapters.cli.audit_commands:audit_group",
    "backup": "adapters.cli.database_commands:backup_command",
    "check": "adapters.cli.check_command:check_command",
    "check-backup": "adapters.cli.database_commands:check_backup_command",
    "copy": "adapters.cli.copy_command:copy_command",
    "create-hospital": "adapters.cli.hospital_commands:create_hospital",
    "create-user": "adapters.cli.create_user_command:create_user",
    "demo": "adapters.cli.demo_command:demo_command",
    "doctor": "adapters.cli.doctor_command:doctor_command",
    "export": "adapters.cli.export_commands:export_group",
    "export-patient": "adapters.cli.export_patient_command:export_patient",
    "import": "adapters.cli.import_commands:import_group",
    "migrate": "adapters.cli.database_commands:migrate_command",
    "network-views": "adapters.cli.hospital_commands:network_views",
    "passkey-link": "adapters.cli.passkey_link_command:passkey_link",
    "print-forms": "adapters.cli.print_forms_command:print_forms_command",
    "prove": "adapters.cli.prove_command:prove_command",
    "receive": "adapters.cli.receive_command:receive_command",
    "restore": "adapters.cli.database_commands:restore_command",
    "send": "adapters.cli.send_command:send_command",
    "send-audit": "adapters.cli.send_audit_command:send_audit_command",
    "serve": "adapters.cli.serve_command:serve",
    "simulate": "adapters.cli.simulate_commands:simulate_group",
    "verify-paper": "adapters.cli.verify_paper_command:verify_paper",
}

# Commands that --all runs for each hospital.
FOR_ALL = ("audit", "backup", "check", "doctor", "migrate")
# Stands for the hospital's name in their arguments.
_PLACE = "{hospital}"
_ARGUMENTS = "adapters.cli.main.arguments"


class _UnusableSetting(click.ClickException):
    """Ends with EX_CONFIG, after which the units do not restart a service."""

    exit_code = 78


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
        # Imported modules live as long as the process: looking for garbage among them takes half a second.
        gc.disable()
        try:
            command: click.Command | None = pkgutil.resolve_name(place) if place else None
            gc.freeze()
        finally:
            gc.enable()
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and translate its errors."""
        with _sentences():
            return super().invoke(ctx)


@contextmanager
def _sentences() -> Iterator[None]:
    """Translate expected errors into one sentence."""
    try:
        yield
    except (click.ClickException, Exit, click.Abort):
        raise
    except Exception as error:
        from adapters.cli.errors import sentence_for
        from adapters.setting_values.invalid_setting import InvalidSetting

        if sentence := sentence_for(error):
            refused = _UnusableSetting if isinstance(error, InvalidSetting) else click.ClickException
            raise refused(sentence) from None
        raise


class MainGroup(LazyGroup):
    """Runs a command once, or for each hospital in turn."""

    def format_epilog(self, ctx: click.RichContext, formatter: click.RichHelpFormatter) -> None:  # type: ignore[override]  # noqa: ARG002
        """Write a line for each setting."""
        from rich.table import Table
        from rich.text import Text

        from adapters.settings.declared import SETTINGS

        table = Table.grid(padding=(0, 1))
        for one in SETTINGS:
            table.add_row(Text(one.variable), Text(one.help))
        formatter.write("\nSettings are environment variables; docs/configuration.md describes each.\n", table)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options, and keep all arguments for several runs."""
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        return self._invoke_for_all(ctx) if ctx.params["all_hospitals"] else super().invoke(ctx)

    def _invoke_for_all(self, ctx: click.Context) -> None:
        """Run the command for each hospital; a failure does not stop the others.

        The exit status is the highest of all.
        """
        from adapters.settings.read_settings import read_all_settings

        arguments: list[str] = ctx.meta[_ARGUMENTS]
        arguments.remove("--all")
        if ctx.params["hospital"] is not None:
            raise click.UsageError("--hospital, --all: give one of them, not both.")
        if not arguments or arguments[0] not in FOR_ALL:
            raise click.UsageError(f"--all goes with {', '.join(FOR_ALL[:-1])} or {FOR_ALL[-1]}.")
        if arguments[0] == "backup" and not any(_PLACE in one for one in arguments):
            raise click.UsageError(
                f"--all backup: put {_PLACE} into FILE, so that each hospital has a file of its own."
            )
        status, failed = 0, []
        with _sentences():
            names = [settings.name for settings in read_all_settings()]
        for name in names:
            # Without a list there is one hospital, which has no name.
            named = [one.replace(_PLACE, name or "consumo") for one in arguments]
            if name:
                click.echo(f"{name}:", err=True)
            ended = self._run(["--hospital", name, *named] if name else named)
            status = max(status, ended)
            if ended and name:
                failed.append(name)
        if failed:
            click.echo(f"Problems: {', '.join(failed)}.", err=True)
        ctx.exit(status)

    def _run(self, arguments: list[str]) -> int:
        """Run a command and return its exit status.

        A bug shows its traceback, and counts as a failure.
        """
        try:
            status = self.main(arguments, prog_name="consumo", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except SystemExit as end:
            status = end.code
        except Exception:  # noqa: BLE001 - the other hospitals are not to blame
            traceback.print_exc()
            return 1
        return status if isinstance(status, int) else 0


@click.group(cls=MainGroup, commands_in=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="consumo")
@click.option("--hospital", metavar="NAME", help="Hospital of CONSUMO_HOSPITALS.")
@click.option(
    "--all",
    "all_hospitals",
    is_flag=True,
    help="Run audit, backup, check, doctor or migrate for each hospital; {hospital} in an argument is its name.",
)
def main(*, hospital: str | None, all_hospitals: bool) -> None:  # noqa: ARG001 - of MainGroup
    """Consumo records the consumption of patients during their stay."""
    # Databases, backups and exports contain patient data: files are readable only by the current user.
    os.umask(0o077)
    if hospital is not None:
        os.environ["CONSUMO_HOSPITAL"] = hospital
