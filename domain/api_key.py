"""The keys with which programs come."""

from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_network

from domain.policy import Permission


@dataclass(slots=True, kw_only=True)
class ApiKey:
    """A key of a service account: what a program may do that comes with its secret.

    Of the secret only a ``digest`` is kept, and the ``prefix`` by which people recognize it. ``scopes`` are names of
    permissions, in their order; ``networks`` those from which alone it works (CIDR), or none for everywhere.
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

    def works(self, at: datetime) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > at)


def is_network(text: str) -> bool:
    """Whether that is an address or a network, such as 10.0.0.0/24."""
    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def is_within(address: str, networks: tuple[str, ...]) -> bool:
    """Whether that address, or network of addresses, lies within one of them; where there are none, everything does."""
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
