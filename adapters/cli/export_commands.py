"""``consumo export``: every list of the API, as a file."""

import io
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import NoneType
from typing import IO, Any, TypeVar, get_args, get_type_hints

import rich_click as click

from adapters.cli.common import AS_USER, OtherFile, must_be_current, progress
from adapters.cli.wiring import actor_of, container_of
from adapters.documents.lists import LISTS, Export, ExportedList, Form
from adapters.files.whole_files import write_file
from adapters.hospital.profile import HospitalProfile
from adapters.i18n.catalogue import LANGUAGES
from adapters.settings.read_settings import read_settings
from application.common.paging import Sort
from domain.ward.shift import Shift

Command = TypeVar("Command", bound=Callable[..., None])

# An export has the whole list, without paging. Moments are for programs that poll.
_PAGING_FIELDS = {
    "from_at",
    "before_at",
    "page",
    "limit",
    "cursor",
    "offset",
    "behind",
    "ids",
    "unnumbered",
    "max_ordered",
}
_COMMON_FILTERS = {"q", "sort"}
# Option names that are Python keywords.
_OPTION_NAMES = {"since": "from", "until": "to"}
# One for each filter of each list; those that end with _id are about the record with that id.
_HELP = {
    "q": "Search text.",
    "sort": "Sort field; prefix - for descending.",
    "since": "First day, such as 2026-05-01.",
    "until": "Last day.",
    "closed": "Only closed ones, or only open ones. Sheets: by the day of closing; without it open ones, by the day of "
    "admission.",
    "active": "Only active ones, or only inactive ones.",
    "implant": "Only implants, or only other products.",
    "included_in_stay": "Only products that are included in the stay, or only those that are charged.",
    "plain_name": "Only products without a plain name.",
    "merged": "Records that were merged into others (default: all others).",
    "own": "Only the user's own kits, or only the hospital's.",
    "unassigned": "Only staff without a user account.",
    "without_visit": "Only open sheets without a visit number.",
    "voided": "Voided details too, or alone (default: none).",
    "used_for": "What was used for patients, by areas, thrown away, or all.",
    "use_reason": "Reason of the use by an area, or of the waste.",
    "incomplete": "Only implants without lot or serial number, or only the others.",
    "lot": "Lot.",
    "serial": "Serial number.",
    "state": "State of the message.",
    "by": "What to add up by (default: day).",
    "compare": "Include totals of the previous period.",
    "returns": "What was returned in the period, instead of what was used.",
    "shift": "Number of the shift in CONSUMO_SHIFTS, from 0.",
    "action": "Action, such as sheet.closed.",
    "entity": "Kind of record, such as consumption_sheet.",
    "entity_id": "Id of the record.",
    "form_id": "Number of the contingency form.",
    "user_id": "Id of the user who did it.",
    "status": "1 available, 2 occupied, 3 cleaning, 4 out of service.",
}


@click.group("export")
def export_group() -> None:
    """Export lists as CSV or XLSX.

    An export contains what its user may see, and is noted in the audit log.
    """


def _options(listed: ExportedList[Any, Any]) -> Callable[[Command], Command]:
    options = [
        *_filters(listed),
        click.option(
            "--format",
            "form",
            type=click.Choice([form.value for form in listed.forms]),
            help="Format (default: by the extension of FILE, otherwise csv).",
        ),
        click.option(
            "--output",
            metavar="FILE",
            type=OtherFile(dir_okay=False),
            help="File to write (default: standard output).",
        ),
        click.option(
            "--language",
            type=click.Choice(LANGUAGES),
            help="Language (default es; without it, the header of a CSV has the names of fields, for programs).",
        ),
        AS_USER,
    ]

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def _filters(listed: ExportedList[Any, Any]) -> Iterator[Callable[[Command], Command]]:
    """Yield an option for each filter of the list."""
    hints = get_type_hints(listed.query)
    defaults = {field.name: field.default for field in fields(listed.query)}
    names = {field.name for field in fields(listed.query)} - _PAGING_FIELDS - listed.leaves_out
    for name in sorted(names, key=lambda name: (name in _COMMON_FILTERS, list(hints).index(name))):
        flag = f"--{_OPTION_NAMES.get(name, name).replace('_', '-')}"
        about = _HELP.get(name) or _about_id(name)
        given: dict[str, Any] = {"help": about, "required": name in listed.needs}
        kind = next(kind for kind in (*get_args(hints[name]), hints[name]) if kind is not NoneType)
        if kind is bool:
            opposite = "--inactive" if name == "active" else flag.replace("--", "--no-", 1)
            flag = f"{flag}/{opposite}" if defaults[name] is None else flag
            yield click.option(flag, name, is_flag=True, default=None, help=about)
        elif kind is date:
            yield click.option(flag, name, type=click.DateTime(["%Y-%m-%d"]), callback=_day, metavar="DAY", **given)
        elif kind is Sort:
            yield click.option(flag, name, callback=_sort, metavar="FIELD", **given)
        elif kind is Shift:
            yield click.option(flag, name, type=click.IntRange(0), **given)
        elif issubclass(kind, StrEnum):
            choices = click.Choice([choice.value for choice in kind])
            yield click.option(flag, name, type=choices, callback=partial(_choice, kind), **given)
        else:
            yield click.option(flag, name, type=click.IntRange(1) if kind is int else kind, **given)


