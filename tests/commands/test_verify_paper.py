"""``consumo verify-paper``: a file is the same, byte by byte, or it is not."""

import gzip
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from adapters.cli.main import main
from adapters.cli.wiring import container_of
from adapters.documents.pdf.account import account_pdf
from adapters.documents.pdf.month import month_pdf
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.hospital.profile import HospitalProfile
from adapters.settings.read_settings import read_settings
from adapters.sql.store import SqlStore
from application.closing.reopen_sheet import ReopenDraft
from application.reports.months import MonthDraft
from application.sheets.lines.void_details import VoidDraft
from domain.common.policy import Actor
from tests.builders import ZONE, Ward, a_ward
from tests.servers import environment

Verify = Callable[[bytes], tuple[int, str]]
ZONES = {"CONSUMO_TIME_ZONE": str(ZONE)}


@pytest.fixture
def ward(sqlite_url: str) -> Ward:
    return a_ward(SqlStore(sqlite_url, ZONE))


@pytest.fixture
def sheet_id(ward: Ward) -> int:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id, "2")
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    ward.clock.advance(minutes=7, milliseconds=123)
    return sheet_id


@pytest.fixture
def verify(sqlite_url: str, tmp_path: Path) -> Verify:
    def call(pdf: bytes) -> tuple[int, str]:
        file = tmp_path / "paper.pdf"
        file.write_bytes(pdf)
        ours = environment(sqlite_url, **ZONES)
        others = [name for name in os.environ if name not in ours]
        result = CliRunner().invoke(main, ["verify-paper", str(file)], env={**dict.fromkeys(others), **ours})
        return result.exit_code, result.stdout

    return call


