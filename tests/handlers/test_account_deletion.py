"""Leaving for good: what `bye` asks, what ends by it, and that nothing of the player is found afterwards."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text

from referee.games.events import Ended
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import UMPIRE, Seat
from referee.service.bootstrap import Application
from referee.service.game_list import list_games
from referee.service.jobs import JobScheduler, chores_of
from referee.service.queries import game_as, list_letters, write_record
from referee.service.settings import Settings
from referee.service.tournaments import TournamentService
from referee.store.tables import CATALOGUE
from tests.support.bounces import bounce
from tests.support.playing import SERVICE, Club, Correspondent, furnish, new_database

NAME, LOCAL = "Wilhelmina", "mina.w"
MAIN, SECOND, LATER = f"{LOCAL}@first.example", f"{LOCAL}@second.example", f"{LOCAL}@later.example"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def referee(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """A club on either database."""
    if request.param == "sqlite":
        url = new_database(tmp_path)
    else:
        url = furnish(request.getfixturevalue("postgres_server").new_database())
    club = Club(url)
    yield club
    club.close()


def post(club: Club) -> None:
    """Have all letters posted that are queued."""
    while postings := club.store.outbox.claim(club.clock.now(), 100):
        club.store.outbox.accepted([(each.id, f"250 2.1.5 <{each.recipient}> ok") for each in postings])


def leaves(who: Correspondent) -> None:
    who.writes("bye")
    who.replies("confirm")


def traces(club: Club, words: Sequence[str] = ()) -> list[str]:
    """Return where the name or an address of the player who left is found, or other words: in any column of any
    table."""
    words = words or (NAME.casefold(), LOCAL, *SECRETS)
    found = []
    engine = create_engine(club.url)
    with engine.connect() as connection:
        for table in CATALOGUE.sorted_tables:
            for row in connection.execute(select(table)).mappings():
                for column, value in row.items():
                    said = texts(value) if isinstance(value, bytes) else [str(value)]
                    if any(word in each.casefold() for each in said for word in words):
                        found.append(f"{table.name}.{column}: {str(value)[:60]}")
    engine.dispose()
    return found


def texts(content: bytes) -> list[str]:
    """Return a letter's bytes, and each of its parts decoded."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    decoded = [bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parts]
    return [content.decode("utf-8", "replace"), *map(str, message.values()), *decoded]


# Asking


