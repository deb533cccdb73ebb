"""Models of one's own take the place of the bundled ones, by a policy that pins them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memwarden.encoder import MANIFEST, Encoders
from memwarden.encoder.digests import file_digests, folder_digest
from memwarden.errors import ModelUnavailable
from memwarden.model import CustomKind, Kind, ModelSetting
from memwarden.testing.builders import a_policy

BUNDLED = Path(__file__).parents[2] / "models" / "onnx"
KINDS = ("fact", "preference", "behaviour_change")
OF_KINDS = {
    "sam": (3, 0, 0),
    "likes": (0, 4, 0),
    "obey": (0, 0, 9),
    "喝茶": (0, 4, 0),
    "服从": (0, 0, 9),
}
OF_ATTACKS = {"obey": (0, 9), "服从": (0, 9), "tea": (5, 0), "喝茶": (5, 0)}
TEXTS = ("sam likes tea", "obey me", "喝茶", "服从 me")

pytestmark = pytest.mark.filterwarnings("ignore")


def pinned(folder: Path, *hostile: str) -> ModelSetting:
    return ModelSetting(str(folder), folder_digest(file_digests(folder)), hostile)


def encoder(setting: ModelSetting | None):
    return Encoders(BUNDLED).of(replace(a_policy(), models=setting))


def first(windows):
    return [(own[0].kinds[0][0], own[0].attack > 0.5) for own in windows]


@pytest.mark.parametrize("segments", [False, True], ids=["one input less", "with segments"])
def test_a_hugging_face_folder_whose_labels_are_kinds_says_kinds_and_attacks(tiny, segments):
    folder = tiny(KINDS, OF_KINDS, segments=segments)
    found = encoder(pinned(folder)).encode(TEXTS, "acme")
    assert first(found) == [
        ("preference", False),
        ("behaviour_change", True),
        ("preference", False),
        ("behaviour_change", True),
    ]
    assert {own[0].model for own in found} == {folder.name}


def test_a_hugging_face_folder_that_only_finds_attacks_leaves_kinds_to_the_bundled_models(tiny):
    setting = pinned(tiny(("SAFE", "INJECTION"), OF_ATTACKS), "INJECTION")
    found, plain = (encoder(s).encode(TEXTS, "acme") for s in (setting, None))
    assert [own[0].attack > 0.5 for own in found] == [False, True, False, True]
    assert [own[0].kinds for own in found] == [own[0].kinds for own in plain]
    assert [own[0].vector for own in found] == [own[0].vector for own in plain]


def test_an_onnx_file_with_a_small_manifest_says_what_its_hugging_face_folder_says(tiny):
    folder = tiny(KINDS, OF_KINDS)
    plain = encoder(pinned(folder)).encode(TEXTS, "acme")
    (folder / "config.json").unlink()
    stage = {
        "name": folder.name,
        "model": "model.onnx",
        "tokenizer": "tokenizer.json",
        "outputs": {"logits": "logits"},
        "labels": KINDS,
    }
    manifest = {"format": 1, "name": "small", "stages": [stage]}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    own = encoder(pinned(folder))
    assert own.encode(TEXTS, "acme") == plain
    assert own.names[0].startswith("small@")


def test_the_names_for_the_record_hold_the_digest_of_every_model_asked(tiny):
    kinds, attacks = tiny(KINDS, OF_KINDS), tiny(("SAFE", "INJECTION"), OF_ATTACKS)
    of_kinds, of_attacks = pinned(kinds), pinned(attacks, "INJECTION")
    bundled = encoder(None).names
    assert encoder(of_kinds).names == (f"{kinds.name}@{of_kinds.sha256[:12]}",)
    assert encoder(of_attacks).names == (*bundled, f"{attacks.name}@{of_attacks.sha256[:12]}")


def test_a_folder_in_which_anything_changed_is_refused(tiny):
    folder = tiny(KINDS, OF_KINDS)
    setting = pinned(folder)
    (folder / "added_tokens.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelUnavailable, match="the policy names"):
        encoder(setting)


def test_a_file_that_changes_between_opening_and_loading_is_refused(tiny):
    folder = tiny(KINDS, OF_KINDS)
    opened = encoder(pinned(folder))
    with (folder / "model.onnx").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelUnavailable, match="not the file"):
        opened.encode(TEXTS, "acme")


def test_labels_that_are_no_kinds_must_be_explained(tiny):
    folder = tiny(("SAFE", "INJECTION"), OF_ATTACKS)
    with pytest.raises(ModelUnavailable, match="say in the policy which are hostile"):
        encoder(pinned(folder))
    with pytest.raises(ModelUnavailable, match="no label JAILBREAK, only SAFE, INJECTION"):
        encoder(pinned(folder, "JAILBREAK"))
    with pytest.raises(ModelUnavailable, match="no harmless label"):
        encoder(pinned(folder, "SAFE", "INJECTION"))


def test_a_model_with_another_number_of_scores_than_labels_is_refused(tiny):
    folder = tiny(KINDS, OF_KINDS)
    config = {"model_type": "bert", "id2label": {"0": "fact", "1": "exfiltration"}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ModelUnavailable, match="3 scores for 2 labels"):
        encoder(pinned(folder)).encode(TEXTS, "acme")


def test_no_kinds_are_learned_beside_models_without_examples(tiny):
    own = CustomKind(Kind("tea_talk"), tuple(f"sam likes tea {n}" for n in range(10)))
    policy = replace(a_policy(), models=pinned(tiny(KINDS, OF_KINDS)), custom_kinds=(own,))
    with pytest.raises(ModelUnavailable, match="bring no examples"):
        Encoders(BUNDLED).of(policy).encode(TEXTS, "acme")


def test_a_folder_of_nothing_and_one_without_end_are_refused(tmp_path):
    with pytest.raises(ModelUnavailable, match="files in it"):
        file_digests(tmp_path)
    for at in range(1_001):
        (tmp_path / f"{at}.bin").touch()
    with pytest.raises(ModelUnavailable, match="more than 1000 files"):
        file_digests(tmp_path)


def test_models_are_opened_once_for_all_policies_that_use_them(tiny):
    encoders, folder = Encoders(BUNDLED), tiny(KINDS, OF_KINDS)
    one, other = (
        encoders.of(replace(a_policy(tenant=tenant), models=pinned(folder)))
        for tenant in ("acme", "globex")
    )
    assert one is other
