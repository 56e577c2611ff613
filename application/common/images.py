"""Readers of uploaded images."""

from collections.abc import Callable

from domain.hospital import Logo
from domain.picture import Picture

# Both raise ``Refused`` for a file that is no such image.
ReadLogo = Callable[[bytes], Logo]
ReadPicture = Callable[[bytes], Picture]
