"""What a person at work wants first."""

from litestar import get
from litestar.di import NamedDependency

from application.use_cases import UseCases
from application.views import OverviewView
from domain.policy import Actor


@get("/api/overview", operation_id="readOverview", summary="Read the overview", tags=["reports"], sync_to_thread=True)
def read_overview(use_cases: NamedDependency[UseCases], actor: NamedDependency[Actor]) -> OverviewView:
    """Today's figures, the sheets that the caller works on, and what is out of the ordinary."""
    return use_cases.read_overview(actor)


ROUTES = [read_overview]
