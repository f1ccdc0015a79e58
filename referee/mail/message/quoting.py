"""Separates the writer's own lines from what their program, their provider or others put around them.

Quotation marks decide. Everything else is only dropped where it stands, or ends the text:
- a line that announces a quotation ("On Friday … wrote:", in any language) is dropped when one follows, and
    ends the
  text when what follows is not marked; lines below it that are indented by four blanks are a quotation, too;
- the header lines of an answered letter (two or more of From, Sent, To, Subject in a row, or as Lotus Notes
  sets them), a banner like `-----Original Message-----`, and words that announce a forwarded letter end the
  text, unless marked quotations follow: then they are dropped alone;
- "please reply above this line" ends the text; where nothing stands above it, it is dropped alone;
- the signature mark (`--` alone) and the rule above a mailing list's footer end it;
- the wrapping of a signed text is removed, an encrypted text or a key is left out.

Every rule reads a line and at most a few neighbours once, so the cost is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from referee.common.characters import visible
from referee.mail.message.limits import OWN_LINES, UNMARKED_LINES
from referee.mail.message.message import MarkedLine, OwnLine
from referee.mail.message.normalisation import normalise
from referee.mail.message.plain_text import SeenLine
from referee.mail.message.rewrapped_quotations import marked_around

_WRAPPED_LINES = 3
"""Most lines over which a writer's program wraps an announcement."""
_WRAPPED_LENGTH = 40
"""A shorter line was not wrapped, so it is no part of an announcement that continues below it."""
_LONGEST_ANNOUNCEMENT = 400

_LONGEST_NUMBER = 16

_MOMENT = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|年")
# fmt: off
_SAYING = (
    "wrote", "writes", "said", "schrieb", "écrit", "escribió", "escreveu", "scritto", "schreef", "skrev", "kirjoitti",
    "napisał", "napisał(a)", "napsal", "napsala", "написал", "написала", "пише", "yazdı", "đã viết", "ezt írta",
    "写道", "寫道", "작성",
)
# fmt: on
"""A verb of saying before the colon, or before brackets that precede it."""
_SAYING_END = 120
"""Characters before the colon that are searched for it."""
_SAYING_BEFORE_NAME = re.compile(
    r"(?:am|op|den|på)\b.*\b(?:schrieb|schreef|skrev)\b.*:$",
    re.IGNORECASE,
)
"""In some languages the writer's name follows the verb: "Am Freitag schrieb Anna:"."""
_DAY = re.compile(r"(?:on|am|le|il|el|op|den|på|em|dne)\s", re.IGNORECASE)
"""How an announcement begins that names the day."""
_ONESELF = re.compile(r"\b(?:i|you|we|ich|wir|sie|je|tu|vous|nous|ik|jij|jag)\b|\bj'", re.IGNORECASE)
"""People announce their own words like this, programs never."""
_WITHOUT_COLON = re.compile(r"(?:Il|Le|El)\s(?:\w+\.?,?\s)?\d.{0,200}\s(?:ha scritto|a écrit|escribió)")
"""Some programs leave the colon out: "Il 27 nov Anna ha scritto"."""
_RULE = re.compile(r"_{20,}")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_REPLY_ABOVE = re.compile(
    r"\b(?:reply|respond|answer|write|type)\b.{0,40}\babove this line\b"
    r"|\bau-dessus de cette ligne\b|\b(?:über|oberhalb) dieser (?:zeile|linie)\b"
    r"|\bboven deze (?:regel|lijn)\b|\bencima de esta línea\b|\bsopra questa (?:riga|linea)\b",
    re.IGNORECASE,
)
_THIS_LINE = ("this line", "cette ligne", "dieser ", "deze ", "esta línea", "questa ")
"""Words that each of these contains."""
_NOTES_MOMENT = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?"
_NOTES_DATE = re.compile(_NOTES_MOMENT)
_NOTES_BANNER = re.compile(rf"\S.{{0,120}}(?: on (?=.*:\d\d:){_NOTES_MOMENT}|---{_NOTES_MOMENT}---.*)")
"""Lotus Notes: `Anna Berg on 27.11.2026 17:00:00`, `Anna Berg---27.11.2026 17:00:00---…`."""

