"""Deduction sheets and lessons as letters tell them: every form says the same, and without sheets there is no trace."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

from referee.mail.message.message import Kind
from referee.mail.message.mime_writer import picture_cid
from referee.reports.renderer import BOARD_KINDS, typeset
from referee.reports.report import Report, SheetForm
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.deduction import sheet
from referee.rulebooks.confusion.position import Position, View, opponent
from referee.rulebooks.confusion.reach import reach
from referee.rulebooks.confusion.reasons import Explanation
from referee.rulebooks.confusion.rulebook import ConfusionSheets
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Happening, Seat
from tests.reports.material import (
    CONFUSION,
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
from tests.reports.test_renderer import FAULT, Page
from tests.rulebooks.confusion.drawn import SEATS, played


class TwoSheets(ConfusionSheets):
    def picture(self, view: View, language: str = "en") -> bytes | None:
        return b"two sheets"


class Pictured(Confusion):
    """The game with a picture of its sheets that nobody needs to look at."""

    sheets = TwoSheets()


FORMS: tuple[SheetForm, ...] = get_args(SheetForm)
TABLE = default_table()
ALL = tuple(range(1, 13))
Shown = Mapping[str, tuple[int, ...]]


def part(text: str, heading: str) -> str:
    """Return what stands below a heading of a plain text, up to the next."""
    return re.split(r"\n\n[A-Z][A-Z', ]{4,}\n", f"\n\n{text}".partition(f"\n\n{heading}\n")[2])[0]


def headings_of(seat: Seat) -> tuple[str, str]:
    return "YOUR SHEET", f"{opponent(seat).upper()}'S SHEET"


def read_sheet(lines: Sequence[str]) -> Shown:
    """Read a sheet as a player does, grid or list; what its lines do not say stays out."""
    found: dict[str, tuple[int, ...]] = {}
    for line in lines:
        begin = re.match(r"((?:\(?[A-Z]\)?\+?(?:, )?)+)(:?)\s(.*)", line.strip())
        if begin is None or re.match(r"A (?:deal|dot)\b", line.strip()):
            continue
        marks, colon, said = begin.groups()
        if said.startswith("anything still"):
            types = ALL
        elif not colon:
            types = tuple(map(int, re.findall(r"\b\d+\b", said)))
        elif said.startswith("anything but"):
            types = tuple(sorted(set(ALL) - set(map(int, re.findall(r"[a-z] (\d+)", said)))))
        else:
            types = tuple(map(int, re.findall(r"[a-z] (\d+)", said)))
        found |= dict.fromkeys(re.findall("[A-Z]", marks), types)
    return found


def text_sheets(report: Report) -> tuple[Shown, Shown]:
    assert report.seat is not None
    text = typeset(report).text
    mine, theirs = (read_sheet(part(text, heading).splitlines()) for heading in headings_of(report.seat))
    return mine, theirs


def html_sheets(report: Report) -> tuple[Shown, Shown]:
    """Read the sheets of a page: rows of a table as they are shown without a style, lines of a list."""
    page = (typeset(report).html or "").replace("\u00a0", " ").replace("&#39;", "'")
    found = []
    for heading in ("Your sheet", f"{opponent(report.seat or WHITE).capitalize()}'s sheet"):
        shown = page.partition(f">{heading}</h2>")[2].partition("<h2")[0]
        rows = re.sub(r"<(?:/tr|/p|br)>", "\n", shown)
        lines = [re.sub(r"<[^>]+>", " ", re.sub(r"</?b>", "", row)) for row in rows.splitlines()]
        found.append(read_sheet([" ".join(line.split()) for line in lines]))
    mine, theirs = found
    return mine, theirs


def known_to(report: Report) -> tuple[Shown, Shown]:
    """Return what the letter should show, of the reader's pieces and of his opponent's."""
    assert report.seat is not None
    board = CONFUSION.rules.view(report.heard, report.seat).board
    mine, theirs = (sheet(TABLE, board.attempts, seat).open for seat in (report.seat, opponent(report.seat)))
    return mine, theirs


def report_of(where: Position, happenings: Sequence[Happening], seat: Seat, form: SheetForm) -> Report:
    """Return a report of a game that was played at random."""
    opened = heard_by(seat, after(0))[:1]
    deal = {"seat": opponent(seat), "types": dict(where.deals[opponent(seat)])}
    dealt = replace(heard_by(seat, after(0))[1], facts=deal)
    heard = (*opened, dealt, *heard_by(seat, happenings))
    return replace(
        game_report(10, seat),
        reader=reader(sheets=form),
        heard=heard,
        told=len(heard),
        due=CONFUSION.rules.due(where),
    )


# Every form says the same


@pytest.mark.parametrize("attempts", [5, 9, 21, 41, 60, 61, 75])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("form", FORMS)
def test_text_and_page_show_what_the_sheets_leave_open(attempts: int, seat: Seat, form: SheetForm) -> None:
    report = game_report(attempts, seat, reader=reader(sheets=form))
    assert text_sheets(report) == known_to(report)
    if form != "picture":
        assert html_sheets(report) == known_to(report)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    turns=st.integers(2, 70),
    seat=st.sampled_from(SEATS),
    form=st.sampled_from(["grid", "list"]),
)
def test_in_any_game_text_and_page_show_what_the_sheets_leave_open(
    seed: int, turns: int, seat: Seat, form: SheetForm
) -> None:
    where, happenings = played(seed, TABLE, turns)
    if where.board.result is not None:
        return
    report = report_of(where, happenings, seat, form)
    for shown in (text_sheets(report), html_sheets(report)):
        for sheet_shown, known in zip(shown, known_to(report), strict=True):
            assert sheet_shown == known or (not sheet_shown and set(known.values()) == {ALL})


@pytest.mark.parametrize("attempts", range(2, WHOLE, 6))
@pytest.mark.parametrize("seat", SEATS)
def test_lines_of_the_grid_keep_38_columns_and_stand_under_each_other(attempts: int, seat: Seat) -> None:
    text = typeset(game_report(attempts, seat)).text
    for heading in headings_of(seat):
        drawn = [
            line for line in part(text, heading).splitlines() if re.match(r"(\([A-Z]\)| [A-Z][ +]) ", line)
        ]
        assert drawn or "Nothing can be known" in part(text, heading)
        assert all(len(line) <= 38 for line in drawn)
        for line in drawn:
            for found in re.finditer(r"\d+", line):
                number = int(found[0])
                certain = re.fullmatch(r"....\d+ [A-Z].*", line)
                assert certain or found.start() == 4 + 2 * (number - 1) + max(0, number - 10)


def test_how_many_deals_are_left_is_told_beside_each_sheet() -> None:
    text = typeset(game_report(75, WHITE)).text
    assert part(text, "YOUR SHEET").startswith(
        "What you can know of your pieces: 480 deals agree with all answers."
    )
    assert part(text, "YELLOW'S SHEET").startswith(
        "What Yellow can know of the yellow pieces: 828 deals agree with all answers."
    )
    early = typeset(game_report(1, WHITE)).text
    assert "199,584,000 deals agree with all answers." in early


def test_a_sheet_of_which_nothing_is_known_is_one_sentence() -> None:
    text = typeset(game_report(1, YELLOW)).text
    assert (
        part(text, "YOUR SHEET")
        == "Nothing can be known of your pieces yet: each letter can be any of the types."
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_first_letter_says_what_the_sheets_will_be(form: SheetForm) -> None:
    typed = typeset(first_report(WHITE, reader=reader(sheets=form)))
    text = part(typed.text, "THE SHEETS")
    assert text.startswith("Nothing is known yet: each letter can be any of the types.")
    assert "Yellow's what can be known in the same way of the yellow ones;" in text
    assert "how many deals agree with all answers. A deal is one way to give the twelve types" in text
    assert "set sheets list" in text
    assert "YOUR SHEET" not in typed.text
    assert 'class="s"' not in (typed.html or "")


def test_the_list_names_the_types_with_their_shares_where_these_differ() -> None:
    lines = part(typeset(game_report(41, WHITE, reader=reader(sheets="list"))).text, "YELLOW'S SHEET")
    assert "\nC: King 6, Sprinkler 7, Wimp 8\n" in lines
    assert "\nT: Hen's Foot 3 (44%), Tower 4 (44%), Novice 5 (12%)\n" in lines
    assert "\nE: anything but Rocket 1, Probe 2, Hen's Foot 3 and Tower 4\n" in lines
    assert "\n(A), L, N, O, S: anything still\n" in lines
    mine = part(typeset(game_report(41, WHITE, reader=reader(sheets="list"))).text, "YOUR SHEET")
    assert "\nV: Tower 4, certain\n" in mine


def test_captured_and_promoted_letters_are_explained_where_there_are_some() -> None:
    early = typeset(game_report(6, YELLOW)).text
    assert "captured" not in part(early, "WHITE'S SHEET")
    assert "promoted" not in part(early, "WHITE'S SHEET")
    text = typeset(game_report(20, YELLOW)).text
    assert "\n V+ . . . . 5 . . . 9 .  .  12\n" in text
    assert "In brackets: captured. With +: promoted; the line is about the type that was dealt.\n" in text


@pytest.mark.parametrize(
    ("attempts", "form", "in_text", "on_page"),
    [
        (1, "grid", "A dot: ruled out.", "A dot: ruled out. Bold: new since your last letter."),
        (
            60,
            "grid",
            "A dot: ruled out. A name: certain. In brackets: captured.",
            "A dot: ruled out. One name across: certain. Bold: new since your last letter. In brackets: captured.",
        ),
        (3, "list", "anything still", "Bold: new since your last letter."),
    ],
)
def test_the_signs_of_the_sheets_are_explained_in_the_words_of_their_medium(
    attempts: int, form: SheetForm, in_text: str, on_page: str
) -> None:
    typed = typeset(game_report(attempts, WHITE, reader=reader(sheets=form)))
    page = Page(typed.html or "").text
    assert ("ruled out." in typed.text) == (form == "grid")
    assert f"{in_text}\n\nThe word why" in typed.text
    assert on_page in page
    assert "Bold" not in typed.text
    assert "Bold" not in (typeset(game_report(60, WHITE, fresh=0, reader=reader(sheets=form))).html or "")


def test_a_grid_of_which_no_type_is_certain_explains_no_name() -> None:
    assert "certain" not in part(typeset(game_report(5, WHITE)).text, "YELLOW'S SHEET")


def test_deals_and_percentages_are_explained_once_where_there_are_some() -> None:
    said = (
        "A deal is one way to give the twelve types to the twelve letters."
        " A percentage says in how many of the deals left a letter is that type;"
        " without one, all its types are equally likely."
    )
    for attempts, form, times in ((41, "list", 1), (41, "picture", 1), (1, "list", 0), (41, "grid", 0)):
        text = typeset(game_report(attempts, WHITE, reader=reader(sheets=form))).text
        assert text.count(said) == times
        assert (re.search(r"\d%\)", text) is not None) == bool(times)


def test_the_board_of_a_page_says_what_its_marks_mean_where_there_may_be_some() -> None:
    said = (
        "A filled triangle: one of your pieces can go there for certain. An outlined one: perhaps. It points away"
        " from the piece; a piece without any may go anywhere."
    )
    html = typeset(game_report(20, YELLOW)).html or ""
    assert html.index("board-") < html.index("Nothing is due from you now") < html.index(said)
    assert html.index(said) < html.index("Your sheet")
    assert said not in typeset(game_report(20, YELLOW)).text
    for without in (
        game_report(1, YELLOW),
        first_report(YELLOW),
        result_report(YELLOW),
        without_sheets(game_report(20, YELLOW)),
    ):
        assert "triangle" not in (typeset(without).html or "")
    for seat in SEATS:
        for attempts in range(1, WHOLE, 7):
            report = game_report(attempts, seat)
            if reach(CONFUSION.rules.view(report.heard, seat)):
                assert said in (typeset(report).html or "")


@pytest.mark.parametrize(
    ("attempts", "seat", "form", "said"),
    [
        (
            1,
            WHITE,
            "grid",
            "why L brings the answers behind the line of L; set sheets list or set sheets picture",
        ),
        (
            1,
            YELLOW,
            "list",
            "why white L brings the answers behind the line of L; set sheets grid or set sheets picture",
        ),
        (
            60,
            WHITE,
            "picture",
            "why A brings the answers behind the line of A; set sheets grid or set sheets list",
        ),
    ],
)
def test_below_the_sheets_stands_how_to_ask_and_how_else_they_look(
    attempts: int, seat: Seat, form: SheetForm, said: str
) -> None:
    typed = typeset(game_report(attempts, seat, reader=reader(sheets=form)))
    assert f"\n\nThe word {said} changes the look.\n\nWHERE EVERYTHING STANDS\n" in typed.text
    assert f"The word {said} changes the look. Where everything stands" in Page(typed.html or "").text
    word, letter = re.findall(r"The word (why(?: white)?) (\w) ", typed.text)[0]
    view = CONFUSION.rules.view(game_report(attempts, seat).heard, seat)
    explained = CONFUSION.presentation.explain(view, f"{word} {letter}".removeprefix("why "))
    assert isinstance(explained, Explanation)
    assert not explained.untouched


def test_what_cannot_be_asked_is_not_offered() -> None:
    assert "The word why" not in typeset(game_report(0, WHITE, fresh=0, told=2)).text
    assert "The word why" not in typeset(first_report(WHITE)).text


def test_new_knowledge_is_bold_on_the_page() -> None:
    html = (typeset(game_report(60, WHITE)).html or "").replace("\u00a0", " ")
    assert '<th scope="row">H</th><td class="k" colspan="12"><b>11 Cardinal</b></td>' in html
    assert '<th scope="row">L</th><td class="k" colspan="12">2 Probe</td>' in html
    assert '<th scope="row">C</th><td>.</td><td>.</td><td>.</td><td>.</td><td>.</td><td>6</td>' in html
    assert "<b>9</b>" in html
    listed = typeset(game_report(60, WHITE, reader=reader(sheets="list"))).html or ""
    assert "<b>H</b>: " in listed


def test_grids_are_data_tables_with_short_lines_and_no_styles_in_their_cells() -> None:
    html = typeset(game_report(75, YELLOW)).html or ""
    tables = re.findall(r'<table class="s".*?</table>', html, re.DOTALL)
    assert len(tables) == 2
    for table in tables:
        assert "role=" not in table
        assert table.count("style=") == 1
        assert len(table.encode()) <= 6_000
        assert max(map(len, table.splitlines())) < 400
        assert table.count('<th scope="row">') == table.count("<tr>")


def test_the_picture_stands_in_place_of_the_grids() -> None:
    face = game_face(rulebook=Pictured())
    typed = typeset(game_report(60, WHITE, game=face, reader=reader(sheets="picture")))
    html = typed.html or ""
    board, sheets = typed.pictures
    assert sheets.filename == "sheets.png"
    assert f'<img src="cid:{picture_cid(sheets)}" width="480" alt="{escape(sheets.alt)}"' in html
    assert html.index(picture_cid(board)) < html.index("The sheets</h2>") < html.index(picture_cid(sheets))
    assert 'class="s"' not in html
    assert "828 deals agree" in Page(html).text
    assert (
        "Struck through: ruled out. Framed: certain. In brackets: captured. The word why" in Page(html).text
    )
    listed = typeset(game_report(60, WHITE, reader=reader(sheets="list"))).text
    assert typed.text == listed.replace("grid or set sheets picture", "grid or set sheets list")


# What was learned


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (1, "L-S2, yes: L can only be Rocket 1, Probe 2, Hen's Foot 3, Tower 4 or Novice 5."),
        (
            3,
            "L-E1, no: L is neither the Tower 4 nor the Novice 5;"
            " it can still be Rocket 1, Probe 2 or Hen's Foot 3.",
        ),
        (7, "L-S4xA, yes: L is the Rocket 1. So no other letter can be the Rocket 1."),
        (27, "H-S2, no: H is not the Novice 5."),
        (33, "H-SE3, no: H is not the Abbot 12; it can still be Bishop 10 or Cardinal 11."),
        (67, "Z-SE3>H, yes: T is the Abbot 12. So no other letter can be the Abbot 12."),
    ],
)
def test_the_mover_hears_what_his_answer_taught(attempts: int, said: str) -> None:
    typed = typeset(game_report(attempts, WHITE))
    assert part(typed.text, "WHAT YOU LEARNED") == said
    assert f"What you learned {said}" in Page(typed.html or "").text.replace("\u00a0", " ")
    assert "WHAT YELLOW LEARNED" not in typed.text


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (
            20,
            "V-NW2xS+, yes, promoted: V is neither the Bishop 10 nor the Cardinal 11;"
            " it can still be Novice 5, Crab 9 or Abbot 12.",
        ),
        (42, "L-W1, no: L can only be one of the types 1 to 3 or 10 to 12."),
        (48, "K-NE1xK, yes, and no promotion: K can only be Bishop 10 or Cardinal 11."),
        (50, "L-SW2, yes: L is the Probe 2. So A, N, O and S are not the Probe 2."),
        (
            60,
            "H-W1, no: H is the Cardinal 11."
            " So K is the Bishop 10; A, E, N and O are neither the Bishop 10 nor the Cardinal 11.",
        ),
    ],
)
def test_the_opponent_hears_what_the_mover_learned(attempts: int, said: str) -> None:
    typed = typeset(game_report(attempts, WHITE))
    assert part(typed.text, "WHAT YELLOW LEARNED") == said
    assert "WHAT YOU LEARNED" not in typed.text


def test_what_both_learned_since_the_last_letter_is_told_apart() -> None:
    text = typeset(game_report(55, YELLOW, fresh=4)).text
    order = ("BOARD", "WHAT YOU LEARNED", "WHAT WHITE LEARNED", "YOUR SHEET")
    assert [text.index(each) for each in order] == sorted(text.index(each) for each in order)
    assert part(text, "WHAT YOU LEARNED").count("\n\n") == 1
    assert "nothing new" not in part(text, "WHAT WHITE LEARNED")


@pytest.mark.parametrize(
    ("seed", "turns", "seat", "follows"),
    [
        (
            86,
            62,
            YELLOW,
            "S can only be Novice 5 or Crab 9. So H is the Tower 4; A is neither the Novice 5 nor the Crab 9;"
            " C is not the Tower 4; E is not the Crab 9; and 4 more letters have lost types, see the sheet.",
        ),
        (
            1,
            65,
            WHITE,
            "T is the Abbot 12. So A and N are none of Novice 5, Crab 9 and Abbot 12; H is not the Abbot 12;"
            " O is not the Novice 5; and one more letter has lost types, see the sheet.",
        ),
        (
            111,
            50,
            YELLOW,
            "T is the Novice 5. So A is the Hen's Foot 3; K is the Crab 9; O is the Tower 4;"
            " no other letter can be Hen's Foot 3, Tower 4, Novice 5 or Crab 9.",
        ),
    ],
)
def test_what_follows_for_many_letters_is_gathered_and_cut(
    seed: int, turns: int, seat: Seat, follows: str
) -> None:
    report = report_of(*played(seed, TABLE, turns), seat, "grid")
    text = typeset(replace(report, told=len(report.heard) - 1)).text
    assert part(text, "WHAT YOU LEARNED").partition(": ")[2] == follows


@pytest.mark.parametrize(
    ("attempts", "fresh", "seat"),
    [
        (60, 0, WHITE),
        (62, 1, WHITE),
        (62, 1, YELLOW),
        (5, 1, WHITE),
        (73, 1, WHITE),
        (73, 1, YELLOW),
        (75, 1, WHITE),
    ],
)
def test_where_nothing_was_learned_there_is_no_heading_for_it(attempts: int, fresh: int, seat: Seat) -> None:
    report = game_report(attempts, seat, fresh=fresh)
    typed = typeset(report)
    taught = CONFUSION.presentation.scene(
        CONFUSION.rules.view(report.heard, seat), report.heard, report.told
    ).knowledge
    assert taught is not None
    assert not taught.learned
    assert "LEARNED" not in typed.text
    assert "learned</h2>" not in (typed.html or "")
    assert "YOUR SHEET" in typed.text


def test_an_answer_that_taught_its_player_nothing_is_told_in_the_news_and_to_that_player_alone() -> None:
    said = "Your L went from (3,8) to (3,6). The answer told you nothing new.\n"
    assert said in typeset(game_report(5, WHITE)).text
    assert said.strip() in Page(typeset(game_report(5, WHITE)).html or "").text
    assert "nothing new" not in typeset(game_report(5, YELLOW)).text
    assert "nothing new" not in typeset(game_report(7, WHITE)).text
    promoted = typeset(game_report(75, WHITE)).text
    assert ", and was promoted. The answer told you nothing new.\n" in promoted
    assert "nothing new" not in typeset(without_sheets(game_report(5, WHITE))).text


def test_beside_what_taught_something_stands_what_did_not() -> None:
    text = typeset(game_report(75, WHITE, fresh=9)).text
    learned = part(text, "WHAT YOU LEARNED").splitlines()
    assert "HZ-SW1, yes, and no promotion: nothing new." in learned
    assert "T-SW2xPxZ+, yes, promoted: nothing new." in learned
    assert "The answer told you" not in text


# Where there are none

NO_SHEETS = (
    "In this game the letters hold no deduction sheets:"
    " both players work out for themselves what follows from the answers."
)
TRACES = re.compile(
    r"sheet|learn|deals? agree|anything (?:still|but)|certain\b|can (?:only|still) be|nothing new|\bwhy\b"
    r"|mine\"|theirs\"|shares|assignments",
    re.IGNORECASE,
)


@pytest.mark.parametrize("attempts", [0, 1, 9, 20, 48, 60, 75])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("form", FORMS)
def test_a_game_without_sheets_shows_no_trace_of_them(attempts: int, seat: Seat, form: SheetForm) -> None:
    told = {"told": 0, "first": True} if not attempts else {}
    report = game_report(
        attempts, seat, fresh=min(attempts, 2), reader=reader(sheets=form, form="json"), **told
    )
    typed = typeset(without_sheets(report))
    words = "\n".join((typed.text, Page(typed.html or "").text, typed.json or "", typed.subject))
    brief = re.sub(r"and so learn, step by step, what their own pieces are|\"sheets\": \"off\"", "", words)
    brief = brief.replace(NO_SHEETS, "" if not attempts else NO_SHEETS)
    assert not TRACES.findall(brief)
    assert [picture.filename for picture in typed.pictures] == ["board.png"]
    assert not re.search(r'class="s"', typed.html or "")
    with_them = typeset(report)
    assert TRACES.search(with_them.text)


@pytest.mark.parametrize("form", FORMS)
def test_how_a_reader_wants_his_sheets_changes_nothing_where_there_are_none(form: SheetForm) -> None:
    report = without_sheets(game_report(60, WHITE))
    assert typeset(replace(report, reader=reader(sheets=form))) == typeset(report)


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("form", FORMS)
def test_sheets_stand_in_letters_that_show_the_board(kind: Kind, form: SheetForm) -> None:
    if kind in ("help", "invitation", "result"):
        return
    faults = (FAULT,) if kind == "refusal" else ()
    text = typeset(game_report(60, WHITE, fresh=0, kind=kind, faults=faults, reader=reader(sheets=form))).text
    assert ("YOUR SHEET" in text) == (kind in BOARD_KINDS)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seat", SEATS)
def test_the_letter_that_ends_a_game_reveals_and_has_no_sheets(seat: Seat, form: SheetForm) -> None:
    typed = typeset(result_report(seat, reader=reader(sheets=form)))
    assert "SHEET" not in typed.text
    assert "LEARNED" not in typed.text
    assert 'class="s"' not in (typed.html or "")
    assert [picture.filename for picture in typed.pictures] == ["board.png"]


@pytest.mark.parametrize("attempts", [0, 20, 60])
def test_the_word_why_is_named_where_there_are_sheets_alone(attempts: int) -> None:
    report = game_report(attempts, WHITE, fresh=min(attempts, 1))
    assert re.search(r"\bwhy\b", part(typeset(report).text, "OTHER WORDS"))
    assert not re.search(r"\bwhy\b", part(typeset(without_sheets(report)).text, "OTHER WORDS"))


@pytest.mark.parametrize("seat", SEATS)
def test_a_first_letter_says_that_there_will_be_no_sheets(seat: Seat) -> None:
    typed = typeset(without_sheets(first_report(seat)))
    assert typed.text.count(f"\n\n{NO_SHEETS}\n\n") == 1
    assert NO_SHEETS in Page(typed.html or "").text
    assert NO_SHEETS not in typeset(first_report(seat)).text
    assert NO_SHEETS not in typeset(without_sheets(game_report(20, seat))).text


def test_the_help_page_of_the_game_leaves_the_sheets_out_in_a_letter_about_a_game_without_them() -> None:
    report = game_report(20, WHITE, fresh=0, kind="help", pages=("confusion",))
    for about in (report, desk_report(kind="help", pages=("confusion",))):
        text = part(typeset(about).text, "THE SHEETS")
        assert text.startswith(
            "Unless a game was started with option sheets=off, its letters hold two sheets:"
        )
        assert "A deal is one way" in text
        assert "A percentage says" in text
        assert "\n\nThe word why H brings" in text
        assert "a filled triangle marks" in part(typeset(about).text, "THE PICTURE OF THE BOARD")
    without = typeset(without_sheets(report))
    page = Page(without.html or "").text
    for words in (without.text, page):
        assert not re.search(r"sheet|\b(?:word|,) why\b|\bdeals?\b|triangle", words, re.IGNORECASE)
    assert "WRITING A MOVE" in without.text
