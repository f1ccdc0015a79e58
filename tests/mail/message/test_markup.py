"""HTML as a reader sees it, without what mail programs put around a reply."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.html import Room, read_markup
from referee.mail.message.limits import (
    ATTRIBUTES_CHARACTERS,
    ATTRIBUTES_TOGETHER,
    MARKUP_TAGS,
    TEXT_LINES,
    TEXT_OCTETS,
)
from referee.mail.message.plain_text import SeenLine
from referee.mail.message.quoting import own_lines


def markup_lines(markup: str) -> list[SeenLine]:
    return read_markup(markup)[0]


def seen(markup: str) -> list[str]:
    return [line.text for line in markup_lines(markup) if not line.quoted]


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("A-N1", ["A-N1"]),
        ("<p>A-N1</p><p>b</p>", ["A-N1", "b"]),
        ("<div>A<div>b</div>c</div>", ["A", "b", "c"]),
        ("A-N1<br>b<br/>c", ["A-N1", "b", "c"]),
        ("<div>a</div><div><br></div><div>b</div>", ["a", "", "b"]),
        ("<b>A</b><span>-</span><i>N1</i>", ["A-N1"]),
        ("a\n   b\t c", ["a b c"]),
        ("<pre>a\n  b</pre>c", ["a", "b", "c"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", ["a b", "c"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("a &amp; b &lt;c&gt; &#45; &nbsp;d", ["a & b <c> - \u00a0d"]),
        ("&#" + "9" * 5000 + ";", ["&#" + "9" * 5000 + ";"]),
        ("1 < 2 <3", ["1 < 2 <3"]),
        ('<a title="x > y" href=\'">\'>A</a>', ["A"]),
        ("<P>A<BR>B</P>", ["A", "B"]),
        ("<!DOCTYPE html><?xml version='1.0'?></>A", ["A"]),
        ("<![if !supportLists]>1. <![endif]>A-N1", ["1. A-N1"]),
        ("<o:p>A</o:p>", ["A"]),
    ],
)
def test_blocks_end_lines_and_spans_do_not(markup: str, lines: list[str]) -> None:
    assert seen(markup) == lines


@pytest.mark.parametrize(
    "left_out",
    [
        "<blockquote>{}</blockquote>",
        "<blockquote type=cite><blockquote>a</blockquote>{}</blockquote>",
        '<div class="gmail_quote"><div>x</div>{}</div>',
        '<div class="foo x_gmail_quote_container">{}</div>',
        '<div id="mail-editor-reference-message-container">{}</div>',
        '<div class="moz-cite-prefix">{}</div>',
        '<div class="yahoo_quoted" id="yahoo_quoted_1">{}</div>',
        '<div name="quote">{}</div>',
        '<div class="gmail_signature">{}</div>',
        '<div id="Signature">{}</div>',
        '<div style="display: none; color:red">{}</div>',
        '<span style="DISPLAY:NONE!important">{}</span>',
        '<span style="color:red;font-size:0px">{}</span>',
        '<span style="visibility:hidden">{}</span>',
        "<p hidden>{}</p>",
        "<del>{}</del>",
        "<s>{}</s>",
        "<strike>{}</strike>",
        '<span style="text-decoration: underline line-through">{}</span>',
        '<div style="opacity:0">{}</div>',
        '<div style="opacity: 0.00; color: red">{}</div>',
        '<div style="font-size:1px;max-height:0px;overflow:hidden">{}</div>',
        '<span style="font-size:0">{}</span>',
        '<span style="font-size:.1px">{}</span>',
        '<span style="font-size:0.1pt">{}</span>',
        '<span style="color:transparent">{}</span>',
        '<div style="position:absolute;left:-9999px">{}</div>',
        '<div style="display&#58;none">{}</div>',
        "<div style='display:/* x */none'>{}</div>",
        "<style>{}</style>",
        "<script>if (a < b) {}</script>",
        "<title>{}</title>",
        "<!-- <p>{}</p> -->",
        "<template>{}</template>",
        "<select><option>{}</option></select>",
    ],
)
def test_quotations_signatures_and_hidden_things_are_left_out(left_out: str) -> None:
    assert [line for line in seen(f"<p>a</p>{left_out.format('C-N2')}<p>b</p>") if line] == ["a", "b"]


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0.9em",
        "font-size:10px",
        "color:none",
        "display:inline",
        "opacity:0.9",
        "max-height:100%",
        "margin-left:-18pt;text-indent:-108pt",
        "background-color:transparent",
        "color:#ffffff",
        "text-decoration:none",
        "line-height:0",
    ],
)
def test_what_only_resembles_hiding_is_read(style: str) -> None:
    assert seen(f'<p style="{style}">A-N1</p>') == ["A-N1"]


@pytest.mark.parametrize("key", ["class", "id", "name"])
@pytest.mark.parametrize(
    "value",
    ["signature-free", "no-signature", "designature", "no signature", "signature free", "x_no-signature", ""],
)
def test_what_merely_holds_the_word_signature_is_none(key: str, value: str) -> None:
    assert seen(f'<div {key}="{value}">A-N1</div>') == ["A-N1"]
    assert seen(f'<div {key}="Signature">A-N1</div>') == []


@pytest.mark.parametrize(
    "ending",
    ['<div id="divRplyFwdMsg">', "<div id=x_divRplyFwdMsg>", '<table class="moz-email-headers-table">'],
)
def test_below_the_header_of_an_answered_letter_nothing_is_read(ending: str) -> None:
    assert seen(f"<div>A-N1</div>{ending}x</div><div>C-N2</div>") == ["A-N1"]


def test_a_quotation_that_was_left_out_still_takes_its_announcement_along() -> None:
    announcement = "<div>On 27 Nov 2026, at 21:04, Referee &lt;r@example.org&gt; wrote:</div>"
    markup = f"{announcement}<blockquote>C-N2</blockquote><p>A-N1</p>"
    assert [line.text for line in own_lines(markup_lines(markup))] == ["A-N1"]


@pytest.mark.parametrize(
    "open_end", ["<blockquote>", "<!--", "<style>", '<a href="', "<a ", "<!", "<script>", "<div hidden>"]
)
def test_what_is_never_closed_hides_all_that_follows(open_end: str) -> None:
    assert [line for line in seen(f"<p>A-N1</p>{open_end}C-N2") if line] == ["A-N1"]


def test_a_last_line_that_may_go_on_beyond_the_limits_is_left_out() -> None:
    assert seen("<b>a</b>" * MARKUP_TAGS) == []
    assert len(seen("<p>a</p>" * (TEXT_LINES + 5))) == TEXT_LINES


def test_a_preformatted_text_is_read_up_to_the_limit_of_lines() -> None:
    lines = seen("<pre>" + "a\n" * (TEXT_LINES * 3))
    assert lines == ["a"] * len(lines)
    assert TEXT_LINES <= len(lines) <= TEXT_LINES + 1


def test_text_beyond_the_limit_is_cut_at_a_whole_line() -> None:
    """Given more text than is read, then no half of a line is, and what is quoted does not count."""
    quoted = f"<blockquote>{'b' * TEXT_OCTETS}</blockquote>"
    assert seen(f"{quoted}<p>A-N1</p>")[-1] == "A-N1"
    lines = seen(f"<pre>A-N1\n{'x' * 300}\n" + ("y" * 300 + "\n") * (TEXT_OCTETS // 300))
    assert lines[:2] == ["A-N1", "x" * 300]
    assert set(lines[2:]) == {"y" * 300}
    assert seen(f"<p>A-N1</p><p>{'z' * TEXT_OCTETS}</p><p>C-N1</p>") == ["A-N1"]


@pytest.mark.parametrize(
    ("size", "hidden"), [("0", 1), ("00.00px", 1), (".0em", 1), ("0.", 1), ("0.01", 0), ("1.0", 0)]
)
def test_a_size_of_nothing_hides_however_it_is_written(size: str, hidden: int) -> None:
    assert seen(f'<p style="opacity:{size}">C-N1</p><p>A-N1</p>') == ["C-N1", "A-N1"][hidden:]


@given(st.text(alphabet="<>/!-\"'=& ;#apbdivq\n", max_size=80))
def test_no_markup_makes_reading_fail(markup: str) -> None:
    assert all("\n" not in line.text for line in markup_lines(markup))


@given(st.lists(st.text(alphabet="abc -", min_size=1, max_size=8)))
def test_paragraphs_come_back_as_lines(texts: list[str]) -> None:
    markup = "".join(f"<p>{text}</p>" for text in texts)
    assert seen(markup) == [" ".join(text.split()) for text in texts if text.strip()]


@pytest.mark.parametrize(
    "between",
    [
        "<img alt='Anna's cat' src='x'>",
        "<img alt='it's' alt='>' src=x>",
        "<p title=it's>",
        '<p title=5">',
        "<p title = 'x > y' a='/>'>",
        "<p 'a' \"b>",
        "<p ='>",
        "<p a= b='>",
        "<p a=>",
        "<a/b/c='>'>",
        "<a href=http://x.example/'>",
        "<!-- x --!>",
        "<!-->",
        "<!--->",
        "<!-- -- > <p -->",
        "<svg/>",
        "<svg width='1' />",
        "<svg><svg/><path d='x'/></svg>",
        '<p style="display:none">x',
        "<ul><li hidden>x<ul><li>y</ul><li></ul>",
        "<dl><dt hidden>x<dd></dl>",
        "<table><tr><td hidden>x<table><tr><td>y</table><td></table>",
        "<table><tr hidden><td>x<tr></table>",
        "<ul><li hidden>x</ul>",
        "<p " + "a=b c='>' " * 100 + ">",
        "<style>x</styles></style\n>",
    ],
)
def test_a_tag_or_comment_ends_where_it_does_in_a_browser(between: str) -> None:
    """As the HTML standard says: a quote opens a value only right behind "=", and some end tags may be left out."""
    lines, end = read_markup(f'<div>A-N1</div>{between}<div>B-N1</div><div>Don\'t "worry"</div>')
    assert ([line.text for line in lines if line.text], end) == (["A-N1", "B-N1", 'Don\'t "worry"'], "whole")


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>x<table><tr><td><p>C-N2</p></table></p>",
        "<p hidden><object><div>C-N2</div></object></p>",
        "<svg width=1/>C-N2</svg>",
        "<p hidden/>C-N2</p>",
        "<li hidden>x<ol><li>C-N2</li></ol></li>",
        "<span hidden><p>C-N2</p></span>",
        "<p hidden title='</p>'>C-N2</p>",
        "<!-- x --- > C-N2 -->",
        "<style>x</styles>C-N2</style>",
    ],
)
def test_what_a_browser_hides_stays_hidden(hidden: str) -> None:
    assert [line for line in seen(f"<div>a</div>{hidden}<div>b</div>") if line] == ["a", "b"]


@pytest.mark.parametrize(
    "open_end",
    ["<!--", "<!-- --", "<style>", "<title>", '<a href="', "<a href='>", "<a ", "<a", "<!", "</ ", "<?x"],
)
def test_what_is_hidden_since_something_is_not_closed_is_said(open_end: str) -> None:
    """Then the line above it is read; where the text was cut there, it may go on, and only whole lines are."""
    lines, end = read_markup(f"<p>A-N1</p>B-N1{open_end}")
    assert ([line.text for line in lines], end) == (["A-N1", "B-N1"], "broken")
    lines, end = read_markup(f"<p>A-N1</p>B-N1{open_end}", goes_on=True)
    assert ([line.text for line in lines], end) == (["A-N1"], "cut")


@pytest.mark.parametrize("ending", ["</p>", "<br>", "<p>", "<hr>", "<p>B-N", "<p><b>B</b>-N"])
def test_a_line_that_was_ended_above_the_cut_is_read(ending: str) -> None:
    assert [line.text for line in read_markup(f"A-N1{ending}", goes_on=True)[0]] == ["A-N1"]
    assert read_markup("A-N1", goes_on=True)[0] == []


def test_the_attributes_of_all_tags_together_have_one_limit() -> None:
    """Given long attributes, then no more than so many of their signs are looked at, a long one up to its limit."""
    styled = f"<p style='{'x' * (ATTRIBUTES_CHARACTERS * 2)}'>a</p>"
    most = ATTRIBUTES_TOGETHER // ATTRIBUTES_CHARACTERS
    lines, end = read_markup(styled * (most * 2))
    assert (end, most <= len(lines) + 1 <= most + 2) == ("cut", True)


def test_a_tag_of_many_attributes_counts_as_several() -> None:
    room = Room()
    read_markup("<p " + "a=b " * 10_000 + ">", room)
    assert 500 < MARKUP_TAGS - room.tags < 2_000
    assert read_markup("<p>A-N1</p><p " + "a=b " * 100_000 + ">C-N1") == (markup_lines("<p>A-N1</p>"), "cut")


class _Independent(HTMLParser):
    """The text of HTML, as the standard library reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.said = ""

    def handle_data(self, data: str) -> None:
        self.said += data