_SENDER, _MOMENT_SENT, _RECIPIENT, _TOPIC = "sender", "moment", "recipient", "topic"
_LABELS = {
    label: meaning
    for meaning, labels in {
        _SENDER: "from von de da van från fra lähettäjä od от від kimden feladó "
        "差出人 发件人 寄件者 寄件人 보낸사람",
        _MOMENT_SENT: "sent date gesendet datum envoyé enviado fecha data inviato verzonden skickat sendt dato "
        "lähetetty päiväys wysłano odesláno отправлено дата gönderildi tarih elküldve "
        "送信日時 日付 发送时间 日期 傳送時間 보낸날짜",
        _RECIPIENT: "to an à para a aan till til vastaanottaja do komu кому kime címzett cc kopie copie "
        "宛先 收件人 받는사람",
        _TOPIC: "subject betreff objet asunto oggetto assunto onderwerp ämne emne aihe temat předmět тема konu "
        "tárgy 件名 主题 主旨 제목",
    }.items()
    for label in labels.split()
}
_LABELLED_LINES = 8
"""Most header lines of an answered letter that are read, wrapped ones included."""
_NOTES_LINES = 16
"""The same for Lotus Notes, which leaves empty lines between them."""

_FORWARDING = frozenset(
    {
        "begin forwarded message:",
        "anfang der weitergeleiteten nachricht:",
        "début du message réexpédié :",
        "début du message transféré :",
        "inicio del mensaje reenviado:",
        "inizio messaggio inoltrato:",
        "begin doorgestuurd bericht:",
        "início da mensagem reencaminhada:",
        "start på vidarebefordrat brev:",
        "vidarebefordrat brev:",
        "videresendt besked:",
        "начало переадресованного сообщения:",
    }
)

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN = "-----BEGIN PGP "
_END = "-----END PGP "


End = Literal["marked", "open", "more"]
"""How the writer's own lines end: with a mark below which nothing is theirs, with the text, or at the limit."""


def own_lines(seen: Sequence[SeenLine]) -> tuple[OwnLine, ...]:
    """Return the writer's own non-empty lines above the signature, numbered as in `seen`."""
    return read_own(seen).lines


class Own(NamedTuple):
    """The writer's own lines, the quoted ones around them, and how the former end.

    marked: see `rewrapped_quotations.marked_around`.
    """

    lines: tuple[OwnLine, ...]
    marked: tuple[MarkedLine, ...]
    end: End


def read_own(seen: Sequence[SeenLine]) -> Own:
    """Return the writer's own lines and the quoted lines around them."""
    numbered = list(_without_armour(seen))
    lines = _with_indented_quotations([line for _, line in numbered])
    own, end = _own_lines([number for number, _ in numbered], lines)
    marked = [
        (number, line.text)
        for (number, _), line in zip(numbered, lines, strict=True)
        if (line.quoted and any(map(str.isalnum, line.text))) or _is_bare_number(line.text)
    ]
    return Own(own, marked_around(marked, own), end)


def _is_bare_number(text: str) -> bool:
    """Return whether a line is only a list's number; the last piece of "turn 2." may be one."""
    return len(text) < _LONGEST_NUMBER and any(map(str.isdigit, text)) and not normalise(text)


