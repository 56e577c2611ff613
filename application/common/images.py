"""Readers of uploaded images."""

from collections.abc import Callable

from domain.catalogue.picture import Picture
from domain.hospital.settings import Logo

# Both raise ``Refused`` for a file that is no such image.
ReadLogo = Callable[[bytes], Logo]
ReadPicture = Callable[[bytes], Picture]
