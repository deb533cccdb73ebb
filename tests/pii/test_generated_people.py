"""Generated people of both languages: everything is found, sealed, restored, and leaks nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.guards.pii import Pii
from memwarden.model import Candidate, Evidence, Finding, Part, Slot, Tier, Treatment
from memwarden.pii.checks import cn_id18, luhn
from memwarden.redaction import Redacted, redact, restore
from memwarden.text import read

GUARD = Pii(names=False)
FILLED = (Treatment.MASK, Treatment.REPLACE, Treatment.PSEUDONYM, Treatment.SEAL)


@dataclass(frozen=True)
class Person:
    """What one text says, and the values in it that nobody may see."""

    text: str
    values: tuple[str, ...]


@st.composite
def resident_ids(draw: st.DrawFn) -> str:
    region = draw(st.sampled_from(["110105", "440524", "310115", "650102"]))
    born = draw(st.dates(date(1930, 1, 1), date(2020, 12, 31)))
    body = f"{region}{born:%Y%m%d}{draw(st.integers(0, 999)):03}"
    return next(f"{body}{last}" for last in "0123456789X" if cn_id18(f"{body}{last}"))


@st.composite
def cards(draw: st.DrawFn) -> str:
    head = draw(st.sampled_from(["411111", "555555", "622202"]))
    body = head + "".join(draw(st.lists(st.sampled_from("0123456789"), min_size=9, max_size=9)))
    return next(f"{body}{last}" for last in "0123456789" if luhn(f"{body}{last}"))


mobiles = st.builds(
    "{}{:08}".format,
    st.sampled_from(["138", "159", "186", "199"]),
    st.integers(10_000_000, 99_999_999),
)
phones = st.builds("415-{}-{:04}".format, st.integers(201, 999), st.integers(0, 9999))
mails = st.builds(
    "{}{}@{}".format,
    st.sampled_from(["li.wei", "ann_lee", "zhang", "o.neill"]),
    st.integers(1, 999),
    st.sampled_from(["qq.com", "x.org", "mail.example.net"]),
)
SAID = {
    "zh": ("我的手机是{}，", "身份证号{}", "。邮箱{}，", "银行卡号：{}。"),
    "en": ("my phone is {}, ", "ID card {} ", "and mail {}; ", "credit card {}."),
}


@st.composite
def people(draw: st.DrawFn) -> Person:
    language = draw(st.sampled_from(["zh", "en"]))
    values = (
        draw(mobiles if language == "zh" else phones),
        draw(resident_ids()),
        draw(mails),
        draw(cards()),
    )
    chosen = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
    text = "".join(SAID[language][at].format(values[at]) for at in chosen)
    before = draw(st.sampled_from(["", "<PHONE_NUMBER_1> ", "记住：", "Note: "]))
    return Person(before + text, tuple(values[at] for at in chosen))


def found(text: str) -> list[Finding]:
    candidate = Candidate(text)
    views = {part.path: read(part.text) for part in candidate.parts}
    return list(GUARD.judge(candidate, Evidence(views=views), Tier.TRUSTED))


def redacted(text: str, treatment: Treatment) -> tuple[Part, Redacted]:
    part = Candidate(text).parts[0]
    slots = [Slot(part.path, f.start, f.end, f.entity, treatment) for f in found(text)]
    numbers: dict[tuple[str, str], int] = {}
    done = redact([part], slots, lambda e, v: numbers.setdefault((e, v), len(numbers) + 1))
    return part, done


@settings(deadline=None)
@given(people(), st.sampled_from(FILLED))
def test_no_value_of_a_person_stays_in_the_stored_text(
    person: Person, treatment: Treatment
) -> None:
    _, done = redacted(person.text, treatment)
    assert all(value not in done.parts[0].text for value in person.values)


@settings(deadline=None)
@given(people(), st.sampled_from(FILLED))
def test_what_was_taken_out_comes_back_byte_for_byte(person: Person, treatment: Treatment) -> None:
    part, done = redacted(person.text, treatment)
    assert restore(done.parts, done.redactions, done.originals) == (part,)


@settings(deadline=None)
@given(people())
def test_findings_and_records_do_not_show_a_value(person: Person) -> None:
    _, done = redacted(person.text, Treatment.SEAL)
    seen = repr(found(person.text)) + repr(done) + repr(done.redactions)
    assert all(value not in seen for value in person.values)


@settings(deadline=None)
@given(people())
def test_the_same_text_is_redacted_the_same_way_every_time(person: Person) -> None:
    first, second = (redacted(person.text, Treatment.SEAL)[1] for _ in range(2))
    assert first == second
