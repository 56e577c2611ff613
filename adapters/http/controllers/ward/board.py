"""Route of the ward: rooms with their patients."""

from litestar import Controller

from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import FilterId
from adapters.http.routes import Use, get
from application.ward.read_ward import ReadWard
from application.ward.ward_views import WardView


class WardController(Controller):
    path = "/api/ward"
    tags = ("reports",)

    @get(guards=[requires(ReadWard)], sync_to_thread=True)
    def read_ward(self, request: ApiRequest, read_ward: Use[ReadWard], area_id: FilterId = None) -> WardView:
        """Return the rooms of an area, or of the whole hospital, with open sheets.

        Rooms without a sheet are included, with their status.
        """
        return read_ward(request.user, area_id)
