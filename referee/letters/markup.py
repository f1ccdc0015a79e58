"""HTML becomes lines, as a reader would see them, without what mail programs put around a reply.

One pass from tag to tag, with a stack of one: the element that is being left out. Block elements end lines, cells
are set apart by a blank, spans are not (so that a move which a program cut into spans stays whole). What is left
out: quotations and the containers in which Gmail, Outlook, Apple Mail and others keep the letter that
is answered, their signatures, what the writer struck out, and what a reader cannot see.
"""

from __future__ import annotations

import html
import re

from referee.letters.limits import ATTRIBUTES_CHARACTERS, MARKUP_TAGS, TEXT_LINES, TEXT_OCTETS
from referee.letters.plain import SeenLine, is_quoted

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
"""What the writer took back."""
_RAW = frozenset({"script", "style", "title", "textarea", "xmp", "noembed", "noframes"})
"""Elements in which no tag counts but their own end."""
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
})

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
"""What says so only where nothing stands beside it: an element of the classes `no signature` is none."""
_ENDING = frozenset({"divrplyfwdmsg", "moz-forward-container", "moz-email-headers-table"})
"""Names of elements below which everything is the letter that is answered or forwarded."""
# fmt: on

_TAG_NAME = re.compile(r"/?[A-Za-z]")
_TAG = re.compile(r"""(/?[A-Za-z][^\s/>]*+)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
"""A tag behind its `<`, with its name and its attributes; a `>` between quotes does not close it. Nothing is tried
twice, so that a tag that is not closed costs no more than one that is."""
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)|([^\s=/"'<>]+)""")
_TELLING = re.compile("hidden|style|class|id|name", re.IGNORECASE)
"""The attributes that say what becomes of an element."""
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


def markup_lines(markup: str, most_tags: int = MARKUP_TAGS) -> list[SeenLine]:
    """Return the lines of an HTML text, as `read_markup` does."""
    return read_markup(markup, most_tags)[0]


def read_markup(markup: str, most_tags: int = MARKUP_TAGS) -> tuple[list[SeenLine], str]:
    """Return the lines of an HTML text; where a quotation was left out, an empty line marked as quoted. And how it
    ended: "whole", "cut" by a limit, or "ended" by what is below everything of its writer's.

    most_tags: so many tags are read; what stands behind them is cut off. Linear in the length of the text: a tag,
    comment or quote that is not closed ends the reading.
    """
    page = _Page()
    at = tags = 0
    while tags < most_tags and not page.full and not page.ended:
        opening = markup.find("<", at)
        if opening < 0:
            page.write(markup[at:])
            break
        page.write(markup[at:opening])
        tags += 1
        tag = _TAG.match(markup, opening + 1)
        if tag:
            at = tag.end()
            name = tag[1].lower()
            page.tag(name, tag[2][:ATTRIBUTES_CHARACTERS])
            if name in _RAW:
                at = _raw_end(markup, name, at)
                page.tag("/" + name, "")
        elif _TAG_NAME.match(markup, opening + 1):
            break
        elif markup.startswith("<!--", opening):
            closing = markup.find("-->", opening + 2)
            if closing < 0:
                break
            at = closing + 3
        elif markup.startswith(("<!", "<?", "</"), opening):
            closing = markup.find(">", opening)
            if closing < 0:
                break
            at = closing + 1
        else:
            page.write("<")
            at = opening + 1
    whole = tags < most_tags and not page.full
    return page.finish(whole=whole), "ended" if page.ended else "whole" if whole else "cut"


def _raw_end(markup: str, name: str, at: int) -> int:
    """Return where the text after the end tag of a raw element begins; the end of all when it is never closed."""
    closing = re.compile(f"</{name}", re.IGNORECASE).search(markup, at)
    bracket = markup.find(">", closing.end()) if closing else -1
    return bracket + 1 if bracket >= 0 else len(markup)


class _Page:
    """Lines being written, and the element that is being left out, if one is."""

    def __init__(self) -> None:
        self.lines: list[SeenLine] = []
        self.pieces: list[str] = []
        self.room = TEXT_OCTETS
        self.left_out = ""
        self.depth = 0
        self.preformatted = 0
        self.ended = False

    def write(self, text: str) -> None:
        """Add text as it stands between two tags."""
        if self.left_out or not text:
            return
        if len(text) > self.room:
            text = text[: text.rfind("\n", 0, self.room) + 1]
            self.room = 0
        self.room -= len(text)
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

    def tag(self, name: str, rest: str) -> None:
        """Take notice of a tag: its name in lower case, with "/" in front when it ends an element; its attributes."""
        if self.left_out:
            if name == self.left_out:
                self.depth += 1
            elif name == "/" + self.left_out:
                self.depth -= 1
                if not self.depth:
                    self.left_out = ""
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
            self.left_out, self.depth = name, 1
            if fate == "quoted":
                self.end_block()
                self.lines.append(SeenLine("", quoted=True))
        elif name == "pre":
            self.preformatted += 1

    @property
    def full(self) -> bool:
        """Whether no more is read."""
        return self.room <= 0 or len(self.lines) >= TEXT_LINES

    def end_line(self) -> None:
        """End the line, also when nothing stands in it."""
        self.lines.append(SeenLine("".join(self.pieces).strip(" ")))
        self.pieces = []

    def end_block(self) -> None:
        """End the line if anything stands in it."""
        if any(piece.strip(" ") for piece in self.pieces):
            self.end_line()
        self.pieces = []

    def finish(self, *, whole: bool) -> list[SeenLine]:
        """Return all lines; without the last one when more of it may follow in what was not read."""
        if whole:
            self.end_block()
        return [SeenLine(line.text, line.quoted or is_quoted(line.text)) for line in self.lines]


def _fate(name: str, rest: str) -> str:
    """Say what becomes of an element: "" it is read, "quoted", "unseen", or "ends": all below is not the writer's."""
    if name == "blockquote":
        return "quoted"
    if name in _UNSEEN or name in _STRUCK or name in _RAW:
        return "unseen"
    if _TELLING.search(rest) is None:
        return ""
    names: set[str] = set()
    signs = False
    for key, value, alone in _ATTRIBUTE.findall(rest):
        match (key or alone).lower():
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
    """Return an inline style in small letters, without quotes, entities, comments and blanks."""
    style = _STYLE_COMMENT.sub("", _unescape(value.strip("\"'")).lower())
    return "".join(style.split())


def _unescape(text: str) -> str:
    """Resolve `&amp;` and its like; absurdly long numbers stay as they are."""
    try:
        return html.unescape(text)
    except ValueError:
        return text
