"""Statuses that Litestar has no exception for.

Handlers declare with ``raises=[…]`` what does not follow from their parameters. The exceptions themselves are those of
the domain; ``errors.py`` maps them.
"""

from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_422_UNPROCESSABLE_ENTITY, HTTP_507_INSUFFICIENT_STORAGE


class UnprocessableException(HTTPException):
    status_code = HTTP_422_UNPROCESSABLE_ENTITY


class InsufficientStorageException(HTTPException):
    status_code = HTTP_507_INSUFFICIENT_STORAGE
