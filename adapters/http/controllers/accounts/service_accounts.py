"""Routes of service accounts and their API keys."""

from litestar import Controller, Response, delete, get, post, put
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import DecimalJSONResponse, PathId, created
from application.accounts.sessions.service_accounts import ApiKeyDraft, ServiceAccountDraft
from application.accounts.views import MadeKeyView, OwnKeyView, ServiceAccountsView, ServiceAccountView
from domain.common.policy import Permission

ServiceAccountDTO = draft_dto(ServiceAccountDraft, "name")


class ServiceAccountController(Controller):
    path = "/api/service-accounts"
    tags = ("service accounts",)

    @get(guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)], sync_to_thread=True)
    def list_service_accounts(self, request: ApiRequest) -> ServiceAccountsView:
        """List service accounts with their keys, and the scopes of keys."""
        return request.use_cases.service_accounts.list(request.user)

    @post(guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)], dto=ServiceAccountDTO, sync_to_thread=True)
    def create_service_account(
        self, request: ApiRequest, data: JSONBody[ServiceAccountDraft]
    ) -> Response[ServiceAccountView]:
        """Create an account for a program. It has keys and no sign-in."""
        return created(request.use_cases.service_accounts.create(request.user, data), self.path)

    @put(
        "/{account_id:int}",
        guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)],
        dto=ServiceAccountDTO,
        sync_to_thread=True,
    )
    def update_service_account(
        self, request: ApiRequest, data: JSONBody[ServiceAccountDraft], account_id: PathId
    ) -> ServiceAccountView:
        """Rename an account. Its keys stay valid."""
        return request.use_cases.service_accounts.update(request.user, account_id, data)

    @delete("/{account_id:int}", guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)], sync_to_thread=True)
    def delete_service_account(self, request: ApiRequest, account_id: PathId) -> None:
        """Revoke all keys and retire the account. The audit log keeps its name."""
        request.use_cases.service_accounts.delete(request.user, account_id)

    @post(
        "/{account_id:int}/keys",
        guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)],
        dto=draft_dto(ApiKeyDraft, "name", "scopes", refuses_unknown=True),
        sync_to_thread=True,
    )
    def create_key(self, request: ApiRequest, data: JSONBody[ApiKeyDraft], account_id: PathId) -> Response[MadeKeyView]:
        """Create an API key for the header Authorization: Bearer cns_…

        Only this response has the secret. Unknown fields are refused: a misspelt expires_on must not create a key
        without expiry.
        """
        return DecimalJSONResponse(request.use_cases.service_accounts.create_key(request.user, account_id, data))


class KeyController(Controller):
    path = "/api/keys"
    tags = ("service accounts",)

    @get("/self", guards=[requires(Permission.READ_OWN_KEY)], sync_to_thread=True)
    def read_own_key(self, request: ApiRequest) -> OwnKeyView:
        """Return what the key of this request may do. People have none."""
        return request.use_cases.service_accounts.read_own_key(request.user)

    @delete("/{key_id:int}", guards=[requires(Permission.MANAGE_SERVICE_ACCOUNTS)], sync_to_thread=True)
    def revoke_key(self, request: ApiRequest, key_id: PathId) -> None:
        """Revoke a key with immediate effect."""
        request.use_cases.service_accounts.revoke_key(request.user, key_id)
