"""``consumo check``."""

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.settings import read_settings
from application.ports.views import AccountFault, FaultKind


@click.command("check")
def check_command() -> None:
    """Add up all that is kept, and say what does not add up; nothing is changed.

    Each sheet's total is the sum of the lines that count, no line was recorded after its sheet was closed, what came
    back of a line is what its returns tell, each closing comes to its total, and what was charged of a sheet to the
    closing that it was charged for. Ends with 1 where anything is wrong.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container, console.status("Adding up…"):
        found = [_in_words(fault) for fault in container.use_cases().check_accounts()]
    for sentence in found:
        click.echo(sentence)
    if found:
        raise click.ClickException(f"{len(found)} {'thing does' if len(found) == 1 else 'things do'} not add up.")
    console.print("All accounts add up.")


def _in_words(fault: AccountFault) -> str:
    match fault.kind:
        case FaultKind.TOTAL:
            return f"Sheet {fault.sheet_id} says {fault.found}, and its lines come to {fault.expected}."
        case FaultKind.AFTER_CLOSING:
            return f"Line {fault.detail_id} was recorded after sheet {fault.sheet_id} was closed."
        case FaultKind.CLOSING:
            return f"A closing of sheet {fault.sheet_id} says {fault.found}, and its lines came to {fault.expected}."
        case FaultKind.CHARGED:
            return f"What was charged of sheet {fault.sheet_id} is {fault.found}, and it came to {fault.expected}."
        case FaultKind.RETURNED:
            return (
                f"Line {fault.detail_id} on sheet {fault.sheet_id} says that {fault.found} came back, and its returns "
                f"come to {fault.expected}."
            )
