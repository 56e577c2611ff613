"""The address of the server in the form in which browsers compare it."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?)*")
# Browsers and Python write these differently.
_AMBIGUOUS = re.compile("[ßς]")


def origin_of(url: str) -> str:
    """Return the origin of a URL as browsers write it (RFC 6454).

    Raise ``ValueError``, without any part of the URL.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise ValueError("it is no such URL") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("it has to begin with https:// or http:// and a name")
    if "@" in parts.netloc:
        raise ValueError("leave out user and password")
    if parts.path.strip("/") or "?" in url or "#" in url:
        raise ValueError("leave out what comes after the name and the port")
    if port == 0:
        raise ValueError("0 is no port")
    default = port in (None, _PORTS[parts.scheme])
    return f"{parts.scheme}://{_host(parts.hostname)}{'' if default else f':{port}'}"


def _host(name: str) -> str:
    try:
        address = ip_address(name)
        return f"[{address.compressed}]" if address.version == 6 else str(address)
    except ValueError:
        pass
    try:
        ascii_name = name.encode("idna").decode().lower()
    except UnicodeError:
        ascii_name = ""
    # Browsers read a name that ends in a number as an IPv4 address.
    if _AMBIGUOUS.search(name) or not _NAME.fullmatch(ascii_name) or ascii_name.rpartition(".")[2].isdigit():
        raise ValueError("write the name as the browser's address bar shows it when it is copied")
    return ascii_name
