"""Renders a report through the templates: subject, plain text, HTML, pictures and JSON.

Every template is written once and rendered twice. What differs between text and HTML (a heading, a paragraph,
a move that must not break) is in `blocks.txt.j2` and `blocks.html.j2`, which have the same macros. So the two
parts cannot tell different stories. Each process builds two environments, one per medium. Only the HTML one
escapes, and it escapes everything.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, lru_cache, partial
from gettext import NullTranslations
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
)
from jinja2.runtime import Context
from markupsafe import Markup, escape

from referee.commands.command_table import OPTIONS, THE_SHEETS, TIME, WORDS, Word
from referee.commands.vocabulary import vocabulary
from referee.common.chance import bound_line
from referee.common.faults import Fault
from referee.common.i18n import (
    N_,
    SOURCE,
    Phrase,
    Translate,
    listed,
    translate,
    translations,
    write_city,
    write_day,
    write_number,
    write_short_day,
)
from referee.games.clocks.controls import LAPSE, lapse_phrase, read_control
from referee.games.clocks.durations import duration_phrase
from referee.games.clocks.formatting import to_the_minute, write_briefly, write_moment
from referee.games.game_options import lapse_of, record_head
from referee.games.proof import proof_lines
from referee.games.results import ruling_of
from referee.mail.message.message import InlinePicture, Kind
from referee.mail.message.mime_writer import picture_cid
from referee.reports.comments import with_comments
from referee.reports.compiled_templates import compiled_templates
from referee.reports.notes import ASKING
from referee.reports.report import Note, Report, Typeset
from referee.rulebooks.catalogue import ENTRIES, INSTALLED
from referee.rulebooks.entry import folder_of
from referee.rulebooks.installed import TEMPLATES, usable
from referee.rulebooks.rulebook import Replay, Rulebook, Seat

BOARD_KINDS: frozenset[Kind] = frozenset(("report", "refusal", "reminder", "result"))
"""Kinds of letters that show the board once the game has begun."""
BOARD, SHEETS = "board.png", "sheets.png"
"""The file names of the pictures in a letter."""
LONGEST_ALT = 150
"""Longest alternative text of a picture, in characters."""
LONGEST_UNBROKEN = 30
"""Longest text, in characters, that is kept on one line: it fits a page 360 pixels wide."""

_PLAIN_SUBJECTS: Mapping[Kind, str] = {
    "report": N_("your games"),
    "refusal": N_("not accepted"),
    "receipt": N_("done"),
    "invitation": N_("an invitation"),
    "reminder": N_("a reminder"),
    "result": N_("a result"),
    "help": N_("help"),
    "notice": N_("a notice"),
}
_GRAVE_SUBJECTS: Mapping[str, str] = {
    "held": N_("did you write this?"),
    "address-asked": N_("is this your address?"),
    "address-left": N_("your letters go elsewhere"),
    "address-lost": N_("your letters go elsewhere"),
    "bye-confirm": N_("do you want to leave?"),
}
"""Subjects of letters that must not be overlooked, by the code of their note."""


def typeset(report: Report, words: Sequence[Word] = WORDS) -> Typeset:
    """Render a report. The same report gives the same text and the same pictures, byte for byte.

    words: the commands, for the help pages.
    Raises ValueError for a help page that does not exist.
    """
    game = report.game
    view = report.view
    if view is None and game is not None and report.seat is not None and report.heard:
        view = game.rulebook.rules.view(report.heard, report.seat)
    report = _by_own_compass(report)
    shows_board = view is not None and report.kind in BOARD_KINDS and not _needs_no_board(report)
    record = _record(report) if game and view is not None and report.kind == "result" else ""
    context: dict[str, Any] = {
        "report": report,
        "game": game,
        "rules": game.rulebook.name if game else "",
        "program": ENTRIES[game.rulebook.name].program if game else "",
        "scene": _scene(report, view),
        "days": [_of_the_day(each) for each in report.days],
        "shows_board": shows_board,
        "who": Cast(game.names if game else {}, report.seat, report.reader.language),
        "due_now": report.seat is not None and report.seat in report.due,
        "example": _example(report),
        "begins": view is not None and (report.told == 0 or report.joins or _is_brought(report)),
        "asked": next((note for note in report.notes if note.code in ASKING), None),
        "words": words,
        "pages": [_page(name, report, words) for name in report.pages],
        "moment": write_moment(
            report.sent, report.reader.zone, report.reader.language, seconds=report.number is None
        ),
        "record": record,
        "bound": _bound(report),
    }
    pictures = _pictures(report, view, context) if shows_board else ()
    for name, file in (("picture", BOARD), ("sheets", SHEETS)):
        shown = next((picture for picture in pictures if picture.filename == file), None)
        context[f"{name}_cid"] = picture_cid(shown) if shown else ""
        context[f"{name}_alt"] = shown.alt if shown else ""
    html = None
    if report.reader.form != "text":
        html = templates.get("html", report.reader.language, "frame.html.j2").render(context)
    return Typeset(
        subject=write_subject(report, decided=getattr(context["scene"], "decided", False)),
        text=_tidy(templates.get("txt", report.reader.language, "letter.j2").render(context)),
        html=html,
        pictures=pictures,
        json=write_json(report, view) if game and report.reader.form == "json" else None,
        record=record or None,
        diary=_diary(report, context) if report.diary else None,
        calendar=_calendar(report) if report.entries else None,
    )


def _scene(report: Report, view: Any) -> Any:
    """Return what the rulebook's templates show; None when there is nothing to see yet."""
    game = report.game
    if game is None or not view:
        return None
    scene = game.rulebook.presentation.scene(view, report.heard, report.told)
    oriented = game.rulebook.oriented
    if oriented is None or report.reader.compass != "own" or report.seat is None or report.observed:
        return scene
    return oriented.beside(scene, report.seat)


