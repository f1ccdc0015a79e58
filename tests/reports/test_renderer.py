"""What stands in a letter, in which order, for which reader."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from functools import cache
from html.parser import HTMLParser
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from referee.commands.command_table import TOPICS, WORDS
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault, Place
from referee.games.clocks.durations import duration_phrase
from referee.games.conditional_orders import Plan, steps
from referee.games.evidence import CameIn, ClockRead, Evidence, WentOut
from referee.games.game_options import PRESS, WATCHERS
from referee.games.join_conditions import KEYS
from referee.games.results import Offer
from referee.mail.message.message import Attachment, Kind, OutgoingLetter
from referee.mail.message.mime_writer import picture_cid, write_letter
from referee.reports.notes import NOTES
from referee.reports.overview import GameSeen, SeatSeen, draw_up
from referee.reports.renderer import LONGEST_ALT, templates, typeset
from referee.reports.report import Note, Report, SheetForm, Typeset
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Question, Seat
from tests.reports.material import (
    COMMITMENT,
    CONFUSION,
    SECRET,
    SENT,
    WHITE,
    WHOLE,
    YELLOW,
    after,
    desk_report,
    first_report,
    game_face,
    game_report,
    heard_by,
    reader,
    result_report,
    without_sheets,
)
from tests.rulebooks.spies import letters as spies
from tests.support.telling import telling

ACCOUNT = {
    "turn": 2,
    "seat": "yellow",
    "gone": ({"seat": "yellow", "order": "A-N1", "answer": "no"},),
    "order": "A-N2",
    "again": ({"seat": "white", "order": "L-S2", "answer": "yes"},),
    "time": "2 days",
    "until": SENT,
    "reason": "too many parts",
    "lines": ("Good luck.",),
}

FAULT = Fault(
    "no-piece",
    "there is no piece {letter}",
    {"letter": "B"},
    "unreadable",
    excerpt="B-NW2",
    place=Place(3, 1),
    suggestion="V-NW2",
    rule="CF-4.2",
)
EVIDENCE = Evidence(
    at=SENT,
    status="playing",
    turn=5,
    to_move=(Seat("white"),),
    receipt="b" * 64,
    came_in=(
        CameIn(Seat("white"), 3, SENT, SENT, brought=("A-N1", "claim", "appeal", "end", "pause")),
        CameIn(Seat("yellow"), 4, SENT, SENT, held=True),
        CameIn(Seat("white"), 0, SENT, SENT),
        CameIn(Seat("yellow"), 0, SENT, SENT, held=True),
    ),
    went_out=(WentOut(Seat("white"), 3, SENT, SENT), WentOut(Seat("yellow"), 4, SENT, None)),
    clocks=(
        ClockRead(Seat("white"), timedelta(days=1), timedelta(days=6), SENT),
        ClockRead(Seat("yellow"), None, timedelta(days=7), None),
    ),
    still=("consent",),
    frozen=True,
    unreachable=(Seat("yellow"),),
)
OVERVIEW = draw_up(
    [
        GameSeen(
            17,
            "Spring League",
            8,
            (
                SeatSeen(
                    WHITE,
                    "Anna",
                    due=True,
                    used=timedelta(days=3),
                    left=timedelta(0),
                    deadline=SENT - timedelta(days=1),
                ),
                SeatSeen(YELLOW, "Bert", used=timedelta(days=2), left=timedelta(days=1), letter_in=SENT),
            ),
            since=SENT - timedelta(days=4),
            time="3d/move",
        ),
        GameSeen(18, "Spring League", 1, (SeatSeen(WHITE, due=True), SeatSeen(YELLOW, "Carl")), since=SENT),
    ],
    SENT,
    events=("Spring League",),
    playing=2,
)
FACTS: dict[str, Any] = {
    "uncertain": ("18/5", "18/6"),
    "cure": "its DNS records are incomplete",
    "asked": ({"line": "resign 17", "who": "Bert"}, {"line": "resign 18", "who": "White"}),
    "overview": OVERVIEW,
    "said": ("A ruling is being checked.",),
    "several": True,
    "taken_back": ("draw", "plan", "resignation", "none", "white"),
    "plays": False,
    "played_here": (("confusion", "Confusion"), ("spies", "Confusion: Spies")),
    "ends": 3,
    "name": "Anna",
    "address": "anna@example.com",
    "use": "second",
    "second": "anna@spare.example",
    "word": "confirm",
    "days": 7,
    "games": (17, 18),
    "proposals": 1,
    "open": (19, 20),
    "more": True,
    "key": "reports",
    "value": "text",
    "no_picture": True,
    "count": 2,
    "letter": 12,
    "most": 200,
    "status": "5.1.1",
    "player": 4,
    "line": 300,
    "lines": ("see you on Sunday",),
    "again": True,
    "who": "Bert",
    "opponent": "Bert",
    "whom": "carl@example.org",
    "rules": "Confusion",
    "options": {"sheets": "off", "colour": "white", "first": "yellow"},
    "newcomer": True,
    "seats": ("white", "yellow"),
    "drafts": False,
    "confided": ("V-NW2",),
    "chosen": True,
    "game": 18,
    "alone": True,
    "countered": True,
    "due": False,
    "moved": False,
    "end": "white",
    "text": "; a record\n",
    "letters": (
        {
            "number": 12,
            "received": SENT,
            "game": 18,
            "commands": ("V-NW2", "a move"),
            "means": "",
            "address": "",
            "own": True,
            "why": "",
            "dated": SENT,
        },
    ),
    "numbers": (5, 6),
    "may_be_old": False,
    "replaced": (("MV RI1 A20", "MV RI1 A10"), ("RL RI2", "MV RI2 A5")),
    "received": SENT,
    "reason": "too many parts",
    "since": SENT,
    "until": SENT,
    "paused": True,
    "given": ({"seat": "white", "time": duration_phrase(timedelta(days=3))},),
    "rulings": (("too many parts",),),
    "stopped": "too many parts",
    "free": "480 MB",
    "now": SENT,
    "newest": SENT,
    "by": "2 hours",
    "ahead": True,
    "limit": "1 MB",
    "signed": False,
    "all": True,
    "unread": ("V-NW2",),
    "turn": 5,
    "noted": ({"turn": 3, "lines": ("see you on Sunday",)},),
    "over": False,
    "case": "17/1",
    "cases": ("17/1", "17/2"),
    "evidence": EVIDENCE,
    "deed": {
        "what": "corrected",
        "at": SENT,
        "office": "umpire",
        "who": "Dora",
        "number": 2,
        "account": ACCOUNT,
    },
    "others": ({"what": "stated", "at": SENT, "office": "deputy", "who": "Carl", "number": 1},),
    "ruling": {},
    "appeal": ("see you on Sunday",),
    "by_letter": True,
    "handed_on": True,
    "unchanged": True,
    "verdict": "upheld",
    "is_appeal": True,
    "elsewhere": True,
    "answer": ("see you on Sunday",),
    "sent": True,
    "with_press": True,
    "seat": "white",
    "press": ({"seat": "white", "turn": 5, "at": SENT, "lines": ("see you on Sunday",)},),
    "before": 17,
    "colour": "yellow",
    "last": True,
    "event": "Spring League",
    "events": (
        {
            "event": "Spring League",
            "offices": ("umpire",),
            "mine": (),
            "playing": 12,
            "terms": {
                "time": "3d/move",
                "lapse": "soft",
                "days_off": ("sunday",),
                "holidays": (("2026-12-25", "Christmas"), ("2027-01-01", "New Year")),
                "zone": "Europe/Paris",
                "leave": 30,
            },
        },
        {
            "event": "Club Cup",
            "offices": (),
            "mine": (17,),
            "playing": 1,
            "terms": {
                "time": "none",
                "lapse": "hard",
                "days_off": (),
                "holidays": (),
                "zone": "UTC",
                "leave": 0,
            },
        },
    ),
    "office": "umpire",
    "first_day": "2027-07-01",
    "last_day": "2027-07-14",
    "at": SENT,
    "leave": (
        {
            "event": "Spring League",
            "games": (17, 18),
            "taken": (
                {"first": "2027-07-01", "last": "2027-07-01", "zone": "UTC", "days": 1},
                {"first": "2027-12-20", "last": "2028-01-05", "zone": "Europe/Paris", "days": 17},
            ),
            "none": False,
            "left": ((2027, 1), (2028, 25)),
        },
        {"event": "Club Cup", "games": (19,), "taken": (), "none": True, "left": ()},
        {"event": "", "games": (), "taken": (), "none": False, "left": ((2027, 30),)},
    ),
    "new": ({"first": "2027-12-20", "last": "2028-01-05", "zone": "Europe/Paris", "days": 17},),
    "ended": (),
    "moves": [
        {"seat": "white", "order": "V-NW2", "answer": "no"},
        {"seat": "yellow", "order": "pass", "answer": "pass"},
    ],
    "corrected": "V-N1",
    "restored": ({"seat": "white", "order": "V-NW2", "answer": "no"},),
    "act": "act",
    "time": duration_phrase(timedelta(days=3)),
    "attempts": ({"seat": "white", "order": "V-NW2", "answer": "no"},),
    "mine": "yellow",
    "comes": "Carl",
    "left_by": "Anna",
    "acts": (
        {
            "act": "replace",
            "game": 17,
            "seat": "white",
            "until": None,
            "zone": "UTC",
            "time": "",
            "lasts": SENT,
            "then_left": "",
            "mine": "",
            "plays": True,
            "settles": ("17/2",),
            "turn": 0,
            "orders": (),
            "end": "",
            "lines": (),
            "reason": "too many parts",
            "attempts": (),
            "gone": ({"seat": "yellow", "order": "pass", "answer": "pass"},),
            "whom": "Carl <carl@example.org>",
            "who": "Dora",
            "office": "umpire",
        },
    ),
    "left": (18,),
    "stale": False,
    "lasts": SENT,
    "then_left": "",
    "beside": tuple({"office": each, "name": "Carl"} for each in ("director", "umpire", "deputy", "appeals")),
    "told": ({"name": "Anna", "seat": "white"}, {"name": "Carl", "seat": ""}),
    "plan": True,
    "offer": True,
    "pause": True,
    "zone": "Europe/Paris",
    "hour": 18,
    "in_games": True,
    "finished": 3,
    "playing": 5,
    "names": ("Carl", "Dora"),
    "late": 2,
    "watched": 2,
    "choices": {
        "reports": "html",
        "sheets": "picture",
        "picture": "off",
        "compass": "own",
        "letters": "daily",
        "zone": "Europe/Paris",
        "now": SENT,
        "hour": 18,
        "no_picture": True,
        "address": "anna@example.net",
        "second": "",
    },
    "rulebook": "confusion",
    "preview": CONFUSION.presentation.preview(
        CONFUSION.rules.view(heard_by(WHITE, after(60)), WHITE), OrderLine(1, "H-S2")
    ),
    "what": "turn",
    "number": 5,
    "then": CONFUSION.presentation.scene(
        CONFUSION.rules.view(heard_by(WHITE, after(10)), WHITE), heard_by(WHITE, after(10)), 12
    ),
    "later": CONFUSION.presentation.scene(
        CONFUSION.rules.view(heard_by(WHITE, after(60)), WHITE), heard_by(WHITE, after(60)), 12
    ),
    "steps": steps(Plan("L-S2", (("no", Plan("K-S1")), ("yes", Plan("C-S1", (("then", Plan("C-S1")),)))))),
    "tried": True,
    "instead": True,
    "waits": False,
    "orders": ("L-S2", "K-S1"),
    "used_up": True,
    "order": "K-S1",
    "fault": Fault("own-piece", "{letter} of the same side stands on {end}", {"letter": "E", "end": "(5,9)"}),
    "why": CONFUSION.presentation.explain(CONFUSION.rules.view(heard_by(WHITE, after(60)), WHITE), "H"),
}
LISTING = tuple(
    {
        "game": 17,
        "rules": "Confusion",
        "rulebook": "confusion",
        "options": {"sheets": "off"},
        "who": "Bert",
        "state": state,
        "until": None,
        "turn": turn,
        "conditions": None,
        "absent": "",
        "offered": "draw" if state == "waiting" else "",
        "invited": None,
    }
    for state, turn in (
        ("your-move", 3),
        ("waiting", 4),
        ("challenged-you", None),
        ("you-challenged", None),
        ("open", None),
        ("yours-open", None),
    )
)


def note(code: str) -> Note:
    return Note(code, {fact: FACTS[fact] for fact in NOTES[code]})


SHEET_FORMS: tuple[SheetForm, ...] = get_args(SheetForm)


def every_report() -> dict[str, Report]:
    """Return a report of each sort, with everything that may stand in one."""
    offered = game_face(number=18, title="Confusion 18: Bert - newcomer", names={Seat("proposer"): "Bert"})
    found: dict[str, Report] = {
        "first, to move": first_report(WHITE),
        "first, to wait": first_report(YELLOW),
        "first, set by the umpire": first_report(WHITE, game=game_face(by_umpire=True, deal_by_umpire=True)),
        "to move": game_report(60, WHITE),
        "to wait": game_report(60, YELLOW),
        "threatened": game_report(75, YELLOW),
        "threatening": game_report(75, WHITE),
        "refusal": game_report(60, WHITE, fresh=0, kind="refusal", faults=(FAULT,)),
        "partly": game_report(60, YELLOW, understood=("H-W1",), faults=(FAULT,)),
        "a draw offered": game_report(60, WHITE, offer=Offer(YELLOW, "draw")),
        "one's own draw offer": game_report(60, YELLOW, offer=Offer(YELLOW, "draw")),
        "a side proposed as winner": game_report(60, WHITE, offer=Offer(YELLOW, "white")),
        "one's own proposal": game_report(60, YELLOW, offer=Offer(YELLOW, "white")),
        "a game to be given up": game_report(60, WHITE, offer=Offer(YELLOW, "none")),
        "one's own wish to give up": game_report(60, YELLOW, offer=Offer(YELLOW, "none")),
        "frozen": game_report(60, WHITE, fresh=0, frozen="A ruling is checked."),
        "won": result_report(WHITE),
        "lost": result_report(YELLOW),
        "reminder": game_report(60, WHITE, fresh=0, kind="reminder"),
        "refusal without a game": desk_report(kind="refusal", faults=(FAULT,)),
        "list": desk_report(notes=(note("games"),), listing=LISTING),
        "help": desk_report(kind="help", pages=("help",)),
        "invitation": desk_report(kind="invitation", game=offered, notes=(note("invitation"),), first=True),
    }
    found |= {f"help on {topic}": desk_report(kind="help", pages=(topic,)) for topic in TOPICS}
    found |= {f"note {code}": desk_report(notes=(note(code),)) for code in NOTES}
    found |= {
        f"note {code} in a game": game_report(60, WHITE, fresh=0, kind="receipt", notes=(note(code),))
        for code in NOTES
    }
    found |= {f"note {code} beside a report": game_report(60, WHITE, notes=(note(code),)) for code in NOTES}
    found |= {
        f"the first {n} attempts, {seat}": game_report(n, seat)
        for n in range(1, WHOLE + 1, 5)
        for seat in (WHITE, YELLOW)
    }
    found |= {
        f"the first {n} attempts, sheets as a {form}": game_report(
            n, WHITE, reader=reader(sheets=form), fresh=2
        )
        for n in (5, 21, 60, 75)
        for form in SHEET_FORMS
    }
    found["without sheets"] = without_sheets(game_report(60, WHITE))
    return found | every_report_of_spies()


def every_report_of_spies() -> dict[str, Report]:
    """Return the same of a game with sealed answers: reports in each of its states, and receipts of orders."""
    found: dict[str, Report] = {}
    for name, state in spies.states().items():
        for seat in (*spies.SPIES.seats, OBSERVER):
            found[f"spies, {name}, {seat}"] = spies.report(state, seat)
        for seat in spies.SPIES.seats:
            found[f"spies, {name}, receipt to {seat}"] = spies.report(state, seat, kind="receipt")
    began = spies.states()["begins"]
    found["spies, a first letter"] = spies.report(began, WHITE, told=0, first=True)
    found["spies, a first letter to somebody who watches"] = spies.report(began, OBSERVER, first=True)
    for form in SHEET_FORMS:
        state = spies.states()["a round"]
        found[f"spies, sheets as a {form}"] = spies.report(state, WHITE, reader=reader(sheets=form))
    return found


REPORTS = every_report()


@cache
def typed_once(name: str) -> Typeset:
    return typeset(REPORTS[name])


class Page(HTMLParser):
    """A page read back: its words, its tags and whether they close."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("span", "img"):
            self.words.append(" ")
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "title" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


