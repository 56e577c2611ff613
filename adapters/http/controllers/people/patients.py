"""Routes of patients."""

from typing import Annotated

from litestar import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from adapters.http.authentication import requires
from adapters.http.controllers.crud import crud_controller
from adapters.http.requests.drafts import MAX_ID, draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import AskedList, PathId
from adapters.http.routes import Use, get, post
from application.people.identify_patient import IdentifyPatient, IdentityDraft
from application.people.merge_patients import MergeDraft, MergePatients, PreviewMerge, UnmergePatients
from application.people.patients import CreatePatient, DeletePatient, ListPatients, PatientDraft, UpdatePatient
from application.people.views import MergePreviewView, PatientPage, PatientQuery, PatientView, UnmergedPatientView

Merged = Annotated[bool, QueryParameter(description="1: only merged patients", required=False)]
Active = Annotated[bool | None, QueryParameter(description="1: only active; 0: only inactive", required=False)]


async def provide_patients(
    asked: NamedDependency[AskedList], active: Active = None, merged: Merged = False
) -> PatientQuery:
    """Provide the query of the list of patients."""
    return PatientQuery(**asked, active=active, merged=merged)


PatientController = crud_controller(
    "/api/patients",
    "a patient",
    dto=draft_dto(PatientDraft, "name", "first_surname"),
    lists=ListPatients,
    creates=CreatePatient,
    updates=UpdatePatient,
    deletes=DeletePatient,
    query=provide_patients,
    page=PatientPage,
    about_list="""List patients by surname.

    A search looks at names and record numbers; an exact number comes first. ``exact`` is the unambiguous match. If
    there are no matches, ``nearest`` has patients with similar names.
    """,
)


class PatientIdentityController(Controller):
    path = "/api/patients/{patient_id:int}"
    tags = ("patients",)

    @get("/merge-preview", guards=[requires(PreviewMerge)], sync_to_thread=True, raises=[UnprocessableException])
    def preview_merge(
        self,
        request: ApiRequest,
        patient_id: PathId,
        into: Annotated[int, QueryParameter(ge=1, le=MAX_ID)],
        preview_merge: Use[PreviewMerge],
    ) -> MergePreviewView:
        """Preview a merge: what it would move and fill, and all differences.

        ``another_person`` is true if name, first surname or date of birth contradict, apart from accents and letter
        case; then ``asks_number_of`` is the patient whose number has to be typed: the one that goes, if it has a
        number. Unidentified patients and records without any number are not asked about.
        """
        return preview_merge(request.user, patient_id, into)

    @post(
        "/merge",
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

        It fills in blank fields of the other record. If name, first surname or date of birth contradict, ``number_end``
        is required (merge.unconfirmed): the last four letters and digits, or more, of the record number of the patient
        that the preview names.
        """
        return merge_patients(request.user, patient_id, data)

    @post(
        "/unmerge",
        guards=[requires(UnmergePatients)],
        status_code=200,
        sync_to_thread=True,
    )
    def unmerge_patients(
        self, request: ApiRequest, patient_id: PathId, unmerge_patients: Use[UnmergePatients]
    ) -> UnmergedPatientView:
        """Undo a merge.

        What it moved goes back, except sheets that belong to another patient by now; these are listed.

        The user who merged (``merged_by``) and role 10 may; for others it is a 422, merge.not_own. ``stayed`` lists the
        sheets that stay. The last of several merges is undone first (patient.merged_on).
        """
        return unmerge_patients(request.user, patient_id)

    @post(
        "/identify",
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

        With ``into_id`` the record is merged into that one, with all lines and prices, and an inactive one becomes
        active.
        """
        return identify_patient(request.user, patient_id, data)
