"""Routes of service accounts and their API keys."""

from litestar import Response

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import DecimalJSONResponse, PathId
from application.service_accounts import ApiKeyDraft, ServiceAccountDraft
from application.use_cases import UseCases
from application.views import MadeKeyView, ServiceAccountsView, ServiceAccountView
from domain.policy import Actor, Permission

_REQUEST_BODY = request_body_schema(ServiceAccountDraft, "name")


@get(
    "/api/service-accounts",
    operation_id="listServiceAccounts",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    summary="List service accounts",
    tags=["service accounts"],
)
def list_service_accounts(use_cases: UseCases, actor: Actor) -> ServiceAccountsView:
    """List service accounts with their keys, and the scopes of keys."""
    return use_cases.list_service_accounts(actor)


@post(
    "/api/service-accounts",
    operation_id="createServiceAccount",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    operation_class=_REQUEST_BODY,
    summary="Create a service account",
    tags=["service accounts"],
)
def create_service_account(use_cases: UseCases, actor: Actor, body: JsonBody) -> Response[ServiceAccountView]:
    """Create an account for a program. It has keys and no sign-in."""
    account = use_cases.create_service_account(actor, body.read(ServiceAccountDraft))
    return DecimalJSONResponse(account, headers={"Location": f"/api/service-accounts/{account['id']}"})


@put(
    "/api/service-accounts/{account_id:int}",
    operation_id="updateServiceAccount",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    operation_class=_REQUEST_BODY,
    summary="Rename a service account",
    tags=["service accounts"],
)
def update_service_account(use_cases: UseCases, actor: Actor, body: JsonBody, account_id: PathId) -> ServiceAccountView:
    """Rename an account. Its keys stay valid."""
    return use_cases.update_service_account(actor, account_id, body.read(ServiceAccountDraft))


@delete(
    "/api/service-accounts/{account_id:int}",
    operation_id="deleteServiceAccount",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    summary="Delete a service account",
    tags=["service accounts"],
)
def delete_service_account(use_cases: UseCases, actor: Actor, account_id: PathId) -> None:
    """Revoke all keys and retire the account. The audit log keeps its name."""
    use_cases.delete_service_account(actor, account_id)


@post(
    "/api/service-accounts/{account_id:int}/keys",
    operation_id="createKey",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    operation_class=request_body_schema(ApiKeyDraft, "name", "scopes"),
    summary="Make a key",
    tags=["service accounts"],
)
def create_key(use_cases: UseCases, actor: Actor, body: JsonBody, account_id: PathId) -> Response[MadeKeyView]:
    """Create an API key for the header Authorization: Bearer cns_…

    Only this response has the secret. Unknown fields are refused: a misspelt expires_on must not create a key without
    expiry.
    """
    return DecimalJSONResponse(use_cases.create_key(actor, account_id, body.read(ApiKeyDraft, refuses_unknown=True)))


@delete(
    "/api/keys/{key_id:int}",
    operation_id="revokeKey",
    may=Permission.MANAGE_SERVICE_ACCOUNTS,
    summary="Revoke a key",
    tags=["service accounts"],
)
def revoke_key(use_cases: UseCases, actor: Actor, key_id: PathId) -> None:
    """Revoke a key with immediate effect."""
    use_cases.revoke_key(actor, key_id)


ROUTES = [
    list_service_accounts,
    create_service_account,
    update_service_account,
    delete_service_account,
    create_key,
    revoke_key,
]