# Every sort of letter


def _its_page_is_whole(letter: Typeset) -> None:
    assert letter.html is not None
    page = Page(letter.html)
    assert page.open == []
    assert page.tags.count("h1") == 1
    assert "None" not in letter.text + page.text
    assert not {"{{", "{%", "{#"} & set(re.findall(r"\{.", letter.text))
    assert len(letter.html) < 60_000


def _its_text_has_no_tabs_no_rules_no_trailing_blanks_and_no_odd_glyphs(letter: Typeset) -> None:
    text = letter.text.replace(
        "En français\u00a0: écrivez", "In French: write"
    )  # to whom English says nothing
    assert text.isascii()
    assert "\t" not in text
    assert text.endswith("\n")
    assert not re.search(r" $|^-- ?$|-{3}|={3}|\n\n\n", text, re.MULTILINE)


def _it_does_not_guess_who_is_a_man_and_shows_no_marks_of_source_code(letter: Typeset) -> None:
    for words in (letter.text, Page(letter.html or "").text, *(picture.alt for picture in letter.pictures)):
        assert not re.search(r"\b(?:he|his|him|himself|she|hers?|herself)\b|`", words)


def _its_page_has_no_links_no_forms_and_no_scripts(letter: Typeset) -> None:
    page = Page(letter.html or "")
    assert not {"a", "form", "button", "script", "input", "link"} & set(page.tags)
    assert all((value or "").startswith("cid:") for key, value in page.attributes if key == "src")
    assert ("role", "presentation") in page.attributes
    assert ("lang", "en") in page.attributes


