"""A report in words: subject, plain text, HTML, pictures and JSON, through the templates.

Every template is written once and set twice. What differs between text and HTML (a heading, a paragraph, a move
that must not break) is in `blocks.txt.j2` and `blocks.html.j2`, which have the same macros; so the two parts cannot
tell different stories. Two environments, one for each medium, are built once a process; only that for HTML
escapes, and it escapes everything.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from referee.commands.words import WORDS, Word
from referee.letters.letter import InlinePicture, Kind
from referee.letters.writing import picture_cid
from referee.reports.report import Report, Typeset
from referee.rulebooks.rulebook import Replay, Rulebook, Seat

BOARD_KINDS: frozenset[Kind] = frozenset(("report", "refusal", "reminder", "result"))
"""Kinds of letters that show the board, when the game has begun."""
BOARD, SHEETS = "board.png", "sheets.png"
"""The names of the pictures in a letter, always these."""
LONGEST_ALT = 150
"""Signs of the words that stand for a picture."""

_PLAIN_SUBJECTS: Mapping[Kind, str] = {
    "report": "your games",
    "refusal": "not accepted",
    "receipt": "done",
    "invitation": "an invitation",
    "reminder": "a reminder",
    "result": "a result",
    "help": "help",
    "notice": "a notice",
}
_GRAVE_SUBJECTS: Mapping[str, str] = {
    "held": "did you write this?",
    "address-asked": "is this your address?",
    "address-left": "your letters go elsewhere",
    "address-lost": "your letters go elsewhere",
    "bye-confirm": "do you want to leave?",
}
"""What is in the subject of a letter that nobody may overlook: by the code of its note."""
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def typeset(report: Report, words: Sequence[Word] = WORDS) -> Typeset:
    """Put a report into words. The same report gives the same words and the same pictures, byte for byte.

    words: the desk's words, for the help pages. Raises ValueError for a help page that does not exist.
    """
    game = report.game
    view = report.view
    if view is None and game is not None and report.seat is not None and report.heard:
        view = game.rulebook.view(report.heard, report.seat)
    shows_board = view is not None and report.kind in BOARD_KINDS
    record = _record(report) if game and view is not None and report.kind == "result" else ""
    context: dict[str, Any] = {
        "report": report,
        "game": game,
        "rules": game.rulebook.name if game else "",
        "scene": game.rulebook.scene(view, report.heard, report.told) if game and view else None,
        "shows_board": shows_board,
        "who": Cast(game.names if game else {}, report.seat),
        "due_now": report.seat is not None and report.seat in report.due,
        "example": _example(report),
        "begins": view is not None and report.told == 0,
        "words": words,
        "pages": [_page(name, report, words) for name in report.pages],
        "moment": write_moment(report.sent, report.reader.zone, seconds=report.number is None),
        "record": record,
    }
    pictures = _pictures(report, view, context) if shows_board else ()
    for name, file in (("picture", BOARD), ("sheets", SHEETS)):
        shown = next((picture for picture in pictures if picture.filename == file), None)
        context[f"{name}_cid"] = picture_cid(shown) if shown else ""
        context[f"{name}_alt"] = shown.alt if shown else ""
    html = None
    if report.reader.form != "text":
        html = _template("html", "frame.html.j2").render(context)
    return Typeset(
        subject=write_subject(report),
        text=_tidy(_template("txt", "letter.j2").render(context)),
        html=html,
        pictures=pictures,
        json=write_json(report, view) if game and report.reader.form == "json" else None,
        record=record or None,
    )


def _pictures(report: Report, view: Any, context: Mapping[str, Any]) -> tuple[InlinePicture, ...]:
    """Return what the HTML shows: the board, and between the first letter and the last the sheets, if wished for."""
    game, reader = report.game, report.reader
    if game is None or reader.form == "text":
        return ()
    wished = reader.sheets == "picture" and report.result is None and not context["begins"]
    sheets = game.rulebook.sheets_picture(view) if wished else None
    board = game.rulebook.picture(view, small=sheets is not None)
    drawn = ((BOARD, "alt.j2", board), (SHEETS, "sheets_alt.j2", sheets))
    pictures = []
    for filename, template, png in drawn:
        if png is not None:
            alt = _one_line(_template("txt", f"{game.rulebook.name}/{template}").render(context))
            pictures.append(InlinePicture(filename, png, alt[:LONGEST_ALT]))
    return tuple(pictures)


def write_subject(report: Report) -> str:
    """Return a letter's subject.

    Of a game's letters only the second bracket changes, since mail programs take letters with other words outside
    brackets for another conversation; the first letter has none, because its subject stands for the whole.
    """
    if report.game is None:
        grave = next(filter(None, (_GRAVE_SUBJECTS.get(note.code) for note in report.notes)), "")
        return _one_line(f"{report.service}: {grave or report.news or _PLAIN_SUBJECTS[report.kind]}")
    start = f"[game {report.game.number}] "
    if not report.first:
        start = f"Re: {start}[{report.news}] " if report.news else f"Re: {start}"
    return start + _one_line(report.game.title)


def write_sheets(rulebook: Rulebook[Any, Any, Any], replayed: Replay, row: int | None = None) -> str:
    """Return what either side can know after a row of a replayed record, as plain text. row: None for the last."""
    shown = {"sheets": replayed.sheets, "row": row}
    return _tidy(_template("txt", f"{rulebook.name}/replayed.j2").render(shown))


def write_json(report: Report, view: Any) -> str:
    """Return the part for programs: the reader's view as one JSON document. view: None before the game began."""
    game = report.game
    if game is None:
        raise ValueError("a letter that concerns no game has no JSON part")
    to_move = next(iter(report.due), None)
    said: dict[str, Any] = {
        "game": game.number,
        "rules": game.rulebook.name,
        "seat": report.seat,
        "number": report.number,
        "kind": report.kind,
        "status": "over" if report.result else "playing" if view is not None else "waiting",
        "to_move": to_move,
    }
    if view is not None:
        said |= game.rulebook.data(view)
    said["receipt"] = game.receipt or None
    said["result"] = {"winner": report.result.winner, "how": report.result.how} if report.result else None
    return json.dumps(said, ensure_ascii=True) + "\n"


