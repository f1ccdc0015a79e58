"""Events and offices: what can be made, given and taken, what cannot, and who is told what by letter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event as sql_event

from referee.common.errors import UsageError
from referee.games.tournaments.officers import OFFICES, Office, Officer
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.pipeline.test_processor import MOVES
from tests.support.playing import REFEREE, Club, Correspondent, Delivered, new_database

LEAGUE = Competition("Spring League", rules=("confusion",))
OLGA = "olga@example.net"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A club with an event."""
    club = Club(new_database(tmp_path))
    secretary(club).make(LEAGUE)
    yield club
    club.close()


def secretary(club: Club) -> TournamentService:
    return TournamentService(club.store, club.service, club.clock, club.draws)


def said(letter: Delivered) -> str:
    return " ".join(letter.text.split())


def plays(club: Club, *people: Correspondent, **options: str) -> int:
    """Let two people play a game of the event; return its number."""
    seats = {
        Seat(seat): (who.name, who.address) for seat, who in zip(("white", "yellow"), people, strict=True)
    }
    return club.referee.umpire.new_game(
        "confusion", seats, {"first": "white", **options}, "", "spring league"
    )


# Events


@pytest.mark.parametrize("name", ["Spring League", "SPRING LEAGUE", "Sprlng League"])
def test_two_events_have_names_that_nobody_takes_for_one_another(club: Club, name: str) -> None:
    for dry_run in (True, False):
        with pytest.raises(UsageError, match=r"There is an event (of that name|whose name looks like it)"):
            secretary(club).make(Competition(name), dry_run=dry_run)
    secretary(club).make(Competition("Club Cup"))
    with pytest.raises(UsageError, match="There is an event"):
        secretary(club).change("Club Cup", Competition(name), "Why not?")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Cup <b>", "cannot hold the sign <"),
        ("Cup\x07", "cannot hold the sign"),
        ("2027 Cup", 'cannot begin with a number, .*Did you mean name = "Cup 2027"'),
        ("", "has 1 to 80 characters"),
        ("---", "letters among them"),
        ("C" * 81, "has 1 to 80 characters"),
    ],
)
def test_an_event_that_is_made_or_changed_by_no_file_has_no_other_names(
    club: Club, name: str, why: str
) -> None:
    for dry_run in (True, False):
        with pytest.raises(UsageError, match=why):
            secretary(club).make(Competition(name), dry_run=dry_run)
        with pytest.raises(UsageError, match=why):
            secretary(club).change("Spring League", replace(LEAGUE, name=name), "Why not?", dry_run=dry_run)
    secretary(club).make(Competition("  Club   Cup "))
    with club.store.reading() as lookup:
        assert [each.name for each in lookup.tournaments.all()] == ["Spring League", "Club Cup"]


def test_a_dry_run_makes_and_changes_nothing(club: Club) -> None:
    secretary(club).make(Competition("Club Cup"), dry_run=True)
    amended = secretary(club).change("Spring League", replace(LEAGUE, leave=9), "More.", dry_run=True)
    assert [each.key for each in amended.changes] == ["leave"]
    with club.store.reading() as lookup:
        assert [each.terms for each in lookup.tournaments.all()] == [LEAGUE]
        assert len(lookup.tournaments.history(1)) == 1


def test_a_change_says_how_many_games_are_being_played_and_keeps_why(club: Club) -> None:
    plays(club, club.member("Anna"), club.member("Bert"))
    other = replace(LEAGUE, name="Spring League 2027", leave=9)
    amended = secretary(club).change("spring league", other, "It has a year now.")
    assert (amended.event, amended.running) == ("Spring League", 1)
    with club.store.reading() as lookup:
        assert lookup.tournaments.find(1).terms == other
        assert lookup.tournaments.history(1)[-1].reason == "It has a year now."


def test_where_nothing_changes_nothing_is_kept(club: Club) -> None:
    assert secretary(club).change("Spring League", LEAGUE, "Just so.").changes == ()
    with club.store.reading() as lookup:
        assert lookup.tournaments.find(1).version == 1


