"""``consumo check``."""

import rich_click as click

from adapters.cli.common import console, counted, must_be_current
from adapters.cli.wiring import container_of
from adapters.settings.read_settings import Settings, read_settings
from application.reports.ports import Inconsistency, InconsistencyKind, MonthDifference
from domain.reports.month import month_name

_FIELDS = {"lot": "lot", "serial": "serial number"}


@click.command("check")
def check_command() -> None:
    """Check the consistency of all stored amounts without changing anything.

    Each sheet's total is the sum of the lines that count. No line was recorded after its sheet was closed. The returned
    quantity of a line is the sum of its returns. Each closing adds up to its total, and the charges of a sheet to the
    closing that they were charged for. The figures of each closed month and its changes are those of its lines. The
    exit status is 1 if anything is wrong.

    Warns of lots and serial numbers that were probably scanned off a patient's wristband.
    """
    settings = read_settings()
    must_be_current(settings)
    check_consistency(settings)


def check_consistency(settings: Settings) -> None:
    """Print what does not add up, and then raise ``ClickException``."""
    with container_of(settings) as container, console.status("Adding up…"):
        doubtful = [*container.use_cases().reports.check_consistency.doubtful_packs()]
    found = inconsistencies(settings)
    for sheet_id, detail_id, field in doubtful:
        click.echo(
            f"Warning: the {_FIELDS[field]} of line {detail_id} on sheet {sheet_id} is a patient's record number "
            "without its first two digits. Perhaps a wristband was scanned: look at the line and correct it."
        )
    for sentence in found:
        click.echo(sentence)
    if found:
        raise click.ClickException(f"{counted(len(found), 'thing does', 'things do')} not add up.")
    console.print("All accounts add up.")


def inconsistencies(settings: Settings) -> list[str]:
    """Return a sentence for each amount that does not add up."""
    with container_of(settings) as container:
        check = container.use_cases().reports.check_consistency
        return [*map(_describe, check()), *map(_describe_month, check.months())]


def _describe_month(one: MonthDifference) -> str:
    of_area = "without an area" if one.area_id is None else f"in area {one.area_id}"
    return (
        f"Month {month_name(one.month)}, closed as no. {one.document_id}: with its changes product {one.product_id} "
        f"{of_area} comes to {one.expected.lines} lines and {one.expected.total}, and its lines are "
        f"{one.found.lines} and {one.found.total}. Close the month again to correct it."
    )


def _describe(one: Inconsistency) -> str:
    match one.kind:
        case InconsistencyKind.TOTAL:
            return f"Sheet {one.sheet_id} says {one.found}, and its lines come to {one.expected}."
        case InconsistencyKind.UNBILLED:
            return f"Line {one.detail_id} on sheet {one.sheet_id} is not billed, and its total is {one.found}."
        case InconsistencyKind.AREA_LINE:
            return f"Line {one.detail_id} on sheet {one.sheet_id} mixes what is of an area with what is of a patient."
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
