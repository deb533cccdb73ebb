"""A warden over a temporary folder: rules only, a store in RAM, keys of its own."""

from __future__ import annotations

import pytest

from memwarden.keys import KeyPlace
from memwarden.testing.stores import ListStore
from memwarden.warden import Warden

BASE = """\
extends: bundled
guards:
  attack: {mode: "off"}
  whitelist: {mode: "off"}
kinds:
  other: allow
"""
TINY = """\
extends: base
tenant: tiny
limits:
  pending_per_origin: 2
  rejected_per_origin: 2
severities:
  critical: reject
  high: {untrusted: reject, else: hold}
"""
TENANTS = {
    "acme": "extends: base\ntenant: acme\n",
    "acme-corp": "extends: base\ntenant: acme-corp\n",
    "watching": "extends: base\ntenant: watching\nmode: observe\n",
    "strict": "extends: base\ntenant: strict\nkinds:\n  other: skip\n",
    "tiny": TINY,
}


@pytest.fixture
def policies(tmp_path):
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    for name, text in TENANTS.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def store():
    return ListStore()


@pytest.fixture
def open_warden(tmp_path, policies, store):
    """Open the same data folder as often as a test likes."""
    opened = []

    def open_again(**changes):
        warden = Warden.open(
            policies,
            data_dir=tmp_path / "data",
            keys=KeyPlace(folder=tmp_path / "keys"),
            **{"store": store, **changes},
        )
        opened.append(warden)
        return warden

    yield open_again
    for warden in opened:
        warden.close()


@pytest.fixture
def warden(open_warden):
    return open_warden()


@pytest.fixture
def governed(policies, open_warden):
    """Open the data folder under a policy of one's own for the tenant ``acme``, again and again."""

    def under(text="", **changes):
        (policies / "acme.yaml").write_text(f"tenant: acme\n{text}", encoding="utf-8")
        return open_warden(**changes)

    return under
