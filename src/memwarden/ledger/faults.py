"""What can be wrong with a ledger, in words that say where and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden.model import Message


class Wrong(StrEnum):
    """The kinds of fault. ``CLOCK`` is a remark and no fault."""

    UNREADABLE = "unreadable"
    GAP = "gap"
    TAMPERED = "tampered"
    UNLINKED = "unlinked"
    TORN = "torn"
    LEAVES = "leaves"
    TAIL_CUT = "tail_cut"
    TAIL_ADDED = "tail_added"
    HEAD = "head"
    UNSIGNED = "unsigned"
    SIGNATURE = "signature"
    ANCHOR_AHEAD = "anchor_ahead"
    ANCHOR_DIFFERS = "anchor_differs"
    ANCHOR_FORGED = "anchor_forged"
    TREE = "tree"
    INDEX = "index"
    WORDING = "wording"
    SCHEMA = "schema"
    SEAL = "seal"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. ``seq`` is the record's number, -1 where it is no one record's."""

    wrong: Wrong
    tenant: str
    seq: int
    words: Message

    @property
    def grave(self) -> bool:
        return self.wrong is not Wrong.CLOCK

    def __str__(self) -> str:
        return f"{self.tenant}: {self.words.en}" if self.tenant else self.words.en


def unreadable(tenant: str, seq: int, detail: str) -> Fault:
    return _fault(
        Wrong.UNREADABLE,
        tenant,
        seq,
        f"cannot be read from record {seq} on: {detail}. The file is damaged; restore a backup.",
        f"从第 {seq} 条记录起无法读取：{detail}。文件已损坏，请恢复备份。",
    )


def gap(tenant: str, first: int, after: int) -> Fault:
    last = after - 1
    span_en = f"record {first} is" if first == last else f"records {first} to {last} are"
    span_zh = f"第 {first} 条" if first == last else f"第 {first} 至 {last} 条"
    return _fault(
        Wrong.GAP,
        tenant,
        first,
        f"{span_en} missing: they were deleted from the middle of the history.",
        f"缺少{span_zh}记录：它们被从历史中间删除。",
    )


def tampered(tenant: str, seq: int) -> Fault:
    return _fault(
        Wrong.TAMPERED,
        tenant,
        seq,
        f"record {seq} was altered: its content does not match its own hash.",
        f"第 {seq} 条记录被改动：内容与自身的哈希不符。",
    )


def unlinked(tenant: str, seq: int) -> Fault:
    return _fault(
        Wrong.UNLINKED,
        tenant,
        seq,
        f"record {seq} does not follow record {seq - 1}: one of the two was replaced.",
        f"第 {seq} 条记录与第 {seq - 1} 条不相接：其中之一被替换。",
    )


def torn(tenant: str, seq: int) -> Fault:
    return _fault(
        Wrong.TORN,
        tenant,
        seq,
        f"record {seq}, the last one, is torn: it is there only in part.",
        f"最后一条记录（第 {seq} 条）残缺不全。",
    )


def leaves(tenant: str, seq: int, expected: int, found: int) -> Fault:
    detail_en = "one was altered" if expected == found else f"{expected} expected, {found} found"
    detail_zh = "其中有被改动的" if expected == found else f"应有 {expected} 条，实有 {found} 条"
    return _fault(
        Wrong.LEAVES,
        tenant,
        seq,
        f"the decisions of record {seq} are not those that were recorded: {detail_en}.",
        f"第 {seq} 条记录的判定与当时记录的不符：{detail_zh}。",
    )


def stray_leaves(tenant: str, seq: int) -> Fault:
    return _fault(
        Wrong.LEAVES,
        tenant,
        seq,
        f"decisions claim to belong to record {seq}, which announces none.",
        f"有判定自称属于第 {seq} 条记录，但该记录并未宣告任何判定。",
    )


def tail_cut(tenant: str, found: int, promised: int) -> Fault:
    return _fault(
        Wrong.TAIL_CUT,
        tenant,
        found,
        f"the tail was cut off: the head promises {promised} records, {found} are there.",
        f"末尾被截断：链头记载 {promised} 条记录，实有 {found} 条。",
    )


def tail_added(tenant: str, found: int, promised: int) -> Fault:
    return _fault(
        Wrong.TAIL_ADDED,
        tenant,
        promised,
        f"records were added past the head: it knows {promised}, {found} are there.",
        f"链头之后被加入记录：链头记载 {promised} 条，实有 {found} 条。",
    )


def head_differs(tenant: str) -> Fault:
    return _fault(
        Wrong.HEAD,
        tenant,
        -1,
        "the stored head does not match the records: head or records were replaced.",
        "存储的链头与记录不符：链头或记录被替换。",
    )


