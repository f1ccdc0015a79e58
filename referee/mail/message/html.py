"""HTML becomes lines as a reader would see them, without what mail programs put around a reply.

One pass goes from tag to tag. Tags are recognised as in a browser (the HTML standard, "Tokenization"), with a
stack of
one: the element being left out. Block elements end lines, and cells are separated by a blank. Spans are not,
    so that a move which a program cut into spans stays whole.

These are left out: quotations, the containers in which Gmail, Outlook, Apple Mail and others put the answered
letter, their signatures, text that the writer struck out, and what a reader cannot see.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Literal

from referee.mail.message.limits import (
    ATTRIBUTES_CHARACTERS,
    ATTRIBUTES_TOGETHER,
    MARKUP_TAGS,
    TEXT_LINES,
    TEXT_OCTETS,
)
from referee.mail.message.plain_text import SeenLine, is_quoted

# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "html", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead",
    "tr", "ul",
})
_CELLS = frozenset({"td", "th"})
_UNSEEN = frozenset({"noscript", "template", "object", "iframe", "select", "svg", "math"})
_STRUCK = frozenset({"del", "s", "strike"})
"""Text that the writer struck out."""
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "noembed", "noframes"})
"""Elements in which only their own end tag counts."""
_FOREIGN = frozenset({"svg", "math"})
"""Elements that "/>" ends; in all others the slash means nothing."""
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
})
_BY_ITS_OWN: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
_ENDS_P = _BLOCKS - {"body", "dd", "dt", "html", "li", "table", "tbody", "tfoot", "thead", "tr"}
_LISTS = frozenset({"ol", "ul"})
_TABLE = frozenset({"table"})
_ROWS = frozenset({"tr", "tbody", "tfoot", "thead"})
_ENDED_BY = {
    "p": (_ENDS_P | {"dd", "dt", "li"}, _TABLE | {"button", "marquee", "object", "select", "svg", "template"}),
    "li": (frozenset({"li", "/ol", "/ul"}), _LISTS),
    "dd": (frozenset({"dd", "dt", "/dl"}), frozenset({"dl"})),
    "dt": (frozenset({"dd", "dt", "/dl"}), frozenset({"dl"})),
    "td": (_CELLS | _ROWS | {"/tr", "/table"}, _TABLE),
    "th": (_CELLS | _ROWS | {"/tr", "/table"}, _TABLE),
    "tr": (_ROWS | {"/table"}, _TABLE),
}
"""Elements without a required end tag: the tags that end them, and the elements within which those tags do not."""

_QUOTING_CLASSES = frozenset({
    "gmail_quote", "gmail_quote_container", "gmail_attr", "yahoo_quoted", "protonmail_quote",
    "moz-cite-prefix", "tutanota_quote", "zmail_extra", "outlookmessageheader",
})
_QUOTING_NAMES = frozenset({
    "mail-editor-reference-message-container", "olk_src_body_section", "messagereplysection", "quote",
    "yahoo_quoted",
})
_SIGNING = frozenset({
    "gmail_signature", "gmail_signature_prefix", "moz-signature", "protonmail_signature_block",
    "ms-outlook-mobile-signature",
})
_SIGNING_ALONE = "signature"
"""A class that marks a signature only on its own: an element of the classes `no signature` is none."""
_ENDING = frozenset({"divrplyfwdmsg", "moz-forward-container", "moz-email-headers-table"})
"""Names of elements after which everything is the answered or forwarded letter."""
# fmt: on

_WITHIN = r"[^ \t\r\n\f/>=]"
"""A character of an attribute's name, even a quote."""
_VALUE = r"""[ \t\r\n\f]*+=[ \t\r\n\f]*+("[^"]*+"?+|'[^']*+'?+|[^ \t\r\n\f>]*+)"""
"""A quote opens a value only right after the "="; where it is not closed, the value is everything that follows."""
_NAMED = rf"(?:=|{_WITHIN}){_WITHIN}*+"
_ATTRIBUTE = re.compile(rf"({_NAMED})(?:{_VALUE})?+")
_ATTRIBUTES = rf"(?:(?:[ \t\r\n\f]|/(?!>))++|{_NAMED}(?:{_VALUE.replace('(', '(?:', 1)})?+){{0,16}}+"
_TAG = re.compile(rf"(/?[A-Za-z][^ \t\r\n\f/>]*+){_ATTRIBUTES}(/?>)?+")
"""A tag after its `<`, with its name and its end.

Nothing is tried twice, so an unclosed tag costs no more than a closed one.
"""
_FURTHER = re.compile(rf"{_ATTRIBUTES}(/?>)?+")
"""The rest of a tag that has more attributes than those."""
_NO_COMMENT = re.compile(r"-?>")
"""What closes a comment at once."""
_COMMENT_END = re.compile(r"--!?>")
_RAW_ENDS = {name: re.compile(rf"</{name}(?=[ \t\r\n\f/>])", re.IGNORECASE) for name in _RAW}
_TELLING = re.compile("hidden|style|class|id|name", re.IGNORECASE)
"""The attributes that decide whether an element is shown."""
_STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_HIDDEN = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|color:transparent"
    r"|(?:opacity|max-height|font-size):(?:0+(?:\.0*)?|\.0+)(?:px|pt|r?em|ex|%)?(?=[;!]|$)"
    r"|font-size:0*\.\d+p[xt]|(?:left|top|text-indent):-\d{4,}"
    r"|text-decoration(?:-line)?:[a-z -]*line-through)"
)
"""In a style without blanks. White text is read: programs with a dark theme write it."""
_NEWLINES = re.compile(r"\r\n|\r|\n")
_BLANKS = re.compile(r"[ \t\r\n\f]+")


