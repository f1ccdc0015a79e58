"""Letters of a game with sealed answers: what is confided reaches nobody else, and each player hears once a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.games import umpire_actions
from referee.games.events import Confided, Event, PlanDropped, SealOpened, TimeUp, read_event
from referee.games.game import Game, fold_game
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Happening, Result, Seat
from referee.service.tournaments import TournamentService
from tests.games.sealed_toy import OVERHEARD, SealedToy, ToyRules, ToySeal
from tests.support.begun import DEAL, said
from tests.support.playing import BETWEEN_LETTERS, SERVICE, Club, Correspondent, Delivered, new_database

WHITE, YELLOW = Seat("white"), Seat("yellow")
DAY = timedelta(days=1)


def new_club(folder: Path, name: str = "sealed", *, set_up: bool = False) -> Club:
    toy = SealedToy(set_up=set_up)
    return Club(new_database(folder, name), service=replace(SERVICE, rulebooks={toy.name: toy}))


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = new_club(tmp_path)
    yield club
    club.close()


def begun(club: Club, **agreed: Any) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow."""
    anna, bert = club.member("Anna"), club.member("Bert")
    if "time" in agreed:
        club.waits(2 * DAY)
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, **agreed)
    if "time" in agreed:
        club.posts()
        club.looks_at_clocks()
    return anna, bert, game


def events(club: Club, game: int) -> list[Event]:
    with club.store.reading() as lookup:
        return [read_event(each.kind, each.body) for each in lookup.events.of_game(game)]


def stands(club: Club, game: int) -> Game:
    found = fold_game(game, events(club, game), club.service.rulebooks.__getitem__)
    assert found is not None
    return found


def confided(club: Club, game: int) -> list[tuple[Seat, str]]:
    return [(each.seat, each.order) for each in events(club, game) if isinstance(each, Confided)]


def words(club: Club, game: int) -> list[list[str]]:
    heard = stands(club, game)
    return [
        each.facts["words"]
        for each in heard.rulebook.rules.standing(heard.happenings)
        if each.code == OVERHEARD
    ]


def tried_last(club: Club, game: int) -> str:
    sealed = stands(club, game).position.sealed
    return sealed[2] if sealed else ""


# who hears what


@pytest.mark.telling
def test_whoever_has_moved_gets_a_receipt_and_the_other_side_a_report(club: Club) -> None:
    anna, bert, game = begun(club)
    sent = anna.replies("L-S2", to=anna.last_about(game)).sent
    assert [(each.recipient, each.kind) for each in sent] == [
        (bert.address, "report"),
        (anna.address, "receipt"),
    ]
    assert "your move 2" in bert.last["Subject"] and "accepted" in anna.last["Subject"]
    sent = bert.replies("A-N1").sent
    assert [(each.recipient, each.kind) for each in sent] == [
        (anna.address, "report"),
        (bert.address, "receipt"),
    ]
    assert "L-S2: yes." in said(anna.last)


def test_whoever_asks_for_the_board_with_his_move_gets_it(club: Club) -> None:
    anna, _, game = begun(club)
    assert anna.replies("L-S2", "status", to=anna.last_about(game)).sent[-1].kind == "report"


