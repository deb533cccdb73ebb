"""Checks of network names and places: addresses of hosts, mail and points on the map."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Final

from memwarden.pii.load import listed

_DUMMY_HOSTS: Final = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net|cn|edu)|example|domain\.(?:com|tld)|host|localhost|"
    r"email\.com|mail\.com|company\.com|server\.com)$"
)


def email(value: str) -> bool:
    """A mailbox of somebody: not ``git@host``, not ``icon@2x.png``, not a textbook example."""
    local, _, host = value.rpartition("@")
    host = host.lower()
    if not local or host.rpartition(".")[2] in listed("file_endings") or ".." in value:
        return False
    if local.lower() in listed("mail_robots"):
        return False
    return not (local.lower() in listed("mail_placeholders") and _DUMMY_HOSTS.search(host))


def spoken_email(value: str) -> bool:
    """An address spelled out: its last label is a top-level domain that people know."""
    last = re.split(r"[^A-Za-z0-9\-]+", value)[-1].lower()
    plain = re.fullmatch(r"[\w.+\-]+@[\w.\-]+", value) is not None
    return last in listed("spoken_domains") and not plain


def ipv4(value: str) -> bool:
    """A host: not a network, a netmask, loopback, the unspecified or broadcast address."""
    if value.partition("/")[2] not in ("", "32"):
        return False
    try:
        address = ipaddress.IPv4Address(value.partition("/")[0].partition(":")[0])
    except ValueError:
        return False
    if address.is_loopback or address.is_unspecified or address.is_multicast:
        return False
    return not value.startswith(("255.", "0."))


def ipv6(value: str) -> bool:
    try:
        address = ipaddress.IPv6Address(value.partition("/")[0].partition("%")[0])
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified) and len(value) > 6


def mac(value: str) -> bool:
    parts = re.split(r"[:\-.]", value)
    return len({part.lower() for part in parts}) > 1


def coordinates(value: str) -> bool:
    """Latitude within 90 and longitude within 180 degrees, in either order."""
    numbers = [abs(float(part)) for part in re.findall(r"-?[0-9]+(?:\.[0-9]+)?", value)[:2]]
    return len(numbers) == 2 and max(numbers) <= 180 and min(numbers) <= 90 and numbers != [0, 0]


def url_with_secret(value: str) -> bool:
    """``scheme://user:secret@host`` with a secret that is not a placeholder."""
    secret = value.partition("://")[2].rpartition("@")[0].partition(":")[2]
    lower = secret.lower()
    return bool(secret) and not lower.startswith(("<", "{", "$", "%s", "***", "xxx", "your"))


CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "coordinates": coordinates,
    "email": email,
    "ipv4": ipv4,
    "ipv6": ipv6,
    "mac": mac,
    "spoken_email": spoken_email,
    "url_with_secret": url_with_secret,
}
