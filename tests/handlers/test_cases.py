"""Cases: who rules on a claim, who hears an appeal, who is told each step, and what is refused to whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from referee.cli.dashboard import Beside, write_overview
from referee.common.errors import UsageError
from referee.common.faults import Fault
from referee.games.cases import Case, Happened, is_changed
from referee.games.events import read_event, write_event
from referee.games.tournaments.tournament import Competition
from referee.games.umpire_actions import Act, AddTime, Close, Pause, Rule, TakeBack, decide_act
from referee.handlers.overview_builder import build_overview
from referee.handlers.press import LONGEST_TEXT
from referee.rulebooks.confusion import Confusion
from referee.service.bootstrap import Application
from referee.service.queries import game_as, list_claims, write_claim, write_record
from referee.service.tournaments import TournamentService
from tests.games.test_umpire_actions import timed
from tests.handlers.test_account_deletion import traces
from tests.support.begun import said
from tests.support.playing import (
    RULES,
    SERVICE,
    START,
    Club,
    Correspondent,
    Delivered,
    Exchange,
    new_database,
)

pytestmark = pytest.mark.letters

OPERATOR = "operator@example.org"
CLAIM = "claim The answer to L-S2 cannot be right."
WRONG = "appeal 1/2 That overlooks my H."


@dataclass
class League:
    """An event with its officers, and a game of Anna's and Bert's in it, of which Anna has made the first move."""

    club: Club
    anna: Correspondent
    bert: Correspondent
    ulla: Correspondent
    dora: Correspondent
    olga: Correspondent
    operator: Correspondent
    game: int

    def appoint(self, office: str, who: Correspondent) -> None:
        self.secretary.appoint("Spring League", office, (who.name, who.address))  # type: ignore[arg-type]
        self.club.collect()

    @property
    def secretary(self) -> TournamentService:
        return TournamentService(self.club.store, self.club.service, self.club.clock, self.club.draws)

    def states(self) -> list[str]:
        """How far the cases have come, in their order."""
        return [each.state for each in self.cases]

    @property
    def cases(self) -> tuple[Case, ...]:
        with self.club.store.reading() as lookup:
            return lookup.cases.of_game(self.game)

    def claims(self) -> Exchange:
        return self.bert.replies(CLAIM, to=self.bert.last_about(self.game))

    def rules(self, who: Correspondent, verdict: str = "rejected", case: str = "1/2") -> Exchange:
        """Let an officer rule, and confirm what he is shown."""
        shown = who.writes(f"umpire rule {case} {verdict}: The answer was right, see CF-5.6.")
        assert shown.only.kind == "receipt", said(shown.only)
        return who.replies("confirm")

    def does_in_words(self, text: str) -> None:
        """Let the umpire rule in words."""
        self.ulla.writes(f"umpire rule {self.game}: {text}")
        self.ulla.replies("confirm")

    def appeals(self, line: str = WRONG) -> Exchange:
        return self.bert.replies(line, to=self.bert.last_about(self.game))


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """See `_a_league`."""
    league = _a_league(tmp_path)
    yield league
    league.club.close()


def _a_league(folder: Path, name: str = "referee") -> League:
    """Ulla umpires, and Olga hears appeals; Dora holds no office yet."""
    club = Club(new_database(folder, name), service=replace(SERVICE, operator=OPERATOR))
    people = [club.member(name) for name in ("Anna", "Bert", "Ulla", "Dora", "Olga")]
    anna, bert, ulla, dora, olga = people
    league = League(club, anna, bert, ulla, dora, olga, club.person("Oskar", OPERATOR), 1)
    league.secretary.make(Competition("Spring League", rules=("confusion",)))
    league.appoint("umpire", ulla)
    league.appoint("appeals", olga)
    league.game = club.starts({"white": anna, "yellow": bert}, event="Spring League")
    anna.replies("L-S2", to=anna.last_about(league.game))
    return league


def readers(exchange: Exchange) -> list[str]:
    return [each.recipient.partition("@")[0] for each in exchange.sent]


def to(who: Correspondent, exchange: Exchange) -> Delivered:
    (letter,) = (each for each in exchange.sent if each.recipient == who.address)
    return letter


# From the claim to the final ruling


def test_a_claim_goes_to_the_umpire_with_the_lines_to_rule_by(league: League) -> None:
    exchange = league.claims()
    assert readers(exchange) == ["ulla", "bert"]
    letter = to(league.ulla, exchange)
    assert (letter.kind, letter["Subject"]) == ("notice", "Referee: case 1/2")
    text = said(letter)
    assert "It is for you to rule on it." in text
    assert "The case is about game 1 of the event Spring League." in text
    assert "umpire rule 1/2 upheld: TEXT umpire rule 1/2 rejected: TEXT" in text
    assert "It goes to Ulla, who umpires the event." in said(to(league.bert, exchange))


def test_a_ruling_is_shown_first_and_done_when_it_is_confirmed(league: League) -> None:
    league.claims()
    shown = league.ulla.writes("umpire rule 1/2 rejected: The answer was right, see CF-5.6.")
    assert readers(shown) == ["ulla"]
    assert "Nothing is done yet: do you mean this? The claim in case 1/2 is rejected:" in said(shown.only)
    assert "these words: Bert (Yellow). Nobody else is told of it." in said(shown.only)
    assert league.states() == ["open"]
    done = league.ulla.replies("confirm")
    assert readers(done) == ["bert", "ulla"]
    told = to(league.bert, done)
    assert (told.kind, "[your claim]" in told["Subject"]) == ("notice", True)
    text = said(told)
    assert text.startswith(
        "The umpire Ulla has rejected your claim, case 1/2. The answer: > The answer was right"
    )
    assert "you may appeal to somebody else, once, until Fri 11 Dec 2026, 18:03 UTC" in text
    assert "appeal 1/2 TEXT" in text
    assert "Your ruling on case 1/2 is kept" in said(to(league.ulla, done))
    assert league.states() == ["ruled"]


def test_an_appeal_goes_to_another_officer_whose_ruling_is_final(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    appealed = league.appeals()
    assert readers(appealed) == ["olga", "bert"]
    letter = said(to(league.olga, appealed))
    assert "Yellow appeals against the ruling on case 1/2. It is for you to rule on the appeal." in letter
    assert "The umpire Ulla has ruled on Fri 27 Nov 2026, 18:03 UTC: The claim is rejected." in letter
    for words in (
        "> The answer to L-S2 cannot be right.",
        "> The answer was right, see CF-5.6.",
        "> That overlooks",
    ):
        assert words in letter
    assert "Your ruling is final." in letter
    assert "It goes to Olga, who hears appeals in the event." in said(to(league.bert, appealed))
    done = league.rules(league.olga, "upheld")
    assert readers(done) == ["bert", "ulla", "olga"]
    told = said(to(league.bert, done))
    assert told.startswith("The officer for appeals Olga has upheld your appeal, case 1/2.")
    assert "It is final." in told and "appeal 1/2 TEXT" not in told
    judge = said(to(league.ulla, done))
    assert "has upheld the appeal against your ruling on case 1/2." in judge
    assert "If the game has to be changed for it, that is for you to do." in judge
    assert league.states() == ["settled"]


def test_a_ruling_of_whoever_runs_the_service_can_be_appealed_against_to_an_officer(league: League) -> None:
    league.claims()
    league.club.referee.umpire.rule_on_case(1, 2, "The answer was right.", "rejected")
    league.club.noted("The operator rules.")
    assert readers(league.appeals()) == ["olga", "bert"]
    done = league.rules(league.olga, "upheld")
    assert readers(done) == ["bert", "operator", "olga"]
    assert "has upheld the appeal against your ruling" in said(to(league.operator, done))


def test_in_a_game_of_no_event_whoever_runs_the_service_rules_and_looks_at_it_once_more(
    league: League,
) -> None:
    game = league.club.starts({"white": league.anna, "yellow": league.bert})
    assert readers(league.bert.writes(f"{game}: claim He sleeps.")) == ["operator", "bert"]
    league.club.referee.umpire.rule_on_case(game, 2, "Wake him.")
    (told,) = league.club.noted("The operator answers.")
    assert said(told).startswith("The umpire has answered your claim, case 2/2.")
    assert "you may ask whoever runs this service to look at it once more, until" in said(told)
    appealed = league.bert.writes(f"appeal {game}/2 He does not wake.")
    assert readers(appealed) == ["operator", "bert"]
    assert "referee claims --settle 2/2 --upheld --answer TEXT" in said(to(league.operator, appealed))
    league.club.referee.umpire.rule_on_case(game, 2, "Then let him sleep.", "rejected")
    assert [each.recipient for each in league.club.noted("He answers again.")] == [league.bert.address]


def test_a_case_waits_on_when_its_game_is_over(league: League) -> None:
    league.claims()
    league.bert.replies("resign", to=league.bert.last_about(1))
    assert "Your claim 1/2 is with the umpire still" in said(league.bert.last_about(1))
    assert readers(league.rules(league.ulla)) == ["bert", "ulla"]
    assert readers(league.appeals()) == ["olga", "bert"]


def test_letters_of_a_claimant_in_french_are_french_and_the_officers_are_not(league: League) -> None:
    league.bert.writes("set language fr")
    exchange = league.bert.writes("1: réclamation La réponse est fausse.")
    assert "Votre réclamation sur la partie 1 avec Anna est enregistrée" in said(to(league.bert, exchange))
    assert "Yellow has brought a claim" in said(to(league.ulla, exchange))
    league.ulla.writes("set language fr")
    shown = league.ulla.writes("arbitre décider 1/2 rejetée: La réponse est juste.")
    assert shown.only.kind == "receipt"
    league.ulla.replies("confirmer")
    assert readers(league.bert.writes("appel 1/2 Mais mon H l'a vu.")) == ["olga", "bert"]


# Who hears it


@pytest.mark.parametrize(
    ("offices", "plays", "hears"),
    [
        ({"umpire": "ulla", "deputy": "dora"}, "", "ulla"),
        ({"umpire": "ulla", "deputy": "dora"}, "ulla", "dora"),
        ({"umpire": "ulla", "director": "dora"}, "ulla", "dora"),
        ({"umpire": "ulla"}, "ulla", "operator"),
        ({"director": "dora"}, "", "dora"),
    ],
)
def test_a_claim_goes_to_the_first_officer_who_does_not_play(
    league: League, offices: dict[str, str], plays: str, hears: str
) -> None:
    people = {"ulla": league.ulla, "dora": league.dora}
    league.secretary.make(Competition("Cup", rules=("confusion",)))
    for office, who in offices.items():
        person = people[who]
        league.secretary.appoint("Cup", office, (person.name, person.address))  # type: ignore[arg-type]
    league.club.collect()
    white = people[plays] if plays else league.anna
    game = league.club.starts({"white": white, "yellow": league.bert}, event="Cup")
    assert readers(league.bert.writes(f"{game}: {CLAIM}")) == [hears, "bert"]


def test_the_deputy_stands_in_for_an_umpire_on_leave(league: League) -> None:
    league.appoint("deputy", league.dora)
    assert league.ulla.writes("leave 2026-11-28 2026-12-02").only.kind == "receipt"
    league.club.later(timedelta(days=1))
    exchange = league.claims()
    assert readers(exchange) == ["dora", "bert"]
    assert "It goes to Dora, the umpire's deputy in the event." in said(to(league.bert, exchange))
    assert readers(league.rules(league.dora)) == ["bert", "dora"]


def test_an_appeal_never_goes_to_whoever_has_ruled(league: League) -> None:
    """Where no one else is left it goes to whoever runs the service."""
    league.secretary.dismiss("Spring League", "appeals", league.olga.address)
    league.club.collect()
    league.claims()
    league.rules(league.ulla)
    appealed = league.appeals()
    assert readers(appealed) == ["operator", "bert"]
    refused = league.ulla.writes("umpire rule 1/2 upheld: Well, perhaps.").only
    assert "somebody else hears the appeal in case 1/2" in said(refused)
    league.club.referee.umpire.rule_on_case(1, 2, "It stands.", "rejected")
    told = [each.recipient.partition("@")[0] for each in league.club.noted("The operator rules.")]
    assert told == ["bert", "ulla"]


def hands_on(league: League) -> list[str]:
    """Let the service see to it who hears which case by now; return who was written to."""
    league.club.referee.jobs.hand_cases_on()
    return [each.recipient.partition("@")[0] for each in league.club.noted("The house looks who hears what.")]


def _ulla_goes(league: League) -> None:
    league.secretary.dismiss("Spring League", "umpire", league.ulla.address)


def _ulla_leaves(league: League) -> None:
    assert league.ulla.writes("bye").only
    league.ulla.replies("confirm")


def _dora_umpires(league: League) -> None:
    league.appoint("umpire", league.dora)


def _dora_stands_in(league: League) -> None:
    league.appoint("deputy", league.dora)
    league.ulla.writes("leave 2026-11-28 2026-12-02")
    league.club.later(timedelta(days=1))


def _dora_directs(league: League) -> None:
    _ulla_goes(league)
    league.appoint("director", league.dora)


def _the_umpire_plays(league: League) -> None:
    """Anna, who sits there, is appointed."""
    league.appoint("deputy", league.dora)
    league.appoint("umpire", league.anna)


CHANGES: dict[str, tuple[Callable[[League], None], str]] = {
    "dismissed": (_ulla_goes, "operator"),
    "left": (_ulla_leaves, "operator"),
    "another": (_dora_umpires, "dora"),
    "away": (_dora_stands_in, "dora"),
    "director": (_dora_directs, "dora"),
    "plays": (_the_umpire_plays, "dora"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_hears_a_case_by_now_is_sent_it_once(league: League, change: str) -> None:
    """With its evidence, and with all that was written in it; and whoever had it before gets it no second time."""
    league.claims()
    assert hands_on(league) == [], "it is where it went"
    league.club.collect()
    changes, hears = CHANGES[change]
    changes(league)
    league.club.collect()
    assert hands_on(league) == [hears]
    letter = league.club.letters[-1]
    assert letter["Subject"] == "Referee: case 1/2"
    text = said(letter)
    assert "Yellow has brought a claim: case 1/2. It is for you to rule on it." in text
    assert "Somebody else had it until now" in text
    assert "> The answer to L-S2 cannot be right." in text
    assert "Letter 2 to White:" in text, "what was kept when the case was opened"
    assert hands_on(league) == []


def test_a_case_that_comes_back_to_whoever_had_it_is_not_sent_again(league: League) -> None:
    league.claims()
    _dora_umpires(league)
    assert hands_on(league) == ["dora"]
    league.appoint("umpire", league.ulla)
    assert hands_on(league) == ["dora"], "it is hers no more"
    told = said(league.club.letters[-1])
    assert "The umpire Ulla hears case 1/2 again, which was with you meanwhile." in told
    assert hands_on(league) == []
    _dora_umpires(league)
    assert hands_on(league) == ["ulla"]


def test_an_appeal_is_handed_on_with_the_ruling(league: League) -> None:
    """Of what is ruled on nothing is handed on."""
    league.claims()
    league.rules(league.ulla)
    league.appoint("umpire", league.dora)
    assert hands_on(league) == []
    league.appeals()
    league.appoint("appeals", league.ulla)
    assert hands_on(league) == ["dora"], "Ulla has ruled on it"
    text = said(league.dora.last)
    for words in ("It is for you to rule on the appeal.", "> The answer was right", "> That overlooks"):
        assert words in text


def test_a_case_of_somebody_who_has_left_is_handed_on_to_nobody(league: League) -> None:
    league.claims()
    league.bert.writes("bye")
    league.bert.replies("confirm")
    _dora_umpires(league)
    assert hands_on(league) == []


# What follows


def open_to(league: League, who: Correspondent) -> str:
    return said(to(who, who.writes("overview")))


UPHELD = "The appeal in case 1/2 was upheld on"


@pytest.mark.parametrize(
    ("act", "over"),
    [
        ("umpire take back 1 to 1: The answer was wrong.", False),
        ("umpire adjudicate 1 Yellow: The answer was wrong.", False),
        ("umpire rule 1/2 upheld unchanged: The answer stands, with our apology.", True),
        ("umpire rule 1/2 upheld unchanged: The answer stands, with our apology.", False),
    ],
)
def test_an_appeal_that_is_upheld_stays_in_the_overview_until_the_game_was_changed(
    league: League, act: str, over: bool
) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    if over:
        league.anna.replies("resign", to=league.anna.last_about(1))
    done = league.rules(league.olga, "upheld")
    stays = "It stays in the overview until an umpire has done something in the game by hand"
    assert stays in said(to(league.ulla, done))
    assert UPHELD in open_to(league, league.ulla)
    assert f"{UPHELD} Fri" in open_to(league, league.olga) and "It is with Ulla." in said(league.olga.last)
    league.bert.replies("press Well.", to=league.bert.last_about(1))
    assert "umpire rule 1/2 upheld unchanged: TEXT" in open_to(league, league.ulla)
    league.does_in_words("Be polite.")
    assert UPHELD in open_to(league, league.ulla)
    shown = league.ulla.writes(act)
    assert shown.only.kind == "receipt", said(shown.only)
    settles = "By it case 1/2, which was upheld, has what it asked for."
    assert (settles in said(shown.only)) == ("unchanged" not in act)
    done = league.ulla.replies("confirm")
    assert (settles in said(to(league.ulla, done))) == ("unchanged" not in act)
    assert UPHELD not in open_to(league, league.ulla)
    assert hands_on(league) == []


def test_an_appeal_against_an_act_waits_likewise_and_acts_from_before_do_not_count(league: League) -> None:
    ulla = _number(league, league.ulla)
    league.club.referee.umpire.act(1, Rule(), "Be polite.", by=ulla)
    league.bert.writes("appeal 1 I was.")
    league.club.referee.umpire.act(1, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla rules twice.")
    league.rules(league.olga, "upheld")
    assert UPHELD in open_to(league, league.ulla)
    assert "The appeal in case 1/2 was upheld" in "\n".join(_dashboard(league))
    league.club.referee.umpire.act(1, Rule(), "He was.", by=ulla)
    assert UPHELD in open_to(league, league.ulla), "words change nothing"
    assert league.club.referee.umpire.act(1, TakeBack(1), "It was misread.", by=ulla, dry=True).settles == (
        "1/2",
    )
    assert league.club.referee.umpire.act(1, TakeBack(1), "It was misread.", by=ulla).settles == ("1/2",)
    assert UPHELD not in open_to(league, league.ulla)


def test_a_claim_that_is_upheld_waits_likewise_and_is_listed(league: League) -> None:
    league.claims()
    league.rules(league.ulla, "upheld")
    assert "Case 1/2 was upheld on" in open_to(league, league.ulla)
    assert "Case 1/2 was upheld" in "\n".join(_dashboard(league)) or "case 1/2 was upheld" in "\n".join(
        _dashboard(league)
    )
    application = cast(Application, league.club)
    (listed,) = list_claims(application, all_of_them=False)
    assert (listed["state"], listed["with"]) == ("to change", "Ulla")
    league.club.referee.umpire.rule_on_case(1, 2, "It stands after all.", "upheld", unchanged=True)
    assert list_claims(application, all_of_them=False) == []
    (listed,) = list_claims(application, all_of_them=True)
    assert [each["text"] for each in listed["steps"]][-1] == "It stands after all."
    assert league.states() == ["ruled"], "it can be appealed against as before"
    assert "was upheld" not in open_to(league, league.ulla)
    league.appeals()
    assert league.states() == ["appealed"]
    league.rules(league.olga, "upheld")
    assert UPHELD in open_to(league, league.ulla), (
        "what was said of the first ruling does not hold for this one"
    )


def test_who_does_not_act_in_the_game_cannot_say_that_nothing_is_to_be_changed(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    league.rules(league.olga, "upheld")
    refused = league.olga.writes("umpire rule 1/2 upheld unchanged: It was right.").only
    assert "somebody else rules on case 1/2" in said(refused)


@pytest.mark.parametrize(
    "act", [AddTime(timedelta(days=1)), Pause(), Close()], ids=lambda each: type(each).__name__
)
def test_what_is_done_in_all_games_of_an_event_is_not_done_for_a_case(league: League, act: Act) -> None:
    actions = decide_act(timed(), act, "The server was down.", 3, league.club.clock.now())
    assert not isinstance(actions, Fault)
    for in_all in (False, True):
        events = [
            read_event(write_event(each)[0], {**write_event(each)[1], "in_all": in_all}) for each in actions
        ]
        happened = [
            Happened(number, league.club.clock.now(), None, each) for number, each in enumerate(events, 1)
        ]
        assert is_changed(happened) is not in_all


def _dashboard(league: League) -> list[str]:
    with league.club.store.reading() as lookup:
        seen = build_overview(lookup, league.club.service.time, RULES, league.club.clock.now(), most=9)
    return list(write_overview(seen, Beside()))


def test_a_ruling_may_say_that_nothing_is_to_be_changed_and_then_nothing_waits(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    done = league.rules(league.olga, "upheld unchanged")
    for who in (league.bert, league.ulla):
        assert "Nothing is to be changed in the game for it." in said(to(who, done))
    assert "There is nothing that you have to do." in said(to(league.ulla, done))
    assert UPHELD not in open_to(league, league.ulla)


def test_what_is_rejected_or_not_appealed_against_is_not_waited_for(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    assert "1/2" not in open_to(league, league.ulla)
    league.appeals()
    league.rules(league.olga)
    assert "1/2" not in open_to(league, league.ulla)


def test_only_what_is_upheld_can_leave_the_game_unchanged(league: League) -> None:
    league.claims()
    refused = league.ulla.writes("umpire rule 1/2 rejected unchanged: It was right.").only
    assert "that is written differently: umpire rule GAME/CASE upheld: TEXT" in said(refused)


# Whoever runs the service rules in somebody's place


def test_an_officer_is_told_when_somebody_else_rules_on_what_is_with_her(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    league.club.referee.umpire.rule_on_case(1, 2, "It stays so.", "rejected")
    told = league.club.noted("The operator rules.")
    assert [each.recipient.partition("@")[0] for each in told] == ["bert", "olga", "ulla"]
    text = said(told[1])
    assert text.startswith("Game 1: The umpire has ruled on case 1/2, which was with you.")
    assert "The appeal in case 1/2 is rejected: > It stays so." in text


def test_whoever_runs_the_service_rules_in_an_officers_name(league: League) -> None:
    """She is told nothing, as by her other acts; and whoever cannot rule is named as the reason."""
    league.claims()
    referee, ulla, olga = league.club.referee, _number(league, league.ulla), _number(league, league.olga)
    for by, why in (
        (olga, "somebody else rules on case 1/2"),
        (_number(league, league.dora), "^Dora has no office in the event of game 1"),
        (_number(league, league.bert), "^Bert has no office in the event of game 1"),
    ):
        with pytest.raises(UsageError, match=why):
            referee.umpire.rule_on_case(1, 2, "No.", by=by)
    league.appoint("director", league.anna)
    with pytest.raises(UsageError, match=r"^Anna plays in game 1"):
        referee.umpire.rule_on_case(1, 2, "No.", by=_number(league, league.anna))
    other = league.club.starts({"white": league.anna, "yellow": league.bert})
    with pytest.raises(UsageError, match=rf"^Game {other} belongs to no event, so Ulla has no office there"):
        referee.umpire.act(other, Pause(), "No.", by=ulla)
    referee.umpire.rule_on_case(1, 2, "No.", "rejected", by=ulla)
    (told,) = league.club.noted("The operator rules for Ulla.")
    assert said(told).startswith("The umpire Ulla has rejected your claim, case 1/2.")


# Appeals against what an umpire has done


def test_either_player_appeals_against_what_an_umpire_has_done(league: League) -> None:
    league.club.referee.umpire.take_back(1, 1, "The order was misread.", by=_number(league, league.ulla))
    league.club.noted("Ulla takes the game back.")
    exchange = league.anna.replies("appeal 1 It was not misread.", to=league.anna.last_about(1))
    assert readers(exchange) == ["olga", "anna"]
    letter = said(to(league.olga, exchange))
    assert letter.startswith("White appeals against what was done in a game: case 1/1.")
    assert "The umpire Ulla has taken the game back" in letter
    assert "Your appeal in game 1 with Bert was taken; it is case 1/1." in said(to(league.anna, exchange))
    done = league.rules(league.olga, "upheld", "1/1")
    assert readers(done) == ["anna", "ulla", "olga"]
    assert "has upheld an appeal against what you did in a game: case 1/1." in said(to(league.ulla, done))
    assert "Your appeal was: > It was not misread." in said(to(league.anna, done))
    again = league.anna.writes("appeal 1/1 Once more.").only
    assert "the ruling on case 1/1 is final" in said(again)
    assert "an umpire has ruled or done nothing" in said(league.anna.writes("appeal 1 Once more.").only)
    other = league.bert.writes("appeal 1 I think so, too.")
    assert readers(other) == ["olga", "bert"]
    assert [each.seat for each in league.cases] == ["white", "yellow"]


def test_no_act_of_an_umpire_hides_another_from_appeal(league: League) -> None:
    ulla = _number(league, league.ulla)
    league.club.referee.umpire.take_back(1, 1, "The order was misread.", by=ulla)
    league.club.referee.umpire.act(1, Rule(), "Be polite.", by=ulla)
    league.club.referee.umpire.act(1, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla acts.")
    for lines in ("claim One.", "claim Two.", "claim Three."):
        league.bert.writes(f"1: {lines}")
    found = [league.bert.writes("appeal 1 I object.") for _ in range(3)]
    assert [readers(each) for each in found] == [["olga", "bert"]] * 3
    against = [said(to(league.olga, each)) for each in found]
    words = ("has ruled in words", "has ruled in words", "has taken the game back")
    assert all(word in text for word, text in zip(words, against, strict=True))
    receipts = [said(to(league.bert, each)) for each in found]
    assert "You can appeal against this too" in receipts[0] and "has taken the game back" in receipts[0]
    assert "You can appeal against this too" not in receipts[2]
    numbers = [case.against.number for case in league.cases if case.against is not None]
    assert len(set(numbers)) == 3


def test_an_act_is_named_by_its_number_or_its_day_and_the_answer_says_which_it_was(league: League) -> None:
    """The newest is meant where none is named."""
    referee, ulla = league.club.referee, _number(league, league.ulla)
    referee.umpire.take_back(1, 1, "The order was misread.", by=ulla)
    league.club.later(timedelta(days=1))
    referee.umpire.act(1, Rule(), "Be polite.", by=ulla)
    referee.umpire.act(1, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla acts.")
    newest = said(to(league.bert, league.bert.writes("appeal 1 I am quick.")))
    assert "You have appealed against this, which is act 3 of an umpire in the game:" in newest
    assert "appeal 1 act 2 TEXT" in newest and "appeal 1 act 1 TEXT" in newest
    asked = said(to(league.anna, league.anna.writes("appeal 1 2026-11-28 I was polite.")))
    assert "more than once in game 1: name the act by its number; they are 2 (2026-11-28), 3 (2026" in asked
    assert "Did you mean appeal 1 act 3 I was polite.?" in asked
    by_day = said(to(league.anna, league.anna.writes("appeal 1 2026-11-27: It was read well.")))
    assert "act 1 of an umpire in the game:" in by_day and "has taken the game back" in by_day
    by_number = said(to(league.anna, league.anna.writes("1: appeal act 2 I was polite.")))
    assert "act 2 of an umpire in the game:" in by_number and "> I was polite." in by_number
    none = said(to(league.anna, league.anna.writes("appeal 1 act 7 I object.")))
    assert (
        "that is no act in game 1 that you can appeal against; those that you can are 3 (2026-11-28)" in none
    )
    gone = said(to(league.bert, league.bert.writes("appeal 1 act 3 Once more.")))
    assert "those that you can are 1 (2026-11-27), 2 (2026-11-28)" in gone


def test_in_french_an_act_is_named_likewise(league: League) -> None:
    referee, ulla = league.club.referee, _number(league, league.ulla)
    referee.umpire.act(1, Rule(), "Be polite.", by=ulla)
    referee.umpire.act(1, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla acts.")
    league.bert.writes("set language fr")
    answer = said(to(league.bert, league.bert.writes("appel 1 acte 1 Je suis poli.")))
    assert "appel 1 acte 2 TEXTE" in answer


def test_an_appeal_that_names_no_game_is_asked_about_where_it_could_be_in_several(league: League) -> None:
    """And where it can be in one alone, it is that, as long as it is his turn in none."""
    ulla, text = _number(league, league.ulla), "It was not misread, and I can show you the letter."
    other = league.club.starts({"white": league.dora, "yellow": league.bert}, event="Spring League")
    league.club.referee.umpire.take_back(1, 1, "The order was misread.", by=ulla)
    league.club.noted("Ulla takes the game back.")
    one = league.bert.writes(f"appeal {text}")
    assert readers(one) == ["olga", "bert"], "in the other game nothing was done"
    assert "Your appeal in game 1 with Anna was taken; it is case 1/2." in said(to(league.bert, one))
    for game in (1, other):
        league.club.referee.umpire.act(game, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla rules.")
    asked = said(to(league.bert, league.bert.writes(f"appeal {text}")))
    assert f"in several games, 1, {other}: say in which" in asked
    assert f"Did you mean appeal {other} {text}?" in asked, "it is all there to be sent once more"
    taken = league.bert.writes(f"appeal {other} {text}")
    assert f"it is case {other}/2." in said(to(league.bert, taken))


def test_an_appeal_that_names_no_game_is_about_the_one_in_which_it_is_his_turn(league: League) -> None:
    """Where there is nothing to appeal against in it, the line for the game in which there is lies ready."""
    ulla, text = _number(league, league.ulla), "It was not misread."
    other = league.club.starts({"white": league.bert, "yellow": league.dora}, event="Spring League")
    league.club.referee.umpire.take_back(1, 1, "The order was misread.", by=ulla)
    league.club.noted("Ulla takes the game back.")
    refused = league.bert.writes(f"appeal {text}").only
    assert f"in game {other} an umpire has ruled or done nothing" in said(refused)
    assert f"Did you mean appeal 1 {text}?" in said(refused)
    league.club.referee.umpire.act(other, Rule(), "Be quick.", by=ulla)
    league.club.noted("Ulla rules.")
    taken = league.bert.writes(f"appeal {text}")
    assert f"Your appeal in game {other} with Dora was taken; it is case {other}/1." in said(
        to(league.bert, taken)
    )


def _number(league: League, who: Correspondent) -> int:
    with league.club.store.reading() as lookup:
        player = lookup.players.by_address(who.address)
    assert player is not None
    return player.number


def test_an_appeal_without_a_number_finds_the_one_ruling_there_is_and_asks_among_several(
    league: League,
) -> None:
    league.claims()
    league.rules(league.ulla)
    league.claims()
    league.rules(league.ulla, case="1/4")
    asked = league.bert.replies("appeal That is wrong.", to=league.bert.last_about(1)).only
    assert "more than one ruling in game 1" in said(asked)
    assert "Did you mean appeal 1/4 That is wrong.?" in said(asked)
    league.appeals("appeal 1/4 That is wrong.")
    assert readers(league.appeals("appeal And so is that.")) == ["olga", "bert"]
    assert league.states() == ["appealed", "appealed"]


def test_a_player_who_lost_his_seat_may_appeal_against_that(league: League) -> None:
    league.claims()
    shown = league.ulla.writes("umpire replace 1 Yellow Dora: Bert has not written for months.")
    assert shown.only.kind == "receipt", said(shown.only)
    league.ulla.replies("confirm")
    assert readers(league.bert.writes("appeal 1 I was in hospital.")) == ["olga", "bert"]
    assert "you do not sit in game 1" in said(league.bert.writes("1: status").only)
    done = league.rules(league.ulla)
    assert readers(done) == ["bert", "ulla"], "the claim is his, and not whoever's has his seat"
    assert "you have brought no case 1/2" in said(league.dora.writes("appeal 1/2 I object.").only)


# What nobody learns by it


def test_nobody_learns_by_the_number_of_a_case_that_somebody_else_has_brought_any(tmp_path: Path) -> None:
    """Not whoever takes the seat over, nor the opponent: their letters are the same, byte for byte."""
    told = []
    for number, asks in enumerate((False, True)):
        league = _a_league(tmp_path, f"asks-{number}")
        club, anna, dora = league.club, league.anna, league.dora
        if asks:
            league.claims()
            league.rules(league.ulla)
            league.appeals()
        league.club.clock.at = START + timedelta(hours=6)
        shown = league.ulla.writes("umpire replace 1 Yellow Dora: Bert does not play on.")
        assert shown.only.kind == "receipt", said(shown.only)
        league.ulla.replies("confirm")
        dora.writes("1: claim What has happened here?")
        anna.writes("1: claim I do not know.")
        for case in ("1/102", "1/1"):
            league.rules(league.ulla, case=case)
        dora.writes("appeal 1/102 I do not see that.")
        dora.writes("appeal 1/2 I do not see that.")
        dora.replies("C-N2", to=dora.last_about(1))
        club.close()
        told.append([_unmarked(each) for each in (*anna.letters, *dora.letters)])
    for quiet, asked in zip(*told, strict=True):
        assert quiet == asked
    assert any("it is case 1/102." in " ".join(each[-1].split()) for each in told[0])


_MARKS = ("Message-ID", "In-Reply-To", "References", "Reply-To", "Content-Type")


def _unmarked(letter: Delivered) -> list[str]:
    """Return a letter without what is drawn for it."""
    heads = [f"{key}: {value}" for key, value in letter.message.items() if key not in _MARKS]
    said = [letter.recipient, *heads, *(str(part.get_content()) for part in letter.parts)]
    return [re.sub(r"tag\d{17}", "TAG", each) for each in said]


def test_an_umpire_reads_the_same_whatever_the_pieces_are(tmp_path: Path) -> None:
    """Of a game whose answers were the same: by receipts alone two deals differ in what he gets."""
    told = []
    deals = (
        "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9",
        "White=A6 C8 E10 H11 K1 L2 N3 O9 P7 S5 T12 V4; Yellow=A5 C8 E12 H11 K10 L2 N1 O3 P7 S6 T4 V9",
    )
    for number, deal in enumerate(deals):
        club = Club(new_database(tmp_path, f"deal-{number}"))
        anna, bert, ulla, olga = (club.member(name) for name in ("Anna", "Bert", "Ulla", "Olga"))
        secretary = TournamentService(club.store, club.service, club.clock, club.draws)
        secretary.make(Competition("Spring League", rules=("confusion",), time="7d/move"))
        secretary.appoint("Spring League", "umpire", ("", ulla.address))
        secretary.appoint("Spring League", "appeals", ("", olga.address))
        club.starts({"white": anna, "yellow": bert}, deal=deal, event="Spring League")
        anna.replies("L-S2", to=anna.last_about(1))
        bert.replies("try C-N2", CLAIM, to=bert.last_about(1))
        ulla.writes("umpire rule 1/2 rejected: The answer was right.")
        ulla.replies("confirm")
        bert.replies(WRONG, to=bert.last_about(1))
        olga.writes("umpire rule 1/2 upheld: It was wrong.")
        olga.replies("confirm")
        club.close()
        told.append([_without_receipts(each) for each in (*ulla.letters, *olga.letters)])
    assert told[0] == told[1]
    assert len(told[0]) == 11


def _without_receipts(letter: Delivered) -> list[str]:
    """Return a letter's parts without receipts, which hang on the game's secret."""
    return [re.sub(r"[0-9a-f]{64}", "...", str(part.get_content())) for part in letter.parts]


# Misuse


def test_whoever_is_no_officer_of_the_event_is_told_the_same_of_every_case(league: League) -> None:
    """An officer of another event, a player, a stranger to it; for a case that there is, and for one that is not."""
    league.claims()
    league.secretary.make(Competition("Cup", rules=("confusion",)))
    league.secretary.appoint("Cup", "umpire", (league.dora.name, league.dora.address))
    league.club.collect()
    for who in (league.dora, league.anna, league.bert):
        answers = [
            said(who.writes(f"umpire rule {case} upheld: I say so.").only).partition("Letter ")[0]
            for case in ("1/2", "7/2")
        ]
        assert answers[0].replace("1/2", "7/2").replace("game 1", "game 7") == answers[1]
        assert "you are no officer of an event with a game 7" in answers[1]
    assert league.states() == ["open"]


@pytest.mark.parametrize(
    ("who", "case", "says"),
    [
        ("ulla", "1/4", "there is no case 1/4"),
        ("olga", "1/2", "somebody else rules on case 1/2"),
        ("dora", "1/2", "somebody else rules on case 1/2"),
    ],
)
def test_what_is_not_somebodys_to_rule_on_he_cannot(league: League, who: str, case: str, says: str) -> None:
    """Dora is the deputy, and Ulla can act; Olga hears appeals, and this is none."""
    league.appoint("deputy", league.dora)
    league.claims()
    officer: Correspondent = getattr(league, who)
    assert says in said(officer.writes(f"umpire rule {case} upheld: I say so.").only)
    assert league.states() == ["open"]


def test_a_verdict_that_is_none_is_asked_about(league: League) -> None:
    league.claims()
    asked = league.ulla.writes("umpire rule 1/2 perhaps: I am not sure.").only
    assert "that is written differently: umpire rule GAME/CASE upheld: TEXT" in said(asked)
    league.ulla.writes("umpire rule 1/2: That is a long story.")
    told = league.ulla.replies("confirm")
    assert "has answered your claim, case 1/2. The answer: > That is a long story." in said(
        to(league.bert, told)
    )
    assert [each.verdict for each in league.cases[0].decisions] == [""]


def test_a_deputy_does_not_rule_in_a_game_of_his_own(league: League) -> None:
    league.appoint("deputy", league.bert)
    league.claims()
    assert "you play in game 1" in said(league.bert.writes("umpire rule 1/2 upheld: I say so.").only)
    league.ulla.writes("umpire rule 1/2 rejected: No.")
    assert league.states() == ["open"]


def test_nobody_rules_twice(league: League) -> None:
    league.claims()
    one = league.ulla.writes("umpire rule 1/2 rejected: No.").only
    other = league.ulla.writes("umpire rule 1/2 upheld: Yes.").only
    league.ulla.replies("confirm", to=one)
    late = league.ulla.replies("confirm", to=other)
    assert readers(late) == ["ulla"]
    assert "case 1/2 was ruled on before; only whoever has brought it may appeal" in said(late.only)
    with pytest.raises(UsageError, match="ruled on before"):
        league.club.referee.umpire.rule_on_case(1, 2, "Once more.")
    assert [each.verdict for each in league.cases[0].decisions] == ["rejected"]


@pytest.mark.parametrize("verdict", ["rejected", "upheld"])
def test_what_was_meant_for_the_claim_is_shown_anew_once_there_is_an_appeal(
    league: League, verdict: str
) -> None:
    league.secretary.dismiss("Spring League", "appeals", league.olga.address)
    league.appoint("director", league.dora)
    league.claims()
    asked = league.ulla.writes(f"umpire rule 1/2 {verdict}: As the first ruling.").only
    league.rules(league.dora)
    assert readers(league.appeals()) == ["ulla", "bert"]
    anew = league.ulla.replies("confirm", to=asked)
    assert readers(anew) == ["ulla"]
    text = said(anew.only)
    assert text.startswith("The case has gone on since you were asked, so nothing was done.")
    assert f"The appeal in case 1/2 is {verdict}:" in text and "> That overlooks my H." in text
    assert league.states() == ["appealed"]
    assert readers(league.ulla.replies("confirm")) == ["bert", "dora", "ulla"]
    assert league.states() == ["settled"]


@pytest.mark.parametrize("change", ["appointed", "left", "away"])
def test_whoever_hears_a_case_in_anothers_place_reads_all_of_it(league: League, change: str) -> None:
    league.bert.replies("claim The press is rude.", to=league.bert.last_about(1))
    first = league.ulla.last
    if change == "appointed":
        league.appoint("umpire", league.dora)
    else:
        league.appoint("deputy", league.dora)
        line = "bye" if change == "left" else "leave 2026-11-28 2026-12-02"
        league.ulla.writes(line)
        if change == "left":
            league.ulla.replies("confirm")
        league.club.later(timedelta(days=1))
    shown = league.dora.writes("umpire rule 1/2").only
    assert shown["Subject"] == "Referee: case 1/2"
    whole = said(first).partition(" Letter ")[0]
    assert "> The press is rude." in whole and "EVIDENCE" in whole
    assert said(shown).startswith(whole.partition("EVIDENCE")[0])
    assert "turn 2, Yellow was to move." in said(shown)
    asked = said(league.dora.writes("umpire rule 1/2 upheld: It is.").only)
    assert "> The press is rude." in asked
    assert "is shown by umpire rule 1/2, without a word more." in asked
    assert readers(league.dora.replies("confirm")) == ["bert", "dora"]


def test_nobody_reads_a_case_that_is_not_his_to_rule_on(league: League) -> None:
    league.appoint("deputy", league.dora)
    league.claims()
    for who in (league.anna, league.olga, league.dora, league.bert):
        refused = who.writes("umpire rule 1/2").only
        assert refused.kind == "refusal" and "cannot be right" not in refused.text
    assert "cannot be right" in league.ulla.writes("umpire rule 1/2").only.text
    assert league.states() == ["open"]


def test_an_umpire_does_not_rule_on_the_appeal_against_himself(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    refused = league.ulla.writes("umpire rule 1/2 rejected: I said so.").only
    assert "an appeal against what you have ruled yourself; somebody else hears it" in said(refused)
    league.rules(league.olga, "upheld")
    assert "the ruling on case 1/2 is final" in said(league.olga.writes("umpire rule 1/2 rejected: No.").only)


def test_whoever_runs_the_service_does_not_hear_the_appeal_against_himself_where_somebody_else_can(
    league: League,
) -> None:
    league.claims()
    league.club.referee.umpire.rule_on_case(1, 2, "No.", "rejected")
    league.club.noted("The operator rules.")
    league.appeals()
    with pytest.raises(UsageError, match="somebody else hears it"):
        league.club.referee.umpire.rule_on_case(1, 2, "I said no.", "rejected")


def test_only_who_has_brought_a_case_appeals_once_after_the_ruling_and_not_too_late(league: League) -> None:
    league.claims()
    assert "nobody has ruled on case 1/2 yet" in said(league.appeals().only)
    league.rules(league.ulla)
    for case in ("1/2", "1/9"):
        refused = league.anna.writes(f"appeal {case} I object.").only
        assert f"you have brought no case {case}." in said(refused)
    message = "you have brought no case 1/1; your last one in this game is 1/2"
    assert message in said(league.appeals("appeal 1/1 I object.").only)
    league.club.later(timedelta(days=14, hours=1))
    assert "was ruled on more than 14 days ago: it is too late" in said(league.appeals().only)
    league.club.later(timedelta(days=-2))
    league.appeals()
    assert "your appeal in case 1/2 waits already" in said(league.appeals().only)
    assert "you do not sit in game 1" in said(league.dora.writes(WRONG).only)


def test_words_that_are_too_long_are_not_taken(league: League) -> None:
    league.claims()
    long = "a" * (LONGEST_TEXT + 1)
    assert "at most 2000 signs" in said(league.ulla.writes(f"umpire rule 1/2 upheld: {long}").only)
    league.rules(league.ulla)
    assert "at most 2000 signs" in said(league.appeals(f"appeal 1/2 {long}").only)


def test_a_ruling_that_nobody_vouches_for_is_held(league: League) -> None:
    league.claims()
    league.ulla.writes("umpire rule 1/2 upheld: I say so.", vouched=False)
    shown = league.ulla.writes("umpire rule 1/2 upheld: I say so.").only
    league.ulla.replies("confirm", to=shown, vouched=False)
    assert league.states() == ["open"]


# What an operator is shown


def application(league: League) -> Application:
    club = league.club
    return Application(cast(Any, None), club.service, club.store, club.clock)


def test_the_list_says_who_has_a_case_and_since_when(league: League) -> None:
    league.claims()
    league.club.later(timedelta(days=3))
    (case,) = list_claims(application(league), all_of_them=False)
    assert (case["state"], case["with"], case["office"], case["days"], case["letter"]) == (
        "open",
        "Ulla",
        "umpire",
        3,
        7,
    )
    assert write_claim(case)[0].endswith(", open, for 3 days with Ulla (umpire)")
    league.rules(league.ulla)
    assert list_claims(application(league), all_of_them=False) == []
    (case,) = list_claims(application(league), all_of_them=True)
    assert (case["state"], case["with"], case["days"]) == ("answered", None, 0)
    league.appeals()
    (case,) = list_claims(application(league), all_of_them=False)
    assert (case["state"], case["with"], case["office"]) == ("appealed", "Olga", "appeals")
    assert "  ruling by Ulla (rejected):" in write_claim(case)


def test_show_and_record_keep_every_step_for_those_who_may_read_it(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    league.rules(league.olga, "upheld")
    here = application(league)
    steps = ["claim", "ruling", "appeal", "ruling"]
    shown = game_as(here, 1, "umpire").data["claims"]
    assert [each["step"] for each in shown] == steps
    assert [(each["verdict"], each["by"]) for each in shown if each["step"] == "ruling"] == [
        ("rejected", "Ulla"),
        ("upheld", "Olga"),
    ]
    assert [each["step"] for each in game_as(here, 1, "yellow").data["claims"]] == steps
    assert game_as(here, 1, "white").data["claims"] == []
    for viewer, told in (("umpire", True), ("yellow", True), ("white", False)):
        record = write_record(here, 1, viewer)
        assert ("; turn 2, Yellow, case 2, ruling by Olga (upheld):" in record) == told
        assert ("That overlooks my H" in record) == told
        assert "; turn 2, Yellow, case 2, appeal:" in record or not told
        assert Confusion().records.replay(record).consistent


def test_an_officer_who_ends_a_game_is_told_which_cases_wait(league: League) -> None:
    league.claims()
    league.ulla.writes("umpire adjudicate 1 draw: Both have left.")
    done = league.ulla.replies("confirm")
    assert "Case 1/2 of this game still waits for a ruling." in said(to(league.ulla, done))
    assert league.states() == ["open"]
    appealed = league.anna.replies("appeal 1 I have not.", to=league.anna.last_about(1))
    assert readers(appealed) == ["olga", "anna"], "she has ended it, and does not hear that"


# What stays


def test_what_was_written_in_a_case_is_erased_with_whoever_has_brought_it(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.appeals()
    league.bert.writes("bye")
    league.bert.replies("confirm")
    league.club.posts()
    league.club.referee.jobs.erase_what_is_due()
    with league.club.store.reading() as lookup:
        assert lookup.cases.claims() == []
        assert lookup.comments.of_game(1) == []
    with pytest.raises(LookupError):
        _bytes_of(league, "Referee: case 1/2")
    assert league.states() == ["appealed"]


@pytest.mark.parametrize("line", ["umpire rule 1/2 rejected: Bert errs.", "umpire rule 1: Bert errs."])
@pytest.mark.parametrize("lost", [False, True])
def test_what_was_shown_before_somebody_has_left_is_not_done_with_his_name_in_it(
    league: League, line: str, lost: bool
) -> None:
    """A ruling on his case, or in his game, also where another has his seat by then."""
    league.claims()
    if lost:
        league.ulla.writes("umpire replace 1 Yellow Dora: He does not write.")
        league.ulla.replies("confirm")
    shown = league.ulla.writes(line)
    assert shown.only.kind == "receipt", said(shown.only)
    league.bert.writes("bye")
    league.bert.replies("confirm")
    done = league.ulla.replies("confirm", to=shown.only)
    assert readers(done) == ["ulla"]
    assert "Nothing waits to be confirmed there any more" in said(done.only)
    league.club.posts()
    league.club.referee.jobs.erase_what_is_due()
    found = traces(league.club, ("bert",))
    assert not found, found


def _bytes_of(league: League, subject: str) -> bytes:
    """Return what is kept of a letter to the umpire. Raises LookupError for nothing."""
    letter = next(each for each in league.ulla.letters if each["Subject"] == subject)
    with league.club.store.reading() as lookup:
        content = lookup.outbox.content(letter["Message-ID"].strip("<>"))
    if not content:
        raise LookupError(subject)
    return content


def test_a_ruling_goes_with_the_officer_who_wrote_it(league: League) -> None:
    league.claims()
    league.rules(league.ulla)
    league.ulla.writes("bye")
    league.ulla.replies("confirm")
    with league.club.store.reading() as lookup:
        assert [each.text for each in lookup.comments.of_game(1)] == ["The answer to L-S2 cannot be right."]
    assert league.states() == ["ruled"]
