"""What the heads are trained on: five classes, and kinds of which often only a group is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from memwarden.model import KINDS
from models.corpus.rows import CLASSES, Row

KIND_WEIGHT: Final = 0.4
OUTPUTS: Final = len(CLASSES) + len(KINDS)
_CLASS: Final = {name: i for i, name in enumerate(CLASSES)}
_KIND: Final = {name: i for i, name in enumerate(KINDS)}


def targets(rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
    """Class indices, and a mask of the kinds each row may be."""
    classes = torch.tensor([_CLASS[row.label] for row in rows])
    kinds = torch.zeros(len(rows), len(KINDS), dtype=torch.bool)
    for i, row in enumerate(rows):
        kinds[i, [_KIND[kind] for kind in row.kinds]] = True
    return classes, kinds


def loss(
    outputs: Tensor, classes: Tensor, kinds: Tensor, kind_weight: float = KIND_WEIGHT
) -> Tensor:
    """Cross-entropy over classes, and minus the log of the probability of the possible kinds."""
    class_logits, kind_logits = outputs[:, : len(CLASSES)], outputs[:, len(CLASSES) :]
    possible = kind_logits.masked_fill(~kinds, float("-inf")).logsumexp(-1)
    kind_loss = (kind_logits.logsumexp(-1) - possible).mean()
    class_loss = torch.nn.functional.cross_entropy(class_logits, classes, label_smoothing=0.03)
    return class_loss + kind_weight * kind_loss


def attack(outputs: Tensor) -> Tensor:
    """Log-odds of hostile against harmless."""
    return outputs[:, _CLASS["malicious"]] - outputs[:, _CLASS["benign"]]
