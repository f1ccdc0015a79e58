"""Given a letter that the mailbox does not hand over, when the service runs, then it stays where it is and is asked for
again, also by later runs, all others are settled meanwhile, and in the end it is set aside and told; when it can be had
at last, it is heard."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from referee.service.missing_letters import MOST_TRIES, SET_ASIDE_EVERY, TRIED_EVERY
from referee.service.running import working
from tests.outages.settings import RealSetting, Setting, SmallSetting
from tests.outages.shifts import Shifts
from tests.support.operating import WENDY, YANNICK, Desk, Said, write_mail
from tests.support.telling import telling

pytestmark = pytest.mark.slow

OPERATOR = "postmaster@example.org"


def run_once(shifts: Shifts) -> Said:
    return shifts.desk.do("run", "--once", "--json")


def name_operator(shifts: Shifts) -> None:
    settings = shifts.desk.settings.replace("[service]", f'[service]\noperator = "{OPERATOR}"')
    shifts.desk.write_settings(settings)


def letters_of(shifts: Shifts) -> list[tuple[str, str]]:
    """Return outcome and reason of all letters, in their order."""
    return [(each["outcome"], each["reason"]) for each in shifts.desk.done("letters", "--json").json]


def outcomes_of(shifts: Shifts) -> Counter[str]:
    return Counter(outcome for outcome, _ in letters_of(shifts))


def told_of(shifts: Shifts, words: str) -> int:
    """Return how many letters to the operator hold these words."""
    return sum(words in letter.as_string() for letter in shifts.letters_to(OPERATOR))


def set_aside_in_the_end(shifts: Shifts, others: int) -> None:
    """Run until the one letter is set aside; it fails until then, and nobody else has to wait."""
    for attempt in range(1, MOST_TRIES):
        said = run_once(shifts)
        assert (said.status, said.json["failures"]) == (3, 1), said
        assert "1 letter could not be had from the mailbox" in said.err
        assert said.json["letters"] == (others if attempt == 1 else 0)
        assert outcomes_of(shifts) == Counter(answered=others)
    last = run_once(shifts)
    assert (last.status, last.json["failures"], last.json["letters"]) == (0, 0, 1), last
    assert outcomes_of(shifts) == Counter({"answered": others, "set-aside": 1})


NOT_HANDED_OVER = {
    "NIL": b"UID %d BODY[] NIL",
    "empty": b'UID %d BODY[] ""',
    "a stump": b"UID %d BODY[] {40}\r\nFrom: wendy@example.net\r\nTo: referee@ex",
    "nothing": b"%.0d",
    "too much": b"UID %d BODY[] {4294967296}",
}


@pytest.mark.parametrize(
    "kind", telling(["NIL", "empty", "a stump"], others=[*NOT_HANDED_OVER, "refused", "deadly"])
)
def test_a_letter_that_is_not_handed_over_stays_is_set_aside_and_told_and_is_heard_when_it_can_be_had(
    small: SmallSetting, kind: str
) -> None:
    shifts, box = small.shifts, small.mailbox
    name_operator(shifts)
    small.begin()
    shifts.write(shifts.yellow, "status\n\nfirst")
    shifts.write(shifts.white, "status\n\nthe one")
    shifts.write(shifts.yellow, "status\n\nlast")
    uid = sorted(box.folders["INBOX"])[1]
    if kind in NOT_HANDED_OVER:
        box.instead[uid] = b"" if kind == "nothing" else NOT_HANDED_OVER[kind] % uid
    {"refused": box.withheld, "deadly": box.deadly}.get(kind, set()).add(uid)

    set_aside_in_the_end(shifts, others=2)
    assert list(box.folders["INBOX"]) == [uid]
    outcome, reason = letters_of(shifts)[-1]
    assert outcome == "set-aside"
    assert "the mailbox does not hand it over" in reason
    assert told_of(shifts, "Letter 3 was set aside") == 1
    assert "Letters set aside: 1, 3 (the mailbox" in shifts.desk.do("doctor", "--offline").out
    refused = shifts.desk.do("letters", "retry", "3")
    assert (refused.status, "asked for again" in refused.err) == (2, True)

    again = run_once(shifts)
    assert (again.status, again.json["letters"], again.json["failures"]) == (0, 0, 0)
    assert told_of(shifts, "set aside") == 1
    for broken in (box.instead, box.withheld, box.deadly):
        broken.clear()
    heard = run_once(shifts)
    assert (heard.status, heard.json["letters"]) == (0, 1)
    assert outcomes_of(shifts) == {"answered": 3}
    assert not box.folders["INBOX"]
    assert shifts.numbers_of(shifts.white) == [1, 2]


def test_a_move_in_a_letter_that_is_had_late_counts(small: SmallSetting) -> None:
    shifts, box = small.shifts, small.mailbox
    small.begin()
    shifts.write(shifts.white, "L-S2")
    (uid,) = box.folders["INBOX"]
    box.instead[uid] = b"UID %d BODY[] NIL" % uid
    set_aside_in_the_end(shifts, others=0)
    box.instead.clear()
    heard = run_once(shifts)
    assert heard.json["moves"] == 1, letters_of(shifts)
    assert letters_of(shifts) == [("ruled", "")]


def test_a_letter_that_the_operator_has_given_up_is_put_away_when_it_can_be_had(small: SmallSetting) -> None:
    shifts, box = small.shifts, small.mailbox
    small.begin()
    shifts.write(shifts.white, "status")
    (uid,) = box.folders["INBOX"]
    box.instead[uid] = b"UID %d BODY[] NIL" % uid
    set_aside_in_the_end(shifts, others=0)
    shifts.desk.done("letters", "drop", "1", "--reason", "an advertisement")
    assert run_once(shifts).status == 0
    assert list(box.folders["INBOX"]) == [uid]
    box.instead.clear()
    assert run_once(shifts).json["letters"] == 0
    assert not box.folders["INBOX"]
    assert [outcome for outcome, _ in letters_of(shifts)] == ["ignored"]


def test_a_letter_that_somebody_takes_away_before_it_was_set_aside_is_forgotten(small: SmallSetting) -> None:
    shifts, box = small.shifts, small.mailbox
    small.begin()
    shifts.write(shifts.white, "status")
    (uid,) = box.folders["INBOX"]
    box.instead[uid] = b"UID %d BODY[] NIL" % uid
    assert run_once(shifts).status == 3
    box.folders["INBOX"].clear()
    assert run_once(shifts).status == 0
    assert letters_of(shifts) == []
    assert not shifts.ask("SELECT name FROM house WHERE name LIKE '%not handed over%'")


def test_many_letters_that_lose_the_connection_keep_nobody_waiting_for_long(small: SmallSetting) -> None:
    """Given more of them than are asked for after one another, when it is run some times, all others are answered, and
    these are set aside."""
    shifts, box = small.shifts, small.mailbox
    small.begin()
    for number in range(8):
        shifts.write(shifts.white, f"status\n\n{number}")
    box.deadly.update(box.folders["INBOX"])
    shifts.write(shifts.yellow, "status")
    for _ in range(8):
        if run_once(shifts).status == 0:
            break
    assert outcomes_of(shifts) == {"set-aside": 8, "answered": 1}
    assert len(box.folders["INBOX"]) == 8


def test_no_time_is_up_while_a_letter_may_yet_be_had(small: SmallSetting) -> None:
    shifts, box = small.shifts, small.mailbox
    small.begin()
    looked = "SELECT value FROM house WHERE name = 'looked'"
    shifts.write(shifts.white, "status")
    (uid,) = box.folders["INBOX"]
    box.instead[uid] = b"UID %d BODY[] NIL" % uid
    before = shifts.ask(looked)
    with shifts.open() as application, application.store.reading() as lookup:
        last = lookup.clocks.last_look()
    for _ in range(MOST_TRIES - 1):
        shifts.desk.do("run", "--once")
    with shifts.open() as application, application.store.reading() as lookup:
        assert lookup.clocks.last_look() == last
    shifts.desk.done("run", "--once")
    with shifts.open() as application, application.store.reading() as lookup:
        assert lookup.clocks.last_look() != last
    assert before == shifts.ask(looked) or before == []


def test_a_service_at_work_asks_again_after_a_while_and_then_each_hour(small: SmallSetting) -> None:
    shifts, box = small.shifts, small.mailbox
    small.begin()
    now = 1000.0
    shifts.write(shifts.white, "status")
    (uid,) = box.folders["INBOX"]
    box.instead[uid] = b"UID %d BODY[] NIL" % uid

    def asked() -> int:
        return sum(rest == f"{uid} (BODY.PEEK[])" for _, rest in box.said)

    with shifts.open() as application, working(application, lambda: now) as daemon:
        for tries in range(1, MOST_TRIES + 1):
            for _ in range(3):
                daemon.round()
            assert asked() == tries
            now += TRIED_EVERY
        for _ in range(3):
            daemon.round()
        assert asked() == MOST_TRIES
        assert shifts.outcomes() == {"set-aside": 1}
        now += SET_ASIDE_EVERY
        daemon.round()
        daemon.round()
        assert asked() == MOST_TRIES + 1
        box.instead.clear()
        now += SET_ASIDE_EVERY
        daemon.round()
        assert shifts.outcomes() == {"answered": 1}
        daemon.run_once()
    assert not box.folders["INBOX"]


def test_a_file_that_cannot_be_read_stays_in_its_maildir_and_is_heard_when_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    desk.done("init", "--offline")
    desk.put(write_mail("help", sender=WENDY), "1.locked")
    desk.put(write_mail("help", sender=YANNICK), "2.open")
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "1.locked":
            raise PermissionError(13, "Permission denied")
        return read(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        said = [desk.do("run", "--once", "--json") for _ in range(MOST_TRIES)]
    assert [each.status for each in said] == [3, 3, 0]
    assert [letter["outcome"] for letter in desk.done("letters", "--json").json] == ["answered", "set-aside"]
    assert [path.name for path in (tmp_path / "mail/in/new").iterdir()] == ["1.locked"]
    assert desk.done("run", "--once", "--json").json["letters"] == 1
    assert desk.last_to(WENDY)
    assert not list((tmp_path / "mail/in/new").iterdir())


def locked(setting: RealSetting, *, told: bool) -> Path:
    """Deliver three letters, of which Dovecot cannot read the second; return its file. told: its name has its size."""
    for who in (setting.white, setting.yellow, setting.white):
        setting.shifts.write(who, f"status\n\n{len(setting.lying())}")
    path = sorted(setting.lying(), key=lambda each: int(each.name.partition(".")[0]))[1]
    if told:
        size = path.stat().st_size
        path = path.rename(path.with_name(f"{path.name},S={size},W={size}"))
    path.chmod(0)
    return path


def unlocked(setting: Setting, path: Path) -> None:
    (found,) = path.parent.parent.glob(f"*/{path.name}*")
    found.chmod(0o600)


@pytest.mark.servers
@pytest.mark.parametrize("told", [True, False])
def test_a_letter_that_dovecot_cannot_read_keeps_nobody_waiting_and_is_heard_when_it_can(
    real: RealSetting, told: bool
) -> None:
    real.begin()
    path = locked(real, told=told)
    set_aside_in_the_end(real.shifts, others=2)
    assert len(real.lying()) == 1
    assert run_once(real.shifts).status == 0
    unlocked(real, path)
    heard = run_once(real.shifts)
    assert (heard.status, heard.json["letters"]) == (0, 1), letters_of(real.shifts)
    assert outcomes_of(real.shifts) == {"answered": 3}
    assert not real.lying()
