"""The request as handlers see it: who sends it, and its body."""

import asyncio
import hashlib
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ClientException, HTTPException, InternalServerException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from adapters.hospital.profile import HospitalProfile
from adapters.http.requests.client_address import client_address
from adapters.http.workers.fair_queue import Owner
from application.accounts.sessions.identify import SignedIn
from application.use_cases import UseCases
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor

# Timeout of a request body. A ward's worst connection sends a form within this time; a client that sends one byte a
# second (slow loris) does not.
BODY_TIMEOUT_SECONDS = 10

# The longest forms without a session have a passkey's credential, of a few kB.
MAX_ANONYMOUS_BYTES = 16_384

# Numbers stay exact: anything but an integer becomes a Decimal, never a binary float.
_DECODER = msgspec.json.Decoder(float_hook=Decimal)


class MalformedBody(ClientException):
    """The body is not valid JSON."""


class UnsupportedType(HTTPException):
    """The body has a content type that no route accepts."""

    status_code = 415


class BodyTimeout(HTTPException):
    """The body arrived too slowly."""

    status_code = 408


class ApiRequest(Request[Actor, SignedIn, State]):
    """A request with its actor (``user``) and session (``auth``)."""

    fields: Mapping[str, Any] = MappingProxyType({})
    """The JSON object of the body, once it is parsed."""

    @property
    def use_cases(self) -> UseCases:
        """Return the application's use cases."""
        use_cases: UseCases = self.app.state["use_cases"]()
        return use_cases

    @property
    def hospital(self) -> HospitalProfile:
        """Return the hospital's name, currency and time zone."""
        hospital: HospitalProfile = self.app.state["hospital"]()
        return hospital

    @property
    def owner(self) -> Owner:
        """Return whose work the request is: its user, or its address."""
        user: Actor | None = self.scope.get("user")
        return Owner(id(self.app), user.user_id if user else client_address(self))

    async def body(self) -> bytes:
        """Return the body within a timeout, and within the limit of the caller.

        Raise ``BodyTimeout``, or ``MalformedBody`` if the client disconnects.
        """
        try:
            async with asyncio.timeout(BODY_TIMEOUT_SECONDS):
                return await (super().body() if self.scope.get("user") else self._anonymous_body())
        except TimeoutError:
            raise BodyTimeout from None
        except InternalServerException:
            # Litestar raises this when the client disconnects before the end.
            raise MalformedBody from None

    async def _anonymous_body(self) -> bytes:
        """Return the body of a request without a session, which is short.

        Otherwise a stranger would make the event loop parse for nothing.
        """
        if (self.content_length or 0) > MAX_ANONYMOUS_BYTES:
            raise RequestEntityTooLarge
        body = bytearray()
        async for chunk in self.stream():
            body += chunk
            if len(body) > MAX_ANONYMOUS_BYTES:
                raise RequestEntityTooLarge
        self._body = self._connection_state.body = bytes(body)
        return self._body

    def parse_fields(self, body: bytes) -> Mapping[str, Any]:
        """Parse the body as a JSON object.

        Raise ``MalformedBody`` or ``UnsupportedType``, or ``Refused`` for other JSON.
        """
        media_type = self.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if media_type != "application/json" and not media_type.endswith("+json"):
            raise UnsupportedType
        try:
            fields = _DECODER.decode(body)
        except (msgspec.DecodeError, RecursionError, ValueError, ArithmeticError):
            raise MalformedBody from None
        if not isinstance(fields, dict):
            raise Refused(Reason(Code.BODY_NOT_AN_OBJECT))
        self.fields = fields
        return fields

    @property
    def fingerprint(self) -> str:
        """Return a digest of path and JSON body, for idempotency keys.

        Whitespace and the order of the fields have no effect.
        """
        same_body = msgspec.json.encode([self.scope["path"], self.fields], order="sorted")
        return hashlib.sha256(same_body).hexdigest()