def _own_lines(numbers: Sequence[int], lines: Sequence[SeenLine]) -> tuple[tuple[OwnLine, ...], End]:
    quotation_next = _quotation_next(lines)
    meanings = [header_meaning(line) for line in lines]
    own: list[OwnLine] = []
    at = 0
    end: End = "open"
    most = OWN_LINES
    while at < len(lines) and len(own) <= most:
        number, line = numbers[at], lines[at]
        at += 1
        if line.quoted:
            most = UNMARKED_LINES
            continue
        foreign = _foreign_lines(lines, meanings, at - 1)
        if foreign:
            at += foreign - 1
            if quotation_next[at]:
                continue
            end = "marked"
            break
        if _ends_text(line.text):
            end = "marked"
            break
        if _asks_to_reply_above(line.text[:_LONGEST_ANNOUNCEMENT]):
            if own:
                end = "marked"
                break
            continue
        announcing = _announcing_lines(lines, at - 1, marked=quotation_next[at])
        if announcing:
            first = numbers[at - announcing]
            while own and own[-1].number >= first:
                own.pop()
            if quotation_next[at]:
                continue
            end = "marked"
            break
        text = normalise(line.text)
        if text:
            own.append(OwnLine(number, text, visible(line.text)))
    if len(own) > most:
        return tuple(own[:most]), "more"
    return tuple(own), end


def _quotation_next(lines: Sequence[SeenLine]) -> list[bool]:
    """Return for each place whether the next line at or below it, blank lines apart, is quoted."""
    answers = [False]
    for line in reversed(lines):
        blank = not line.quoted and not line.text.strip()
        answers.append(answers[-1] if blank else line.quoted)
    return answers[::-1]


def _ends_text(text: str) -> bool:
    """Return whether a line is the signature mark or the rule above a list's footer."""
    return text.rstrip() == "--" or bool(_RULE.fullmatch(text.strip()))


def _asks_to_reply_above(text: str) -> bool:
    """Return whether a line asks for answers above it."""
    said = text.lower()
    return any(each in said for each in _THIS_LINE) and _REPLY_ABOVE.search(text) is not None


def _foreign_lines(lines: Sequence[SeenLine], meanings: Sequence[str], at: int) -> int:
    """Return how many lines, from `at`, introduce an answered or forwarded letter; 0 for none."""
    if not _is_banner(lines[at].text):
        return _header_lines(lines, meanings, at) or _notes_lines(lines, at)
    below = at + 1
    while below < len(lines) and not lines[below].text.strip() and not lines[below].quoted:
        below += 1
    headers = _header_lines(lines, meanings, below) if below < len(lines) else 0
    return below - at + headers if headers else 1


def _is_banner(text: str) -> bool:
    """Return whether a line is like `-----Original Message-----`, or announces a forwarded letter in words."""
    text = text.strip()
    if text.startswith("---") and text.endswith("---"):
        return any(sign.isalpha() for sign in text)
    if len(text) <= _LONGEST_ANNOUNCEMENT and _NOTES_BANNER.fullmatch(text):
        return True
    return text.endswith(":") and " ".join(text.casefold().split()) in _FORWARDING


def _header_lines(lines: Sequence[SeenLine], meanings: Sequence[str], at: int) -> int:
    """Return how many lines, from `at`, are the header of an answered letter; 0 for none.

    A header has labels of two meanings, one of which is the sender or the moment.
    """
    if not meanings[at]:
        return 0
    found: set[str] = set()
    length = 0
    for below in range(at, min(at + _LABELLED_LINES, len(lines))):
        if lines[below].quoted or not lines[below].text.strip():
            break
        if meanings[below]:
            found.add(meanings[below])
            length = below - at + 1
    return length if len(found) > 1 and found & {_SENDER, _MOMENT_SENT} else 0


def _notes_lines(lines: Sequence[SeenLine], at: int) -> int:
    """Return how many lines, from `at`, are a header of Lotus Notes; 0 for none.

    The sender has a line alone, the moment is below, then come the labels, each alone above its value.
    """
    if at + 1 >= len(lines) or not lines[at].text.strip():
        return 0
    if not _NOTES_DATE.fullmatch(lines[at + 1].text.strip()):
        return 0
    labels = {_LABELS.get(line.text.strip(" :").casefold()) for line in lines[at + 2 : at + 2 + _NOTES_LINES]}
    return 2 if {_RECIPIENT, _TOPIC} <= labels else 0


