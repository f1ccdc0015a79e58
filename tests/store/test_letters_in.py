"""Letters that come in: recorded once, decided once, recognised when they come again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.errors import Contested
from referee.store.content_hash import digest
from referee.store.database import Store
from referee.store.values import Known, Outcome, identity
from tests.store.scenery import NOON, clock_at_noon, letter


def test_a_letter_is_recorded_byte_for_byte(store: Store) -> None:
    content = b"Subject: \xff\x00\r\n\r\nV-NW2xZ\r\n.\r\n"
    (number,) = store.incoming.record([letter(content=content)])
    with store.reading() as lookup:
        kept = lookup.letters.get(number)
    assert number == 1
    assert kept is not None
    assert (kept.content, kept.size, kept.received) == (content, len(content), NOON)
    assert (kept.outcome, kept.attempts) == (None, 0)


def test_letters_wait_in_the_order_in_which_they_were_recorded(store: Store) -> None:
    assert store.incoming.record([letter("9"), letter("10"), letter("2")]) == [1, 2, 3]
    assert store.incoming.waiting() == [1, 2, 3]
    assert store.incoming.waiting(limit=2) == [1, 2]


def test_a_letter_seen_again_in_its_place_is_not_recorded_again(store: Store) -> None:
    assert store.incoming.record([letter("1")]) == [1]
    assert store.incoming.record([letter("1"), letter("2"), letter("2")]) == [2]
    assert store.incoming.record([]) == []


def test_another_letter_in_a_known_place_is_recorded_too_once(store: Store) -> None:
    """A server may begin its UIDs anew without another UIDVALIDITY, though it must not."""
    first = letter("1", b"Message-ID: <a@x>\r\n\r\nL-S2\r\n")
    second = letter("1", b"Message-ID: <b@x>\r\n\r\nL-S3\r\n", received=NOON + timedelta(hours=1))
    third = letter("1", b"Message-ID: <c@x>\r\n\r\nL-S2\r\n")
    rendered_anew = letter("1", b"Message-ID: <a@x>\r\nX-Seen: 1\r\n\r\nL-S2\r\n")
    assert store.incoming.record([first]) == [1]
    assert store.incoming.record([rendered_anew]) == [], "what a server adds makes no other letter"
    assert store.incoming.record([second]) == [2]
    assert store.incoming.record([second]) == []
    (number,) = store.incoming.record([third])  # though it came at the same time as the first
    assert store.incoming.record([third, second, first]) == []
    with store.reading() as lookup:
        stored = [lookup.letters.get(each) for each in (1, 2, number)]
    assert [each.content for each in stored if each] == [first.content, second.content, third.content]


def test_two_letters_that_lie_in_the_same_place_at_once_are_both_recorded(store: Store) -> None:
    letters = [letter("1", b"Message-ID: <%s@x>\r\n\r\nL-S2\r\n" % name) for name in (b"a", b"b", b"a")]
    assert store.incoming.record(letters) == [1, 2]
    assert store.incoming.record(letters[::-1]) == []


def test_a_letter_that_bears_no_date_is_the_same_whenever_it_is_seen(store: Store) -> None:
    """Its mailbox may have no date for it either, and says at each look that it has come just now."""
    assert store.incoming.record([letter("1", b"\r\nL-S2\r\n")]) == [1]
    assert store.incoming.record([letter("1", b"\r\nL-S2\r\n", received=NOON + timedelta(days=1))]) == []
    assert store.incoming.record([letter("1", b"\r\nL-S3\r\n")]) == [2]


def test_the_same_uid_elsewhere_is_another_letter(store: Store) -> None:
    store.incoming.record([letter("1")])
    assert (
        len(store.incoming.record([letter("1", mailbox="other"), letter("1", uidvalidity=4_294_967_295)]))
        == 2
    )


def test_a_letter_that_cannot_be_had_is_recorded_by_its_size(store: Store) -> None:
    (number,) = store.incoming.record([letter(content=None)])
    with store.reading() as lookup:
        kept = lookup.letters.get(number)
    assert kept is not None
    assert (kept.content, kept.size, kept.too_large) == (None, 32_000_000, False)


def test_a_letter_that_was_set_aside_without_content_is_completed_once_and_waits_again(store: Store) -> None:
    (number,) = store.incoming.record([letter("1", None, why="it gave NIL")])
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="set-aside", reason="it was not handed over")
    assert store.incoming.record([letter("2"), letter("1", None)]) == [2]
    assert store.incoming.record([letter("1", b"L-S2\r\n"), letter("3")]) == [number, 3]
    assert store.incoming.record([letter("1", b"L-S2\r\n")]) == []
    assert store.incoming.waiting() == [number, 2, 3]
    with store.reading() as lookup:
        kept = lookup.letters.get(number)
    assert kept is not None
    assert (kept.content, kept.size, kept.reason, kept.again) == (b"L-S2\r\n", 6, "", True)
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="ruled")
    assert next(each for each in store.history.kept().letters if each.number == number).again == 3


def test_a_letter_that_was_given_up_without_content_stays_so(store: Store) -> None:
    (number,) = store.incoming.record([letter("1", None)])
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="ignored")
    assert store.incoming.record([letter("1", b"L-S2\r\n")]) == []
    assert store.incoming.known([letter("1")])[identity(letter("1"))].decided


def test_how_often_a_letter_was_not_handed_over_is_known_to_other_processes(store: Store) -> None:
    one, other = letter("1", None), letter("odd \udc80 \x00", None)
    assert [store.incoming.not_handed_over(one, 3) for _ in range(2)] == [False, False]
    assert not store.incoming.not_handed_over(other, 3)
    on_trial, recorded = store.incoming.missing()
    assert (set(on_trial), recorded) == ({identity(one), ("inbox", 7, "odd \\udc80 \\x00")}, [])
    store.incoming.handed_over(other)
    assert store.incoming.missing() == ([identity(one)], [])
    assert store.incoming.not_handed_over(one, 3)
    store.incoming.record([one])
    assert store.incoming.missing() == ([], [identity(one)])
    assert not store.incoming.not_handed_over(one, 3), "counted anew"


def test_a_letter_too_large_is_recorded_by_its_header(store: Store) -> None:
    header = b"Message-ID: <1@example.net>\r\n\r\n"
    (number,) = store.incoming.record([letter(content=header, size=32_000_000)])
    with store.reading() as lookup:
        kept = lookup.letters.get(number)
    assert kept is not None
    assert (kept.content, kept.size, kept.too_large) == (header, 32_000_000, True)


def test_a_letter_of_zero_bytes_is_recorded(store: Store) -> None:
    (number,) = store.incoming.record([letter(content=b"")])
    with store.reading() as lookup:
        kept = lookup.letters.get(number)
    assert kept is not None
    assert kept.content == b""


def test_odd_file_names_stay_apart(store: Store) -> None:
    """Names of Maildir files are any bytes; what no database takes as text must not make two letters one."""
    letters = [letter("a\udc80"), letter("a\udc81"), letter("a\x00"), letter("a")]
    assert len(store.incoming.record(letters)) == 4
    assert set(store.incoming.known(letters)) == set(map(identity, letters))
    assert store.incoming.record(letters) == []


@pytest.mark.parametrize("filling", ["x", "ü", "\udcfc", "\x00", "\U0001f600"])
@pytest.mark.parametrize("length", [990, 1000, 1001, 5000])
def test_long_names_that_begin_alike_stay_apart(store: Store, filling: str, length: int) -> None:
    """A name may be longer than an index takes. What is put away has a row of its own."""
    long = filling * length
    letters = [
        *(letter(long + ending, b"Date: x\r\n\r\n" + ending.encode()) for ending in ("", "a", "b")),
        *(letter("1", mailbox=f"maildir:/{long}{ending}") for ending in ("", "a", "b")),
    ]
    assert len(store.incoming.record(letters)) == 6
    known = store.incoming.known(letters)
    assert len({known[identity(each)].number for each in letters}) == 6
    assert store.incoming.record(letters) == []


def test_known_letters_are_told_from_decided_ones(store: Store) -> None:
    here, there, new = letter("1"), letter("2", mailbox="other"), letter("3")
    store.incoming.record([here, there])
    with store.unit() as unit:
        unit.letters.conclude(2, outcome="ignored", reason="auto-reply")
    assert store.incoming.known([here, there, new]) == {
        identity(here): Known(1, False, here.received, digest(here.content or b"", here.received)),
        identity(there): Known(2, True, there.received, digest(there.content or b"", there.received)),
    }
    assert store.incoming.waiting() == [1]


def test_a_letter_ends_in_one_outcome(store: Store) -> None:
    (number,) = store.incoming.record([letter()])
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="ruled", commands=("V-NW2xZ",), sender="Anna@example.net")
    with pytest.raises(Contested), store.unit() as unit:
        unit.letters.conclude(number, outcome="ignored")
    with store.unit() as unit:
        assert unit.letters.get(number) is None
        assert unit.letters.get(number, decided=True) is not None
        (line,) = unit.letters.newest(10)
    assert (line.outcome, line.commands, line.sender) == ("ruled", ("V-NW2xZ",), "anna@example.net")


@pytest.mark.parametrize("outcome", ["held", "set-aside"])
def test_a_letter_that_was_held_or_set_aside_may_be_ruled_later(store: Store, outcome: Outcome) -> None:
    (number,) = store.incoming.record([letter()])
    with store.unit() as unit:
        unit.letters.conclude(number, outcome=outcome, reason="the sender is not vouched for")
    with store.unit() as unit:
        held = unit.letters.get(number, decided=True)
        assert held is not None
        assert held.outcome == outcome
        unit.letters.conclude(number, outcome="ruled", reason="confirmed by letter 2")
    with store.reading() as lookup:
        assert [line.outcome for line in lookup.letters.newest(10)] == ["ruled"]


def test_the_newest_letters_are_listed_oldest_first_and_by_outcome(store: Store) -> None:
    store.incoming.record([letter(str(uid)) for uid in range(5)])
    with store.unit() as unit:
        unit.letters.conclude(2, outcome="bounce")
        unit.letters.conclude(4, outcome="bounce", reason="a\x00b\udc80")
    with store.reading() as lookup:
        assert [line.number for line in lookup.letters.newest(3)] == [3, 4, 5]
        bounces = lookup.letters.newest(10, "bounce")
    assert [line.number for line in bounces] == [2, 4]
    assert bounces[1].reason == "a\\x00b\\udc80"


def test_failures_are_counted_and_survive(store: Store) -> None:
    (number,) = store.incoming.record([letter()])
    for times in (1, 2, 3):
        with store.unit() as unit:
            assert unit.letters.count_failure(number, "ValueError") == times
    with store.reading() as lookup:
        (line,) = lookup.letters.newest(1)
    assert (line.attempts, line.reason, line.outcome) == (3, "ValueError", None)


def test_the_same_letter_again_is_recognised_once_the_first_is_decided(store: Store) -> None:
    """A mailbox that was made anew gives its letters new places."""
    content = b"Message-ID: <1@example.net>\n\nV-NW2xZ\n"
    again = b"Received: from mx.example.org\n by mail.example.org\nReturn-Path: <a@b>\n" + content
    store.incoming.record(
        [letter("1", content), letter("1", again, uidvalidity=8), letter("2", content + b"!")]
    )
    with store.unit() as unit:
        assert unit.letters.duplicate(2) is None
        unit.letters.conclude(1, outcome="ruled")
    with store.unit() as unit:
        assert unit.letters.duplicate(2) == 1
        assert unit.letters.duplicate(3) is None
        assert unit.letters.duplicate(1) is None


@pytest.mark.parametrize(
    ("outcome", "heard"),
    [
        ("ruled", True),
        ("answered", True),
        ("ignored", False),
        ("held", False),
        ("bounce", False),
        ("set-aside", False),
    ],
)
def test_only_a_letter_that_was_heard_makes_another_the_same(
    store: Store, outcome: Outcome, heard: bool
) -> None:
    """One that had no effect may come again: vouched for by now, or put back when its fault was mended."""
    content = b"Message-ID: <1@example.net>\n\nV-NW2xZ\n"
    store.incoming.record([letter("1", content), letter("2", content)])
    with store.unit() as unit:
        unit.letters.conclude(1, outcome=outcome)
        assert unit.letters.duplicate(2) == (1 if heard else None)


def test_whoever_asks_may_name_other_outcomes_that_count(store: Store) -> None:
    """A letter that was too large the first time is too large the second time."""
    header = b"Message-ID: <1@example.net>\n\n"
    store.incoming.record([letter("1", header, size=32_000_000), letter("2", header, size=32_000_000)])
    with store.unit() as unit:
        unit.letters.conclude(1, outcome="set-aside")
        assert unit.letters.duplicate(2, ("ruled", "answered", "set-aside")) == 1


@pytest.mark.parametrize(
    ("header", "same"),
    [
        (b"Message-ID: <1@example.net>\r\nDate: Mon, 2 Mar 2026 12:00:00 +0000\r\n", True),
        (b"Date: Mon, 2 Mar 2026 12:00:00 +0000\r\n", True),
        (b"message-id:\r\n <1@example.net>\r\n", True),
        (b"Subject: a move\r\n", False),
        (b"Message-ID:\r\nDate: \r\n", False),
        (b"", False),
    ],
)
def test_the_same_words_are_the_same_letter_only_when_something_of_its_own_says_so(
    store: Store, header: bytes, same: bool
) -> None:
    """A player may make the same move on two turns; what stands below the header says nothing of when."""
    content = header + b"\r\nV-NW2xZ\r\n\r\nDate: tomorrow?\r\nMessage-ID: <2@example.net>\r\n"
    first, second = store.incoming.record(
        [letter("1", content), letter("2", b"Received: from a\r\n" + content)]
    )
    with store.unit() as unit:
        unit.letters.conclude(first, outcome="ruled")
        assert unit.letters.duplicate(second) == (first if same else None)


def test_two_letters_that_cannot_be_had_are_not_taken_for_the_same(store: Store) -> None:
    store.incoming.record([letter("1", None), letter("2", None)])
    with store.unit() as unit:
        unit.letters.conclude(1, outcome="set-aside")
        assert unit.letters.duplicate(2) is None


@pytest.mark.parametrize(
    "trace",
    [
        b"",
        b"Received: from a by b; Mon, 2 Mar 2026\r\n",
        b"DKIM-Filter: OpenDKIM Filter v2.11.0 mx.example.org 4X1\r\nReceived: from a by b\r\n",
        b"Received: from c by a\r\nX-Virus-Scanned: by c\r\nReceived: from b by c\r\n",
        b"X-Envelope-From: <anna@example.net>\r\nX-UIDL: 17\r\n",
        b"Precedence: first-class\r\nCc: nobody@example.net\r\n",
        b"Delivered-To: referee+abc@example.org\r\nX-Original-To: referee@example.org\r\n",
        b"Return-Path: <anna@example.net>\r\nReceived: from a\r\n\tby b\r\n with ESMTP\r\n",
        b"AUTHENTICATION-RESULTS: mx.example.org;\r\n dmarc=pass\r\n",
        b"From anna@example.net Mon Mar  2 12:00:00 2026\n",
    ],
)
def test_what_the_way_here_added_makes_no_difference(trace: bytes) -> None:
    """Wherever a mail host puts it, and whatever it does to the subject, to names, and to empty lines at the end."""
    head = b"From: Anna <anna@example.net>\r\nMessage-ID: <1@example.net>\r\nSubject: %s\r\n"
    text = b"V-NW2\r\n"
    sent = head % b"a move" + b"\r\n" + text
    ways = (
        trace + sent,
        trace + head % b"[SPAM?] a move" + b"X-Rspamd-Queue-Id: 4X1\r\n" + b"\r\n" + text,
        trace + sent.replace(b"Anna <anna@example.net>", b"anna@EXAMPLE.net"),
        (trace + sent).replace(b"\r\n", b"\n"),
        trace + sent + b"\r\n\r\n",
    )
    assert {digest(way, NOON) for way in ways} == {digest(sent, NOON + timedelta(days=1))}
    assert len(digest(sent, NOON)) == 64


@pytest.mark.parametrize(
    "added",
    [
        b"Cc: somebody+else@evil.example\r\n",
        b"In-Reply-To: <2@x>\r\nReferences: <1@x> <2@x>\r\n",
        b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"Delivered-To: referee+another@example.org\r\n",
        b"Subject: [game 2]\r\n",
    ],
)
def test_what_can_be_put_over_a_signed_letter_does_not_make_it_another(added: bytes) -> None:
    """Given a letter that counted, when somebody who has got it hands it in again with what no signature covers, on top
    or in the blanks, then it is the same letter."""
    sent = b"From: anna@example.net\r\nDate: x\r\nMessage-ID: <1@x>\r\n\r\nI think:\r\ndraw\r\n"
    same = {digest(each, NOON) for each in (sent, added + sent, sent.replace(b"think:", b"\tthink:  "))}
    assert len(same) == 1


@pytest.mark.parametrize(
    "other",
    [
        b"From: anna@example.net\r\nDate: x\r\n\r\nV-NW3\r\n",
        b"From: yann@example.net\r\nDate: x\r\n\r\nV-NW2\r\n",
        b"From: anna@example.net\r\nDate: x\r\n y\r\n\r\nV-NW2\r\n",
        b"From: anna@example.net\r\nDate: x\r\nMessage-ID: <2@x>\r\n\r\nV-NW2\r\n",
        b"From: anna@example.net\r\nDate: x\r\nSubject: [game 2]\r\n\r\nV-NW2\r\n",
        b"From: anna@example.net\r\nDate: x\r\nTo: referee+abc@example.org\r\n\r\nV-NW2\r\n",
        b"From: anna@example.net\r\nDate: x\r\n\r\n\r\nV-NW2\r\n",
        b"",
        b"Received: from a by b",
    ],
)
def test_what_the_writer_sent_makes_a_difference(other: bytes) -> None:
    ours = b"From: anna@example.net\r\nDate: x\r\n\r\nV-NW2\r\n"
    assert digest(other, NOON) != digest(ours, NOON)


def test_a_letter_that_says_nothing_of_its_own_is_known_by_all_of_it_and_when_it_came() -> None:
    """When a mailbox numbers its letters anew it is the same one; a second one like it came at another time."""
    sent = b"From: anna@example.net\r\n\r\nV-NW2\r\n"
    assert digest(sent, NOON) == digest(sent.replace(b"\r\n", b"\n"), NOON)
    others = digest(sent, NOON + timedelta(seconds=1)), digest(b"Received: x\r\n" + sent, NOON)
    assert digest(sent, NOON) not in others


@given(st.binary(max_size=300))
def test_any_bytes_have_a_digest(content: bytes) -> None:
    assert len(digest(b"Date: x\n" + content, NOON)) == 64
    assert len(digest(content, NOON)) == 64


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('shared')}/referee.db", clock_at_noon())
    store.open()
    yield store
    store.close()


mailboxes = itertools.count()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), max_size=6), max_size=4))
def test_however_letters_are_seen_each_is_recorded_once(shared_store: Store, seen: list[list[int]]) -> None:
    """Numbers follow the order in which letters were first seen, and known() gives them back."""
    mailbox = f"box {next(mailboxes)}"
    expected: dict[str, int] = {}
    for batch in seen:
        letters = [letter(str(uid), mailbox=mailbox) for uid in batch]
        numbers = shared_store.incoming.record(letters)
        new = [each.uid for each in letters if each.uid not in expected]
        assert numbers == sorted(numbers)
        expected |= dict(zip(dict.fromkeys(new), numbers, strict=True))
        known = {where[2]: found.number for where, found in shared_store.incoming.known(letters).items()}
        assert known == {each.uid: expected[each.uid] for each in letters}
