"""What refusals and problems are called, in Spanish and English."""

import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from domain.refusal import Reason

LANGUAGES = ("es", "en")


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """The words of a language: refusals and problems by code, fields by name, letters and paper by part."""
    words: dict[str, dict[str, str]] = json.loads((files(__package__) / f"{language}.json").read_text("utf-8"))
    return words


def refusal(language: str, reason: Reason) -> str:
    """The sentence for one reason."""
    words = catalogue(language)
    field = words["fields"].get(reason.field or "", reason.field or "")
    return words["refusals"][reason.code].format(field=field, **_shown(reason.params))


def problem(language: str, code: str) -> str:
    """The sentence for anything else that went wrong."""
    return catalogue(language)["problems"][code]


def letter(language: str, part: str) -> str:
    """A letter's subject or text."""
    return catalogue(language)["letters"][part]


def paper(language: str, part: str) -> str:
    """What stands on paper."""
    return catalogue(language)["paper"][part]


def preferred_language(accept_language: str) -> str:
    """The language that an ``Accept-Language`` header prefers of those we have; Spanish where it says nothing."""
    best, best_quality = LANGUAGES[0], 0.0
    for part in accept_language.split(","):
        tag, _, parameter = part.partition(";")
        language = tag.strip().partition("-")[0].lower()
        try:
            quality = float(parameter.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if language in LANGUAGES and quality > best_quality:
            best, best_quality = language, quality
    return best


def _shown(params: Mapping[str, object]) -> dict[str, Any]:
    return {name: f"{value:,}" if isinstance(value, int | Decimal) else value for name, value in params.items()}
