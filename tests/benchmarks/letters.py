"""What one report costs: words, HTML, picture and the finished bytes, at the sample game's longest."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from jinja2 import Environment
from PIL import Image

from referee.mail.message.message import OutgoingLetter
from referee.mail.message.mime_writer import write_letter
from referee.reports.renderer import typeset
from referee.reports.report import Report
from tests.benchmarks.figures import Goal, Progress, Reading
from tests.reports.material import WHITE, WHOLE, YELLOW, game_report, result_report

TIMES = 15
"""How often each is done in a round."""


class Letters:
    """A report against two bare templates of the same length and as many tiles pasted into a picture."""

    name = "letter"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("the longest letter is looked for")
        reports = [
            *(game_report(attempts, seat) for attempts in range(1, WHOLE) for seat in (WHITE, YELLOW)),
            *map(result_report, (WHITE, YELLOW)),
        ]
        self._report = max(reports, key=lambda each: len(compose(each)))
        self._floor = _bare(self._report)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress("a report is written")
        measured, floor = in_turn(lambda: compose(self._report), self._floor)
        size = len(compose(self._report)) / 1000
        return [
            Reading("the longest report", "ms", Goal("value", must=12, aim=6), measured, floor),
            Reading("the longest report, size", "KB", Goal("value", must=45, aim=40), size),
        ]


def in_turn(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Return the median milliseconds of each of two things, done in turn."""
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(TIMES):
        for times, action in zip(took, (one, other), strict=True):
            begin = time.perf_counter()
            action()
            times.append(1000 * (time.perf_counter() - begin))
    return median(took[0]), median(took[1])


def compose(report: Report) -> bytes:
    """Write a report as the bytes that go out."""
    said = typeset(report)
    letter = OutgoingLetter(
        message_id="0123456789abcdef0123456789abcdef@example.org",
        recipient=report.reader.address,
        recipient_name=report.reader.name,
        kind=report.kind,
        subject=said.subject,
        sent=report.sent,
        text=said.text,
        html=said.html,
        pictures=said.pictures,
        game=17,
        number=report.number,
        references=("0123456789abcdef@example.org", "fedcba9876543210@example.org"),
        reply_tag="abcdefghijklmnop",
        thread_topic="Confusion 17: Anna - Bert",
        thread_key="0123456789abcdef",
    )
    return write_letter(letter, service_name="Referee", service_address="referee@example.org")


def _bare(report: Report) -> Callable[[], bytes]:
    """Return what makes a letter of the same length without knowing anything: its lines put into two templates
    with three fields a line, its picture's tiles pasted anew, base64 around it."""
    said = typeset(report)
    assert said.html is not None
    template = "{% for line in lines %}{{ line.start }}{{ line.middle }}{{ line.end }}\n{% endfor %}"
    text = Environment(autoescape=False).from_string(template)
    html = Environment(autoescape=True).from_string(template)
    plain, marked = _thirds(said.text), _thirds(said.html)
    picture = Image.open(io.BytesIO(said.pictures[0].png))
    picture.load()
    tiles = [
        ((x, y), picture.crop((x, y, x + 64, y + 64))) for x in range(34, 738, 64) for y in range(34, 738, 64)
    ][:28]

    def letter() -> bytes:
        words = text.render(lines=plain) + html.render(lines=marked)
        pasted = picture.copy()
        for place, tile in tiles:
            pasted.paste(tile, place)
        file = io.BytesIO()
        pasted.save(file, "PNG", bits=4)
        return words.encode() + base64.b64encode(file.getvalue())

    return letter


def _thirds(text: str) -> list[dict[str, str]]:
    """Return each line in three pieces."""
    lines = []
    for line in text.splitlines():
        third = len(line) // 3
        lines.append({"start": line[:third], "middle": line[third : 2 * third], "end": line[2 * third :]})
    return lines
