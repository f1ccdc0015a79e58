"""Golden transcripts: a story played by letter, written as a page and held against the page that was reviewed.

A page holds every letter in and every letter out, in their order: the headers that matter and the text part. What a
section of a letter repeats of the reader's letter before is counted, not printed again; boards and the letter that
ends a game stand whole. HTML and pictures follow from the same
report as the text and have tests of their own; here they are only named.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.house import Settled
from tests.playing import Delivered, Exchange

FOLDER = Path(__file__).parent / "transcripts"
OUR_HEADERS = ("From", "To", "Subject", "Reply-To", "In-Reply-To", "Auto-Submitted")
UNSAID = ("date", "message-id", "references")
"""Headers of players' letters that a page leaves out: what they say is seen from the order of the letters."""
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


def write_page(title: str, shows: str, exchanges: Sequence[Exchange]) -> str:
    """Write a story as a page."""
    # In French a blank stands before some signs, at which no line breaks.
    together = re.sub(r" (?=[;:!?»])|(?<=«) ", "\u00a0", shows)
    lines = [title, "", *(line.replace("\u00a0", " ") for line in textwrap.wrap(together, 100)), ""]
    told: dict[str, dict[str, list[str]]] = {}
    letters_in = 0
    for exchange in exchanges:
        if exchange.raw is None:
            lines += [f"######## {exchange.said}", ""]
        else:
            letters_in += 1
            lines += [f"######## Letter {letters_in} comes in", *_letter_in(exchange.raw), ""]
            lines += [_outcome(exchange.settled), ""]
        for letter in exchange.sent:
            lines += [f"<<<<<<<< to {letter.recipient}", *_letter_out(letter, told), ""]
        if not exchange.sent:
            lines += ["<<<<<<<< nothing goes out", ""]
    page = "\n".join(line.rstrip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", page).rstrip("\n") + "\n"


def _outcome(settled: Settled | None) -> str:
    if settled is None:
        return "-------- it is known already"
    what = f"-------- {settled.outcome}"
    return f"{what}: {settled.reason}" if settled.reason else what


def _letter_in(raw: bytes) -> list[str]:
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    lines = []
    for name, written in message.raw_items():
        value = str(written).encode("ascii", "surrogateescape").decode("utf-8", "replace")
        if name.lower() in UNSAID or (name == "Authentication-Results" and "dmarc=pass" in value):
            continue
        lines.append(f"{name}: {value}")
    _, _, body = raw.partition(b"\r\n\r\n")
    text = body.decode("utf-8", "replace").splitlines()
    while text and not text[-1]:
        text.pop()
    return [*lines, "", *text]


def _letter_out(letter: Delivered, told: dict[str, dict[str, list[str]]]) -> list[str]:
    head = [f"{name}: {letter[name]}" for name in OUR_HEADERS if letter[name]]
    head += [f"{name}: {value}" for name, value in letter.message.items() if name.startswith("X-Referee-")]
    _, *others = letter.parts
    head.append(f"With: {', '.join(map(_name, others)) or 'nothing'}")
    before = told.setdefault(letter.recipient, {})
    body: list[str] = []
    unchanged: list[str] = []
    for heading, lines in _sections(letter.text):
        seen = before.get(heading) if heading and letter.kind != "result" else None
        before[heading] = lines
        if lines == seen:
            unchanged.append(heading)
        elif seen is not None and heading not in ("BOARD", "TABLIER"):
            body += [heading, *_without_repeats(lines, seen)]
        else:
            body += [heading, *lines] if heading else lines
    if unchanged:
        body += ["", f"[As before: {', '.join(unchanged)}]"]
    return [*head, "", *body, *_further(letter, others)]


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


def _without_repeats(lines: Sequence[str], seen: Sequence[str]) -> list[str]:
    """Return lines with those counted, not printed, that stood in the letter before."""
    known = {line for line in seen if line}
    found: list[str] = []
    run: list[str] = []
    for line in [*lines, None]:
        if line is not None and line in known:
            run.append(line)
            continue
        found += run if len(run) < REPEATED else [f"[{len(run)} lines as before]"]
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
    return lines
