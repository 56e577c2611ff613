"""docs/configuration.md documents the settings that the code reads."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.hospital_list import CHOSEN, LIST
from adapters.settings import SETTING_NAMES, read_settings
from domain.hospital import effective
from tests.servers import ROOT

ROWS = re.findall(
    r"^\| `CONSUMO_([A-Z0-9_]+)` \| (.+?) \| .+ \|$",
    (ROOT / "docs" / "configuration.md").read_text(),
    re.MULTILINE,
)
# Defaults shown as values on the page. The default database depends on the ``folder`` argument.
DEFAULTS = {
    name: quoted[1] for name, default in ROWS if (quoted := re.match(r"`([^`]+)`", default)) and name != "DATABASE_URL"
}


def settings_in_source() -> tuple[set[str], set[str]]:
    """Names that adapters/settings.py reads, and prefixes of computed names."""
    names, prefixes = set(), set()
    for node in ast.walk(ast.parse((ROOT / "adapters" / "settings.py").read_text())):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("given"), attr="get"), args=[ast.Constant(str(name)), *_]):
                names.add(name)
            case ast.Call(args=[ast.Name("given"), ast.Constant(str(name)), *_]):
                names.add(name)
            case ast.Call(args=[ast.Name("given"), ast.JoinedStr([ast.Constant(str(prefix)), *_]), *_]):
                prefixes.add(prefix)
            case ast.Subscript(value=ast.Name("given"), slice=ast.Constant(str(name))):
                names.add(name)
    # The list of hospitals is read elsewhere.
    return names | {LIST, CHOSEN}, prefixes


def test_each_setting_has_exactly_one_row() -> None:
    documented = [name for name, _ in ROWS]
    assert len(documented) == len(set(documented))
    names, prefixes = settings_in_source()
    assert len(names) > 30
    built = {name for name in documented if name.startswith(tuple(prefixes))}
    assert set(documented) == names | built == SETTING_NAMES
    assert all(any(name.startswith(prefix) for name in built) for prefix in prefixes)


def test_command_help_names_the_same_settings() -> None:
    help_text = (ROOT / "adapters" / "cli" / "main.py").read_text()
    assert {name for name, _ in ROWS} == set(re.findall(r"CONSUMO_([A-Z0-9_]+)", help_text))


@pytest.mark.parametrize("name", DEFAULTS)
def test_documented_default_equals_the_unset_value(name: str, tmp_path: Path) -> None:
    database = {"CONSUMO_DATABASE_URL": "postgresql://h/d"}
    unset = read_settings(database, folder=tmp_path)
    default = read_settings(database | {f"CONSUMO_{name}": DEFAULTS[name]}, folder=tmp_path)
    # A setting of the hospital that is set wins over the stored one, even if it is the default.
    assert effective(default.hospital) == effective(unset.hospital)
    assert replace(default, hospital=unset.hospital) == unset
