"""Map exceptions to RFC 9457 problem responses.

In addition to the fields of RFC 9457 there is ``message``: a list of all messages for 422, one string for any other
status (docs/contract.md, "Errors").
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, NotRequired, TypedDict, cast

from litestar import MediaType, Request
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE
from litestar.utils import normalize_path

from adapters.fhir.bundle import MEDIA_TYPE, operation_outcome
from adapters.fhir.narrowing import Deleted
from adapters.fhir.query import NotAcceptable
from adapters.fhir.search_parameters import BadSearch
from adapters.http.requests.request import BodyTimeout, MalformedBody, UnsupportedType
from adapters.http.requests.upload import FileTooLarge, MultipartNotAccepted
from adapters.http.responses.wire import DecimalJSONResponse
from adapters.http.workers.fair_queue import RETRY_AFTER_SECONDS, QueueFull
from adapters.i18n import messages
from adapters.observability.logs import REQUEST_ID, kinds_of
from application.accounts.ports.identity_provider import IdentityProviderUnreachable
from application.common.paging import InvalidQuery
from application.common.store_errors import StoreUnavailable, UnavailableReason
from application.imports.reading.table import MAX_FILE_BYTES
from domain.common.errors import (
    Code,
    Forbidden,
    InvalidCredentials,
    NotFound,
    Reason,
    Refused,
    RequestInProgress,
    TooManyAttempts,
    Unauthenticated,
    UnknownPasskey,
    VersionConflict,
)

log = logging.getLogger("consumo.http")


# Query parameters whose names are Python keywords.
_QUERY_NAMES = {"since": "from", "until": "to"}


# What Litestar says about a number that is out of range.
_BOUND = re.compile(r"(?P<side>[<>]=) (?P<number>-?\d+)$")
_MAX_QUOTED = 20


class FieldMessage(TypedDict):
    """One message of a 422 response and the field it concerns.

    ``message`` does not repeat the position of an item, which ``field`` has; the texts of ``Problem.message`` do.
    ``acknowledgeable`` is present if true: the request succeeds when repeated with the code in ``acknowledged``.
    ``lot.recalled`` also needs a ``recall_reason``, and names its recall.
    """

    field: str | None
    code: str
    message: str
    acknowledgeable: NotRequired[bool]
    recall_id: NotRequired[int]


class Problem(TypedDict):
    """A problem response.

    ``message`` is an array for 422 and one string for any other status. ``request_id`` is present for server errors:
    the log has details under it.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    message: str | list[str]
    errors: list[FieldMessage]
    request_id: NotRequired[str]


def language_of(request: Request[Any, Any, Any]) -> str:
    """Return the language of the response."""
    return messages.preferred_language(request.headers.get("accept-language", ""))


def localize_warnings(request: Request[Any, Any, Any], view: Any) -> Any:
    """Add messages in the request's language to a view's warnings and errors."""
    for error in view.get("errors", ()):
        error["message"] = _localize(request, error, error.get("field"))
        # As in a 422, the sentence has the values.
        for name in error.keys() - FieldMessage.__annotations__.keys():
            del error[name]
    for warning in view.get("warnings", ()):
        # The warning is shown next to its line, so the line's index within the request would add nothing.
        warning["message"] = _localize(request, warning, (warning.get("field") or "").rpartition(".")[2] or None)
    return view


def _localize(request: Request[Any, Any, Any], warning: dict[str, Any], field: str | None) -> str:
    params = {name: value for name, value in warning.items() if name != "at"}
    return messages.refusal(language_of(request), Reason(Code(warning["code"]), field, params))


def answer_exception(request: Request[Any, Any, Any], exception: Exception) -> DecimalJSONResponse[Any]:
    """Map an exception to a response; below /fhir, to an OperationOutcome."""
    answer = _answer_exception(request, exception)
    if normalize_path(request.scope["path"]).startswith("/fhir/"):
        content = answer.content
        outcome = operation_outcome(content["status"], content["code"], content["detail"])
        return DecimalJSONResponse(
            outcome, status_code=answer.status_code, headers=dict(answer.headers), media_type=MEDIA_TYPE
        )
    return answer