def _the_first_line_of_its_text_is_the_heading_of_its_page(letter: Typeset) -> None:
    first = letter.text.splitlines()[0]
    assert first
    assert Page(letter.html or "").text.startswith(" ".join(first.split()))


def _text_and_page_end_with_the_same_last_line(letter: Typeset) -> None:
    last = letter.text.splitlines()[-1]
    assert "27 Nov 2026" in last
    assert Page(letter.html or "").text.endswith(last)


@pytest.mark.telling(name=[each for each in REPORTS if not each.endswith((" in a game", " beside a report"))])
@pytest.mark.parametrize("name", REPORTS)
def test_every_sort_of_letter_is_well_made(name: str) -> None:
    letter = typed_once(name)
    _its_page_is_whole(letter)
    _its_text_has_no_tabs_no_rules_no_trailing_blanks_and_no_odd_glyphs(letter)
    _it_does_not_guess_who_is_a_man_and_shows_no_marks_of_source_code(letter)
    _its_page_has_no_links_no_forms_and_no_scripts(letter)
    _the_first_line_of_its_text_is_the_heading_of_its_page(letter)
    _text_and_page_end_with_the_same_last_line(letter)


def test_what_a_fault_quotes_stands_in_quotation_marks() -> None:
    fault = Fault("no-name", "write `register YOUR NAME` first", {})
    typed = typeset(desk_report(kind="refusal", faults=(fault,)))
    assert 'Write "register YOUR NAME" first.' in typed.text
    assert 'Write "register YOUR NAME" first.' in Page(typed.html or "").text


