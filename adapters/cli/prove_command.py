"""``consumo prove``."""

import dataclasses
import json
import platform
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

import rich_click as click

from adapters.cli.check_command import inconsistencies
from adapters.cli.common import LANGUAGE, NewFolder, OtherFile, console, must_be_current
from adapters.cli.doctor_command import diagnose
from adapters.cli.wiring import container_of
from adapters.documents.html_page import Section, html_page
from adapters.files.whole_files import write_file
from adapters.i18n import formats
from adapters.i18n.catalogue import catalogue
from adapters.settings.declared import SETTINGS
from adapters.settings.read_settings import Settings, read_settings, shown_settings
from adapters.sql.audit import audit_seals
from adapters.sql.backups import restored
from adapters.sql.migrate import schema_revision
from adapters.sql.status.server_facts import read_server_facts
from domain.common.policy import GRANTS, Permission, Role

# An archive of a release holds both, and they are installed into the folder of its Python.
_MATERIALS = "sbom.cdx.json"
_RESULTS = "tests.json"
_INDEX, _DATA = "index.html", "dossier.json"


@click.command("prove")
@click.argument("folder", metavar="DIR", type=NewFolder())
@click.option(
    "--backup",
    "backup",
    metavar="FILE",
    type=OtherFile(exists=True, dir_okay=False),
    help="Backup to restore and check.",
)
@LANGUAGE
def prove_command(folder: Path, *, backup: Path | None, language: str) -> None:
    """Write what an auditor asks for into DIR, a new folder.

    index.html is for people and dossier.json for programs: versions, settings without secrets, the result of “consumo
    doctor”, the verification of the audit log's seals, the last backup, the rights of each role and the bill of
    materials. With --backup, that backup is restored into a scratch database and checked. It changes nothing, and
    contains no secret and no patient.
    """
    settings = read_settings()
    must_be_current(settings)
    with console.status("Collecting…"):
        dossier = _dossier(settings, backup)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    page = html_page(language, catalogue(language)["dossier"]["title"], _sections(dossier, language))
    files = {_DATA: json.dumps(dossier, indent=1, ensure_ascii=False), _INDEX: page}
    if bill := _of_release(_MATERIALS):
        files[_MATERIALS] = bill.read_text("utf-8")
    for name, content in files.items():
        with write_file(folder / name, replace=False) as file:
            file.write(content.encode())
    console.print(f"{folder / _INDEX}: the dossier, with {', '.join(sorted(files.keys() - {_INDEX}))}.", markup=False)


def _dossier(settings: Settings, backup: Path | None) -> dict[str, Any]:
    facts = read_server_facts(settings.database_url)
    with container_of(dataclasses.replace(settings, oidc=None)) as container:
        last = container.use_cases().status.read.facts().last_backup
        stored = container.hospital().stored.settings.given
    seals = audit_seals.verify(settings.database_url)
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "hospital": settings.name or None,
        "versions": {
            "consumo": version("consumo"),
            "schema": schema_revision(settings.database_url),
            "database": facts.version,
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        },
        "settings": [*_settings(stored)],
        "doctor": [{"name": one.name, "level": one.level, "text": one.text} for one in diagnose()],
        "seals": {
            "seals": seals.seals,
            "entries": seals.entries,
            "unsealed": seals.unsealed,
            "emptied": seals.emptied,
            "tamperings": [dataclasses.asdict(one) for one in seals.tamperings],
        },
        "last_backup": last and {"made_at": last.made_at.isoformat(), "bytes": last.size},
        "restore_check": backup and _restore_check(settings, backup),
        "roles": {role.name.lower(): sorted(GRANTS[role]) for role in Role},
        "materials": sorted(_packages(), key=lambda one: one["name"].lower()),
        "bill_of_materials": _MATERIALS if _of_release(_MATERIALS) else None,
        "tests": json.loads(results.read_text("utf-8")) if (results := _of_release(_RESULTS)) else None,
    }


