"""Fine-tuning of the first six layers of mE5, embeddings and the lowest two frozen."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from models.corpus.rows import Row
from models.training.losses import OUTPUTS, loss, targets
from models.training.noise import varied

LAYERS: Final = 6
FROZEN: Final = 2
"""Layers kept as they are, beside the word embeddings: they cost time and teach little."""
BATCH: Final = 32
LONGEST: Final = 80
PREFIX: Final = "query: "
DROPOUT: Final = 0.1
WIDTHS: Final = 16
"""Few widths keep the compiled kernels in their cache: every new shape is compiled anew."""
_SORTED_TOGETHER: Final = 16


@dataclass(frozen=True, slots=True)
class Round:
    """A stretch of training: steps, peak learning rates, weight of the kinds in the loss."""

    steps: int
    layer_rate: float
    head_rate: float
    kind_weight: float


ROUNDS: Final = (Round(900, 1e-4, 1e-4, 0.4), Round(1300, 2e-4, 2e-3, 0.6))
"""First everything learns slowly together; then the head, which started from nothing, faster
than the layers below it."""

LAST_ROUND: Final = Round(500, 1e-4, 5e-4, 0.6)
"""What ships learns from the left-out families too, after the scales were taken without them."""


class SharedDropout(nn.Module):
    """Dropout with one mask for all tokens of a text: a third of a step went into drawing."""

    def forward(self, hidden: Tensor) -> Tensor:
        if not self.training:
            return hidden
        kept = torch.empty(len(hidden), 1, hidden.shape[-1], dtype=hidden.dtype)
        return hidden * kept.bernoulli_(1 - DROPOUT) / (1 - DROPOUT)


class TextModel(nn.Module):
    """mE5's first layers, mean pooling, and one linear head for classes and kinds."""

    def __init__(self, folder: Path) -> None:
        from transformers import BertModel

        super().__init__()
        self.encoder = BertModel.from_pretrained(
            folder,
            add_pooling_layer=False,
            attention_probs_dropout_prob=0.0,
            attn_implementation="eager",
        )
        for layer in self.encoder.encoder.layer:
            layer.attention.output.dropout = SharedDropout()
            layer.output.dropout = SharedDropout()
        self.encoder.embeddings.dropout = SharedDropout()
        self.encoder.encoder.layer = self.encoder.encoder.layer[:LAYERS]
        self.encoder.config.num_hidden_layers = LAYERS
        self.encoder.embeddings.requires_grad_(False)
        self.encoder.encoder.layer[:FROZEN].requires_grad_(False)
        self.dropout = nn.Dropout(DROPOUT)
        self.head = nn.Linear(self.encoder.config.hidden_size, OUTPUTS)

    def pooled(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The mean over tokens of the last layer: shape (batch, hidden)."""
        encoded = self.encoder(input_ids=input_ids, attention_mask=attention_mask)
        hidden = encoded.last_hidden_state.float()
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return (hidden * mask).sum(1) / mask.sum(1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        return self.head(self.dropout(self.pooled(input_ids, attention_mask)))


def finetune(
    rows: Sequence[Row], weights: np.ndarray, folder: Path, tokenizer: Tokenizer, seed: int
) -> TextModel:
    """Train on rows drawn by weight, round by round. Same input and seed, same model."""
    model = None
    for number, stretch in enumerate(ROUNDS):
        torch.manual_seed(seed + number)
        model = model or TextModel(folder)
        batches = _batches(rows, weights, stretch.steps, seed + number)
        _train(model.train(), stretch, batches, tokenizer)
    return model.eval()


def finish(
    model: TextModel, rows: Sequence[Row], weights: np.ndarray, tokenizer: Tokenizer, seed: int
) -> TextModel:
    """A last round on everything, for a model that was trained without the left-out families."""
    torch.manual_seed(seed)
    batches = _batches(rows, weights, LAST_ROUND.steps, seed)
    _train(model.train(), LAST_ROUND, batches, tokenizer)
    return model.eval()


def _train(
    model: TextModel, stretch: Round, batches: Iterator[list[Row]], tokenizer: Tokenizer
) -> None:
    """One round; prints the running loss."""
    below = [p for p in model.encoder.parameters() if p.requires_grad]
    groups = [{"params": below}, {"params": list(model.head.parameters())}]
    optimiser = torch.optim.AdamW(groups, stretch.layer_rate, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, [stretch.layer_rate, stretch.head_rate], stretch.steps, pct_start=0.1
    )
    started, running = time.monotonic(), 0.0
    for step, batch in enumerate(batches, 1):
        inputs = pad([encode(tokenizer, row.text) for row in batch])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pooled = model.pooled(*inputs)
        outputs = model.head(model.dropout(pooled))
        value = loss(outputs, *targets(batch), stretch.kind_weight)
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_([p for group in groups for p in group["params"]], 1.0)
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * value.item()
        if step % 50 == 0:
            mean, spent = running / (1 - 0.98**step), time.monotonic() - started
            print(f"step {step}/{stretch.steps} loss {mean:.3f} {spent:.0f}s", flush=True)


def _batches(
    rows: Sequence[Row], weights: np.ndarray, steps: int, seed: int
) -> Iterator[list[Row]]:
    """Batches of texts of about the same length, in random order."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    neighbours = {
        lang: [row for row in rows if row.lang == lang and row.label == "benign"]
        for lang in ("en", "zh")
    }
    made = 0
    while made < steps:
        chosen = rng.choice(len(rows), BATCH * _SORTED_TOGETHER, p=weights)
        drawn = sorted(
            (varied(rows[i], neighbours, draw) for i in chosen),
            key=lambda row: len(row.text) * (2.5 if row.lang == "zh" else 1.0),
        )
        batches = [drawn[i : i + BATCH] for i in range(0, len(drawn), BATCH)]
        draw.shuffle(batches)
        yield from batches[: steps - made]
        made += len(batches)


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    ids = tokenizer.encode(PREFIX + text).ids
    return ids if len(ids) <= LONGEST else [*ids[: LONGEST - 1], ids[-1]]


def pad(ids: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Token ids and their mask, padded to the longest and on to a multiple of WIDTHS."""
    width = -(-max(map(len, ids)) // WIDTHS) * WIDTHS
    tokens = torch.ones(len(ids), width, dtype=torch.long)
    mask = torch.zeros(len(ids), width, dtype=torch.long)
    for i, row in enumerate(ids):
        tokens[i, : len(row)] = torch.tensor(row)
        mask[i, : len(row)] = 1
    return tokens, mask


@torch.no_grad()
def outputs(model: TextModel, tokenizer: Tokenizer, texts: Sequence[str]) -> np.ndarray:
    """Raw outputs of many texts, read in order of length to waste no padding."""
    ids = [encode(tokenizer, text) for text in texts]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    result = np.zeros((len(ids), OUTPUTS), dtype=np.float32)
    for start in range(0, len(order), 64):
        part = order[start : start + 64]
        result[part] = model(*pad([ids[i] for i in part])).numpy()
    return result