def test_there_is_a_sort_of_letter_for_each_kind() -> None:
    kinds = {report.kind for report in REPORTS.values()} | {"notice"}
    assert kinds == set(get_args(Kind))
    assert typeset(desk_report(kind="notice", notes=(note("set-aside"),))).subject == "Referee: a notice"


@pytest.mark.slow
def test_the_same_report_gives_the_same_letter() -> None:
    again = every_report()
    for name in sorted(REPORTS)[::7]:
        assert typed_once(name) == typeset(again[name]), name


# Order


def test_a_letter_brings_news_board_answer_and_standing_in_this_order() -> None:
    text = typeset(game_report(60, WHITE)).text
    wanted = [
        "Your move, turn 31.",
        "Yellow tried H-W1: no.",
        "BOARD",
        "REPLY WITH ONE LINE, FOR EXAMPLE",
        "WHAT YELLOW LEARNED",
        "YOUR SHEET",
        "YELLOW'S SHEET",
        "WHERE EVERYTHING STANDS",
        "YOUR PIECES",
        "YELLOW'S PIECES, WHOSE TYPES YOU SEE",
        "EVERY ATTEMPT SO FAR",
        "HOW THE TYPES MOVE",
        "OTHER WORDS",
        "Letter 9, game 17, Fri 27 Nov 2026, 18:00 in Paris (17:00 UTC).",
    ]
    found = [text.index(part) for part in wanted]
    assert found == sorted(found)


def test_html_has_the_picture_between_the_news_and_the_answer() -> None:
    typed = typeset(game_report(60, WHITE))
    html = typed.html or ""
    (board,) = typed.pictures
    assert board.filename == "board.png"
    assert (
        html.index("</h1>")
        < html.index(f'src="cid:{picture_cid(board)}"')
        < html.index("Reply with one line")
    )


def test_the_example_move_stands_alone_on_its_line() -> None:
    report = game_report(60, WHITE)
    example = report.due[WHITE].forms[0]
    lines = typeset(report).text.splitlines()
    place = lines.index(example)
    assert lines[place - 1].upper() == "REPLY WITH ONE LINE, FOR EXAMPLE" or lines[place - 2].isupper()
    assert lines[place + 1] == ""


def test_who_waits_is_told_for_whom_and_gets_no_example() -> None:
    text = typeset(game_report(60, YELLOW)).text
    assert "Nothing is due from you now; you will hear as soon as White (Bert) has moved." in text
    assert "REPLY WITH" not in text


def test_the_mover_hears_his_answer_first() -> None:
    assert typeset(game_report(61, WHITE)).text.startswith("VZ-S2: yes. Yellow (Anna) is to move, turn 32.\n")


def test_the_last_line_differs_from_letter_to_letter() -> None:
    one = typeset(game_report(60, WHITE)).text.splitlines()[-1]
    other = typeset(game_report(60, WHITE, number=10)).text.splitlines()[-1]
    assert one != other
    soon = typeset(desk_report(sent=SENT.replace(second=6), notes=(note("renamed"),)))
    assert soon.text.splitlines()[-1] != typeset(desk_report(notes=(note("renamed"),))).text.splitlines()[-1]


# Who reads