def header_meaning(line: SeenLine) -> str:
    """Return what a header line is about (`*From:* …` counts), "" when it is no header line."""
    if line.quoted:
        return ""
    head, colon, _ = line.text[:40].replace("：", ":").partition(":")
    if not colon:
        return ""
    return _LABELS.get("".join(head.strip("*_ \t").casefold().split()), "")


def _announcing_lines(lines: Sequence[SeenLine], at: int, *, marked: bool) -> int:
    """Return how many lines that end at `at` announce a quotation; 0 for none.

    marked: quoted lines follow, so one of moment, address or verb of saying is enough; otherwise two are
        needed.
    """
    text = lines[at].text.strip()
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return 0
    if not text.endswith((":", "：")):
        return int(bool(_WITHOUT_COLON.fullmatch(text) and not _ONESELF.search(text)))
    pieces = [text]
    length = 1
    moment = bool(_MOMENT.search(text))
    for above in range(at - 1, max(-1, at - _WRAPPED_LINES), -1):
        line = lines[above].text.strip()
        if lines[above].quoted or not (_WRAPPED_LENGTH <= len(line) <= _LONGEST_ANNOUNCEMENT or "@" in line):
            break
        pieces.insert(0, line)
        told = bool(_MOMENT.search(line))
        if "@" in line or told:
            length = len(pieces)
            moment = moment or told
    whole = " ".join(pieces[len(pieces) - length :])
    saying = _says(whole.replace("：", ":"))
    moment = moment or bool(saying and _DAY.match(whole) and not _ONESELF.search(whole))
    signs = ("@" in whole) + moment + saying
    return length if signs >= (1 if marked else 2) else 0


def _with_indented_quotations(lines: Sequence[SeenLine]) -> list[SeenLine]:
    """Return the lines, with those marked as quoted that are indented below an announcement."""
    marked: list[SeenLine] = []
    announced = False
    for line in lines:
        text = line.text.strip()
        indented = announced and not line.quoted and bool(_INDENTED.match(line.text))
        marked.append(SeenLine(line.text, line.quoted or (bool(text) and indented)))
        if text and not indented:
            announced = not line.quoted and _announces_indented(text)
    return marked


def _announces_indented(text: str) -> bool:
    """Return whether an indented text below this line is a quotation. "I wrote:" introduces people's own words."""
    if len(text) > _LONGEST_ANNOUNCEMENT or not text.endswith(":") or _ONESELF.search(text):
        return False
    return _says(text) or bool("@" in text and _MOMENT.search(text))


def _says(text: str) -> bool:
    """Return whether a line that ends with a colon has a verb of saying where announcements have it."""
    said = text[-_SAYING_END:].removesuffix(":").lower().rstrip()
    if said.endswith(")"):
        before, _, bracketed = said[:-1].rpartition("(")
        said = "" if ")" in bracketed else before.rstrip()
    if said.endswith(_SAYING):
        return True
    return _SAYING_BEFORE_NAME.match(text) is not None


def _without_armour(seen: Sequence[SeenLine]) -> Iterator[tuple[int, SeenLine]]:
    """Yield the numbered lines without the wrapping of signed texts, and without encrypted texts and keys."""
    place = "open"
    for number, line in enumerate(seen, start=1):
        text = line.text.rstrip()
        if place == "left out":
            if text.startswith(_END):
                place = "open"
        elif line.quoted:
            yield number, line
        elif place == "open" and text == _SIGNED:
            place = "armour header"
        elif text.startswith(_BEGIN):
            place = "left out"
        elif place == "armour header":
            place = place if text else "signed"
        elif place == "signed":
            yield number, SeenLine(line.text.removeprefix("- "))
        else:
            yield number, line
