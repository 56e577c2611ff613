"""Routes of reports."""

from datetime import date
from typing import Annotated, Any

from litestar import Request
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.lists import list_response
from adapters.http.routing import get
from adapters.http.wire import Cursor, FilterId, Limit, PageNumber, SortBy, paging, sort_by
from application.use_cases import UseCases
from application.views import ConsumptionBy, ConsumptionPage, ConsumptionQuery
from domain.policy import Actor, Permission


@get(
    "/api/reports/consumption",
    operation_id="reportConsumption",
    may=Permission.READ_REPORTS,
    summary="Report the consumption of a period",
    heavy=True,
    tags=["reports"],
)
def report_consumption(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    by: Annotated[ConsumptionBy, QueryParameter()] = ConsumptionBy.DAY,
    since: Annotated[
        date | None, QueryParameter(name="from", description="30 days in all when left out", required=False)
    ] = None,
    until: Annotated[date | None, QueryParameter(name="to", description="Today when left out", required=False)] = None,
    area_id: FilterId = None,
    product_id: FilterId = None,
    returns: Annotated[
        bool, QueryParameter(description="What came back on those days instead, at the price of its line")
    ] = False,
    page: PageNumber = None,
    limit: Limit = None,
    sort: SortBy = None,
    cursor: Cursor = None,
) -> ConsumptionPage:
    """Add up the consumption of a period.

    Grouping by staff needs the permission to manage staff. As XLSX and PDF it is a formatted report with a chart.
    """
    query = ConsumptionQuery(
        **paging(page, limit, cursor),
        sort=sort_by(sort),
        by=by,
        since=since,
        until=until,
        area_id=area_id,
        product_id=product_id,
        returns=returns,
    )
    report: ConsumptionPage = list_response(request, "consumption", use_cases, actor, query, hospital)
    return report


ROUTES = [report_consumption]
