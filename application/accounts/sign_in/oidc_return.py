"""What the browser brings back from the identity provider, verified."""

from dataclasses import dataclass, field

from application.accounts.ports.identity_provider import (
    IdentityProvider,
    IdentityRefused,
    ProvenIdentity,
    ProviderReturn,
)
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.throttle import count_wrong_oidc_answer
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from domain.common.errors import Code, NotFound, Reason, Refused
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcReturn(Draft):
    """The provider's answer as it reached the page, and the transaction.

    ``error`` is the provider's error code in place of a ``code``.
    """

    code: str | None = field(default=None, repr=False)
    state: str | None = field(default=None, repr=False)
    iss: str | None = None
    error: str | None = None
    transaction: str | None = field(default=None, repr=False)


def prove_identity(
    begin: Begin,
    clock: Clock,
    provider: IdentityProvider | None,
    purpose: str,
    given: OidcReturn,
    *,
    address: str,
    client: str,
) -> ProvenIdentity:
    """Return who the person is, as the provider says.

    A refusal is logged without the person. Only refusals count for the address: a hospital may be a single one, so that
    a right answer always passes. Raise ``NotFound`` without a provider.
    """
    if provider is None:
        raise NotFound
    Validator(given.parse_errors).raise_if_invalid()
    if not given.transaction:
        # Of an answer that is opened in another browser, or a second time.
        raise Refused(Reason(Code.OIDC_TRANSACTION))
    returned = ProviderReturn(
        code=given.code or "",
        state=given.state or "",
        iss=given.iss,
        error=given.error,
        transaction=given.transaction,
    )
    try:
        return provider.finish(purpose, returned)
    except IdentityRefused as refused:
        now = clock()
        with begin() as work:
            count_wrong_oidc_answer(work, address, now)
            record_failure(
                work, now, AuditAction.OIDC_REFUSED, 0, address=address, client=client, code=refused.code.value
            )
        params = {"error": refused.error} if refused.error else {}
        raise Refused(Reason(refused.code, params=params)) from None
