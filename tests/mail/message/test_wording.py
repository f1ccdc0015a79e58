"""What a line says, whatever keyboards and programs did to its signs."""

from __future__ import annotations

import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.characters import fold, is_another, visible
from referee.mail.message.charsets import decode_text
from referee.mail.message.limits import LINE_CHARACTERS
from referee.mail.message.normalisation import normalise


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("  V-NW2xZ  ", "V-NW2xZ"),
        ("V \t N  E 2", "V N E 2"),
        ("V‐N1", "V-N1"),
        ("V‑N1", "V-N1"),
        ("V‒N1", "V-N1"),
        ("V–N1", "V-N1"),
        ("V—N1", "V-N1"),
        ("V−N1", "V-N1"),
        ("V－N1", "V-N1"),
        ("V➖\ufe0fN1", "V-N1"),
        ("O-E2×T×Z", "O-E2xTxZ"),
        ("ＶＺ－ＮＷ１", "VZ-NW1"),
        ("Z-S1＞T", "Z-S1>T"),
        ("V-N¹", "V-N¹"),
        ("① V-N1", "V-N1"),
        ("⒈ V-N1", "V-N1"),
        ("①V-N1", "①V-N1"),
        ("oﬀer e\u0301", "offer é"),
        ("\ufeffV\u200b-\u2060N\u00ad1\u200f", "V-N1"),
        ("V-N1\0", "V-N1"),
        ("\u00a0V-N1\u202f", "V-N1"),
        ("1. V-N1", "V-N1"),
        ("2) V-N1", "V-N1"),
        ("(3) V-N1", "V-N1"),
        ("12.V-N1", "V-N1"),
        ("- V-N1", "V-N1"),
        ("* V-N1", "V-N1"),
        ("• V-N1", "V-N1"),
        ("*V-N1*", "V-N1"),
        ("(V-N1)", "(V-N1)"),
        ("18: V-N1", "18: V-N1"),
        ("3.14 is pi", "3.14 is pi"),
        ("-", "-"),
        ("**", ""),
        ("Grüße, Ωmega", "Grüße, Ωmega"),
        ("", ""),
    ],
)
def test_signs_are_made_one_kind_and_letters_are_left_alone(written: str, text: str) -> None:
    assert normalise(written) == text


@given(st.text(max_size=60))
def test_a_normalised_line_is_one_trimmed_line_that_can_be_kept(text: str) -> None:
    line = normalise(text)
    assert line == " ".join(line.split())
    assert visible(line) == line
    line.encode("utf-8")


@given(st.text())
def test_plain_signs_are_made_as_unicode_makes_them_and_the_others_are_kept(text: str) -> None:
    """Sign by sign, since a letter has thousands and few kinds."""
    signs = [sign if is_another(sign) else unicodedata.normalize("NFKC", sign) for sign in text]
    assert fold(text) == unicodedata.normalize("NFC", "".join(signs))
    if not any(map(is_another, text)):
        assert fold(text) == unicodedata.normalize("NFKC", text)


@given(st.text())
def test_visible_text_holds_no_format_character_but_every_letter(text: str) -> None:
    kept = visible(text)
    assert all(unicodedata.category(sign) not in ("Cf", "Cs") for sign in kept)
    assert all(unicodedata.category(sign) != "Cc" or sign == "\t" for sign in kept)
    assert [sign for sign in text if sign.isalpha()] == [sign for sign in kept if sign.isalpha()]


def test_every_format_character_of_this_python_is_invisible() -> None:
    signs = [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) == "Cf"]
    assert [hex(ord(sign)) for sign in signs if visible(sign)] == []


@pytest.mark.parametrize(
    ("octets", "charset", "text"),
    [
        ("é – ".encode(), "utf-8", "é – "),
        ("é".encode(), "", "é"),
        (b"\xe9 \x96", "utf-8", "é –"),
        (b"\xc3\xa9 \xe9", "utf-8", "é é"),
        (b"\xe9\x96", "iso-8859-1", "é–"),
        ("é".encode(), "iso-8859-1", "é"),
        ("é".encode(), "us-ascii", "é"),
        ("é".encode(), "uft-8", "é"),
        ("了解".encode("iso-2022-jp"), "ISO-2022-JP", "了解"),
        ("了解".encode("gb18030"), "gb2312", "了解"),
        ("дай".encode("koi8-r"), "koi8-r", "дай"),
        ("ไป".encode("cp874"), "windows-874", "ไป"),
        ("\ufeffV".encode(), "koi8-r", "V"),
        ("V-N1".encode("utf-16"), "utf-16", "V-N1"),
        (b"V", "utf-16", "V"),
        (b"V\\x2dN1", "unicode_escape", "V\\x2dN1"),
        (b"I-A1", "rot13", "I-A1"),
        (b"aGk=", "base64", "aGk="),
        (b"xn--a", "idna", "xn--a"),
        (b"V", "a\0b", "V"),
        (b"V", "x" * 5000, "V"),
        (b"\x81\x8d", "utf-8", "\ufffd\ufffd"),
    ],
)
def test_bytes_become_text_whatever_their_label_says(octets: bytes, charset: str, text: str) -> None:
    assert decode_text(octets, charset) == text


@given(
    st.binary(max_size=200),
    st.sampled_from(["utf-7", "utf-8", "utf-16", "hz", "iso-2022-kr", "mbcs", "zlib", "big5"]),
)
def test_no_bytes_and_no_label_make_decoding_fail(octets: bytes, charset: str) -> None:
    visible(decode_text(octets, charset)).encode("utf-8")


def test_no_line_holds_a_digit_that_its_writer_did_not_write() -> None:
    """`A2²` is not A22: of all signs there are, only those of another width and set-together letters are made plain."""
    for point in range(0x80, 0x110000):
        sign = chr(point)
        plain = unicodedata.normalize("NFKC", sign)
        if plain == sign or not any(each.isascii() and each.isalnum() for each in plain):
            continue
        name = unicodedata.name(sign)
        same = name.startswith("FULLWIDTH ") or unicodedata.normalize("NFC", sign) == plain
        together = unicodedata.decomposition(sign).startswith("<compat>") and sign.isalpha()
        digits = any(map(str.isdigit, plain))
        made = normalise(f"A{sign}B")
        assert made in (f"A{plain}B", f"A{sign}B"), name
        assert (made == f"A{plain}B") == (same or (together and "ROMAN" not in name and not digits)), name
        assert is_another(sign) == (made == f"A{sign}B"), name


@pytest.mark.parametrize("sign", ["a", "😀"])
def test_what_long_lines_say_is_not_kept(sign: str) -> None:
    """Given 300 lines of many kilobytes, then no more memory is held than one of them takes."""
    tracemalloc.start()
    try:
        for number in range(300):
            normalise(f"{number} " + sign * LINE_CHARACTERS * 20)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < LINE_CHARACTERS * 20 * 4
