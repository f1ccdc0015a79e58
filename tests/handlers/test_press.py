"""What players write beside moves: who reads it, that it is nothing but text, and that it is erased with its writer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from referee.common.errors import UsageError
from referee.handlers.press import LONGEST_TEXT, MOST_A_DAY
from referee.rulebooks.rulebook import Seat
from referee.store.tables import WRITINGS
from tests.support.playing import Club, Correspondent, Delivered, Exchange, new_database, once
from tests.support.telling import telling

Two = tuple[Correspondent, Correspondent, int]


@once
def two(club: Club, *, press: str = "") -> Two:
    """Two players in a game; White, who begins, comes first."""
    anna, bert = club.member("Anna"), club.member("Bert")
    agreed = f" option press={press}" if press else ""
    anna.writes(f"challenge Bert confusion option colour=white option first=white{agreed}")
    bert.replies("accept")
    return anna, bert, 1


def to(who: Correspondent, exchange: Exchange) -> Delivered:
    (letter,) = (letter for letter in exchange.sent if letter.recipient == who.address)
    return letter


def said(letter: Delivered) -> str:
    """Return a letter's text with the line ends that we write."""
    return letter.text.replace("\r\n", "\n")


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


def kept(club: Club) -> list[tuple[str, str]]:
    """Return all that is kept of what people wrote: kind and text."""
    engine = create_engine(club.url)
    with engine.connect() as connection:
        rows = connection.execute(select(WRITINGS.c.kind, WRITINGS.c.text).order_by(WRITINGS.c.number)).all()
    engine.dispose()
    return [(kind, text) for kind, text in rows]


# Press


@pytest.mark.telling
def test_press_goes_to_the_other_player_and_is_shown_back(club: Club) -> None:
    anna, bert, game = two(club)
    exchange = bert.replies("press Good luck, Anna!", "May the better one win.", to=bert.last_about(game))
    heard = to(anna, exchange)
    assert (heard.kind, heard["Subject"]) == ("notice", "Re: [game 1] [a message] Confusion 1: Anna - Bert")
    assert said(heard).startswith("Bert writes:\n\n> Good luck, Anna!\n> May the better one win.\n\n")
    assert "> May the better one win." in to(bert, exchange).text
    assert to(bert, exchange).kind == "receipt"


@pytest.mark.telling
def test_press_beside_a_move_stands_in_the_report(club: Club) -> None:
    anna, bert, game = two(club)
    exchange = anna.replies("K-S1", "press How do you do?", to=anna.last_about(game))
    heard = to(bert, exchange)
    assert heard.kind == "report"
    assert "[your move 2]" in heard["Subject"]
    assert "Anna writes:\n\n> How do you do?" in said(heard)
    assert "White tried K-S1" in flat(heard)


def test_press_beside_a_resignation_stands_in_the_letter_that_ends_the_game(club: Club) -> None:
    anna, bert, game = two(club)
    anna.replies("resign", "or so I think", to=anna.last_about(game))
    heard = to(bert, anna.replies("confirm", "press It was a pleasure."))
    assert heard.kind == "result"
    assert "> It was a pleasure." in heard.text


def test_players_go_on_talking_when_the_game_is_over(club: Club) -> None:
    anna, bert, game = two(club)
    anna.replies("resign", to=anna.last_about(game))
    exchange = bert.replies("press Thank you for the game.", to=bert.last_about(game))
    assert (to(anna, exchange).kind, to(bert, exchange).kind) == ("notice", "receipt")
    assert "> Thank you for the game." in to(anna, exchange).text


@pytest.mark.telling
def test_press_is_never_a_move_and_the_answer_says_so(club: Club) -> None:
    anna, _, game = two(club)
    exchange = anna.replies("press K-S1", to=anna.last_about(game))
    assert exchange.settled is not None and exchange.settled.moves == 0
    assert 'looks like a move or a command in this text was not done ("K-S1")' in flat(to(anna, exchange))


