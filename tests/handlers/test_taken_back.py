"""What is told when an umpire takes a game back, or corrects an order; and what becomes of moves that cross it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.common.errors import UsageError
from referee.games.events import Ruled, TakenBack, read_event
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from referee.service.umpiring import Act
from tests.support.begun import DEAL, begun, said, tried
from tests.support.playing import Club, Correspondent, Delivered

REASON = "Bert's letter was misread."
WHITE, YELLOW = Seat("white"), Seat("yellow")
Sitting = tuple[Correspondent, Correspondent, int]


@pytest.fixture
def sitting(club: Club) -> Sitting:
    """Anna and Bert in turn 2, after L-S2 and C-N2; White is to move."""
    anna, bert, game = begun(club)
    anna.replies("L-S2")
    bert.replies("C-N2")
    return anna, bert, game


def everything(club: Club, game: int) -> object:
    with club.store.reading() as lookup:
        threads = [lookup.threads.get(player, game) for player in club.game(game).seats.values()]
        return lookup.events.of_game(game), lookup.games.get(game), threads


def letters_of(club: Club, act: Act) -> list[Delivered]:
    """Return the letters that were sent, which are those that were said to be."""
    sent = list(club.collect())
    assert [(each["Subject"], each.text.split()) for each in sent] == [
        (each.subject, each.text.split()) for each in act.told
    ]
    return sent


def test_both_players_are_told_to_where_by_whom_and_why(club: Club, sitting: Sitting) -> None:
    anna, bert, game = sitting
    letters_of(club, club.referee.umpire.take_back(game, 2, REASON, seat=YELLOW))
    ours, theirs = said(anna.last), said(bert.last)
    for text in (ours, theirs):
        assert "The umpire has taken this game back: it goes on from turn 2 of Yellow." in text
        assert "The reason: Bert's letter was misread." in text
        assert "What was tried from there on counts no more: Yellow C-N2 (no)." in text
        assert "The answers were true, and the record keeps them" in text
    assert ", your move 2]" in bert.last["Subject"] and bert.last.kind == "report"
    assert "[the umpire has taken the game back]" in anna.last["Subject"]
    bert.replies("A-N1")
    assert tried(club, game) == ["L-S2", "C-N2", "A-N1"]
    assert "Yellow tried A-N1" in said(anna.last) and "C-N2" not in said(anna.last).partition("WORDS")[0]


def test_a_trial_says_the_very_letters_and_changes_nothing(club: Club, sitting: Sitting) -> None:
    _, _, game = sitting
    before = everything(club, game)
    trial = club.referee.umpire.take_back(game, 1, REASON, dry=True)
    assert everything(club, game) == before
    assert club.collect() == ()
    assert [each.name for each in trial.told] == ["Anna", "Bert"]
    done = club.referee.umpire.take_back(game, 1, REASON)
    assert [each.subject for each in done.told] == [each.subject for each in trial.told]
    assert [each.text for each in done.told] == [each.text for each in trial.told]
    letters_of(club, done)


def test_a_correction_is_ruled_in_its_seats_name_and_named_as_the_umpires(
    club: Club, sitting: Sitting
) -> None:
    anna, bert, game = sitting
    letters_of(club, club.referee.umpire.correct(game, "A-N1", REASON))
    for who in (anna, bert):
        text = said(who.last)
        assert "The umpire has corrected an order: in turn 2 Yellow tries A-N1." in text
        assert "counts no more: Yellow C-N2 (no)." in text
    assert "You tried A-N1: yes." in said(bert.last)
    assert ", your move 2]" in anna.last["Subject"]
    with club.store.reading() as lookup:
        kept = [read_event(each.kind, each.body) for each in lookup.events.of_game(game)][-2:]
    assert isinstance(kept[0], TakenBack) and isinstance(kept[1], Ruled)
    assert (kept[0].by, kept[1].by, kept[1].seat) == (None, 0, YELLOW)


def test_plans_and_proposals_lapse_and_each_side_hears_of_its_own(club: Club, sitting: Sitting) -> None:
    anna, bert, game = sitting
    anna.replies("draw")
    bert.replies("try A-N1; if no A-N2")
    club.referee.umpire.take_back(game, 2, REASON, seat=YELLOW)
    club.collect()
    assert "Your plan for coming turns" in said(bert.last)
    assert "Your plan" not in said(anna.last)
    for who in (anna, bert):
        assert "What was proposed about the game's end has lapsed, too." in said(who.last)
    assert tried(club, game) == ["L-S2", "C-N2"], "no plan moves by itself"


def test_a_move_that_crosses_the_umpires_letter_is_not_done(club: Club, sitting: Sitting) -> None:
    """Its writer answers a letter from before, and cannot have known."""
    anna, bert, game = sitting
    before = anna.last_about(game)
    club.referee.umpire.take_back(game, 1, REASON)
    club.collect()
    again, letter = sorted(anna.replies("L-S1", to=before).sent, key=lambda each: each.kind == "refusal")
    assert letter.kind == "refusal"
    assert again.number == anna.last_about(game).number - 1, "the letter that he has not seen comes once more"
    assert "this answers a letter from before the umpire took the game back" in said(letter)
    assert "L-S1 @1" in said(letter)
    assert tried(club, game) == ["L-S2", "C-N2"]
    anna.replies("L-S1 @1", to=before)
    bert.replies("A-N1")
    assert tried(club, game)[2:] == ["L-S1", "A-N1"]


def test_a_move_by_a_letter_from_before_is_stale(club: Club, sitting: Sitting) -> None:
    anna, _, game = sitting
    number = anna.last_about(game).number
    club.referee.umpire.take_back(game, 1, REASON)
    club.collect()
    assert anna.replies(f"L-S1 @letter {number}").only.kind == "refusal"


def test_who_watches_hears_of_it_and_who_watches_late_hears_as_late(club: Club) -> None:
    anna, bert, carl, dora = (club.member(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, watchers="on")
    carl.writes(f"watch {game}")
    club.referee.umpire.watch(game, "", dora.address, 1)
    for who, move in ((anna, "L-S2"), (bert, "C-N2"), (anna, "L-S1"), (bert, "A-N1")):
        who.replies(move, to=who.last_about(game))
    heard = len(dora.letters)
    club.referee.umpire.take_back(game, 2, REASON, seat=WHITE)
    club.collect()
    assert "The umpire has taken this game back: it goes on from turn 2 of White." in said(carl.last)
    assert "counts no more: White L-S1 (yes), Yellow A-N1 (yes)" in said(carl.last)
    assert len(dora.letters) == heard
    anna.replies("A-S1", to=anna.last_about(game))
    assert "taken this game back" in said(dora.last)
    assert "A-S1" not in said(dora.last).partition("EVERY")[0]


def test_an_officer_of_the_event_is_named_with_his_office_and_nobody_else_can(club: Club) -> None:
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Spring League", rules=("confusion",)))
    olga = club.member("Olga")
    secretary.appoint("Spring League", "umpire", ("Olga", olga.address))
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.referee.umpire.new_game(
        "confusion", {WHITE: ("Anna", anna.address), YELLOW: ("Bert", bert.address)}, {"first": "white"}, DEAL,
        "Spring League",
    )  # fmt: skip
    club.collect()
    anna.replies("L-S2", to=anna.last_about(game))
    numbers = {who: _number(club, who) for who in (olga, anna)}
    with pytest.raises(UsageError, match="has no office"):
        club.referee.umpire.take_back(game, 1, REASON, by=numbers[anna])
    club.referee.umpire.take_back(game, 1, REASON, by=numbers[olga])
    club.collect()
    assert "The umpire Olga has taken this game back" in said(bert.last)


def _number(club: Club, who: Correspondent) -> int:
    with club.store.reading() as lookup:
        player = lookup.players.by_address(who.address)
    assert player is not None
    return player.number


def test_nobody_rules_in_a_game_of_his_own(club: Club) -> None:
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Spring League", rules=("confusion",)))
    anna, bert = club.member("Anna"), club.member("Bert")
    secretary.appoint("Spring League", "deputy", ("Anna", anna.address))
    seats = {WHITE: ("Anna", anna.address), YELLOW: ("Bert", bert.address)}
    game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, "Spring League")
    club.collect()
    anna.replies("L-S2", to=anna.last_about(game))
    with pytest.raises(UsageError, match="does not rule in it"):
        club.referee.umpire.take_back(game, 1, REASON, by=_number(club, anna))


def test_a_game_that_is_over_is_not_taken_back_and_the_sentence_says_why(
    club: Club, sitting: Sitting
) -> None:
    anna, _, game = sitting
    anna.replies("resign")
    for dry in (True, False):
        with pytest.raises(UsageError, match="its end has shown all types to both sides"):
            club.referee.umpire.take_back(game, 1, REASON, dry=dry)
    assert club.collect() == ()


def test_a_correction_that_cannot_be_tried_takes_nothing_back(club: Club, sitting: Sitting) -> None:
    _, _, game = sitting
    before = everything(club, game)
    with pytest.raises(UsageError, match="no type goes"):
        club.referee.umpire.correct(game, "A-N9", REASON)
    assert everything(club, game) == before


def test_the_record_by_letter_keeps_both_branches(club: Club, sitting: Sitting) -> None:
    anna, _, game = sitting
    club.referee.umpire.take_back(game, 1, REASON)
    club.collect()
    anna.replies("L-S1", to=anna.last_about(game))
    letter = anna.replies("record", to=anna.last_about(game)).only
    assert "2. (C-N2)\n" in letter.text.replace("\r\n", "\n").replace("  ", " ").replace("  ", " ")
    assert "taken back to 1 White: Bert's letter was misread\n" in letter.text.replace("\r\n", "\n")


def test_who_waits_is_told_since_when_the_other_is_to_move(club: Club, sitting: Sitting) -> None:
    _, bert, game = sitting
    club.later(timedelta(days=3))
    club.referee.umpire.take_back(game, 1, REASON)
    club.collect()
    club.later(timedelta(hours=2))
    assert f"since {club.clock.at - timedelta(hours=2):%a}" in said(bert.replies("status").only)
