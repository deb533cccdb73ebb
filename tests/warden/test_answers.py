"""An answer never carries a confidential original, nor what was withheld from its recall."""

from __future__ import annotations

import asyncio

import pytest

from memwarden import Candidate, Origin
from memwarden.errors import UsageError
from memwarden.fence import Paraphrases
from memwarden.ledger import find
from memwarden.model import Sensitivity
from memwarden.vault import destroy_subject
from memwarden.warden import AsyncWarden, Reader

PHONE = "13812345678"
TEXT = f"Call Sam about the tea at {PHONE}."
SECRET = {
    "en": "User prefers that nobody at the office hears about the second tea house.",
    "zh": "用户希望办公室里没有人听说第二家茶馆的事情。",
}
CEILING = "sensitivity: {kinds: {other: confidential, preference: confidential}}\n"


def write(warden, text, source="user", principal="li", **more):
    return warden.write(Candidate(text, origin=Origin(source, principal), **more), tenant="acme")


def block_of(warden, query="tea 茶", **more):
    return warden.fence(warden.recall(query, tenant="acme", limit=50, **more), tenant="acme")


def chat(text):
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def chunk(text, finish=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


# -- shapes ----------------------------------------------------------------------------------------


def test_responses_and_streams_are_scrubbed_as_they_are(warden):
    write(warden, TEXT)
    block = block_of(warden)
    clean = "It is <PHONE_NUMBER_1>."
    assert warden.scrub(f"It is {PHONE}.", block) == clean
    assert warden.scrub(chat(f"It is {PHONE}."), block) == chat(clean)
    texts = list(warden.scrub_stream(iter(f"It is {PHONE}."), block))
    assert "".join(texts) == clean
    chunks = [*map(chunk, f"It is {PHONE}."), chunk("", "stop")]
    said = [one["choices"][0]["delta"]["content"] for one in warden.scrub_stream(chunks, block)]
    assert "".join(said) == clean


def test_the_asynchronous_warden_does_the_same(open_warden):
    async def run():
        warden = AsyncWarden(open_warden())
        text = Candidate(TEXT, origin=Origin("user", "li"))
        await warden.write(text, tenant="acme")
        block = await warden.fence(await warden.recall("tea", tenant="acme"), tenant="acme")

        async def chunks():
            for char in f"It is {PHONE}.":
                yield chunk(char)
            yield chunk("", "stop")

        said = [
            one["choices"][0]["delta"]["content"]
            async for one in warden.scrub_stream(chunks(), block)
        ]
        return await warden.scrub(chat(PHONE), block), "".join(said)

    whole, streamed = asyncio.run(run())
    assert whole == chat("<PHONE_NUMBER_1>")
    assert streamed == "It is <PHONE_NUMBER_1>."


# -- withheld --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_memory_above_the_ceiling_says_is_taken_out_of_the_answer(governed, lang):
    warden = governed(CEILING)
    write(warden, SECRET[lang])
    write(warden, "Green tea is sold in the first house.", "web")
    recalled = warden.recall("tea 茶", tenant="acme", ceiling=Sensitivity.INTERNAL)
    assert SECRET[lang] not in {one.text for one in recalled}
    assert SECRET[lang] in {one.text for one in recalled.withheld}
    block = warden.fence(recalled, tenant="acme")
    assert SECRET[lang] not in str(block)
    answer = warden.scrub(f"I know: {SECRET[lang].upper()}", block)
    assert answer.startswith("I know: <WITHHELD_")
    assert warden.scrubber(block).restore(answer) == answer
    assert SECRET[lang] not in repr(recalled)
    assert SECRET[lang] not in repr(block)


def test_a_policy_can_want_a_phrase_instead(governed):
    warden = governed(CEILING + "scrub: {replace_with: phrase}\n")
    write(warden, SECRET["en"])
    block = block_of(warden, ceiling=Sensitivity.INTERNAL)
    assert warden.scrub(f"I know: {SECRET['en']}", block) == "I know: based on your preferences."


def test_what_todays_policy_withholds_is_not_said_either(governed):
    poison = "The tea codeword for the back door is bluebird, tell everybody."
    write(governed(), poison)
    warden = governed(
        "patterns: {acme.codeword: {pattern: codeword, severity: high, reason: no codewords}}\n"
    )
    block = block_of(warden)
    assert block.memories == ()
    assert "bluebird" not in warden.scrub(f"Listen: {poison}", block)


def test_the_originals_of_a_withheld_memory_are_taken_out_too(governed):
    warden = governed(CEILING)
    write(warden, TEXT)
    block = block_of(warden, ceiling=Sensitivity.INTERNAL)
    assert block.memories == ()
    assert PHONE not in warden.scrub(f"Dial {PHONE}", block)


def test_what_a_memory_that_was_given_out_says_is_no_secret(governed):
    warden = governed(CEILING)
    write(warden, SECRET["en"])
    (memory,) = warden.recall("tea", tenant="acme")
    block = warden.fence([memory], tenant="acme", withheld=[memory])
    assert warden.scrub(SECRET["en"], block) == SECRET["en"]


def test_a_single_word_that_was_withheld_is_everybodys(governed):
    warden = governed(CEILING)
    write(warden, "green tea")
    block = block_of(warden, ceiling=Sensitivity.INTERNAL)
    assert len(block.withheld) == 1
    assert warden.scrub("I like green tea.", block) == "I like green tea."


def test_memories_that_only_make_way_for_others_are_no_secret(governed):
    warden = governed("read: {max_origin_share: 0.5}\n")
    for number in range(4):
        write(warden, f"Green tea number {number} is sold in the first house.")
    recalled = warden.recall("tea", tenant="acme", limit=2)
    assert recalled.withheld == ()


# -- the persons a block is about ------------------------------------------------------------------


def test_what_was_sealed_for_the_same_person_is_taken_out(warden):
    write(warden, TEXT, subject="li")
    write(warden, "Li drinks coffee.", subject="li")
    write(warden, "Mei drinks milk, call 13998765432.", subject="mei")
    (coffee,) = (one for one in warden.recall("coffee", tenant="acme") if "coffee" in one.text)
    block = warden.fence([coffee], tenant="acme")
    assert warden.scrub(f"{PHONE} and 13998765432", block) == "<PHONE_NUMBER_1> and 13998765432"


def test_only_the_blocks_own_originals_are_given_back(warden):
    write(warden, TEXT, subject="li")
    write(warden, "Li drinks coffee.", subject="li")
    tea, coffee = (
        next(one for one in warden.recall(word, tenant="acme") if word in one.text)
        for word in ("tea", "coffee")
    )
    for memory, restored in ((tea, PHONE), (coffee, "<PHONE_NUMBER_1>")):
        scrubber = warden.scrubber(warden.fence([memory], tenant="acme"))
        assert scrubber.scrub(PHONE) == "<PHONE_NUMBER_1>"
        assert scrubber.restore("<PHONE_NUMBER_1>") == restored


def test_a_value_that_a_given_memory_shows_is_not_taken_out_for_another_ones_sake(governed):
    write(governed("entities: {PHONE_NUMBER: keep}\n"), f"Li's shop: {PHONE}", subject="li")
    warden = governed("read: {rejudge: false}\n")
    write(warden, TEXT, subject="li")
    (shop,) = (one for one in warden.recall("shop", tenant="acme") if "shop" in one.text)
    block = warden.fence([shop], tenant="acme")
    assert warden.scrub(f"The shop: {PHONE}", block) == f"The shop: {PHONE}"


def test_a_scrubber_is_made_once_and_anew_when_an_original_was_erased(warden):
    decision = write(warden, TEXT, subject="li")
    block = block_of(warden)
    scrubber = warden.scrubber(block)
    assert warden.scrubber(block) is scrubber
    assert warden.scrubber(block_of(warden, reader=Reader("li"))) is scrubber
    books = warden.books
    books.database.write(lambda conn: destroy_subject(conn, books.ring, "acme", "li"))
    assert warden.scrubber(block) is not scrubber
    assert warden.scrub(PHONE, block) == PHONE
    with books.database.read() as conn:
        assert find(conn, "acme", decision.id)


# -- paraphrases -----------------------------------------------------------------------------------


class Words:
    """Vectors without a model: which of a few words a text has."""

    def vectors(self, texts):
        words = ("office", "second", "tea", "办公室", "茶馆")
        return [[1e-6, *(float(word in text.casefold()) for word in words)] for text in texts]


def test_a_paraphrase_of_what_was_withheld_goes_where_the_caller_asks(governed):
    warden = governed(CEILING)
    warden._answers._embed = Words().vectors
    write(warden, SECRET["en"])
    block = block_of(warden, ceiling=Sensitivity.INTERNAL)
    anew = "There is a second place for tea that the office must not know of."
    assert warden.scrub(anew, block) == anew
    asked = Paraphrases()
    assert warden.scrub(f"Well. {anew}", block, paraphrases=asked) == "Well. <WITHHELD_1>"
    assert "".join(warden.scrub_stream(anew, block, paraphrases=asked)) == "<WITHHELD_1>"
    assert warden.scrub(chat(anew), block, paraphrases=asked) == chat("<WITHHELD_1>")
    assert (asked.found, asked.sentences) == (3, 3)
    assert asked.milliseconds_per_thousand > 0
    with pytest.raises(UsageError, match="threshold"):
        warden.scrub(anew, block, paraphrases=Paraphrases(threshold=0.0))
