"""What the most expensive letters cost to read, beside an ordinary reply: no letter may keep the others waiting.

Each kind below is made to hurt one thing that readers of mail do, and is as large as the service takes letters in.
"""

from __future__ import annotations

import base64
import heapq
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.commands.command_table import TOPICS
from referee.commands.grammar import Grammar
from referee.common.i18n import LANGUAGES
from referee.mail.message.echo import without_echo
from referee.mail.message.limits import OWN_LINES
from referee.mail.message.normalisation import normalise_line
from referee.mail.message.reader import read_letter
from referee.mail.message.rewrapped_quotations import without_pieces
from referee.rulebooks.catalogue import RULEBOOKS
from referee.service.settings.sections import Inbox
from tests.benchmarks.figures import Goal, Progress, Reading

LIMIT = Inbox.model_fields["size_limit"].default
"""Octets: as large as the settings let a letter be, when they say nothing else."""
SMALLER = 1_000_000
TIMES = 3
"""How often each is read in a round; the quickest counts. Only this process's own time is counted: reading waits for
nothing."""
ORDINARY_TIMES = 6
"""How often the ordinary reply is read before each of them."""
AGAIN = 12
"""So many of the most expensive are read again, in turns with the ordinary one: a machine whose speed changes from one
second to the next would else compare two hours of the day."""
TURNS = 9
GOAL = Goal("ratio", must=100, aim=30)

HOST = "mx.example.org"
_HEAD = (
    f"Authentication-Results: {HOST}; dmarc=pass header.from=example.net\r\n"
    "From: Anna <anna@example.net>\r\nMessage-ID: <1@example.net>\r\n"
)
_TO = "To: referee+abcdefghijklmnop@example.org\r\n"
_SUBJECT = "Subject: Re: [game 12] Confusion 12: Anna - Bert\r\n"

_LETTER_OF_OURS = "\n".join(
    f"{number}. V-NW2xZ yes, (C-SW2) no, row {number} of the record" for number in range(150)
)


def ordinary() -> bytes:
    """Return a letter of 60 lines: a move, and our letter quoted below it."""
    return headed(
        "Content-Type: text/plain; charset=utf-8",
        body="L-S2\r\n\r\n" + "> a line that was quoted, of an ordinary length\r\n" * 58,
    )


def headed(*fields: str, body: str = "V-NW2xZ\r\n") -> bytes:
    """Return a letter with further header fields."""
    return (_HEAD + _TO + _SUBJECT + "".join(f"{field}\r\n" for field in fields) + "\r\n" + body).encode()


def parted(subtype: str, *parts: str) -> bytes:
    """Return a letter of these parts."""
    body = "".join(f"--b1\r\n{part}\r\n" for part in parts)
    return headed(f'Content-Type: multipart/{subtype}; boundary="b1"', body=f"{body}--b1--\r\n")


def plain(unit: str, octets: int, *, form: str = "") -> bytes:
    """Return a letter of plain text that says one thing over and over."""
    return headed(f"Content-Type: text/plain; charset=utf-8{form}", body=repeated(unit, octets))


def markup(unit: str, octets: int, *, start: str = "") -> bytes:
    """Return a letter of HTML that says one thing over and over."""
    return headed("Content-Type: text/html; charset=utf-8", body=start + repeated(unit, octets))


def coded(media_type: str, body: bytes) -> bytes:
    """Return a letter of one part in base64."""
    head = headed(f"Content-Type: {media_type}; charset=utf-8", "Content-Transfer-Encoding: base64", body="")
    return head + base64.encodebytes(body)


def numbered(line: str, octets: int) -> bytes:
    """Return a letter of plain text with a line over and over, each time with another number for its {n}."""
    room = octets - 1_000
    said: list[str] = []
    while room > 0:
        said.append(line.format(n=len(said)) + "\r\n")
        room -= len(said[-1].encode())
    return headed("Content-Type: text/plain; charset=utf-8", body="".join(said[:-1]))


