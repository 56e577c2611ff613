"""``consumo print-forms``: contingency forms of an area, as a file."""

import re
from pathlib import Path

import rich_click as click

from adapters.cli.common import AS_USER, console, must_be_current, said
from adapters.cli.wiring import actor_of, container_of
from adapters.documents.pdf.forms import forms_pdf
from adapters.files.whole_files import write_file
from adapters.i18n.catalogue import LANGUAGES
from adapters.settings.read_settings import read_settings
from application.common.paging import ListQuery
from application.forms.print_forms import FormsDraft
from domain.common.errors import Code, Refused
from domain.common.text import fold

# Characters that file systems refuse.
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@click.command("print-forms")
@click.option("--area", "areas", multiple=True, required=True, help="Name of an area; repeatable.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    required=True,
    help="Folder for the PDF of each area, on a machine that works without the server.",
)
@click.option("--blank", type=click.IntRange(0, 50), default=2, show_default=True, help="Number of blank forms to add.")
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True, help="Language.")
@AS_USER
def print_forms_command(areas: tuple[str, ...], folder: Path, blank: int, language: str, email: str | None) -> None:
    """Print contingency forms in advance.

    A file has a form for each open sheet of an area, and replaces the file of the night before. The forms are not
    expected back.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        hospital = container.hospital().profile
        actor = actor_of(container, email)
        use_cases = container.use_cases()
        known = {fold(area["name"]): area for area in use_cases.areas.reader.iterate(actor, ListQuery())}
        for asked in areas:
            if fold(asked) not in known:
                raise click.ClickException(f"There is no area “{asked}”.")
        for asked in areas:
            area_id, name = known[fold(asked)]["id"], known[fold(asked)]["name"]
            try:
                forms = use_cases.contingency_forms.print(
                    actor, FormsDraft(area_id=area_id, blank=blank), in_advance=True
                )
            except Refused as refused:
                if [reason.code for reason in refused.reasons] == [Code.FORMS_NONE]:
                    console.print(f"{name}: no open sheets.")
                    continue
                raise click.ClickException(said(refused.reasons)) from None
            path = folder / f"{area_id}-{_NOT_IN_NAMES.sub('-', name)}.pdf"
            try:
                with write_file(path, replace=True) as file:
                    file.write(forms_pdf(forms, language, hospital.zone, hospital.letterhead))
            except OSError as error:
                raise click.ClickException(f"{path}: {error.strerror}.") from None
            console.print(f"{name}: {len(forms)} forms in {path}.")
