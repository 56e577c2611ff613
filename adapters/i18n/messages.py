"""Texts of errors, emails, documents and exports in each language."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from adapters.i18n import formats
from adapters.i18n.catalogue import LANGUAGES, catalogue
from application.imports.reading.table import Detection, Question
from domain.common.errors import Reason
from domain.hospital.use_reason import UseReason


def refusal(language: str, reason: Reason) -> str:
    """Return the sentence of a reason, with the position of its item."""
    of_several, place, _ = _place_of(reason.field or "")
    said = refusal_at_field(language, reason)
    return catalogue(language)["several"][of_several].format(line=place + 1, said=said) if of_several else said


def refusal_at_field(language: str, reason: Reason) -> str:
    """Return the sentence of a reason as it stands at its field.

    It quotes the wrong value if it is known. The section ``knowing`` has sentences for reasons with the parameter in
    the sentence's key.
    """
    words = catalogue(language)
    name = _place_of(reason.field or "")[2]
    field = words["fields"].get(name, name)
    knowing = (words["knowing"].get(f"{reason.code}.{param}") for param in reason.params)
    template = next(filter(None, knowing), words["refusals"][reason.code])
    if "value" in reason.params and "{value}" not in template:
        template = words["quoting"].get(reason.code) or f"{template} {words['quoting']['other']}"
    what = words["unique"].get(str(reason.params.get("what")), "")
    return template.format(**(_format_params(language, reason.params) | {"field": field, "what": what}))


def _place_of(field: str) -> tuple[str, int, str]:
    """Split ``items.3.quantity`` into list, position from 0, and field name.

    Other names are returned unchanged as the field name.
    """
    of_several, _, rest = field.partition(".")
    place, _, name = rest.partition(".")
    return (of_several, int(place), name) if place.isdigit() else ("", 0, field)


def problem(language: str, code: str) -> str:
    """Return the sentence of a problem that is no validation error."""
    return catalogue(language)["problems"][code]


def search(language: str, code: str, params: Mapping[str, object]) -> str:
    """Return the sentence about a FHIR search that is not supported."""
    return catalogue(language)["searches"][code].format(**params)


def missing(language: str, thing: str, id: object) -> str:
    """Return the sentence for a missing thing; empty if ``thing`` has none.

    ``thing`` is the path parameter that names it.
    """
    return catalogue(language)["missing"].get(thing, "").format(id=id)


def field(language: str, name: str) -> str:
    """Return the label of a field."""
    return catalogue(language)["fields"].get(name, name)


def finding(language: str, found: Detection) -> str:
    """Return the sentence of a detected property of a file."""
    _, _, about = found.what.partition(".")
    value = import_word(language, f"value.{found.value}") or found.value
    template = catalogue(language)["findings"][found.code]
    return template.format(
        **(_format_params(language, found.params) | {"value": value, "field": field(language, about)})
    )


def question(language: str, asked: Question) -> str:
    """Return the sentence of a question about a file."""
    names = asked.params.get("fields", (asked.field or "",))
    quoted = import_word(language, "quoted")
    fields = [quoted.format(name=field(language, str(name))) for name in names] if isinstance(names, tuple) else []
    values = {"field": field(language, asked.field or ""), "fields": f" {import_word(language, 'or')} ".join(fields)}
    return catalogue(language)["questions"][asked.code].format(**(_format_params(language, asked.params) | values))


def import_word(language: str, name: str) -> str:
    """Return a text for imports; empty if there is none."""
    return catalogue(language)["imports"].get(name, "")


def email(language: str, part: str) -> str:
    """Return an email's subject or text."""
    return catalogue(language)["emails"][part]


def pdf(language: str, part: str) -> str:
    """Return a text for PDFs and workbooks."""
    return catalogue(language)["pdf"][part]


def column(language: str, name: str) -> str:
    """Return the heading of an exported column."""
    return catalogue(language)["columns"][name]


def value(language: str, name: str) -> str:
    """Return the word for an enumerated or boolean value."""
    return catalogue(language)["values"][name]


def preferred_language(accept_language: str) -> str:
    """Return the supported language that ``Accept-Language`` prefers.

    The first of ``LANGUAGES`` is the default.
    """
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


def _format_params(language: str, params: Mapping[str, object]) -> dict[str, Any]:
    shown = {name: _format_value(language, value) for name, value in params.items()}
    if isinstance(total := params.get("total"), Decimal):
        shown["total"] = formats.amount_without_symbol(language, total)
    if (minutes := params.get("minutes")) is not None:
        template = catalogue(language)["values"]["minutes_ago" if minutes else "just_now"]
        shown["ago"] = template.format(minutes=shown["minutes"])
    if isinstance(quantity := params.get("quantity"), Decimal) and (product := params.get("product")):
        shown["counted"] = formats.counted(language, quantity, str(product))
    return shown


def _format_value(language: str, value: object) -> object:
    match value:
        case date():
            return formats.day(language, value)
        case int() | Decimal():
            return formats.quantity(language, Decimal(value))
        case UseReason():
            return catalogue(language)["values"][f"use_reason.{value}"]
        case _:
            return value