def write_moment(at: datetime, zone: str, *, seconds: bool = False) -> str:
    """Write an instant in the reader's zone and UTC: "Thu 3 Dec 2026, 18:00 in Paris (17:00 UTC)"."""
    if zone == "UTC":
        return f"{_day(at)}, {_time(at, seconds)} UTC"
    there = at.astimezone(ZoneInfo(zone))
    city = zone.rpartition("/")[2].replace("_", " ")
    return f"{_day(there)}, {_time(there, False)} in {city} ({_time(at, seconds)} UTC)"


def _day(at: datetime) -> str:
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year}"


def _time(at: datetime, seconds: bool) -> str:
    return at.strftime("%H:%M:%S" if seconds else "%H:%M")


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays what, and how to speak of them to the reader."""

    names: Mapping[Seat, str]
    reader: Seat | None

    def colour(self, seat: Seat) -> str:
        """Return a seat's name as a word: "White"."""
        return seat.capitalize()

    def name(self, seat: Seat) -> str:
        """Return the player's name, or his colour while he has given none."""
        return _one_line(self.names[seat])

    def side(self, seat: Seat) -> str:
        """Return "White (Bert)", or "White" while he has given no name."""
        colour, name = self.colour(seat), self.name(seat)
        return colour if name == colour else f"{colour} ({name})"

    def subject(self, seat: Seat) -> str:
        """Return what begins a sentence on what that seat did: "You" or "White"."""
        return "You" if seat == self.reader else self.colour(seat)


@dataclass(frozen=True, slots=True)
class Page:
    """A help page: the word or the rulebook that it is about, neither for the first page."""

    template: str
    word: Word | None = None
    rulebook: Rulebook[Any, Any, Any] | None = None
    guide: Any = None


def _page(name: str, report: Report, words: Sequence[Word]) -> Page:
    if name in ("", "help"):
        return Page("help/help.j2")
    if word := next((word for word in words if word.name == name), None):
        return Page("help/word.j2", word=word)
    for rulebook in report.rulebooks:
        if rulebook.name == name:
            return Page(f"{name}/help.j2", rulebook=rulebook, guide=rulebook.guide())
    raise ValueError(f"there is no help page {name!r}")


def _example(report: Report) -> str:
    """Return a line that would do as an answer to this letter, "" when nothing is due from its reader."""
    if report.seat is None or report.seat not in report.due:
        return ""
    form = next(iter(report.due[report.seat].forms), "")
    played = sum(entry["state"] in ("your-move", "waiting") for entry in report.listing)
    return f"{report.game.number}: {form}" if report.game and form and played > 1 else form


