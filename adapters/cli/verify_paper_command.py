"""``consumo verify-paper``."""

import re
from datetime import UTC, datetime
from enum import IntEnum
from itertools import chain
from pathlib import Path

import rich_click as click
from click.exceptions import Exit

from adapters.cli.common import OtherFile, must_be_current
from adapters.cli.wiring import container_of
from adapters.documents.pdf.account import account_pdf
from adapters.documents.pdf.month import month_pdf
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.i18n.catalogue import LANGUAGES
from adapters.settings.read_settings import read_settings
from domain.common.errors import NotFound

# Consumo never compresses these parts of its files.
_PROOF = re.compile(rb"/Keywords \((CNS[CD][0-9]+)\)")
_PRINTED_AT = re.compile(rb"/CreationDate \(D:([0-9]{14})\+00'00'\)")
_LANGUAGE = re.compile(rb"/Lang \(([a-zA-Z-]+)\)")


class PaperExit(IntEnum):
    """The exit status of each result. 1 and 2 are errors of the command."""

    SAME = 0
    OTHER_FILE = 3
    DIFFERENT = 4
    UNKNOWN = 5


_SENTENCES = {
    PaperExit.SAME: "Same: Consumo printed this file, byte by byte, and what is stored has not changed since.",
    PaperExit.OTHER_FILE: (
        "Same content, another file: the file names what is stored, but Consumo would print it differently now. "
        "The file was altered, or the letterhead or another setting was changed since: compare its lines."
    ),
    PaperExit.DIFFERENT: "Not the same: the file names another content than is stored now.",
    PaperExit.UNKNOWN: "Unknown: the file is no paper of a closed sheet, an account or a month of this hospital.",
}


@click.command("verify-paper")
@click.argument("file", type=OtherFile(exists=True, dir_okay=False))
def verify_paper(file: Path) -> None:
    """Compare FILE, the PDF of a sheet, account or month, with what is stored.

    The exit status is 0 if Consumo printed this file, byte by byte; 3 if the file names what is stored, but is another
    file; 4 if the stored content is another one; 5 if this database knows no such paper.
    """
    settings = read_settings()
    must_be_current(settings)
    with container_of(settings) as container:
        pdf = file.read_bytes()
        result = PaperExit.UNKNOWN
        if proof := _PROOF.search(pdf):
            printed = _PRINTED_AT.search(pdf)
            try:
                found = container.use_cases().sheets.find_printouts(
                    proof[1].decode(), _moment(printed[1].decode()) if printed else None
                )
            except NotFound:
                pass
            else:
                result = PaperExit.OTHER_FILE if found.same else PaperExit.DIFFERENT
                hospital, language = container.hospital().profile, _language_of(pdf)
                sheets = (sheet_pdf(hospital, view, language) for view in found.sheets)
                accounts = (account_pdf(hospital, view, language) for view in found.accounts)
                months = (month_pdf(hospital, view, language) for view in found.months)
                if pdf in chain(sheets, accounts, months):
                    result = PaperExit.SAME
    click.echo(_SENTENCES[result])
    if result is not PaperExit.SAME:
        raise Exit(result)


def _moment(digits: str) -> datetime | None:
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _language_of(pdf: bytes) -> str:
    found = _LANGUAGE.search(pdf)
    language = found[1].decode() if found else ""
    return language if language in LANGUAGES else LANGUAGES[0]