def test_nothing_happens_before_it_is_confirmed(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    other = club.starts({"white": bert, "yellow": anna})
    anna.writes("challenge Bert confusion")
    asked = anna.writes("bye").only
    assert asked.kind == "receipt"
    assert f"Then games {game}, {other} will be resigned, and what you have offered" in asked.text
    assert "confirm" in asked.text
    assert club.game(game).status == "playing"
    assert anna.writes("games").only.text.startswith("You have 3 games.")


@pytest.mark.parametrize("said", [("bye", "Anna"), ("Thanks,", "bye"), ("Bye,",), ("A-S1", "bye")])
def test_a_farewell_at_the_end_of_a_letter_is_no_wish_to_leave(club: Club, said: tuple[str, ...]) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    exchange = anna.replies(*said)
    assert "leave for good" not in exchange.sent[-1].text
    assert "not read as a command" not in exchange.sent[-1].text


@pytest.mark.parametrize("said", [("No!",), ("please do", "confirm"), ("status",)])
def test_another_answer_does_not_confirm_it(club: Club, said: tuple[str, ...]) -> None:
    anna = club.member("Anna")
    anna.writes("bye")
    anna.replies(*said)
    with club.store.reading() as lookup:
        assert lookup.players.find(1).name == "Anna"


def test_a_confirmation_counts_only_as_an_answer_to_the_question_and_for_a_week(club: Club) -> None:
    anna = club.member("Anna")
    anna.writes("bye")
    asked = anna.last
    assert anna.writes("confirm").only.kind == "refusal"
    club.later(timedelta(days=8))
    assert anna.replies("confirm", to=asked).only.kind == "refusal"
    with club.store.reading() as lookup:
        assert lookup.players.find(1).name == "Anna"


def test_nobody_else_confirms_it(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("bye")
    bert.replies("confirm", to=anna.last)
    anna.replies("confirm", to=anna.letters[1], vouched=False)
    with club.store.reading() as lookup:
        assert lookup.players.find(1).name == "Anna"
    anna.replies("confirm")  # to the question about the letter that nobody vouched for
    with club.store.reading() as lookup:
        assert lookup.players.find(1).name == ""
        assert "anna@example.net" not in {line.sender for line in lookup.letters.newest(50)}


def test_whoever_has_changed_the_address_cannot_leave_before_the_old_one_has_had_its_week(club: Club) -> None:
    anna, thief = club.member("Anna"), club.person("Anna", "anna@thief.example")
    anna.writes("bye")
    asked = anna.last
    anna.writes("set address anna@thief.example")
    thief.replies("confirm")
    left = anna.last
    assert "when they are over" in thief.writes("bye").only.text
    thief.replies("confirm", to=asked)
    anna.replies("cancel", to=left)
    with club.store.reading() as lookup:
        assert lookup.players.find(1).address == anna.address
    moved = club.person("Anna", "anna@new.example")
    anna.writes("set address anna@new.example")
    moved.replies("confirm")
    club.later(timedelta(days=8))
    club.referee.jobs.erase_what_is_due()
    leaves(moved)
    with club.store.reading() as lookup:
        assert lookup.players.find(1).address == ""


# Leaving


def test_running_games_are_resigned_and_proposals_end(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    game = club.starts({"white": anna, "yellow": bert})
    frozen = club.starts({"white": carl, "yellow": anna})
    club.referee.umpire.freeze(frozen, "Somebody is ill.")
    club.collect()
    anna.writes("challenge Carl confusion")
    bert.writes("challenge Anna confusion")
    anna.writes("open confusion")
    leaves(anna)
    states = [club.game(number).status for number in range(1, 6)]
    assert states == ["ended", "ended", "withdrawn", "declined", "withdrawn"]
    assert {winner(club, number) for number in (game, frozen)} == {"yellow", "white"}
    assert {(letter.recipient, letter.kind) for letter in club.exchanges[-1].sent} == {
        (bert.address, "result"),
        (carl.address, "result"),
        (carl.address, "notice"),
        (bert.address, "notice"),
        (anna.address, "notice"),
    }
    assert sum(letter.recipient == anna.address for letter in club.exchanges[-1].sent) == 1


def winner(club: Club, game: int) -> str | None:
    result = club.game(game).result
    assert result is not None
    return result.winner


def test_the_address_is_a_strangers_afterwards_and_may_register_anew(club: Club) -> None:
    anna = club.member("Anna")
    leaves(anna)
    assert anna.last.kind == "notice" and anna.last.text.startswith("Thank you for playing")
    assert "do not know your address" in anna.writes("games").only.text
    assert anna.writes("register Anna").only.kind == "receipt"
    with club.store.reading() as lookup:
        (player,) = lookup.players.named("Anna")
    assert player.number == 2


def test_one_who_was_only_invited_can_leave_too(club: Club) -> None:
    anna, otto = club.member("Anna"), club.person("Otto")
    anna.writes("challenge otto@example.net confusion")
    leaves(otto)
    assert club.game(1).status == "declined"


def whole_story(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """Let somebody do everything that leaves traces, and leave; return her, her opponent and their game."""
    mina, bert = club.member(NAME, MAIN), club.member("Bert")
    mina.writes(f"set second {SECOND}")
    club.person(NAME, SECOND).replies("confirm", to=club.letters[-2])
    mina.writes("set second typo@elsewhere.example")
    bert.writes(f"challenge {NAME} confusion option colour=white option first=white")
    mina.replies("accept")
    bert.replies("A-S1", f"Dear {NAME}, have fun!")
    bert.writes(f"challenge {MAIN} confusion")
    mina.replies("decline")
    mina.writes("open confusion")
    mina.replies("cancel")
    mina.replies("A-N1", to=mina.last_about(1))
    mina.writes("resign", vouched=False)
    there = club.person(NAME, LATER)
    mina.writes(f"set address {LATER}")
    there.replies("confirm", to=there.letters[-1])
    post(club)
    bert.replies("draw", to=bert.last_about(1))
    club.later(timedelta(days=8))
    club.referee.jobs.erase_what_is_due()
    leaves(there)
    return there, bert, 1


@pytest.mark.slow
def test_nothing_of_who_left_is_found_in_any_table(referee: Club) -> None:
    whole_story(referee)
    referee.store.retention.erase_left()
    assert any("outgoing" in trace for trace in traces(referee)), "what is still to be posted was lost"
    post(referee)
    referee.referee.jobs.erase_what_is_due()
    assert traces(referee) == []


def test_nothing_is_found_of_one_who_never_played(club: Club) -> None:
    leaves(club.member(NAME, MAIN))
    post(club)
    club.referee.jobs.erase_what_is_due()
    assert traces(club) == []


@pytest.mark.slow
def test_games_stay_and_letters_about_them_can_be_written(referee: Club) -> None:
    _, bert, game = whole_story(referee)
    post(referee)
    referee.referee.jobs.erase_what_is_due()
    assert isinstance(referee.game(game).happenings, tuple) and winner(referee, game) == "white"
    for number in range(1, 4):
        assert referee.game(number).last_event > 0
    for words in (("status 1",), ("record 1",), ("games",), ("why A 1",)):
        answer = bert.writes(*words).only
        assert NAME not in answer.text and NAME not in answer["Subject"]
    assert bert.writes("status 1").only["Subject"].endswith("Confusion 1: Bert - Yellow")
    assert "not kept any more" in bert.writes("1: resend 1").only.text


def test_an_operator_sees_colours_where_a_name_was(club: Club) -> None:
    whole_story(club)
    post(club)
    JobScheduler(chores_of(club.referee, club.store), club.clock).do()
    application = Application(Settings(), club.service, club.store, club.clock)
    seen = [str(list_games(application).games), write_record(application, 1, UMPIRE)]
    seen.append(write_record(application, 1, "white"))
    seen += [game_as(application, number, UMPIRE).text for number in (1, 2, 3)]
    seen += [game_as(application, 1, "white").text, str(list_letters(application, None, 100))]
    assert not any(word in said.casefold() for said in seen for word in (NAME.casefold(), LOCAL))
    assert "YellowName = Yellow" in seen[1] and "WhiteName = Bert" in seen[1]
    assert [each["title"] for each in list_games(application).games] == [
        "Confusion 3",
        "Confusion 2",
        "Confusion 1: Bert - Yellow",
    ]


def test_a_letter_on_its_way_arrives_before_it_is_erased(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    post(club)
    leaves(anna)
    club.referee.jobs.erase_what_is_due()
    waiting = club.store.outbox.claim(club.clock.now(), 9)
    assert [each.recipient for each in waiting] == [anna.address, bert.address, anna.address]
    club.store.outbox.accepted([(each.id, "250 ok") for each in waiting])
    club.referee.jobs.erase_what_is_due()
    with club.store.reading() as lookup:
        assert all(lookup.outbox.content(each.message_id) is None for each in waiting)


def test_an_end_by_leaving_is_an_end_by_resignation(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    leaves(anna)
    with club.store.reading() as lookup:
        last = lookup.events.of_game(game)[-1]
    assert last.kind == Ended.__name__ and last.body["result"] == {
        "winner": "yellow",
        "how": "by resignation",
    }


def test_leaving_ends_no_limit(club: Club) -> None:
    """Neither challenges a day, nor letters an hour, nor how often an address is asked whose it is."""
    mallory, v = club.member("Mallory"), club.person("V", "v@example.edu")
    mallory.writes(*(f"challenge v{number}@example.edu confusion" for number in range(6)))
    leaves(mallory)
    mallory.writes("register Mallory")
    sent = mallory.writes(*(f"challenge w{number}@example.edu confusion" for number in range(6))).sent
    assert sum(letter.kind == "invitation" for letter in sent) == 4
    mallory.writes(f"set second {v.address}")
    leaves(mallory)
    mallory.writes("register Mallory")
    mallory.writes(f"set second {v.address}")
    assert len(v.letters) == 1
    assert "write again tomorrow" in mallory.writes("challenge x@example.edu confusion").only.text


def test_letters_an_hour_are_counted_across_a_farewell(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, letters_an_hour=6))
    anna = club.member("Anna")
    leaves(anna)
    anna.writes("register Anna")
    leaves(anna)
    exchange = anna.writes("register Anna")
    assert exchange.settled is not None
    assert exchange.settled.reason == "more than 6 letters in an hour"
    club.close()


def test_a_game_that_cannot_be_read_keeps_nobody_from_leaving(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path), service=replace(SERVICE, operator="op@example.org"))
    anna, bert = club.member("Anna"), club.member("Bert")
    broken, other = (club.starts({"white": anna, "yellow": bert}) for _ in range(2))
    engine = create_engine(club.url)
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER event_stays"))
        connection.execute(text(f"UPDATE event SET kind = 'Unheard' WHERE game = {broken}"))
    engine.dispose()
    club.open_house()
    leaves(anna)
    assert club.game(other).status == "ended"
    told = [letter for letter in club.exchanges[-1].sent if letter.recipient == "op@example.org"]
    assert [f"game {broken} could not be ended" in letter.text for letter in told] == [True]
    with club.store.reading() as lookup:
        assert lookup.players.find(1).address == ""
    held = bert.writes(f"{broken}: A-S1", subject=f"[game {broken}]", vouched=False)
    assert held.settled is not None and held.settled.outcome == "held"
    club.close()


def test_a_letter_that_waits_while_its_writer_leaves_is_not_answered_and_not_kept(referee: Club) -> None:
    mina = referee.member(NAME, MAIN)
    referee.referee.letters.take_in([referee.raw(mina.letter(["status"]))])
    waiting = referee.last_letter()
    leaves(mina)
    settled = referee.referee.letters.settle(waiting)
    assert settled is not None and (settled.outcome, settled.reason) == (
        "ignored",
        "its writer has left meanwhile",
    )
    assert referee.collect() == ()
    post(referee)
    referee.referee.jobs.erase_what_is_due()
    assert traces(referee) == []
    assert mina.writes("hello").only.kind == "help", "later ones are a stranger's"


Story = Callable[[Club], Correspondent]


def asks_before_registering(club: Club) -> Correspondent:
    mina = club.person(NAME, MAIN)
    mina.writes("hello there")
    mina.writes(f"register {NAME}")
    return mina


def answers_from_a_new_address_with_other_words(club: Club) -> Correspondent:
    mina, there = club.member(NAME, MAIN), club.person(NAME, LATER)
    mina.writes(f"set second {LATER}")
    there.replies("yes please")
    there.replies("confirm", to=there.letters[0])
    return mina


def is_named_in_what_others_write(club: Club) -> Correspondent:
    mina, bert, zoe = club.member(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    mina.writes("challenge Bert confusion")
    bert.writes("games")
    bert.writes("help")
    game = club.starts({"white": bert, "yellow": zoe})
    bert.writes("status", to=bert.last_about(game)["Reply-To"])
    return mina


def was_invited_by_address_and_is_in_the_lists_of_whoever_did(club: Club) -> Correspondent:
    mina, bert, zoe = club.person(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    game = club.starts({"white": bert, "yellow": zoe})
    bert.writes(f"challenge {MAIN} confusion")
    bert.replies("games", to=bert.last_about(game))
    assert MAIN in bert.last.text and bert.last.game == game
    mina.writes(f"register {NAME}")
    return mina


def answers_with_terms_before_registering(club: Club) -> Correspondent:
    mina, bert, zoe = club.person(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    game = club.starts({"white": bert, "yellow": zoe})
    bert.writes(f"challenge {MAIN} confusion")
    mina.replies("accept option first=white")
    bert.replies("Yes, please!", to=bert.last)
    assert MAIN in bert.last.text
    bert.replies("accept 2 option first=yellow", "L-S2", to=bert.last_about(game))
    assert MAIN in bert.last.text and bert.last.game == game
    mina.replies("accept")
    assert MAIN in bert.last.text and bert.last.game == 2
    return mina


def has_a_letter_that_came_back(club: Club) -> Correspondent:
    mina = club.member(NAME, MAIN)
    post(club)
    club.take(club.raw(bounce(mina.last)))
    return mina


def answers_from_another_mailbox(club: Club) -> Correspondent:
    mina, bert = club.member(NAME, MAIN), club.member("Bert")
    club.starts({"white": mina, "yellow": bert})
    club.person(NAME, LATER).replies("status", to=mina.last)
    return mina


def names_an_address_that_is_never_confirmed(club: Club) -> Correspondent:
    mina, there = club.member(NAME, MAIN), club.person(NAME, LATER)
    mina.writes(f"set address {LATER}")
    there.replies("who is it?")
    return mina


def gets_letters_in_her_name(club: Club) -> Correspondent:
    mina = club.member(NAME, MAIN)
    mina.writes("games", vouched=False)
    mina.writes("away", headers=["Auto-Submitted: auto-replied"])
    return mina


def writes_and_is_written_to_of_herself(club: Club) -> Correspondent:
    club.service = replace(SERVICE, operator="operator@example.org")
    club.open_house()
    mina, bert = club.member(NAME, MAIN), club.member("Bert")
    game = club.starts({"white": mina, "yellow": bert})
    bert.writes("set letters urgent")
    for who in (mina, bert):
        to = who.last_about(game)
        who.replies(f"press {NAME} writes from {MAIN}", "", f"diary {NAME} again", to=to)
        who.replies(f"claim {NAME} and {MAIN}, and press besides", to=to)
    return mina


def wants_a_rematch_and_answers_with_other_terms(club: Club) -> Correspondent:
    mina, bert = club.member(NAME, MAIN), club.member("Bert")
    game = club.starts({"white": mina, "yellow": bert})
    mina.replies("resign", to=mina.last_about(game))
    mina.replies("rematch", to=mina.last_about(game))
    bert.writes(f"accept {game + 1} option sheets=off")
    mina.writes(f"accept {game + 1} option first=white")
    return mina


SECRETS = ("my telephone rings", "private thoughts")
"""What she writes to her opponent, and for herself."""


def is_named_in_the_thread_of_a_game_of_others(club: Club) -> Correspondent:
    """Bert does everything that can name somebody, in answer to letters about a game that she does not play in."""
    mina, bert, zoe = club.member(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    first = club.starts({"white": mina, "yellow": bert}, watchers="on")
    other = club.starts({"white": bert, "yellow": zoe})
    zoe.writes(f"watch {first}")
    mina.replies(f"press all {SECRETS[0]}", "", f"diary {SECRETS[1]}", to=mina.last_about(first))
    bert.writes(f"challenge {MAIN} confusion")
    mina.writes("challenge Bert confusion", "open confusion", "set letters daily")
    for who, lines in (
        (bert, ("games",)),
        (bert, (f"{first}: press Hello", "", "status")),
        (bert, (f"mute {first}", f"mute off {first}", "status")),
        (bert, (f"{first}: why A", f"{first}: draw", f"{first}: preview A-N1", "status")),
        (bert, (f"challenge {NAME} confusion", "status")),
        (bert, (f"challenge {NAME[:-1]} confusion", "status")),
        (bert, (f"challenge {MAIN} confusion", "status")),
        (bert, (f"register {NAME}", "status")),
        (bert, (f"open confusion option not={NAME}", "status")),
        (zoe, ("games", "status")),
        (zoe, (f"{first}: record", "status")),
    ):
        who.replies(*lines, to=who.last_about(other))
        assert NAME in who.last.text or MAIN in who.last.text, lines
    mina.writes(f"resign {first}")
    assert any(SECRETS[1] in each for each in texts(bert.last_about(first).content))
    for who in (bert, zoe):
        who.replies(f"{first}: record", "status", to=who.last_about(other))
        assert who.last.game == other
        who.replies(f"resend {who.last.number}", to=who.last)
    bert.replies(f"rematch {first}", "status", to=bert.last_about(other))
    return mina


def is_named_in_the_news_of_a_day(club: Club) -> Correspondent:
    mina, bert, zoe = club.member(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    for who in (bert, zoe):
        who.writes("set letters daily")
    first = club.starts({"white": mina, "yellow": bert}, watchers="on")
    other = club.starts({"white": bert, "yellow": zoe})
    zoe.writes(f"watch {first}")
    mina.replies(f"press all {SECRETS[0]}", "", "A-S1", to=mina.last_about(first))
    mina.writes(f"resign {first}")
    club.later(timedelta(hours=30))
    club.strikes()
    bert.replies("games", to=bert.last_about(other))
    return mina


def has_a_help_letter_come_back_before_registering(club: Club) -> Correspondent:
    mina = club.person(NAME, MAIN)
    club.take(club.raw(bounce(mina.writes("hello there").only)))
    mina.writes(f"register {NAME}")
    return mina


def has_bounces_in_prose_that_name_no_letter_of_ours(club: Club) -> Correspondent:
    mina = club.member(NAME, MAIN)
    for sender in ("MAILER-DAEMON@mx.example.net", f"MAILER-DAEMON@{NAME.lower()}.example"):
        said = f"Your letter to {MAIN} ({NAME}) did not arrive: 550 5.1.1 no such user"
        head = ["Return-Path: <>", f"From: {sender}", "Subject: Undelivered", f"Message-ID: <1.{sender}>"]
        club.take(club.raw("\r\n".join([*head, "", said, ""]).encode()))
    return mina


def writes_from_a_domain_that_tells_her_name(club: Club) -> Correspondent:
    domain = f"{NAME.lower()}.example"
    mina = club.member(NAME, f"m@{domain}")
    passed = f"dmarc=pass header.from={domain}".encode()
    for found in (
        "dmarc=none; spf=pass smtp.mailfrom=bounces.example",
        "dmarc=pass header.from=elsewhere.example",
        f"dmarc=fail header.from={domain}",
        f"dkim=pass header.d=sub.{domain}",
    ):
        club.take(club.raw(mina.letter(["status"]).replace(passed, found.encode())))
    return mina


def umpires_an_event_and_plays_in_it(club: Club) -> Correspondent:
    """Players are told who umpires, quote it, and have the letter sent once more; there is a successor."""
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Spring League", rules=("confusion",)))
    secretary.appoint("Spring League", "umpire", (NAME, MAIN))
    club.collect()
    mina, bert, zoe = club.person(NAME, MAIN), club.member("Bert"), club.member("Zoe")
    for players in ((bert, zoe), (bert, mina)):
        seats = {
            Seat(seat): (who.name, who.address)
            for seat, who in zip(("white", "yellow"), players, strict=True)
        }
        game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, "", "Spring League")
        club.collect()
        quoted = [f"> {line}" for line in bert.last_about(game).text.splitlines()]
        assert any("umpires" in line for line in quoted)
        bert.replies("A-S1", "", *quoted, to=bert.last_about(game))
    bert.writes("1: resend 1")
    zoe.replies("nothing to say", "", *quoted, to=zoe.last_about(1))
    secretary.appoint("Spring League", "umpire", ("Dora", "dora@example.net"))
    secretary.appoint("Spring League", "deputy", ("", MAIN))
    club.collect()
    mina.writes("events")
    return mina


@pytest.mark.telling(
    story=[
        umpires_an_event_and_plays_in_it,
        writes_and_is_written_to_of_herself,
        is_named_in_the_news_of_a_day,
        answers_from_another_mailbox,
    ]
)
@pytest.mark.parametrize(
    "story",
    [
        umpires_an_event_and_plays_in_it,
        writes_and_is_written_to_of_herself,
        wants_a_rematch_and_answers_with_other_terms,
        is_named_in_the_thread_of_a_game_of_others,
        is_named_in_the_news_of_a_day,
        asks_before_registering,
        has_a_help_letter_come_back_before_registering,
        has_bounces_in_prose_that_name_no_letter_of_ours,
        writes_from_a_domain_that_tells_her_name,
        answers_from_a_new_address_with_other_words,
        is_named_in_what_others_write,
        was_invited_by_address_and_is_in_the_lists_of_whoever_did,
        answers_with_terms_before_registering,
        has_a_letter_that_came_back,
        answers_from_another_mailbox,
        names_an_address_that_is_never_confirmed,
        gets_letters_in_her_name,
    ],
)
def test_nothing_is_found_whatever_was_written_by_the_way(club: Club, story: Story) -> None:
    mina = story(club)
    post(club)
    leaves(mina)
    post(club)
    club.referee.jobs.erase_what_is_due()
    assert traces(club) == []


def test_of_an_officer_who_leaves_nothing_is_found_on_either_database_and_other_games_keep_their_letters(
    referee: Club,
) -> None:
    mina = umpires_an_event_and_plays_in_it(referee)
    anna, zoe = referee.member("Anna"), referee.person("Zoe", "zoe@example.net")
    referee.starts({"white": anna, "yellow": zoe})
    post(referee)
    leaves(mina)
    post(referee)
    referee.referee.jobs.erase_what_is_due()
    assert traces(referee) == []
    with referee.store.reading() as lookup:
        assert [each.office for each in lookup.tournaments.find(1).officers] == ["umpire"]
    assert referee.game(1).status == "playing"
    assert "not kept any more" in zoe.writes("1: resend 1").sent[-1].text
    assert "not kept any more" not in zoe.writes("3: resend 1").sent[-1].text


def test_a_bounce_that_comes_after_its_reader_has_left_is_not_kept(club: Club) -> None:
    mina = club.member(NAME, MAIN)
    leaves(mina)
    post(club)
    club.take(club.raw(bounce(mina.last)))
    club.referee.jobs.erase_what_is_due()
    assert traces(club) == []


def test_no_letter_s_row_names_whom_others_challenged_or_an_address_they_asked_for(club: Club) -> None:
    club.member(NAME, MAIN)
    zoe = club.member("Zoe")
    zoe.writes(f"challenge {NAME} confusion", f"challenge {MAIN} confusion", f"set address {MAIN}")
    zoe.writes(f"register {NAME}")
    with club.store.reading() as lookup:
        said = [command for line in lookup.letters.newest(2) for command in line.commands]
    assert said == ["challenge ...", "challenge ...", "set address ...", "register ..."]


def test_a_frozen_game_that_ends_is_frozen_no_more(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    club.referee.umpire.freeze(game, "Somebody is ill.")
    leaves(anna)
    assert (club.game(game).status, club.game(game).frozen) == ("ended", "")
    application = Application(Settings(), club.service, club.store, club.clock)
    (line,) = list_games(application).games
    assert (line["status"], line["frozen"]) == ("ended", None)
    assert "Frozen" not in game_as(application, game, UMPIRE).text
