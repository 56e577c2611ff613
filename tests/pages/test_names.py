"""Names in the documents: what stands between backticks exists in the sources."""

import re
from functools import cache
from pathlib import Path

import pytest

from adapters.settings.declared import SETTINGS
from tests.pages.test_stands_alone import files
from tests.servers import ROOT

NAME = re.compile(r"[A-Za-z_$][\w.$/-]*(?:\(\))?")
QUOTED = re.compile(r"`([^`\n]+)`")
WORD = re.compile(r"\w+")
FENCE = re.compile(r"```.*?```", re.DOTALL)
WITHOUT_WORDS = {".md", ".png", ".webp", ".woff2", ".pdf", ".ods", ".xls", ".xlsx", ".gz"}

# Names of other programs and formats, and examples.
FOREIGN = {
    "Secure",
    "SSL_CERT_FILE",
    "caddy",
    "chrony",
    "controlId",
    "debootstrap",
    "hot_standby",
    "patroni_sync_standby",
    "pg_wal",
    "pki",
    "postgres_fdw",
    "psql",
    "publickey",
    "rtl",
    "synchronous_mode_strict",
    "terminationGracePeriodSeconds",
    "consumo_X",
    "Z_amd64",
    "h_norte",
    "CNSF",
    "ND",
    "NC",
    "MAX_",
    "MIN_",
}


@cache
def words_by_source() -> dict[str, frozenset[str]]:
    """Words of each source, and of its path."""
    return {
        path: frozenset(WORD.findall(path) + WORD.findall(file.read_text(errors="replace")))
        for file in files()
        if file.suffix not in WITHOUT_WORDS and file != Path(__file__)
        for path in [str(file.relative_to(ROOT))]
    }


@cache
def words() -> frozenset[str]:
    """Words of all sources, and names of settings."""
    return frozenset(f"CONSUMO_{setting.name}" for setting in SETTINGS).union(*words_by_source().values())


def exists(name: str) -> bool:
    """Whether the sources contain each part of a name.

    One source contains both parts of `Class.member`.
    """
    parts = [part for part in WORD.findall(name) if part not in FOREIGN and not part.isdigit()]
    if not words().issuperset(parts):
        return False
    if re.fullmatch(r"[A-Z]\w+\.[a-z_]\w+(\(\))?", name) and parts:
        return any(source.issuperset(parts) for source in words_by_source().values())
    return True


def names(document: str) -> list[str]:
    """Names between backticks, without blocks of code."""
    return [name for name in QUOTED.findall(FENCE.sub("", document)) if NAME.fullmatch(name)]


@pytest.mark.parametrize("name", ["no_such_function", "Checks.no_such_method", "AreaSheet.read_settings"])
def test_a_name_that_is_gone_is_recognised(name: str) -> None:
    assert not exists(name)


def test_every_name_in_the_documents_exists() -> None:
    documents = [file for file in files() if file.suffix == ".md" and file.name != "CHANGELOG.md"]
    found = {(str(file.relative_to(ROOT)), name) for file in documents for name in names(file.read_text())}
    assert len(found) > 2_000
    assert sorted(f"{path}: {name}" for path, name in found if not exists(name)) == []
