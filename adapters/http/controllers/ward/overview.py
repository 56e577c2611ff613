"""Route of the overview, the content of the home page."""

from litestar import Controller

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.routes import Use, get
from application.ward.overview_views import OverviewView
from application.ward.read_overview import ReadOverview


class OverviewController(Controller):
    path = "/api/overview"
    tags = ("reports",)

    @get(guards=[requires(ReadOverview)], sync_to_thread=True)
    def read_overview(self, request: ApiRequest, read_overview: Use[ReadOverview]) -> OverviewView:
        """Return today's figures and the caller's sheets."""
        return read_overview(request.user)
