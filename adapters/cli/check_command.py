"""``consumo check``."""

import rich_click as click

from adapters.cli.common import console, must_be_current
from adapters.cli.wiring import container_of
from adapters.settings import read_settings
from application.ports.views import Inconsistency, InconsistencyKind

_FIELDS = {"lot": "lot", "serial": "serial number"}


@click.command("check")
def check_command() -> None:
    """Add up all that is kept, and say what does not add up; nothing is changed.

    Each sheet's total is the sum of the lines that count, no line was recorded after its sheet was closed, what came
    back of a line is what its returns tell, each closing comes to its total, and what was charged of a sheet to the
    closing that it was charged for. Ends with 1 where anything is wrong.

    Warns of lots and serial numbers that were probably read off a patient's wristband.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container, console.status("Adding up…"):
        check = container.use_cases().check_consistency
        found = [_in_words(one) for one in check()]
        doubtful = [*check.doubtful_packs()]
    for sheet_id, detail_id, field in doubtful:
        click.echo(
            f"Warning: the {_FIELDS[field]} of line {detail_id} on sheet {sheet_id} is a patient's record number "
            "without its first two digits. Perhaps a wristband was scanned: look at the line and correct it."
        )
    for sentence in found:
        click.echo(sentence)
    if found:
        raise click.ClickException(f"{len(found)} {'thing does' if len(found) == 1 else 'things do'} not add up.")
    console.print("All accounts add up.")


def _in_words(one: Inconsistency) -> str:
    match one.kind:
        case InconsistencyKind.TOTAL:
            return f"Sheet {one.sheet_id} says {one.found}, and its lines come to {one.expected}."
        case InconsistencyKind.AFTER_CLOSING:
            return f"Line {one.detail_id} was recorded after sheet {one.sheet_id} was closed."
        case InconsistencyKind.CLOSING:
            return f"A closing of sheet {one.sheet_id} says {one.found}, and its lines came to {one.expected}."
        case InconsistencyKind.CHARGED:
            return f"What was charged of sheet {one.sheet_id} is {one.found}, and it came to {one.expected}."
        case InconsistencyKind.RETURNED:
            return (
                f"Line {one.detail_id} on sheet {one.sheet_id} says that {one.found} came back, and its returns "
                f"come to {one.expected}."
            )