def _settings(stored: Mapping[str, Any]) -> Iterator[dict[str, str | None]]:
    """Yield each setting, of the environment, the page or by default."""
    shown = shown_settings()
    for one in SETTINGS:
        value, state = one.default or None, "default"
        if one.variable in shown:
            value, state = shown[one.variable], "secret" if one.is_secret else "given"
        elif (on_page := stored.get(one.page_field)) is not None:
            value, state = ", ".join(map(str, on_page)) if isinstance(on_page, tuple) else str(on_page), "page"
        yield {"variable": one.variable, "value": value, "state": state}


def _restore_check(settings: Settings, backup: Path) -> dict[str, Any]:
    with restored(settings.database_url, backup) as (url, about):
        found = inconsistencies(dataclasses.replace(settings, database_url=url, reports_database_url=None))
    return {"file": backup.name, "made_at": about.made_at, "rows": sum(about.rows.values()), "wrong": len(found)}


def _packages() -> Iterator[dict[str, str]]:
    """Yield the packages that this Python has."""
    for one in distributions():
        about = one.metadata.get_all
        classified = [it.rpartition(" :: ")[2] for it in about("Classifier") or () if "License ::" in it]
        licences = [*(about("License-Expression") or ()), *classified, *(about("License") or ()), ""]
        yield {"name": one.name, "version": one.version, "licence": licences[0].partition("\n")[0]}


def _of_release(name: str) -> Path | None:
    file = Path(sys.prefix) / name
    return file if file.is_file() else None


def _sections(dossier: Mapping[str, Any], language: str) -> Iterator[Section]:
    words = catalogue(language)["dossier"]
    yield Section(
        words["versions"], [words["made_at"].format(**_dated(language, dossier))], *_pairs(words, dossier["versions"])
    )
    yield Section(
        words["settings"],
        [words["settings_about"]],
        [words["setting"], words["value"], words["origin"]],
        [[one["variable"], one["value"] or "", words[f"state.{one['state']}"]] for one in dossier["settings"]],
    )
    yield Section(
        words["doctor"],
        [words["doctor_about"]],
        [words["part"], words["level"], words["finding"]],
        [[one["name"], words[f"level.{one['level']}"], one["text"]] for one in dossier["doctor"]],
    )
    seals = dossier["seals"]
    wrong = len(seals["tamperings"])
    state = "emptied" if seals["emptied"] else "altered" if wrong else "sealed" if seals["seals"] else "unsealed"
    yield Section(words["seals"], [words[f"seals.{state}"].format(**seals, wrong=wrong)])
    last, check = dossier["last_backup"], dossier["restore_check"]
    checked = "not_checked" if check is None else "wrong" if check["wrong"] else "right"
    yield Section(
        words["backup"],
        [
            words["backup.last"].format(**_dated(language, last)) if last else words["backup.none"],
            words[f"restore.{checked}"].format(**_dated(language, check) if check else {}),
        ],
    )
    roles = {role: words[f"role.{role}"] for role in dossier["roles"]}
    yield Section(
        words["rights"],
        [words["rights_about"]],
        [words["right"], *roles.values()],
        [[one, *("✓" if one in dossier["roles"][role] else "" for role in roles)] for one in sorted(Permission)],
    )
    bill = "materials.release" if dossier["bill_of_materials"] else "materials.none"
    yield Section(
        words["materials"],
        [words["materials_about"], words[bill]],
        [words["package"], words["version"], words["licence"]],
        [[one["name"], one["version"], one["licence"]] for one in dossier["materials"]],
    )
    tests = dossier["tests"]
    yield Section(
        words["tests"],
        [words["tests.of"].format(**_dated(language, tests)) if tests else words["tests.none"]],
        [words["part"], *(words[f"tests.{result}"] for result in ("passed", "failed", "skipped"))],
        [
            [words[f"tests.{half}"], *map(str, numbers.values())]
            for half, numbers in (tests or {"halves": {}})["halves"].items()
        ],
    )


def _dated(language: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    moment = datetime.fromisoformat(values["made_at"])
    return {**values, "made_at": f"{formats.moment(language, moment, UTC)} UTC"}


def _pairs(words: Mapping[str, str], values: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    return [words["part"], words["version"]], [[words[f"versions.{name}"], text] for name, text in values.items()]
