"""What the PII stage costs on a text of about 40 tokens: process time of one thread, best of many.

    python benchmarks/pii_stage.py

The stage is: the cheap look, the models where it asks for them, and the judgement with its
patterns, checks and context. The reading of the text into views is shared with every guard and is
measured apart. Bars: 2.5 ms Chinese, 7 ms English where models run; 80 microseconds where the cheap
look rules them out (the look itself; patterns always run).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from memwarden.encoder.ner import ner
from memwarden.guards.pii import Pii
from memwarden.model import Candidate, Evidence, Need, Tier
from memwarden.pii.fold import fold
from memwarden.pii.look import may_name
from memwarden.text import read

TEXTS = {
    "zh, a name and a number": "用户王小明上周在杭州西湖边的咖啡馆说，他的手机是13812345678，"
    "以后下午三点以前请不要打电话给他，有急事发短信。",
    "en, names and a number": "User Emily Wilkerson moved from Boston to Lisbon last spring, "
    "works for a bank there, and asked that her manager Tom Baker reach her at "
    "415-555-2671 only after lunch, because she likes quiet mornings with coffee.",
    "zh, nothing": "我喜欢在早上喝一杯热茶，再慢慢吃一碗面，"
    "下雨的时候更喜欢在家里听一会儿老歌，什么都不想做。",
    "en, nothing": "I like a cup of hot tea in the morning, and when it rains in the evening it is "
    "good to stay at home with a book and a blanket, and to do nothing at all for a long while.",
}
ROUNDS = 400


def best(run: Callable[[], object]) -> float:
    """Milliseconds of the fastest of many runs."""
    run()
    took = []
    for _ in range(ROUNDS):
        started = time.process_time_ns()
        run()
        took.append(time.process_time_ns() - started)
    return min(took) / 1e6


def measure(text: str) -> tuple[float, float, float, float, bool]:
    """Milliseconds of views, cheap look, models and judgement, and whether models were asked."""
    guard, candidate = Pii(), Candidate(text)
    path = candidate.parts[0].path
    views = {path: read(text)}
    asks = Need.ENTITIES in guard.needs(candidate)
    entities = {path: ner([text])[0] if asks else ()}
    evidence = Evidence(views=views, entities=entities)
    clean = fold(text).text
    return (
        best(lambda: read(text)),
        best(lambda: may_name(clean)),
        best(lambda: ner([text])) if asks else 0.0,
        best(lambda: list(guard.judge(candidate, evidence, Tier.TRUSTED))),
        asks,
    )


def main() -> None:
    print(f"{'text':26s} {'views':>7s} {'look':>7s} {'models':>7s} {'judge':>7s} {'stage':>7s}  ms")
    for name, text in TEXTS.items():
        views, look, models, judge, asks = measure(text)
        stage = look + models + judge
        asked = "" if asks else "  (models not asked)"
        print(f"{name:26s} {views:7.3f} {look:7.3f} {models:7.3f} {judge:7.3f} {stage:7.3f}{asked}")


if __name__ == "__main__":
    main()
