"""Route of the overview, the content of the home page."""

from litestar import Controller, get

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from application.ward.overview_views import OverviewView
from domain.common.policy import Permission


class OverviewController(Controller):
    path = "/api/overview"
    tags = ("reports",)

    @get(guards=[requires(Permission.READ_SHEETS)], sync_to_thread=True)
    def read_overview(self, request: ApiRequest) -> OverviewView:
        """Return today's figures and the caller's sheets."""
        return request.use_cases.reports.read_overview(request.user)