_TEXTS = st.text(alphabet="ab'\"= /!-", max_size=6)
_ATTRIBUTE = st.one_of(
    st.sampled_from(["a", "title=x", "data-b = c", "alt=it's"]),
    st.text(alphabet="ab'>=/ <-", max_size=6).map(lambda value: f'a="{value}"'),
    st.text(alphabet='ab">=/ <-', max_size=6).map(lambda value: f"b='{value}'"),
)
_TAGS = st.builds(
    lambda name, attributes: f"<{name} {' '.join(attributes)}>",
    st.sampled_from(["b", "p", "img", "a", "span"]),
    st.lists(_ATTRIBUTE, max_size=3),
)
_COMMENTS = st.text(alphabet="ab<'\" ", max_size=6).map(lambda text: f"<!-- {text} -->")


@given(st.lists(st.one_of(_TEXTS, _TAGS, _COMMENTS, st.sampled_from(["</b>", "</p>", "<br>"])), max_size=12))
def test_well_formed_markup_shows_what_the_standard_library_finds_in_it(pieces: list[str]) -> None:
    markup = "".join(pieces)
    independent = _Independent()
    independent.feed(markup)
    independent.close()
    lines, end = read_markup(markup)
    assert end == "whole"
    assert "".join("".join(line.text for line in lines).split()) == "".join(independent.said.split())
