"""List of the hospitals that one installation serves, from a TOML file.

Each table has a hospital's name and its settings in lower case, without the prefix ``CONSUMO_``. Settings that are not
in it are those of the environment.
"""

import hashlib
import hmac
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.setting_values.invalid_setting import InvalidSetting

# The file with the list, and the hospital of this process among them.
LIST, CHOSEN = "HOSPITALS", "HOSPITAL"

# Names are part of schemas, roles, folders, services and metrics.
NAME_PATTERN = r"[a-z][a-z0-9_]{0,29}"

# Other names at which a hospital is reached, besides that of its public address.
HOST_NAMES = "HOST_NAMES"

# A secret of the environment gives each hospital one of its own, so that no token opens anything at another.
_DERIVED = ("SECRET_KEY", "SECRET_KEY_OLD")


@dataclass(frozen=True, slots=True)
class ListedHospital:
    """A hospital of the list with its own settings."""

    name: str
    own: Mapping[str, str] = field(repr=False)

    def settings_within(self, given: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
        """Return the settings of this hospital in an environment."""
        derived = {key: self._derive(given[key]) for key in _DERIVED if key in given}
        return {**given, **derived, **own}

    def _derive(self, secret: str) -> str:
        return hmac.new(secret.encode(), f"hospital/{self.name}".encode(), hashlib.sha256).hexdigest()


def read_hospital_list(
    given: Mapping[str, str], known: frozenset[str], of_process: frozenset[str]
) -> dict[str, ListedHospital]:
    """Return the hospitals of the list by name; empty without a list.

    ``known`` are the names of all settings, ``of_process`` of those that all hospitals share. Raise ``InvalidSetting``.
    """
    if LIST not in given:
        return {}
    file = Path(given[LIST])
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidSetting(f"CONSUMO_{LIST}: {file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"CONSUMO_{LIST}: {file} is not TOML: {error}.") from None
    if not tables:
        raise InvalidSetting(f"CONSUMO_{LIST}: {file} lists no hospital: add one with “consumo create-hospital”.")
    return {name: _read_table(file, name, table, known, of_process) for name, table in tables.items()}


def choose_hospital(hospitals: Mapping[str, ListedHospital], given: Mapping[str, str]) -> ListedHospital | None:
    """Return the hospital of this process; None without a list.

    Raise ``InvalidSetting`` if the list has several and none is chosen.
    """
    chosen = given.get(CHOSEN)
    if not hospitals:
        if chosen is not None:
            raise InvalidSetting(f"CONSUMO_{CHOSEN}: set CONSUMO_{LIST} as well, the file that lists {chosen}.")
        return None
    names = ", ".join(hospitals)
    if chosen is None:
        if len(hospitals) > 1:
            raise InvalidSetting(f"Say for which hospital: “consumo --hospital NAME …”, one of {names}.")
        return next(iter(hospitals.values()))
    if chosen not in hospitals:
        raise InvalidSetting(f"CONSUMO_{CHOSEN}: there is no hospital “{chosen}” in {given[LIST]}, only {names}.")
    return hospitals[chosen]


def _read_table(file: Path, name: str, table: Any, known: frozenset[str], of_process: frozenset[str]) -> ListedHospital:
    place = f"{file}, {name}"
    if not isinstance(table, dict):
        raise InvalidSetting(f"{file}: put “{name}” below the [name] of a hospital.")
    if not re.fullmatch(NAME_PATTERN, name):
        raise InvalidSetting(
            f"{file}: “{name}” is no name for a hospital: use a to z, digits and _, at most 30, a letter first."
        )
    own = {}
    for key, value in table.items():
        setting = key.upper()
        if key != key.lower() or setting not in known | {HOST_NAMES}:
            raise InvalidSetting(f"{place}: there is no setting “{key}”.")
        if setting in of_process:
            raise InvalidSetting(f"{place}: “{key}” is the same for all hospitals: set CONSUMO_{setting} instead.")
        own[setting] = _text_of(place, key, value)
    if "PUBLIC_URL" not in own:
        raise InvalidSetting(
            f"{place}: give the address at which browsers reach this hospital, such as "
            f'public_url = "https://{name}.consumo.example".'
        )
    return ListedHospital(name, own)


def _text_of(place: str, key: str, value: Any) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return str(value)
        case str() if value.strip():
            return value.strip()
        case [*values] if values and all(isinstance(one, str) for one in values):
            return ",".join(values)
    raise InvalidSetting(f"{place}: give “{key}” a text, a whole number, true or false, or a list of texts.")
