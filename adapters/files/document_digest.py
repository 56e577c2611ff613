"""Digests of frozen sheets, which do not depend on how they are stored."""

import hashlib

import msgspec


def document_digest(document: bytes, salt: str) -> str:
    """Return the SHA-256 of a JSON document and its salt, in hexadecimal.

    The keys are sorted, and amounts are texts, so the digest is that of the content. Nothing is decoded into types: a
    later version must find the same digest. The salt is secret: without it, a price could be guessed until the digest
    matches.
    """
    content = msgspec.json.encode(msgspec.json.decode(document), order="sorted")
    return hashlib.sha256(salt.encode() + content).hexdigest()
