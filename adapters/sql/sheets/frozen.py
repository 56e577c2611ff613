"""Frozen documents: gzipped JSON, 4 kB for a sheet of 100 lines."""

import gzip
from typing import TypeVar

import msgspec

from adapters.files.document_digest import document_digest
from application.sheets.summary_views import SheetDocument

Content = TypeVar("Content")
_EXACT_JSON = msgspec.json.Encoder(decimal_format="string")
_DOCUMENT = msgspec.json.Decoder(SheetDocument)


def freeze(document: object, salt: str) -> tuple[bytes, str]:
    """Return a document's bytes, which are deterministic, and its digest."""
    content = _EXACT_JSON.encode(document)
    return gzip.compress(content, mtime=0), document_digest(content, salt)


def frozen_digest(kept: bytes, salt: str) -> str:
    """Return the digest of stored bytes."""
    return document_digest(gzip.decompress(kept), salt)


def to_document(kept: bytes) -> SheetDocument:
    """Decode the document of a sheet."""
    return thaw(kept, _DOCUMENT)


def thaw(kept: bytes, decoder: "msgspec.json.Decoder[Content]") -> Content:
    """Decode stored bytes of any version, ignoring unknown fields."""
    return decoder.decode(gzip.decompress(kept))
