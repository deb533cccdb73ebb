"""`models:` names a folder beside the file that says so, pinned by its digest."""

from __future__ import annotations

from pathlib import Path

import pytest

SHA = "a" * 64
NAMED = f"tenant: acme\nmodels: {{folder: own, sha256: {SHA}}}\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def test_nothing_said_is_what_ships(opened) -> None:
    assert opened(acme="tenant: acme\n").tenant("acme").models is None


def test_a_folder_is_found_beside_the_file_that_names_it(opened, own: Path) -> None:
    setting = opened(acme=NAMED).tenant("acme").models
    assert (setting.folder, setting.sha256, setting.hostile) == (str(own), SHA, ())


def test_a_tenant_inherits_models_and_may_take_them_back(opened, own: Path) -> None:
    layer = f"models: {{folder: own, sha256: {SHA}, hostile: [INJECTION, 攻击]}}\n"
    book = opened(
        layer=layer,
        acme="extends: layer\ntenant: acme\n",
        plain="extends: layer\ntenant: plain\nmodels: bundled\n",
    )
    assert book.tenant("acme").models.hostile == ("INJECTION", "攻击")
    assert book.tenant("plain").models is None


def test_a_section_is_taken_whole_so_that_no_label_outlives_its_models(opened, own: Path) -> None:
    layer = f"models: {{folder: own, sha256: {SHA}, hostile: [INJECTION]}}\n"
    book = opened(layer=layer, acme=f"extends: layer\n{NAMED}")
    assert book.tenant("acme").models.hostile == ()


def test_the_revision_knows_the_models_and_not_where_they_lie(opened, own: Path, tmp_path) -> None:
    (tmp_path / "elsewhere").mkdir()
    here, moved, other, none = (
        opened(acme=text).tenant("acme").revision
        for text in (
            NAMED,
            NAMED.replace("own", "elsewhere"),
            NAMED.replace(SHA, "b" * 64),
            "tenant: acme\n",
        )
    )
    assert here == moved
    assert len({here, other, none}) == 3


@pytest.mark.parametrize(
    ("section", "says"),
    [
        (f"{{folder: nowhere, sha256: {SHA}}}", "acme:2:18: there is no folder"),
        ("{folder: own}", "named by `folder` and `sha256` together"),
        (f"{{sha256: {SHA}}}", "named by `folder` and `sha256` together"),
        (f"{{folder: own, sha256: {SHA[1:]}}}", "acme:2:31:"),
        (f"{{folder: own, sha256: {SHA}, hostil: [A]}}", "did you mean `hostile`?"),
        ("own", "acme:2:9:"),
    ],
)
def test_a_mistake_is_named_with_its_place(wrong, own: Path, section: str, says: str) -> None:
    mistakes = wrong(acme=f"tenant: acme\nmodels: {section}\n")
    assert len(mistakes) == 1
    assert says in mistakes[0]
