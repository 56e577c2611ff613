"""Where a request comes from, as tries are counted by it and the audit log notes it."""

import re
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from litestar import Request

# As some load balancers write them: 192.0.2.7:51234, [2001:db8::7]:51234, [2001:db8::7]
_WITH_PORT = re.compile(r"\[(?P<bracketed>[^]]*)\](?::\d+)?|(?P<plain>[^:]*):\d+")

# So much of an IPv6 address is given to one household or ward; the rest whoever lives there chooses anew at will.
_IPV6_PREFIX = 64
_LONGEST = 200


def client_address(request: Request[Any, Any, Any]) -> str:
    """The network address of whoever sent this request; of IPv6 the network alone."""
    return normalized(request.client.host if request.client else "")


def client_name(request: Request[Any, Any, Any]) -> str:
    """What the browser or program calls itself."""
    name = request.headers.get("user-agent", "")
    return "".join(c for c in name if c.isprintable())[:_LONGEST]


def normalized(host: str) -> str:
    """The address without its port, spelled in the one way."""
    found = _WITH_PORT.fullmatch(host)
    host = (found["bracketed"] or found["plain"] or "") if found else host
    try:
        address = ip_address(host)
    except ValueError:
        return host[:_LONGEST]
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)