def _record(report: Report) -> str:
    """Return the record of a game that is over, with what proves the deal."""
    game = report.game
    if game is None:
        return ""
    names = {seat: name for seat, name in game.names.items() if name != seat.capitalize()}
    head = {f"{seat.capitalize()}Name": _one_line(name) for seat, name in names.items()}
    if game.secret:
        head |= {"Commitment": game.commitment, "Secret": game.secret, "Chain": game.receipt}
    return game.rulebook.write_record(report.heard, head, report.seat)


def _macro(code: str) -> str:
    return code.replace("-", "_")


_BLANKS = re.compile(r"[ \t\r\n\f\v]+")


def _flow(text: str) -> str:
    """Set prose as one line; a no-break space stays, and so does markup."""
    flowed = _BLANKS.sub(" ", text).strip(" ")
    return Markup(flowed) if isinstance(text, Markup) else flowed  # noqa: S704  (was markup before)


def _one_line(text: str) -> str:
    """Set what people wrote (a name, a line of a letter) on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def _clip(text: str, most: int = 200) -> str:
    """Set what a player wrote on one line, at most `most` signs of it."""
    line = _one_line(text)
    return line if len(line) <= most else line[: most - 3] + "..."


def _tidy(text: str) -> str:
    """Leave one blank line where a template left several, none at the ends, and no blanks at line ends."""
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"


def _sentence(text: str) -> str:
    """Return a phrase as a sentence: a capital first, a full stop last."""
    text = text.strip()
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    return ended[:1].upper() + ended[1:]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _either(names: Sequence[str]) -> str:
    """Return "A", "A or B", "A, B or C"; names: at least one."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _square(square: Sequence[int]) -> str:
    return f"({square[0]},{square[1]})"


def _table_rows(rows: Iterable[Sequence[str]]) -> Markup:
    """Set rows of cells as the rows of an HTML table: long tables would take a template a millisecond."""
    written = (f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return Markup("\n".join(written))  # noqa: S704  (every cell was escaped)


def _columns(rows: Iterable[Sequence[str]], form: str) -> str:
    """Set rows of cells as lines of text; form: as for `%`, one place a cell."""
    return "\n".join((form % tuple(row)).rstrip() for row in rows)


def _nowrap(text: str) -> str:
    return text


def _nowrap_html(text: str) -> Markup:
    return Markup(f'<span class="m">{escape(text)}</span>')  # noqa: S704  (escaped here)


class _Kept:
    """Words that stand in letter after letter (how the types of a table move), set once for what they are about."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._words: deque[tuple[str, object, str]] = deque(maxlen=16)

    def __call__(self, name: str, about: object) -> str:
        """Return what a template says of a value; values that are equal bring the same words."""
        for known, value, words in tuple(self._words):  # another thread may add some meanwhile
            if known == name and value == about:
                return words
        words = self._environment.get_template(name).render(about=about)
        if self._environment.autoescape:
            words = Markup(words)  # noqa: S704  (the template has escaped it)
        self._words.append((name, about, words))
        return words


@cache
def _environment(medium: str) -> Environment:
    html = medium == "html"
    environment = Environment(
        loader=FileSystemLoader(_folder(), encoding="utf-8"),
        autoescape=html,  # noqa: S701  (plain text is no markup)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= {
        "flow": _flow,
        "one_line": _one_line,
        "clip": _clip,
        "sentence": _sentence,
        "capital": _capital,
        "either": _either,
        "square": _square,
        "moment": write_moment,
        "macro": _macro,
        "table_rows": _table_rows,
        "columns": _columns,
        "move": _nowrap_html if html else _nowrap,
    }
    environment.globals |= {"blocks": f"blocks.{medium}.j2", "html": html, "nb": "\u00a0" if html else " "}
    environment.globals["kept"] = _Kept(environment)
    return environment


@cache
def _template(medium: str, name: str) -> Template:
    return _environment(medium).get_template(name)


def _folder() -> Path:
    """Return the folder of the templates: in the installed package, else beside it in a checkout."""
    installed = Path(str(resources.files("referee"))) / "templates"
    return installed if installed.is_dir() else installed.parent.parent / "templates"