def _by_own_compass(report: Report) -> Report:
    """Return a report with orders in the reader's own directions, where they have chosen that.

    The reader's own text is not changed.
    """
    game, seat = report.game, report.seat
    if game is None or seat is None or report.observed or report.reader.compass != "own":
        return report
    if (oriented := game.rulebook.oriented) is None:
        return report
    beside = oriented.beside
    return replace(
        report,
        understood=beside(report.understood, seat),
        faults=tuple(
            replace(
                fault,
                facts=beside(fault.facts, seat),
                suggestion=oriented.to_own(fault.suggestion, seat),
            )
            for fault in report.faults
        ),
        notes=tuple(
            note if note.about else replace(note, facts=beside(note.facts, seat)) for note in report.notes
        ),
    )


def _of_the_day(report: Report) -> Mapping[str, Any]:
    """Return what the templates need for one game in a daily digest."""
    game = report.game
    assert game is not None
    form, scene = _example(report), _scene(report, report.view)
    second = getattr(scene, "second_line", "") if form and not report.frozen else ""
    return {
        "report": _by_own_compass(report),
        "game": game,
        "rules": game.rulebook.name,
        "scene": scene,
        "who": Cast(game.names, report.seat, report.reader.language),
        "due_now": report.seat in report.due,
        "news": len(report.heard) > report.told or bool(report.notes),
        "example": f"{game.number}: {form}" if form and not report.frozen else "",
        "second": f"{game.number}: {second}" if second else "",
    }


def _calendar(report: Report) -> str:
    """Return the reader's deadlines as a file for calendar programs."""
    domain, language = report.address.rpartition("@")[2], report.reader.language
    from referee.games.clocks.icalendar import write_icalendar  # noqa: PLC0415 - few letters hold a calendar

    return write_icalendar(report.entries, service=domain, stamp=report.sent, language=language).decode()


def _diary(report: Report, context: Mapping[str, Any]) -> str:
    """Return the players' diary entries as plain text for an attachment."""
    return _tidy(templates.get("txt", report.reader.language, "diary.j2").render(context))


def _pictures(report: Report, view: Any, context: Mapping[str, Any]) -> tuple[InlinePicture, ...]:
    """Return the pictures of the HTML part.

    The board is one of them. The sheets are another, if the reader wants them, but not in the first and the
    last letter.
    """
    game, reader = report.game, report.reader
    if game is None or not reader.sees_pictures:
        return ()
    wished = reader.sheets == "picture" and report.result is None and (report.joins or not context["begins"])
    drawn = game.rulebook.sheets if wished else None
    sheets = drawn.picture(view, reader.language) if drawn is not None else None
    board = game.rulebook.presentation.picture(view, small=sheets is not None)
    found = ((BOARD, "alt.j2", board), (SHEETS, "sheets_alt.j2", sheets))
    pictures = []
    for filename, template, png in found:
        if png is not None:
            alt = _one_line(
                templates.get("txt", reader.language, f"{game.rulebook.name}/{template}").render(context)
            )
            pictures.append(InlinePicture(filename, png, alt[:LONGEST_ALT]))
    return tuple(pictures)


