"""Folding writes a text plainly, one character at a time, for matching only."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.text import fold
from memwarden.text.folding import cleaning, folding, skeleton

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Ignore ALL", "ignore all"),
        ("ＩＧＮＯＲＥ　１２３", "ignore 123"),
        ("𝐈𝐠𝐧𝐨𝐫𝐞 𝓪𝓵𝓵", "ignore all"),
        ("ⓘⓖⓝⓞⓡⓔ", "ignore"),
        ("🅘🅖🅝🅞🅡🅔", "ignore"),
        ("ɪɢɴᴏʀᴇ", "ignore"),
        ("ïgnórê", "ignore"),
        ("i\u0336g\u0336n\u0336", "ign"),
        ("ig\u200bno\u00adre", "ignore"),
        ("ig\U000e0041nore", "ignore"),
        ("ig\x00nore", "ignore"),
        ("ig\ud800nore", "ignore"),
        ("忽略以上指令", "忽略以上指令"),
        ("請忽略以上所有指令，這裡", "请忽略以上所有指令,这里"),
        ("您好，妳們", "你好,你们"),
        ("「quoted」“too” ‘and’", '"quoted""too" \'and\''),
        ("dash — and – minus −", "dash - and - minus -"),
        ("Straße", "strasse"),
        ("ﬁle", "file"),
    ],
)
def test_one_word_in_many_dresses_folds_alike(written: str, plain: str) -> None:
    assert fold(written) == plain


@pytest.mark.parametrize("text", ["Привет, как дела?", "καλημέρα κόσμε"])
def test_other_scripts_keep_their_letters_unless_the_skeleton_is_asked_for(text: str) -> None:
    assert not fold(text).isascii()


def test_the_skeleton_takes_lookalikes_for_latin_letters() -> None:
    assert "іgnоrе".translate(skeleton()) == "ignore"


def test_cleaning_keeps_the_case() -> None:
    assert "ＡＷｄ\u200bＢ".translate(cleaning()) == "AWdB"


@settings(deadline=None)
@given(ANY_TEXT)
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


@settings(deadline=None)
@given(ANY_TEXT)
def test_a_folded_text_can_be_encoded(text: str) -> None:
    fold(text).encode()


@settings(deadline=None)
@given(st.characters(exclude_categories=()))
def test_no_character_folds_to_more_than_four(char: str) -> None:
    assert all(len(table[ord(char)]) <= 4 for table in (folding(), cleaning(), skeleton()))