def test_yellow_looks_north_and_white_looks_south() -> None:
    yellow, white = typeset(game_report(61, YELLOW)).text, typeset(game_report(61, WHITE)).text
    assert "\n11 .  .  .  .  .  .  p  o  n  .  .  11\n" in yellow
    assert "Drawn from your side: north is up." in yellow
    assert "\n11 .  .  N  O  P  .  .  .  .  .  .  11\n" in white
    assert "Drawn from your side: south is up, west is right." in white
    assert yellow.index("\n11 ") < yellow.index("\n 1 ")
    assert white.index("\n 1 ") < white.index("\n11 ")


def test_an_attempt_is_told_in_one_sentence_to_each_side() -> None:
    white, yellow = typeset(game_report(61, WHITE)).text, typeset(game_report(61, YELLOW)).text
    assert "You tried VZ-S2: yes. Your V went with Z from (4,10) to (4,8)." in white
    assert "White tried VZ-S2: yes. The white Tower V went with Z from (4,10) to (4,8)." in yellow


def test_captures_z_and_promotion_are_told() -> None:
    text = typeset(game_report(75, YELLOW)).text
    assert (
        "White tried T-SW2xPxZ+: yes. The white Abbot T went from (8,3) to (6,1)"
        " and captured your P and took Z, and was promoted." in text
    )
    assert "T holds Z on your first rank: capture it in this turn, or White (Bert) wins." in text
    assert "unless Yellow (Anna) captures it in this turn, you win." in typeset(game_report(75, WHITE)).text


def test_a_pass_of_z_is_told() -> None:
    assert (
        "You tried Z-S1>T: yes. Z went from (4,8) to (4,7), where your T now controls it."
        in typeset(game_report(63, WHITE)).text
    )


@pytest.mark.parametrize("attempts", telling([0, 21, 42, 63], others=range(0, WHOLE, 7)))
@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_no_letter_before_the_end_shows_a_type_of_the_readers_own(attempts: int, seat: Seat) -> None:
    typed = typeset(game_report(attempts, seat, fresh=min(attempts, 2), reader=reader(form="json")))
    mine = typed.text.partition("YOUR PIECES\n")[2].partition("\nYELLOW'S" if seat == WHITE else "\nWHITE'S")[
        0
    ]
    assert mine
    assert not re.search(
        r"[a-z]{4}.*\b(\d\d?)\b", mine.partition("Captured")[0].replace("promoted", "").replace("with Z", "")
    )
    assert ":" not in mine.replace("Captured by Yellow:", "").replace("Captured by White:", "")
    assert json.loads(typed.json or "")["own_types"] is None


