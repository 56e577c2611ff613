"""FHIR elements: identifiers, names, references, money and dates."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

Resource = dict[str, Any]

# Systems of Consumo's own identifiers and codes. They are names, not addresses.
RECORD_NUMBER = "urn:consumo:record-number"
VISIT_NUMBER = "urn:consumo:visit-number"
LOCATION_CODE = "urn:consumo:location-code"
PRODUCT_ID = "urn:consumo:product-id"
PRODUCT_CODE = "urn:consumo:product-code"
CHARGE = "urn:consumo:charge"
CLOSING = "urn:consumo:closing"
ERROR = "urn:consumo:error"
UNIT_PRICE = "urn:consumo:unit-price"
GTIN = "https://www.gs1.org/gtin"
GS1_DEVICE_IDENTIFIERS = "http://hl7.org/fhir/NamingSystem/gs1-di"

# The tag of a resource that was deleted.
DELETED = {"system": "urn:consumo:lifecycle", "code": "deleted"}

_DATA_ABSENT_REASON = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
_V3_ACT = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
_FATHERS_FAMILY = "http://hl7.org/fhir/StructureDefinition/humanname-fathers-family"
_MOTHERS_FAMILY = "http://hl7.org/fhir/StructureDefinition/humanname-mothers-family"


def resource(kind: str, id: object, changed: datetime | None, **elements: Any) -> Resource:
    """Return a resource without empty elements."""
    meta = {"lastUpdated": instant(changed)} if changed else None
    return drop_empty({"resourceType": kind, "id": str(id), "meta": meta, **elements})


def drop_empty(elements: Mapping[str, Any]) -> Resource:
    """Return the elements that are not empty: FHIR has neither null nor empty."""
    return {name: value for name, value in elements.items() if value not in (None, "", [], {})}


def instant(moment: datetime) -> str:
    """Return a moment in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def reference(kind: str, id: object, display: str | None = None) -> Resource:
    """Return a reference to a resource of this server."""
    return drop_empty({"reference": f"{kind}/{id}", "display": display})


def identifier(
    system: str, value: str | None, *, use: str | None = None, type_code: str | None = None
) -> Resource | None:
    """Return an identifier, or None without a value."""
    if not value:
        return None
    coding = {"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": type_code}
    return drop_empty(
        {"use": use, "type": {"coding": [coding]} if type_code else None, "system": system, "value": value}
    )


def human_name(person: Mapping[str, Any]) -> Resource:
    """Return a name with one or two surnames; HL7 extensions tell them apart."""
    first, second = person["first_surname"], person["second_surname"]
    extensions = [{"url": _FATHERS_FAMILY, "valueString": first}]
    if second:
        extensions.append({"url": _MOTHERS_FAMILY, "valueString": second})
    family = " ".join(filter(None, (first, second)))
    return drop_empty(
        {
            "use": "official",
            "text": full_name(person),
            "family": family,
            "_family": {"extension": extensions},
            "given": person["name"].split(),
        }
    )


def full_name(person: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (person["name"], person["first_surname"], person["second_surname"])))


def unknown() -> Resource:
    """Return an element for a required value that is not known any more."""
    return {"extension": [{"url": _DATA_ABSENT_REASON, "valueCode": "unknown"}]}


def money(amount: Decimal, currency: str) -> Resource:
    """Return an exact amount of money."""
    return {"value": amount, "currency": currency}


def coding(system: str, code: str, display: str | None = None) -> Resource:
    """Return one code."""
    return drop_empty({"system": system, "code": code, "display": display})


def act_code(code: str, display: str) -> Resource:
    """Return a class of encounters."""
    return coding(_V3_ACT, code, display)


def day(value: date | None) -> str | None:
    """Return a date in ISO format."""
    return value.isoformat() if value else None
