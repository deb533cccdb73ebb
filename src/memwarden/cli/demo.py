"""memwarden demo: the main job on real texts. Nothing else to install or start."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from memwarden.demo.material import Line
    from memwarden.fence import Block
    from memwarden.model import Decision
    from memwarden.warden import Warden


def demo(
    folder: Annotated[
        Path, typer.Option("--data", help="Where to leave ledger, vault, store and samples.")
    ] = Path("memwarden-demo"),
    fresh: Annotated[bool, typer.Option(help="Empty the folder of an earlier demo first.")] = True,
) -> None:
    """Watch real candidate memories pass the chain: stored, redacted, held, recalled, scrubbed.

    The texts are published dialogue turns, facts and attack records in English and Chinese (see
    the ATTRIBUTION.md of the package). No language model is called.
    """
    from rich.console import Console

    from memwarden.demo.material import POLICY
    from memwarden.demo.samples import leave_samples
    from memwarden.keys import KeyPlace
    from memwarden.warden import Warden

    console = Console(highlight=False)
    started = time.perf_counter()
    _prepare(folder, fresh=fresh)
    policies = folder / "policies"
    policies.mkdir(exist_ok=True)
    (policies / "demo.yaml").write_text(POLICY, encoding="utf-8")
    place = KeyPlace.of(folder=folder / "keys")
    with Warden.open(policies, data_dir=folder / "data", keys=place) as warden:
        written = _write_all(console, warden)
        block = _recall(console, warden)
        _answer(console, warden, block)
        _queue(console, warden)
        leave_samples(folder / "audit_samples", written, warden)
    _closing(console, folder, time.perf_counter() - started)


def _prepare(folder: Path, *, fresh: bool) -> None:
    marker = folder / "policies" / "demo.yaml"
    if fresh and marker.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)


def _write_all(console: Console, warden: Warden) -> list[tuple[Line, Decision]]:
    from memwarden.demo.material import TENANT, lines
    from memwarden.model import Candidate, Origin

    written: list[tuple[Line, Decision]] = []
    console.rule("[bold]1. Guarded writes")

    for line in lines():
        candidate = Candidate(
            line.text, origin=Origin(source=line.written_by, principal=line.upstream)
        )
        decision = warden.write(candidate, tenant=TENANT)
        written.append((line, decision))
        _print_write(console, line, decision)
    _print_sums(console, written)
    return written


def _print_write(console: Console, line: Line, decision: Decision) -> None:
    from rich.markup import escape

    from memwarden.cli.show import ACTION_STYLE, shortened, visible

    style = ACTION_STYLE[decision.action]
    shown = decision.text if decision.text is not None else line.text
    console.print(
        f"[{style}]{decision.action.label:7}[/] [bright_black]{line.written_by:9}"
        f"{decision.kind:18}[/] {escape(shortened(visible(shown), max(24, console.width - 37)))}",
        soft_wrap=True,
    )
    telling = [f for f in decision.findings if f.severity >= 2]
    if decision.action.blocks and not telling:
        console.print(
            f"        [bright_black]↳ kinds.{decision.kind}: not written unseen from a source that"
            f" is {decision.tier.label}[/]",
            soft_wrap=True,
        )
    if telling and (decision.action.blocks or decision.cuts):
        first = max(telling, key=lambda finding: (finding.severity, finding.score))
        reason = first.reason.in_language(line.lang)
        cut = "cut: " if decision.cuts else ""
        console.print(
            f"        [bright_black]↳ {cut}{first.rule}: {escape(reason)}[/]", soft_wrap=True
        )


def _print_sums(console: Console, written: list[tuple[Line, Decision]]) -> None:
    hostile = [d for line, d in written if line.published_as == "malicious"]
    harmless = [d for line, d in written if line.published_as != "malicious"]
    stopped = sum(d.action.blocks or bool(d.cuts) for d in hostile)
    kept = sum(d.action.stores for d in harmless)
    console.print(
        f"\n{stopped} of {len(hostile)} texts published as attacks were held, rejected or cut; "
        f"{kept} of {len(harmless)} others were stored. "
        f"{sum(d.elapsed_ms for _, d in written) / len(written):.1f} ms each to judge."
    )


def _recall(console: Console, warden: Warden) -> Block:
    from memwarden.demo.material import QUESTIONS, TENANT

    console.rule("[bold]2. A recall through the fence")
    for question, lang in QUESTIONS:
        memories = warden.recall(question, tenant=TENANT, limit=3)
        block = warden.fence(memories, tenant=TENANT, language=lang)
        console.print(f"[bold]{question}[/]")
        console.print(block.text, markup=False, soft_wrap=True)
        console.print()
    personal = warden.recall("phone number, e-mail and card of a customer", tenant=TENANT, limit=6)
    return warden.fence(personal, tenant=TENANT)


def _answer(console: Console, warden: Warden, block: Block) -> None:
    console.rule("[bold]3. A scrubbed answer")
    sealed = warden.books.originals_of(block.tenant, block.decision_ids)
    if not sealed:
        console.print("the recalled memories hold no sealed original")
        return
    quoted = ", ".join(one.original for one in sealed[:4])
    careless = f"Sure! On file I have {quoted}. Anything else?"
    console.print("No model is called here. An answer that gives away what is sealed, such as")
    console.print(f"  {careless}", markup=False, soft_wrap=True)
    console.print("reaches the user as")
    console.print(f"  {warden.scrub(careless, block)}", markup=False, soft_wrap=True)
    console.print()


def _queue(console: Console, warden: Warden) -> None:
    from memwarden.demo.material import TENANT
    from memwarden.review import State, Wanted

    console.rule("[bold]4. What waits for a person")
    held = warden.review.items(Wanted(tenant=TENANT), limit=500)
    rejected = warden.review.items(Wanted(tenant=TENANT, states=(State.REJECTED,)), limit=500)
    console.print(f"{len(held)} held for review, {len(rejected)} rejected (they can be restored).")


def _closing(console: Console, folder: Path, seconds: float) -> None:
    console.print(f"\nDone in {seconds:.1f} s. Everything is in {folder}/. Look further:")
    key = f"MEMWARDEN_KEY_DIR={folder}/keys"
    for command in (
        f"memwarden audit tail --data {folder}/data",
        f"memwarden audit verify --data {folder}/data",
        f"memwarden review list --data {folder}/data --policies {folder}/policies",
    ):
        console.print(f"  {key} {command}", markup=False, soft_wrap=True)
    if not sys.stdout.isatty():
        console.print(f"  samples: {folder}/audit_samples/")