def test_every_attempt_so_far_stands_with_its_answer() -> None:
    text = typeset(game_report(61, WHITE)).text
    rows = text.partition("    Yellow          White\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) == 31
    assert rows[0] == " 1. -               L-S2 yes"
    assert rows[10] == "11. V-NW2xS+ yes    K-NE1xV yes"
    assert rows[30] == "31. H-W1 no         VZ-S2 yes"
    page = Page(typeset(game_report(61, WHITE)).html or "").text
    assert "11 V-NW2xS+ yes K-NE1xV yes" in page


@pytest.mark.parametrize("attempts", telling([0, 16, 32, 48, 64], others=range(0, WHOLE + 1, 4)))
@pytest.mark.parametrize("seat", [WHITE, YELLOW])
def test_drawings_and_tables_keep_38_columns(attempts: int, seat: Seat) -> None:
    text = typeset(game_report(attempts, seat, fresh=0, told=1)).text
    board = text.partition("BOARD\n")[2].partition("\n\n")[0].splitlines()
    table = text.partition("    Yellow          White\n")[2].partition("\n\n")[0].splitlines()
    assert len(board) == 13
    assert max(map(len, board + table)) <= 38


@pytest.mark.parametrize("attempts", range(0, WHOLE + 1, 15))
def test_the_drawing_and_the_lists_tell_the_same(attempts: int) -> None:
    text = typeset(game_report(attempts, YELLOW, fresh=0, told=1)).text
    board = text.partition("BOARD\n")[2].partition("\n\n")[0].splitlines()[1:-1]
    drawn = set()
    for row in board:
        for file in range(11):
            cell = row[3 + 3 * file : 6 + 3 * file].strip()
            if cell[0] not in ".*":
                drawn.add((cell[0], file + 1, int(row[:2])))
    listed = set()
    for title, case in (("\nYOUR PIECES", str.upper), ("\nWHITE'S PIECES", str.lower)):
        part = text.partition(title)[2].partition("\n\n")[0]
        for letter, file, rank in re.findall(r"^([A-Z]) \((\d+),(\d+)\)", part, re.MULTILINE):
            listed.add((case(letter), int(file), int(rank)))
    assert drawn == listed


# First letters, results, refusals


def test_the_first_letter_explains_the_game_and_seals_the_deal() -> None:
    text = typeset(first_report(WHITE)).text
    assert text.startswith("Your move, turn 1: you play White against Anna, and you begin.\n")
    assert "Just reply with your move" in text
    assert f"\n{COMMITMENT}\n" in text
    assert "CONFUSION IN BRIEF" in text
    assert "umpire, not drawn" not in text
    assert COMMITMENT in (typeset(first_report(WHITE)).html or "")


def test_an_opponent_without_a_name_is_called_by_his_colour() -> None:
    text = typeset(first_report(WHITE, game=game_face(names={WHITE: "Bert", YELLOW: "Yellow"}))).text
    assert "you play White, your opponent plays Yellow." in text
    assert "You play White, against Yellow." in text


def test_the_first_letter_says_when_the_umpire_set_the_deal() -> None:
    text = typeset(first_report(YELLOW, game=game_face(deal_by_umpire=True))).text
    assert text.startswith("A game begins: you play Yellow against Bert, who has the first turn.\n")
    assert "The deal of this game was set by the umpire, not drawn." in text


def test_the_result_reveals_both_deals_the_secret_and_the_record() -> None:
    typed = typeset(result_report(YELLOW))
    assert typed.text.startswith("White (Bert) has won by holding Z on the opponent's first rank.\n")
    assert "YOUR PIECES, REVEALED" in typed.text
    assert "S (8,2): King 6" in typed.text
    assert (
        "Captured by White: A (Tower 4), V (Crab 9), T (Novice 5), K (Bishop 10), P (Sprinkler 7)."
        in typed.text
    )
    assert f"\n{SECRET}\n" in typed.text
    assert f"\n{COMMITMENT}\n" in typed.text
    assert typed.record is not None
    assert typed.record in typed.text
    assert "YellowName = Anna" in typed.record
    assert f"Secret = {SECRET}" in typed.record
    assert typeset(result_report(WHITE)).text.startswith("You have won by ")


def test_a_game_that_goes_on_has_no_record_part_and_shows_no_secret() -> None:
    typed = typeset(game_report(60, WHITE, game=game_face(secret=SECRET)))
    assert typed.record is None
    assert SECRET not in typed.text


def test_a_refusal_says_where_what_why_and_what_was_meant_and_what_is_due() -> None:
    text = typeset(REPORTS["refusal"]).text
    assert text.startswith("Not accepted. It is still your move, turn 31.\n")
    assert "Line 3, column 1, B-NW2: there is no piece B. Did you mean V-NW2? (CF-4.2)" in text
    assert text.index("Did you mean") < text.index("BOARD") < text.index("REPLY WITH ONE LINE")


def test_good_lines_are_named_beside_bad_ones() -> None:
    text = typeset(REPORTS["partly"]).text
    assert "Taken: H-W1." in text
    assert "there is no piece B" in text


def test_an_invitation_explains_itself_and_takes_one_word() -> None:
    text = typeset(REPORTS["invitation"]).text
    assert text.startswith("Bert challenges you to a game of Confusion by letter.\n")
    assert "\naccept\n" in text
    assert "decline" in text
    assert "CONFUSION IN BRIEF" in text
    assert "If you do not answer at all, nothing happens" in text


ELSE = "press (messages to each other) with names, nobody may watch"
"""What else is agreed where nobody says anything of it."""


@pytest.mark.parametrize(
    ("options", "to_the_proposer", "to_the_invited"),
    [
        ({}, "", f"colours by lot, the first turn by lot, deduction sheets in each letter, {ELSE}"),
        (
            {"sheets": "on"},
            "",
            f"colours by lot, the first turn by lot, deduction sheets in each letter, {ELSE}",
        ),
        (
            {"sheets": "off"},
            "",
            f"colours by lot, the first turn by lot, {ELSE}",
        ),
        (
            {"colour": "white", "sheets": "OFF", "first": "yellow", "pace": "slow"},
            "; you play White, Yellow begins, pace=slow",
            f"Bert plays White, Yellow begins, {ELSE}, pace=slow",
        ),
        (
            {"press": "anonymous", "watchers": "2"},
            "",
            "colours by lot, the first turn by lot, deduction sheets in each letter",
        ),
        (
            {"time": "7d/move", "lapse": "soft", "first": "white"},
            "; White begins",
            f"colours by lot, White begins, deduction sheets in each letter, {ELSE}",
        ),
    ],
)
def test_options_of_a_proposal_are_said_in_words_each_of_them_once(
    options: dict[str, str], to_the_proposer: str, to_the_invited: str
) -> None:
    """What has a sentence of its own does not stand in the list before it as well."""
    asked = {**FACTS, "options": options}
    texts = {
        code: typeset(desk_report(notes=(Note(code, {fact: asked[fact] for fact in NOTES[code]}),))).text
        for code in ("challenged", "opened", "invitation")
    }
    assert texts["challenged"].startswith(
        f"You have challenged carl@example.org: Confusion{to_the_proposer}.\n"
    )
    assert texts["opened"].startswith(
        f"Game 18 is open to whoever joins first: Confusion{to_the_proposer}.\n"
    )
    assert f"\nThe terms: {to_the_invited}.\n" in texts["invitation"]
    other = "yellow" if options.get("first") == "white" else "white"
    may = f"You may answer with other terms, for example accept option first={other}.\n"
    assert may in texts["invitation"]
    explained = {
        "deduction sheets: both players work out": options.get("sheets", "on").lower() == "off",
        "Press would bear the writer's colour": options.get("press") == "anonymous",
        "Others may watch this game: they hear": options.get("watchers") == "2",
        "7 days a move. When it is used up, the opponent may claim": "time" in options,
    }
    for sentence, holds in explained.items():
        assert {text.count(sentence) for text in texts.values()} == {int(holds)}
    for told in ("no deduction sheets", "press without names", "others may watch", "a claim only"):
        assert not any(told in text.replace("hold no deduction sheets", "") for text in texts.values())


def test_who_changes_the_sheets_is_told_how_to_see_them_unless_they_follow() -> None:
    said = "To see them, write status as a reply to a letter of a game that has such sheets.\n"
    chosen = Note("preference", {"key": "sheets", "value": "list", "no_picture": False})
    alone = typeset(desk_report(notes=(chosen,)))
    assert said in alone.text
    assert said.strip() in Page(alone.html or "").text
    assert said in typeset(desk_report(notes=(note("renamed"), chosen))).text
    assert said not in typeset(game_report(60, WHITE, notes=(chosen,))).text
    assert said not in typeset(desk_report(notes=(note("preference"),))).text


def test_a_list_is_told_from_its_reader_s_side() -> None:
    lines = typeset(REPORTS["list"]).text.splitlines()
    assert "17: Confusion against Bert; your move, turn 3." in lines
    assert (
        "17: Confusion against Bert, who is to move; turn 4. A draw is offered to you; to agree, write draw 17."
        in lines
    )
    assert (
        "17: Confusion, no deduction sheets, offered to you by Bert; reply accept 17 or decline 17." in lines
    )
    assert "17: Confusion, no deduction sheets, offered by you to Bert; it waits for an answer." in lines


def test_who_plays_several_games_gets_an_example_that_names_its_game() -> None:
    assert "\n17: K-N1\n" in typeset(
        game_report(60, WHITE, due={WHITE: Question("order", ("K-N1",))}, listing=LISTING)
    ).text  # fmt: skip


def test_a_draw_offer_does_not_say_that_nothing_is_due() -> None:
    offered = Note("was-offered", {"who": "Bert", "due": False, "end": "draw", "seat": "white"})
    offer = Offer(WHITE, "draw")
    text = typeset(game_report(60, YELLOW, fresh=0, kind="notice", notes=(offered,), offer=offer)).text
    assert text.startswith("Bert offers a draw.\n")
    assert "do nothing: the offer lapses when you make your next move" in text
    assert "Nothing is due" not in text


def test_a_player_without_a_name_is_told_how_he_is_called() -> None:
    assert "You are called White here" not in typeset(first_report(WHITE)).text
    nameless = replace(first_report(WHITE), reader=replace(reader(), name=""))
    assert "You are called White here until you write register NAME." in typeset(nameless).text


def test_the_rules_in_brief_stand_before_the_types_and_the_seal() -> None:
    text = typeset(first_report(WHITE)).text
    assert text.index("CONFUSION IN BRIEF") < text.index("HOW THE TYPES MOVE") < text.index("THE SEAL")


def test_a_help_page_is_the_last_that_a_letter_says() -> None:
    assert "OTHER WORDS" not in typeset(game_report(60, WHITE, fresh=0, kind="help", pages=("help",))).text


# Subjects


def test_a_question_about_a_held_letter_asks_in_its_subject() -> None:
    assert (
        typeset(desk_report(kind="notice", notes=(note("held"),))).subject == "Referee: did you write this?"
    )


def test_the_first_subject_of_a_thread_has_no_news_and_later_ones_keep_the_rest() -> None:
    assert typeset(first_report(WHITE)).subject == "[game 17] Confusion 17: Anna - Bert"
    assert typeset(game_report(60, WHITE)).subject == "Re: [game 17] [your move 31] Confusion 17: Anna - Bert"
    assert typeset(result_report(WHITE)).subject == "Re: [game 17] [ended] Confusion 17: Anna - Bert"


def test_letters_without_a_game_have_plain_subjects() -> None:
    assert typeset(REPORTS["help"]).subject == "Referee: help"
    assert typeset(desk_report(news="accepted", notes=(note("registered"),))).subject == "Referee: accepted"


# The part for programs


def test_the_part_for_programs_holds_the_view_and_what_the_letter_is() -> None:
    said = json.loads(typeset(game_report(61, YELLOW, reader=reader(form="json"))).json or "")
    assert {
        key: said[key] for key in ("game", "rules", "seat", "number", "kind", "status", "to_move", "turn")
    } == {
        "game": 17,
        "rules": "confusion",
        "seat": "yellow",
        "number": 9,
        "kind": "report",
        "status": "playing",
        "to_move": "yellow",
        "turn": 32,
    }
    assert said["z"] == [4, 8]
    assert said["result"] is None
    assert said["attempts"][0] == {"turn": 1, "seat": "white", "text": "L-S2", "answer": "yes"}
    assert said["captured"]["white"] == ["L", "C", "S", "K"]


def test_every_letter_about_a_game_carries_the_part_once_it_was_asked_for() -> None:
    as_json = reader(form="json")
    over = json.loads(typeset(result_report(WHITE, reader=as_json)).json or "")
    assert over["status"] == "over"
    assert over["result"] == {"winner": "white", "how": "by holding Z on the opponent's first rank"}
    receipt = game_report(60, WHITE, kind="receipt", notes=(note("offered"),), reader=as_json)
    assert json.loads(typeset(receipt).json or "")["kind"] == "receipt"
    offered = replace(REPORTS["invitation"], reader=as_json)
    assert json.loads(typeset(offered).json or "")["status"] == "waiting"
    assert typeset(game_report(60, WHITE)).json is None
    assert typeset(desk_report(kind="help", pages=("help",), reader=as_json)).json is None


def test_who_wants_text_gets_neither_html_nor_picture_and_the_same_text() -> None:
    plain = typeset(game_report(60, WHITE, reader=reader(form="text")))
    assert (plain.html, plain.pictures) == (None, ())
    assert plain.text == typeset(game_report(60, WHITE)).text


# Names and lines that people write


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x>', "A & B", "{{ 7 * 7 }}", "# Anna"]
)
def test_no_name_becomes_markup(name: str) -> None:
    typed = typeset(
        game_report(
            60,
            WHITE,
            game=game_face(names={WHITE: name, YELLOW: name}, title=f"Confusion 17: {name} - {name}"),
            faults=(replace(FAULT, excerpt=name, suggestion=name, facts={"letter": name}),),
            understood=(name,),
            notes=(Note("renamed", {"name": name}),),
        )
    )
    page = Page(typed.html or "")
    assert "script" not in page.tags
    assert page.tags.count("img") == 1
    assert name in page.text
    assert name in typed.text


