"""Golden transcripts: a story played by letter, written as a page and held against the page that was reviewed.

A page holds every letter in and every letter out, in their order: the text part, and of the headers the subject, or all
that matter where the story is about them. What a section of a letter repeats of the reader's letter before is counted,
not printed again; boards and the letter that ends a game stand whole. What is not a letter's is said in the story's
language. HTML and pictures follow from the same
report as the text and have tests of their own; here they are only named.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.pipeline.processor import ProcessingResult
from tests.support.playing import Delivered, Exchange

FOLDER = Path(__file__).parent
OUR_HEADERS = ("From", "To", "Subject", "Reply-To", "In-Reply-To", "Auto-Submitted")
UNSAID = ("date", "message-id", "references")
"""Headers of players' letters that a page leaves out: what they say is seen from the order of the letters."""
SAID_WHERE_IT_MATTERS = ("in-reply-to",)
"""Further ones that only a story about headers shows."""
ABOUT_HEADERS = frozenset(
    (
        "des-lettres-encore-une-fois",
        "letters-not-seen",
        "letters-once-more",
        "letters-that-come-back",
        "machines",
        "same-letter-twice",
        "ways-of-reporting",
        "which-game",
    )
)
"""Stories about tags, threads, numbers and kinds of letters: their pages show the headers that say these."""


@dataclass(frozen=True)
class Frame:
    """What stands on a page between the letters, in one language. starts: the umpire's game, as `Club.starts` says it,
    and how it is said here."""

    letter: str = "Letter {number} comes in"
    known: str = "it is known already"
    outcome: str = "{outcome}"
    outcome_because: str = "{outcome}: {reason}"
    outcomes: Mapping[str, str] = field(default_factory=dict)
    to: str = "to {who}"
    nothing: str = "nothing goes out"
    with_parts: str = "With: {parts}"
    no_parts: str = "nothing"
    as_before: str = "[As before: {headings}]"
    lines_as_before: str = "[{count} lines as before]"
    starts: tuple[tuple[str, str], ...] = ()


FRAMES = {
    "en": Frame(),
    "fr": Frame(
        letter="La lettre {number} arrive",
        known="elle est déjà connue",
        outcome_because="{outcome}, au registre\u00a0: «\u00a0{reason}\u00a0»",
        outcomes={
            "ruled": "jugée",
            "answered": "il y est répondu",
            "ignored": "ignorée",
            "held": "retenue",
            "bounce": "lettre revenue",
            "set-aside": "mise de côté",
        },
        to="à {who}",
        nothing="rien ne part",
        with_parts="Avec\u00a0: {parts}",
        no_parts="rien",
        as_before="[Comme avant\u00a0: {headings}]",
        lines_as_before="[{count} lignes comme avant]",
        starts=(
            (r"^The umpire starts a game: ", "L'arbitre organise une partie\u00a0: "),
            (r"\bwhite is ", "Blanc est "),
            (r"\byellow is ", "Jaune est "),
            (r"; white begins\.", "\u00a0; Blanc commence."),
            (r"; yellow begins\.", "\u00a0; Jaune commence."),
        ),
    ),
}
REPEATED = 3
"""Lines that must repeat in a row to be counted instead of printed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-transcripts",
        action="store_true",
        help="write the golden transcripts anew; look at what changed before you keep it",
    )


@pytest.fixture
def hold_against(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a page with the reviewed one of that name (`confusion/draws`), or write it when that is asked for."""
    rewriting = bool(request.config.getoption("--rewrite-transcripts"))

    def compare(name: str, page: str) -> None:
        path = FOLDER / f"{name}.txt"
        if rewriting:
            path.write_text(page, "utf-8")
            return
        assert path.exists(), f"{path} is missing: pytest --rewrite-transcripts writes it"
        assert page.splitlines() == path.read_text("utf-8").splitlines()

    return compare