@pytest.fixture
def profile(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> HospitalProfile:
    """Return the hospital with the settings of the command."""
    for name, value in environment(sqlite_url, **ZONES).items():
        monkeypatch.setenv(name, value)
    with container_of(read_settings()) as container:
        return container.hospital().profile


@pytest.fixture
def paper(ward: Ward, sheet_id: int, profile: HospitalProfile) -> Callable[..., bytes]:
    """Print the sheet."""

    def build(who: Actor, language: str = "es", turn: int | None = None) -> bytes:
        return sheet_pdf(profile, ward.use_cases.sheets.print(who, sheet_id, turn), language)

    return build


def alter_closing(sqlite_url: str) -> None:
    with SqlStore(sqlite_url, ZONE)._writing.begin() as connection:
        connection.execute(text("UPDATE closings SET digest = '" + "0" * 64 + "'"))


def test_a_printed_file_is_the_same(ward: Ward, paper: Callable[..., bytes], verify: Verify) -> None:
    for who, language in ((ward.nurse, "es"), (ward.admin, "es"), (ward.nurse, "en")):
        code, said = verify(paper(who, language))
        assert (code, said.partition(":")[0]) == (0, "Same")
        ward.clock.advance(minutes=1)


def test_papers_of_each_version_stay_the_same(
    ward: Ward, sheet_id: int, paper: Callable[..., bytes], verify: Verify
) -> None:
    before = paper(ward.nurse)
    ward.use_cases.sheets.reopen(ward.admin, sheet_id, ReopenDraft(reason="Faltó una venda"))
    ward.clock.advance(minutes=1)
    ward.use_cases.sheets.close(ward.nurse, sheet_id)
    assert [verify(pdf)[0] for pdf in (before, paper(ward.nurse, turn=1), paper(ward.nurse))] == [0, 0, 0]


def test_the_paper_of_an_account_is_the_same(
    ward: Ward, verify: Verify, sqlite_url: str, profile: HospitalProfile
) -> None:
    sheet_id = ward.sheet(patient_id=ward.patient("Otra", "Persona").id)["id"]
    for who in (ward.nurse, ward.admin):
        ward.detail(sheet_id, "1")
        of = ward.use_cases.accounts.issue(who, sheet_id)[0]["of"]
        ward.clock.advance(minutes=1)
        for with_prices in (True, False):
            view = ward.use_cases.accounts.print(who, sheet_id, of, with_prices=with_prices)
            assert verify(account_pdf(profile, view, "es"))[0] == 0
        assert verify(account_pdf(profile, {**view, "room": "Otra"}, "es"))[0] == 3
    with SqlStore(sqlite_url, ZONE)._writing.begin() as connection:
        connection.execute(text("UPDATE documents SET digest = '" + "0" * 64 + "'"))
    assert verify(account_pdf(profile, view, "es"))[0] == 4


def test_the_paper_of_a_month_is_the_same(
    ward: Ward, verify: Verify, sqlite_url: str, profile: HospitalProfile
) -> None:
    ward.clock.now = datetime(2091, 5, 31, 20, tzinfo=UTC)
    lines = [ward.detail(ward.sheet(patient_id=ward.patient(name, "Gil").id)["id"], "3") for name in "AB"]
    ward.clock.advance(hours=20)
    month = ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2091-05", turn=1))["id"]
    papers = []
    for line in lines:
        ward.use_cases.details.void(ward.admin, line["id"], VoidDraft(reason="Repetida"))
        ward.clock.advance(minutes=1, milliseconds=123)
        papers.append(month_pdf(profile, ward.use_cases.reports.export_month(ward.admin, month), "es"))
        ward.clock.advance(seconds=1)
    # What changed after a paper was printed is not on it.
    assert [verify(pdf)[0] for pdf in papers] == [0, 0]
    assert verify(papers[0].replace(b"/Lang (es)", b"/Lang (en)"))[0] == 3
    with SqlStore(sqlite_url, ZONE)._writing.begin() as connection:
        [(kept,)] = connection.execute(text("SELECT document FROM documents"))
        altered = gzip.compress(gzip.decompress(kept).replace(b'"75.00"', b'"76.00"'))
        connection.execute(text("UPDATE documents SET document = :altered"), {"altered": altered})
    assert verify(papers[1])[0] == 4


def test_one_changed_byte_makes_another_file(ward: Ward, paper: Callable[..., bytes], verify: Verify) -> None:
    pdf = paper(ward.nurse)
    proof = re.search(rb"CNSC[0-9]+", pdf)
    assert proof
    places = [5, len(pdf) // 3, len(pdf) // 2, pdf.index(b"/Title (") + 9, len(pdf) - 10]
    for place in places:
        changed = pdf[:place] + bytes([pdf[place] ^ 1]) + pdf[place + 1 :]
        assert verify(changed)[0] in (3, 5), place
    # A wrong digit in the proof is found by its check digits.
    last = proof.end() - 1
    digit = str((int(pdf[last : last + 1]) + 1) % 10).encode()
    assert verify(pdf[:last] + digit + pdf[last + 1 :])[0] == 5


def test_a_file_that_was_not_printed_then_is_another_one(
    ward: Ward, paper: Callable[..., bytes], verify: Verify
) -> None:
    pdf = paper(ward.nurse)
    moment = re.search(rb"CreationDate \(D:([0-9]{14})", pdf)
    assert moment
    code, said = verify(pdf.replace(moment[1], b"20990230999999"))
    assert (code, said.partition(",")[0]) == (3, "Same content")


def test_an_altered_closing_makes_the_file_different(
    ward: Ward, paper: Callable[..., bytes], verify: Verify, sqlite_url: str
) -> None:
    pdf = paper(ward.nurse)
    alter_closing(sqlite_url)
    code, said = verify(pdf)
    assert (code, said.partition(":")[0]) == (4, "Not the same")


def test_other_files_are_unknown(ward: Ward, sheet_id: int, paper: Callable[..., bytes], verify: Verify) -> None:
    pdf = paper(ward.nurse)
    ward.use_cases.sheets.delete(ward.admin, sheet_id)
    for other in (b"", b"%PDF-1.4", pdf):
        code, said = verify(other)
        assert (code, said.partition(":")[0]) == (5, "Unknown")
