"""Reports."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from litestar import Request
from litestar.params import QueryParameter

from adapters.exports.consumption_workbook import MOST_REPORT_ROWS, consumption_workbook
from adapters.house import House
from adapters.http.calls import get
from adapters.http.errors import language_of
from adapters.http.lists import Form, answer_file, answer_list, form_of
from adapters.http.wire import FilterId, Limit, PageNumber, SortBy, sort_by
from adapters.paper.consumption import MOST_PAPER_ROWS, consumption_pdf
from application.report_consumption import ReportConsumption
from application.use_cases import UseCases
from application.views import ConsumptionBy, ConsumptionPage, ConsumptionQuery
from domain.policy import Actor, Permission

_SUMS = ("details", "quantity", "total")
_COLUMNS = {
    ConsumptionBy.DAY: ("day", *_SUMS),
    ConsumptionBy.MONTH: ("month", *_SUMS),
    ConsumptionBy.AREA: ("id", "name", *_SUMS),
    ConsumptionBy.CATEGORY: ("id", "category_code", "name", *_SUMS),
    ConsumptionBy.PRODUCT: ("id", "code", "name", "unit", *_SUMS),
    ConsumptionBy.STAFF: ("id", "name", *_SUMS),
    ConsumptionBy.PATIENT: ("id", "record_number", "name", *_SUMS),
}


@get(
    "/api/reports/consumption",
    operation_id="reportConsumption",
    may=Permission.READ_REPORTS,
    summary="Report the consumption of a period",
    tags=["reports"],
)
def report_consumption(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    house: House,
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
    """What was recorded on the days of a period, added up; staff for those alone who manage staff.

    As XLSX and as PDF it is a report to hand over, with its chart.
    """
    query = ConsumptionQuery(
        page=page, limit=limit, sort=sort_by(sort), by=by, since=since, until=until, area_id=area_id
    )
    report: ConsumptionPage = _answer(request, use_cases.report_consumption, actor, query, house)
    return report


def _answer(
    request: Request[Any, Any, Any],
    report_consumption: ReportConsumption,
    actor: Actor,
    query: ConsumptionQuery,
    house: House,
) -> Any:
    match form_of(request):
        case Form.XLSX:
            report = report_consumption.whole(actor, query, most=MOST_REPORT_ROWS)
            return answer_file(consumption_workbook(house, report, language_of(request)), Form.XLSX)
        case Form.PDF:
            report = report_consumption.whole(actor, query, most=MOST_PAPER_ROWS)
            return answer_file(io.BytesIO(consumption_pdf(house, report, language_of(request))), Form.PDF)
        case _:
            return answer_list(request, _InTime(report_consumption), actor, query, _COLUMNS[query.by], house)


@dataclass(frozen=True, slots=True)
class _InTime:
    """The report, whose days and months have a column of their name."""

    report: ReportConsumption

    def page(self, actor: Actor, query: ConsumptionQuery) -> ConsumptionPage:
        return self.report.page(actor, query)

    def every(self, actor: Actor, query: ConsumptionQuery) -> Iterator[Mapping[str, object]]:
        return ({**row, query.by.value: row["key"]} for row in self.report.every(actor, query))


ROUTES = [report_consumption]
