"""Routes of the hospital's settings and its logo."""

from typing import Annotated

from litestar import Controller, Response
from litestar.exceptions import NotFoundException
from litestar.params import JSONBody, QueryParameter

from adapters.documents.pdf.sample import sample_sheet
from adapters.documents.pdf.sheet import sheet_pdf
from adapters.hospital.profile import profile_of
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.requests.upload import FileUploadOperation
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import document_response
from adapters.http.responses.wire import (
    IfMatch,
    IfNoneMatch,
    expected_versions,
    parse_etags,
    versioned,
)
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.hospital.settings import (
    ChangeHospitalSettings,
    HospitalDraft,
    PreviewHospitalSettings,
    ReadHospitalSettings,
    RemoveHospitalLogo,
    SetHospitalLogo,
)
from application.hospital.views import HospitalSettingsView
from domain.common.errors import NotFound

_HospitalDTO = draft_dto(
    HospitalDraft, "number_format", "idle_minutes", "ask_above_total", "shift_starts", "time_zone", "currency"
)


class HospitalController(Controller):
    path = "/api/hospital"
    tags = ("hospital",)

    @get("/settings", guards=[requires(ReadHospitalSettings)], sync_to_thread=True)
    def read_hospital_settings(
        self, request: ApiRequest, read_hospital_settings: Use[ReadHospitalSettings]
    ) -> Response[HospitalSettingsView]:
        """Read the settings that apply, and which of them the server sets."""
        return versioned(read_hospital_settings(request.user))

    @put("/settings", guards=[requires(ChangeHospitalSettings)], dto=_HospitalDTO, sync_to_thread=True)
    def change_hospital_settings(
        self,
        request: ApiRequest,
        data: JSONBody[HospitalDraft],
        if_match: IfMatch,
        change_hospital_settings: Use[ChangeHospitalSettings],
    ) -> Response[HospitalSettingsView]:
        """Change the settings, which apply at once.

        Those that the server sets may be left out. Another value of one is a 422, code setting.fixed.

        Other processes apply them within two seconds.
        """
        change = change_hospital_settings
        return versioned(change(request.user, data, expected_versions(if_match)))

    @post(
        "/preview",
        guards=[requires(PreviewHospitalSettings)],
        dto=_HospitalDTO,
        status_code=200,
        media_type="application/pdf",
    )
    async def preview_hospital_settings(
        self,
        request: ApiRequest,
        data: JSONBody[HospitalDraft],
        preview_hospital_settings: Use[PreviewHospitalSettings],
    ) -> Response[bytes]:
        """Return a sample sheet as PDF with these settings. Nothing is stored."""
        language = language_of(request)

        def draw() -> bytes:
            settings = preview_hospital_settings(request.user, data)
            return sheet_pdf(profile_of(settings, request.hospital.logo), sample_sheet(language), language)

        return document_response(await HEAVY_WORK.run(request.owner, draw), "preview.pdf", is_shown=True)

    @put("/logo", guards=[requires(SetHospitalLogo)], operation_class=FileUploadOperation)
    async def set_hospital_logo(
        self, request: ApiRequest, if_match: IfMatch, set_hospital_logo: Use[SetHospitalLogo]
    ) -> Response[HospitalSettingsView]:
        """Set the logo: a PNG or JPEG image of up to 200 kB.

        It is encoded again, without metadata.
        """
        image, use_case = await request.body(), set_hospital_logo
        expected = expected_versions(if_match)
        return versioned(await HEAVY_WORK.run(request.owner, lambda: use_case(request.user, image, expected)))

    @delete("/logo", guards=[requires(RemoveHospitalLogo)], status_code=200, sync_to_thread=True)
    def remove_hospital_logo(
        self, request: ApiRequest, if_match: IfMatch, remove_hospital_logo: Use[RemoveHospitalLogo]
    ) -> Response[HospitalSettingsView]:
        """Remove the logo."""
        return versioned(remove_hospital_logo(request.user, expected_versions(if_match)))


class LogoController(Controller):
    path = "/api/hospital/logo"
    tags = ("hospital",)

    @get(exclude_from_auth=True, media_type="image/png", raises=[NotFoundException])
    async def read_hospital_logo(
        self,
        request: ApiRequest,
        if_none_match: IfNoneMatch = None,
        version: Annotated[
            int | None,
            QueryParameter(description="`logo_version` of the settings; makes the answer cacheable", required=False),
        ] = None,
    ) -> Response[bytes]:
        """Return the logo with its ETag, without sign-in; 404 without one."""
        logo, current = request.hospital.logo, request.hospital.logo_version
        if logo is None:
            raise NotFound
        if if_none_match is not None and current in parse_etags(if_none_match):
            return Response(b"", status_code=304, media_type=logo.media_type, headers={"ETag": f'"{current}"'})
        # The address with a version is that of this very image.
        lasts = "public, max-age=31536000, immutable" if version == current else "no-cache"
        headers = {"ETag": f'"{current}"', "Cache-Control": lasts}
        return Response(logo.image, media_type=logo.media_type, headers=headers)
