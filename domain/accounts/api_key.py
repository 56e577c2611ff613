"""API keys of service accounts."""

from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_network

from domain.common.policy import Permission


@dataclass(slots=True, kw_only=True)
class ApiKey:
    """An API key: what a program with its secret may do.

    Only a ``digest`` of the secret is stored, and the ``prefix`` by which people recognize the key. ``scopes`` are
    permissions, in their order. ``networks`` are the networks (CIDR) from which the key is valid; if there are none, it
    is valid from everywhere.
    """

    id: int = 0
    user_id: int
    name: str
    prefix: str
    digest: str = field(repr=False)
    scopes: tuple[Permission, ...]
    networks: tuple[str, ...] = ()
    created_at: datetime
    created_by: int
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


def is_network(text: str) -> bool:
    """Return whether the text is an IP address or a network (CIDR)."""
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def is_within(address: str, networks: tuple[str, ...]) -> bool:
    """Return whether an address or network is part of one of ``networks``.

    Without ``networks`` every address is allowed.
    """
    if not networks:
        return True
    try:
        from_where = ip_network(address)
    except ValueError:
        return False
    return any(
        network.version == from_where.version and from_where.subnet_of(network)  # type: ignore[arg-type]
        for network in map(ip_network, networks)
    )
