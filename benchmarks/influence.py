"""Whether any attack record, written from outside, is ever admitted to decide.

    python benchmarks/influence.py FOLDER [--limit N]

Reads every ``*.jsonl`` below FOLDER (rows ``{id, lang, text, label}``), takes the rows labelled
malicious, and writes each of them through the whole guarded path, twice over:

``enforced``: the policy that ships, as a web page would write it. What is stored is recalled.
``unguarded``: a policy that lets everything pass whatever the guards think of it, grants every
tier ``decide``, corroborates at the first chance and judges nothing again, each record from every
untrusted source. Nothing but influence stands between poison and an action here.

Prints JSON; exits with 1 if a single memory, alone or in a block, may decide anything.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import structlog

from memwarden import Candidate, Origin, Warden
from memwarden.evaluation.rows import read_rows
from memwarden.keys import KeyPlace
from memwarden.model import UNSTATED, Influence, Memory
from memwarden.testing.stores import ListStore

BATCH = 64
ACTIONS = ("tool", "recipient", "price", "permission", "an action nobody has classified")
UNTRUSTED = ("web", "document", "email", "tool", "import", "a-source-no-policy-names", UNSTATED)

POLICIES = {
    "enforced": "tenant: enforced\nlimits: {max_text: 1000000, pending_per_origin: 1000000}\n",
    "unguarded": """\
tenant: unguarded
mode: observe
guards:
  attack: {mode: "off"}
  whitelist: {mode: "off"}
  pii: {mode: "off"}
influence: {untrusted: decide, else: decide}
limits: {max_text: 1000000}
read: {rejudge: false, corroboration: 1, ceiling: restricted}
""",
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--limit", type=int, default=0, help="no more records than this")
    chosen = options.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    report = measured(attacks(chosen.folder, chosen.limit))
    sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    return 1 if any(one["decide"] for one in report.values()) else 0


def attacks(folder: Path, limit: int = 0) -> list[str]:
    """The distinct texts labelled malicious in a folder of rows, in order."""
    rows = read_rows(sorted(folder.rglob("*.jsonl")))
    texts = list(dict.fromkeys(row.text for row in rows if row.label == "malicious"))
    return texts[: limit or None]


def measured(texts: Sequence[str]) -> dict[str, dict[str, int]]:
    """Admissions to decide under each policy."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "policies").mkdir()
        for name, text in POLICIES.items():
            (place / "policies" / f"{name}.yaml").write_text(text, encoding="utf-8")
        with Warden.open(
            place / "policies",
            data_dir=place / "data",
            keys=KeyPlace(folder=place / "keys"),
            store=ListStore(),
        ) as warden:
            return {
                "enforced": admitted(warden, "enforced", texts, ("web",)),
                "unguarded": admitted(warden, "unguarded", texts, UNTRUSTED),
            }


def admitted(
    warden: Warden, tenant: str, texts: Sequence[str], sources: Sequence[str]
) -> dict[str, int]:
    """Write every text from every source, recall all that was stored, and ask the tool gate."""
    found: Counter[str] = Counter(written=0, stored=0, recalled=0, inform=0, decide=0)
    for source in sources:
        for some in batches(texts):
            candidates = [Candidate(text, origin=Origin(source, "eve")) for text in some]
            decisions = warden.write_many(candidates, tenant=tenant)
            found["written"] += len(decisions)
            found["stored"] += sum(decision.action.stores for decision in decisions)
    kept = [warden.memory(tenant, one) for one in warden._store.scan(tenant)]
    for some in batches(kept):
        given = [one.memory for one in warden.admit(some, tenant=tenant) if one.withheld is None]
        found["recalled"] += len(given)
        found["inform"] += sum(one.influence is Influence.INFORM for one in given)
        found["decide"] += decides(warden, tenant, given)
    return dict(found)


def decides(warden: Warden, tenant: str, memories: Sequence[Memory]) -> int:
    """How many of these may decide something, alone or as one block."""
    blocks = [warden.fence([one], tenant=tenant) for one in memories]
    if memories:
        blocks.append(warden.fence(memories, tenant=tenant))
    return sum(
        block.influence is Influence.DECIDE
        or any(warden.may(action, because=block) for action in ACTIONS)
        for block in blocks
    )


def batches(items: Sequence) -> Iterator[Sequence]:
    for at in range(0, len(items), BATCH):
        yield items[at : at + BATCH]


if __name__ == "__main__":
    sys.exit(main())