def write_subject(report: Report, *, decided: bool = False) -> str:
    """Return a letter's subject. decided: the game ends whatever its reader orders.

    Among a game's letters only the second bracket changes: mail programs start a new conversation when text
    outside brackets differs. The first letter has no second bracket, because its subject stands for the whole
    game.
    """
    said = translate(report.reader.language)
    told = report.news
    if decided and told and report.kind == "report":
        told = listed((Phrase(N_("the game is decided")), told))
    news = _phrase(_with_days(told, report.reader.language), said) if told else ""
    if report.game is None:
        grave = next(filter(None, map(_grave_subject, report.notes)), "")
        news = said(grave) if grave else news or said(_PLAIN_SUBJECTS[report.kind])
        return _one_line(f"{report.service}: {news}")
    start = f"[game {report.game.number}] "
    if not report.first:
        start = f"Re: {start}[{news}] " if news else f"Re: {start}"
    return start + _one_line(report.game.title)


def _grave_subject(note: Note) -> str:
    """Return the subject that a note requires, "" for none."""
    if note.code == "held" and all(each["why"] for each in note.facts["letters"]):
        return N_("is this letter new?")
    return _GRAVE_SUBJECTS.get(note.code, "")


def _with_days(news: str | Phrase, language: str) -> str | Phrase:
    """Return the news with its dates in the short form for subjects: "24 Dec"."""
    if isinstance(news, str) or not any(isinstance(fact, date) for fact in news.facts.values()):
        return news
    facts = {
        name: write_short_day(fact, language) if isinstance(fact, date) else fact
        for name, fact in news.facts.items()
    }
    return Phrase(news.message, facts)


def write_sheets(rulebook: Rulebook, replayed: Replay, row: int | None = None) -> str:
    """Return what each side can know after a row of a replayed record, as plain text. row: None for the last."""
    shown = {"sheets": replayed.sheets, "row": row}
    return _tidy(templates.get("txt", SOURCE, f"{rulebook.name}/replayed.j2").render(shown))


def write_part(rulebook: Rulebook, part: str, **shown: Any) -> str:
    """Return the output of one of a rulebook's templates in English, as plain text, for use outside letters."""
    return _tidy(templates.get("txt", SOURCE, f"{rulebook.name}/{part}.j2").render(shown))


def write_json(report: Report, view: Any) -> str:
    """Return the part for programs: the reader's view as one JSON document. view: None before the game begins."""
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
        said |= game.rulebook.presentation.data(view)
    clock = report.clocks.get(to_move) if to_move else None
    deadline = to_the_minute(clock.deadline) if clock and clock.deadline else None
    zone = ZoneInfo(report.reader.zone)
    said["deadline"] = deadline.isoformat() if deadline else None
    said["deadline_local"] = deadline.astimezone(zone).isoformat() if deadline else None
    said["receipt"] = game.receipt or None
    said["result"] = report.result.plain() if report.result else None
    return json.dumps(said, ensure_ascii=True) + "\n"


COLOURS = (N_("White"), N_("Yellow"), N_("Red"), N_("Blue"), N_("Umpire"))
"""The seats of all games, by the names that letters use."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The players and their seats, and how to name them in the reader's language."""

    names: Mapping[Seat, str]
    reader: Seat | None
    language: str = SOURCE

    def colour(self, seat: Seat) -> str:
        """Return a seat's name as a word: "White"."""
        return translate(self.language)(seat.capitalize())

    def named(self, seat: Seat) -> bool:
        """Return whether the player has given a name; no player's name can be a colour."""
        return self.names[seat] != seat.capitalize()

    def name(self, seat: Seat) -> str:
        """Return the player's name, or the colour while they have given none."""
        return _one_line(self.names[seat]) if self.named(seat) else self.colour(seat)

    def side(self, seat: Seat) -> str:
        """Return "White (Bert)", or "White" while the player has given no name."""
        colour = self.colour(seat)
        return f"{colour} ({self.name(seat)})" if self.named(seat) else colour

    def subject(self, seat: Seat) -> str:
        """Return the subject of a sentence about the seat: "You" or "White"."""
        return translate(self.language)(N_("You")) if seat == self.reader else self.colour(seat)


