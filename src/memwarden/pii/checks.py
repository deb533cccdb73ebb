"""Checksums and other facts that decide whether a value can be what it looks like.

Each check takes the matched text (separators still in it) and answers yes or no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from memwarden.pii import checks_crypto, checks_network
from memwarden.pii.load import listed

_CN_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_TW_WEIGHTS: Final = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
_OLDEST: Final = date(1880, 1, 1)
_YOUNGEST: Final = date(2049, 12, 31)
_LETTER_CODES: Final = {
    letter: 10 + place for place, letter in enumerate("ABCDEFGHJKLMNPQRSTUVXYWZIO")
}


def digits(value: str) -> str:
    return "".join(char for char in value if "0" <= char <= "9")


def compact(value: str) -> str:
    """Letters and digits only, in upper case."""
    return "".join(char for char in value if char.isascii() and char.isalnum()).upper()


def luhn(value: str) -> bool:
    """ISO/IEC 7812: the last digit makes the weighted sum a multiple of ten."""
    total = 0
    for place, char in enumerate(reversed(digits(value))):
        number = int(char) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0 and len(set(digits(value))) > 1


def is_date(year: int, month: int, day: int) -> bool:
    try:
        born = date(year, month, day)
    except ValueError:
        return False
    return _OLDEST <= born <= _YOUNGEST


def cn_id18(value: str) -> bool:
    """GB 11643: region, birth date, and ISO 7064 MOD 11-2."""
    code = compact(value)
    if len(code) != 18 or code[:2] not in listed("cn_regions"):
        return False
    if not is_date(int(code[6:10]), int(code[10:12]), int(code[12:14])):
        return False
    total = sum(int(char) * weight for char, weight in zip(code, _CN_WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == code[17]


def cn_id18_shape(value: str) -> bool:
    """Region and birth date only: what an invented id usually keeps right."""
    code = compact(value)
    return code[:2] in listed("cn_regions") and is_date(
        int(code[6:10]), int(code[10:12]), int(code[12:14])
    )


def cn_id15(value: str) -> bool:
    code = digits(value)
    plausible = code[:2] in listed("cn_regions")
    return plausible and is_date(1900 + int(code[6:8]), int(code[8:10]), int(code[10:12]))


def cn_uscc(value: str) -> bool:
    from stdnum.cn import uscc

    return bool(uscc.is_valid(compact(value)))


def cn_mobile(value: str) -> bool:
    """Ranges in use: 13x 14x 15x 16x 17x 18x 19x without those never given out."""
    number = digits(value)[-11:]
    return number[:3] not in listed("cn_mobile_unused")


def cn_plate(value: str) -> bool:
    """A plate has a digit; five letters after the province are a word."""
    return any("0" <= char <= "9" for char in value)


def tw_id(value: str) -> bool:
    """The letter counts as two digits, the weights are 1 9 8 7 6 5 4 3 2 1 1."""
    code = compact(value)
    numbers = [*divmod(_LETTER_CODES[code[0]], 10)]
    second = _LETTER_CODES[code[1]] % 10 if code[1].isalpha() else int(code[1])
    numbers += [second, *(int(char) for char in code[2:])]
    return (
        sum(n * w for n, w in zip(numbers, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10
        == 0
    )


def hk_id(value: str) -> bool:
    """Weights 9 to 1 over eight places; a missing first letter counts 36."""
    code = compact(value)
    letters = code[:-7]
    heads = [36] * (2 - len(letters)) + [ord(char) - 55 for char in letters]
    tail = [10 if char == "A" else int(char) for char in code[-7:]]
    return sum(n * w for n, w in zip(heads + tail, range(9, 0, -1), strict=True)) % 11 == 0


def _starts(number: str, *ranges: tuple[int, int]) -> bool:
    return any(low <= int(number[: len(str(low))]) <= high for low, high in ranges)


def card(value: str) -> bool:
    """Luhn, and a length that the issuer of the leading digits uses."""
    number = digits(value)
    return luhn(number) and len(number) in _card_lengths(number)


def card_shape(value: str) -> bool:
    """The lengths and leading digits of a card, whatever the check digit."""
    number = digits(value)
    return len(number) in _card_lengths(number)


def _card_lengths(number: str) -> tuple[int, ...]:
    if number[0] == "4":
        return (16, 19) if not _is_article_number(number) else ()
    if _starts(number, (51, 55), (2221, 2720)):
        return (16,)
    if _starts(number, (34, 34), (37, 37)):
        return (15,)
    if _starts(number, (6011, 6011), (644, 649), (65, 65)):
        return (16, 17, 18, 19)
    if _starts(number, (62, 62), (81, 81)):
        return (16, 17, 18, 19)
    if _starts(number, (35, 35)):
        return (16, 17, 18, 19)
    if _starts(number, (2131, 2131), (1800, 1800)):
        return (15,)
    if _starts(number, (300, 305), (36, 36), (38, 39), (3095, 3095)):
        return (14, 16, 19)
    if number[:4] == "0604" or _starts(
        number,
        (5018, 5018),
        (5020, 5020),
        (5038, 5038),
        (5893, 5893),
        (6304, 6304),
        (6759, 6759),
        (6761, 6763),
        (6390, 6390),
        (56, 58),
    ):
        return tuple(range(12, 20))
    return ()


def _is_article_number(number: str) -> bool:
    """EAN-13 for 13 digits: the 4 of Germany and Japan is not the 4 of a card."""
    if len(number) != 13:
        return False
    weighted = sum(int(char) * (3 if place % 2 else 1) for place, char in enumerate(number[:12]))
    return (10 - weighted % 10) % 10 == int(number[12])


def card_13(value: str) -> bool:
    """A thirteen-digit card of old: Luhn, a leading 4, and not an article number as well."""
    number = digits(value)
    return luhn(number) and number[0] == "4" and not _is_article_number(number)


def cn_bank_card(value: str) -> bool:
    return luhn(value)


def iban(value: str) -> bool:
    from stdnum import iban as standard

    return bool(standard.is_valid(compact(value), check_country=False))


def us_ssn(value: str) -> bool:
    """Never given out: area 000 and 666, group 00, serial 0000, and the published dummies."""
    number = digits(value)
    if number in {"123456789", "078051120", "219099999", "987654321"}:
        return False
    return number[:3] not in {"000", "666"} and number[3:5] != "00" and number[5:] != "0000"


def nanp(value: str) -> bool:
    """North American numbering: area and exchange begin with 2 to 9."""
    number = digits(value.lower().split("x")[0].split("ext")[0])[-10:]
    return len(number) == 10 and number[0] in "23456789" and number[3] in "23456789"


def plausible_phone(value: str) -> bool:
    """Six to fifteen digits, and not one digit all over."""
    number = digits(value)
    return 6 <= len(number) <= 15 and len(set(number)) > 2


def international_phone(value: str) -> bool:
    import phonenumbers

    text = "+" + digits(value[2:] if value.startswith("00") else value).replace("(0)", "")
    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(text)))
    except phonenumbers.NumberParseException:
        return False


def imei(value: str) -> bool:
    return luhn(value)


def mixed(value: str) -> bool:
    """An opaque value: it has a digit, so it is not a word."""
    return any("0" <= char <= "9" for char in value)


def mixed_tail(value: str) -> bool:
    """The same where the prefix itself has a digit."""
    return mixed(value[5:])


def password_like(value: str) -> bool:
    """Something a person would choose as a password, not the next word of a sentence or program."""
    bare = value.strip("()[]{}<>'\",;:.")
    kinds = (
        any(char.isdigit() for char in bare),
        any(char.isascii() and char.isupper() for char in bare[1:]) and not bare.isupper(),
        any(not char.isalnum() and char not in "-_'.()[]{}<>/*=\"," for char in bare),
    )
    return len(bare) >= 4 and any(kinds)


def uuid(value: str) -> bool:
    return value.count("-") == 4


CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "card": card,
    "card_13": card_13,
    "card_shape": card_shape,
    "cn_bank_card": cn_bank_card,
    "cn_id15": cn_id15,
    "cn_id18": cn_id18,
    "cn_id18_shape": cn_id18_shape,
    "cn_mobile": cn_mobile,
    "cn_plate": cn_plate,
    "cn_uscc": cn_uscc,
    "hk_id": hk_id,
    "iban": iban,
    "imei": imei,
    "international_phone": international_phone,
    "luhn": luhn,
    "mixed": mixed,
    "mixed_tail": mixed_tail,
    "nanp": nanp,
    "password_like": password_like,
    "plausible_phone": plausible_phone,
    "tw_id": tw_id,
    "us_ssn": us_ssn,
    "uuid": uuid,
    **checks_crypto.CHECKS,
    **checks_network.CHECKS,
}
"""Every check by the name that the data files use."""
