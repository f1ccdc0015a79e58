"""Letters say the newest receipt, the same to both, unbroken, and where nobody takes it for a word."""

from __future__ import annotations

import re
from email.message import EmailMessage

from hypothesis import given
from hypothesis import strategies as st

from referee.commands.grammar import Grammar
from referee.mail.message.message import OwnLine
from referee.rulebooks.catalogue import find_rulebook
from tests.support.playing import Club, Correspondent, Delivered

LINE = re.compile(r"^Receipt: ([0-9a-f]{64})$", re.MULTILINE)


def playing(club: Club) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.net"), game


def begin(club: Club) -> int:
    return club.starts({"white": club.member("Anna"), "yellow": club.member("Bert")})


def text_of(letter: Delivered) -> str:
    return letter.text.replace("\r\n", "\n")


def receipt_of(letter: Delivered) -> str:
    """Return the one receipt that a letter says, the same in all its parts."""
    (said,) = LINE.findall(text_of(letter))
    assert isinstance(said, str)
    if "text/html" in letter.media_types:
        assert said in html_of(letter)
    if "application/json" in letter.media_types:
        assert letter.json["receipt"] == said
    return said


def html_of(letter: Delivered) -> str:
    part = next(part for part in letter.parts if part.get_content_type() == "text/html")
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def test_mover_and_opponent_read_the_same_receipt_and_it_is_the_games(club: Club) -> None:
    anna, bert, game = playing(club)
    bert.replies("set reports json")
    seen = []
    for mover, move in ((anna, "A-S1"), (bert, "A-N1"), (anna, "C-S1")):
        exchange = mover.replies(move, to=mover.last_about(game))
        assert len(exchange.sent) == 2
        assert {receipt_of(letter) for letter in exchange.sent} == {club.game(game).receipt}
        seen.append(club.game(game).receipt)
    assert len(set(seen)) == 3


def test_letters_that_rule_nothing_repeat_it(club: Club) -> None:
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    newest = receipt_of(anna.last)
    for said in ("A-S1", "V-NN2", "status", "draw", "record", "why A", "resign", "help"):
        for letter in anna.replies(said, "thank you", to=anna.last_about(game)).sent:
            assert letter.game is None or receipt_of(letter) == newest
    assert receipt_of(bert.last) == newest


def test_a_game_has_none_before_its_first_attempt(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("set reports json")
    anna.writes("challenge bert@example.net confusion")
    game = anna.last.game
    assert game is not None
    assert anna.last.json["receipt"] is None
    bert.replies("accept")
    for letter in (*anna.letters, *bert.letters):
        assert "Receipt:" not in letter.text
    assert anna.last_about(game).json["receipt"] is None
    assert "ends with a receipt" in anna.last_about(game).text


def test_the_letter_of_another_game_has_that_games_own(club: Club) -> None:
    anna, bert, first = playing(club)
    second = club.starts({"white": anna, "yellow": bert})
    for game in (first, second):
        anna.replies("A-S1", to=next(each for each in anna.letters if each.game == game))
    assert receipt_of(anna.last_about(first)) != receipt_of(anna.last_about(second))
    assert "Receipt:" not in anna.writes("games").only.text


def test_it_stands_unbroken_in_the_bytes_above_the_last_line(club: Club) -> None:
    anna, _, _ = playing(club)
    anna.replies("A-S1")
    said = receipt_of(anna.last)
    assert f"\r\nReceipt: {said}\r\n".encode() in anna.last.content
    assert re.search(rf"\n\nReceipt: {said}\n\nLetter 2, game 1, .*\.\n+\Z", text_of(anna.last))


def test_the_last_letter_proves_it(club: Club) -> None:
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    before = receipt_of(anna.last)
    anna.replies("resign")
    over = club.game(game)
    assert receipt_of(anna.last) == receipt_of(bert.last) == over.receipt != before
    proof = (
        f"Commitment:\n\n{over.commitment}\n\nSecret:\n\n{over.secret.hex()}\n\nChain:\n\n{over.receipt}\n"
    )
    for who in (anna, bert):
        assert proof in text_of(who.last)
        for name, value in over.proof.items():
            assert f"\n{name} = {value}\n" in text_of(who.last)


def test_the_record_by_letter_has_the_proof_at_the_end_and_not_before(club: Club) -> None:
    anna, _, game = playing(club)
    anna.replies("A-S1")
    anna.replies("record")
    for name in ("Commitment", "Secret", "Chain"):
        assert f"{name} =" not in anna.last.text
    anna.replies("resign")
    anna.replies("record", to=anna.last_about(game))
    over = club.game(game)
    for name, value in over.proof.items():
        assert f"\n{name} = {value}\n" in text_of(anna.last)


@given(link=st.text("0123456789abcdef", min_size=64, max_size=64))
def test_it_is_not_read_as_a_word_of_the_desk(link: str) -> None:
    grammar = Grammar(find_rulebook("confusion").notation.looks_like_order, ["confusion"], ["help"])
    read = grammar.read([OwnLine(1, f"Receipt: {link}")])
    assert (read.commands, read.faults) == ((), ())


def test_a_letter_repeated_without_marks_below_an_answer_is_not_read(club: Club) -> None:
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    exchange = bert.replies("A-N1", "", *bert.last.text.splitlines())
    assert exchange.settled is not None and exchange.settled.moves == 1
    assert receipt_of(bert.last) == club.game(game).receipt
    assert bert.last.kind == "report"
    assert "not accepted" not in bert.last.text.lower()