End = Literal["whole", "ended", "cut", "broken"]
"""How a text ended.

whole: with itself.
ended: with everything below being somebody else's.
cut: at a limit.
broken: with an unclosed tag, comment or element, which hides everything after it.
"""


@dataclass(slots=True)
class Room:
    """How much of a letter's HTML is read, in all its parts together."""

    text: int = TEXT_OCTETS
    tags: int = MARKUP_TAGS
    attributes: int = ATTRIBUTES_TOGETHER

    @property
    def used_up(self) -> bool:
        return self.text <= 0 or self.tags <= 0 or self.attributes <= 0


def read_markup(
    markup: str, room: Room | None = None, *, goes_on: bool = False
) -> tuple[list[SeenLine], End]:
    """Return the lines of an HTML text, and how it ended.

    A quotation that was left out becomes an empty line marked as quoted.

    room: what is read is subtracted from it; once it is used up, the text is cut.
    goes_on: the text was cut before.

    The time is linear in the length of the text: an unclosed tag, comment or quote ends the reading.
    """
    room = room or Room()
    page = _Page(room)
    at = 0
    while not page.full and not page.ended:
        opening = markup.find("<", at)
        if opening < 0:
            page.write(markup[at:])
            break
        page.write(markup[at:opening])
        room.tags -= 1
        at = _read_tag(markup, opening + 1, page) or _read_other(markup, opening, page)
        if at < 0:
            break
    cut = page.full or (goes_on and not page.ended)
    end: End = "ended" if page.ended else "cut" if cut else "broken" if at < 0 else "whole"
    return page.finish(whole=not cut), end


def _read_tag(markup: str, at: int, page: _Page) -> int:
    """Read a tag, and the contents of an element that only its own end tag closes.

    Return where the text after it begins, 0 where no tag begins at `at`, -1 where the tag has no end.
    """
    tag = _TAG.match(markup, at)
    if tag is None:
        return 0
    name = tag[1].lower()
    closing, last = tag[2], tag.end()
    while closing is None and last < len(markup) and page.room.tags > 0:
        page.room.tags -= 1
        further = _FURTHER.match(markup, last)
        assert further is not None
        closing, last = further[1], further.end()
    if closing is None:
        return -1
    attributes = markup[tag.end(1) : min(last - len(closing), tag.end(1) + ATTRIBUTES_CHARACTERS)]
    page.room.attributes -= len(attributes)
    page.tag(name, attributes, closed=closing == "/>" and name in _FOREIGN)
    if name in _RAW:
        last = _raw_end(markup, name, last)
        page.tag("/" + name, "")
    return last


def _read_other(markup: str, opening: int, page: _Page) -> int:
    """Read a `<` that begins no tag: a comment, what counts as one, or a character of the text.

    Return where the text after it begins, -1 where it has no end.
    """
    if markup.startswith("<!--", opening):
        found = _NO_COMMENT.match(markup, opening + 4) or _COMMENT_END.search(markup, opening + 4)
        return found.end() if found else -1
    if markup.startswith(("<!", "<?", "</"), opening):
        return markup.find(">", opening) + 1 or -1
    page.write("<")
    return opening + 1


def _raw_end(markup: str, name: str, at: int) -> int:
    """Return where the text after a raw element's end tag begins, -1 when it is never closed."""
    closing = _RAW_ENDS[name].search(markup, at)
    return markup.find(">", closing.end()) + 1 or -1 if closing else -1


