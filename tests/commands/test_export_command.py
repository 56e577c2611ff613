"""``consumo export``: the lists and filters of the API as files."""

import csv
import io
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import rich_click as click
from click.testing import CliRunner, Result
from openpyxl import load_workbook
from pypdf import PdfReader

from adapters.cli.export_commands import export_group
from adapters.cli.main import main
from adapters.documents.columns import field_name
from adapters.documents.lists import LISTS
from adapters.i18n import messages
from tests.servers import ROOT, environment

# The API path of each list. The details of one sheet are the list of all details, filtered.
PATHS = {name: f"/api/{name}" for name in LISTS} | {
    "sheets": "/api/consumption-sheets",
    "details": "/api/consumption-details",
    "consumption": "/api/reports/consumption",
    "history": "/api/consumption-sheets/{sheet_id}/history",
    "readers": "/api/patients/{patient_id}/readers",
}
# Lists of which the demonstration data has records.
FILLED = (
    *("areas", "audit", "categories", "consumption", "details", "history", "patients", "products", "readers", "rooms"),
    *("sheets", "staff", "users"),
)
NARROWED = ("/api/consumption-sheets/{sheet_id}/consumption-details", "/api/recalls/{recall_id}/consumption-details")
MEDIA_TYPES = {"csv": "text/csv", "pdf": "application/pdf", "xlsx": "spreadsheetml.sheet"}
OF_PAGES = {"page", "limit", "cursor", "format"}
OF_FILES = {"format", "output", "language", "user", "help"}

Consumo = Callable[..., Result]


@pytest.fixture
def consumo(demo_file: Path, tmp_path: Path) -> Consumo:
    """Run the command on a copy of the demonstration data."""
    file = tmp_path / "consumo.db"
    with closing(sqlite3.connect(demo_file)) as template, closing(sqlite3.connect(file)) as copy:
        template.backup(copy)
    ours = environment(f"sqlite:///{file}")

    def call(*arguments: str) -> Result:
        others = [name for name in os.environ if name not in ours]
        return CliRunner().invoke(main, ["export", *arguments], env={**dict.fromkeys(others), **ours})

    return call


def lines(result: Result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout.removeprefix("\N{BYTE ORDER MARK}"), newline="")))


def complaint(result: Result) -> str:
    """The error message of a command that wrote nothing."""
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Traceback" not in result.stderr
    return " ".join(
        result.stderr[result.stderr.index("╭─ Error") :].translate(dict.fromkeys(map(ord, "╭╮╰╯│─"))).split()
    )


def asking(name: str) -> list[str]:
    of = {"history": ["--sheet-id", "1"], "readers": ["--patient-id", "1"]}
    return [name, *of.get(name, [])]


def test_the_command_has_the_lists_and_filters_of_the_api() -> None:
    document = json.loads((ROOT / "ui" / "openapi.json").read_text())
    reads: dict[str, Any] = {path: methods["get"] for path, methods in document["paths"].items() if "get" in methods}
    files = {
        path: {
            form
            for form, kind in MEDIA_TYPES.items()
            for media_type in read["responses"]["200"].get("content", ())
            if kind in media_type
        }
        for path, read in reads.items()
    }
    assert {path for path, forms in files.items() if "csv" in forms} == {*PATHS.values(), *NARROWED}
    assert set(PATHS) == set(export_group.commands)
    for name, path in PATHS.items():
        command = export_group.commands[name]
        options = {option.opts[0].removeprefix("--").replace("-", "_"): option for option in command.params}
        asked = {parameter["name"] for parameter in reads[path]["parameters"]} - OF_PAGES
        # `name` is an alias of `q`.
        assert set(options) - OF_FILES == asked - ({"name"} if name == "products" else set()), name
        form = options["format"].type
        assert isinstance(form, click.Choice)
        assert set(form.choices) == files[path], name


def test_each_filter_has_a_readable_name_and_its_own_help() -> None:
    for command in export_group.commands.values():
        for option in command.params:
            assert isinstance(option, click.Option)
            by_id = option.opts[0].endswith("-id")
            assert by_id or "with this id" not in (option.help or ""), option.opts
            expected = "--inactive" if option.name == "active" else f"--no-{option.opts[0].removeprefix('--')}"
            assert option.secondary_opts in ([], [expected]), option.opts


