"""The head on frozen sentence vectors: fast to train, so that every fold can have its own."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from models.training.losses import OUTPUTS, loss

HIDDEN: Final = 256
STEPS: Final = 1500
BATCH: Final = 256


def new_head(width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(0.15),
        nn.Linear(width, HIDDEN),
        nn.GELU(),
        nn.Dropout(0.3),
        nn.Linear(HIDDEN, OUTPUTS),
    )


def train_head(
    vectors: Tensor, classes: Tensor, kinds: Tensor, weights: np.ndarray, seed: int
) -> nn.Sequential:
    """A head trained on rows drawn by weight. Same input and seed, same head."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed).choice(len(weights), (STEPS, BATCH), p=weights)
    head = new_head(vectors.shape[1])
    optimiser = torch.optim.AdamW(head.parameters(), 1e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, STEPS)
    for chosen in torch.from_numpy(draw):
        value = loss(head(vectors[chosen]), classes[chosen], kinds[chosen])
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
    return head.eval()
