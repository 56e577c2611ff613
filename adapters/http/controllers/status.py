"""Routes of the installation's state, and of what devices report."""

from functools import partial
from typing import Annotated

from litestar import Controller
from litestar.exceptions import TooManyRequestsException
from litestar.params import JSONBody, PathParameter

from adapters.http.authentication import requires
from adapters.http.requests.client_address import client_address, client_name
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.routes import Use, delete, get, post, put
from adapters.http.workers.fair_queue import IDENTITY_PROVIDER
from application.accounts.sessions.sessions import EndDeviceSessions
from application.status.read_status import ReadStatus
from application.status.report_outbox import OutboxDraft, ReportOutbox
from application.status.send_test_email import SendTestEmail
from application.status.views import SentEmailView, StatusView

OutboxDTO = draft_dto(OutboxDraft, "count")


class DeviceController(Controller):
    path = "/api/devices"
    tags = ("devices",)

    @put(
        "/{device_id:str}/outbox",
        guards=[requires(ReportOutbox)],
        dto=OutboxDTO,
        status_code=204,
        sync_to_thread=True,
    )
    def report_outbox(
        self,
        request: ApiRequest,
        device_id: Annotated[str, PathParameter(description="Random id of the device, 16 to 64 characters")],
        data: JSONBody[OutboxDraft],
        report_outbox: Use[ReportOutbox],
    ) -> None:
        """Report how many lines a device has not sent, and since when.

        A count of 0 clears the report. Supervisors see it in the worklist. ``user_id`` is whose lines they are, if they
        are of another user of the device. That counts if the device of the session had a session of theirs.

        ``device_id`` is a random text of 16 to 64 letters, digits and hyphens (404 otherwise). A later report replaces
        an earlier one of the same device and user. Up to 20 devices per user are kept, for 30 days. The answer is the
        same if nothing is stored.

        The audit log does not keep it.
        """
        report_outbox(request.auth, device_id, data)

    @delete("/{device:str}/sessions", guards=[requires(EndDeviceSessions)], sync_to_thread=True)
    def end_device_sessions(
        self,
        request: ApiRequest,
        device: Annotated[str, PathParameter(description="Thumbprint of the device's key, from the list of sessions")],
        end_device_sessions: Use[EndDeviceSessions],
    ) -> None:
        """End the sessions on a lost device.

        They are those of all accounts that the caller manages. The caller's own sessions there end too, except the
        current one.

        It needs users.manage.
        """
        end_device_sessions(request.auth, device, client_address(request), client_name(request))


class StatusController(Controller):
    path = "/api/status"
    tags = ("operations",)

    @get(guards=[requires(ReadStatus)])
    async def read_status(self, request: ApiRequest, read_status: Use[ReadStatus]) -> StatusView:
        """Return what works and what needs attention, part by part.

        ``findings`` have ``level`` (ok, warning, error), ``advice`` (a code, or null) and the facts of the part, null
        if it does not have them. They contain no secret.
        """
        # It asks the identity provider.
        read = partial(read_status, request.user)
        return await IDENTITY_PROVIDER.run(request.owner, read)

    @post(
        "/test-email",
        guards=[requires(SendTestEmail)],
        status_code=200,
        sync_to_thread=True,
        raises=[UnprocessableException, TooManyRequestsException],
    )
    def send_test_email(self, request: ApiRequest, send_test_email: Use[SendTestEmail]) -> SentEmailView:
        """Send a test email to the signed-in administrator.

        It waits until the mail server has accepted it, and is refused with the reason otherwise.

        The reasons are mail.off, mail.unreachable, mail.not_encrypted, mail.login_refused and mail.refused. Up to 5 in
        15 minutes, then 429.
        """
        return send_test_email(request.user, language_of(request))