def test_an_event_may_be_written_in_another_way_that_looks_the_same(club: Club) -> None:
    secretary(club).change("Spring League", replace(LEAGUE, name="SPRING LEAGUE"), "Louder.")
    with club.store.reading() as lookup:
        assert lookup.tournaments.find(1).name == "SPRING LEAGUE"


# Offices


@pytest.mark.parametrize(
    ("office", "news"),
    [
        ("director", "You direct the event Spring League from now on."),
        ("umpire", "You umpire the event Spring League from now on."),
        ("deputy", "You are the umpire's deputy in the event Spring League from now on."),
        ("appeals", "You hear appeals in the event Spring League from now on."),
    ],
)
def test_an_officer_hears_of_his_office_and_what_he_may_write(club: Club, office: Office, news: str) -> None:
    done = secretary(club).appoint("Spring League", office, ("Olga", OLGA))
    assert (done.name, done.newcomer, done.instead_of, done.warnings) == ("Olga", True, "", ())
    (letter,) = club.collect()
    assert (letter.recipient, letter.kind, letter.game, letter.number) == (OLGA, "notice", None, 1)
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Subject"] == "[your office] Referee" or "your office" in letter["Subject"]
    assert said(letter).startswith(news)
    assert "You are registered here as Olga." in said(letter)
    assert "Write events at any time" in said(letter)


def test_every_office_has_words_of_its_own(club: Club) -> None:
    for name, office in zip(("Ann", "Ben", "Cora", "Dan"), OFFICES, strict=True):
        secretary(club).appoint("Spring League", office, (name, f"{office}@example.net"))
        secretary(club).dismiss("Spring League", office, f"{office}@example.net")
    assert len({said(letter).split(".")[0] for letter in club.collect()}) == 8


def test_whoever_held_an_office_hears_that_he_holds_it_no_more(club: Club) -> None:
    olga, dora = club.member("Olga"), club.member("Dora")
    secretary(club).appoint("Spring League", "umpire", ("", olga.address))
    done = secretary(club).appoint("Spring League", "umpire", ("Dora", dora.address))
    assert (done.name, done.instead_of, done.newcomer) == ("Dora", "Olga", False)
    club.collect()
    assert said(olga.last).startswith("You no longer umpire the event Spring League.")
    assert "Dora" not in said(olga.last)
    assert "You are registered" not in said(dora.last)
    done = secretary(club).dismiss("Spring League", "umpire", dora.address)
    club.collect()
    assert said(dora.last).startswith("You no longer umpire the event Spring League.")
    with club.store.reading() as lookup:
        assert lookup.tournaments.find(1).officers == ()


def test_whoever_has_given_no_name_is_given_one_with_the_office(club: Club) -> None:
    club.starts({"white": club.person("Anna"), "yellow": club.person("Bert")}, names=False)
    with pytest.raises(
        UsageError, match=r'anna@example\.net has given no name: write "Name <anna@example\.net>"'
    ):
        secretary(club).appoint("Spring League", "umpire", ("", "anna@example.net"))
    assert not secretary(club).appoint("Spring League", "umpire", ("Anna", "anna@example.net")).newcomer
    with club.store.reading() as lookup:
        assert lookup.players.find(1).name == "Anna"