def write_page(name: str, language: str, shows: str, exchanges: Sequence[Exchange]) -> str:
    """Write a story as a page. name: of the page; shows: its title, an empty line, and what it shows."""
    frame, headers = FRAMES[language], name in ABOUT_HEADERS
    title, _, shows = shows.partition("\n")
    shows = " ".join(shows.split())
    # In French a blank stands before some signs, at which no line breaks.
    together = re.sub(r" (?=[;:!?»])|(?<=«) ", "\u00a0", shows)
    lines = [title, "", *(line.replace("\u00a0", " ") for line in textwrap.wrap(together, 100)), ""]
    told: dict[str, dict[str, list[str]]] = {}
    letters_in = 0
    for exchange in exchanges:
        if exchange.raw is None:
            lines += [f"######## {_happening(exchange.said, frame)}", ""]
        else:
            letters_in += 1
            begun = frame.letter.format(number=letters_in)
            lines += [f"######## {begun}", *_letter_in(exchange.raw, headers=headers), ""]
            lines += [_outcome(exchange.settled, frame), ""]
        for letter in exchange.sent:
            lines += [f"<<<<<<<< {frame.to.format(who=letter.recipient)}"]
            lines += [*_letter_out(letter, told, frame, headers=headers), ""]
        if not exchange.sent:
            lines += [f"<<<<<<<< {frame.nothing}", ""]
    page = "\n".join(line.rstrip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", page).rstrip("\n") + "\n"


def _happening(said: str, frame: Frame) -> str:
    for english, here in frame.starts:
        said = re.sub(english, here, said)
    return said


def _outcome(settled: ProcessingResult | None, frame: Frame) -> str:
    if settled is None:
        return f"-------- {frame.known}"
    said = frame.outcome_because if settled.reason else frame.outcome
    outcome = frame.outcomes.get(settled.outcome, settled.outcome)
    return f"-------- {said.format(outcome=outcome, reason=settled.reason)}"


def _letter_in(raw: bytes, *, headers: bool) -> list[str]:
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    lines = []
    for name, written in message.raw_items():
        value = str(written).encode("ascii", "surrogateescape").decode("utf-8", "replace")
        unsaid = UNSAID if headers else (*UNSAID, *SAID_WHERE_IT_MATTERS)
        if name.lower() in unsaid or (name == "Authentication-Results" and "dmarc=pass" in value):
            continue
        lines.append(f"{name}: {value}")
    _, _, body = raw.partition(b"\r\n\r\n")
    text = body.decode("utf-8", "replace").splitlines()
    while text and not text[-1]:
        text.pop()
    return [*lines, "", *text]


def _letter_out(
    letter: Delivered, told: dict[str, dict[str, list[str]]], frame: Frame, *, headers: bool
) -> list[str]:
    head = [
        f"{name}: {letter[name]}" for name in OUR_HEADERS if letter[name] and (headers or name == "Subject")
    ]
    if headers:
        head += [
            f"{name}: {value}" for name, value in letter.message.items() if name.startswith("X-Referee-")
        ]
    _, *others = letter.parts
    head.append(frame.with_parts.format(parts=", ".join(map(_name, others)) or frame.no_parts))
    before = told.setdefault(letter.recipient, {})
    body: list[str] = []
    unchanged: list[str] = []

    def as_before() -> None:
        if unchanged:
            body.extend((frame.as_before.format(headings=", ".join(unchanged)), ""))
            unchanged.clear()

    for heading, lines in _sections(letter.text):
        seen = before.get(heading) if heading and letter.kind != "result" else None
        before[heading] = lines
        if lines == seen:
            unchanged.append(heading)
            continue
        as_before()
        if seen is not None and heading not in BOARDS:
            body += [heading, *_without_repeats(lines, seen, frame)]
        else:
            body += [heading, *lines] if heading else lines
    as_before()
    return [*head, "", *body, *_further(letter, others)]


BOARDS = ("BOARD", "PLATEAU")
"""The heading above a board, in each language."""
_HEADING = re.compile(r"[A-ZÀ-ÞŒ][A-ZÀ-ÞŒ',« »]{4,60}")


def _sections(text: str) -> Iterable[tuple[str, list[str]]]:
    """Split a text at its headings, which stand in capitals on a line of their own behind an empty one."""
    heading, lines, before = "", list[str](), "-"
    for line in text.splitlines():
        if not before and _HEADING.fullmatch(line):
            yield heading, lines
            heading, lines = line, []
        else:
            # The last lines differ in every letter, so they belong to no section.
            if line.startswith(("Receipt: ", "Letter ", "Reçu\u00a0: ", "Lettre ")) and not before:
                yield heading, lines
                heading, lines = "", []
            lines.append(line)
        before = line
    yield heading, lines


def _without_repeats(lines: Sequence[str], seen: Sequence[str], frame: Frame) -> list[str]:
    """Return lines with those counted, not printed, that stood in the letter before."""
    known = {line for line in seen if line}
    found: list[str] = []
    run: list[str] = []
    for line in [*lines, None]:
        if line is not None and line in known:
            run.append(line)
            continue
        found += run if len(run) < REPEATED else [frame.lines_as_before.format(count=len(run))]
        run = []
        if line is not None:
            found.append(line)
    return found


def _name(part: EmailMessage) -> str:
    name = part.get_filename()
    return f"{part.get_content_type()} {name}" if name else part.get_content_type()


def _further(letter: Delivered, others: Sequence[EmailMessage]) -> list[str]:
    """Return what attachments say, where the text does not say the same."""
    lines: list[str] = []
    for part in others:
        if part.get_content_type() == "application/json":
            lines += ["", f"[{_name(part)}]"]
            lines += [f"{key}: {json.dumps(value)}" for key, value in letter.json.items()]
        elif part.get_content_type() == "text/plain":
            text = str(part.get_content()).strip()
            if text not in letter.text:
                lines += ["", f"[{_name(part)}]", *text.splitlines()]
        elif part.get_content_type() == "text/calendar":
            lines += ["", f"[{_name(part)}]", *str(part.get_content()).splitlines()]
    return lines
