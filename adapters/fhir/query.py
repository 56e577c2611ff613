"""The parameters of a FHIR search, and those that are not supported."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.fhir.includes import Include, parse_include
from adapters.fhir.narrowing import MAX_PAGE_SIZE
from adapters.fhir.resource_types import SEARCHABLE
from adapters.fhir.search_parameters import BadSearch, SearchParameter, split
from adapters.fhir.sorting import SortKey, parse_sort

MAX_VALUES = 100
_PER_PAGE = 25
_CHOICES = {"_total": ("none", "estimate", "accurate"), "_summary": ("false", "count")}
_CONTROLS = ("_count", "_cursor", "_total", "_summary", "_format", "_sort", "_include")
# They shape the answer and do not narrow it, so they may be ignored.
_IGNORABLE = frozenset({"_elements", "_pretty", "_contained", "_containedType", "_revinclude", "_score"})
# They select the resources of something or someone. To ignore one would return those of everyone.
SELECTING = frozenset(
    {
        *("_content", "_filter", "_has", "_in", "_list", "_profile", "_query", "_security", "_source", "_tag", "_text"),
        *("patient", "subject", "encounter", "context", "device", "location", "partof", "identifier"),
        *("account", "appointment", "based-on", "diagnosis", "endpoint", "enterer", "episode-of-care"),
        *("general-practitioner", "issuer", "link", "organization", "part-of", "participant", "performer-actor"),
        *("performing-organization", "practitioner", "reason-reference", "recipient", "requesting-organization"),
        *("service", "service-provider"),
        *("address", "agent", "agent-name", "altid", "entity", "entity-name", "policy", "site", "source"),
    }
)


class NotAcceptable(Exception):
    """The caller asks for another format than JSON."""


@dataclass(slots=True)
class SearchQuery:
    """A parsed search.

    ``honoured`` are the parameters that had an effect, for the link ``self``. Without ``count`` only the total is
    wanted.
    """

    asked: list[SearchParameter] = field(default_factory=list)
    honoured: list[tuple[str, str]] = field(default_factory=list)
    sort: list[SortKey] = field(default_factory=list)
    includes: list[Include] = field(default_factory=list)
    count: int = _PER_PAGE
    cursor: str | None = None
    with_total: bool = False


def parse_query(kind: str, sent: Sequence[tuple[str, str]], *, strict: bool) -> SearchQuery:
    """Parse the parameters of a search.

    Raise ``BadSearch`` for an unsupported value, and for an unsupported parameter if the caller wants that
    (``strict``) or without it the search would return more than it asks for.
    """
    query = SearchQuery()
    controls: dict[str, str] = {}
    ignored: list[str] = []
    for sent_name, value in sent:
        # A chain may name the resource type: subject:Patient.identifier.
        name = sent_name.replace(":Patient.", ".")
        base = name.partition(":")[0]
        if base == "_include":
            query.includes += parse_include(kind, name, value)
        elif name in _CONTROLS:
            controls[name] = value
        elif base in SEARCHABLE[kind]:
            query.asked.append(split(name, value))
        elif strict or "." in base or base in SELECTING:
            raise _not_supported(kind, sent_name)
        else:
            ignored += [] if base in _IGNORABLE else [sent_name]
            continue
        query.honoured.append((name, value))
    if ignored and not query.asked:
        raise _not_supported(kind, ignored[0])
    values = sum(len(given.values) for given in query.asked)
    if values > MAX_VALUES:
        raise BadSearch("too_many_values", values=values, most=MAX_VALUES)
    _apply(query, kind, controls)
    return query


def ensure_json(format: str) -> None:
    """Raise ``NotAcceptable`` unless the value of ``_format`` is JSON."""
    # An unencoded plus arrives as a blank.
    if format.partition(";")[0].strip().replace(" ", "+") not in _JSON:
        raise NotAcceptable


def ensure_accepts_json(accept: str) -> None:
    """Raise ``NotAcceptable`` unless the header ``Accept`` allows JSON."""
    if accept.strip() and not any(map(_allows_json, accept.lower().split(","))):
        raise NotAcceptable


_JSON = frozenset({"json", "application/json", "application/fhir+json", "application/json+fhir", "text/json"})


def _allows_json(media_range: str) -> bool:
    media_type, *parameters = (part.strip() for part in media_range.split(";"))
    named = dict(parameter.split("=", 1) for parameter in parameters if "=" in parameter)
    return (
        media_type in _JSON | {"*/*", "application/*"}
        and named.get("fhirversion", "4.0").strip('"') == "4.0"
        and named.get("q", "1").strip("0.") != ""
    )


def _not_supported(kind: str, name: str) -> BadSearch:
    return BadSearch("parameter_unsupported", name=name, kind=kind, known=", ".join(SEARCHABLE[kind]))


def _apply(query: SearchQuery, kind: str, controls: dict[str, str]) -> None:
    for name, choices in _CHOICES.items():
        if controls.get(name, choices[0]) not in choices:
            raise BadSearch("value_unsupported", name=name, value=controls[name], known=", ".join(choices))
    ensure_json(controls.get("_format", "json"))
    query.sort = parse_sort(kind, controls["_sort"]) if "_sort" in controls else []
    query.cursor = controls.get("_cursor")
    query.count = min(_number(controls.get("_count", str(_PER_PAGE))), MAX_PAGE_SIZE)
    if controls.get("_summary") == "count":
        query.count = 0
    query.with_total = controls.get("_total") == "accurate"


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadSearch("no_count", value=text[:20], most=MAX_PAGE_SIZE)
    return int(text)
