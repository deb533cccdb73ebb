"""What a recall costs beside the store's own search: 20 published memories, one thread, no encoder.

    python benchmarks/recall_overhead.py

Cached is the usual case: the same memories under the same policy revision. Cold is the first
recall after the policy changed, when every text is judged again. Prints milliseconds, as JSON.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from memwarden import Candidate, Origin, Reader, Warden
from memwarden.demo.material import lines
from memwarden.keys import KeyPlace
from memwarden.testing.stores import ListStore
from memwarden.warden import Stored
from memwarden.warden.recall.rejudging import Rejudging

MEMORIES = 20
CACHED_ROUNDS = 300
COLD_ROUNDS = 40
POLICY = """\
tenant: bench
guards:
  attack: {{mode: "off"}}
  whitelist: {{mode: "off"}}
  pii: {{names: {names}}}
read:
  grants:
    everything: {{reader: bench, of: "*"}}
"""


@dataclass
class StillStore(ListStore):
    """Gives the same answer to every search, at no cost."""

    answer: Sequence[Stored] = ()

    def __post_init__(self) -> None:
        super().__init__("still")

    def search(self, *_: object, **__: object) -> Sequence[Stored]:
        return self.answer


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    print(
        json.dumps(
            {"rules": measured(names=False), "rules and names": measured(names=True)}, indent=2
        )
    )


def measured(*, names: bool) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "policies").mkdir()
        policy = POLICY.format(names=str(names).lower())
        (place / "policies" / "bench.yaml").write_text(policy, encoding="utf-8")
        store = StillStore()
        with Warden.open(
            place / "policies",
            data_dir=place / "data",
            keys=KeyPlace(folder=place / "keys"),
            store=store,
        ) as warden:
            fill(warden, store)
            return report(warden, store)


def fill(warden: Warden, store: StillStore) -> None:
    """Write published harmless texts until 20 of them are stored."""
    for line in lines():
        if line.published_as == "benign":
            origin = Origin(line.written_by, principal=line.upstream)
            warden.write(Candidate(line.text, origin=origin), tenant="bench")
    store.answer = list(store.scan("bench"))[:MEMORIES]


def report(warden: Warden, store: StillStore) -> dict[str, object]:
    whole = [recall(warden, None) for _ in range(CACHED_ROUNDS)]
    scoped = [recall(warden, Reader("bench")) for _ in range(CACHED_ROUNDS)]
    cold = []
    for _ in range(COLD_ROUNDS):
        warden._recalling._rejudging = Rejudging(warden.chain.judge)
        cold.append(recall(warden, None))
    characters = sum(len(part.text) for one in store.answer for part in one.parts)
    return {
        "memories": len(store.answer),
        "characters": characters,
        "cached_ms": spread(whole),
        "cached_with_a_reader_ms": spread(scoped),
        "cold_ms": spread(cold),
    }


def recall(warden: Warden, reader: Reader | None) -> float:
    started = time.thread_time()
    warden.recall("what does the user like?", tenant="bench", reader=reader, limit=MEMORIES)
    return (time.thread_time() - started) * 1000


def spread(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "p50": round(statistics.median(ordered), 3),
        "p95": round(ordered[int(0.95 * len(ordered))], 3),
        "min": round(ordered[0], 3),
    }


if __name__ == "__main__":
    main()
