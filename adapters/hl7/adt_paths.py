"""Where ADT messages have their values: the default places, and a hospital's map."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

# Paths of each field; of several paths the first one with a value is used. docs/interop.md has the same list.
PATHS: dict[str, tuple[str, ...]] = {
    "record_number": ("PID-3",),
    "first_surname": ("PID-5.1", "PID-5.1.3"),
    "second_surname": ("PID-6.1",),
    "name": ("PID-5.2",),
    "second_name": ("PID-5.3",),
    "date_of_birth": ("PID-7",),
    "prior_number": ("MRG-1",),
    "visit_number": ("PV1-19.1",),
    "location": ("PV1-3",),
    "class": ("PV1-2",),
    "admitted_at": ("PV1-44",),
    "discharged_at": ("PV1-45",),
    "doctor": ("PV1-17", "PV1-7"),
    # Words before the code.
    "diagnosis": ("DG1-3.2", "DG1-4", "DG1-3.5", "DG1-3.9", "DG1-3.1", "PV2-3.2", "PV2-3.1"),
    "event_at": ("EVN-6", "EVN-2", "MSH-7"),
}

_PATH = re.compile(r"([A-Z][A-Z0-9]{2})-(\d{1,3})(?:\.(\d{1,2}))?(?:\.(\d{1,2}))?")


class InvalidPathMap(Exception):
    """A file of paths with an error."""


class Place(NamedTuple):
    segment: str
    field: int
    component: int | None
    subcomponent: int | None

    @classmethod
    def of(cls, path: str) -> "Place":
        found = _PATH.fullmatch(path)
        if not found:
            raise InvalidPathMap(f"“{path}” is no place in a message: give one such as PV1-19.1")
        segment, *numbers = found.groups()
        return cls(segment, *(int(number) if number else None for number in numbers))  # type: ignore[arg-type]


def read_map(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the default paths, updated by the section [paths] of a TOML file.

    Each entry is one path or a list of paths. Raise ``InvalidPathMap``.
    """
    try:
        given = tomllib.loads(file.read_text("utf-8")).get("paths", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidPathMap(f"{file}: {error}") from None
    unknown = [name for name in given if name not in PATHS]
    if unknown:
        raise InvalidPathMap(f"there is no field “{unknown[0]}”: they are {', '.join(PATHS)}")
    paths = {name: tuple(map(str, one)) if isinstance(one, list) else (str(one),) for name, one in given.items()}
    for several in paths.values():
        for path in several:
            Place.of(path)
    return PATHS | paths