@pytest.mark.parametrize("name", LISTS)
def test_every_list_is_written_in_every_format(consumo: Consumo, tmp_path: Path, name: str) -> None:
    written = lines(consumo(*asking(name)))
    assert written or name not in FILLED
    file = tmp_path / "list.xlsx"
    reported = consumo(*asking(name), "--output", str(file), "--language", "en")
    assert (reported.exit_code, reported.stdout) == (0, "")
    head, *rows = load_workbook(file).worksheets[0].iter_rows(values_only=True)
    if name != "consumption":
        assert list(head) == [messages.column("en", field_name(column)) for column in csv_columns(name)]
        # The second export contains the audit entry of the first one.
        assert len(rows) == len(written) + (name == "audit")
        headed = consumo(*asking(name), "--language", "en").stdout.removeprefix("\N{BYTE ORDER MARK}")
        assert next(csv.reader(io.StringIO(headed))) == list(head)


def test_an_export_is_private_and_follows_no_link(consumo: Consumo, tmp_path: Path) -> None:
    victim, output = tmp_path / "victim", tmp_path / "list.csv"
    victim.write_text("safe")
    for planted in (tmp_path / "list.csv.part", output):
        planted.symlink_to(victim)
    assert consumo(*asking("areas"), "--output", str(output)).exit_code == 0
    assert victim.read_text() == "safe"
    assert (output.is_symlink(), output.stat().st_mode & 0o777) == (False, 0o600)


def csv_columns(name: str) -> tuple[str, ...]:
    columns = LISTS[name].columns
    return columns if isinstance(columns, tuple) else columns(LISTS[name].query())


def test_a_list_is_filtered_sorted_and_searched(consumo: Consumo) -> None:
    products = lines(consumo("products"))
    category = products[0]["category_id"]
    assert {row["category_id"] for row in lines(consumo("products", "--category-id", category))} == {category}
    inactive, active = (lines(consumo("products", flag)) for flag in ("--inactive", "--active"))
    assert ({row["active"] for row in active}, len(active) + len(inactive)) == ({"1"}, len(products))
    dearest = [float(row["price"]) for row in lines(consumo("products", "--sort", "-price"))]
    assert dearest == sorted(dearest, reverse=True)
    assert 0 < len(lines(consumo("products", "--q", "gasa"))) < len(products)
    opened, closed = lines(consumo("sheets")), lines(consumo("sheets", "--closed"))
    assert ({row["closed"] for row in opened}, {row["closed"] for row in closed}) == ({"0"}, {"1"})
    day = min(row["admission_date"] for row in opened)
    early = lines(consumo("sheets", "--from", day, "--to", day))
    assert [row["id"] for row in early] == [row["id"] for row in opened if row["admission_date"] == day]
    sheet = closed[0]
    details = lines(consumo("details", "--consumption-sheet-id", sheet["id"]))
    assert {row["consumption_sheet_id"] for row in details} == {sheet["id"]}
    assert {row["patient_record_number"] for row in details} == {sheet["patient_record_number"]}
    staff = lines(consumo("staff"))
    assert 0 < len(lines(consumo("staff", "--unassigned"))) < len(staff)
    assert "category_code" in lines(consumo("consumption", "--by", "category"))[0]
    assert "day" in lines(consumo("consumption"))[0]


def test_the_report_is_written_as_pdf(consumo: Consumo, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    assert consumo("consumption", "--by", "area", "--output", str(file), "--language", "en").exit_code == 0
    paper = PdfReader(file).pages[0].extract_text()
    assert "Consumption report" in paper
    assert "admin@consumo.test" in paper


def test_an_export_has_the_permissions_of_the_given_user(consumo: Consumo) -> None:
    ward_staff = ("--user", "user@consumo.test")
    assert "price" not in lines(consumo("products", *ward_staff))[0]
    assert set(lines(consumo("categories", *ward_staff))[0]) == {"id", "name"}
    assert not {"unit_price", "total", "product_category_code"} & set(lines(consumo("details", *ward_staff))[0])
    assert complaint(consumo("staff", *ward_staff)).endswith("You are not allowed to do this.")
    newest = lines(consumo("audit", "--action", "consumption_detail.exported"))[0]
    assert newest["user_email"] == "user@consumo.test"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("products", "--sort", "nothing"), "The query was not understood: check the parameter “sort”."),
        (("products", "--user", "user@consumo.test", "--sort", "price"), "check the parameter “sort”."),
        (("history", "--sheet-id", "99999"), "What you are looking for was not found."),
        (("products", "--output", "list.pdf"), "list.pdf: this list is written as csv or xlsx."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_impossible_export_is_reported_with_a_sentence(
    consumo: Consumo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint(consumo(*arguments)).endswith(said)
    assert not [*tmp_path.glob("list*")]


@pytest.mark.parametrize(
    "arguments",
    [("history",), ("sheets", "--from", "5/4/2026"), ("products", "--category-id", "0"), ("areas", "--format", "pdf")],
    ids=" ".join,
)
def test_invalid_arguments_are_refused_before_any_read(consumo: Consumo, arguments: tuple[str, ...]) -> None:
    refused = consumo(*arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "Traceback" not in refused.stderr