@pytest.mark.parametrize(
    ("office", "who", "match"),
    [
        ("umpire", ("", "nobody@example.net"), "is not registered: write"),
        ("umpire", ("Bert", OLGA), "registered as Olga, not Bert"),
        ("umpire", ("0lga", "other@example.net"), "Somebody else is called 0lga here"),
        ("umpire", ("The Referee", "other@example.net"), "nobody can be called"),
        ("umpire", ("Rex", REFEREE), "the referee's own address"),
        ("umpire", ("Rex", REFEREE.replace("@", "+x@")), "the referee's own address"),
        ("deputy", ("", "dora@example.net"), "Dora is the umpire of Spring League: the deputy stands in"),
        ("umpire", ("Dora", "DORA@example.net"), "Dora is the umpire of Spring League already"),
    ],
)
def test_who_cannot_hold_an_office_is_refused_and_nobody_is_written_to(
    club: Club, office: Office, who: tuple[str, str], match: str
) -> None:
    club.member("Olga")
    club.member("Dora")
    secretary(club).appoint("Spring League", "umpire", ("", "dora@example.net"))
    club.collect()
    with pytest.raises(UsageError, match=match):
        secretary(club).appoint("Spring League", office, who)
    assert club.collect() == ()
    with club.store.reading() as lookup:
        assert lookup.tournaments.find(1).officers == (Officer("umpire", 2),)
        assert lookup.players.by_address("other@example.net") is None


def test_an_event_that_is_none_has_no_offices(club: Club) -> None:
    with pytest.raises(UsageError, match="there is no event 'Autumn League'"):
        secretary(club).appoint("Autumn League", "umpire", ("Olga", OLGA))
    with pytest.raises(UsageError, match="there is no event"):
        secretary(club).dismiss("Autumn League", "umpire", OLGA)
    with pytest.raises(UsageError, match="there is no event"):
        secretary(club).change("Autumn League", LEAGUE, "Because.")
    seats = {Seat("white"): ("", "a@example.net"), Seat("yellow"): ("", "b@example.net")}
    with pytest.raises(UsageError, match="there is no event"):
        club.referee.umpire.new_game("confusion", seats, {}, "", "Autumn League")


@pytest.mark.parametrize("address", ["bert@example.net", "nobody@example.net"])
def test_nobody_is_dismissed_by_mistake(club: Club, address: str) -> None:
    club.member("Bert")
    with pytest.raises(UsageError, match="Spring League has no officer for appeals"):
        secretary(club).dismiss("Spring League", "appeals", address)
    secretary(club).appoint("Spring League", "appeals", ("Olga", OLGA))
    club.collect()
    with pytest.raises(UsageError, match="The officer for appeals of Spring League is Olga, who has another"):
        secretary(club).dismiss("Spring League", "appeals", address)
    assert club.collect() == ()


def test_what_is_seldom_meant_is_warned_of(club: Club) -> None:
    olga, bert = club.member("Olga"), club.member("Bert")
    game = plays(club, olga, bert)
    warned = secretary(club).appoint("Spring League", "umpire", ("", olga.address)).warnings
    assert warned == (f"Olga plays in the event (game {game}), and acts in no game of that player's own.",)
    warned = secretary(club).appoint("Spring League", "appeals", ("", olga.address)).warnings
    assert warned[0] == "Olga also rules: appeals against those rulings go to the director."


# Games of an event


def test_the_first_letter_says_which_event_and_who_umpires_and_the_record_says_which(club: Club) -> None:
    secretary(club).appoint("Spring League", "umpire", ("Olga", OLGA))
    anna, bert = club.member("Anna"), club.member("Bert")
    game = plays(club, anna, bert)
    first = [letter for letter in club.collect() if letter.game]
    assert len(first) == 2
    for letter in first:
        assert "It belongs to the event Spring League, and Olga umpires it." in said(letter)
        assert OLGA not in letter.content.decode()
    assert "Event = Spring League" in anna.writes("record").only.text
    moved = anna.writes(MOVES[0]).sent
    assert not any("Spring League" in letter.text for letter in moved)
    ended = anna.writes("resign").sent
    assert all("Event = Spring League" in letter.text for letter in ended) and len(ended) == 2
    assert club.game(game).competition == 1


