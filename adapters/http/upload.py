"""A file that is sent as a request's whole body: streamed to a temporary file, which goes whatever happens."""

import asyncio
import errno
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from litestar import Request
from litestar.exceptions import HTTPException, InternalServerException
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema

from adapters.http.body import BODY_TIMEOUT_SECONDS, BodyTimeout, MalformedBody
from application.imports.reading.table import MAX_FILE_BYTES
from application.ports.unit_of_work import StoreUnavailable, UnavailableReason
from domain.policy import Actor, Permission

# A large file takes its time, but whoever sends less than that in a second holds a connection for nothing.
MIN_BYTES_PER_SECOND = 10_000

# How these calls take their body; Litestar's own limit is for bodies that lie in memory.
STREAMED: dict[str, Any] = {"request_max_body_size": None}


class FileTooLarge(HTTPException):
    """The file has more bytes than are taken."""

    status_code = 413


class MultipartNotAccepted(HTTPException):
    """A form was sent, with the file somewhere in it."""

    status_code = 415


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was sent. It is deleted when it is closed."""

    file: IO[bytes]

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(self.file.name)


@dataclass
class FileUploadOperation(Operation):
    """What such a route takes, for the OpenAPI document."""

    def __post_init__(self) -> None:
        file = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        self.request_body = RequestBody(
            required=True, content={"application/octet-stream": OpenAPIMediaType(schema=file)}
        )


async def received(request: Request[Any, Any, Any], actor: Actor) -> Upload:
    """The file that came with this request, of whatever type it calls itself. It is taken from those who may."""
    actor.must(Permission.IMPORT)
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise MultipartNotAccepted
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > MAX_FILE_BYTES:
        raise FileTooLarge
    file = NamedTemporaryFile(prefix="consumo-import-")  # noqa: SIM115 - closed by whoever works on it
    try:
        received = 0
        with translate_disk_full():
            async for chunk in _arriving(request):
                received += len(chunk)
                if received > MAX_FILE_BYTES:
                    raise FileTooLarge
                file.write(chunk)
            file.flush()
    except BaseException:
        file.close()
        raise
    return Upload(file)


@contextmanager
def translate_disk_full() -> Iterator[None]:
    """Raise ``StoreUnavailable`` where there is no room for a temporary file."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreUnavailable(UnavailableReason.FULL) from error
        raise


async def _arriving(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    """The body as it comes. Raise ``BodyTimeout`` where it stands still, ``MalformedBody`` where it breaks off."""
    deadline = time.monotonic() + BODY_TIMEOUT_SECONDS
    chunks = request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks), min(BODY_TIMEOUT_SECONDS, deadline - time.monotonic()))
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise BodyTimeout from None
        except InternalServerException:
            # What Litestar calls a client that hung up before the end.
            raise MalformedBody from None
        deadline += len(chunk) / MIN_BYTES_PER_SECOND
        yield chunk
