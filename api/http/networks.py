"""Names callers without a token by the network that they come from."""

from ipaddress import IPv6Address, ip_address


def network_of(address: str | None) -> str:
    """Name who has an address: of IPv6, all that have its first 64 bits, as one person has them all."""
    try:
        read = ip_address(address or "")
    except ValueError:
        return f"address {address}"
    if isinstance(read, IPv6Address):
        read = read.ipv4_mapped or IPv6Address(int(read) >> 64 << 64)
    return f"address {read}"
