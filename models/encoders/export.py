"""Torch modules to int8 ONNX files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from torch import nn

OPSET: Final = 17


def export_int8(
    module: nn.Module, path: Path, outputs: Sequence[str], exact: Sequence[str] = ()
) -> None:
    """Write ``path``: inputs ``input_ids`` and ``attention_mask``, the named outputs.

    Weights are 8 bit per channel with one bit in reserve: without it, processors that lack VNNI
    saturate inside a product and give other answers than those that have it. Nodes whose name
    starts with one of ``exact`` keep their floats.
    """
    with tempfile.TemporaryDirectory() as folder:
        floats = Path(folder) / "model.onnx"
        export_floats(module, floats, outputs)
        _quantise(floats, path, exact)


def export_floats(module: nn.Module, path: Path, outputs: Sequence[str]) -> None:
    ids = torch.randint(5, 900, (2, 12), generator=torch.Generator().manual_seed(0))
    axes = {name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask")}
    torch.onnx.export(
        module.eval(),
        (ids, torch.ones_like(ids)),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=list(outputs),
        dynamic_axes={**axes, **{name: {0: "batch"} for name in outputs}},
        opset_version=OPSET,
        dynamo=False,
        do_constant_folding=True,
    )


def _quantise(source: Path, target: Path, exact: Sequence[str]) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    import onnx

    names = [node.name for node in onnx.load(source).graph.node]
    quantize_dynamic(
        source,
        target,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        nodes_to_exclude=[name for name in names if name.startswith(tuple(exact))],
        extra_options={"MatMulConstBOnly": True},
    )
