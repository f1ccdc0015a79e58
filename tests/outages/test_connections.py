"""Given a connection that is lost at some word, when the service is started again, then every letter has been settled
once, and every answer has arrived, perhaps twice with the same Message-ID."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

import pytest

from tests.outages.settings import RealSetting, Setting, SmallSetting
from tests.servers.wire import Cut, Wire
from tests.support.telling import telling

pytestmark = pytest.mark.slow


def cuts(
    side: Literal["client", "server"], words: str, *carried: Literal["nothing", "half", "all"]
) -> list[Cut]:
    """Return cuts at each of these words; a word of SMTP is the beginning of a line, for letters may hold it, too."""
    return [Cut(side, _LINES.get(word, word).encode(), each) for word in words.split() for each in carried]


_LINES = {"MAIL": "MAIL FROM:", "RCPT": "RCPT TO:", "DATA": "DATA\r\n", "QUIT": "QUIT\r\n"}


READING = [
    *cuts("server", "eady", "nothing", "half"),
    *cuts("client", "LOGIN SELECT SEARCH", "nothing", "all"),
    *cuts("client", "LIST NAMESPACE NOOP", "nothing"),
    *cuts("server", "UIDVALIDITY SEARCH INTERNALDATE", "nothing", "half"),
    *cuts("client", "BODY.PEEK", "nothing", "all"),
    *cuts("server", "BODY[]", "nothing", "half"),
    *cuts("client", "CREATE MOVE", "nothing", "half", "all"),
    *cuts("client", "LOGOUT", "nothing"),
]
"""Where a connection to the mailbox can be lost: from the greeting over half a letter to the goodbye."""
SOME_READING = [
    *cuts("server", "eady", "nothing"),
    *cuts("client", "SELECT LIST", "nothing"),
    *cuts("server", "UIDVALIDITY INTERNALDATE BODY[]", "half"),
    *cuts("client", "MOVE", "nothing"),
]
COPYING = cuts("client", "COPY STORE EXPUNGE", "nothing", "all")
"""The same where the server cannot move letters."""
DOT = Cut("client", b"\r\n.\r\n", "all")
"""The server has the whole letter, and its 250 does not arrive."""
POSTING = [
    *cuts("server", "220", "nothing", "half"),
    *cuts("client", "EHLO MAIL RCPT DATA", "nothing", "all"),
    *cuts("server", "354", "nothing", "half"),
    *cuts("client", "X-Referee-Kind", "nothing", "half"),
    DOT,
    *cuts("client", "QUIT", "nothing", "all"),
]
"""Where a connection to the post can be lost."""
LOGIN = cuts("client", "AUTH", "nothing", "all")
STARTTLS = cuts("client", "STARTTLS", "nothing", "all")


def lose(setting: Setting, wire: Wire, losses: Sequence[Cut]) -> None:
    """For each loss let both players write, let it happen, start the service again, and look how that ends."""
    shifts = setting.shifts
    players = (shifts.white, shifts.yellow)
    for cut in losses:
        asked = shifts.outcomes()["answered"]
        sent, repeats = 2 + asked, shifts.repeats()
        shifts.clock.at += timedelta(days=31)  # so that a new folder is made for what is done
        for who in players:
            shifts.write(who, f"status\n\nLetter {sent}.")
        lost, wire.cuts = wire.lost, [cut]
        shifts.turn()
        assert wire.lost == lost + 1, cut
        shifts.finish()
        setting.wait_for(sent + 2 + repeats + (cut == DOT))
        assert shifts.outcomes() == {"answered": asked + 2}, cut
        assert shifts.outgoing() == {"sent": sent + 2}, cut
        assert [shifts.numbers_of(who) for who in players] == [list(range(1, sent // 2 + 2))] * 2, cut
        assert shifts.repeats() == repeats + (cut == DOT), cut


@pytest.mark.full
def test_a_connection_to_the_mailbox_that_is_lost_where_it_matters_costs_nothing(small: SmallSetting) -> None:
    small.begin()
    lose(small, small.reading, [*cuts("server", "BODY[]", "half"), *cuts("client", "MOVE", "nothing", "all")])
    small.mailbox.capabilities.remove("MOVE")
    lose(small, small.reading, cuts("client", "COPY STORE EXPUNGE", "all"))


@pytest.mark.full
@pytest.mark.timeout(300)
def test_wherever_the_connection_to_the_mailbox_is_lost_every_letter_counts_once(small: SmallSetting) -> None:
    small.begin()
    lose(small, small.reading, READING)
    small.mailbox.capabilities.remove("MOVE")
    lose(small, small.reading, COPYING)


def test_a_connection_to_the_post_that_is_lost_where_it_matters_costs_no_letter(small: SmallSetting) -> None:
    small.begin()
    lose(small, small.posting, [*cuts("client", "X-Referee-Kind", "half"), DOT])


@pytest.mark.full
@pytest.mark.timeout(300)
def test_wherever_the_connection_to_the_post_is_lost_every_letter_arrives(small: SmallSetting) -> None:
    small.begin()
    lose(small, small.posting, [*POSTING, *LOGIN])


@pytest.mark.full
def test_a_connection_lost_at_starttls_costs_nothing(small: SmallSetting) -> None:
    small.speak_tls()
    small.begin()
    lose(small, small.reading, STARTTLS)
    lose(small, small.posting, STARTTLS)


@pytest.mark.parametrize(
    "losses",
    telling([SOME_READING], others=[[cut for cut in READING if cut.words != b"LOGOUT"]]),
    ids=["some", "all"],
)
def test_losses_one_after_the_other_cost_no_letter(small: SmallSetting, losses: Sequence[Cut]) -> None:
    """The letters are there before the first loss; none of these processes gets to the end of its work."""
    small.begin()
    for who in (small.shifts.white, small.shifts.yellow):
        small.shifts.write(who, "status")
    small.reading.cuts = [*losses]
    while small.reading.cuts:
        small.shifts.turn()
    small.shifts.finish()
    assert small.shifts.outcomes() == {"answered": 2}
    assert (
        small.shifts.numbers_of(small.shifts.white) == small.shifts.numbers_of(small.shifts.yellow) == [1, 2]
    )


@pytest.mark.full
@pytest.mark.timeout(300)
def test_wherever_the_connection_to_dovecot_is_lost_every_letter_counts_once(real: RealSetting) -> None:
    real.begin()
    lose(real, real.reading, READING)


@pytest.mark.full
@pytest.mark.timeout(300)
def test_wherever_the_connection_to_postfix_is_lost_every_letter_arrives(real: RealSetting) -> None:
    real.begin()
    lose(real, real.posting, POSTING)


def test_a_letter_that_postfix_has_taken_without_our_knowing_arrives_twice_with_one_message_id(
    real: RealSetting,
) -> None:
    real.begin()
    lose(real, real.posting, [DOT])


def test_half_a_letter_from_dovecot_is_no_letter(real: RealSetting) -> None:
    real.begin()
    lose(real, real.reading, [*cuts("server", "BODY[]", "half"), *cuts("client", "MOVE", "all")])
