"""A sentence that says what a protected text says is taken out, where a caller asks for it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.fence import Paraphrases, Protected, Scrubber
from memwarden.fence.paraphrases import CheckedScrubber, Sayings
from memwarden.model import ScrubSetting

SECRET = "The customer was treated for a heart condition in March."
SECRET_ZH = "这位客户三月份因为心脏问题住过医院。"
SAID_ANEW = "In March she had been in hospital for her heart."
SAID_ANEW_ZH = "她三月曾因心脏问题入院。"
WORDS = ("heart", "march", "心脏", "三月")


def embed(texts):
    """Vectors without a model: which of a few words a text has."""
    return [[1e-6, *(float(word in text.casefold()) for word in WORDS)] for text in texts]


def checked(asked, *protected):
    whole = [(text, f"<X_{at}>") for at, text in enumerate(protected or (SECRET, SECRET_ZH), 1)]
    scrubber = Scrubber([Protected(*one) for one in whole], ScrubSetting(), language="en")
    return CheckedScrubber(scrubber, Sayings.of(whole, embed), embed, asked)


def test_another_wording_goes_and_the_rest_stays() -> None:
    asked = Paraphrases()
    answer = f"Good day, how are you? {SAID_ANEW} See you!\n{SAID_ANEW_ZH}好的，再见，祝您愉快。"
    assert checked(asked).scrub(answer) == (
        "Good day, how are you? <X_1> See you!\n<X_2>好的，再见，祝您愉快。"
    )
    assert asked.found == 2


def test_what_it_cost_is_told() -> None:
    asked = Paraphrases()
    assert asked.milliseconds_per_thousand == 0.0
    answer = f"Hi. {SAID_ANEW} {SAID_ANEW} Nothing else happened that week, I think."
    checked(asked).scrub(answer)
    assert (asked.sentences, asked.characters) == (
        3,
        len(answer) - 2 * len(SAID_ANEW) + 2 * len(SAID_ANEW),
    )
    assert asked.seconds > 0.0
    assert asked.milliseconds_per_thousand > 0.0
    before = asked.characters
    checked(asked).scrub("Again something was said.")
    assert asked.characters > before


def test_the_threshold_is_the_callers() -> None:
    half = "Something happened in March, but nobody knows what it was."
    assert checked(Paraphrases(threshold=0.99)).scrub(half) == half
    assert checked(Paraphrases(threshold=0.5)).scrub(half) == "<X_1>"


def test_names_and_numbers_say_nothing_that_could_be_said_otherwise() -> None:
    asked = Paraphrases()
    scrubber = checked(asked, "Heart March", "13812345678")
    assert scrubber.scrub(SAID_ANEW) == SAID_ANEW
    assert asked.sentences == 0


def test_data_is_no_prose() -> None:
    asked = Paraphrases()
    answer = f'{{"note": "{SAID_ANEW} {SAID_ANEW}"}}'
    assert checked(asked).scrub(answer) == answer


def test_what_the_scrubber_finds_is_found_as_ever() -> None:
    assert checked(Paraphrases()).scrub(f"I know: {SECRET.upper()}") == "I know: <X_1>."


PIECES = st.lists(
    st.sampled_from(
        [
            SAID_ANEW,
            SAID_ANEW_ZH,
            SECRET,
            " ",
            "\n",
            "e.g. ",
            "3. ",
            "Mr. ",
            "Fine! ",
            "好。",
            "…",
            '"',
        ]
    ),
    max_size=10,
).map("".join)


@settings(max_examples=200)
@given(PIECES, st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_a_stream_gives_what_the_whole_gives(answer, sizes) -> None:
    scrubber = checked(Paraphrases())
    flow, at, out, turn = scrubber.flow(), 0, "", 0
    while at < len(answer):
        size = sizes[turn % len(sizes)]
        out += flow.feed(answer[at : at + size])
        at, turn = at + size, turn + 1
    assert out + flow.finish() == scrubber.scrub(answer)
    assert flow.held == 0


def test_a_sentence_goes_out_as_soon_as_the_next_one_begins() -> None:
    flow = checked(Paraphrases()).flow()
    assert flow.feed("Good morning to you all. ") == ""
    assert flow.feed("Zzz zzz zzz") == "Good morning to you all. "
