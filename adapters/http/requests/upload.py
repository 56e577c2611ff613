"""Uploads: files to a temporary file that is always deleted, and pictures."""

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

from adapters.http.requests.request import BODY_TIMEOUT_SECONDS, BodyTimeout, MalformedBody
from application.common.store_errors import StoreUnavailable, UnavailableReason
from application.imports.reading.table import MAX_FILE_BYTES
from domain.catalogue.picture import MAX_PICTURE_BYTES, picture_too_large

# Minimum speed: a large file may take its time, but a slower client holds a connection for nothing.
MIN_BYTES_PER_SECOND = 10_000

# Options of upload routes: Litestar's own limit is for bodies that are held in memory.
STREAMED: dict[str, Any] = {"request_max_body_size": None}


class FileTooLarge(HTTPException):
    """The file exceeds the size limit."""

    status_code = 413


class MultipartNotAccepted(HTTPException):
    """The body is a multipart form instead of the file itself."""

    status_code = 415


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file. Closing it deletes it."""

    file: IO[bytes]

    @property
    def path(self) -> Path:
        return Path(self.file.name)


@dataclass
class FileUploadOperation(Operation):
    """The request body of an upload, for the OpenAPI document."""

    def __post_init__(self) -> None:
        file = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        self.request_body = RequestBody(
            required=True, content={"application/octet-stream": OpenAPIMediaType(schema=file)}
        )


async def save_upload(request: Request[Any, Any, Any]) -> Upload:
    """Receive the uploaded file of any content type."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise MultipartNotAccepted
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > MAX_FILE_BYTES:
        raise FileTooLarge
    file = NamedTemporaryFile(prefix="consumo-import-")  # noqa: SIM115 - closed by the caller
    try:
        received = 0
        with translate_disk_full():
            async for chunk in _read_chunks(request):
                received += len(chunk)
                if received > MAX_FILE_BYTES:
                    raise FileTooLarge
                file.write(chunk)
            file.flush()
    except BaseException:
        file.close()
        raise
    return Upload(file)


async def receive_picture(request: Request[Any, Any, Any]) -> bytes:
    """Receive an uploaded picture of any content type.

    Raise ``Refused`` as soon as it is too large.
    """
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise MultipartNotAccepted
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > MAX_PICTURE_BYTES:
        raise picture_too_large(int(announced[:20]))
    content = bytearray()
    async for chunk in _read_chunks(request):
        content += chunk
        if len(content) > MAX_PICTURE_BYTES:
            raise picture_too_large(len(content))
    return bytes(content)


@contextmanager
def translate_disk_full() -> Iterator[None]:
    """Raise ``StoreUnavailable`` if the disk of temporary files is full."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreUnavailable(UnavailableReason.FULL) from error
        raise


async def _read_chunks(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    """Yield the body in chunks.

    Raise ``BodyTimeout`` if it stalls, ``MalformedBody`` if the client disconnects.
    """
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
            # Litestar raises this when the client disconnects before the end.
            raise MalformedBody from None
        deadline += len(chunk) / MIN_BYTES_PER_SECOND
        yield chunk
