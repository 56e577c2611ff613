"""docs/configuration.md, the command's help and the code know the same settings."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapters.cli.main import main
from adapters.settings.declared import NAMES_OF_PROCESS, SETTINGS
from adapters.settings.read_settings import read_settings
from domain.hospital.settings import effective
from tests.servers import ROOT

PAGE = (ROOT / "docs" / "configuration.md").read_text()
ROWS = re.findall(r"^\| `CONSUMO_([A-Z0-9_]+)` \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
DECLARED = {one.name: one for one in SETTINGS}
# Without them a setting of the identity provider is refused.
PROVIDER = {
    "CONSUMO_OIDC_ISSUER": "https://login.test",
    "CONSUMO_OIDC_CLIENT_ID": "consumo",
    "CONSUMO_OIDC_ROLES": "nurses=1",
}


def plain(markdown: str) -> str:
    """The words of a cell, without marks."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown).replace("`", "").replace("*", "").replace("\\|", "|")


def names_in_sentence(begin: str, end: str) -> set[str]:
    """The settings that a sentence of the page names."""
    return set(re.findall(r"`CONSUMO_([A-Z_]+)`", PAGE[PAGE.index(begin) :].partition(end)[0]))


def test_each_setting_has_exactly_one_row() -> None:
    assert [name for name, _, _ in ROWS] == [*dict.fromkeys(name for name, _, _ in ROWS)]
    assert {name for name, _, _ in ROWS} == DECLARED.keys()
    assert len(DECLARED) == len(SETTINGS) > 30


@pytest.mark.parametrize(("name", "default", "meaning"), ROWS)
def test_a_row_has_the_declared_default_and_help(name: str, default: str, meaning: str) -> None:
    quoted = re.match(r"`([^`]+)`", default)
    if name == "DATABASE_URL":
        quoted = None  # It depends on the folder.
    assert (quoted[1] if quoted else "") == DECLARED[name].default
    assert plain(meaning).startswith(DECLARED[name].help)


def test_the_page_names_secrets_and_shared_settings() -> None:
    assert names_in_sentence("This works for", "The setting") == {one.name for one in SETTINGS if one.is_secret}
    shared = names_in_sentence("- `CONSUMO_HOST`, ", "belong to the process")
    assert shared == (NAMES_OF_PROCESS & DECLARED.keys()) - {"HOSPITALS", "HOSPITAL"}
    assert names_in_sentence("leave\n`CONSUMO_LETTERHEAD`", "out to keep") == {
        one.name for one in SETTINGS if one.page_field
    }


def test_the_server_reads_each_declared_setting() -> None:
    tree = ast.walk(ast.parse((ROOT / "adapters" / "settings" / "read_settings.py").read_text()))
    read = {one.attr for one in tree if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "declared"}
    # The list of hospitals is read before, and the page's settings by their fields.
    elsewhere = {"HOSPITALS", "HOSPITAL", *(one.name for one in SETTINGS if one.page_field)}
    assert DECLARED.keys() - elsewhere <= read <= DECLARED.keys()


def test_command_help_has_a_line_for_each_setting() -> None:
    shown = CliRunner().invoke(main, ["--help"]).stdout
    words = " ".join(re.sub(r"[│╭╰─╮╯]", "", shown).split())
    assert all(one.variable in words for one in SETTINGS)
    assert "CONSUMO_PORT the port on which the server listens" in words


@pytest.mark.parametrize("name", [one.name for one in SETTINGS if one.default])
def test_documented_default_equals_the_unset_value(name: str, tmp_path: Path) -> None:
    given = {"CONSUMO_DATABASE_URL": "postgresql://h/d"} | PROVIDER
    unset = read_settings(given, folder=tmp_path)
    default = read_settings(given | {f"CONSUMO_{name}": DECLARED[name].default}, folder=tmp_path)
    # A setting of the hospital that is set wins over the stored one, even if it is the default.
    assert effective(default.hospital) == effective(unset.hospital)
    assert replace(default, hospital=unset.hospital) == unset
