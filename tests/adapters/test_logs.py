"""Log lines as text or JSON, without user input."""

import errno
import io
import json
import logging
import re
import sqlite3
from contextlib import closing

import pytest

from adapters.observability.logs import REQUEST_ID, AnsweredRequest, LogFormatter, RequestLog

ANSWERED = AnsweredRequest("GET", "/api/areas/{area_id}", 200, 0.01234, 7, "abcdefgh")


def record(message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    raised = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("consumo.http", logging.ERROR, __file__, 1, message, args, raised)


def an_error() -> BaseException:
    try:
        try:
            int("Juana Ríos")
        except ValueError:
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.execute("SELECT 'Juana' FROM patients")
    except sqlite3.Error as error:
        return error
    raise AssertionError


def test_a_json_line_can_be_parsed() -> None:
    stream = io.StringIO()
    RequestLog("json", stream)(ANSWERED)
    (line,) = stream.getvalue().splitlines()
    reported = json.loads(line)
    assert reported.pop("at").endswith("Z")
    assert reported == {
        "level": "info",
        "event": "request",
        "method": "GET",
        "route": "/api/areas/{area_id}",
        "status": 200,
        "ms": 12.3,
        "user_id": 7,
        "request_id": "abcdefgh",
    }


def test_a_text_line_is_readable() -> None:
    stream = io.StringIO()
    RequestLog("text", stream)(ANSWERED._replace(status=503))
    assert re.fullmatch(
        r"\S+Z error request method=GET route=/api/areas/\{area_id} status=503 ms=12.3 user_id=7 request_id=abcdefgh\n",
        stream.getvalue(),
    )


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_an_error_is_logged_by_type_and_place_without_message(log_format: str) -> None:
    reported = LogFormatter(log_format).format(record("Unexpected error at %s", "/api/areas", error=an_error()))
    assert "Juana" not in reported
    assert "Unexpected error at /api/areas" in reported
    assert "OperationalError SQLITE_ERROR < ValueError" in reported
    assert f"{__file__}:" in reported
    assert " an_error" in reported
    assert len(reported.splitlines()) == (1 if log_format == "json" else 2)


def test_a_log_line_of_a_request_has_its_id() -> None:
    token = REQUEST_ID.set("abcdefgh")
    try:
        assert json.loads(LogFormatter("json").format(record("x")))["request_id"] == "abcdefgh"
    finally:
        REQUEST_ID.reset(token)
    assert "request_id" not in json.loads(LogFormatter("json").format(record("x")))


class Full(io.StringIO):
    """A log on a full disk."""

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_is_ignored() -> None:
    RequestLog("text", Full())(ANSWERED)


@pytest.mark.parametrize("logger", ["litestar", "asyncio", "_granian", "sqlalchemy.pool", "py.warnings"])
def test_logs_of_libraries_have_no_user_input(logger: str) -> None:
    error = an_error()
    message = "Application callable raised an exception\nof %s" if logger == "_granian" else "Could not take %s"
    reported = logging.LogRecord(logger, logging.ERROR, __file__, 1, message, (error,), (type(error), error, None))
    line = json.loads(LogFormatter("json").format(reported))
    assert "Juana" not in str(line)
    assert line["raised"] == "OperationalError SQLITE_ERROR < ValueError"
