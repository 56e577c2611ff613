"""Reports."""

from datetime import date
from typing import Annotated, Any

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from adapters.http.lists import answer_list
from adapters.http.wire import FilterId, Limit, PageNumber, SortBy, sort_by
from application.use_cases import UseCases
from application.views import ConsumptionBy, ConsumptionPage, ConsumptionQuery
from domain.policy import Actor

_SUMS = ("details", "quantity", "total")
_COLUMNS = {
    ConsumptionBy.DAY: ("key", *_SUMS),
    ConsumptionBy.MONTH: ("key", *_SUMS),
    ConsumptionBy.AREA: ("id", "name", *_SUMS),
    ConsumptionBy.CATEGORY: ("id", "category_code", "name", *_SUMS),
    ConsumptionBy.PRODUCT: ("id", "code", "name", "unit", *_SUMS),
    ConsumptionBy.STAFF: ("id", "name", *_SUMS),
    ConsumptionBy.PATIENT: ("id", "record_number", "name", *_SUMS),
}


@get(
    "/api/reports/consumption",
    operation_id="reportConsumption",
    summary="Report the consumption of a period",
    tags=["reports"],
    sync_to_thread=True,
)
def report_consumption(
    request: Request[Any, Any, Any],
    use_cases: NamedDependency[UseCases],
    actor: NamedDependency[Actor],
    by: Annotated[ConsumptionBy, QueryParameter()] = ConsumptionBy.DAY,
    since: Annotated[
        date | None, QueryParameter(name="from", description="30 days in all when left out", required=False)
    ] = None,
    until: Annotated[date | None, QueryParameter(name="to", description="Today when left out", required=False)] = None,
    area_id: FilterId = None,
    page: PageNumber = 1,
    limit: Limit = 25,
    sort: SortBy = None,
) -> ConsumptionPage:
    """What was recorded on the days of a period, added up; staff for those alone who manage staff."""
    query = ConsumptionQuery(
        page=page, limit=limit, sort=sort_by(sort), by=by, since=since, until=until, area_id=area_id
    )
    report: ConsumptionPage = answer_list(request, use_cases.report_consumption, actor, query, _COLUMNS[by])
    return report


ROUTES = [report_consumption]