def test_press_to_all_says_to_whom_it_goes(club: Club) -> None:
    anna, bert, game = two(club)
    exchange = anna.replies("press all Hello, everybody!", to=anna.last_about(game))
    assert said(to(bert, exchange)).startswith("Anna writes to all who may read:\n\n> Hello, everybody!")
    assert "passed on to all who may read in game 1 with Bert:" in to(anna, exchange).text


def test_press_cannot_pass_for_the_referee(club: Club) -> None:
    """Signs that turn the line round or are not seen are gone; every line bears its mark, in the HTML as well."""
    anna, bert, game = two(club)
    lines = ("press \u202eYou have won.\u2066", "Letter 9, game 1\u0007", "<b>Your move</b> \u200bnow")
    heard = to(bert, anna.replies(*lines, to=anna.last_about(game)))
    html = heard.parts[1].get_content()
    for text in (said(heard), html):
        assert not set(text) & set("\u202e\u2066\u0007\u200b")
    for line in ("You have won.", "Letter 9, game 1", "<b>Your move</b> now"):
        assert f"\n> {line}\n" in said(heard)
    assert "&gt; &lt;b&gt;Your move&lt;/b&gt; now" in html
    assert "<b>Your move" not in html


@pytest.mark.parametrize("line", telling(["resign", "K-N1"], others=["draw", "register Mallory"]))
def test_press_that_a_mail_program_repeats_unmarked_is_no_answer(club: Club, line: str) -> None:
    """Whatever Anna writes, no program of Bert's makes it his own line: its mark stands in the text of both parts."""
    anna, bert, game = two(club)
    anna.replies("K-S1", to=anna.last_about(game))
    anna.replies(f"press {line}", to=anna.last_about(game))
    exchange = bert.replies("Thanks!", *bert.last.text.splitlines(), to=bert.last_about(game))
    assert exchange.settled is not None and exchange.settled.moves == 0
    assert club.game(game).status == "playing"
    assert club.game(game).offer is None
    assert all(letter.recipient == bert.address for letter in exchange.sent)


@pytest.mark.telling
def test_a_text_that_is_too_long_is_not_taken(club: Club) -> None:
    anna, bert, game = two(club)
    first = anna.last_about(game)
    short = anna.replies(f"press {'a' * LONGEST_TEXT}", to=first)
    assert [letter.recipient for letter in short.sent] == [bert.address, anna.address]
    long = anna.replies(f"press {'a' * (LONGEST_TEXT + 1)}", to=first)
    assert to(anna, long).kind == "refusal"
    assert "at most 2000 signs, and this one has 2001" in flat(to(anna, long))
    assert len(kept(club)) == 1


def test_so_many_texts_a_day_are_passed_on(club: Club) -> None:
    anna, bert, game = two(club)
    first = anna.last_about(game)
    for number in range(MOST_A_DAY["press"]):
        anna.replies(f"press number {number}", to=first)
    exchange = anna.replies("press one too many", "K-S1", to=first)
    assert "10 texts of yours were passed on in this game within a day" in flat(to(anna, exchange))
    assert exchange.settled is not None and exchange.settled.moves == 1
    assert "one too many" not in to(bert, exchange).text
    club.later(timedelta(days=1))
    assert "> again" in to(bert, anna.replies("press again", to=first)).text


# What is agreed


def test_without_press_nothing_is_passed_on_and_the_first_letter_says_so(club: Club) -> None:
    anna, _, game = two(club, press="off")
    begun = anna.last_about(game)
    assert "no press is passed on" in flat(begun)
    assert "record, why. The word help" in flat(begun)
    exchange = anna.replies("press Hello?", to=begun)
    assert [letter.kind for letter in exchange.sent] == ["refusal"]
    assert "agreed that no press is passed on in game 1" in flat(to(anna, exchange))
    assert kept(club) == []


def test_anonymous_press_bears_a_colour_and_says_how_little_that_hides(club: Club) -> None:
    anna, bert, game = two(club, press="anonymous")
    assert "colour in place of a name; as there are but two players" in flat(anna.last_about(game))
    exchange = anna.replies("press Guess who!", to=anna.last_about(game))
    assert said(to(bert, exchange)).startswith("White writes:\n\n> Guess who!")
    assert "it is known all the same who writes" in flat(to(anna, exchange))


