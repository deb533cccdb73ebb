"""What is taken out of an answer, what stands in its place, and what must stay."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, unquote

import pytest

from memwarden.fence import Protected, Scrubber
from memwarden.model import ScrubSetting

LONG = "The customer told us that her pension was cut by the Acme Bank in March and she is worried"
LONG_ZH = "客户说她的养老金在三月被银行扣了一半，所以她最近一直很担心下个月的房租怎么办"


def scrubbed(
    text: str, *originals: str, setting: ScrubSetting | None = None, language: str = "en"
) -> str:
    protected = [Protected(one, f"<X_{at}>") for at, one in enumerate(originals, 1)]
    return Scrubber(protected, setting or ScrubSetting(), language=language).scrub(text)


TWINS = [
    # an original ............ the answer that gives it away, and what is left of it ............
    ("13812345678", "call 138-1234-5678.", "call <X_1>."),
    ("13812345678", "+8613812345678", "+86<X_1>"),
    ("13812345678", "电话 0086 138 1234 5678", "电话 0086 <X_1>"),
    ("13812345678", "tel13812345678x", "tel<X_1>x"),
    ("13812345678", "打一三八一二三四五六七八给他", "打<X_1>给他"),
    ("13812345678", "打壹叁捌壹贰叁肆伍陆柒捌给他", "打<X_1>给他"),
    ("13812345678", "13812345678,13912345678", "<X_1>,13912345678"),
    ("一三八一二三四五六七八", "13812345678", "<X_1>"),
    ("张三", "张三说", "<X_1>说"),
    ("张三", "我是張三", "我是<X_1>"),
    ("张三", "张 三", "<X_1>"),
    ("张三", "姓名：张·三", "姓名：<X_1>"),
    ("李明", "给李明打电话", "给<X_1>打电话"),
    ("欧阳静", "歐陽靜老师", "<X_1>老师"),
    ("Nadia Petrova", "NADIA PETROVA's", "<X_1>'s"),
    ("Nadia Petrova", "nadia_petrova", "<X_1>"),
    ("Nadia Petrova", "Nadia\nPetrova", "<X_1>"),
    ("Nadia Petrova", "Ñadía Pétrova", "<X_1>"),
    ("Nadia Petrova", "Nаdiа Pеtrоvа", "<X_1>"),
    ("José", "Jose\u0301 called", "<X_1> called"),
    ("Rose", "Rose is here", "<X_1> is here"),
    ("Freeman", "F r e e m a n", "<X_1>"),
    ("Freeman", "Free man", "<X_1>"),
    ("Oﬃce 7", "office 7", "<X_1>"),
    ("zhang@example.com", "zhang @ example . com", "<X_1>"),
    ("1234", "PIN 1-2-3-4", "PIN <X_1>"),
    ("1234", "PIN 1234.", "PIN <X_1>."),
    ("1234", "密码1234是", "密码<X_1>是"),
    ("12-34", "code 12-34", "code <X_1>"),
    ("京A12345", "京 A·12345", "<X_1>"),
    ("O'Brien & Sons (Ltd)", 'by "O\'Brien & Sons (Ltd)"', 'by "<X_1>()"'),
    (LONG, f"I know: {LONG.upper()}!", "I know: <X_1>!"),
    (LONG, "her pension was cut by the Acme Bank in March and she is worried, I think",
     "<X_1>, I think"),
    (LONG_ZH, "原来她的养老金在三月被银行扣了一半，所以她最近一直很担心吗", "原来<X_1>吗"),
    ("110105199003071234", "号码 11010519900307 开头", "号码 <X_1> 开头"),
]  # fmt: skip

HARMLESS = [
    # an original ............ an answer that only looks like it .................................
    ("13812345678", "order 20138123456789 shipped"),
    ("13812345678", "订单号201381234567801已发货"),
    ("13812345678", "dial 138 or 5678"),
    ("13812345678", "一三八号房"),
    ("张三", "紧张三天之后就好了"),
    ("李明", "行李明天到"),
    ("王三", "王3号楼"),
    ("白云", "请明白云服务的价格"),
    ("高兴", "我很高兴见到你"),
    ("张三丰", "他姓张。三丰年以后"),
    ("Rose", "the price rose again"),
    ("Will Young", "he will, young as he is, succeed"),
    ("Mark", "mark my words"),
    ("Eric", "a generic American numeric erica"),
    ("Freeman", "a free man and free manners"),
    ("Carson", "cars on the road"),
    ("Li", "Li is a common name, li"),
    ("5", "5 of 15 people"),
    ("1234", "12345, 1234567 and 51234"),
    ("1234", "1, 2, 3, 4"),
    ("1234", "project A1234 took 1234ms"),
    ("1234", "1 234 people, 0.1234 and 1234.56"),
    ("234567", "a sum of 1,234,567 yuan"),
    ("zhang@example.com", "bobzhang@example.com and zhang@example.community"),
    ("12-34", "from 1 to 234"),
    (LONG, "she is worried about the Acme Bank"),
    (LONG_ZH, "下个月的房租怎么办"),
    ("110105199003071234", "1990-03-07"),
]


@pytest.mark.parametrize(("original", "answer", "left"), TWINS)
def test_an_answer_loses_the_original(original: str, answer: str, left: str) -> None:
    assert scrubbed(answer, original) == left


@pytest.mark.parametrize(("original", "answer"), HARMLESS)
def test_an_answer_that_only_looks_like_it_stays(original: str, answer: str) -> None:
    assert scrubbed(answer, original) == answer


def test_what_is_too_short_to_protect_is_counted() -> None:
    scrubber = Scrubber(
        [
            Protected("Li", "<A>"),
            Protected("李", "<B>"),
            Protected("", "<C>"),
            Protected("李四", "<D>"),
        ],
        ScrubSetting(),
        language="en",
    )
    assert scrubber.skipped == 3
    shorter = ScrubSetting(min_length=2)
    assert scrubbed("Li, 李 and like", "Li", "李", setting=shorter) == "<X_1>, <X_2> and like"


def test_overlapping_originals_leave_nothing_of_either() -> None:
    assert scrubbed("Eric's", "Eric", "Eric's") == "<X_2>"
    assert scrubbed("Eric Smith and Eric", "Eric", "Eric Smith") == "<X_2> and <X_1>"
    assert scrubbed("ab12 cd34 ef56", "ab12cd34", "cd34ef56") == "<X_1>"


def test_a_neutral_phrase_can_stand_for_it_in_the_answers_language() -> None:
    setting = ScrubSetting(replace_with="phrase")
    assert scrubbed("for Nadia", "Nadia", setting=setting) == "for based on your preferences"
    assert scrubbed("给张三", "张三", setting=setting, language="zh") == "给根据您的偏好"


def test_how_much_of_a_text_is_a_quotation_is_a_setting() -> None:
    part = "told us that her pension was cut by the Acme Bank"
    assert scrubbed(part, LONG) == part
    assert scrubbed(part, LONG, setting=ScrubSetting(quote_share=0.4)) == "<X_1>"


def test_invisible_characters_do_not_count_as_separators() -> None:
    assert scrubbed("138\u200b\u2060\u200b\u2060\u200b\u206012345678", "13812345678") == "<X_1>"
    assert scrubbed("138     12345678", "13812345678") == "138     12345678"


JSON = [
    ('{"phone": 13812345678, "ok": true}', {"phone": "<X_1>", "ok": True}),
    ('{"phone":13812345678}', {"phone": "<X_1>"}),
    ('[13812345678, 1]', ["<X_1>", 1]),
    ('{"phone": "138\\u002d1234\\u002d5678"}', {"phone": "<X_1>"}),
    ('{"n": "a\\n13812345678\\tb"}', {"n": "a\n<X_1>\tb"}),
    ('{"n": "\\"13812345678\\""}', {"n": '"<X_1>"'}),
    ('{"n": "\\\\13812345678\\\\"}', {"n": "\\<X_1>\\"}),
    ('{"138":"12345678"}', {"<X_1>": ""}),
    ('["138","1234","5678"]', ["<X_1>", "", ""]),
    ('[138,1234,5678]', ["<X_1>", "", ""]),
    ('{"name": "\\u5f20\\u4e09"}', {"name": "<X_2>"}),
    ('{"name": "\\u5f35\\u4E09\\u8bf4"}', {"name": "<X_2>说"}),
    ('{"args": "{\\"name\\": \\"\\\\u5f20\\\\u4e09\\", \\"n\\": 13812345678}"}',
     {"args": '{"name": "<X_2>", "n": <X_1>}'}),
    ('{"p": "C:\\\\nadia"}', {"p": "C:<X_3>"}),
    ('{"p": "\\nadia"}', {"p": "<X_3>"}),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "meant"), JSON)
def test_json_stays_json(answer: str, meant: object) -> None:
    out = scrubbed(answer, "13812345678", "张三", "nadia")
    assert json.loads(out) == meant


MARKDOWN = [
    ("[map](https://e.com/?q=13812345678)", "[map](https://e.com/?q=%3CX_1%3E)"),
    ("![](https://e.com/a.png?n=%E5%BC%A0%E4%B8%89&t=1)", "![](https://e.com/a.png?n=%3CX_2%3E&t=1)"),
    ("![](https://e.com/nadia%20petrova)", "![](https://e.com/%3CX_3%3E)"),
    ("<https://e.com/138-1234-5678>", "<https://e.com/%3CX_1%3E>"),
    ("www.e.com/13812345678 is", "www.e.com/%3CX_1%3E is"),
    ("[张三](tel:13812345678)", "[<X_2>](tel:%3CX_1%3E)"),
    ("[Nadia](Petrova)", "[<X_3>]()"),
    ("| 13812345678 | 张三 |", "| <X_1> | <X_2> |"),
    ("|138|12345678|", "|<X_1>||"),
    ("`13812345678`", "`<X_1>`"),
    ("(138) 1234-5678", "(<X_1>)"),
    ('see "phone": 13812345678 there', 'see "phone": "<X_1>" there'),
    ("&#24352;&#x4e09;", "<X_2>"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "left"), MARKDOWN)
def test_links_and_marks_stay_whole(answer: str, left: str) -> None:
    assert scrubbed(answer, "13812345678", "张三", "Nadia Petrova") == left


def test_a_phrase_in_a_link_is_written_as_links_are() -> None:
    out = scrubbed("https://e.com/张三", "张三", setting=ScrubSetting(replace_with="phrase"))
    assert re.fullmatch(r"https://\S+", out)
    assert unquote(out) == "https://e.com/based on your preferences"


def test_a_replacement_can_break_no_format() -> None:
    scrubber = Scrubber([Protected("Nadia", 'a"b\\c\nd')], ScrubSetting(), language="en")
    assert json.loads(scrubber.scrub('{"n": "Nadia"}')) == {"n": "abcd"}


def test_restoring_gives_the_originals_back_to_whoever_may_see_them() -> None:
    protected = [
        Protected("Nadia Petrova", "<PERSON_1>"),
        Protected('say "hi"', "<PERSON_2>"),
        Protected("Ann", "<PERSON>"),
        Protected("Bob", "<PERSON>"),
        Protected("Tim", "<PERSON_10>"),
    ]
    scrubber = Scrubber(protected, ScrubSetting(), language="en")
    answer = "<PERSON_1>, ‹PERSON_1›, <PERSON_10>, <PERSON_3> and <PERSON>"
    assert scrubber.restore(answer) == "Nadia Petrova, Nadia Petrova, Tim, <PERSON_3> and <PERSON>"
    assert json.loads(scrubber.restore('{"a": "<PERSON_2>"}')) == {"a": 'say "hi"'}
    assert (
        scrubber.restore("https://e.com/" + quote("<PERSON_1>")) == "https://e.com/Nadia%20Petrova"
    )


def test_an_original_that_looks_like_a_placeholder_is_not_restored_twice() -> None:
    protected = [Protected("<B_1>", "<A_1>"), Protected("secret", "<B_1>")]
    assert Scrubber(protected, ScrubSetting(), language="en").restore("<A_1>") == "<B_1>"


def test_nothing_protected_changes_nothing() -> None:
    scrubber = Scrubber([], ScrubSetting(), language="en")
    assert scrubber.scrub("anything \ud83d at all") == "anything \ud83d at all"
    assert scrubber.restore("<PERSON_1>") == "<PERSON_1>"


def test_originals_show_in_no_repr() -> None:
    assert "secret" not in repr(Protected("secret", "<X>"))
    scrubber = Scrubber([Protected("secret", "<X>")], ScrubSetting(), language="en")
    scrubber.scrub("a secret")
    assert "secret" not in repr(scrubber)
    flow = scrubber.flow()
    flow.feed("the secre")
    assert "secre" not in repr(flow)