def _about_id(name: str) -> str:
    """Return the help of a filter by id. Raise ``KeyError`` for another one."""
    if not name.endswith("_id"):
        raise KeyError(f"no help of the option {name}")
    return f"Of the {name.removesuffix('_id').replace('_', ' ')} with this id."


def _choice(kind: type[StrEnum], _: click.Context, __: click.Parameter, text: str | None) -> StrEnum | None:
    return kind(text) if text else None


def _day(_: click.Context, __: click.Parameter, moment: datetime | None) -> date | None:
    return moment.date() if moment else None


def _shift(hospital: HospitalProfile, number: int) -> Shift:
    shifts = list(hospital.shifts)
    if number >= len(shifts):
        raise click.BadParameter(f"the last shift is {len(shifts) - 1}.", param_hint="--shift")
    return shifts[number]


def _sort(_: click.Context, __: click.Parameter, text: str | None) -> Sort | None:
    return Sort(text.removeprefix("-"), text.startswith("-")) if text else None


def _make(name: str, listed: ExportedList[Any, Any]) -> None:
    """Create the command of one list."""

    @export_group.command(name, help=f"Write out {listed.about}.")
    @_options(listed)
    def command(form: str | None, output: Path | None, language: str | None, email: str | None, **asked: Any) -> None:
        chosen = _form(listed, form, output)
        settings = read_settings()
        must_be_current(settings)
        with container_of(settings) as container, _open_output(output) as out, progress(name, None) as advance:
            hospital = container.hospital().profile
            given = {name: value for name, value in asked.items() if value is not None}
            if isinstance(given.get("shift"), int):
                given["shift"] = _shift(hospital, given["shift"])
            query = listed.query(**given)
            export = Export(
                use_cases=container.use_cases(),
                actor=actor_of(container, email),
                query=query,
                language=language or LANGUAGES[0],
                hospital=hospital,
                advance=advance,
            )
            if chosen is Form.CSV:
                text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
                text.writelines(listed.csv(export, language))
                text.detach()
            else:
                with listed.file(chosen, export) as file:
                    shutil.copyfileobj(file, out)


for each in LISTS:
    _make(each, LISTS[each])


def _form(listed: ExportedList[Any, Any], form: str | None, output: Path | None) -> Form:
    """Return the file type from --format, or the file's extension, or CSV."""
    ending = output.suffix.removeprefix(".").lower() if output else ""
    chosen_form = form or (ending if ending in [*Form] else Form.CSV.value)
    if chosen_form not in listed.forms:
        raise click.ClickException(f"{output}: this list is written as {' or '.join(listed.forms)}.")
    if chosen_form != Form.CSV and output is None and sys.stdout.isatty():
        raise click.ClickException(f"{chosen_form.upper()} is not for the screen: name a file with --output.")
    return Form(chosen_form)


@contextmanager
def _open_output(output: Path | None) -> Iterator[IO[bytes]]:
    """Yield standard output, or a file that is renamed once complete."""
    if output is None:
        yield sys.stdout.buffer
        return
    try:
        with write_file(output, replace=True) as file:
            yield file
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}.") from None
