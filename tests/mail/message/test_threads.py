"""Which letter a letter answers, and which game its subject names."""

from __future__ import annotations

import pytest

from referee.mail.message.headers import decode_words, read_headers
from referee.mail.message.limits import THREAD_IDS
from referee.mail.message.threading import read_message_id, read_subject_game, read_thread


def thread(head: str) -> tuple[str, ...]:
    return read_thread(read_headers(head.encode())[0])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("In-Reply-To: <c@x>\r\nReferences: <a@x> <b@x>\r\n <c@x>", ("c@x", "b@x", "a@x")),
        ("In-Reply-To:\r\n <c@x>", ("c@x",)),
        ('In-Reply-To: Your message of "Friday" <c@x>', ("c@x",)),
        ("In-Reply-To: c@x", ("c@x",)),
        ("In-Reply-To: <[c@x]>", ("[c@x]",)),
        ("References: <a@x><b@x>,<c@x>", ("c@x", "b@x", "a@x")),
        ("In-Reply-To: nonsense\r\nReferences: <<>> <>", ()),
        ("", ()),
    ],
)
def test_the_nearest_letter_comes_first(head: str, expected: tuple[str, ...]) -> None:
    assert thread(head) == expected


def test_of_a_very_long_thread_the_nearest_and_the_root_are_kept() -> None:
    chain = "".join(f"<{number}@x>" for number in range(500))
    found = thread(f"References: {chain}")
    assert len(found) == THREAD_IDS
    assert (found[0], found[-1]) == ("499@x", "0@x")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("Message-ID: <a@x>", "a@x"),
        ("Message-Id:\r\n <[a@x]>", "[a@x]"),
        ("MESSAGE-ID: a", "a"),
        ("Message-ID: <a\0@x>", "a@x"),
        ("", ""),
    ],
)
def test_a_letter_s_own_id_is_read_without_brackets(head: str, expected: str) -> None:
    assert read_message_id(read_headers(head.encode())[0]) == expected


@pytest.mark.parametrize(
    ("subject", "game"),
    [
        ("Re: [game 17] [your move 22] Confusion 17: Anna - Bert", 17),
        ("AW: [GAME 17]", 17),
        ("=?utf-8?q?=5Bgame_?= =?utf-8?q?17=5D?=", 17),
        ("=?iso-2022-jp?b?GyRCTjobKEI=?= [game 3]", 3),
        ("game 17", None),
        ("[game x]", None),
        ("[game 12345678901]", None),
        ("=?utf-8?b?A?= [game 5]", 5),
        ("", None),
    ],
)
def test_the_subject_names_a_game(subject: str, game: int | None) -> None:
    assert read_subject_game(decode_words(subject, 2000)) == game


@pytest.mark.parametrize(
    ("value", "decoded"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?=C3=A9?= =?utf-8?q?t=C3=A9?=", "été"),
        ("=?utf-8?b?w6k=?= and more", "é and more"),
        ("=?nobody-knows?q?=C3=A9?=", "é"),
        ("=?utf-8?q?=E9?=", "é"),
        ("=?utf-8?b?w?=", "=?utf-8?b?w?="),
        ("a\u200bb\tc", "ab c"),
        ("=?utf-8?q?a=00=0D=0Ab?=", "ab"),
    ],
)
def test_encoded_words_are_decoded_as_well_as_it_goes(value: str, decoded: str) -> None:
    assert decode_words(value, 2000) == decoded
