"""Logs: a line per request and per event, without user input.

Paths, queries and exception messages are left out: they may contain a name, a token or a diagnosis. The route's
pattern, the exception type and the traceback are enough for debugging. A single formatter writes every line of the
server's processes, including those of libraries and the interpreter.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus
from types import TracebackType
from typing import IO, Any, NamedTuple

import msgspec

# Logger name of the ASGI server, which logs that it starts, ends and kills processes.
SERVER_LOGGER = "_granian"

# The id of the request in progress.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")

# The hospital of the request or job in progress, in a server of several.
HOSPITAL: ContextVar[str] = ContextVar("hospital", default="")

_JSON = msgspec.json.Encoder()


class AnsweredRequest(NamedTuple):
    """A request with its status and duration."""

    method: str
    route: str
    status: int
    seconds: float
    user_id: int | None
    request_id: str


class LogFormatter(logging.Formatter):
    """Formats records as lines of text or JSON.

    ``hospital`` is that of a process which serves one of several.
    """

    def __init__(self, log_format: str, hospital: str = "") -> None:
        super().__init__()
        self._hospital = hospital
        self.line: Callable[[Mapping[str, Any]], str] = _json if log_format == "json" else _text

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        parts: dict[str, Any] = {"at": _moment(at), "level": record.levelname.lower(), "event": _event(record)}
        if hospital := HOSPITAL.get() or self._hospital:
            parts["hospital"] = hospital
        if request_id := REQUEST_ID.get():
            parts["request_id"] = request_id
        if record.exc_info and record.exc_info[1]:
            parts["raised"] = kinds_of(record.exc_info[1])
            parts["where"] = _where(record.exc_info[2])
        return self.line(parts)


class RequestLog:
    """Writes a line per request, except successful health and metrics checks."""

    def __init__(self, log_format: str, stream: IO[str]) -> None:
        self._line = LogFormatter(log_format).line
        self._stream = stream

    def __call__(self, answered: AnsweredRequest) -> None:
        if answered.status < 400 and answered.route.startswith(("/health/", "/metrics")):
            return
        hospital = HOSPITAL.get()
        line = self._line(
            {
                "at": _moment(datetime.now(UTC)),
                "level": "info" if answered.status < HTTPStatus.INTERNAL_SERVER_ERROR else "error",
                "event": "request",
                **({"hospital": hospital} if hospital else {}),
                "method": answered.method,
                "route": answered.route,
                "status": answered.status,
                "ms": round(answered.seconds * 1000, 1),
                "user_id": answered.user_id,
                "request_id": answered.request_id,
            }
        )
        # If the log cannot be written, for lack of disk space or of a reader, requests still succeed.
        with suppress(OSError):
            self._stream.write(line + "\n")
            self._stream.flush()


def announcer(log_format: str, hospital: str = "") -> Callable[[str], None]:
    """Return the function by which a service announces something.

    It writes a sentence, or a line of the log if that is JSON: programs read every line.
    """
    if log_format != "json":
        return lambda said: print(said, file=sys.stderr, flush=True)
    formatter, of_hospital = LogFormatter("json"), {"hospital": hospital} if hospital else {}

    def announce(said: str) -> None:
        line = {"at": _moment(datetime.now(UTC)), "level": "info", "event": said, **of_hospital}
        print(formatter.line(line), file=sys.stderr, flush=True)

    return announce


def set_up_logs(log_format: str, hospital: str = "") -> RequestLog:
    """Log everything to standard error; return the request log."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter(log_format, hospital))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # alembic logs each step at the level INFO.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.captureWarnings(True)
    # By default the interpreter would print uncaught exceptions with their messages.
    sys.excepthook = lambda _kind, error, _at: _log_uncaught(error)
    threading.excepthook = lambda uncaught: _log_uncaught(uncaught.exc_value)
    sys.unraisablehook = lambda uncaught: _log_uncaught(uncaught.exc_value)
    return RequestLog(log_format, sys.stderr)


def _log_uncaught(error: BaseException | None) -> None:
    if not isinstance(error, KeyboardInterrupt | SystemExit):
        logging.getLogger("consumo").error("Nothing caught an error", exc_info=error)


def _event(record: logging.LogRecord) -> str:
    """Return the event's text.

    Libraries may quote user input: of them only the ASGI server's own sentences are logged.
    """
    if record.name == "consumo" or record.name.startswith("consumo."):
        return record.getMessage()
    if record.name == SERVER_LOGGER:
        return record.getMessage().partition("\n")[0]
    return f"{record.name} logged at {record.pathname}:{record.lineno}"


def kinds_of(error: BaseException | None) -> str:
    """Return the chain of exception types, root cause last, without messages."""
    kinds: list[str] = []
    while error is not None and len(kinds) < 10:
        code = getattr(error, "sqlstate", None) or getattr(error, "sqlite_errorname", None)
        kinds.append(type(error).__name__ + (f" {code}" if code else ""))
        error = error.__cause__ or error.__context__
    return " < ".join(kinds)


def _where(raised_at: TracebackType | None) -> list[str]:
    """Return the stack frames of a traceback, innermost last."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(raised_at)]


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(parts: Mapping[str, Any]) -> str:
    return _JSON.encode(parts).decode()


def _text(parts: Mapping[str, Any]) -> str:
    others = (f"{name}={value}" for name, value in parts.items() if name not in ("at", "level", "event", "where"))
    line = " ".join([parts["at"], parts["level"], parts["event"], *others])
    return "\n    ".join([line, *parts.get("where", ())])
