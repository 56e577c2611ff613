"""Everything about one patient as a FHIR collection."""

from adapters.fhir.elements import Resource
from adapters.fhir.narrowing import MAX_PAGE_SIZE, SearchContext
from adapters.fhir.query import parse_query
from adapters.fhir.search import search

# With the parameter that names the patient.
_KINDS = {
    "Patient": "_id",
    "Encounter": "patient",
    "ChargeItem": "patient",
    "Device": "patient",
    "DeviceUseStatement": "patient",
    "Invoice": "patient",
}


def everything_of(context: SearchContext, patient_id: int) -> Resource:
    """Return a Bundle of all resources that searches find of a patient."""
    found: list[Resource] = []
    for kind, parameter in _KINDS.items():
        asked = parse_query(kind, [(parameter, str(patient_id))], strict=True).asked
        cursor = None
        while True:
            page = search(context, kind, asked, count=MAX_PAGE_SIZE, cursor=cursor)
            found += page.resources
            cursor = page.following
            if cursor is None:
                break
    return {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"fullUrl": f"{context.server}/{one['resourceType']}/{one['id']}", "resource": one} for one in found],
    }