def test_the_first_letter_names_whoever_stands_in_for_an_umpire_who_plays(club: Club) -> None:
    olga, dora, anna = club.member("Olga"), club.member("Dora"), club.member("Anna")
    secretary(club).appoint("Spring League", "umpire", ("", olga.address))
    plays(club, olga, anna)
    assert "whoever runs this service umpires it" in said(club.collect()[-1])
    secretary(club).appoint("Spring League", "deputy", ("", dora.address))
    plays(club, olga, anna)
    assert "and Dora umpires it" in said(club.collect()[-1])
    plays(club, olga, dora)
    assert "whoever runs this service umpires it" in said(club.collect()[-1])
    with club.store.unit() as unit:
        unit.players.mark_unreachable(1)
    plays(club, anna, club.member("Bert"))
    assert "and Dora umpires it" in said(club.collect()[-1])


def test_a_game_of_no_event_says_nothing_of_one(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    assert "event" not in said(anna.last) and club.game(game).competition is None
    assert "Event" not in anna.writes("record").only.text


def test_a_move_asks_nothing_about_events_in_any_game(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    plays(club, bert, anna)
    asked: list[str] = []
    with club.store.unit() as unit:
        sql_event.listen(
            unit._transaction.connection.engine,
            "before_cursor_execute",
            lambda *given: asked.append(given[2]),
        )
    anna.writes(f"1: {MOVES[0]}")
    bert.writes(f"2: {MOVES[0]}")
    assert sum("INSERT INTO event" in each for each in asked) >= 2
    assert not any("FROM competition" in each or "officer" in each or "FROM terms" in each for each in asked)


def test_a_game_is_played_on_the_events_terms(club: Club) -> None:
    secretary(club).change("Spring League", replace(LEAGUE, press="off"), "Silence.")
    anna, bert = club.member("Anna"), club.member("Bert")
    assert club.game(plays(club, anna, bert)).options == {"first": "white", "press": "off"}
    assert club.game(plays(club, anna, bert, press="off", sheets="off")).options["sheets"] == "off"
    with pytest.raises(UsageError, match="press=named: the event Spring League says press=off"):
        plays(club, anna, bert, press="named")
    secretary(club).change("Spring League", LEAGUE, "Noise.")
    assert club.game(1).options["press"] == "off", "a game keeps what was agreed"


def test_an_event_of_other_rules_takes_no_such_game(club: Club) -> None:
    secretary(club).change("Spring League", replace(LEAGUE, rules=("spies",)), "Another game.")
    with pytest.raises(UsageError, match="is played by the rules of spies, not confusion"):
        plays(club, club.member("Anna"), club.member("Bert"))


def test_a_rematch_belongs_to_no_event(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = plays(club, anna, bert)
    club.collect()
    anna.writes("resign")
    anna.replies("rematch", to=anna.last_about(game))
    bert.writes(f"accept {game + 1}")
    assert club.game(game + 1).competition is None
    with club.store.reading() as lookup:
        row = lookup.games.get(game + 1)
    assert row is not None and row.competition is None


# The word `events`


def test_events_lists_offices_and_games(club: Club) -> None:
    olga, anna, bert = club.member("Olga"), club.member("Anna"), club.member("Bert")
    assert "You play in no event, and hold no office in one." in said(olga.writes("events").only)
    secretary(club).appoint("Spring League", "umpire", ("", olga.address))
    secretary(club).appoint("Spring League", "director", ("", olga.address))
    club.collect()
    assert "Spring League: no game is being played. You direct it. You umpire it." in said(
        olga.writes("events").only
    )
    game = plays(club, anna, bert)
    club.collect()
    answer = olga.writes("events").only
    assert answer.kind == "receipt"
    assert said(answer).startswith(
        "You take part in 1 event. Spring League: 1 game is being played. You direct"
    )
    answered = said(anna.writes("events", "events").only)
    assert answered.count(f"Spring League: you play game {game} in it.") == 1
    assert "Olga" not in answered
    anna.writes("resign")
    assert "You play in no event" in said(anna.writes("events").only)


def test_events_has_a_french_name(club: Club) -> None:
    olga = club.member("Olga")
    secretary(club).appoint("Spring League", "umpire", ("", olga.address))
    olga.writes("set language fr")
    assert "Spring League : aucune partie en cours. Vous l'arbitrez." in said(
        olga.writes("mes tournois").only
    )