def unsigned(tenant: str, signed: int, size: int) -> Fault:
    return _fault(
        Wrong.UNSIGNED,
        tenant,
        signed,
        f"records {signed} to {size - 1} carry no signature: they were written past memwarden, "
        "or by a process without the signing key.",
        f"第 {signed} 至 {size - 1} 条记录没有签名：它们绕过 memwarden 写入，"
        "或由没有签名密钥的进程写入。",
    )


def bad_signature(tenant: str, size: int) -> Fault:
    return _fault(
        Wrong.SIGNATURE,
        tenant,
        -1,
        f"the signature under the first {size} records does not hold: the history was rewritten "
        "by somebody without the key, or the key given is another installation's.",
        f"前 {size} 条记录的签名不成立：历史被没有密钥的人改写，或所给的密钥属于另一套安装。",
    )


def anchor_ahead(tenant: str, anchored: int, at: datetime, found: int) -> Fault:
    when = f"{at:%Y-%m-%d %H:%M:%S} UTC"
    return _fault(
        Wrong.ANCHOR_AHEAD,
        tenant,
        found,
        f"the history is shorter than was anchored: {anchored} records on {when}, {found} now. "
        "The tail was cut off, or an older copy of the file was put back.",
        f"历史比锚定时短：{when} 锚定 {anchored} 条记录，现有 {found} 条。"
        "末尾被截断，或文件被换成旧的副本。",
    )


def anchor_differs(tenant: str, anchored: int, at: datetime, agreed: int) -> Fault:
    when = f"{at:%Y-%m-%d %H:%M:%S} UTC"
    return _fault(
        Wrong.ANCHOR_DIFFERS,
        tenant,
        agreed,
        f"the first {anchored} records are not those anchored on {when}; up to {agreed} they "
        "agree. The history was rewritten, or an older copy was put back and written on.",
        f"前 {anchored} 条记录与 {when} 的锚定不符，仅前 {agreed} 条一致。"
        "历史被改写，或旧的副本被放回后继续写入。",
    )


def anchor_forged(tenant: str, anchored: int) -> Fault:
    return _fault(
        Wrong.ANCHOR_FORGED,
        tenant,
        -1,
        f"an anchor of {anchored} records is not signed by this installation and proves nothing.",
        f"一个 {anchored} 条记录的锚定并非本安装所签，不能证明任何事。",
    )


def tree_differs(tenant: str, seq: int) -> Fault:
    return _fault(
        Wrong.TREE,
        tenant,
        seq,
        f"the stored tree is wrong at record {seq}: proofs made from it would not hold.",
        f"存储的哈希树在第 {seq} 条记录处有误：由它生成的证明不会成立。",
    )


def index_differs(tenant: str, table: str, seq: int) -> Fault:
    return _fault(
        Wrong.INDEX,
        tenant,
        seq,
        f"the search table {table!r} disagrees with record {seq}: lists by it may hide decisions.",
        f"检索表 {table!r} 与第 {seq} 条记录不一致：据它列出的结果可能有遗漏。",
    )


def wording_differs(digest: str) -> Fault:
    return _fault(
        Wrong.WORDING,
        "",
        -1,
        f"the sentence kept as {digest} was altered: reasons shown may not be those given.",
        f"编号 {digest} 的理由语句被改动：显示的理由可能不是当时给出的。",
    )


def schema_differs(name: str) -> Fault:
    return _fault(
        Wrong.SCHEMA,
        "",
        -1,
        f"the definition of {name!r} in the file is not memwarden's: searches may lie.",
        f"文件中 {name!r} 的定义不是 memwarden 的：检索结果可能不实。",
    )


def seal_altered(tenant: str, seq: int, seal: str) -> Fault:
    return _fault(
        Wrong.SEAL,
        tenant,
        seq,
        f"the sealed text {seal} of record {seq} is not the one that was recorded: it was altered "
        "or exchanged in the vault.",
        f"第 {seq} 条记录的封存原文 {seal} 与记录不符：它在保险库中被改动或调换。",
    )


def seal_missing(tenant: str, seq: int, seal: str) -> Fault:
    return _fault(
        Wrong.SEAL,
        tenant,
        seq,
        f"the sealed text {seal} of record {seq} is gone, and no erasure is recorded that would "
        "explain it: it was removed behind memwarden.",
        f"第 {seq} 条记录的封存原文 {seal} 不见了，也没有相应的删除记录：它被绕过 memwarden 移除。",
    )


def clock_back(tenant: str, seq: int, seconds: float) -> Fault:
    return _fault(
        Wrong.CLOCK,
        tenant,
        seq,
        f"the clock was {seconds:.1f} s earlier at record {seq} than at the one before. Order is "
        "by number, so nothing is lost by it.",
        f"第 {seq} 条记录的时钟比前一条早 {seconds:.1f} 秒。顺序以编号为准，并无损失。",
    )


def _fault(wrong: Wrong, tenant: str, seq: int, en: str, zh: str) -> Fault:
    return Fault(wrong, tenant, seq, Message(en=en, zh=zh))