@dataclass(frozen=True, slots=True)
class Page:
    """A help page about a word or a rulebook; the first page and the page of options are about neither.

    section: one section of a rulebook's page, where only that was requested.
    """

    template: str
    word: Word | None = None
    rulebook: Rulebook | None = None
    guide: Any = None
    section: str = ""


def _page(name: str, report: Report, words: Sequence[Word]) -> Page:
    if name in ("", "help"):
        return Page("help/help.j2")
    if name == OPTIONS:
        return Page("help/all_options.j2", section=OPTIONS)
    if name == TIME:
        return Page("help/time.j2", section=TIME)
    if word := next((word for word in words if word.name == name), None):
        return Page("help/word.j2", word=word)
    game, _, section = name.partition(" ")
    for rulebook in report.rulebooks:
        if rulebook.name == game and section in ("", THE_SHEETS):
            return Page(
                f"{game}/help.j2", rulebook=rulebook, guide=rulebook.notation.guide(), section=section
            )
    raise ValueError(f"there is no help page {name!r}")


def _example(report: Report) -> str:
    """Return a line that would be a valid answer to this letter, "" when the reader owes none."""
    if report.seat is None or report.seat not in report.due:
        return ""
    form = next(iter(report.due[report.seat].forms), "")
    oriented = report.game.rulebook.oriented if report.game else None
    if oriented is not None and report.reader.compass == "own":
        form = oriented.to_own(form, report.seat)
    played = sum(entry["state"] in ("your-move", "waiting") for entry in report.listing)
    return f"{report.game.number}: {form}" if report.game and form and played > 1 else form


def _record(report: Report) -> str:
    """Return the record of a finished game, with the proof of its deal."""
    game = report.game
    if game is None:
        return ""
    names = {seat: name for seat, name in game.names.items() if name != seat.capitalize()}
    head = {f"{seat.capitalize()}Name": _one_line(name) for seat, name in names.items()}
    if game.event:
        head["Event"] = _one_line(game.event)
    head |= record_head(game.options)
    if game.secret:
        head |= proof_lines(
            brought=game.brought,
            game=game.number,
            rules=game.rulebook.name,
            version=game.rulebook.version,
            options=game.options,
            deal=game.deal,
            commitment=game.commitment,
            secret=game.secret,
            chain=game.receipt,
        )
    return with_comments(game.rulebook.records.write(report.heard, head, report.seat), report.beside)


def _is_brought(report: Report) -> bool:
    """Return whether this is a player's first letter about a game that began elsewhere."""
    seated = report.game is not None and report.seat in report.game.rulebook.seats
    return report.first and seated and report.game is not None and report.game.brought is not None


def _needs_no_board(report: Report) -> bool:
    """Return whether a letter needs no board.

    The letter reports only mistakes in a plan, or in a line about something other than the game. Its reader
    already knows everything else.
    """
    plans = bool(report.faults) and all(fault.code.startswith("plan-") for fault in report.faults)
    return (plans or report.elsewhere) and report.kind == "refusal" and 0 < report.told == len(report.heard)


def _bound(report: Report) -> str:
    """Return the line whose SHA-256 is the game's commitment; "" before the secret is published."""
    game = report.game
    if game is None or not game.secret:
        return ""
    return bound_line(
        bytes.fromhex(game.secret),
        game=game.number,
        rules=game.rulebook.name,
        version=game.rulebook.version,
        options=game.options,
        deal=game.deal,
    )


def _reason(fault: Fault, translate: Translate) -> str:
    return fault.reason(translate)


def _phrase(said: str | Phrase, translate: Translate) -> str:
    """Return a sentence from the code in the reader's language; a Phrase is translated with its facts."""
    return said.write(translate) if isinstance(said, Phrase) else translate(said)


def _time_control(said: str, translate: Translate) -> str:
    """Return a game's time control in words; an option that cannot be read stays as it was written."""
    control = read_control(said)
    return said if isinstance(control, Fault) else control.phrase().write(translate)


