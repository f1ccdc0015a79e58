"""Held letters that another address than the player's wrote: whoever confirms what is not his reads nothing of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.pipeline.held import MOST_TOLD_A_DAY
from tests.support.begun import said
from tests.support.playing import Club, Correspondent, Delivered, once
from tests.transcripts.stories_of_cards import anna_and_bert

SECRET = "TREASON"
GAMES = ("confusion", "spies", "cards")
LINES = {
    "confusion": ("diary TREASON",),
    "spies": (
        "setup A3-2 C4-2",
        "agent as 4",
        "allow",
        "deny",
        "swap A H",
        "reveal H",
        "#xH",
        "agent as TREASON",
    ),
    "cards": (
        "MV RI1 A20",
        "MV BI1 A20",
        "PR ALL FLEE HOME",
        "WAKE 47",
        "PLAN 3 MV BI1 A20",
        "MV RI1 A2²",
        "MV RI1 A20; PASS",
        "CHECK",
    ),
}
OPEN = ("status", "record", "resend 1", "games", "draw", "mute", "resign")


@once
def play(club: Club, rules: str) -> tuple[Correspondent, Correspondent, int]:
    if rules == "cards":
        return anna_and_bert(club)
    anna, bert = club.member("Anna"), club.member("Bert")
    seats = {"confusion": ("white", "yellow"), "spies": ("white", "red")}[rules]
    return anna, bert, club.starts(dict(zip(seats, (anna, bert), strict=True)), rules=rules)


def parts(letter: Delivered) -> str:
    """Return all that a letter says, in all of its texts."""
    texts = [part.get_content() for part in letter.parts if part.get_content_maintype() == "text"]
    return " ".join(" ".join(texts).split())


@pytest.mark.telling(line=["diary TREASON", "setup A3-2 C4-2"])
@pytest.mark.parametrize("vouched", [True, False])
@pytest.mark.parametrize(("rules", "line"), [(rules, line) for rules in GAMES for line in LINES[rules]])
def test_what_another_address_confides_is_neither_done_nor_repeated(
    club: Club, rules: str, line: str, vouched: bool
) -> None:
    """CF-10.8, E7: it may be his opponent's, who has a second mailbox and a letter that was forwarded to him."""
    anna, bert, game = play(club, rules)
    otto = club.person("Otto", "otto@elsewhere.example")
    before = len(club.game(game).happenings)
    otto.replies(line, to=anna.last_about(game), vouched=vouched)
    question = anna.last
    assert "Did you write this?" in said(question)
    assert "came from another address" in said(question)
    told = len(bert.letters)
    answer = anna.replies("confirm", to=question).only
    assert answer.recipient == anna.address
    assert "Nothing in that letter was done" in said(answer)
    for letter in (question, answer):
        assert line not in parts(letter) and SECRET not in parts(letter)
        assert "A20" not in letter.text and "47" not in letter.text
        assert "otto" not in letter.text.lower()
    assert (len(club.game(game).happenings), len(bert.letters)) == (before, told)
    assert "Nothing is left" in anna.replies("confirm", to=question).only.text


@pytest.mark.parametrize("vouched", [True, False])
def test_a_move_that_nobody_keeps_secret_is_played_when_it_is_confirmed(club: Club, vouched: bool) -> None:
    anna, _, game = play(club, "confusion")
    phone = club.person("Anna", "anna@phone.example")
    phone.replies("A-S1", to=anna.last_about(game), vouched=vouched)
    assert club.game(game).due.keys() == {"white"}
    anna.replies("confirm", to=anna.last)
    assert club.game(game).due.keys() == {"yellow"}


@pytest.mark.parametrize("line", OPEN)
def test_words_that_the_question_showed_are_done_when_they_are_confirmed(club: Club, line: str) -> None:
    anna, _, game = play(club, "confusion")
    otto = club.person("Otto", "otto@elsewhere.example")
    otto.replies(line, to=anna.last_about(game))
    assert f"It says: {line}" in said(anna.last)
    answered = anna.replies("confirm", to=anna.last)
    assert answered.sent and "Nothing in that letter" not in said(anna.last)


def test_of_several_letters_those_of_his_own_are_heard_and_the_others_are_not(club: Club) -> None:
    anna, _, game = play(club, "confusion")
    first = anna.last_about(game)
    otto = club.person("Otto", "otto@elsewhere.example")
    anna.writes("hello", vouched=False)
    otto.replies("diary TREASON", to=first)
    anna.replies("diary My own.", to=first, vouched=False)
    club.later(timedelta(days=1, minutes=1))
    club.referee.jobs.ask_about_held()
    club.collect()
    answers = anna.replies("confirm 1", "confirm 2", to=anna.last).sent
    texts = " ".join(said(letter) for letter in answers)
    assert "Nothing in that letter was done" in texts
    assert SECRET not in texts


