"""Routes of reports."""

from datetime import date
from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from adapters.documents.lists import CONSUMPTION
from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import Cursor, FilterId, Limit, PageNumber, SortBy, paging, sort_by
from application.views.reports import Compare, ConsumptionBy, ConsumptionPage, ConsumptionQuery
from domain.policy import Permission


class ReportController(Controller):
    path = "/api/reports"
    tags = ("reports",)

    @get("/consumption", guards=[requires(Permission.READ_REPORTS)])
    async def report_consumption(
        self,
        request: ApiRequest,
        by: Annotated[ConsumptionBy, QueryParameter()] = ConsumptionBy.DAY,
        since: Annotated[
            date | None, QueryParameter(name="from", description="30 days in all when left out", required=False)
        ] = None,
        until: Annotated[
            date | None, QueryParameter(name="to", description="Today when left out", required=False)
        ] = None,
        area_id: FilterId = None,
        product_id: FilterId = None,
        returns: Annotated[
            bool, QueryParameter(description="What came back on those days instead, at the price of its line")
        ] = False,
        compare: Annotated[
            Compare | None,
            QueryParameter(
                description="Adds the sums of the period before: as long, and before whole months as many months",
                required=False,
            ),
        ] = None,
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
            compare=compare,
        )
        return await list_response(request, CONSUMPTION, query, heavy=True)
