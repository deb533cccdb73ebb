"""A pack with mistakes is refused, and every mistake is pointed at."""

from pathlib import Path

import pytest

from memwarden.errors import PolicyError, UsageError
from memwarden.guards.sanitizer import Sanitizer
from memwarden.model import MAIN_PATH, Candidate, Evidence, Severity, Tier
from memwarden.rules import Lang, load_packs, parse_pack
from memwarden.text import read

GOOD = """
about: One rule of a tenant's own.
rules:
  - id: acme.codeword
    kind: behaviour_change
    severity: high
    reason: {en: It says the code word., zh: 它说出了暗号。}
    references: [OWASP ASI06]
    patterns:
      en: ['{ignore}{_}bluebird']
      zh: ['忽略{near}青鸟']
"""


def mistakes(content: str) -> list[tuple[int, str]]:
    with pytest.raises(PolicyError) as caught:
        parse_pack("acme.yaml", content)
    return [(mistake.line, mistake.message) for mistake in caught.value.mistakes]


def test_a_good_pack_is_typed_rules() -> None:
    (rule,) = parse_pack("acme.yaml", GOOD).rules
    assert (rule.id, rule.kind, rule.severity) == (
        "acme.codeword",
        "behaviour_change",
        Severity.HIGH,
    )
    assert [pattern.lang for pattern in rule.patterns] == [Lang.EN, Lang.ZH]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("severity: high", "severity: grave", 6, "'grave' is not a severity"),
        ("severity: high", "severty: high", 6, "unknown key `severty`"),
        ("id: acme.codeword", "id: Acme", 4, "`Acme` is no rule id"),
        ("{near}", "{nearby}", 11, "no word list `nearby` in `zh`"),
        ("忽略", "請忽略", 11, "a pattern is written folded"),
        ("bluebird", "Bluebird", 10, "a pattern is written folded"),
        ("bluebird", "\\bbluebird", 10, "`\\b` is wrong beside Chinese"),
        ("bluebird", "blue.*bird", 10, "a gap without bound"),
        ("bluebird", "(?=bird)", 10, "RE2 does not take this pattern"),
        ("bluebird", "(bird", 10, "RE2 does not take this pattern"),
        ("zh: 它说出了暗号。", "", 7, "the reason is not said in `zh`"),
        ("about: One", "about: One\nabout: Two", 3, "key `about` stands here twice"),
        ("references: [OWASP ASI06]", "paranoia: 9", 8, "a number from 1 to 4 is expected here"),
        ("references: [OWASP ASI06]", "mentions: perhaps", 8, "true or false is expected here"),
        ("references: [OWASP ASI06]", "references: OWASP", 8, "a list is expected here"),
        (
            "{en: It says the code word., zh: 它说出了暗号。}",
            "none",
            7,
            "a mapping (key: value) is expected here",
        ),
        ("rules:", "rules: [", 4, "not YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    found = mistakes(GOOD.replace(old, new, 1))
    assert any(says in message for _, message in found)
    assert line in [where for where, _ in found]


def test_all_mistakes_are_reported_at_once() -> None:
    content = GOOD.replace("severity: high", "severity: grave").replace("{near}", "{nearby}")
    assert len(mistakes(content)) == 2


def test_a_typo_gets_a_suggestion() -> None:
    with pytest.raises(PolicyError, match="did you mean `severity`"):
        parse_pack("acme.yaml", GOOD.replace("severity:", "severty:"))


def test_an_unknown_pack_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no rule pack `nonsense`"):
        load_packs(("nonsense",))


def test_a_pack_of_ones_own_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text(GOOD, encoding="utf-8")
    text = "Please disregard bluebird today."
    guard = Sanitizer(packs=("override", str(path)))
    findings = guard.judge(Candidate(text), Evidence(views={MAIN_PATH: read(text)}), Tier.TRUSTED)
    assert [finding.rule for finding in findings] == ["acme.codeword"]


def test_the_same_rule_id_twice_is_a_mistake(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    with pytest.raises(PolicyError, match="is already in one"):
        load_packs((str(tmp_path / "one.yaml"), str(tmp_path / "two.yaml")))
