"""Pictures of products."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from domain.common.errors import Code, Reason, Refused

PICTURE_TYPES = ("image/jpeg", "image/png", "image/webp")
MAX_PICTURE_BYTES = 300_000
# A larger picture is reduced: it is shown small.
MAX_PICTURE_SIDE = 512


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG, PNG or WebP image."""

    content: bytes
    media_type: str
    width: int
    height: int

    @property
    def digest(self) -> str:
        """Return a digest of the content."""
        return hashlib.sha256(self.content).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductPicture:
    """The picture of a product. ``digest`` is that of its content."""

    product_id: int
    digest: str
    media_type: str
    width: int
    height: int
    content: bytes
    at: datetime


def picture_too_large(size: int) -> Refused:
    """Return the refusal of a picture with this number of bytes or more."""
    # Rounded up: a picture that is too large never seems small enough.
    return Refused(
        Reason(Code.PICTURE_TOO_LARGE, "picture", {"most": MAX_PICTURE_BYTES // 1_000, "size": -(-size // 1_000)})
    )
