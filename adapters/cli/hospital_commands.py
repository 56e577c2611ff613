"""``consumo create-hospital`` and ``consumo network-views``."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import rich_click as click

from adapters.cli.common import PASSWORD_STDIN, AdministratorsDatabase, console, password_from_stdin
from adapters.files.whole_files import write_file
from adapters.hospital.hospital_list import LIST, NAME_PATTERN
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import read_listed_hospitals
from adapters.sql.engine.connections import is_sqlite, to_url
from adapters.sql.hospital_schemas import HospitalExists, HospitalInPublic, hospital_schema
from adapters.sql.migrate import migrate
from adapters.sql.network_views import NotMigrated, create_network_views


@click.command("create-hospital")
@click.argument("name")
@click.option("--public-url", required=True, help="The address at which browsers reach it.")
@click.option(
    "--database-url",
    metavar="URL",
    type=AdministratorsDatabase(),
    help="PostgreSQL database in which it gets a schema and a role, with a user who may create them; otherwise it gets "
    "an SQLite file.",
)
@PASSWORD_STDIN
def create_hospital(name: str, public_url: str, database_url: str | None, password_stdin: bool) -> None:
    """Add the hospital NAME to the list in CONSUMO_HOSPITALS.

    It gets a database of its own, and its settings are added to the file. The other hospitals work on meanwhile. A
    running server serves it once it is reloaded: systemctl reload consumo.

    The password of that user is read with --password-stdin, or from PGPASSWORD or ~/.pgpass. It is never an argument.
    """
    file = _list_file()
    _check(name, public_url, file)
    with _database(name, _with_password(database_url) if password_stdin else database_url) as own_url:
        migrate(own_url)
        _append(file, f"[{name}]\npublic_url = {json.dumps(public_url)}\ndatabase_url = {json.dumps(own_url)}\n")
    console.print(
        f"{name} is in {file}. Reload the server, and create its first administrator with “consumo --hospital {name} "
        "create-user --role 10 EMAIL”.",
        markup=False,
    )


@click.command("network-views")
@click.option(
    "--database-url",
    metavar="URL",
    required=True,
    type=AdministratorsDatabase(),
    help="The PostgreSQL database, with a user who may create roles.",
)
@PASSWORD_STDIN
def network_views(database_url: str, password_stdin: bool) -> None:
    """Create views over all hospitals of the list in one database.

    They are in the schema network: details, sheets, products and areas, with the hospital's name as a column. Members
    of the role network_reader may read them, and nothing else. Run it again after adding a hospital, an upgrade or a
    restore.

    The password of that user is read with --password-stdin, or from PGPASSWORD or ~/.pgpass. It is never an argument.
    """
    _list_file()
    admin_url = _with_password(database_url) if password_stdin else database_url
    hospitals = {settings.name: settings.database_url for settings in read_listed_hospitals()}
    with _admin_errors():
        try:
            found = create_network_views(admin_url, hospitals)
        except NotMigrated as hospital:
            raise click.ClickException(f"{hospital} lacks the views: run “consumo --all migrate” first.") from None
    if not found:
        raise click.ClickException("No hospital of the list is in this database.")
    console.print(f"network: {', '.join(found)}.", markup=False)
    for name in sorted(hospitals.keys() - set(found)):
        console.print(f"{name} is in another database, and left out.", markup=False)


def _with_password(database_url: str | None) -> str:
    """Return the URL with the password on standard input."""
    if database_url is None:
        raise click.UsageError("--password-stdin goes with --database-url.")
    return to_url(database_url).set(password=password_from_stdin()).render_as_string(hide_password=False)


def _list_file() -> Path:
    given = os.environ.get(f"CONSUMO_{LIST}", "").strip()
    if not given:
        raise InvalidSetting(f"CONSUMO_{LIST}: set the file that lists the hospitals; it is created if it is missing.")
    return Path(given)


def _check(name: str, public_url: str, file: Path) -> None:
    if not re.fullmatch(NAME_PATTERN, name):
        raise click.UsageError(
            f"“{name}” is no name for a hospital: use a to z, digits and _, at most 30, a letter first."
        )
    address = urlsplit(public_url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise click.UsageError(f"--public-url {public_url}: give an address such as https://{name}.consumo.example.")
    for other in read_listed_hospitals() if file.exists() else ():
        if other.name == name:
            raise click.ClickException(f"{file} lists {name} already.")
        if address.hostname in other.host_names:
            raise click.ClickException(f"{other.name} is reached at {address.hostname} already: give another name.")


@contextmanager
def _database(name: str, admin_url: str | None) -> Iterator[str]:
    """Yield the URL of a new database; it is dropped if the block fails."""
    if admin_url is None:
        folder = Path("var", name).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield f"sqlite:///{folder / 'consumo.db'}"
        return
    if is_sqlite(to_url(admin_url)):
        raise click.UsageError("--database-url: give a PostgreSQL database, or leave it out for an SQLite file.")
    with _admin_errors(), hospital_schema(admin_url, name) as own_url:
        yield own_url


@contextmanager
def _admin_errors() -> Iterator[None]:
    """Turn errors of the administrator's connection into sentences."""
    try:
        yield
    except HospitalExists as there:
        raise click.ClickException(f"The database has {there} already: give the hospital another name.") from None
    except HospitalInPublic:
        raise click.ClickException(
            "The database has the tables of a single hospital in the schema public: give another database."
        ) from None
    except psycopg.errors.InsufficientPrivilege:
        raise click.ClickException(
            "--database-url: this user may not create roles and schemas: give one who may."
        ) from None
    except psycopg.OperationalError as error:
        cause = str(error).partition("\n")[0].strip()
        raise click.ClickException(f"--database-url: the database cannot be used: {cause}.") from None


def _append(file: Path, table: str) -> None:
    """Add a table to the file; readers see it as a whole or not at all."""
    former = file.read_text(encoding="utf-8") if file.exists() else ""
    separator = "\n" if former else ""
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    try:
        with write_file(file, replace=True, mode=mode) as new:
            new.write(f"{former}{separator}{table}".encode())
    except OSError as error:
        raise click.ClickException(
            f"{file}: {error.strerror}. This user must be able to write in its folder."
        ) from None
