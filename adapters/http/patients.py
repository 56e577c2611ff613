"""Patients."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_of
from adapters.http.lists import answer_list
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import ExactResponse, PathId, list_query
from application.paging import ListQuery, Page
from application.patients import PatientDraft
from application.use_cases import UseCases
from application.views import PatientQuery, PatientView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_of(PatientDraft, "name", "first_surname")

Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


@get(
    "/api/patients",
    operation_id="listPatients",
    may=Permission.READ_PATIENTS,
    summary="List and search patients",
    tags=["patients"],
    dependencies={"asked": Provide(list_query)},
)
def list_patients(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    asked: NamedDependency[ListQuery],
    active: Active = None,
) -> Page[PatientView]:
    """Patients by surname; a search looks at names and record numbers."""
    query = PatientQuery(page=asked.page, limit=asked.limit, sort=asked.sort, q=asked.q, active=active)
    page: Page[PatientView] = answer_list(request, "patients", use_cases, actor, query, hospital)
    return page


@get(
    "/api/patients/{patient_id:int}",
    operation_id="readPatient",
    may=Permission.READ_PATIENTS,
    summary="Read a patient",
    tags=["patients"],
)
def read_patient(use_cases: UseCases, actor: Actor, patient_id: PathId) -> PatientView:
    """One patient."""
    return use_cases.patients.one(actor, patient_id)


@post(
    "/api/patients",
    operation_id="createPatient",
    may=Permission.SAVE_PATIENTS,
    operation_class=_REQUEST_BODY,
    summary="Create a patient",
    tags=["patients"],
)
def create_patient(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[PatientView]:
    """Register a patient."""
    patient = use_cases.create_patient(actor, body.read(PatientDraft))
    location = {"Location": f"/api/patients/{patient.id}"}
    return ExactResponse(use_cases.patients.changed(actor, patient.id), headers=location)


@put(
    "/api/patients/{patient_id:int}",
    operation_id="updatePatient",
    may=Permission.SAVE_PATIENTS,
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
    """Correct a patient's particulars."""
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
    """Delete one that nothing refers to; 422 says by how many it is used."""
    use_cases.delete_patient(actor, patient_id)


ROUTES = [list_patients, read_patient, create_patient, update_patient, delete_patient]
