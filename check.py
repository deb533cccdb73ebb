"""Pass every check of this repository, from nothing: python3 check.py

Makes a virtual environment of its own, installs memwarden into it as a user would, with the
tools that check it, and runs style, types, the direction of imports, and the tests; then the
tests of every host in an environment of its own. Exits with the first failure's code.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CHECKS = (
    ("style", ("ruff", "check", ".")),
    ("format", ("ruff", "format", "--check", ".")),
    ("types", ("mypy",)),
    ("direction of imports", ("lint-imports",)),
    ("tests", ("pytest", "--no-skips", "-n", "2")),
    ("hosts", ("nox", "-s", "hosts")),
)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--venv", type=Path, default=ROOT / ".venv-check")
    options.add_argument("--keep", action="store_true", help="reuse the environment if it exists")
    chosen = options.parse_args()
    programs = _environment(chosen.venv, keep=chosen.keep)
    for name, (program, *arguments) in CHECKS:
        code = _run(name, [str(programs / program), *arguments])
        if code:
            print(f"check.py: {name} failed with exit code {code}", flush=True)
            return code
    print("check.py: every check passed", flush=True)
    return 0


def _environment(folder: Path, *, keep: bool) -> Path:
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    if keep and (programs / "pytest").exists():
        return programs
    if folder.exists():
        shutil.rmtree(folder)
    venv.create(folder, with_pip=True)
    install = [str(programs / "python"), "-m", "pip", "install", "-q", "-e", f"{ROOT}[dev]"]
    if _run("install", install):
        sys.exit("check.py: the installation failed, see above")
    return programs


def _run(name: str, command: list[str]) -> int:
    started = time.monotonic()
    print(f"== {name}", flush=True)
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    print(f"== {name}: {time.monotonic() - started:.0f} s", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
