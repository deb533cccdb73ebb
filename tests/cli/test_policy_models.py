"""`memwarden policy validate` asks the models: can the kinds be told, are the models there."""

from __future__ import annotations

import json

import pytest

from memwarden.cli import main
from memwarden.encoder.digests import file_digests, folder_digest

SCORES = (
    "Arsenal beat Everton 3-1 on Saturday.",
    "The final ended 2-2 and went to penalties.",
    "Our team lost to the Tigers by four goals.",
    "Halftime score: Lions 14, Bears 10.",
    "She won the second set 6-4 and the match.",
    "The Giants scored twice in the last inning.",
    "Real Madrid drew with Valencia, one goal each.",
    "Result of the derby: City 4, United 2.",
    "昨晚国安二比一战胜了申花。",
    "决赛比分是三比零，主队夺冠。",
)
ANYTHING = (
    "My name is Sam and I live in Leeds.",
    "Please answer in short sentences.",
    "The kettle costs 25 pounds.",
    "The meeting is on Friday at ten.",
    "Restart the server after each update.",
    "An API is an interface between programs.",
    "Renew the parking permit by Monday.",
    "我对花生过敏。",
    "以后请用中文回复。",
    "会议改到周五上午。",
)


def a_policy(**kinds):
    lines = ["tenant: acme", "kinds:"]
    for name, examples in kinds.items():
        lines += [f"  {name}:", "    trusted: allow", "    else: hold", "    examples:"]
        lines += [f"      - {json.dumps(example, ensure_ascii=False)}" for example in examples]
    return "\n".join(lines) + "\n"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run `memwarden policy` in a folder with a policy of one's own."""
    monkeypatch.chdir(tmp_path)

    def program(*arguments, policy=""):
        if policy:
            (tmp_path / "acme.yaml").write_text(policy, encoding="utf-8")
        monkeypatch.setattr("sys.argv", ["memwarden", "policy", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, capsys.readouterr().out

    return program


def test_a_kind_that_can_be_told_is_said_to_be(run):
    code, out = run("validate", "acme.yaml", policy=a_policy(match_score=SCORES))
    assert code == 0
    assert "kind `match_score` is separable" in out


def test_a_kind_that_cannot_is_named_with_what_it_is_taken_for_and_where(run):
    code, out = run("validate", "acme.yaml", policy=a_policy(anything=ANYTHING))
    assert code == 1
    assert "kind `anything` is NOT separable" in out
    assert "acme.yaml:7: example 1 would be taken for" in out
    assert not any(example in out for example in ANYTHING)


def test_two_names_for_one_kind_are_named(run):
    code, out = run("validate", "acme.yaml", policy=a_policy(scores=SCORES, results=SCORES))
    assert code == 1
    assert "would be taken for `results`" in out
    assert "would be taken for `scores`" in out


def test_models_can_be_left_out_of_it(run):
    code, out = run("validate", "--no-models", "acme.yaml", policy=a_policy(anything=ANYTHING))
    assert (code, "kind `" in out) == (0, False)


def test_the_digest_of_a_folder_is_what_a_policy_wants(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "model.onnx").write_bytes(b"not a model")
    code, out = run("digest", "own")
    assert (code, out.strip()) == (0, folder_digest(file_digests(tmp_path / "own")))


def test_models_that_are_not_those_of_the_policy_are_named_with_their_place(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "model.onnx").write_bytes(b"not a model")
    models = f"tenant: acme\nmodels:\n  folder: own\n  sha256: {'f' * 64}\n"
    code, out = run("validate", "acme.yaml", policy=models)
    assert code == 1
    assert "acme.yaml:3: the models in" in out
    assert "the policy names fff" in out
