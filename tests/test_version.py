"""The version number is defined in pyproject.toml only."""

import json
import re
import tomllib

from click.testing import CliRunner

from adapters.cli.main import main
from tests.servers import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_command_prints_the_version() -> None:
    assert CliRunner().invoke(main, ["--version"], prog_name="consumo").output == f"consumo, version {VERSION}\n"


def test_the_openapi_document_has_the_version() -> None:
    assert json.loads((ROOT / "ui" / "openapi.json").read_text())["info"]["version"] == VERSION


def test_the_latest_release_of_the_changelog_is_the_version() -> None:
    released = re.findall(r"^## \[?(\d[^\] ]*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released[0] == VERSION


def test_the_client_has_no_version_of_its_own() -> None:
    assert "version" not in json.loads((ROOT / "ui" / "package.json").read_text())