class _Page:
    """Lines being written, and the element being left out, if any."""

    def __init__(self, room: Room) -> None:
        self.lines: list[SeenLine] = []
        self.pieces: list[str] = []
        self.room = room
        self.left_out = ""
        self.depth = 0
        self.apart = 0
        """How many open elements inside it have tags that do not concern it."""
        self.preformatted = 0
        self.ended = False

    def write(self, text: str) -> None:
        """Add the text between two tags."""
        if self.left_out or not text:
            return
        if len(text) > self.room.text:
            text = text[: text.rfind("\n", 0, self.room.text) + 1]
            self.room.text = 0
        self.room.text -= len(text)
        if "&" in text:
            text = _unescape(text)
        if self.preformatted:
            first, *others = _NEWLINES.split(text, TEXT_LINES)
            self.pieces.append(first)
            for line in others:
                self.end_line()
                self.pieces.append(line)
        else:
            self.pieces.append(_BLANKS.sub(" ", text))

    def tag(self, name: str, rest: str, *, closed: bool = False) -> None:
        """Process a tag.

        name: in lower case, with "/" in front when it ends an element.
        rest: its attributes.
        closed: it ends the element that it begins.
        """
        if closed or (self.left_out and not self._goes_on_behind(name)):
            return
        if name.startswith("/"):
            element = name[1:]
            if element == "pre":
                self.preformatted = max(0, self.preformatted - 1)
            if element in _BLOCKS:
                self.end_block()
            return
        if name == "br":
            self.end_line()
            return
        if name in _BLOCKS:
            self.end_block()
        elif name in _CELLS:
            self.pieces.append(" ")
        fate = _fate(name, rest)
        if fate == "ends":
            self.ended = True
        elif fate and name not in _EMPTY:
            self.left_out, self.depth, self.apart = name, 1, 0
            if fate == "quoted":
                self.end_block()
                self.lines.append(SeenLine("", quoted=True))
        elif name == "pre":
            self.preformatted += 1

    def _goes_on_behind(self, name: str) -> bool:
        """Return whether a tag ends the element being left out without being its own, and is read."""
        ended_by, apart = _ENDED_BY.get(self.left_out, _BY_ITS_OWN)
        if name in apart:
            self.apart += 1
        elif self.apart:
            self.apart -= name[:1] == "/" and name[1:] in apart
        elif name in ended_by:
            self.left_out = ""
            return True
        if name == self.left_out:
            self.depth += 1
        elif name == "/" + self.left_out:
            self.depth -= 1
            if not self.depth:
                self.left_out = ""
        return False

    @property
    def full(self) -> bool:
        """Whether no more is read."""
        return self.room.used_up or len(self.lines) >= TEXT_LINES

    def end_line(self) -> None:
        """End the line, even an empty one."""
        self.lines.append(SeenLine("".join(self.pieces).strip(" ")))
        self.pieces = []

    def end_block(self) -> None:
        """End the line if it holds anything."""
        if any(piece.strip(" ") for piece in self.pieces):
            self.end_line()
        self.pieces = []

    def finish(self, *, whole: bool) -> list[SeenLine]:
        """Return all lines, without the last one when more of it may follow in unread text."""
        if whole:
            self.end_block()
        return [SeenLine(line.text, line.quoted or is_quoted(line.text)) for line in self.lines]


def _fate(name: str, rest: str) -> str:
    """Return what happens to an element.

    "" it is read, "quoted", "unseen", or "ends": everything below is somebody else's.
    """
    if name == "blockquote":
        return "quoted"
    if name in _UNSEEN or name in _STRUCK or name in _RAW:
        return "unseen"
    if _TELLING.search(rest) is None:
        return ""
    names: set[str] = set()
    signs = False
    for key, value in _ATTRIBUTE.findall(rest):
        match key.lower():
            case "hidden":
                return "unseen"
            case "style" if _HIDDEN.search(_plain_style(value)):
                return "unseen"
            case "class" | "id" | "name" if value:
                words = [word.removeprefix("x_") for word in value.strip("\"'").lower().split()]
                signs = signs or words == [_SIGNING_ALONE]
                names.update(words)
            case _:
                pass
    if names & _ENDING:
        return "ends"
    if names & _QUOTING_CLASSES or names & _QUOTING_NAMES:
        return "quoted"
    return "unseen" if signs or names & _SIGNING else ""


def _plain_style(value: str) -> str:
    """Return an inline style in lower case, without quotes, entities, comments and blanks."""
    style = _STYLE_COMMENT.sub("", _unescape(value.strip("\"'")).lower())
    return "".join(style.split())


def _unescape(text: str) -> str:
    """Resolve `&amp;` and the like; absurdly long numbers stay as they are."""
    try:
        return html.unescape(text)
    except ValueError:
        return text