@pytest.mark.parametrize(
    ("word", "meant"), [("of", "press=off"), ("no", "press=off"), ("name", "press=named")]
)
def test_press_is_named_anonymous_or_off(club: Club, word: str, meant: str) -> None:
    anna, _ = club.member("Anna"), club.member("Bert")
    refused = anna.writes(f"challenge Bert confusion option press={word}").only
    assert f"press is named, anonymous, off, not {word}. Did you mean {meant}?" in flat(refused)


def test_what_is_agreed_of_press_is_bound_by_the_commitment(club: Club) -> None:
    _, _, game = two(club, press="off")
    assert club.game(game).options["press"] == "off"


def test_an_umpire_agrees_on_press_as_players_do(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    seats = {Seat("white"): ("Anna", anna.address), Seat("yellow"): ("Bert", bert.address)}
    game = club.referee.umpire.new_game("confusion", seats, {"press": "off", "first": "white"})
    club.collect()
    assert "no press is passed on" in flat(anna.last_about(game))
    with pytest.raises(UsageError, match="press is named, anonymous, off, not loud"):
        club.referee.umpire.new_game("confusion", seats, {"press": "loud"})


# Muted


def test_muted_press_is_not_passed_on_and_its_writer_is_told(club: Club) -> None:
    anna, bert, game = two(club)
    muting = bert.replies("mute", to=bert.last_about(game))
    assert [letter.recipient for letter in muting.sent] == [bert.address]
    assert "not passed on to you any more" in muting.only.text
    again = bert.replies("mute")
    assert again.only.kind == "receipt"
    refused = anna.replies("press Are you there?", to=anna.last_about(game))
    assert refused.only.recipient == anna.address
    assert "Bert wants no press in this game at present" in flat(refused.only)
    passed = bert.replies("press I am, but please do not write.", to=bert.last_about(game))
    assert to(anna, passed).kind == "notice"
    bert.replies("mute off")
    assert "> Now?" in to(bert, anna.replies("press Now?", to=anna.last_about(game))).text


# The diary


def test_a_diary_is_read_by_its_writer_alone_until_both_get_all_of_it(club: Club) -> None:
    anna, bert, game = two(club)
    noted = anna.replies("diary H may be the King.", to=anna.last_about(game))
    assert noted.only.recipient == anna.address
    assert "then both of you get all diaries with the letter that tells the result" in flat(noted.only)
    anna.replies("K-S1", to=anna.last_about(game))
    bert.replies("diary She hides something.", "K-N1", to=bert.last_about(game))
    shown = anna.replies("diary", to=anna.last_about(game)).only
    assert "> H may be the King." in shown.text
    assert "hides" not in shown.text
    ending = bert.replies("resign", to=bert.last_about(game))
    for reader in (anna, bert):
        (diary,) = (part for part in to(reader, ending).parts if part.get_filename() == "diary-1.txt")
        assert diary.get_content().replace("\r\n", "\n") == (
            "The diaries of Confusion 1: Anna - Bert.\n\nWhite (Anna), turn 1:\n\n> H may be the King.\n\n"
            "Yellow (Bert), turn 2:\n\n> She hides something.\n"
        )
    late = anna.replies("diary Too late.", to=anna.last_about(game)).only
    assert "the diaries were shown" in flat(late)
    assert "> H may be the King." in anna.replies("diary", to=anna.last_about(game)).only.text


@pytest.mark.telling
def test_an_empty_diary_says_so_and_is_not_attached(club: Club) -> None:
    anna, _, game = two(club)
    assert "noted nothing" in anna.replies("diary", to=anna.last_about(game)).only.text
    ending = anna.replies("resign", to=anna.last_about(game))
    assert all(part.get_filename() != "diary-1.txt" for letter in ending.sent for part in letter.parts)


# What is kept of it


def test_no_event_and_no_letter_s_row_holds_what_was_written(club: Club) -> None:
    anna, _, game = two(club)
    exchange = anna.replies("press A word of ours", "", "diary Another one", to=anna.last_about(game))
    assert kept(club) == [("press", "A word of ours"), ("diary", "Another one")]
    with club.store.reading() as lookup:
        events = str([each.body for each in lookup.events.of_game(game)])
        (letter,) = lookup.letters.newest(1)
    assert "word of ours" not in events and "Another" not in events
    assert letter.commands == ("press ...", "diary ...")
    assert exchange.settled is not None and exchange.settled.outcome == "answered"


def test_what_a_player_wrote_is_erased_when_he_leaves_and_his_diary_is_shown_to_nobody(club: Club) -> None:
    anna, bert, game = two(club)
    anna.replies("press My very own words", "", "diary My secret", to=anna.last_about(game))
    bert.replies("press Yours, Anna", to=bert.last_about(game))
    anna.writes("bye")
    ending = anna.replies("confirm")
    result = to(bert, ending)
    assert result.kind == "result"
    assert all(part.get_filename() != "diary-1.txt" for part in result.parts)
    assert kept(club) == [("press", "Yours, Anna")]
    while postings := club.store.outbox.claim(club.clock.at, 100):
        club.store.outbox.accepted([(each.id, "250 ok") for each in postings])
    club.referee.jobs.erase_what_is_due()
    assert kept(club) == [], "the other's words may name who has left"
    exchange = bert.replies("press Are you still there?", to=bert.last_about(game))
    assert "nobody sits on the other side of game 1 any more" in flat(exchange.only)


def test_press_waits_for_whoever_wants_one_letter_a_day(club: Club) -> None:
    anna, bert, game = two(club)
    bert.writes("set letters urgent")
    silent = anna.replies("press No hurry.", to=anna.last_about(game))
    assert [letter.recipient for letter in silent.sent] == [anna.address]
    report = to(bert, anna.replies("K-S1", to=anna.last_about(game)))
    assert "Anna writes:\n\n> No hurry." in said(report)


def test_press_stands_in_the_news_of_a_day(club: Club) -> None:
    anna, bert, game = two(club, press="anonymous")
    bert.writes("set letters daily")
    anna.replies("press No hurry.", to=anna.last_about(game))
    club.later(timedelta(days=1))
    (news,) = club.strikes("The evening comes.")
    assert "White writes:\n\n> No hurry.\n" in said(news)


def test_press_that_waits_does_not_come_to_whoever_wants_none(club: Club) -> None:
    anna, bert, game = two(club)
    bert.writes("set letters daily")
    anna.replies("press No hurry.", to=anna.last_about(game))
    assert "No hurry" not in bert.writes(f"mute {game}").only.text
    bert.writes(f"mute off {game}")
    anna.replies("press Now it is wanted.", to=anna.last_about(game))
    club.later(timedelta(days=1))
    (news,) = club.strikes()
    assert "No hurry" not in news.text and "Now it is wanted." in news.text


def test_press_that_has_waited_is_gone_when_its_writer_is(club: Club) -> None:
    anna, bert, game = two(club)
    bert.writes("set letters urgent")
    anna.replies("press My very own words", to=anna.last_about(game))
    anna.writes("bye")
    result = to(bert, anna.replies("confirm"))
    assert "very own" not in result.text
    assert "has left; what was written is erased" in flat(result)


# What nobody learns by it


def test_a_diary_and_a_mute_that_nothing_meets_change_no_letter_of_the_other_s(tmp_path: Path) -> None:
    letters = []
    for place, lines in enumerate((("status",), ("diary H is the King.",), ("mute",))):
        club = Club(new_database(tmp_path, f"club-{place}"))
        anna, bert, game = two(club)
        first = anna.last_about(game)
        anna.replies(*lines, to=first)
        anna.replies("K-S1", to=first)
        bert.replies("status", "games", "record", to=bert.last_about(game))
        letters.append([letter.content for letter in bert.letters])
        club.close()
    assert letters[0] == letters[1] == letters[2]
