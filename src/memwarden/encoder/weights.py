"""Weights that other packages carry: where they are, and that they are the ones we know."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from memwarden.encoder.digests import file_digest
from memwarden.errors import ModelUnavailable


def verified(package: str, digests: Mapping[str, str]) -> Path:
    """The folder of an installed package whose files have exactly these SHA-256 digests.

    The package is not imported. Raises ModelUnavailable if it is not installed or a file is not
    the known one.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"the model package {package} is not installed; install memwarden with its dependencies"
        )
    folder = Path(next(iter(spec.submodule_search_locations)))
    for name, digest in digests.items():
        if file_digest(folder / name) != digest:
            raise ModelUnavailable(
                f"{name} in the package {package} is not the file that memwarden knows; "
                "reinstall the pinned version"
            )
    return folder
