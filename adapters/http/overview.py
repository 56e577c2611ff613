"""Route of the overview, the content of the home page."""

from adapters.http.routing import get
from application.use_cases import UseCases
from application.views import OverviewView
from domain.policy import Actor, Permission


@get(
    "/api/overview",
    operation_id="readOverview",
    may=Permission.READ_SHEETS,
    summary="Read the overview",
    tags=["reports"],
)
def read_overview(use_cases: UseCases, actor: Actor) -> OverviewView:
    """Return today's figures, the caller's sheets and unusual records."""
    return use_cases.read_overview(actor)


ROUTES = [read_overview]
