"""The catalogue for devices: gzipped JSON, cached in memory per version."""

import gzip
import threading
from collections.abc import Callable

import msgspec

from application.catalogue.device_views import CatalogueView

_ENCODER = msgspec.json.Encoder(decimal_format="number")


class CataloguePacker:
    """Cache of the latest catalogue: half a megabyte for 43,000 products.

    Concurrent callers wait while it is built.
    """

    def __init__(self) -> None:
        self._latest: tuple[int, bytes] = (-1, b"")
        self._lock = threading.Lock()

    def __call__(self, version: int, read: Callable[[], CatalogueView]) -> bytes:
        """Return the gzipped catalogue of ``version``, building it with ``read``."""
        with self._lock:
            made, packed = self._latest
            if made != version:
                packed = gzip.compress(_ENCODER.encode({"version": version, **read()}), mtime=0)
                self._latest = (version, packed)
            return packed