def test_what_stands_below_the_move_goes_before_it(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("A-N1", "whisper one", "ever no", "whisper two", to=bert.last_about(game))
    assert [type(each).__name__ for each in events(club, game)][-4:] == [
        "Confided",
        "Confided",
        "Confided",
        "Ruled",
    ]
    assert words(club, game) == [["one", "two"]]
    assert bert.last.kind == "receipt"


@pytest.mark.telling
def test_what_is_confided_alone_is_told_to_its_writer_alone(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    answer = bert.replies("whisper hello", to=bert.last_about(game)).only
    assert (answer.recipient, answer.kind) == (bert.address, "receipt")
    assert said(answer).startswith("Taken, and told to nobody else: whisper hello. It is still your move.")
    answer = anna.replies("ever yes", to=anna.last_about(game)).only
    assert (answer.recipient, answer.kind) == (anna.address, "receipt")
    assert "Taken, and told to nobody else: ever yes." in said(answer)
    assert "It is still your move" not in answer.text
    assert "Nothing is due from you now" in said(answer)


def test_a_letter_of_which_a_part_was_refused_tells_what_was_taken(club: Club) -> None:
    anna, bert, game = begun(club)
    answer = anna.replies("whisper hello", "L-S9", to=anna.last_about(game)).only
    assert answer.recipient == anna.address and answer.kind == "receipt"
    assert "partly accepted" in answer["Subject"]
    assert "told to nobody else: whisper hello" in said(answer)
    answers = anna.replies("whisper nonsense", "L-S2", to=anna.last_about(game)).sent
    assert [each.kind for each in answers] == ["report", "receipt"]
    assert "that is nonsense" in said(anna.last) and "nonsense" not in bert.last.text
    assert confided(club, game) == [(WHITE, "whisper hello")]


def test_a_turn_s_order_out_of_turn_is_refused(club: Club) -> None:
    anna, bert, game = begun(club)
    answer = bert.replies("whisper hello", to=bert.last_about(game)).only
    assert answer.kind == "refusal" and "this belongs to a turn of yours" in said(answer)
    assert confided(club, game) == [] and anna.last_about(game).number == 1


@pytest.mark.telling
def test_a_letter_of_confided_orders_moves_nothing(club: Club) -> None:
    anna, _, game = begun(club)
    settled = anna.replies("whisper hello", to=anna.last_about(game)).settled
    assert settled is not None and (settled.outcome, settled.moves) == ("answered", 0)
    settled = anna.replies("L-S2", to=anna.last_about(game)).settled
    assert settled is not None and (settled.outcome, settled.moves) == ("ruled", 1)


def shown(letter: Delivered) -> tuple[object, ...]:
    """Return all of a letter but what binds it to those that it answers."""
    parts = [part.get_content() for part in letter.parts]
    return (
        letter.recipient,
        letter.kind,
        letter.number,
        letter["Subject"],
        letter["Date"],
        letter["Reply-To"],
        parts,
    )


@pytest.mark.slow
def test_what_one_side_confides_shows_in_nobody_else_s_letters(tmp_path: Path) -> None:
    """One game is played twice at the same hours: in one of them Bert says a lot that nobody hears."""
    told = []
    for name, busy in (("quiet", False), ("busy", True)):
        club = new_club(tmp_path, name)
        anna, bert, game = begun(club, watchers="on", time="3d/move", lapse="soft")
        dora = club.member("Dora")
        dora.writes(f"watch {game}")
        anna.writes("set reports json")
        bert.replies("status", to=bert.last_about(game))

        def says(*lines: str, bert: Correspondent = bert, busy: bool = busy, game: int = game) -> None:
            if busy:
                bert.replies(*lines, to=bert.last_about(game))
            else:
                bert.club.clock.at += BETWEEN_LETTERS

        says("ever no")
        anna.replies("L-S2", to=anna.last_about(game))
        says("whisper one")
        anna.replies("draw", to=anna.last_about(game))
        says("whisper two", "whisper three")
        anna.replies("status", "record", to=anna.last_about(game))
        anna.writes("games")
        dora.writes(f"{game}: status")
        bert.replies("A-N1", to=bert.last_about(game))
        says("ever yes")
        anna.replies("A-S1", to=anna.last_about(game))
        says("whisper four")
        club.posts()
        club.looks_at_clocks()
        club.waits(4 * DAY)
        club.looks_at_clocks()
        assert (len(confided(club, game)) == 6) == busy
        told.append([shown(each) for each in (*anna.letters, *dora.letters)])
        club.close()
    quiet, busy_one = told
    assert len(quiet) > 12 and quiet == busy_one


def test_whoever_watches_hears_of_a_turn_and_not_of_what_was_confided(club: Club) -> None:
    anna, _, game = begun(club, watchers="on")
    dora = club.member("Dora")
    dora.writes(f"watch {game}")
    before = len(dora.letters)
    anna.replies("whisper hello", to=anna.last_about(game))
    assert len(dora.letters) == before
    anna.replies("L-S2", to=anna.last_about(game))
    assert len(dora.letters) == before + 1 and "hello" not in dora.last.text


# old letters


def test_what_the_other_side_confides_makes_no_held_move_late(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    bert.replies("ever no", to=bert.last_about(game))
    anna.replies("confirm", to=question)
    assert list(stands(club, game).due) == [YELLOW]


def test_an_older_word_that_was_held_takes_the_place_of_no_newer_one(club: Club) -> None:
    anna, _, game = begun(club)
    anna.replies("ever old", "L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    anna.replies("ever new", to=anna.last_about(game))
    anna.replies("confirm", to=question)
    assert "you have given other orders like this since" in said(anna.last)
    assert confided(club, game) == [(WHITE, "ever new")]
    assert list(stands(club, game).due) == [YELLOW], "the move is for the turn that is played still"


@pytest.mark.parametrize("confirming", [(("confirm 1", "confirm 2"),), (("confirm 1",), ("confirm 2",))])
def test_words_that_were_held_together_are_all_heard(
    club: Club, confirming: tuple[tuple[str, ...], ...]
) -> None:
    anna, _, game = begun(club)
    anna.replies("hello", to=anna.last_about(game), vouched=False)
    anna.replies("whisper one", to=anna.last_about(game), vouched=False)
    anna.replies("whisper two", "L-S2", to=anna.last_about(game), vouched=False)
    club.later(timedelta(days=1, minutes=1))
    club.referee.jobs.ask_about_held()
    (question,) = club.collect()
    for lines in confirming:
        anna.replies(*lines, to=question)
    assert confided(club, game) == [(WHITE, "whisper one"), (WHITE, "whisper two")]
    assert list(stands(club, game).due) == [YELLOW]


def test_a_move_for_a_letter_is_not_late_for_what_its_writer_has_said_since(club: Club) -> None:
    anna, bert, game = begun(club)
    number = anna.last_about(game).number
    anna.replies("whisper hello", to=anna.last_about(game))
    anna.replies(f"whisper stale @letter {number + 9}", to=anna.last_about(game))
    assert "there is no letter" in said(anna.last)
    anna.replies(f"L-S2 @letter {number}", to=anna.last_about(game))
    assert list(stands(club, game).due) == [YELLOW]
    bert.replies("whisper stale @7", to=bert.last_about(game))
    assert "nothing was done" in said(bert.last)
    bert.replies("whisper word", "A-N1 @7", to=bert.last_about(game))
    assert list(stands(club, game).due) == [YELLOW], "a word before it makes no stale move fresh"
    assert confided(club, game) == [(WHITE, "whisper hello"), (YELLOW, "whisper word")]


# plans


def test_a_plan_is_left_only_while_the_rules_let_it_whatever_the_order_of_the_lines(club: Club) -> None:
    _, bert, game = begun(club)
    answer = bert.replies("try A-N1; if no A-N2", to=bert.last_about(game)).only
    assert answer.kind == "refusal" and "say first what you would ever whisper" in said(answer)
    answer = bert.replies("try A-N1; if no A-N2", "ever no", to=bert.last_about(game)).only
    assert answer.kind == "receipt" and YELLOW in stands(club, game).plans
    assert "told to nobody else: ever no" in said(answer)


@pytest.mark.telling
def test_a_plan_holds_moves_alone(club: Club) -> None:
    _, bert, game = begun(club)
    bert.replies("ever no", to=bert.last_about(game))
    answer = bert.replies("try whisper hello", to=bert.last_about(game)).only
    assert answer.kind == "refusal" and "a plan holds moves alone; send this by itself" in said(answer)


def test_whoever_s_turn_is_answered_by_a_plan_hears_it_at_once(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("ever no", "try A-N1", to=bert.last_about(game))
    anna.replies("L-S2", to=anna.last_about(game))
    assert anna.last.kind == "report" and "L-S2: yes." in said(anna.last)
    assert bert.last.kind == "report" and "A-N1" in bert.last.text
    assert list(stands(club, game).due) == [WHITE]


def test_what_is_confided_ends_no_plan_and_a_plan_that_cannot_go_on_is_dropped(club: Club) -> None:
    anna, bert, game = begun(club)
    bert.replies("ever no", "try A-N1", to=bert.last_about(game))
    bert.replies("ever nothing", to=bert.last_about(game))
    assert YELLOW in stands(club, game).plans
    sent = anna.replies("L-S2", to=anna.last_about(game)).sent
    assert events(club, game)[-1] == PlanDropped(YELLOW, "refused")
    assert "say first what you would ever whisper" in said(bert.last)
    assert [each.kind for each in sent] == ["report", "receipt"] and "plan" not in said(anna.last)


# time


def ends_the_game(seal: ToySeal, position: Any) -> tuple[Happening, ...]:
    return ToyRules(set_up=False).conclude(
        position, Result(WHITE, "by holding Z on the opponent's first rank")
    )


def test_when_time_is_up_what_is_sealed_is_opened_and_the_turn_stays(club: Club) -> None:
    anna, bert, game = begun(club, time="3d/move", lapse="soft", watchers="on")
    dora = club.member("Dora")
    dora.writes(f"watch {game}")
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    bert.replies("whisper late", to=bert.last_about(game))
    club.waits(3 * DAY + timedelta(hours=1))
    sent = club.looks_at_clocks()
    assert [type(each) for each in events(club, game)[-2:]] == [TimeUp, SealOpened]
    kinds = {anna.address: "report", bert.address: "notice", dora.address: "report"}
    assert {each.recipient: each.kind for each in sent} == kinds
    assert "write claim time" in said(anna.last) and "L-S2: yes." in said(anna.last)
    assert "Your time is up." in said(bert.last) and "L" in said(bert.last)
    assert list(stands(club, game).due) == [YELLOW] and words(club, game) == [["late"]]
    assert club.looks_at_clocks() == ()
    bert.replies("A-N1", to=bert.last_about(game))
    assert list(stands(club, game).due) == [WHITE] and anna.last.kind == "report"


def test_when_a_game_ends_by_what_is_opened_both_get_the_result(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert, game = begun(club, time="3d/move", lapse="soft")
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    club.waits(3 * DAY + timedelta(hours=1))

    monkeypatch.setattr(ToySeal, "unseal", ends_the_game)
    sent = club.looks_at_clocks()
    assert [each.kind for each in sent] == ["result", "result"]
    assert stands(club, game).status == "ended"
    assert "Anna" in said(bert.last) or "White" in said(bert.last)
    assert stands(club, game).clocks().since(YELLOW) is None


def test_nothing_is_confided_when_the_time_is_up(club: Club) -> None:
    anna, _, game = begun(club, time="3d/move", lapse="hard")
    club.waits(3 * DAY + timedelta(hours=1))
    answer = anna.replies("whisper hello", to=anna.last_about(game)).only
    assert answer.kind == "refusal" and "was up when this came in" in said(answer)
    assert confided(club, game) == []


def test_no_clock_stops_for_a_word(club: Club) -> None:
    anna, _, game = begun(club, time="20d")
    before = stands(club, game).clocks()
    anna.replies("whisper hello", to=anna.last_about(game))
    assert stands(club, game).clocks() == before and before.since(WHITE) is not None


# set-up


@pytest.mark.telling
def test_the_set_up_that_comes_first_is_taken_in_private(tmp_path: Path) -> None:
    club = new_club(tmp_path, "set-up", set_up=True)
    anna, bert, game = begun(club, time="3d/move")
    answer = anna.replies("ready secretly", to=anna.last_about(game)).only
    assert (answer.recipient, answer.kind) == (anna.address, "receipt")
    assert "Taken. Nobody sees it until Bert's set-up is in as well: ready secretly." in said(answer)
    assert stands(club, game).clocks().since(WHITE) is None
    assert stands(club, game).clocks().since(YELLOW) is not None
    sent = bert.replies("ready openly", to=bert.last_about(game)).sent
    assert [(each.recipient, each.kind) for each in sent] == [
        (anna.address, "report"),
        (bert.address, "report"),
    ]
    club.close()


# umpires


def test_a_turn_that_waits_for_its_answer_is_told_so_when_it_is_taken_back(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("ever no", "A-N1", to=bert.last_about(game))
    club.referee.umpire.act(game, umpire_actions.TakeBack(2, YELLOW), "It was misread.")
    for letter in club.noted("The umpire takes a turn back."):
        assert "counts no more: Yellow A-N1 (not answered yet)." in said(letter)
        assert "ever" not in letter.text
    assert stands(club, game).position.ever == {YELLOW: "no"}


def test_an_order_in_a_late_player_s_name_is_told_with_what_it_opens(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    club.referee.umpire.act(game, umpire_actions.ActFor(YELLOW, "A-N1"), "He has called.")
    sent = club.noted("The umpire moves for Bert.")
    assert {each.recipient for each in sent} == {anna.address, bert.address}
    assert "L-S2: yes." in said(anna.last) and "The answer was" not in said(anna.last)
    assert "has tried A-N1 in your name" in said(bert.last)
    assert list(stands(club, game).due) == [WHITE]


def test_an_order_in_a_player_s_name_is_not_tried_where_what_it_opens_ends_the_game(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    monkeypatch.setattr(ToySeal, "unseal", ends_the_game)
    club.referee.umpire.act(game, umpire_actions.ActFor(YELLOW, "A-N1"), "He has called.")
    sent = club.noted("The umpire moves for Bert.")
    assert [each.kind for each in sent] == ["result", "result"]
    assert all("A-N1" not in each.text and "in your name" not in each.text for each in sent)


def test_a_corrected_move_keeps_the_words_before_it(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("whisper one", "A-N1", to=bert.last_about(game))
    club.referee.umpire.act(game, umpire_actions.Correct("A-N2"), "It was misread.")
    for letter in club.noted("The umpire corrects a move."):
        assert "one" not in letter.text.split()
    assert words(club, game) == [["one"]]
    club.referee.umpire.act(game, umpire_actions.Restore(), "It was right.")
    club.noted("The umpire puts it back.")
    assert words(club, game) == [["one"]] and tried_last(club, game) == "A-N1"


def test_an_officer_is_told_that_the_answer_is_sealed_and_nothing_that_a_seat_alone_may_know(
    club: Club,
) -> None:
    anna, bert, olga = (club.member(name) for name in ("Anna", "Bert", "Olga"))
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("League", rules=("confusion",)))
    secretary.appoint("League", "umpire", ("", olga.address))
    club.collect()
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="League")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("whisper hello", to=bert.last_about(game))
    refused = olga.writes(f"umpire take back {game} 2: It was misread.").only
    assert "it is Yellow's turn 2 in game 1 already" in said(refused) and "hello" not in refused.text
    asked = olga.writes(f"umpire act {game} Yellow A-N1: He has called.").only
    assert "The answer is sealed, as for any other move" in said(asked)
    answers = {each.recipient: each for each in olga.replies("confirm", to=asked).sent}
    assert set(answers) == {anna.address, bert.address, olga.address}
    assert "White L-S2 (yes)" in said(answers[olga.address]) and "hello" not in answers[olga.address].text
    assert words(club, game) == [["hello"]]
