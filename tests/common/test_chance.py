"""Dice that follow from a secret, and the commitment that binds it."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.chance import Chance, commitment, new_secret, new_tag

SECRET = bytes(range(32))


def test_a_shuffle_can_be_dealt_again_by_hand_from_the_secret() -> None:
    """Fisher and Yates, two bytes of the HMAC stream a draw, draws above the largest multiple left out."""
    stream = b"".join(
        hmac.new(SECRET, b"deal white\n" + str(block).encode(), hashlib.sha256).digest() for block in range(4)
    )
    cards = list("ACEHKLNOPSTV")
    at = 0
    for last in range(11, 0, -1):
        while True:
            value = int.from_bytes(stream[at : at + 2], "big")
            at += 2
            if value < 65536 - 65536 % (last + 1):
                break
        other = value % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    assert Chance(SECRET).shuffle("ACEHKLNOPSTV", "deal white") == tuple(cards)


def test_every_order_comes_up_about_equally_often() -> None:
    """24 orders, 4,800 shuffles: the chi-square statistic stays below its 1-in-a-million bound (23 degrees)."""
    seen = Counter(Chance(SECRET).shuffle("abcd", f"shuffle {n}") for n in range(4800))
    assert set(seen) == set(permutations("abcd"))
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 72


def test_streams_of_different_purposes_do_not_depend_on_the_order_of_asking() -> None:
    one, two = Chance(SECRET), Chance(SECRET)
    white, first = one.shuffle(range(12), "deal white"), one.lot("xy", "first")
    assert (two.lot("xy", "first"), two.shuffle(range(12), "deal white")) == (first, white)
    assert one.shuffle(range(12), "deal yellow") != white


def test_the_commitment_is_the_hash_of_what_was_said() -> None:
    said = {
        "domain": "referee commitment 1",
        "game": 17,
        "options": {"sheets": "off"},
        "rules": "confusion",
        "secret": SECRET.hex(),
        "version": "1",
    }
    line = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    bound = commitment(SECRET, game=17, rules="confusion", version="1", options={"sheets": "off"})
    assert bound == hashlib.sha256(line).hexdigest()


@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**6), st.text(max_size=20))
def test_a_commitment_binds_secret_game_and_deal(secret: bytes, game: int, deal: str) -> None:
    def bind(secret: bytes, game: int, deal: str) -> str:
        return commitment(secret, game=game, rules="confusion", version="1", options={}, deal=deal)

    bound = bind(secret, game, deal)
    assert len(bound) == 64 and bound == bound.lower()
    flipped = bytes([secret[0] ^ 1]) + secret[1:]
    assert (
        len({bound, bind(flipped, game, deal), bind(secret, game + 1, deal), bind(secret, game, deal + "!")})
        == 4
    )


def test_secrets_and_tags_are_long_and_never_the_same() -> None:
    assert len({new_secret() for _ in range(50)}) == 50
    tags = {new_tag() for _ in range(50)}
    assert len(tags) == 50
    assert all(len(tag) >= 16 and tag.isascii() and tag.isalnum() and tag == tag.lower() for tag in tags)


def test_dice_do_not_show_their_secret() -> None:
    assert SECRET.hex() not in repr(Chance(SECRET))
    with pytest.raises(ValueError, match="32 bytes"):
        Chance(b"short")


def test_a_bound_that_two_bytes_cannot_serve_is_refused() -> None:
    with pytest.raises(ValueError, match="65536"):
        Chance(SECRET).lot(range(65537), "too many")
