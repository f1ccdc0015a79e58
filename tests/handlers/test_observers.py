"""Whoever watches a game hears what both players hear, at once or some turns late, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from referee.common.errors import UsageError
from referee.games.game_options import check_agreements, watchers_of
from referee.games.umpire_actions import Act, ActFor, Rule, TakeBack
from referee.handlers.observers import MOST_WATCHED, MOST_WATCHERS
from referee.rulebooks.rulebook import OBSERVER, Seat
from referee.store.tables import NAMINGS, OUTGOING, OUTGOING_CONTENTS, WATCHES
from tests.support.begun import DEAL, said, tried
from tests.support.bounces import bounce
from tests.support.playing import Club, Correspondent, Delivered, Exchange, once
from tests.support.telling import telling

Three = tuple[Correspondent, Correspondent, Correspondent]
TURNS = (
    ("L-S2", "C-N2"),
    ("A-S1", "A-N1"),
    ("C-S1", "E-N1"),
    ("E-S1", "H-N1"),
    ("H-S1", "K-N1"),
    ("K-S1", "L-N1"),
)
"""What White and Yellow try, turn by turn; White begins."""
TURNS_PLAYED = 5
"""Where somebody watches late."""


@once
def watched(club: Club, watchers: str = "on") -> Three:
    """Anna on white and Bert on yellow play game 1; Carl may watch. All have plain letters."""
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    with club.store.unit() as unit:
        for who in (anna, bert, carl):
            player = unit.players.by_address(who.address)
            assert player is not None
            unit.players.change(player.number, form="text")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, watchers=watchers)
    return anna, bert, carl


def to(who: Correspondent, exchange: Exchange) -> list[Delivered]:
    return [letter for letter in exchange.sent if letter.recipient == who.address]


def play(three: Three, turns: int, *, press: bool = False) -> list[Exchange]:
    """Play so many turns of each side; with press, each move has a text to all beside it."""
    done = []
    for number, moves in enumerate(TURNS[:turns], 1):
        for who, move in zip(three[:2], moves, strict=True):
            lines = (move, f"press all Said in turn {number} by {who.name}.") if press else (move,)
            done.append(who.replies(*lines, to=who.last_about(1)))
    return done


def rows(club: Club, table: Any) -> list[tuple[Any, ...]]:
    engine = create_engine(club.url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(select(table))]
    engine.dispose()
    return found


# What is agreed


@pytest.mark.parametrize(
    ("written", "delay", "meant"),
    [
        ("off", None, None),
        ("on", 0, None),
        ("1", 1, None),
        ("99", 99, None),
        ("0", None, "watchers=off"),
        ("no", None, "watchers=off"),
        ("yes", None, "watchers=on"),
        ("100", None, "watchers=99"),
        ("2turns", None, "watchers=2"),
        ("-3", None, "watchers=3"),
        ("٣", None, "watchers=on"),
        ("maybe", None, "watchers=on"),
    ],
)
def test_players_agree_whether_others_may_watch_and_how_late(
    written: str, delay: int | None, meant: str | None
) -> None:
    faults = check_agreements({"watchers": written})
    assert [fault.suggestion for fault in faults] == ([] if meant is None else [meant])
    if not faults:
        assert watchers_of({"watchers": written}) == delay
    assert watchers_of({}) is None


def test_the_terms_are_told_in_the_invitation_the_first_letter_and_the_status(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion option colour=white option first=white option watchers=2")
    assert "White begins" in said(bert.last)
    late = "Others may watch this game: they hear of every attempt and its answer 2 turns later than both players do"
    assert late in said(bert.last)
    bert.replies("accept option watchers=on")
    assert "Others may watch this game: " in said(anna.last)
    anna.replies("accept")
    for who in (anna, bert):
        assert "as soon as both players do, and of no types before the end" in said(who.last_about(1))
    anna.replies("status", to=anna.last_about(1))
    assert "Others may watch this game. Nobody does at present." in said(anna.last)


# Beginning and ending


@pytest.mark.telling
def test_the_first_letter_tells_how_the_game_stands_and_no_type(club: Club) -> None:
    anna, bert, carl = three = watched(club)
    play(three, 2)
    exchange = carl.writes("watch 1")
    assert exchange.settled is not None and exchange.settled.outcome == "answered"
    (letter,) = exchange.sent
    assert (letter.recipient, letter.kind, letter.number) == (carl.address, "report", 1)
    assert letter["Subject"] == "[game 1] Confusion 1: Anna - Bert"
    assert said(letter).startswith(
        "You watch game 1: White (Anna) began, against Yellow (Bert). White (Anna) is to move"
    )
    assert "L-S2 yes" in letter.text and "Crab 9" not in letter.text
    assert "REPLY WITH ONE LINE" not in letter.text and "SHEET" not in letter.text
    assert club.game(1).watchers == {club.game(1).newcomers[0]: 0}
    assert letter["Reply-To"] not in (anna.last_about(1)["Reply-To"], bert.last_about(1)["Reply-To"])


def test_what_cannot_be_watched_is_answered_alike(club: Club) -> None:
    """A game that is not open to watchers, one that is only proposed, one that is over, and none at all."""
    anna, bert, carl = watched(club, "off")
    club.starts({"white": anna, "yellow": bert}, watchers="on")
    anna.writes("challenge Bert confusion option watchers=on")
    anna.replies("resign", to=anna.last_about(2))
    told = []
    for number in (1, 2, 3, 777):
        carl.writes(f"watch {number}")
        told.append(
            (
                said(carl.last).replace(f"game {number} ", "game N ").replace(f"watch {number}", "watch N"),
                carl.last.kind,
            )
        )
    assert len({text.partition("Letter ")[0] for text, _ in told}) == 1
    assert "there is no game N that others may watch" in told[0][0]
    assert {kind for _, kind in told} == {"refusal"}


@pytest.mark.full
def test_nobody_watches_a_game_that_he_plays(club: Club) -> None:
    anna, _, _ = watched(club)
    anna.writes("watch 1")
    assert "you play in game 1 yourself" in said(anna.last)
    assert not club.game(1).watchers


@pytest.mark.full
def test_who_has_no_name_or_is_unknown_is_told_to_register(club: Club) -> None:
    watched(club)
    stranger, nameless = club.person("Nemo"), club.person("Vera")
    stranger.writes("watch 1")
    assert "register NAME" in stranger.last.text and not club.game(1).watchers
    club.starts({"white": nameless, "yellow": club.member("Dora")}, names=False)
    club.starts({"white": club.member("Emil"), "yellow": club.member("Fred")}, watchers="on")
    nameless.writes("watch 3")
    assert "the players will want to know who watches: write" in said(nameless.last)
    assert not club.game(3).watchers


@pytest.mark.telling
def test_watching_ends_by_a_word_in_any_letter(club: Club) -> None:
    three = watched(club)
    carl = three[2]
    carl.writes("watch 1")
    tag = carl.last["Reply-To"]
    carl.replies("watch off")
    assert said(carl.last).startswith("You watch game 1 no more.")
    assert carl.last.game is None
    assert not [letter for exchange in play(three, 1) for letter in to(carl, exchange)]
    carl.writes("status", to=tag)
    assert "you have no game that is being played" in said(carl.last)
    carl.writes("watch off")
    assert "you watch no game" in said(carl.last)
    carl.writes("watch off 1")
    assert "you do not watch game 1" in said(carl.last)
    carl.writes("watch 1")
    assert club.game(1).watchers and carl.last.number == 2
    carl.writes("watch 1")
    assert "you watch game 1 already" in said(carl.last)


@pytest.mark.full
def test_a_word_without_a_number_asks_which_of_several(club: Club) -> None:
    anna, bert, carl = watched(club)
    club.starts({"white": anna, "yellow": bert}, watchers="on")
    exchange = carl.writes("watch 1", "watch 2")
    assert sorted((letter.game, letter.kind) for letter in to(carl, exchange)) == [
        (1, "report"),
        (2, "report"),
    ]
    carl.writes("watch off")
    assert "you watch several games, 1, 2: say which" in said(carl.last)
    carl.writes("2: watch off")
    assert (len(club.game(1).watchers), len(club.game(2).watchers)) == (1, 0)


@pytest.mark.full
def test_one_player_watches_a_limited_number_of_games_and_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (MOST_WATCHED, MOST_WATCHERS) == (20, 50)
    monkeypatch.setattr("referee.handlers.observers.MOST_WATCHED", 2)
    anna, bert, carl = watched(club)
    for _ in range(2):
        club.starts({"white": anna, "yellow": bert}, watchers="on")
    carl.writes("watch 1", "watch 2", "watch 3")
    assert [bool(club.game(number).watchers) for number in (1, 2, 3)] == [True, True, False]
    assert any("you watch 2 games, and one may not watch more" in said(letter) for letter in carl.letters)
    carl.writes("watch off 2", "watch 3")
    assert [bool(club.game(number).watchers) for number in (1, 2, 3)] == [True, False, True]


@pytest.mark.full
def test_one_game_is_watched_by_a_limited_number(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.handlers.observers.MOST_WATCHERS", 1)
    _, _, carl = watched(club)
    carl.writes("watch 1")
    dora = club.member("Dora")
    dora.writes("watch 1")
    assert "1 players watch game 1, and there is room for no more" in said(dora.last)


# While the game goes on


@pytest.mark.telling
def test_who_watches_hears_of_every_attempt_in_a_letter_of_its_own(club: Club) -> None:
    three = watched(club)
    carl = three[2]
    carl.writes("watch 1")
    letters = [to(carl, exchange) for exchange in play(three, 2)]
    assert [len(each) for each in letters] == [1, 1, 1, 1]
    first = letters[0][0]
    assert (first.kind, first["Subject"]) == ("report", "Re: [game 1] [turn 2] Confusion 1: Anna - Bert")
    assert said(first).startswith("White L-S2: yes. Yellow (Bert) is to move")
    assert "The white L went from (3,10) to (3,8)." in said(first)
    refused = three[1].replies("L-N9", to=three[1].last_about(1))
    assert not to(carl, refused)


def test_the_players_hear_who_watches_with_their_next_answer_and_when_they_ask(club: Club) -> None:
    anna, bert, carl = watched(club)
    before = len(anna.letters), len(bert.letters)
    carl.writes("watch 1")
    assert (len(anna.letters), len(bert.letters)) == before, "no letter of its own"
    exchange = anna.replies("L-S2", to=anna.last_about(1))
    for who in (anna, bert):
        (letter,) = to(who, exchange)
        assert "Carl watches this game from now on." in said(letter)
        assert carl.address not in str(letter.content)
    exchange = bert.replies("C-N2", to=bert.last_about(1))
    for who in (anna, bert):
        assert "Carl" not in to(who, exchange)[0].text
    bert.replies("status", to=bert.last_about(1))
    assert "Others may watch this game. Who does: Carl." in said(bert.last)


@pytest.mark.telling
def test_who_watches_can_ask_and_do_nothing_else(club: Club) -> None:
    three = watched(club)
    carl = three[2]
    carl.writes("watch 1")
    play(three, 1)
    before = club.game(1)
    for line in ("V-N1", "preview V-N1", "try V-N1; if no V-N2", "resign", "draw", "press Hello!", "press all Hello!",
                 "mute", "diary x", "claim x", "why H", "cancel 1", "confirm"):  # fmt: skip
        exchange = carl.replies(line, to=carl.last_about(1))
        assert [letter.recipient for letter in exchange.sent] == [carl.address], line
        assert "you watch game 1 and do not play in it, so nothing was done" in said(carl.last), line
    assert club.game(1).happenings == before.happenings and club.game(1).last_event == before.last_event
    carl.replies("record", to=carl.last_about(1))
    assert "1.  -               L-S2" in carl.last.text
    assert "White  =" not in carl.last.text and "Yellow =" not in carl.last.text
    first = carl.letters[[letter.game for letter in carl.letters].index(1)]
    carl.replies("resend 1", to=carl.last_about(1))
    assert carl.last.text == first.text
    carl.writes("games")
    assert "1: Confusion, Anna - Bert, which you watch; turn 2." in said(carl.last)


def test_what_players_write_to_all_reaches_who_watches_and_what_they_write_to_each_other_does_not(
    club: Club,
) -> None:
    anna, bert, carl = watched(club)
    carl.writes("watch 1")
    assert not to(carl, anna.replies("press For Bert alone.", to=anna.last_about(1)))
    (letter,) = to(carl, anna.replies("press all Hello, everybody!", to=anna.last_about(1)))
    assert letter.kind == "notice"
    assert "Anna writes to all who may read:\n\n> Hello, everybody!" in letter.text.replace("\r\n", "\n")
    (letter,) = to(carl, anna.replies("L-S2", "press all Now!", to=anna.last_about(1)))
    assert letter.kind == "report" and "> Now!" in letter.text
    assert not to(carl, bert.replies("draw", to=bert.last_about(1)))
    assert not to(carl, bert.replies("diary It is the Crab.", "claim It was no Crab.", to=bert.last_about(1)))
    anna.replies("try T-S1; then T-S1", to=anna.last_about(1))
    assert not [letter for letter in carl.letters if "T-S1" in letter.text or "Crab." in letter.text]


def test_the_last_letter_tells_the_result_shows_all_types_and_proves_the_deal(club: Club) -> None:
    three = watched(club)
    anna, _, carl = three
    carl.writes("watch 1")
    play(three, 1)
    anna.replies("diary I have no idea.", to=anna.last_about(1))
    (letter,) = to(carl, anna.replies("resign", to=anna.last_about(1)))
    assert letter.kind == "result" and letter["Subject"].startswith("Re: [game 1] [ended]")
    assert said(letter).startswith("Yellow (Bert) has won by resignation.")
    assert "White = A6 C8 E10 H11" in said(letter) and "Yellow = A4 C8 E12 H11" in said(letter)
    assert "Secret:" in letter.text and "I have no idea." not in str(letter.content)
    assert letter.media_types.count("text/plain") == 2, "the record, and no diary"
    carl.replies("status", to=letter)
    assert carl.last.game == 1 and "REVEALED" in carl.last.text
    carl.writes("games")
    assert "which you watch" not in carl.last.text


def test_a_game_that_nobody_watches_writes_to_nobody_else(club: Club) -> None:
    three = watched(club)
    sent = [letter.recipient for exchange in play(three, 2) for letter in exchange.sent]
    assert set(sent) == {three[0].address, three[1].address}
    assert not rows(club, WATCHES) and not rows(club, NAMINGS)


# Late


@pytest.mark.slow
@pytest.mark.parametrize("delay", telling([2], others=[1, 3]))
def test_who_watches_late_hears_nothing_of_the_last_turns_in_any_letter(club: Club, delay: int) -> None:
    """Letter, status, record, JSON, picture, receipt, subject, list of games and press, after every single attempt."""
    three = watched(club, str(delay))
    carl = three[2]
    carl.writes("set reports json")
    carl.writes("watch 1")
    for played in range(1, 2 * TURNS_PLAYED + 1):
        number, side = divmod(played - 1, 2)
        who, move = three[side], TURNS[number][side]
        came = len(carl.letters)
        who.replies(move, f"press all Said in turn {_turn(club)}.", to=who.last_about(1))
        new = carl.letters[came:]
        game = club.game(1)
        turn = game.rulebook.rules.turn(game.view(OBSERVER))
        shown = max(1, turn - delay)
        attempts = [each for each in game.happenings if each.code == "attempted"]
        told = [each.facts["text"] for each in attempts if each.facts["row"] < shown]
        heard = game.heard_late(delay)
        assert [each.facts["text"] for each in heard if each.code == "attempted"] == told
        carl.replies("status", "record", to=carl.last_about(1))
        status = carl.last
        carl.writes("games")
        assert f"which you watch; turn {shown}." in said(carl.last)
        for letter in (*new, status):
            assert letter.json["turn"] == shown
            assert [each["text"] for each in letter.json["attempts"]] == told
            assert letter.json["receipt"] == (game.receipt_of(heard) or None)
            assert letter.picture == game.rulebook.presentation.picture(
                game.rulebook.rules.view(heard, OBSERVER)
            )
            assert f"[turn {shown}]" in letter["Subject"] or "json" in letter["Subject"]
            for later in range(shown, turn + 1):
                assert f"Said in turn {later}." not in str(letter.content)
            for each in attempts[len(told) :]:
                if each.facts["text"] not in told:
                    assert each.facts["text"] not in letter.text.partition("HOW THE TYPES")[0]
    news = [letter for letter in carl.letters if letter.kind == "report" and "Said in turn" in letter.text]
    everything = " ".join(said(letter) for letter in news)
    # What White says beside a move is said when that turn is over, so it comes with the next.
    counts = [everything.count(f"Said in turn {number}.") for number in range(1, shown)]
    assert counts == [1, *[2] * (shown - 3), 1]
    three[0].replies("resign", to=three[0].last_about(1))
    last = carl.last_about(1)
    assert last.kind == "result" and len(last.json["attempts"]) == 2 * TURNS_PLAYED
    assert f"Said in turn {turn - 1}." in last.text


def _turn(club: Club) -> int:
    game = club.game(1)
    return game.rulebook.rules.turn(game.view(OBSERVER))


@pytest.mark.full
def test_who_watches_late_gets_one_letter_a_turn(club: Club) -> None:
    three = watched(club, "1")
    carl = three[2]
    carl.writes("watch 1")
    assert "You watch this game, a turn late" in said(carl.last)
    letters = [len(to(carl, exchange)) for exchange in play(three, 4)]
    assert letters == [0, 0, 1, 0, 1, 0, 1, 0]


# Fewer letters


def test_daily_letters_hold_the_news_of_games_that_are_watched(club: Club) -> None:
    three = watched(club)
    carl = three[2]
    carl.writes("watch 1")
    carl.writes("set letters daily")
    assert not [letter for exchange in play(three, 2, press=True) for letter in to(carl, exchange)]
    club.later(timedelta(hours=24))
    (letter,) = [letter for letter in club.strikes() if letter.recipient == carl.address]
    assert "GAME 1, WHICH YOU WATCH" in letter.text
    assert "White tried L-S2: yes." in said(letter) and "> Said in turn 2 by Bert." in letter.text
    club.later(timedelta(hours=24))
    assert not [letter for letter in club.strikes() if letter.recipient == carl.address]


@pytest.mark.parametrize(
    ("often", "late"), telling([("urgent", "1")], others=[("daily", "2"), ("each", "1"), ("daily", "on")])
)
def test_who_watches_reads_each_text_once_however_seldom_letters_come(
    club: Club, often: str, late: str
) -> None:
    three = watched(club, late)
    carl = three[2]
    carl.writes(f"set letters {often}")
    carl.writes("watch 1")
    play(three, 3, press=True)
    club.later(timedelta(hours=24))
    club.strikes()
    for move, who in (("L-S1", three[0]), ("C-N1", three[1])):
        who.replies(move, to=who.last_about(1))
    three[0].replies("resign", to=three[0].last_about(1))
    read = "".join(letter.text for letter in carl.letters)
    written = [f"Said in turn {turn} by {who.name}." for turn in (1, 2, 3) for who in three[:2]]
    assert [read.count(text) for text in written] == [1] * 6


@pytest.mark.full
def test_who_wants_urgent_letters_alone_hears_of_the_end(club: Club) -> None:
    three = watched(club)
    carl = three[2]
    carl.writes("watch 1")
    carl.writes("set letters urgent")
    assert not [letter for exchange in play(three, 2) for letter in to(carl, exchange)]
    (letter,) = to(carl, three[0].replies("resign", to=three[0].last_about(1)))
    assert letter.kind == "result"


def test_a_player_with_daily_letters_is_told_who_watches_in_the_letter_of_the_day(club: Club) -> None:
    three = watched(club)
    anna, bert, carl = three
    bert.writes("set letters daily")
    carl.writes("watch 1")
    anna.replies("L-S2", to=anna.last_about(1))
    club.later(timedelta(hours=24))
    (letter,) = [letter for letter in club.strikes() if letter.recipient == bert.address]
    assert "Carl watches this game from now on." in said(letter)


# Leaving and losing touch


def test_who_leaves_watches_no_more_and_is_named_nowhere(club: Club) -> None:
    three = watched(club)
    anna, bert, carl = three
    bert.writes("set letters daily")
    carl.writes("watch 1")
    anna.replies("L-S2", to=anna.last_about(1))
    anna.replies("status", to=anna.last_about(1))
    carl.writes("bye")
    carl.replies("confirm")
    assert not club.game(1).watchers
    bert.replies("status", to=bert.last_about(1))
    assert "Carl" not in bert.last.text
    _post_all(club)
    club.referee.jobs.erase_what_is_due()
    for content in rows(club, OUTGOING_CONTENTS):
        assert b"Carl" not in content[1]
    assert rows(club, OUTGOING_CONTENTS), "the other letters of the game stay"
    assert not rows(club, NAMINGS)


def _post_all(club: Club) -> None:
    engine = create_engine(club.url)
    with engine.begin() as connection:
        connection.execute(OUTGOING.update().values(state="sent"))
    engine.dispose()


def test_who_is_out_of_reach_watches_no_more_and_nobody_is_told(club: Club) -> None:
    three = watched(club)
    anna, bert, carl = three
    carl.writes("watch 1")
    for days in range(2):
        anna_or_bert = three[days]
        anna_or_bert.replies(TURNS[0][days], to=anna_or_bert.last_about(1))
        club.later(timedelta(days=2 * days))
        club.take(club.raw(bounce(carl.last_about(1))))
        club.later(timedelta(days=2))
    assert not club.game(1).watchers
    assert not any(
        "Carl" in letter.text and "come back" in letter.text for letter in (*anna.letters, *bert.letters)
    )


# By the umpire


def test_an_umpire_lets_somebody_watch_within_the_terms(club: Club) -> None:
    three = watched(club, "1")
    dora = club.person("Dora")
    with pytest.raises(UsageError, match="1 to 99 turns late"):
        club.referee.umpire.watch(1, "Dora", dora.address, 0)
    with pytest.raises(UsageError, match=r"name dora@example\.net"):
        club.referee.umpire.watch(1, "", dora.address)
    with pytest.raises(UsageError, match="Anna plays in game 1"):
        club.referee.umpire.watch(1, "Anna", three[0].address)
    with pytest.raises(UsageError, match="Somebody else is called Carl"):
        club.referee.umpire.watch(1, "Carl", dora.address)
    club.referee.umpire.watch(1, "Dora", dora.address, 3)
    club.collect()
    assert list(club.game(1).watchers.values()) == [3]
    assert dora.last.kind == "report" and "You watch this game, 3 turns late" in said(dora.last)
    with pytest.raises(UsageError, match="already"):
        club.referee.umpire.watch(1, "Dora", dora.address)
    club.referee.umpire.watch_no_more(1, dora.address)
    club.collect()
    assert said(dora.last).startswith("You watch game 1 no more.")
    with pytest.raises(UsageError, match="does not watch"):
        club.referee.umpire.watch_no_more(1, dora.address)
    club.starts({"white": three[0], "yellow": three[1]})
    with pytest.raises(UsageError, match="have not agreed"):
        club.referee.umpire.watch(2, "Dora", dora.address)


def test_who_begins_anew_hears_no_sooner_than_an_umpire_has_let_him(club: Club) -> None:
    """Given somebody whom an umpire lets watch three turns late, when he stops and watches again, then he hears three
    turns late, and each text with its turn."""
    three = watched(club, "1")
    dora = club.person("Dora")
    club.referee.umpire.watch(1, "Dora", dora.address, 3)
    club.collect()
    play(three, 4, press=True)
    for word in ("watch off 1", "watch 1", "watch off 1", "watch 1"):
        dora.writes(word)
    assert list(club.game(1).watchers.values()) == [3]
    assert "You watch this game, 3 turns late" in said(dora.last) or "3 turns late" in said(dora.last)
    three[0].replies("resign", to=three[0].last_about(1))
    read = "".join(letter.text for letter in dora.letters)
    assert [read.count(f"Said in turn {turn} by Anna.") for turn in range(1, 5)] == [1] * 4


@pytest.mark.full
def test_an_observer_has_heard_what_every_seat_has(club: Club) -> None:
    three = watched(club)
    play(three, 2)
    three[0].replies("resign", to=three[0].last_about(1))
    game = club.game(1)
    assert {each.code for each in game.heard(OBSERVER)} == {"began", "attempted", "ended", "revealed"}
    assert all(set(game.seats) <= each.heard_by for each in game.heard(OBSERVER))
    assert len(tried(club, 1)) == 4


@pytest.mark.slow
def test_who_hears_late_reads_nothing_that_came_after_what_he_has_heard(club: Club) -> None:
    """Turns come again where some were taken back, so it is the place in the log that counts: for what umpires rule and
    do, in the record, and for press, of which each text comes once."""
    three = watched(club, "2")
    carl = three[2]
    carl.writes("watch 1")
    came: list[tuple[int, str, str]] = []

    def act(what: Act, reason: str, shown: str) -> None:
        came.append((len(club.game(1).heard(OBSERVER)), reason, shown))
        club.referee.umpire.act(1, what, reason)
        club.collect()

    def turns(first: int, last: int) -> None:
        for number in range(first, last + 1):
            for who, move in zip(three[:2], TURNS[number - 1], strict=True):
                text = f"Text {len(club.game(1).to_all)}, end."
                who.replies(move, f"press all {text}", to=who.last_about(1))
            act(Rule(), f"Ruling {len(came)}.", f"Ruling {len(came)}.")
            check()

    def check() -> None:
        carl.replies("record", to=carl.last_about(1))
        (record,) = (str(each.get_content()) for each in carl.last.parts if each.get_filename())
        heard = len(club.game(1).heard_late(2))
        for place, _, shown in came:
            assert (shown in record) == (place < heard), (shown, place, heard)

    turns(1, 5)
    club.referee.umpire.act(1, TakeBack(2, Seat("white")), "It was misread.")
    club.collect()
    act(Rule(), "Turn 2 is played anew.", "Turn 2 is played anew.")
    act(ActFor(Seat("white"), TURNS[1][0]), "He has called.", "tried for White: ")
    check()
    three[1].replies(TURNS[1][1], to=three[1].last_about(1))
    turns(3, 5)
    letters = [said(each) for each in carl.letters if each.recipient == carl.address]
    heard = len(club.game(1).heard_late(2))
    for number, place in enumerate(club.game(1).to_all.values()):
        told = sum(f"Text {number}, end." in each for each in letters)
        assert told == (place < heard), number