def repeated(unit: str, octets: int) -> str:
    """Return a text over and over, as often as fits into so many octets of a letter."""
    room = octets - 1_000
    return unit * (room // len(unit.encode()))


def nested(depth: int) -> bytes:
    """Return a letter with parts within parts."""
    heads = (
        f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n" for level in range(depth)
    )
    return (_HEAD + _TO + "".join(heads) + "\r\nV-NW2xZ\r\n").encode()


def nested_and_wide(depth: int, octets: int) -> bytes:
    """Return a letter with parts within parts, in the innermost of which lines begin like every boundary."""
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary={'b' * (level + 1)}\r\n\r\n--{'b' * (level + 1)}\r\n"
        for level in range(depth)
    )
    lines = f"--{'b' * 40}\r\n" * 4_900
    octets -= len(lines) + len(heads)
    return (_HEAD + _TO + heads + "\r\n" + lines + repeated("V-NW2xZ\r\n", octets)).encode()


def encoded(encoding: str, body: bytes, octets: int) -> bytes:
    """Return a letter of text in a transfer encoding."""
    head = headed(
        "Content-Type: text/plain; charset=utf-8", f"Content-Transfer-Encoding: {encoding}", body=""
    )
    return head + body * ((octets - 1_000) // len(body))


def results(count: int) -> bytes:
    """Return a letter with results of the host that counts, each as long as is read, in every one a wrong spelling."""
    value = f"{HOST}; " + "dkim=pass (a (comment) in it) header.d=example.net; " * 70
    return "".join(f"Authentication-Results: {value[:3_900]}\r\n" for _ in range(count)).encode() + headed()


LINES = {
    "prose": "Dear Anna, thank you for the last letter; I shall think about it tomorrow, and write again {n}",
    "prose in French": "Chère Anne, merci de la dernière lettre, j'y réfléchis et je réponds demain {n}",
    "prose in Chinese": "亲爱的安娜，谢谢你上次的来信，我明天会考虑，然后再写信给你{n}",
    "signs that are none of a keyboard": "←↑→↓↔↕⇐⇑⇒⇓①②③④⑤ⒶⒷⒸ½¼¾ªº²³{n}",
    "announcements without a verb": "On Sun {n} at {n} a <b{n}@c.example>",
    "words nearly of ours": "regsiter challange staus previw {n}",
    "words nearly of ours, each another": "stat{n}us of all{n} games",
    "umpire's actions": "umpire correct {n} L-S2: reason",
    "umpire's actions that are none": "umpire corect{n} 17 L-S2: reason",
    "umpire's actions without a reason": "umpire take back {n} to 12 White",
    "fights": "{n} fires at R3; 4 charges B5 then turns left",
    "orders in prose": 'A{n} moves 6" N',
    "orders of cards": "MV RI{n} R15 A20",
    "orders of cards, put into one line": "PASS; " * 30 + "{n}",
    "orders of spies in words": "eliminate their spy {n}",
    "set-ups": "setup A3-2 C4-2 {n}",
    "moves, guarded": "V-NW2xZ @ {n}",
    "moves told of": "my last move was: V-NW2 {n}",
    "moves of other games, each another": "{n}: V-NW2xZ",
    "steps of plans": "if no V-NW{n} if yes then else",
    "plans": "try V-NW{n}; if no V-N1; if yes L-S2",
    "texts": "press hello {n}",
    "text that goes on": "and this is what I wrote about it to you on the last of these long days, {n}",
    "quoted lines, short": "> {n}",
    "quoted lines with empty ones between": "> {n}\r\n",
    "zones": "set zone pari{n}ss",
    "topics": "help rulez{n}",
    "options below": "challenge bert confusion\r\noption a{n}=b",
    "headings": "GAME CC{n} TURN 5 RED",
    "labels": "From: {n}",
    "answers with a name": "register Anna{n} Berg",
    "leaves": "leave 2026-13-{n}",
    "appeals": "appeal 17/{n} The letter says NW.",
}
"""Lines by what they are; {n} is a number that makes each of them another one."""

HOSTILE: dict[str, Callable[[int], bytes]] = {
    **{
        f"lines: {kind}": lambda octets, line=line: numbered(line, octets)  # type: ignore[misc]
        for kind, line in LINES.items()
    },
    "text behind one word": lambda octets: headed(
        body="press hello\r\n" + repeated("and so on, my dear\r\n", octets)
    ),
    "one line of press": lambda octets: headed(body="press " + repeated("a ", octets)),
    "quoted-printable, every sign": lambda octets: encoded("quoted-printable", b"=41=0A", octets),
    "uuencoded": lambda octets: encoded("x-uuencode", b"M" + b"x" * 60 + b"\r\n", octets),
    "format=flowed, marks with blanks": lambda octets: plain(
        "> " * 50 + "a \r\n", octets, form="; format=flowed"
    ),
    "HTML, many attributes": lambda octets: markup(
        "<p " + " ".join(f"a{n}=b" for n in range(300)) + ">a</p>", octets
    ),
    "HTML, numbered lines": lambda octets: markup("<p>regsiter challange</p>", octets),
    "To with 1,000 addresses": lambda _: headed("To: " + ", ".join(f"a{n}@b.example" for n in range(1_000))),
    "To with 10,000 addresses": lambda _: headed(
        "To: " + ",\r\n ".join(f"a{n}@b.example" for n in range(10_000))
    ),
    "many To of tags": lambda _: headed(*["To: " + "referee+a@example.org, " * 1_300] * 3),
    "To of quoted words": lambda _: headed("To: " + '"a" ' * 5_000 + "<a@b.example>"),
    "Subject of encoded words": lambda octets: headed("Subject: " + "=?utf-8?q?a?= " * 7_000),
    "From of brackets": lambda _: ("From: " + "(" * 10_000 + "\r\n").encode() + headed(),
    "From of quotes": lambda _: f"From: {'a ' * 900}<anna@example.net>\r\n{_TO}\r\nV-NW2xZ\r\n".encode(),
    "From of escapes": lambda _: (
        'From: "' + "\\a" * 900 + '" <anna@example.net>\r\n\r\nV-NW2xZ\r\n'
    ).encode(),
    "References of 2,000 letters": lambda _: headed(
        *["References: " + " ".join(f"<{n}@example.net>" for n in range(1_300))] * 4
    ),
    "results of a host, commented": lambda _: results(25),
    "10,000 header lines": lambda _: headed(*["X-Line: y"] * 10_000),
    "header lines up to the limit": lambda _: headed(*["X-Line: yyyyyyyyyyyyyyyyyyyyyyyyyy"] * 1_900),
    "one header folded over and over": lambda _: headed("X-Line: y" + "\r\n y" * 1_900),
    "Content-Type of parameters": lambda _: headed("Content-Type: text/plain" + '; a="\\' * 4_000),
    "1,000 parts": lambda _: parted("mixed", *["\r\nV-NW2xZ"] * 1_000),
    "10,000 parts": lambda _: parted("mixed", *["\r\nV-NW2xZ"] * 10_000),
    "parts up to the limit": lambda octets: parted(
        "mixed", *["\r\n" + "V-NW2xZ\r\n" * (octets // 2_000)] * 190
    ),
    "parts of HTML up to the limit": lambda octets: parted(
        "mixed", *["Content-Type: text/html\r\n\r\n" + "<b>a</b>" * (octets // 2_000)] * 190
    ),
    "alternatives that say nothing": lambda octets: parted(
        "alternative", *["Content-Type: text/html\r\n\r\n" + "<b> </b>" * (octets // 2_000)] * 190
    ),
    "a bounce of many reports": lambda octets: parted(
        "report",
        *["Content-Type: message/delivery-status\r\n\r\n" + "Status: 5.1.1\r\n\r\n" * (octets // 4_000)]
        * 190,
    ),
    "a bounce that quotes many letters": lambda octets: parted(
        "report",
        "Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n",
        *["\r\n" + "> Message-ID: <1@b>\r\n" * (octets // 5_000)] * 180,
    ),
    "a bounce that brings many letters back": lambda octets: parted(
        "report",
        "Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n",
        *["Content-Type: message/rfc822\r\n\r\n" + "A: b\r\n" * (octets // 2_000)] * 180,
    ),
    "a bounce of marks": lambda octets: parted(
        "report",
        "Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n",
        *["\r\n" + "> \t" * (octets // 1_000)] * 180,
    ),
    "nested 100 deep": lambda _: nested(100),
    "nested 1,000 deep": lambda _: nested(1_000),
    "nested 20 deep, boundaries alike": lambda octets: nested_and_wide(20, octets),
    "lines like boundaries": lambda octets: parted("mixed", repeated("--b\r\n", octets)),
    "an attachment": lambda octets: parted(
        "mixed",
        "\r\nV-NW2xZ",
        "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + repeated(base64.encodebytes(bytes(range(57))).decode(), octets),
    ),
    "plain text": lambda octets: plain("a line of plain text, like any other\r\n", octets),
    "empty lines": lambda octets: plain("\r\n", octets),
    "carriage returns": lambda octets: plain("\r", octets),
    "one line": lambda octets: plain("V-NW2xZ ", octets),
    "zeros": lambda octets: plain("\0", octets),
    "invisible signs": lambda octets: plain("\u200b", octets),
    "signs beyond ASCII": lambda octets: plain("ﬁ½①Å\r\n", octets),
    "marks upon marks": lambda octets: plain("a" + "\u0315\u0300\u05ae" * 600 + "\r\n", octets),
    "marks upon marks, one line": lambda octets: plain("\u0315\u0300\u05ae", octets),
    "octets of no charset": lambda octets: (
        headed("Content-Type: text/plain; charset=x", body="") + b"\xff\xfe\r\n" * (octets // 4 - 1_000)
    ),
    "utf-7": lambda octets: headed(
        "Content-Type: text/plain; charset=utf-7", body=repeated("+AGE-\r\n", octets)
    ),
    "format=flowed, one paragraph": lambda octets: plain("a \r\n", octets, form="; format=flowed; delsp=yes"),
    "format=flowed, deep marks": lambda octets: plain(
        ">" * 60 + " a \r\n> b \r\n", octets, form="; format=flowed"
    ),
    "base64 text": lambda octets: encoded("base64", base64.encodebytes(b"V-NW2xZ and so on\r\n" * 3), octets),
    "base64 of other signs": lambda octets: encoded("base64", b"!\r\n", octets),
    "quoted-printable": lambda octets: encoded("quoted-printable", b"=56=2D=4E=57=32=\r\n", octets),
    "moves": lambda octets: plain("V-NW2xZ\r\n", octets),
    "moves of other games": lambda octets: plain("18: VZ-NW2xZ>T+\r\n", octets),
    "slips of words": lambda octets: plain("registr anna\r\n", octets),
    "slips that are no words": lambda octets: plain("starus of game\r\n", octets),
    "slips, each of another word": lambda octets: plain(
        "".join(f"starus{n % 97} of{n} game\r\n" for n in range(400)), octets
    ),
    "slips of names of games": lambda octets: plain("challenge anna confusoin\r\n", octets),
    "slips of topics": lambda octets: plain("help confusoin\r\n", octets),
    "slips of settings": lambda octets: plain("set report txt\r\n", octets),
    "prose about resigning": lambda octets: headed(body="V-NW2xZ\r\n" + repeated("or resign?\r\n", octets)),
    "one word, very long": lambda octets: plain("register" * 480 + "\r\n", octets),
    "words of one letter": lambda octets: plain("a b c d e f g h i j k l m n o p\r\n", octets),
    "options": lambda octets: plain("open confusion option " + "a=b " * 100 + "\r\n", octets),
    "names": lambda octets: plain("register " + "Ä" * 30 + "\r\n", octets),
    "announcements": lambda octets: plain("On On On 2026 On 17:00 anna@example.net wrote:\r\n", octets),
    "announcements, wrapped": lambda octets: plain("On Friday " * 36 + "wrote\r\n" + "a:\r\n", octets),
    "announcements of brackets": lambda octets: plain("wrote " + "(" * 380 + ":\r\n", octets),
    "header lines of an answered letter": lambda octets: plain("From:\r\n", octets),
    "rules": lambda octets: plain("_" * 30 + "\r\n", octets),
    "banners": lambda octets: plain("---a---\r\n> b\r\n", octets),
    "reply above": lambda octets: plain("reply answer write type " * 16 + "\r\n", octets),
    "Lotus Notes": lambda octets: plain("Anna\r\n27.11.2026 17:00\r\n", octets),
    "wrappings of signed text": lambda octets: plain(
        "-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n- a\r\n", octets
    ),
    "quotation marks": lambda octets: plain("AB> a\r\n» b\r\n| c\r\n> d\r\n", octets),
    "our letter, unmarked": lambda octets: plain(_LETTER_OF_OURS.replace("\n", "\r\n") + "\r\n", octets),
    "our letter's first word": lambda octets: plain("yes\r\n", octets),
    "HTML, flat": lambda octets: markup("<p>V-NW2xZ</p>", octets),
    "HTML, tags that end nowhere": lambda octets: markup("<p ", octets),
    "HTML, quotes that end nowhere": lambda octets: markup("<a b=\"'>", octets),
    "HTML, comments that end nowhere": lambda octets: markup("<!-- ", octets),
    "HTML, brackets": lambda octets: markup("<", octets),
    "HTML, divs within divs": lambda octets: markup("<div>", octets),
    "HTML, quotations within quotations": lambda octets: markup("<blockquote>", octets),
    "HTML, spans": lambda octets: markup("<span>a</span>", octets),
    "HTML, styles": lambda octets: markup(f'<p style="{"color:red;" * 400}">a', octets),
    "HTML, hidden or not": lambda octets: markup(f'<p style="display:{"/**/" * 900}">a', octets),
    "HTML, comments in styles": lambda octets: markup(f'<p style="{"/*" * 1_900}\n">a', octets),
    "HTML, offsets": lambda octets: markup(f'<p style="opacity:{"0" * 3_800}1">a', octets),
    "HTML, decorations": lambda octets: markup(f'<p style="text-decoration:{"line-" * 750}">a', octets),
    "HTML, attributes": lambda octets: markup(f"<p {'a=b ' * 900}>a", octets),
    "HTML, attributes without values": lambda octets: markup(f"<p {'a' * 3_800} =>a", octets),
    "HTML, entities": lambda octets: markup("&amp;&#1;&notit;", octets),
    "HTML, entities of long names": lambda octets: markup("&" + "a" * 40, octets),
    "HTML, numbers without end": lambda octets: markup("&#" + "9" * 4_000 + ";", octets),
    "HTML, preformatted": lambda octets: markup("\r\n", octets, start="<pre>"),
    "HTML, scripts that end nowhere": lambda octets: markup("<script></scrip", octets),
    "HTML, a picture within the text": lambda octets: markup(
        "iVBOR", octets, start='<p>a</p><img src="data:;base64,'
    ),
    "HTML, pictures that end nowhere": lambda octets: markup('="data:;base64,a' + "a" * 1_000 + "<", octets),
    "HTML, a picture within the text, encoded": lambda octets: coded(
        "text/html", b'<p>a</p><img src="data:;base64,' + b"iVBOR" * (octets // 7)
    ),
    "HTML, a comment": lambda octets: markup("- --x", octets, start="<!--"),
    "HTML, comments": lambda octets: markup(f"<!--{'x' * 1_000}-->", octets),
    "HTML, quotations of long lines": lambda octets: markup("<blockquote>" + "a" * 300, octets),
    "HTML, tags of many attributes": lambda octets: markup(f"<a {'a=b ' * 16}>", octets),
    "HTML, titles": lambda octets: markup("<title></title>", octets),
}
"""Kinds of letters, each with what makes one of at most so many octets."""


class Hostile:
    """Letters made to hurt against an ordinary reply: bytes to commands, with what is known of the letter answered."""

    name = "hostile"
    once = False

    def prepare(self, folder: Path, progress: Progress) -> None:
        self._ordinary = ordinary()
        assert understand(self._ordinary) == 1, "the ordinary reply is not read"

    def measure(self, progress: Progress) -> Sequence[Reading]:
        readings = []
        for octets in (SMALLER, LIMIT):
            size = f"{octets / 1_000_000:g} MB"
            progress(f"letters up to {size}")
            took = {}
            for kind, make in HOSTILE.items():
                letter = make(octets)
                assert len(letter) <= octets, f"{kind}: {len(letter)} octets"
                took[kind] = quickest(letter, TIMES)
            again = {}
            for kind in heapq.nlargest(AGAIN, took, key=took.__getitem__):
                progress(f"among the worst up to {size}: {kind}")
                again[kind] = in_turns(HOSTILE[kind](octets), self._ordinary)
            worst = max(again, key=lambda kind: again[kind][0] / again[kind][1])
            progress(f"the worst up to {size}: {worst}")
            what = f"the worst of {len(took)} letters up to {size}"
            readings.append(Reading(what, "ms", GOAL, *again[worst]))
        return readings


_GRAMMAR = Grammar(
    looks_like_order=lambda text: any(rulebook.notation.looks_like_order(text) for rulebook in RULEBOOKS),
    rules=tuple(rulebook.name for rulebook in RULEBOOKS),
    topics=TOPICS,
).beside(LANGUAGES)
"""What reads most: the orders of every rulebook, and the words of every language, as of somebody without a name yet."""


def understand(content: bytes) -> int:
    """Read a letter as the service does, up to its commands; return how many there are. It is read as if for the first
    time: nothing is known of its lines."""
    normalise_line.cache_clear()
    letter = read_letter(content, service_address="referee@example.org", authserv_ids=[HOST])
    lines = without_pieces(letter.lines, letter.marked, [_LETTER_OF_OURS])
    lines = lines if len(lines) < 2 else without_echo(lines, _LETTER_OF_OURS)
    return len(_GRAMMAR.read(lines[:OWN_LINES]).commands)


def in_turns(letter: bytes, floor: bytes) -> tuple[float, float]:
    """Return the milliseconds of processor time that a letter and an ordinary one take, of the turn whose ratio is the
    median. In each turn the ordinary one is read for as long as the other takes, and counts with its mean: a moment in
    which the machine is quick or slow touches both alike."""
    turns = []
    for _ in range(TURNS):
        took = quickest(letter, 1)
        begin = time.process_time()
        times = 0
        while (spent := 1000 * (time.process_time() - begin)) < took or not times:
            understand(floor)
            times += 1
        turns.append((took, spent / times))
    return sorted(turns, key=lambda turn: turn[0] / turn[1])[TURNS // 2]


def quickest(content: bytes, times: int) -> float:
    """Return the milliseconds of processor time that a letter takes at the least."""
    took = []
    for _ in range(times):
        begin = time.process_time()
        understand(content)
        took.append(1000 * (time.process_time() - begin))
    return min(took)
