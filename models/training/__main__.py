"""Train the models. Run in this order, each one command:

python -m models.training heads       heads on frozen vectors, out-of-fold scores
python -m models.training finetune    the second model, without the left-out sources
python -m models.training calibrate   scales, probabilities, thresholds from the left-out sources
python -m models.training finish      a last round on everything: the second model as it ships
python -m models.training export      int8 ONNX, examples and manifest, models/onnx
python -m models.training evaluate --data FOLDER         what the exported models hold
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.training.calibrate import Unseen

CACHE = Path(__file__).parents[1] / ".cache"
ONNX = Path(__file__).parents[1] / "onnx"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=sorted(STEPS))
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--out", type=Path, default=ONNX)
    parser.add_argument("--data", type=Path, help="labelled records to evaluate on")
    parser.add_argument("--name", default="memwarden-zhen-2")
    options = parser.parse_args()
    if options.step != "evaluate":
        _prepare()
    STEPS[options.step](options)


def _prepare() -> None:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # must be set before torch is loaded
    import torch

    torch.set_num_threads(2)
    torch.use_deterministic_algorithms(mode=True)


def _heads(options: argparse.Namespace) -> None:
    import numpy as np
    import torch

    from models.corpus.rows import read_rows
    from models.training import heads
    from models.training.seeds import SEED

    cache: Path = options.cache
    rows = list(read_rows(cache / "corpus.jsonl"))
    vectors = heads.encode_rows(rows, cache / "encoders" / "use")
    everything = np.ones(len(rows), dtype=bool)
    first = heads.out_of_fold(rows, vectors, everything)
    kept = heads.hostile_windows(rows, first)
    second = heads.out_of_fold(rows, vectors, kept)
    np.savez(cache / "heads.npz", vectors=vectors[: len(rows)], kept=kept, out_of_fold=second)
    torch.save(heads.fit(rows, vectors, kept, SEED).state_dict(), cache / "head.pt")
    print(f"{len(rows)} rows, {int(kept.sum())} kept")


def _finetune(options: argparse.Namespace) -> None:
    import numpy as np
    import torch
    from tokenizers import Tokenizer

    from models.corpus.rows import read_rows
    from models.training.balance import left_out, weights
    from models.training.finetune import finetune, outputs
    from models.training.seeds import SEED

    cache: Path = options.cache
    rows = list(read_rows(cache / "corpus.jsonl"))
    kept = np.load(cache / "heads.npz")["kept"]
    left = left_out(rows)
    mine = [row for row, keep, out in zip(rows, kept, left, strict=True) if keep and not out]
    folder = cache / "encoders" / "me5"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = finetune(mine, weights(mine), folder / "hf", tokenizer, SEED)
    torch.save(model.state_dict(), cache / "me5.without-left-out.pt")
    unseen = np.flatnonzero(left)
    scores = outputs(model, tokenizer, [rows[i].text for i in unseen])
    np.savez(cache / "me5.left-out.npz", rows=unseen, outputs=scores)


def _finish(options: argparse.Namespace) -> None:
    import numpy as np
    import torch
    from tokenizers import Tokenizer

    from models.corpus.rows import read_rows
    from models.training.balance import weights
    from models.training.finetune import TextModel, finish
    from models.training.seeds import SEED

    cache: Path = options.cache
    kept = np.load(cache / "heads.npz")["kept"]
    everything = read_rows(cache / "corpus.jsonl")
    mine = [row for row, keep in zip(everything, kept, strict=True) if keep]
    folder = cache / "encoders" / "me5"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = TextModel(folder / "hf")
    model.load_state_dict(torch.load(cache / "me5.without-left-out.pt", weights_only=True))
    finish(model, mine, weights(mine), tokenizer, SEED + 9)
    torch.save(model.state_dict(), cache / "me5.pt")


def _calibrate(options: argparse.Namespace) -> None:
    import json

    from models.training.calibrate import calibrated
    from models.training.report import table

    unseen = _unseen(options.cache)
    measured = calibrated(unseen, ("use", "me5"))
    text = json.dumps(measured, indent=1) + "\n"
    (options.cache / "calibration.json").write_text(text, encoding="utf-8")
    print(text)
    print(table(unseen, measured["calibration"]))


def _unseen(cache: Path) -> Unseen:
    """The left-out rows with what both models said of them."""
    import numpy as np

    from models.corpus.rows import read_rows
    from models.training.calibrate import Unseen

    rows = list(read_rows(cache / "corpus.jsonl"))
    heads = np.load(cache / "heads.npz")
    second = np.load(cache / "me5.left-out.npz")
    kept = heads["kept"][second["rows"]]
    chosen = second["rows"][kept]
    outputs = (heads["out_of_fold"][chosen], second["outputs"][kept])
    return Unseen(tuple(rows[i] for i in chosen), outputs)


def _export(options: argparse.Namespace) -> None:
    from models.training.export import export

    export(options.cache, options.out, options.name)


def _evaluate(options: argparse.Namespace) -> None:
    from memwarden.encoder import Encoder
    from models.training.evaluate import evaluate, table

    print(table(evaluate(Encoder.open(options.out), options.data)))


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "heads": _heads,
    "finetune": _finetune,
    "finish": _finish,
    "calibrate": _calibrate,
    "export": _export,
    "evaluate": _evaluate,
}

if __name__ == "__main__":
    main()