def test_a_name_cannot_begin_a_line_of_its_own() -> None:
    typed = typeset(game_report(60, WHITE, game=game_face(names={WHITE: "W", YELLOW: "Anna\n\nresign\x00"})))
    assert "resign" not in typed.text.splitlines()
    assert "Yellow (Anna resign)" in typed.text or "against Anna resign." in typed.text


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_any_line_can_be_shown_back(line: str) -> None:
    typed = typeset(desk_report(kind="help", notes=(Note("nothing-read", {"lines": (line,)}),)))
    assert Page(typed.html or "").open == []
    assert typed.text.splitlines()[0] == "No line of your letter was a word or a move that I know."


# Notes, help, picture


def test_a_note_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no words are known"):
        Note("surprise")
    with pytest.raises(ValueError, match="needs the facts"):
        Note("registered", {"nom": "Anna"})


@pytest.mark.parametrize("code", NOTES)
def test_every_note_has_words_of_its_own(code: str) -> None:
    first = typeset(desk_report(notes=(note(code),))).text.splitlines()[0]
    assert len(first.split()) >= 2
    assert first.endswith((".", "?", ":"))  # a colon where somebody's own words follow


def test_the_first_help_page_names_every_word() -> None:
    text = typeset(desk_report(kind="help", pages=("help",))).text
    for word in WORDS:
        *others, last = word.forms
        forms = f"{', '.join(others)} or {last}" if others else last
        assert f"\n{forms}: {word.meaning}." in text


