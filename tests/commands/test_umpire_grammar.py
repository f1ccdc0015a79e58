"""What an umpire writes is read strictly before its colon, in English and in French; and prose is left alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command import Order, Umpire
from referee.commands.grammar import Understanding
from referee.commands.umpire_grammar import FORMS, MOST_WORDS, OF_EVENTS, read_action, read_whole
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault
from referee.common.i18n import translate
from referee.mail.message.message import OwnLine
from tests.commands.test_grammar import DESK

DAY = timedelta(days=1)


def read_all(*texts: str, language: str = "en") -> Understanding:
    lines = [OwnLine(number, text, text) for number, text in enumerate(texts, 1) if text]
    return DESK.in_language(language).read(lines)


def read(*texts: str, language: str = "en") -> Umpire:
    (command,) = read_all(*texts, language=language).commands
    assert isinstance(command, Umpire)
    return command


def said(command: Umpire) -> dict[str, Any]:
    """Return what is said in a command, without what is not."""
    names = ("game", "event", "seat", "turn", "order", "until", "time", "whom", "end", "case", "verdict")
    return {name: value for name in names if (value := getattr(command, name))}


READ: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "umpire rule 17/2 upheld: Holidays",
        "arbitre décider 17/2 fondée : Holidays",
        "rule",
        {"game": 17, "case": 2, "verdict": "upheld"},
    ),
    (
        "umpire rule 17/2 Rejected: Holidays",
        "arbitre décision 17/2 rejetée : Holidays",
        "rule",
        {"game": 17, "case": 2, "verdict": "rejected"},
    ),
    ("umpire rule 17/2: Holidays", "arbitre décider 17/2 : Holidays", "rule", {"game": 17, "case": 2}),
    (
        "umpire pause 17 until 2027-01-03: Holidays",
        "arbitre pause 17 jusqu'au 2027-01-03 : Holidays",
        "pause",
        {"game": 17, "until": date(2027, 1, 3)},
    ),
    ("umpire pause game 17: Holidays", "arbitre suspendre partie 17 : Holidays", "pause", {"game": 17}),
    (
        "umpire pause Spring League until 2027-01-03: Holidays",
        "arbitre pause Spring League jusqu'au 2027-01-03 : Holidays",
        "pause",
        {"event": "Spring League", "until": date(2027, 1, 3)},
    ),
    ("umpire resume 17: Holidays", "arbitre reprendre 17 : Holidays", "resume", {"game": 17}),
    (
        "umpire add 17 White 3d: Holidays",
        "arbitre ajouter 17 Blanc 3j : Holidays",
        "add",
        {"game": 17, "seat": "white", "time": 3 * DAY},
    ),
    (
        "umpire add time 17 White 2 days: Holidays",
        "arbitre ajouter temps 17 Blanc 2 jours : Holidays",
        "add",
        {"game": 17, "seat": "white", "time": 2 * DAY},
    ),
    (
        "17: umpire add time 12h: Holidays",
        "partie 17 : arbitre ajouter temps 12h : Holidays",
        "add",
        {"game": 17, "time": timedelta(hours=12)},
    ),
    (
        "umpire add Time Trophy 12h: Holidays",
        "arbitre ajouter Time Trophy 12h : Holidays",
        "add",
        {"event": "Time Trophy", "time": timedelta(hours=12)},
    ),
    (
        "umpire add 17 1 day: Holidays",
        "arbitre ajouter 17 1 jour : Holidays",
        "add",
        {"game": 17, "time": DAY},
    ),
    (
        "umpire add Spring League 12h: Holidays",
        "arbitre ajouter Spring League 12h : Holidays",
        "add",
        {"event": "Spring League", "time": timedelta(hours=12)},
    ),
    (
        "umpire add Spring League Yellow 12h: Holidays",
        "arbitre ajouter Spring League Jaune 12h : Holidays",
        "add",
        {"event": "Spring League", "seat": "yellow", "time": timedelta(hours=12)},
    ),
    (
        "umpire take back 17 to 12 White: Holidays",
        "arbitre revenir 17 au 12 Blanc : Holidays",
        "take back",
        {"game": 17, "turn": 12, "seat": "white"},
    ),
    (
        "umpire take back 17 to turn 12 yellow: Holidays",
        "arbitre revenir 17 au tour 12 Jaune : Holidays",
        "take back",
        {"game": 17, "turn": 12, "seat": "yellow"},
    ),
    (
        "umpire correct 17 turn 12 Yellow V-NW2: Holidays",
        "arbitre corriger 17 tour 12 Jaune V-NW2 : Holidays",
        "correct",
        {"game": 17, "turn": 12, "seat": "yellow", "order": "V-NW2"},
    ),
    (
        "umpire correct 17 V-NW2: Holidays",
        "arbitre corriger 17 V-NW2 : Holidays",
        "correct",
        {"game": 17, "order": "V-NW2"},
    ),
    (
        "umpire correct 17 12 Yellow V-NW2: Holidays",
        "arbitre corriger 17 12 Jaune V-NW2 : Holidays",
        "correct",
        {"game": 17, "turn": 12, "seat": "yellow", "order": "V-NW2"},
    ),
    (
        "umpire act 17 White V–NW2: Holidays",
        "arbitre jouer 17 Blanc V–NW2 : Holidays",
        "act",
        {"game": 17, "seat": "white", "order": "V-NW2"},
    ),
    ("umpire rule 17: Holidays", "arbitre décider 17 : Holidays", "rule", {"game": 17}),
    (
        "umpire rule 17/2 upheld: Holidays",
        "arbitre décider 17/2 fondée : Holidays",
        "rule",
        {"game": 17, "case": 2, "verdict": "upheld"},
    ),
    (
        "umpire replace 17 White Jean-Luc <jl@example.net>: Holidays",
        "arbitre remplacer 17 Blanc Jean-Luc <jl@example.net> : Holidays",
        "replace",
        {"game": 17, "seat": "white", "whom": "Jean-Luc <jl@example.net>"},
    ),
    ("umpire close 17: Holidays", "arbitre clore 17 : Holidays", "close", {"game": 17}),
    (
        "umpire adjudicate 17 draw: Holidays",
        "arbitre juger 17 nulle : Holidays",
        "adjudicate",
        {"game": 17, "end": "draw"},
    ),
    ("17: umpire restore: Holidays", "partie 17 : arbitre rétablir : Holidays", "restore", {"game": 17}),
]


@pytest.mark.parametrize(("english", "french", "action", "facts"), READ, ids=[each[0] for each in READ])
def test_each_action_is_read_in_english_and_in_french(
    english: str, french: str, action: str, facts: dict[str, Any]
) -> None:
    for text, language in ((english, "en"), (french, "fr"), (english, "fr")):
        command = read(text, language=language)
        assert (command.action, said(command), command.reason) == (action, facts, "Holidays"), text


@pytest.mark.parametrize(
    ("text", "action", "facts"),
    [
        (
            "mettre en pause la partie 17 jusqu'au 2027-01-03",
            "pause",
            {"game": 17, "until": date(2027, 1, 3)},
        ),
        ("suspendre la partie 17", "pause", {"game": 17}),
        ("pause de la partie 17", "pause", {"game": 17}),
        ("mettre en pause Coupe de 2027", "pause", {"event": "Coupe de 2027"}),
        ("pause La Coupe des Blancs", "pause", {"event": "La Coupe des Blancs"}),
        ("reprendre la partie 17", "resume", {"game": 17}),
        ("ajouter du temps 17 Blanc 2j", "add", {"game": 17, "seat": "white", "time": 2 * DAY}),
        (
            "ajouter du temps à la partie 17 pour les Blancs 2 jours",
            "add",
            {"game": 17, "seat": "white", "time": 2 * DAY},
        ),
        (
            "accorder du temps dans la partie 17 à Jaune 2 jours",
            "add",
            {"game": 17, "seat": "yellow", "time": 2 * DAY},
        ),
        ("ajouter à la partie 17 2 jours", "add", {"game": 17, "time": 2 * DAY}),
        ("ajouter Coupe du temps 12h", "add", {"event": "Coupe du temps", "time": DAY / 2}),
        (
            "revenir dans la partie 17 au tour 12 des Blancs",
            "take back",
            {"game": 17, "turn": 12, "seat": "white"},
        ),
        ("revenir en arrière 17 à 12", "take back", {"game": 17, "turn": 12}),
        ("corriger la partie 17 V-NW2", "correct", {"game": 17, "order": "V-NW2"}),
        (
            "corriger dans la partie 17 tour 12 de Jaune V-NW2",
            "correct",
            {"game": 17, "turn": 12, "seat": "yellow", "order": "V-NW2"},
        ),
        ("jouer dans la partie 17 pour Blanc V-NW2", "act", {"game": 17, "seat": "white", "order": "V-NW2"}),
        ("décider de la partie 17", "rule", {"game": 17}),
        ("trancher l'affaire 17/2 fondée", "rule", {"game": 17, "case": 2, "verdict": "upheld"}),
        ("décision sur l’affaire 17/2 rejetée", "rule", {"game": 17, "case": 2, "verdict": "rejected"}),
        (
            "remplacer dans la partie 17 Blanc par Anne",
            "replace",
            {"game": 17, "seat": "white", "whom": "Anne"},
        ),
        ("clôturer la partie 17", "close", {"game": 17}),
        ("juger la partie 17 nulle", "adjudicate", {"game": 17, "end": "draw"}),
        ("juger la partie 17 en faveur des Blancs", "adjudicate", {"game": 17, "end": "white"}),
        ("juger 17 sans résultat", "adjudicate", {"game": 17, "end": "none"}),
        ("rétablir la partie 17", "restore", {"game": 17}),
    ],
)
def test_each_action_is_read_as_a_frenchman_says_it(text: str, action: str, facts: dict[str, Any]) -> None:
    command = read(f"arbitre {text} : Vacances", language="fr")
    assert (command.action, said(command), command.reason) == (action, facts, "Vacances")
    (fault,) = read_all(f"arbitre {text}", language="fr").faults
    assert fault.code == "no-reason"


@pytest.mark.parametrize("way", [way for word in FORMS for way in vocabulary("fr").tables.actions[word]])
def test_each_way_to_say_an_action_in_french_is_one(way: str) -> None:
    (fault,) = read_all(f"arbitre {way} 17", language="fr").faults
    assert fault.code == "no-reason"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("umpire add time to game 17 for White 2 days", {"game": 17, "seat": "white", "time": 2 * DAY}),
        ("umpire replace in game 17 White by Carl", {"game": 17, "seat": "white", "whom": "Carl"}),
        ("umpire adjudicate game 17 for Yellow", {"game": 17, "end": "yellow"}),
        ("umpire pause The Spring League", {"event": "The Spring League"}),
    ],
)
def test_small_words_before_what_is_meant_are_passed_over(text: str, facts: dict[str, Any]) -> None:
    assert said(read(f"{text}: Holidays")) == facts


@pytest.mark.parametrize("text", [each[0] for each in READ])
def test_what_is_written_is_read_again_as_the_same(text: str) -> None:
    command = read(text)
    again = read(command.write())
    assert (again.action, said(again), again.reason) == (command.action, said(command), command.reason)
    in_french = vocabulary("fr").writer.write(command.write())
    assert said(read(in_french, language="fr")) == said(command)


@pytest.mark.parametrize(
    ("text", "language"),
    [("umpire rule 17/2", "en"), ("Umpire rule game 17/2.", "en"), ("arbitre décider 17/2", "fr")],
)
def test_a_case_alone_is_asked_for(text: str, language: str) -> None:
    command = read(text, language=language)
    assert (command.write(), said(command)) == ("umpire rule 17/2", {"game": 17, "case": 2})


@pytest.mark.parametrize("text", ["umpire rule 17", "umpire rule 17/2 upheld", "umpire close 17/2"])
def test_what_needs_words_is_no_question_for_a_case(text: str) -> None:
    assert [fault.code for fault in read_all(text).faults] == ["no-reason"]


def test_a_reason_goes_on_over_lines_that_a_mail_program_has_broken() -> None:
    command = read(
        "umpire take back 17 to 12 White: the second order of White was read",
        "V-NW2, which is another",
        "move.",
    )
    assert command.reason == "the second order of White was read V-NW2, which is another\nmove."


def test_each_line_is_an_action_of_its_own_where_the_first_has_no_reason_or_the_next_is_misspelt() -> None:
    found = read_all(
        "umpire pause 17", "umpire pause 18: Holidays", "umpire pawse 19: Holidays", "umpire close: x y"
    )
    assert [each.write() for each in found.commands] == ["umpire pause 18: Holidays"]
    assert [fault.code for fault in found.faults] == ["no-reason", "no-deed", "deed-form"]


def test_a_line_behind_an_empty_one_is_a_line_of_its_own() -> None:
    found = read_all("umpire pause 17: Holidays.", "", "V-NW2")
    first, second = found.commands
    assert isinstance(first, Umpire)
    assert first.reason == "Holidays."
    assert isinstance(second, Order)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("umpire pause 17", "no-reason"),
        ("umpire pause 17:", "no-reason"),
        ("umpire pause 17 until Easter: Holidays", "deed-day"),
        ("umpire pause 17 until 2027-02-30: Holidays", "deed-day"),
        ("umpire pause: Holidays", "deed-form"),
        ("umpire add 17 White: Holidays", "deed-form"),
        ("umpire add 17 White 3: Holidays", "deed-form"),
        ("umpire take back 17 White: Holidays", "deed-form"),
        ("umpire take back Spring League to 2: Holidays", "deed-form"),
        ("umpire act 17 V-NW2: Holidays", "deed-form"),
        ("umpire adjudicate 17 green: Holidays", "deed-form"),
        ("umpire adjudicate 17: Holidays", "deed-form"),
        ("umpire pause 17/1: Holidays", "deed-form"),
        ("umpire rule 17/1 perhaps: Holidays", "deed-form"),
        ("umpire close 17 now: Holidays", "deed-form"),
        ("umpire pawse 17: Holidays", "no-deed"),
        ("umpire destroy 17: Holidays", "no-deed"),
    ],
)
def test_what_is_half_understood_is_asked_about(text: str, code: str) -> None:
    (fault,) = read_all(text).faults
    assert fault.code == code
    assert fault.suggestion


def test_more_words_than_an_action_has_are_not_looked_through() -> None:
    """Given a correction with a turn behind it, then it is read up to a limit of words, and asked about beyond it."""
    move = " ".join(["L"] * (MOST_WORDS - 4))
    assert read(f"umpire correct 17 {move} turn 9 White: Holidays").turn == 9
    too_long = read_all(f"umpire correct 17 L {move} turn 9 White: Holidays")
    assert [fault.code for fault in too_long.faults] == ["deed-form"]


def test_an_action_that_was_misspelt_is_suggested() -> None:
    (fault,) = read_all("umpire pawse 17: Holidays").faults
    assert fault.suggestion == "umpire pause 17: Holidays"


@pytest.mark.parametrize(
    "text", ["Umpire, please look at this", "umpires are strict", "The umpire pause was long", "umpire"]
)
def test_prose_about_an_umpire_is_no_action(text: str) -> None:
    assert not any(isinstance(each, Umpire) for each in read_all(text).commands)
    assert not any(fault.code.startswith(("deed", "no-deed")) for fault in read_all(text).faults)


def test_every_action_has_a_form_that_is_read_when_it_is_filled_in() -> None:
    filled = {
        "GAME": "17",
        "DATE": "2027-01-03",
        "COLOUR": "White",
        "TIME": "3d",
        "TURN": "2",
        "MOVE": "V-NW2",
        "RESULT": "draw",
        "PERSON": "Carl",
        "REASON": "Why not",
        "TEXT": "Why not",
    }
    for action, form in FORMS.items():
        line = form
        for place, value in filled.items():
            line = line.replace(place, value)
        assert read(line).action == action
        if action in OF_EVENTS:
            assert read(line.replace("17", "Club Cup").replace("White ", "")).event == "Club Cup"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_action_is_written_as_its_language_says(language: str) -> None:
    spelt = vocabulary(language)
    for action in FORMS:
        written = spelt.writer.write_action(action)
        assert spelt.read_action(written) == action
        assert (written == action) == (language == "en" or action == "pause")


def test_an_event_may_be_called_until_something() -> None:
    assert said(read("umpire pause Spring until Summer: Why")) == {"event": "Spring until Summer"}
    both = said(read("umpire pause Spring until Summer until 2027-01-03: Why"))
    assert both == {"event": "Spring until Summer", "until": date(2027, 1, 3)}
    french = said(read("arbitre pause Du printemps jusqu'à Noël : Congés", language="fr"))
    assert french == {"event": "Du printemps jusqu'à Noël"}


@pytest.mark.parametrize(
    "line", ["pause 17 until Easter", "pause game 17 until Easter", "pause Cup until 3 May"]
)
def test_until_when_is_a_day(line: str) -> None:
    (fault,) = read_all(f"umpire {line}: Holidays").faults
    assert fault.code == "deed-day"


@given(st.text(max_size=60))
def test_any_text_behind_the_word_is_an_action_a_fault_or_prose(text: str) -> None:
    spelt = vocabulary("en")
    begun = read_action(OwnLine(1, f"umpire {text}"), text, spelt)
    if isinstance(begun, Umpire):
        assert isinstance(read_whole(begun, spelt), Umpire | Fault)


TURNS = [
    "umpire correct 17 12 White V-NW2: Misread.",
    "umpire correct 17 turn 12 of White V-NW2: Misread.",
    "umpire correct 17 V-NW2 @12 White: Misread.",
    "umpire correct 17 White V-NW2 @12: Misread.",
    "umpire correct 17 V-NW2 turn 12 White: Misread.",
    "umpire correct 17 V-NW2 in turn 12 of White: Misread.",
    "umpire correct 17 V-NW2 White 12: Misread.",
    "arbitre corriger 17 V-NW2 tour 12 Blanc : Mal lu.",
    "arbitre corriger 17 V-NW2 au tour 12 des Blancs : Mal lu.",
    "arbitre corriger 17 tour 12 Blanc V-NW2 : Mal lu.",
]


@pytest.mark.parametrize("line", TURNS)
def test_a_turn_is_read_wherever_it_stands_beside_a_correction(line: str) -> None:
    command = read(line, language="fr" if line.startswith("arbitre") else "en")
    assert said(command) == {"game": 17, "turn": 12, "seat": "white", "order": "V-NW2"}


@pytest.mark.parametrize(
    "behind",
    ["12", "12 White", "@", "turn", "@12 13", "@12 White Yellow", "turn twelve", "White @12 White 1"],
)
def test_a_turn_that_is_half_understood_is_never_left_out(behind: str) -> None:
    """Else the move would take the place of another one than was meant."""
    (fault,) = read_all(f"umpire correct 17 V-NW2 {behind}: Misread.").faults
    assert fault.code == "deed-form" and fault.suggestion == "help umpire"


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("umpire add 17 white 2d", "umpire add 17 white 2d: REASON"),
        ("umpire pause 17", "umpire pause 17: REASON"),
        ("umpire take back 17 to 12 White", "umpire take back 17 to 12 white: REASON"),
        ("umpire correct 17 V-NW2 @12", "umpire correct 17 12 V-NW2: REASON"),
        ("umpire replace 17 white Carl:", "umpire replace 17 white Carl: REASON"),
        ("umpire add 17", "umpire add GAME COLOUR TIME: REASON"),
    ],
)
def test_who_gives_no_reason_is_shown_his_line_with_one(line: str, meant: str) -> None:
    (fault,) = read_all(line).faults
    assert (fault.code, fault.suggestion) == ("no-reason", meant)


@pytest.mark.parametrize(
    "line", ["add 17 Anna 2d", "act 17 Anna V-NW2", "replace 17 Anna Carl", "replace 17 Anna"]
)
def test_a_name_in_the_place_of_a_colour_is_said_to_be_none(line: str) -> None:
    (fault,) = read_all(f"umpire {line}: Holidays.").faults
    assert fault.code == "deed-colour"
    assert fault.reason().startswith("Anna is no colour, and a side is named by its colour: umpire ")


def test_what_is_no_action_is_told_in_a_sentence_whatever_the_word() -> None:
    (fault,) = read_all("arbitre temps 17 2d : Vacances.", language="fr").faults
    assert fault.reason(translate("fr")).startswith("«\u00a0temps\u00a0» n'est pas une action d'arbitre")
