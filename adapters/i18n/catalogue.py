"""Languages of the server: each JSON file of this folder is one."""

import json
from functools import cache
from importlib.resources import files

_FOLDER = files(__package__)
_DEFAULT = "es"
LANGUAGES = (
    _DEFAULT,
    *sorted(
        {file.name.removesuffix(".json") for file in _FOLDER.iterdir() if file.name.endswith(".json")} - {_DEFAULT}
    ),
)


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """Return the texts of a language by section.

    Errors and problems are keyed by code, fields by name, emails and PDFs by part. ``formats`` is no text: it has the
    names of months, the order of dates and the decimal mark.
    """
    words: dict[str, dict[str, str]] = json.loads((_FOLDER / f"{language}.json").read_text("utf-8"))
    return words