def _briefly(at: datetime, zone: str, now: datetime, language: str) -> str:
    return write_briefly(at, zone, language, now)


def _day(said: str, language: str) -> str:
    """Return a day given as "2027-07-01" in words."""
    return write_day(datetime.fromisoformat(said), language)


def _lapse(said: str, translate: Translate) -> str:
    """Return what happens when time runs out, by the game's option."""
    return lapse_phrase(lapse_of({LAPSE: said})).write(translate)


def _duration(time: timedelta, translate: Translate) -> str:
    return _phrase(duration_phrase(time), translate)


def _macro(code: str) -> str:
    return code.replace("-", "_")


_BLANKS = re.compile(r"[ \t\r\n\f\v]+")


# By type, too: markup equals its text, and the one must not be given for the other.
@lru_cache(maxsize=512, typed=True)
def _flow(text: str) -> str:
    """Return prose as one line; no-break spaces and markup stay."""
    flowed = _BLANKS.sub(" ", text).strip(" ")
    return Markup(flowed) if isinstance(text, Markup) else flowed  # noqa: S704  (was markup before)


def _one_line(text: str) -> str:
    """Return people's text (a name, a line of a letter) on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def _clip(text: str, most: int = 200) -> str:
    """Return a player's text on one line, at most `most` characters of it."""
    line = _one_line(text)
    return line if len(line) <= most else line[: most - 3] + "..."


def _tidy(text: str) -> str:
    """Reduce several blank lines to one, and remove blank lines at both ends and spaces at line ends."""
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"


def _sentence(text: str) -> str:
    """Return a phrase as a sentence, with a capital and a full stop. Markup stays markup."""
    text = text.strip()
    ended = text if text.endswith((".", "!", "?")) else text + "."
    return ended[:1].upper() + ended[1:]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _either(names: Sequence[str], translate: Translate) -> str:
    """Return "A", "A or B", "A, B or C". names: at least one. Markup stays markup."""
    if len(names) == 1:
        return names[0]
    markup = any(isinstance(name, Markup) for name in names)
    join, said = Markup(", ").join if markup else ", ".join, translate(N_("{first} or {last}"))
    return (Markup(said) if markup else said).format(first=join(names[:-1]), last=names[-1])  # noqa: S704


def _called(said: str | Phrase, translate: Translate) -> str:
    """Return a player's name on one line, or the colour of a player without one.

    No player can have a colour's name.
    """
    name = str(said)
    return translate(name) if name in COLOURS else _one_line(name)


def _square(square: Sequence[int]) -> str:
    return f"({square[0]},{square[1]})"


