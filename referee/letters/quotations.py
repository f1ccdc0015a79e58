"""The writer's own lines are told from what his program, his provider or others put around them.

Quotation marks decide; everything else is only dropped where it stands or ends the text:

- a line that announces a quotation ("On Friday … wrote:", in any language) is dropped when one follows, and ends the
  text when what follows is not marked;
- the header lines of an answered letter (two or more of From, Sent, To, Subject in a row), a banner like
  `-----Original Message-----`, and words that announce a forwarded letter end the text, unless marked
  quotations follow: then they are dropped alone;
- the signature mark (`--` alone) and the rule above a mailing list's footer end it;
- the wrapping of a signed text is taken off, an encrypted one or a key is left out.

Every rule looks at a line and at most a few neighbours once, so the cost grows with the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.letters.charsets import visible
from referee.letters.letter import OwnLine
from referee.letters.plain import SeenLine
from referee.letters.wording import normalise

_WRAPPED_LINES = 3
"""An announcement is wrapped by the writer's program over so many lines at most."""
_WRAPPED_LENGTH = 40
"""A line shorter than this was not wrapped, so it is no part of an announcement that goes on below it."""
_LONGEST_ANNOUNCEMENT = 400

_MOMENT = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|年")
_SAYING = re.compile(
    r"(?:wrote|writes|said|schrieb|écrit|escribió|escreveu|scritto|schreef|skrev|kirjoitti|napisał|napisał\(a\)|"
    r"napsal|napsala|написал|написала|пише|yazdı|写道|寫道|작성)\s*:$",
    re.IGNORECASE,
)
_RULE = re.compile(r"_{20,}")

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
"""So many header lines of an answered letter are looked at, wrapped ones among them."""

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


def own_lines(seen: Sequence[SeenLine]) -> tuple[OwnLine, ...]:
    """Return the writer's own lines above the signature that say anything, numbered as they stand in `seen`."""
    numbered = list(_without_armour(seen))
    lines = [line for _, line in numbered]
    quotation_next = _quotation_next(lines)
    meanings = [_meaning(line) for line in lines]
    own: list[OwnLine] = []
    at = 0
    while at < len(lines):
        number, line = numbered[at]
        at += 1
        if line.quoted:
            continue
        foreign = _foreign_lines(lines, meanings, at - 1)
        if foreign:
            at += foreign - 1
            if quotation_next[at]:
                continue
            break
        if _ends_text(line.text):
            break
        announcing = _announcing_lines(lines, at - 1, marked=quotation_next[at])
        if announcing:
            first = numbered[at - announcing][0]
            while own and own[-1].number >= first:
                own.pop()
            if quotation_next[at]:
                continue
            break
        text = normalise(line.text)
        if text:
            own.append(OwnLine(number, text, visible(line.text)))
    return tuple(own)


def _quotation_next(lines: Sequence[SeenLine]) -> list[bool]:
    """Tell for each place whether, blank lines apart, a quoted line is what comes at or below it."""
    answers = [False]
    for line in reversed(lines):
        blank = not line.quoted and not line.text.strip()
        answers.append(answers[-1] if blank else line.quoted)
    return answers[::-1]


def _ends_text(text: str) -> bool:
    """Tell whether a line is the signature mark or the rule above a list's footer."""
    return text.rstrip() == "--" or bool(_RULE.fullmatch(text.strip()))


def _foreign_lines(lines: Sequence[SeenLine], meanings: Sequence[str], at: int) -> int:
    """Return how many lines, from `at`, introduce an answered or forwarded letter; 0 when they do not."""
    if not _is_banner(lines[at].text):
        return _header_lines(lines, meanings, at)
    below = at + 1
    while below < len(lines) and not lines[below].text.strip() and not lines[below].quoted:
        below += 1
    headers = _header_lines(lines, meanings, below) if below < len(lines) else 0
    return below - at + headers if headers else 1


def _is_banner(text: str) -> bool:
    """Tell whether a line is like `-----Original Message-----`, or announces a forwarded letter in words."""
    text = text.strip()
    if text.startswith("---") and text.endswith("---"):
        return any(sign.isalpha() for sign in text)
    return text.endswith(":") and " ".join(text.casefold().split()) in _FORWARDING


def _header_lines(lines: Sequence[SeenLine], meanings: Sequence[str], at: int) -> int:
    """Return how many lines, from `at`, are the header of an answered letter; 0 when it is none.

    It is one when it has labels of two meanings, the sender's or the moment's among them.
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


def _meaning(line: SeenLine) -> str:
    """Return what a header line is about (`*From:* …` counts), "" when it is none."""
    head, colon, _ = line.text[:40].replace("：", ":").partition(":")
    if not colon or line.quoted:
        return ""
    return _LABELS.get("".join(head.strip("*_ \t").casefold().split()), "")


def _announcing_lines(lines: Sequence[SeenLine], at: int, *, marked: bool) -> int:
    """Return how many lines that end at `at` announce a quotation; 0 when they do not.

    marked: quoted lines follow, so any of moment, address or a verb of saying is enough; otherwise two are needed.
    """
    text = lines[at].text.strip()
    if not text.endswith((":", "：")) or len(text) > _LONGEST_ANNOUNCEMENT:
        return 0
    pieces = [text]
    length = 1
    for above in range(at - 1, max(-1, at - _WRAPPED_LINES), -1):
        line = lines[above].text.strip()
        if lines[above].quoted or not (_WRAPPED_LENGTH <= len(line) <= _LONGEST_ANNOUNCEMENT or "@" in line):
            break
        pieces.insert(0, line)
        if "@" in line or _MOMENT.search(line):
            length = len(pieces)
    whole = " ".join(pieces[len(pieces) - length :])
    signs = ("@" in whole) + bool(_MOMENT.search(whole)) + bool(_SAYING.search(whole.replace("：", ":")))
    return length if signs >= (1 if marked else 2) else 0


def _without_armour(seen: Sequence[SeenLine]) -> Iterator[tuple[int, SeenLine]]:
    """Yield the lines with their numbers, without what wraps a signed text, and without encrypted ones and keys."""
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
