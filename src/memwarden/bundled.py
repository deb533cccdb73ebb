"""Finds the files that ship with memwarden: example policies and model files.

In an installed wheel they lie inside the package, under ``bundled/``; in a source checkout they
are the folders ``policies`` and ``models/onnx`` at the top of the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memwarden.errors import MemwardenError

_PACKAGE: Final = Path(__file__).resolve().parent
_CHECKOUT: Final = _PACKAGE.parents[1]


def policies_dir() -> Path:
    """The folder with ``base.yaml`` and the example tenants."""
    return _find(_PACKAGE / "bundled" / "policies", _CHECKOUT / "policies")


def models_dir() -> Path:
    """The folder with the ONNX files and tokenizers."""
    return _find(_PACKAGE / "bundled" / "models", _CHECKOUT / "models" / "onnx")


def base_policy() -> Path:
    """The base policy that every tenant inherits from unless its folder has its own."""
    return policies_dir() / "base.yaml"


def _find(installed: Path, checkout: Path) -> Path:
    if installed.is_dir():
        return installed
    if checkout.is_dir() and (_CHECKOUT / "pyproject.toml").is_file():
        return checkout
    raise MemwardenError(
        f"the files that ship with memwarden are missing: {installed} is not there; "
        "install memwarden again"
    )
