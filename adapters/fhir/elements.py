"""The pieces of which resources are made: identifiers, names, references, money, moments."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

Resource = dict[str, Any]

# What Consumo's own identifiers and codes are of. They are names, no addresses.
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

_V3_ACT = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
_FATHERS_FAMILY = "http://hl7.org/fhir/StructureDefinition/humanname-fathers-family"
_MOTHERS_FAMILY = "http://hl7.org/fhir/StructureDefinition/humanname-mothers-family"


def resource(kind: str, id: object, changed: datetime | None, **elements: Any) -> Resource:
    """A resource, without the elements that there is nothing to tell of."""
    meta = {"lastUpdated": instant(changed)} if changed else None
    return told({"resourceType": kind, "id": str(id), "meta": meta, **elements})


def told(elements: Mapping[str, Any]) -> Resource:
    """The elements of which there is something to tell: FHIR knows neither null nor empty."""
    return {name: value for name, value in elements.items() if value not in (None, "", [], {})}


def instant(moment: datetime) -> str:
    """A moment in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def reference(kind: str, id: object, display: str | None = None) -> Resource:
    """A reference to a resource of ours."""
    return told({"reference": f"{kind}/{id}", "display": display})


def identifier(
    system: str, value: str | None, *, use: str | None = None, type_code: str | None = None
) -> Resource | None:
    """An identifier, None where there is none."""
    if not value:
        return None
    coding = {"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": type_code}
    return told({"use": use, "type": {"coding": [coding]} if type_code else None, "system": system, "value": value})


def human_name(person: Mapping[str, Any]) -> Resource:
    """A name with one or two surnames, of which HL7's extensions tell which is whose."""
    first, second = person["first_surname"], person["second_surname"]
    extensions = [{"url": _FATHERS_FAMILY, "valueString": first}]
    if second:
        extensions.append({"url": _MOTHERS_FAMILY, "valueString": second})
    family = " ".join(filter(None, (first, second)))
    return told(
        {
            "use": "official",
            "text": full_name(person),
            "family": family,
            "_family": {"extension": extensions},
            "given": person["name"].split(),
        }
    )


def full_name(person: Mapping[str, Any]) -> str:
    """A name as it is shown."""
    return " ".join(filter(None, (person["name"], person["first_surname"], person["second_surname"])))


def money(amount: Decimal, currency: str) -> Resource:
    """An amount, exact."""
    return {"value": amount, "currency": currency}


def coding(system: str, code: str, display: str | None = None) -> Resource:
    """One code."""
    return told({"system": system, "code": code, "display": display})


def act_code(code: str, display: str) -> Resource:
    """A kind of encounter."""
    return coding(_V3_ACT, code, display)


def day(value: date | None) -> str | None:
    """A day."""
    return value.isoformat() if value else None
