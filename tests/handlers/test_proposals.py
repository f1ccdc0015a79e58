"""Getting a game: who may be invited, how often, and what a challenge tells of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.handlers import invitation_limits
from referee.handlers.account import MOST_OPEN_LISTED
from referee.handlers.invitation_limits import MOST_INVITATIONS_OF_ONE, STRANGER_EVERY
from referee.handlers.proposals import MOST_SENT_A_DAY
from referee.handlers.replies import MOST_OFFERS_TOLD_A_DAY
from tests.support.playing import REFEREE, Club, Delivered, Exchange, new_database
from tests.support.telling import telling


def letters_to(address: str, exchanges: Sequence[Exchange]) -> list[Delivered]:
    return [letter for exchange in exchanges for letter in exchange.sent if letter.recipient == address]


def kinds_to(address: str, *exchanges: Exchange) -> list[str]:
    return [letter.kind for letter in letters_to(address, exchanges)]


def answer_to(address: str, exchange: Exchange) -> str:
    """Return an answer without line breaks."""
    (letter,) = letters_to(address, [exchange])
    return " ".join(letter.text.split())


# Addresses


def test_an_international_domain_is_invited_under_its_ascii_name_and_is_known_again_under_either(
    club: Club,
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    exchange = anna.writes("challenge carla@Bücher.example confusion")
    assert kinds_to("carla@xn--bcher-kva.example", exchange) == ["invitation"]
    again = bert.writes("challenge carla@xn--bcher-kva.example confusion")
    assert kinds_to("carla@xn--bcher-kva.example", again) == []


@pytest.mark.parametrize(
    "address", telling(["jörg@example.com"], others=["δ@example.com", "j\u0301@bücher.example"])
)
def test_an_address_with_signs_beyond_ascii_before_the_at_is_refused_with_the_reason(
    club: Club, address: str
) -> None:
    anna = club.member("Anna")
    exchange = anna.writes(f"challenge {address} confusion", "games")
    assert exchange.settled is not None and exchange.settled.outcome == "answered"
    said = answer_to(anna.address, exchange)
    assert "signs beyond ASCII before the @" in said
    assert len(exchange.sent) == 1


@pytest.mark.parametrize(
    "address",
    telling(["a@", "a@-x.example"], others=["@", "@example.com", "a@b@example.com", "a@☃.example"]),
)
def test_what_is_no_address_is_refused(club: Club, address: str) -> None:
    anna = club.member("Anna")
    assert "is no mail address" in answer_to(anna.address, anna.writes(f"challenge {address} confusion"))


@pytest.mark.telling
@pytest.mark.parametrize(
    "address", telling(["carla@club.local"], others=["carla@games.test", "carla@localhost"])
)
def test_a_closed_club_may_have_domains_that_nobody_else_knows(club: Club, address: str) -> None:
    exchange = club.member("Anna").writes(f"challenge {address} confusion")
    assert kinds_to(address, exchange) == ["invitation"]


def test_a_move_counts_whatever_address_stands_on_the_line_below(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    for number, address in enumerate(["jörg@example.com", "carla@bücher.example"]):
        mover = (anna, bert)[number]
        exchange = mover.writes("A-S1" if number == 0 else "A-N1", f"challenge {address} confusion")
        assert exchange.settled is not None
        assert (exchange.settled.outcome, exchange.settled.moves) == ("ruled", 1)


@pytest.mark.telling
def test_a_verified_sender_who_cannot_be_answered_is_ignored_with_the_reason(club: Club) -> None:
    exchange = club.person("Jörg", "jörg@example.com").writes("register Joerg")
    assert exchange.settled is not None and exchange.settled.outcome == "ignored"
    assert "beyond ASCII" in exchange.settled.reason
    assert exchange.sent == ()


@pytest.mark.parametrize(
    "address", [REFEREE, REFEREE.upper(), "referee+tag00000000000000001@example.org", f"<{REFEREE}>"]
)
def test_the_referee_is_not_challenged_whatever_tag_the_address_bears(club: Club, address: str) -> None:
    anna = club.member("Anna")
    exchange = anna.writes(f"challenge {address} confusion")
    assert "I umpire, I do not play" in answer_to(anna.address, exchange)
    assert len(exchange.sent) == 1


# How often


@pytest.mark.telling
def test_ten_challenges_to_one_player_in_one_letter_make_one_letter(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    exchange = anna.writes(*["challenge Wendy confusion"] * 10)
    assert kinds_to(wendy.address, exchange) == ["invitation"]
    assert answer_to(anna.address, exchange).count("still waits for its answer") == 9


@pytest.mark.telling
def test_a_challenge_taken_back_in_the_same_letter_was_never_sent(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    lines = [line for game in range(1, 31) for line in ("challenge Wendy confusion", f"cancel {game}")]
    exchange = anna.writes(*lines[:40])
    assert kinds_to(wendy.address, exchange) == []


@pytest.mark.telling
def test_the_two_of_a_pair_have_one_proposal_between_them(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    anna.writes("challenge Wendy confusion")
    exchange = wendy.writes("challenge anna confusion")
    assert kinds_to(anna.address, exchange) == []
    assert "accept 1" in answer_to(wendy.address, exchange)
    wendy.writes("accept 1")
    assert kinds_to(anna.address, wendy.writes("challenge Anna confusion")) == ["invitation"]


def test_a_writer_sends_so_many_challenges_a_day_cancelled_ones_too(club: Club) -> None:
    anna = club.member("Anna")
    sent: list[Exchange] = []
    for number in range(MOST_SENT_A_DAY + 2):
        sent.append(anna.writes(f"challenge v{number}@example.edu confusion"))
        anna.writes(f"cancel {number + 1}")
    invitations = [letter for exchange in sent for letter in exchange.sent if letter.kind == "invitation"]
    assert len(invitations) == MOST_SENT_A_DAY
    assert "write again tomorrow" in answer_to(anna.address, sent[-1])
    club.later(timedelta(days=1))
    exchange = anna.writes("challenge late@example.edu confusion")
    assert kinds_to("late@example.edu", exchange) == ["invitation"]


def test_a_registered_player_gets_so_many_invitations_a_day_whoever_asks(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who ask in vain are answered as the others, and the game waits for an answer all the same."""
    monkeypatch.setattr(invitation_limits, "MOST_INVITATIONS_A_DAY", 3)
    wendy = club.member("Wendy")
    members = [club.member(f"Asker {letter}", f"asker.{letter}@example.net".lower()) for letter in "ABCDE"]
    exchanges = [member.writes("challenge Wendy confusion") for member in members]
    assert kinds_to(wendy.address, *exchanges) == ["invitation"] * 3
    answers = [answer_to(*each) for each in zip([who.address for who in members], exchanges, strict=True)]
    assert all("You have challenged Wendy: Confusion" in answer for answer in answers)
    wendy.writes("games")
    assert "5: Confusion, offered to you by Asker E" in wendy.last.text
    assert kinds_to(wendy.address, members[4].writes("cancel")) == [], "she never heard of it"
    club.later(timedelta(days=1))
    assert kinds_to(wendy.address, members[4].writes("challenge Wendy confusion")) == ["invitation"]


