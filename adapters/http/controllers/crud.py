"""The controller of a simple noun: list, read, create, update and delete."""

from inspect import cleandoc
from typing import Annotated, Any, TypeVar

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, PathParameter
from litestar.types import AnyCallable

from adapters.documents.lists import LISTS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import MAX_ID, DraftDTO
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import AskedList, created, provide_list
from adapters.http.routes import delete, finder, get, post, put
from application.common.paging import ListQuery, Page
from application.records.crud import Create, Delete, Update
from application.records.list_reader import ListReader

Query = TypeVar("Query", bound=ListQuery)
Answer = TypeVar("Answer")
View = TypeVar("View")
Draft = TypeVar("Draft")


async def provide_list_query(asked: NamedDependency[AskedList]) -> ListQuery:
    """Provide the query of a list without filters."""
    return ListQuery(**asked)


def crud_controller(
    path: str,
    noun: str,
    *,
    dto: type[DraftDTO[Draft]],
    lists: type[ListReader[View, Query]],
    creates: type[Create[Any, Draft]],
    updates: type[Update[Any, Draft]],
    deletes: type[Delete],
    about_list: str,
    about_update: str = "",
    query: AnyCallable = provide_list_query,
    page: Any = None,
) -> type[Controller]:
    """Make the controller of a noun with its article, such as "an area".

    ``query`` provides the query of a list with filters. ``page`` is the type of its pages if they have more than items.
    The operation ids are the names of the use cases.
    """
    id_name, exported = creates.rules.kind.reference, LISTS[creates.rules.kind.store]
    path_id = Annotated[int, PathParameter(name=id_name, ge=1, le=MAX_ID)]
    one = f"/{{{id_name}:int}}"

    views, create, update, remove = finder(lists), finder(creates), finder(updates), finder(deletes)

    # The quoted types are those of the signature namespace.
    class CrudController(Controller):
        @get(operation_id=_operation(lists), description=cleandoc(about_list), guards=[requires(lists)])
        async def list_all(self, request: ApiRequest, list_query: NamedDependency[Any]) -> "Answer":
            return await list_response(request, exported, list_query)

        @get(
            one,
            operation_id=_operation(creates).replace("create", "read"),
            description=f"Read {noun}.",
            guards=[requires(lists)],
            sync_to_thread=True,
        )
        def read_one(self, request: ApiRequest, id: path_id) -> "View":
            return views(request.use_cases).one(request.user, id)

        @post(
            operation_id=_operation(creates),
            description=f"Create {noun}.",
            guards=[requires(creates)],
            dto=dto,
            sync_to_thread=True,
        )
        def create_one(self, request: ApiRequest, data: "JSONBody[Draft]") -> "Response[View]":
            entity = create(request.use_cases)(request.user, data)
            return created(views(request.use_cases).changed(request.user, entity.id), self.path)

        @put(
            one,
            operation_id=_operation(updates),
            description=about_update or f"Update {noun}.",
            guards=[requires(updates)],
            dto=dto,
            sync_to_thread=True,
        )
        def update_one(self, request: ApiRequest, data: "JSONBody[Draft]", id: path_id) -> "View":
            update(request.use_cases)(request.user, id, data)
            return views(request.use_cases).changed(request.user, id)

        @delete(
            one,
            operation_id=_operation(deletes),
            description=f"Delete an unused {noun.partition(' ')[2]}. A 422 names the number of uses.",
            guards=[requires(deletes)],
            sync_to_thread=True,
        )
        def delete_one(self, request: ApiRequest, id: path_id) -> None:
            remove(request.use_cases)(request.user, id)

    CrudController.path = path
    CrudController.tags = (path.rpartition("/")[2],)
    CrudController.dependencies = {"asked": Provide(provide_list), "list_query": Provide(query)}
    CrudController.signature_namespace = {
        "Answer": page or Page[lists.item_type],  # type: ignore[name-defined]
        "View": lists.item_type,
        "Draft": dto.model_type,
    }
    return CrudController


def _operation(use_case: type) -> str:
    name = use_case.__name__
    return name[0].lower() + name[1:]