def _answer_exception(request: Request[Any, Any, Any], exception: Exception) -> DecimalJSONResponse[Problem]:
    match exception:
        case BadSearch(code=code, params=params):
            said = messages.search(language_of(request), code, params)
            return _problem(request, 400, "malformed_search", what=said)
        case Refused(reasons=reasons):
            return _refused(request, reasons)
        case InvalidQuery(field=field):
            return _problem(request, 400, "malformed_query", field=field)
        case NotAcceptable():
            return _problem(request, 406, "only_json")
        case Deleted():
            return _problem(request, 410, "deleted")
        case Unauthenticated():
            answer = _problem(request, 401, "not_signed_in")
            answer.set_header("WWW-Authenticate", 'Bearer realm="Consumo"')
            return answer
        case Forbidden(code=code):
            return _problem(request, 403, code)
        case NotFound(part=part):
            return _not_found(request, part)
        case NotFoundException():
            return _not_found(request)
        case InvalidCredentials():
            return _problem(request, 404, "bad_credentials")
        case UnknownPasskey():
            return _problem(request, 404, "passkey.unknown")
        case VersionConflict():
            return _problem(request, 412, "outdated")
        case RequestInProgress():
            return _problem(request, 409, "still_running")
        case MalformedBody():
            return _problem(request, 400, "malformed")
        case BodyTimeout():
            return _problem(request, 408, "too_slow")
        case TooManyAttempts(seconds=seconds):
            return _with_retry_after(_problem(request, 429, "too_many_tries"), seconds)
        case QueueFull():
            return _with_retry_after(_problem(request, 503, "too_many_at_once"), RETRY_AFTER_SECONDS)
        case FileTooLarge():
            return _problem(request, 413, "file_too_large", most=str(MAX_FILE_BYTES // 1_000_000))
        case MultipartNotAccepted():
            return _problem(request, 415, "not_the_file_itself")
        case UnsupportedType():
            return _problem(request, 415, "unsupported_type")
        case MethodNotAllowedException(headers=headers):
            answer = _problem(request, 405, "method_not_allowed")
            answer.headers.update(headers or {})
            return answer
        case ValidationException(extra=extra):
            return _invalid_parameter(request, extra)
        case HTTPException(status_code=status) if status == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
            return _problem(request, 413, "too_large")
        case HTTPException(status_code=status) if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return _problem(request, status, "malformed")
        case IdentityProviderUnreachable():
            return _with_retry_after(_problem(request, 503, "oidc.unreachable"), RETRY_AFTER_SECONDS)
        case StoreUnavailable(reason=reason):
            log.warning("The database is %s: %s", reason, kinds_of(exception.__cause__))
            return _unavailable(request, reason)
        case _:
            log.error("Unexpected error at %s", request.scope.get("path_template"), exc_info=exception)
            return _problem(request, 500, "unexpected")


def _unavailable(request: Request[Any, Any, Any], reason: UnavailableReason) -> DecimalJSONResponse[Problem]:
    match reason:
        case UnavailableReason.BUSY:
            return _with_retry_after(_problem(request, 503, "store_busy"), 2)
        case UnavailableReason.UNREACHABLE:
            return _with_retry_after(_problem(request, 503, "store_unreachable"), 5)
        case UnavailableReason.FULL:
            return _with_retry_after(_problem(request, 507, "store_full"), 60)


def _with_retry_after(answer: DecimalJSONResponse[Problem], seconds: int) -> DecimalJSONResponse[Problem]:
    """Add a ``Retry-After`` header."""
    answer.set_header("Retry-After", str(seconds))
    return answer


def _refused(request: Request[Any, Any, Any], reasons: Sequence[Reason]) -> DecimalJSONResponse[Problem]:
    language = language_of(request)
    reasons = [_with_log_references(reason) for reason in reasons]
    errors = [_message(language, reason) for reason in reasons]
    sentences = [messages.refusal(language, reason) for reason in reasons]
    return _answer(
        Problem(
            type="about:blank",
            title=messages.problem(language, "invalid"),
            status=422,
            detail=" ".join(sentences),
            code=reasons[0].code.value if len(reasons) == 1 else "invalid",
            message=sentences,
            errors=errors,
        )
    )


def _with_log_references(reason: Reason) -> Reason:
    """Add code and request id, to find a hospital sign-in in the log."""
    if not reason.code.startswith("oidc."):
        return reason
    told = {"code": str(reason.params.get("error") or reason.code), "request_id": REQUEST_ID.get()}
    return replace(reason, params={**reason.params, **told})


def _message(language: str, reason: Reason) -> FieldMessage:
    said = messages.refusal_at_field(language, reason)
    message = FieldMessage(field=reason.field, code=reason.code.value, message=said)
    if reason.acknowledgeable:
        message["acknowledgeable"] = True
    if reason.code is Code.LOT_RECALLED:
        message["recall_id"] = cast("int", reason.params["recall_id"])
    return message


def _invalid_parameter(request: Request[Any, Any, Any], extra: Any) -> DecimalJSONResponse[Problem]:
    """Map a parameter that Litestar rejected to 404 (path) or 400 (query)."""
    first = extra[0] if isinstance(extra, list) and extra else {}
    if first.get("source") == "path" or first.get("key") in request.path_params:
        return _not_found(request)
    key = str(first.get("key", ""))
    bound = _BOUND.search(str(first.get("message", "")))
    sentence = ""
    if bound is not None:
        language = language_of(request)
        template = (
            messages.problem(language, "query_above")
            if bound["side"] == "<="
            else messages.problem(language, "query_below")
        )
        sent = str(request.query_params.get(key, ""))[:_MAX_QUOTED]
        sentence = template.format(field=_QUERY_NAMES.get(key, key), value=sent, bound=bound["number"])
    return _problem(request, 400, "malformed_query", sentence=sentence, field=_QUERY_NAMES.get(key, key))


def _not_found(request: Request[Any, Any, Any], part: str | None = None) -> DecimalJSONResponse[Problem]:
    """Build a 404 that names the missing thing.

    The thing is taken from the path or the query: ``part`` if given, otherwise the path's first parameter.
    """
    named = request.scope.get("path_params", {})
    if part and part in request.query_params:
        named = {part: request.query_params[part]}
    elif part in named:
        named = {part: named[part]}
    sentences = (messages.missing(language_of(request), thing, number) for thing, number in named.items())
    return _problem(request, 404, "not_found", sentence=next(sentences, ""))


def _problem(
    request: Request[Any, Any, Any], status: int, code: str, *, sentence: str = "", **params: str
) -> DecimalJSONResponse[Problem]:
    problem = problem_of(status, code, sentence or messages.problem(language_of(request), code).format(**params))
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        problem["request_id"] = REQUEST_ID.get()
    return _answer(problem)


def problem_of(status: int, code: str, sentence: str) -> Problem:
    """Return a problem with one sentence."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=sentence,
        code=code,
        message=sentence,
        errors=[],
    )


def _answer(problem: Problem) -> DecimalJSONResponse[Problem]:
    response = DecimalJSONResponse(problem, status_code=problem["status"], media_type=MediaType.JSON)
    response.media_type = "application/problem+json"
    return response
