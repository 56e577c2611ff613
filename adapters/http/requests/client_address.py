"""Client addresses, for rate limits and the audit log."""

import re
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

# As some load balancers write them: 192.0.2.7:51234, [2001:db8::7]:51234, [2001:db8::7]
_WITH_PORT = re.compile(r"\[(?P<bracketed>[^]]*)\](?::\d+)?|(?P<plain>[^:]*):\d+")

# One household or ward gets an IPv6 network of this length. Its devices choose the rest of the address freely.
_IPV6_PREFIX = 64
_MAX_LENGTH = 200


def client_address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the client's network address; for IPv6, only the network."""
    return normalized(connection.client.host if connection.client else "")


def client_name(request: Request[Any, Any, Any]) -> str:
    """Return the User-Agent header, shortened."""
    name = request.headers.get("user-agent", "")
    return "".join(c for c in name if c.isprintable())[:_MAX_LENGTH]


def normalized(host: str) -> str:
    """Return the address without port, in canonical spelling."""
    found = _WITH_PORT.fullmatch(host)
    host = (found["bracketed"] or found["plain"] or "") if found else host
    try:
        address = ip_address(host)
    except ValueError:
        return host[:_MAX_LENGTH]
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)
