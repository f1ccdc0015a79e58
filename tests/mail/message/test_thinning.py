"""What a large HTML text loses before it is read: nothing that anybody would see as text."""

from __future__ import annotations

import pytest

from referee.mail.message.html_stripping import without_large_unseen
from referee.mail.message.limits import PASSED_OVER

LARGE = b"iVBOR" * 1_000


@pytest.mark.parametrize(
    ("large", "left"),
    [
        (b'<img src="data:image/png;base64,' + LARGE + b'">', b'<img src="data:image/png;base64,">'),
        (b"<img src='data:;base64," + LARGE + b"\r\n" + LARGE + b"'>", b"<img src='data:;base64,'>"),
        (b"<style>" + LARGE + b"</style>", b"<style></style>"),
        (b'<style type="text/css">' + LARGE + b"</style>", b'<style type="text/css"></style>'),
        (b"<!--" + LARGE + b"-->", b"<!---->"),
        (b"<!--" + LARGE + b"--!> A-N1 -->", b"<!----!> A-N1 -->"),
    ],
)
def test_a_large_picture_style_or_comment_is_left_out(large: bytes, left: bytes) -> None:
    assert (
        without_large_unseen(b"<p>A-N1</p>" + large + b"<p>C-N1</p>")
        == b"<p>A-N1</p>" + left + b"<p>C-N1</p>"
    )


@pytest.mark.parametrize(
    "text",
    [
        b'<img src="data:image/png;base64,iVBOR">',
        b'<p>src="data:;base64, ' + LARGE + b'"</p>',
        b'<p>src="data:;base64,</p><p>A-N1</p>' + LARGE + b'"',
        b'<img src="data:;base64,' + LARGE,
        b'<img src="data:;base64," alt="' + LARGE + b'">',
        b'<img alt="<!--"><p>' + LARGE + b"</p><!-- -->",
        b"<!-->" + LARGE + b"-->",
        b"<!--->" + LARGE + b"-->",
        b"<!--" + LARGE,
        b"<style>" + LARGE,
    ],
)
def test_all_else_stays(text: bytes) -> None:
    assert without_large_unseen(text) == text


def test_no_more_than_a_limit_of_each_are_looked_for() -> None:
    comment = b"<!--" + b"x" * 1_001 + b"-->"
    assert without_large_unseen(comment * (PASSED_OVER + 3)) == b"<!---->" * PASSED_OVER + comment * 3