@pytest.mark.telling
def test_one_player_cannot_use_up_the_invitations_that_another_gets_in_a_day(club: Club) -> None:
    anna, mallory, wendy = club.member("Anna"), club.member("Mallory"), club.member("Wendy")
    sent = []
    for game in range(1, 5):
        sent.append(mallory.writes("challenge Wendy confusion"))
        sent.append(mallory.writes(f"cancel {game}"))
    assert kinds_to(wendy.address, *sent) == ["invitation", "notice"], (
        "what was taken back is told once a day"
    )
    assert kinds_to(wendy.address, anna.writes("challenge Wendy confusion")) == ["invitation"]


@pytest.mark.telling
def test_one_who_is_answered_may_ask_again_on_the_same_day_a_few_times(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    sent = []
    for game in range(1, MOST_INVITATIONS_OF_ONE + 3):
        sent.append(anna.writes("challenge Wendy confusion"))
        wendy.writes(f"decline {game}")
    assert kinds_to(wendy.address, *sent) == ["invitation"] * MOST_INVITATIONS_OF_ONE


@pytest.mark.telling
def test_all_letters_to_people_who_never_asked_share_a_limit_an_hour(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation_limits, "MOST_AN_HOUR", 4)
    members = [club.member(name) for name in ("Anna", "Bert", "Carl", "Dora")]
    club.later(timedelta(hours=1))
    club.clock.at = club.clock.at.replace(minute=0)
    members[0].writes("challenge a@example.edu confusion")
    members[1].writes("set second b@example.edu")
    club.person("Otto").writes("What is this?")
    members[2].writes(f"challenge {members[3].address} confusion")
    exchange = members[3].writes("challenge c@example.edu confusion")
    assert "too many people were written to within the hour" in answer_to(members[3].address, exchange)
    assert len(exchange.sent) == 1
    assert "within the hour" in answer_to(members[0].address, members[0].writes("set second d@example.edu"))
    assert club.person("Emil").writes("What is this?").sent == ()
    assert kinds_to(members[3].address, members[0].writes("challenge Dora confusion")) == ["invitation"]
    club.later(timedelta(hours=1))
    assert kinds_to("c@example.edu", members[3].writes("challenge c@example.edu confusion")) == ["invitation"]


def test_a_newcomer_gets_one_letter_a_week_whoever_asks_and_whatever_is_taken_back(club: Club) -> None:
    anna, bert, victim = club.member("Anna"), club.member("Bert"), "victim@example.edu"
    exchanges = [
        anna.writes(f"challenge {victim} confusion", f"challenge {victim} confusion"),
        anna.writes("cancel 1"),
        anna.writes(f"challenge {victim} confusion"),
        bert.writes(f"challenge {victim} confusion"),
    ]
    assert kinds_to(victim, *exchanges) == ["invitation"]
    club.later(STRANGER_EVERY)
    assert kinds_to(victim, bert.writes(f"challenge {victim} confusion")) == ["invitation"]


def test_whoever_has_played_without_a_name_is_no_newcomer(club: Club) -> None:
    anna, bert = club.member("Anna"), club.person("Bert")
    anna.writes(f"challenge {bert.address} confusion")
    bert.replies("accept")
    assert kinds_to(bert.address, anna.writes(f"challenge {bert.address} confusion")) == ["invitation"]
    assert kinds_to(bert.address, anna.writes("cancel 2")) == ["notice"]


def test_a_registered_player_hears_that_a_challenge_was_taken_back(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    anna.writes("challenge Wendy confusion")
    assert kinds_to(wendy.address, anna.writes("cancel 1")) == ["notice"]


@pytest.mark.telling
def test_a_challenge_that_cannot_be_played_makes_nobody_known(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes(
        "challenge v@example.edu confusion option sheets=perhaps",
        "challenge v@example.edu confusion option deal=A1",
        "challenge v@example.edu confusion option colour=green",
    )
    with club.store.reading() as lookup:
        assert lookup.players.by_address("v@example.edu") is None


# What a challenge tells of others


@pytest.mark.telling
def test_who_is_invited_by_address_is_named_to_nobody_before_he_accepts(club: Club) -> None:
    anna, wendy = club.member("Anna"), club.member("Wendy")
    anna.writes(f"challenge {wendy.address} confusion", "games")
    assert wendy.last.kind == "invitation"
    wendy.writes("decline 1")
    anna.writes("games", "status 1", "cancel 1")
    assert len(anna.letters) == 4
    for letter in anna.letters[1:]:
        assert b"Wendy" not in letter.content
    anna.writes("challenge Wendy confusion")
    wendy.writes("decline 2")
    assert "Wendy has declined" in anna.last.text


SECRET = "secret@example.com"
WORLDS = ("nobody's", "invited", "a member's", "has left", "Anna's", "Anna's second")
"""What an address may be; Eve is to learn nothing of it."""


def what_eve_reads(folder: Path, world: str, letters: Sequence[Sequence[str]]) -> list[bytes]:
    """Return all that Eve gets for her letters in one of the worlds, without the random reply tags.

    In each the same number of letters is written before hers, at the same time.
    """

    def in_world(*which: str, other: str) -> str:
        return SECRET if world in which else other

    club = Club(new_database(folder, world.replace("'", "")))
    eve, bert = club.member("Eve"), club.member("Bert")
    anna = club.member("Anna", in_world("Anna's", other="anna@example.net"))
    second = club.person("Anna", in_world("Anna's second", other="anna@tel.example"))
    anna.writes(f"set second {second.address}")
    second.replies("confirm")
    club.later(STRANGER_EVERY)  # anybody may know that an address was named within the week
    bert.writes(f"challenge {in_world('invited', other='else@example.net')} confusion")
    carl = club.member("Carl", in_world("a member's", "has left", other="carl@example.net"))
    carl.writes("bye" if world == "has left" else "games")
    carl.replies("confirm" if world == "has left" else "games")
    for lines in letters:
        eve.writes(*lines)
    club.close()
    return [re.sub(rb"tag\d{17}", b"tag", letter.content) for letter in eve.letters]


LINES = st.sampled_from(
    [
        f"challenge {SECRET} confusion",
        f"challenge <{SECRET.upper()}> confusion",
        "challenge Anna confusion",
        "games",
        "cancel 2",
        "cancel 3",
        "status 2",
        f"set second {SECRET}",
        f"set address {SECRET}",
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("world", telling(["invited", "a member's"], others=WORLDS[1:]))
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(letters=st.lists(st.lists(LINES, min_size=1, max_size=3), min_size=1, max_size=4))
def test_what_a_challenger_reads_is_the_same_whosesoever_an_address_is(
    world: str, letters: list[list[str]]
) -> None:
    with TemporaryDirectory() as folder:
        known, other = (what_eve_reads(Path(folder), each, letters) for each in (WORLDS[0], world))
    assert known == other


@pytest.mark.slow
@pytest.mark.parametrize("world", telling(["invited", "a member's"], others=WORLDS[1:]))
def test_nobody_learns_whose_an_address_is_by_challenging_name_and_address(
    tmp_path: Path, world: str
) -> None:
    by_name, by_address = "challenge Anna confusion", f"challenge {SECRET} confusion"
    letters = [
        [by_address],
        [by_name],
        [by_address, by_name],
        ["cancel 2"],
        [by_address],
        [by_name],
        ["games"],
    ]
    assert what_eve_reads(tmp_path, world, letters) == what_eve_reads(tmp_path, WORLDS[0], letters)


def test_whoever_left_without_having_played_is_not_invited_again(club: Club) -> None:
    anna, bert, otto = club.member("Anna"), club.member("Bert"), club.person("Otto")
    anna.writes(f"challenge {otto.address} confusion")
    otto.writes("bye")
    otto.replies("confirm")
    club.later(timedelta(days=60))
    exchange = bert.writes(f"challenge {otto.address} confusion")
    assert kinds_to(otto.address, exchange) == []
    assert "You have challenged" in answer_to(bert.address, exchange)
    with club.store.reading() as lookup:
        assert lookup.players.by_address(otto.address) is None, "nothing was kept of him"
    club.later(timedelta(days=310))
    club.referee.jobs.erase_what_is_due()
    assert kinds_to(otto.address, bert.writes(f"challenge {otto.address} confusion")) == ["invitation"]


def test_whoever_has_played_and_left_may_be_invited_again_a_week_later(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    bert.writes("bye")
    bert.replies("confirm")
    assert kinds_to(bert.address, anna.writes(f"challenge {bert.address} confusion")) == []
    club.later(STRANGER_EVERY)
    assert kinds_to(bert.address, anna.writes(f"challenge {bert.address} confusion")) == ["invitation"]


def test_nobody_is_written_to_on_account_of_letters_in_the_name_of_one_who_was_only_invited(
    club: Club,
) -> None:
    anna, otto = club.member("Anna"), club.person("Otto")
    anna.writes(f"challenge {otto.address} confusion")
    for _ in range(3):
        exchange = otto.writes("decline", vouched=False)
        assert exchange.settled is not None and exchange.settled.outcome == "ignored"
        assert exchange.settled.reason.endswith("that player never wrote")
        assert exchange.sent == ()
        club.later(timedelta(days=1))
    asked = otto.replies("accept", to=otto.letters[0], vouched=False)
    assert kinds_to(otto.address, asked) == ["notice"], "he has the letter that only he got"


@pytest.mark.parametrize("word", ["accept", "join", "decline"])
def test_a_game_that_is_not_on_offer_to_the_writer_is_as_if_there_were_none(club: Club, word: str) -> None:
    """An umpire's running game, one that has ended, others' challenges. That an open game was joined is no secret."""
    anna, bert, mallory = club.member("Anna"), club.member("Bert"), club.member("Mallory")
    club.starts({"white": anna, "yellow": bert})
    ended = club.starts({"white": anna, "yellow": bert})
    anna.replies("resign", to=anna.last_about(ended))
    anna.writes("challenge Bert confusion")
    bert.writes("decline 3")
    anna.writes("challenge Bert confusion")
    bert.writes("accept 4")
    anna.writes("challenge Bert confusion")
    bert.writes("open confusion")
    anna.writes("join 6")
    statuses = [club.game(number).status for number in range(1, 7)]
    assert statuses == ["playing", "ended", "declined", "playing", "proposed", "playing"]
    said = {}
    for number in (*range(1, 7), 99):
        answer = answer_to(mallory.address, mallory.writes(f"{word} {number}"))
        said[number] = (
            answer.partition("Letter ")[0].replace(f"{word} {number}", "…").replace(f"game {number}", "…")
        )
    joined = said.pop(6)
    assert set(said.values()) == {said[99]}
    assert "was open to all, and somebody else was first" in joined


@pytest.mark.telling
def test_a_name_that_only_looks_like_a_player_s_is_asked_about(club: Club) -> None:
    anna, neil = club.member("Anna"), club.member("Neil")
    exchange = anna.writes("challenge Nell confusion")
    assert kinds_to(neil.address, exchange) == []
    assert "challenge Neil confusion" in answer_to(anna.address, exchange)
    assert kinds_to(neil.address, anna.writes("challenge NEIL confusion")) == ["invitation"]


@pytest.mark.parametrize(
    "line", ["yes", "Yes, I would love to play!", "what is this?", "register Gus", "help"]
)
def test_whoever_is_challenged_and_writes_something_else_is_told_first_what_waits(
    club: Club, line: str
) -> None:
    finn = club.member("Finn")
    gus = club.person("Gus")
    finn.writes(f"challenge {gus.address} confusion")
    gus.replies(line)
    assert gus.last.text.startswith("Finn's challenge waits for your answer, game 1.")
    assert "To take up Finn's challenge, reply accept; or decline." in gus.last.text
    assert "accepted" not in gus.last["Subject"]
    gus.replies("accept")
    assert club.game(1).status == "playing"


def test_what_waits_is_told_with_its_number_where_a_bare_word_could_mean_another_game(club: Club) -> None:
    anna, finn, gus = club.member("Anna"), club.member("Finn"), club.member("Gus")
    club.starts({"white": anna, "yellow": gus})
    finn.writes("challenge Gus confusion")
    gus.writes("set reports html")
    assert "reply accept 2; or decline 2." in gus.last.text
    gus.replies("accept 2")
    assert club.game(2).status == "playing"
    gus.writes("set reports text")
    assert "challenge waits" not in gus.last.text


def test_a_list_names_the_other_player_and_whom_the_reader_has_invited_by_address_by_that(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    club.starts({"white": anna, "yellow": bert})
    anna.writes(f"challenge {carl.address} confusion", "challenge Bert confusion", "open confusion")
    anna.writes("games")
    text = anna.last.text
    assert "1: Confusion against Bert; your move, turn 1." in text
    assert f"2: Confusion, offered by you to {carl.address}; it waits" in text
    assert "3: Confusion, offered by you to Bert" in text
    assert "4: Confusion, opened by you" in text
    bert.writes("games")
    assert "3: Confusion, offered to you by Anna; reply accept 3 or decline 3." in bert.last.text
    assert "4: Confusion, open, by Anna; reply join 4." in bert.last.text


def test_an_address_that_invited_is_shown_as_it_was_given_and_to_nobody_else(club: Club) -> None:
    """Not as it is now: whose second address it is, or that it has changed, is nobody's affair."""
    anna, bert = club.member("Anna"), club.member("Bert")
    spare = club.person("Bert", "spare@example.org")
    bert.writes(f"set second {spare.address}")
    spare.replies("confirm")
    anna.writes("challenge Spare@Example.ORG confusion")
    asked = bert.last
    anna.writes("games")
    assert "offered by you to Spare@example.org; it waits" in anna.last.text
    assert bert.address.encode() not in anna.last.content
    bert.writes("games")
    assert "pare@" not in bert.last.text
    bert.replies("accept option first=white", to=asked)
    for who in (anna, bert):
        who.writes("games")
    assert "pare@" not in anna.last.text
    anna.writes("accept 1 option first=yellow")
    anna.writes("games")
    assert "pare@" not in anna.last.text


def test_open_games_are_counted_in_the_news_of_a_list_and_only_some_are_listed(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    assert bert.writes("games").only.text.startswith("You have no games.\r\n")
    anna.writes("open confusion")
    assert bert.writes("games").only.text.startswith(
        "You have no games. One game is open to you: write join 1."
    )
    anna.writes(*["open confusion"] * (MOST_OPEN_LISTED - 1))
    assert carl.writes("games").only.text.startswith(
        f"You have no games. {MOST_OPEN_LISTED} games are open to you"
    )
    assert "There are more open games" not in carl.last.text
    bert.writes("open confusion")
    carl.writes("games")
    assert carl.last.text.count("; reply join") == MOST_OPEN_LISTED
    assert "There are more open games than are listed here" in carl.last.text


@pytest.mark.telling
def test_cancel_with_nothing_waiting_says_so(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    for _ in range(2):
        anna.writes("cancel")
        assert "nothing of yours waits" in " ".join(anna.last.text.split())
        club.starts({"white": anna, "yellow": bert})


@pytest.mark.telling
def test_a_draw_offer_is_news_in_the_subject_and_names_who_offers(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    anna.writes("draw")
    assert "[draw offered]" in bert.last["Subject"]
    assert bert.last.text.startswith("Anna offers a draw.")
    assert "until Bert agrees or moves" in anna.last.text


def test_of_draw_offers_and_their_withdrawals_a_player_gets_so_many_letters_a_day_and_game(
    club: Club,
) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    one = club.starts({"white": anna, "yellow": bert})
    other = club.starts({"white": carl, "yellow": bert})
    before = len(bert.letters)
    for _ in range(10):
        offered, withdrawn = anna.writes(f"draw {one}"), anna.writes(f"cancel {one}")
    assert len(bert.letters) - before == MOST_OFFERS_TOLD_A_DAY
    for answer in (offered, withdrawn):
        said = answer_to(anna.address, answer)
        assert f"Bert has had {MOST_OFFERS_TOLD_A_DAY} letters about proposals to end this game today" in said
    carl.writes(f"draw {other}")
    assert "[draw offered]" in bert.last["Subject"] and bert.last.game == other
    club.later(timedelta(days=1))
    anna.writes(f"draw {one}")
    assert "[draw offered]" in bert.last["Subject"] and bert.last.game == one


def test_a_draw_offer_that_got_no_letter_stands_is_in_the_next_one_and_can_be_agreed_to(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    for _ in range(5):
        anna.writes("draw")
        anna.writes("cancel")
    assert [letter.recipient for letter in anna.writes("draw").sent] == [anna.address]
    moved = anna.replies("A-S1", to=anna.last_about(game))
    assert "offers a draw" in answer_to(bert.address, moved)
    bert.writes("draw")
    assert str(club.game(game).result).find("agree") > 0


@pytest.mark.telling
def test_a_draw_offer_beside_a_move_needs_no_letter_of_its_own(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    for _ in range(5):
        anna.writes("draw")
        anna.writes("cancel")
    moved = anna.writes("draw", "A-S1")
    assert "Anna offers a draw" in answer_to(bert.address, moved)
    assert "letters about draw offers" not in answer_to(anna.address, moved)