def _table_rows(rows: Iterable[Sequence[str]]) -> Markup:
    """Return rows of cells as rows of an HTML table; in a template a long table would take a millisecond."""
    written = (f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return Markup("\n".join(written))  # noqa: S704  (every cell was escaped)


def _columns(rows: Iterable[Sequence[str]], form: str) -> str:
    """Return rows of cells as lines of text. form: a `%` format with one place per cell."""
    return "\n".join((form % tuple(row)).rstrip() for row in rows)


def _nowrap(text: str) -> str:
    return text


def _nowrap_html(text: str) -> Markup:
    """Keep an order or a command on one line, unless it is too long for a phone's width."""
    if len(text) > LONGEST_UNBROKEN:
        return escape(text)
    return Markup(f'<span class="m">{escape(text)}</span>')  # noqa: S704  (escaped here)


class _Kept:
    """Text that recurs in many letters (how the types of a table move), rendered once per value."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._words: deque[tuple[str, object, str]] = deque(maxlen=16)

    def __call__(self, name: str, about: object) -> str:
        """Return what a template says about a value; equal values give the same text."""
        for known, value, words in tuple(self._words):  # another thread may add some meanwhile
            if known == name and value == about:
                return words
        words = self._environment.get_template(name).render(about=about)
        if self._environment.autoescape:
            words = Markup(words)  # noqa: S704  (the template has escaped it)
        self._words.append((name, about, words))
        return words


def _voice(said: NullTranslations, *, html: bool) -> Mapping[str, Callable[..., str]]:
    """Return the templates' translation functions; Jinja's own would take a tenth of a letter's time."""

    def gettext(sentence: str, /, **facts: Any) -> str:
        return filled(said.gettext(sentence), facts) if facts else whole(sentence)

    def ngettext(one: str, many: str, count: int, /, **facts: Any) -> str:
        return filled(said.ngettext(one, many, count), {"num": count, **facts})

    def filled(sentence: str, facts: Mapping[str, Any]) -> str:
        return (Markup(sentence) if html else sentence) % facts  # noqa: S704  (the facts are escaped)

    @lru_cache(maxsize=1024)
    def whole(sentence: str) -> str:
        return filled(said.gettext(sentence), {})

    return {"gettext": gettext, "ngettext": ngettext, "_": gettext}


class _Context(Context):
    """A template's names. Nothing that our templates call wants to be given them.

    Jinja looks at each call for that, which takes a thirtieth of the time of a letter.
    """

    def call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call a function, a macro or a method."""
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return function(*args, **kwargs)


class _Environment(Environment):
    """An environment whose globals stay as they are, so that a template's are looked up in one dictionary.

    Jinja's own chain of two dictionaries takes a thirtieth of the time of a letter.
    """

    context_class = _Context

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template. d: its own."""
        return {**self.globals, **(d or {})}


def _environment(medium: str, language: str, compiled: BytecodeCache | None) -> Environment:
    html = medium == "html"
    environment = _Environment(
        extensions=["jinja2.ext.i18n"],
        loader=_loader(),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,  # there are few templates, and all stay
        bytecode_cache=compiled,
    )
    environment.filters |= {
        "flow": _flow,
        "one_line": partial(_called, translate=translate(language)),
        "desk": vocabulary(language).writer.write,
        "form": vocabulary(language).writer.write_form,
        "sample": vocabulary(language).writer.write_sample,
        "steps": vocabulary(language).writer.write_steps,
        "clip": _clip,
        "sentence": _sentence,
        "capital": _capital,
        "either": partial(_either, translate=translate(language)),
        "square": _square,
        "moment": partial(write_moment, language=language),
        "number": partial(write_number, language=language),
        "reason": partial(_reason, translate=translate(language)),
        "city": partial(write_city, language=language),
        "phrase": partial(_phrase, translate=translate(language)),
        "ruling": ruling_of,
        "macro": _macro,
        "time_control": partial(_time_control, translate=translate(language)),
        "day": partial(_day, language=language),
        "duration": partial(_duration, translate=translate(language)),
        "briefly": partial(_briefly, language=language),
        "lapse": partial(_lapse, translate=translate(language)),
        "table_rows": _table_rows,
        "columns": _columns,
        "move": _nowrap_html if html else _nowrap,
    }
    environment.globals |= {"blocks": f"blocks.{medium}.j2", "html": html, "nb": "\u00a0" if html else " "}
    environment.globals["translate"] = translate(language)
    # French puts a no-break space before a colon.
    environment.globals |= {"language": language, "colon": "\u00a0:" if language == "fr" else ":"}
    environment.globals["kept"] = _Kept(environment)
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    environment.globals |= _voice(translations(language), html=html)
    return environment


class Templates:
    """The templates, each loaded once, in an environment for each medium and language.

    compiled: returns where Jinja keeps what it compiled, for a medium and a language.
    """

    def __init__(self, compiled: Callable[[str, str], BytecodeCache | None] = compiled_templates) -> None:
        self.environment = cache(
            lambda medium, language: _environment(medium, language, compiled(medium, language))
        )
        self.get = cache(self._get)

    def _get(self, medium: str, language: str, name: str) -> Template:
        return self.environment(medium, language).get_template(name)


templates = Templates()
"""The templates of this process."""


def _loader() -> BaseLoader:
    """Return where templates are found: those of another package's rulebook in its own folder `templates`."""
    others = {entry.name: PackageLoader(folder_of(entry.place), TEMPLATES) for entry in usable(INSTALLED)}
    return ChoiceLoader([FileSystemLoader(_folder(), encoding="utf-8"), PrefixLoader(others)])


def _folder() -> Path:
    """Return the templates' folder: in the installed package, else in the checkout's root."""
    installed = Path(str(resources.files("referee"))) / "templates"
    return installed if installed.is_dir() else installed.parent.parent / "templates"
