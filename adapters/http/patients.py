"""Routes of patients."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import MAX_ID, JsonBody, request_body_schema
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from application.merge_patients import MergeDraft
from application.patients import PatientDraft
from application.use_cases import UseCases
from application.views import MergePreviewView, PatientPage, PatientQuery, PatientView, UnmergedPatientView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(PatientDraft, "name", "first_surname")

Merged = Annotated[
    bool, QueryParameter(description="1 for those who were merged into others, instead of all others", required=False)
]
Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


@get(
    "/api/patients",
    operation_id="listPatients",
    may=Permission.READ_PATIENTS,
    summary="List and search patients",
    tags=["patients"],
    dependencies={"asked": Provide(provide_list)},
)
def list_patients(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[AskedList],
    active: Active = None,
    merged: Merged = False,
) -> PatientPage:
    """List patients by surname.

    A search looks at names and record numbers; an exact number comes first. ``exact`` is the unambiguous match. If
    there are no matches, ``nearest`` has patients with similar names.
    """
    query = PatientQuery(**asked, active=active, merged=merged)
    page: PatientPage = list_response(request, "patients", use_cases, actor, query, hospital)
    return page


@get(
    "/api/patients/{patient_id:int}",
    operation_id="readPatient",
    may=Permission.READ_PATIENTS,
    summary="Read a patient",
    tags=["patients"],
)
def read_patient(use_cases: UseCases, actor: Actor, patient_id: PathId) -> PatientView:
    return use_cases.patients.one(actor, patient_id)


@post(
    "/api/patients",
    operation_id="createPatient",
    may=Permission.WRITE_PATIENTS,
    operation_class=_REQUEST_BODY,
    summary="Create a patient",
    tags=["patients"],
)
def create_patient(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[PatientView]:
    patient = use_cases.create_patient(actor, body.read(PatientDraft))
    location = {"Location": f"/api/patients/{patient.id}"}
    return DecimalJSONResponse(use_cases.patients.changed(actor, patient.id), headers=location)


@put(
    "/api/patients/{patient_id:int}",
    operation_id="updatePatient",
    may=Permission.WRITE_PATIENTS,
    operation_class=_REQUEST_BODY,
    summary="Update a patient",
    tags=["patients"],
)
def update_patient(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    patient_id: PathId,
) -> PatientView:
    use_cases.update_patient(actor, patient_id, body.read(PatientDraft))
    return use_cases.patients.changed(actor, patient_id)


@delete(
    "/api/patients/{patient_id:int}",
    operation_id="deletePatient",
    may=Permission.DELETE_PATIENTS,
    summary="Delete a patient",
    tags=["patients"],
)
def delete_patient(use_cases: UseCases, actor: Actor, patient_id: PathId) -> None:
    """Delete an unused patient. A 422 names the number of uses."""
    use_cases.delete_patient(actor, patient_id)


@get(
    "/api/patients/{patient_id:int}/merge-preview",
    operation_id="previewMerge",
    may=Permission.MERGE_PATIENTS,
    summary="See what merging a patient would do",
    tags=["patients"],
)
def preview_merge(
    use_cases: UseCases, actor: Actor, patient_id: PathId, into: Annotated[int, QueryParameter(ge=1, le=MAX_ID)]
) -> MergePreviewView:
    """Preview a merge: what it would move and fill, and all differences."""
    return use_cases.preview_merge(actor, patient_id, into)


@post(
    "/api/patients/{patient_id:int}/merge",
    operation_id="mergePatients",
    may=Permission.MERGE_PATIENTS,
    operation_class=request_body_schema(MergeDraft, "into_id", "reason"),
    summary="Merge a patient into another record of the same person",
    tags=["patients"],
    status_code=200,
)
def merge_patients(use_cases: UseCases, actor: Actor, body: JsonBody, patient_id: PathId) -> PatientView:
    """Merge a patient into another record and return that record.

    All sheets move to the other record. The merged one stays, inactive, and its record number finds the other one.
    """
    return use_cases.merge_patients(actor, patient_id, body.read(MergeDraft))


@post(
    "/api/patients/{patient_id:int}/unmerge",
    operation_id="unmergePatients",
    may=Permission.UNMERGE_PATIENTS,
    summary="Undo a merge",
    tags=["patients"],
    status_code=200,
)
def unmerge_patients(use_cases: UseCases, actor: Actor, patient_id: PathId) -> UnmergedPatientView:
    """Undo a merge.

    What it moved goes back, except sheets that belong to another patient by now; these are listed.
    """
    return use_cases.unmerge_patients(actor, patient_id)


ROUTES = [
    list_patients,
    read_patient,
    create_patient,
    update_patient,
    delete_patient,
    preview_merge,
    merge_patients,
    unmerge_patients,
]
