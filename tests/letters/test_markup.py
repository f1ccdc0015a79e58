"""HTML as a reader sees it, without what mail programs put around a reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.limits import MARKUP_TAGS, TEXT_LINES, TEXT_OCTETS
from referee.letters.markup import markup_lines
from referee.letters.quotations import own_lines


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
