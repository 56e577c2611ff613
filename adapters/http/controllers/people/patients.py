"""Routes of patients."""

from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import PATIENTS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import MAX_ID, draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, PathId, created, provide_list
from adapters.http.routes import Use, delete, get, post, put
from application.people.identify_patient import IdentifyPatient, IdentityDraft
from application.people.merge_patients import MergeDraft, MergePatients, PreviewMerge, UnmergePatients
from application.people.patients import CreatePatient, DeletePatient, ListPatients, PatientDraft, UpdatePatient
from application.people.views import MergePreviewView, PatientPage, PatientQuery, PatientView, UnmergedPatientView

PatientDTO = draft_dto(PatientDraft, "name", "first_surname")

Merged = Annotated[
    bool, QueryParameter(description="1 for those who were merged into others, instead of all others", required=False)
]
Active = Annotated[bool | None, QueryParameter(description="1 for active ones, 0 for inactive ones", required=False)]


class PatientController(Controller):
    path = "/api/patients"
    tags = ("patients",)

    @get(guards=[requires(ListPatients)], dependencies={"asked": Provide(provide_list)})
    async def list_patients(
        self, request: ApiRequest, asked: NamedDependency[AskedList], active: Active = None, merged: Merged = False
    ) -> PatientPage:
        """List patients by surname.

        A search looks at names and record numbers; an exact number comes first. ``exact`` is the unambiguous match. If
        there are no matches, ``nearest`` has patients with similar names.
        """
        query = PatientQuery(**asked, active=active, merged=merged)
        return await list_response(request, PATIENTS, query)

    @get("/{patient_id:int}", guards=[requires(ListPatients)], sync_to_thread=True)
    def read_patient(self, request: ApiRequest, patient_id: PathId, list_patients: Use[ListPatients]) -> PatientView:
        """Read a patient."""
        return list_patients.one(request.user, patient_id)

    @post(guards=[requires(CreatePatient)], dto=PatientDTO, sync_to_thread=True)
    def create_patient(
        self,
        request: ApiRequest,
        data: JSONBody[PatientDraft],
        create_patient: Use[CreatePatient],
        list_patients: Use[ListPatients],
    ) -> Response[PatientView]:
        """Create a patient."""
        patient = create_patient(request.user, data)
        return created(list_patients.changed(request.user, patient.id), self.path)

    @put("/{patient_id:int}", guards=[requires(UpdatePatient)], dto=PatientDTO, sync_to_thread=True)
    def update_patient(
        self,
        request: ApiRequest,
        data: JSONBody[PatientDraft],
        patient_id: PathId,
        list_patients: Use[ListPatients],
        update_patient: Use[UpdatePatient],
    ) -> PatientView:
        """Update a patient."""
        update_patient(request.user, patient_id, data)
        return list_patients.changed(request.user, patient_id)

    @delete("/{patient_id:int}", guards=[requires(DeletePatient)], sync_to_thread=True)
    def delete_patient(self, request: ApiRequest, patient_id: PathId, delete_patient: Use[DeletePatient]) -> None:
        """Delete an unused patient. A 422 names the number of uses."""
        delete_patient(request.user, patient_id)

    @get("/{patient_id:int}/merge-preview", guards=[requires(PreviewMerge)], sync_to_thread=True)
    def preview_merge(
        self,
        request: ApiRequest,
        patient_id: PathId,
        into: Annotated[int, QueryParameter(ge=1, le=MAX_ID)],
        preview_merge: Use[PreviewMerge],
    ) -> MergePreviewView:
        """Preview a merge: what it would move and fill, and all differences."""
        return preview_merge(request.user, patient_id, into)

    @post(
        "/{patient_id:int}/merge",
        guards=[requires(MergePatients)],
        dto=draft_dto(MergeDraft, "into_id", "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def merge_patients(
        self, request: ApiRequest, data: JSONBody[MergeDraft], patient_id: PathId, merge_patients: Use[MergePatients]
    ) -> PatientView:
        """Merge a patient into another record and return that record.

        All sheets move to the other record. The merged one stays, inactive, and its record number finds the other one.
        """
        return merge_patients(request.user, patient_id, data)

    @post(
        "/{patient_id:int}/unmerge",
        guards=[requires(UnmergePatients)],
        status_code=200,
        sync_to_thread=True,
    )
    def unmerge_patients(
        self, request: ApiRequest, patient_id: PathId, unmerge_patients: Use[UnmergePatients]
    ) -> UnmergedPatientView:
        """Undo a merge.

        What it moved goes back, except sheets that belong to another patient by now; these are listed.
        """
        return unmerge_patients(request.user, patient_id)

    @post(
        "/{patient_id:int}/identify",
        guards=[requires(IdentifyPatient)],
        dto=draft_dto(IdentityDraft),
        status_code=200,
        sync_to_thread=True,
    )
    def identify_patient(
        self,
        request: ApiRequest,
        data: JSONBody[IdentityDraft],
        patient_id: PathId,
        identify_patient: Use[IdentifyPatient],
    ) -> PatientView:
        """Identify an unidentified patient and return the known one.

        The body has names, date of birth and record number, or ``into_id``: a patient to whom the sheets move. A 422
        with code patient.has_open_sheet says that the patient has an open sheet already.
        """
        return identify_patient(request.user, patient_id, data)