def test_what_was_not_done_can_be_written_again_from_a_mailbox_that_was_named(club: Club) -> None:
    anna, _, game = play(club, "confusion")
    phone = club.person("Anna", "anna@phone.example")
    first = anna.last_about(game)
    phone.replies("diary Mine.", to=first)
    anna.replies("confirm", to=anna.last)
    anna.writes("set second anna@phone.example")
    phone.replies("confirm", to=phone.last)
    moved = phone.replies("A-S1", to=first)
    assert moved.settled is not None and moved.settled.outcome == "ruled"


# Who writes to the wrong address is told so


WRITTEN = ["A-S1", "confirm", "resign", "status", "press TREASON", "nonsense"]


@pytest.mark.parametrize("line", WRITTEN)
def test_a_player_who_has_written_to_somebody_elses_reply_address_is_told_and_learns_nothing(
    club: Club, line: str
) -> None:
    anna, _, game = play(club, "confusion")
    carl = club.member("Carl")
    before = len(club.game(game).happenings)
    sent = carl.replies(line, to=anna.last_about(game))
    assert sent.settled is not None and sent.settled.outcome == "held"
    (told,) = [letter for letter in sent.sent if letter.recipient == carl.address]
    assert "went to a reply address that is not yours" in said(told) and told.kind == "help"
    assert told.game is None and not any(
        each in parts(told) for each in ("Anna", "Bert", f"game {game}", "anna")
    )
    assert len(club.game(game).happenings) == before
    (question,) = [letter for letter in sent.sent if letter.recipient == anna.address]
    assert "carl" not in parts(question).lower()


def test_he_is_told_a_few_times_a_day_and_nobody_is_whose_letter_proves_nothing(club: Club) -> None:
    """So no two robots write to each other for ever, and nobody has letters sent to another by forging his name."""
    anna, _, game = play(club, "confusion")
    carl, otto = club.member("Carl"), club.person("Otto", "otto@elsewhere.example")
    first = anna.last_about(game)
    had = len(carl.letters)
    carl.replies("A-S1", to=first, vouched=False)
    club.take(club.raw(carl.letter(["A-S1"], to=first["Reply-To"], headers=["Auto-Submitted: auto-replied"])))
    assert len(carl.letters) == had
    otto.replies("A-S1", to=first)
    anna.writes(f"status {game}")
    first = anna.last_about(game)  # that address was renewed, and the next one stays for a day
    for _ in range(MOST_TOLD_A_DAY + 3):
        carl.replies("A-S1", to=first)
        otto.replies("A-S1", to=first)
    assert len(carl.letters) == had + MOST_TOLD_A_DAY and otto.letters == []


def test_what_else_he_asks_for_uses_up_nothing_of_what_he_is_told(club: Club) -> None:
    """Neither his own pages of help, nor what of the other kind he was told."""
    anna, _, game = play(club, "confusion")
    carl, phone = club.member("Carl"), club.person("Anna", "anna@phone.example")
    for who in (anna, carl):
        for _ in range(MOST_TOLD_A_DAY):
            who.writes("help")
    for _ in range(MOST_TOLD_A_DAY):
        sent = carl.replies("A-S1", to=anna.last_about(game)).sent
        assert any("not yours" in said(each) for each in sent if each.recipient == carl.address)
        anna.writes(f"status {game}")
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    club.later(timedelta(days=1))
    question = next(each for each in reversed(anna.letters) if "Did you write this?" in said(each))
    for _ in range(MOST_TOLD_A_DAY):
        told = phone.replies("confirm", to=question).sent
        assert ["Nothing was confirmed" in said(each) for each in told] == [True]
    assert phone.replies("confirm", to=question).sent == ()
    anna.writes("help")
    assert anna.last.kind == "help" and "Nothing was confirmed" not in said(anna.last)


@pytest.mark.parametrize("vouched", [True, False])
def test_a_confirmation_from_another_address_confirms_nothing_and_is_told_where_the_question_went(
    club: Club, vouched: bool
) -> None:
    anna, _, game = play(club, "confusion")
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    question, phone = anna.last, club.person("Anna", "anna@phone.example")
    phone.replies("confirm", to=question, vouched=vouched)
    assert phone.letters == []
    assert "Nothing was confirmed" in said(anna.last) and "phone" not in parts(anna.last)
    assert club.game(game).due.keys() == {"white"}
    anna.replies("confirm", to=anna.last)
    assert club.game(game).due.keys() == {"yellow"}
    assert "Nothing is left" in anna.replies("confirm", to=question).only.text


def test_other_words_from_there_are_not_told_and_confirmations_a_few_times_a_day(club: Club) -> None:
    anna, _, game = play(club, "confusion")
    anna.replies("A-S1", to=anna.last_about(game), vouched=False)
    question, otto = anna.last, club.person("Otto", "otto@elsewhere.example")
    had = len(anna.letters)
    otto.replies("No, that was not me", to=question)
    assert len(anna.letters) == had
    for _ in range(MOST_TOLD_A_DAY + 3):
        otto.replies("confirm", to=question)
    assert len(anna.letters) == had + MOST_TOLD_A_DAY and otto.letters == []
    club.later(timedelta(days=31))
    otto.replies("confirm", to=question)
    assert len(anna.letters) == had + MOST_TOLD_A_DAY
