"""Routes of service accounts and their API keys."""

from litestar import Controller, Response
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import PathId, created
from adapters.http.routes import Use, delete, get, post, put
from application.accounts.sessions.service_accounts import (
    ApiKeyDraft,
    CreateApiKey,
    CreateServiceAccount,
    DeleteServiceAccount,
    ListServiceAccounts,
    ReadOwnKey,
    RevokeKey,
    ServiceAccountDraft,
    UpdateServiceAccount,
)
from application.accounts.views import MadeKeyView, OwnKeyView, ServiceAccountsView, ServiceAccountView

ServiceAccountDTO = draft_dto(ServiceAccountDraft, "name")


class ServiceAccountController(Controller):
    path = "/api/service-accounts"
    tags = ("service accounts",)

    @get(guards=[requires(ListServiceAccounts)], sync_to_thread=True)
    def list_service_accounts(
        self, request: ApiRequest, list_service_accounts: Use[ListServiceAccounts]
    ) -> ServiceAccountsView:
        """List service accounts with their keys, and the scopes of keys."""
        return list_service_accounts(request.user)

    @post(guards=[requires(CreateServiceAccount)], dto=ServiceAccountDTO, sync_to_thread=True)
    def create_service_account(
        self,
        request: ApiRequest,
        data: JSONBody[ServiceAccountDraft],
        create_service_account: Use[CreateServiceAccount],
    ) -> Response[ServiceAccountView]:
        """Create an account for a program. It has keys and no sign-in."""
        return created(create_service_account(request.user, data), self.path)

    @put(
        "/{account_id:int}",
        guards=[requires(UpdateServiceAccount)],
        dto=ServiceAccountDTO,
        sync_to_thread=True,
    )
    def update_service_account(
        self,
        request: ApiRequest,
        data: JSONBody[ServiceAccountDraft],
        account_id: PathId,
        update_service_account: Use[UpdateServiceAccount],
    ) -> ServiceAccountView:
        """Rename an account. Its keys stay valid."""
        return update_service_account(request.user, account_id, data)

    @delete("/{account_id:int}", guards=[requires(DeleteServiceAccount)], sync_to_thread=True)
    def delete_service_account(
        self, request: ApiRequest, account_id: PathId, delete_service_account: Use[DeleteServiceAccount]
    ) -> None:
        """Revoke all keys and retire the account. The audit log keeps its name."""
        delete_service_account(request.user, account_id)

    @post(
        "/{account_id:int}/keys",
        guards=[requires(CreateApiKey)],
        dto=draft_dto(ApiKeyDraft, "name", "scopes", refuses_unknown=True),
        sync_to_thread=True,
    )
    def create_key(
        self, request: ApiRequest, data: JSONBody[ApiKeyDraft], account_id: PathId, create_api_key: Use[CreateApiKey]
    ) -> MadeKeyView:
        """Create an API key for the header Authorization: Bearer cns_…

        Only this response has the secret. Unknown fields are refused: a misspelt expires_on must not create a key
        without expiry.
        """
        return create_api_key(request.user, account_id, data)


class KeyController(Controller):
    path = "/api/keys"
    tags = ("service accounts",)

    @get("/self", guards=[requires(ReadOwnKey)], sync_to_thread=True)
    def read_own_key(self, request: ApiRequest, read_own_key: Use[ReadOwnKey]) -> OwnKeyView:
        """Return what the key of this request may do. People have none."""
        return read_own_key(request.user)

    @delete("/{key_id:int}", guards=[requires(RevokeKey)], sync_to_thread=True)
    def revoke_key(self, request: ApiRequest, key_id: PathId, revoke_key: Use[RevokeKey]) -> None:
        """Revoke a key with immediate effect."""
        revoke_key(request.user, key_id)