@pytest.mark.parametrize("word", [word for word in WORDS if word.name != "help"], ids=lambda word: word.name)
def test_each_word_has_a_page_with_an_example(word: Any) -> None:
    text = typeset(desk_report(kind="help", pages=(word.name,))).text
    for example in word.examples:
        assert f"\n{example}\n" in text


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("word", [word for word in WORDS if word.name != "help"], ids=lambda word: word.name)
def test_the_page_of_a_word_says_more_than_the_table(word: Any, language: str) -> None:
    """What comes of it, who hears of it: two sentences at least, besides the forms and their meaning."""
    text = typeset(desk_report(kind="help", pages=(word.name,), reader=reader(language=language))).text
    said = text.partition("\n\n")[2].partition("Par exemple" if language == "fr" else "For example")[0]
    first, *more = said.strip().split("\n\n")
    assert vocabulary(language).writer.write_form(word.form) in first or word.name == "set"
    sentences = len(re.findall(r"[.:](?:\s|$)", "\n".join(more)))
    assert sentences >= 2, more


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_about_options_lists_them_all(language: str) -> None:
    page = desk_report(kind="help", pages=("options",), reader=reader(language=language))
    text = typeset(page).text
    for key in (PRESS, WATCHERS, *KEYS, "first", "sheets", "colour"):
        assert f"{key}=" in text


@pytest.mark.parametrize(("language", "heading"), [("en", "THE SHEETS"), ("fr", "LES FICHES")])
def test_the_page_about_sheets_begins_with_them(language: str, heading: str) -> None:
    page = desk_report(
        kind="help", pages=("confusion sheets",), rulebooks=(CONFUSION,), reader=reader(language=language)
    )
    _, headed, *_ = typeset(page).text.split("\n\n")
    assert headed.startswith(f"{heading}\n")


def test_the_page_of_set_says_what_each_choice_brings() -> None:
    (word,) = (word for word in WORDS if word.name == "set")
    text = typeset(desk_report(kind="help", pages=("set",))).text
    forms = [
        f"{begin} {choice}"
        for begin, _, choices in (form.rpartition(" ") for form in word.forms)
        for choice in choices.split("|")
    ]
    assert len(forms) == 29
    assert [line.partition(":")[0] for line in text.splitlines() if re.match(r"set \w+ \w+:", line)] == forms


def test_the_page_of_the_game_lists_the_types_of_the_table_in_use() -> None:
    text = typeset(desk_report(kind="help", pages=("confusion",))).text
    assert "\n1 Rocket: up to 4 squares, forward.\n" in text
    assert "\n6 King: 1 square, any direction.\n" in text
    assert (
        "\nPromoted: up to 2 squares, any direction. A Rocket, Novice, Crab or Abbot is promoted when" in text
    )
    assert "Write help confusion" not in text
    assert "When a Rocket, Novice, Crab or Abbot reaches the far rank" in text


def test_an_unknown_help_page_is_an_error() -> None:
    with pytest.raises(ValueError, match="no help page"):
        typeset(desk_report(kind="help", pages=("chess",)))


@pytest.mark.parametrize("attempts", range(0, WHOLE + 1, 9))
def test_the_words_for_the_picture_are_short(attempts: int) -> None:
    (board,) = typeset(game_report(attempts, WHITE, fresh=min(attempts, 2), told=1)).pictures
    alt = board.alt
    assert alt.endswith("Every piece is listed below.")
    assert len(alt) <= LONGEST_ALT


def test_what_is_due_may_have_no_example() -> None:
    typed = typeset(game_report(60, WHITE, due={WHITE: Question("order", ("K-N1",))}))
    assert "\nK-N1\n" in typed.text


@pytest.mark.parametrize("report", [first_report(WHITE), game_report(75, WHITE), result_report(YELLOW)])
def test_a_whole_letter_stays_under_45_kilobytes(report: Report) -> None:
    typed = typeset(replace(report, reader=reader(form="json")))
    attachments = [Attachment("report.json", "application/json", typed.json or "")]
    if typed.record:
        attachments.append(Attachment("game-17.txt", "text/plain", typed.record))
    letter = OutgoingLetter(
        message_id="m@example.org",
        recipient="anna@example.net",
        recipient_name="Anna",
        kind=report.kind,
        subject=typed.subject,
        sent=SENT,
        text=typed.text,
        html=typed.html,
        pictures=typed.pictures,
        attachments=tuple(attachments),
        game=17,
        number=9,
    )
    raw = write_letter(letter, service_name="Referee", service_address="referee@example.org")
    assert len(raw) < 45_000 + len(typed.json or "") + len(typed.record or "")


@pytest.mark.parametrize("filters", ["flow", "capital", "sentence"])
def test_what_is_markup_in_one_place_is_escaped_as_text_in_another(filters: str) -> None:
    """However often either comes, and whichever comes first."""
    template = templates.environment("html", "en").from_string(f"{{{{ text | {filters} }}}}")
    for text in (Markup("<b>x</b>."), "<b>x</b>.", Markup("<i>y</i>."), "<i>y</i>.") * 2:
        said = template.render(text=text)
        assert ("<" in said) == isinstance(text, Markup), text
