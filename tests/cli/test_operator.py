"""What an operator does when something is stuck: letters shown, settled again or given up, games frozen, the doctor."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url

from referee.cli.demo import sample_game
from referee.common.clock import FixedClock
from referee.pipeline.runtime import Runtime
from referee.service.daemon import MOST_ATTEMPTS
from referee.service.doctor import Diagnosis, examine
from referee.service.settings import load
from referee.store.status import Status
from tests.servers.small_imap import SmallImap
from tests.servers.small_smtp import SmallSmtp
from tests.support.operating import (
    HOST,
    MAILDIR_IN,
    MAILDIR_OUT,
    SEATS,
    SERVICE,
    WENDY,
    YANNICK,
    Desk,
    answer,
    imap,
    smtp,
    text_of,
    write_mail,
)

OPERATOR = 'operator = "postmaster@example.org"'
MOVE = sample_game().moves["white"][0]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def playing(desk: Desk) -> Desk:
    """A desk with the sample game begun, its first letters posted."""
    desk.sample_game_begun()
    desk.done("run", "--once")
    return desk


def take(desk: Desk, *letters: bytes) -> None:
    for letter in letters:
        desk.put(letter)
    desk.done("run", "--once")


def set_aside(desk: Desk, number: int = 1) -> None:
    """Write into the database that a letter made the service fail."""
    with closing(sqlite3.connect(desk.database)) as database, database:
        database.execute(
            "UPDATE letter SET outcome = 'set-aside', reason = 'KeyError in the service', attempts = 3"
            " WHERE number = ?",
            (number,),
        )


def test_the_operator_gets_a_letter_when_one_was_set_aside(tmp_path: Path) -> None:
    settings = (SERVICE + MAILDIR_IN + MAILDIR_OUT).replace("[service]", f"[service]\n{OPERATOR}")
    desk = Desk(tmp_path, settings.replace('path = "mail/in"', 'path = "mail/in"\nsize_limit = 1000'))
    take(desk, *(write_mail("V-N1 " * 500, sender="anna@example.net") for _ in range(3)))
    assert [each["outcome"] for each in desk.done("letters", "--json").json] == ["set-aside"] * 3
    (notice,) = desk.posted()
    assert notice["To"] == "postmaster@example.org"
    assert "Too large to be read" in text_of(notice)


def test_a_notice_that_cannot_be_written_keeps_nothing_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(runtime: Runtime, number: int, reason: str) -> None:
        raise KeyError("a secret")

    monkeypatch.setattr(Runtime, "tell_operator", fail)
    desk.write_settings(desk.settings.replace('path = "mail/in"', 'path = "mail/in"\nsize_limit = 1000'))
    desk.put(write_mail("V-N1 " * 500, sender="anna@example.net"))
    desk.put(write_mail("help", sender="bert@example.net"))
    said = desk.done("run", "--once")
    assert [each["outcome"] for each in desk.done("letters", "--json").json] == ["set-aside", "answered"]
    assert "the operator cannot be told" in said.err
    assert "secret" not in said.err


# letters show, retry, drop


def test_letters_show_reads_a_letter_in_the_language_of_its_writer(playing: Desk) -> None:
    for words, read in (("set language fr", ["set language fr"]), ("abandonner", ["resign"])):
        take(playing, answer(playing.last_to(WENDY), words))
        number = str(playing.done("letters", "--json").json[-1]["number"])
        assert playing.done("letters", "show", number, "--json").json["read"]["commands"] == read


def test_letters_show_tells_all_that_is_known_of_a_letter(playing: Desk) -> None:
    take(playing, answer(playing.last_to(WENDY), f"{MOVE}\nfuss\nV-N99"))
    shown = playing.done("letters", "show", "1", "--json").json
    (listed,) = playing.done("letters", "--json").json
    assert {key: shown[key] for key in listed} == listed
    assert (shown["outcome"], shown["game"], shown["attempts"]) == ("ruled", 1, 0)
    assert ["From", WENDY] in shown["header"]
    assert shown["read"]["commands"] == [MOVE]
    assert len(shown["read"]["faults"]) == 1
    (told,) = shown["answers"]
    assert (told["number"], told["game"], told["to"], told["state"]) == (2, 1, WENDY, "sent")
    assert f"<{told['message_id']}>" == playing.last_to(WENDY)["Message-ID"]
    text = playing.done("letters", "show", "1").out
    for part in (
        f"letter 1 from {WENDY}",
        "ruled",
        f"From: {WENDY}",
        MOVE,
        f"letter 2, game 1, report to {WENDY}, sent",
    ):
        assert part in text, part


def test_letters_show_decodes_the_header_and_lets_nothing_steer_the_terminal(playing: Desk) -> None:
    take(
        playing,
        write_mail("hi \x1b[31mthere\x9b", sender=WENDY, subject="=?utf-8?q?Gr=C3=BC=1B=5B2J=C3=9Fe?="),
    )
    text = playing.done("letters", "show", "1").out
    assert "Grü" in text
    assert all(line.isprintable() for line in text.splitlines())


@pytest.mark.subprocess
def test_letters_show_raw_gives_the_letter_byte_for_byte(playing: Desk) -> None:
    content = write_mail("Zug: V-N1", sender=WENDY).replace(b"Zug", b"Z\xfcge\r\n\x00")
    take(playing, content)
    shown = subprocess.run(playing.command("letters", "show", "1", "--raw"), capture_output=True, check=True)
    assert shown.stdout == content
    both = playing.do("letters", "show", "1", "--raw", "--json")
    assert (both.status, both.out) == (2, "")


def test_a_letter_that_was_never_had_is_shown_without_its_text(playing: Desk) -> None:
    take(playing, write_mail("help", sender=WENDY))
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute("DELETE FROM letter_content")
    shown = playing.done("letters", "show", "1", "--json").json
    assert (shown["header"], shown["read"]) == ([], None)
    assert "nothing can be read in it" in playing.done("letters", "show", "1").out
    raw = playing.do("letters", "show", "1", "--raw")
    assert raw.status == 2
    assert "are not here" in raw.err


def test_a_letter_that_was_set_aside_is_settled_again_by_command_and_its_answer_posted(playing: Desk) -> None:
    take(playing, write_mail("games", sender=WENDY))
    set_aside(playing)
    assert playing.done("letters", "retry", "1", "--json").json == {
        "number": 1, "outcome": "answered", "reason": "", "game": 1, "moves": 0, "refused": False,
    }  # fmt: skip
    before = len(playing.posted())
    playing.done("run", "--once")
    assert len(playing.posted()) == before + 1
    again = playing.do("letters", "retry", "1")
    assert (again.status, again.out) == (2, "")
    assert "only one that is set-aside or held" in again.err


def test_retry_says_what_became_of_the_letter(playing: Desk) -> None:
    take(playing, write_mail(MOVE, sender=WENDY, domain="evil.example"))
    assert playing.done("letters", "retry", "1").out.startswith("letter 1 is held now: ")
    playing.write_settings(playing.settings.replace(f'authserv_id = ["{HOST}"]', 'sender = "header"'))
    assert playing.done("letters", "retry", "1").out == "letter 1 is ruled now\n"


def test_a_letter_is_given_up_with_a_reason(playing: Desk) -> None:
    take(playing, write_mail("help", sender=WENDY))
    set_aside(playing)
    said = playing.done("letters", "drop", "1", "--reason", "an advertisement")
    assert said.out == ""
    (line,) = playing.done("letters", "--json").json
    assert line["outcome"] == "ignored"
    assert line["reason"] == (
        "given up by the operator: an advertisement; it was set aside: KeyError in the service"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("letters", "drop", "1"),
        ("letters", "drop", "1", "--reason", " "),
        ("letters", "drop", "1", "--reason", "a\x1b[2J"),
        ("letters", "show"),
        ("letters", "show", "0"),
        ("letters", "show", "9" * 20),
        ("letters", "burn", "1"),
        ("letters", "show", "7"),
        ("letters", "show", "7", "--raw"),
        ("letters", "--json", "show", "1"),
        ("letters", "--outcome", "held", "retry", "1"),
        ("freeze", "1"),
        ("freeze", "7", "--reason", "why not"),
        ("thaw", "7"),
        ("watch", "1"),
        ("watch", "7", "--who", "carl@example.net"),
        ("watch", "1", "--who", "carl@example.net", "--delay", "100"),
        ("watch", "1", "--who", "nobody"),
    ],
)
def test_what_cannot_be_done_is_status_2_and_said_on_standard_error(desk: Desk, words: Sequence[str]) -> None:
    said = desk.do(*words)
    assert (said.status, said.out) == (2, "")
    assert said.err


@pytest.mark.parametrize("word", ["show", "retry", "drop"])
def test_each_word_behind_letters_has_help_with_an_example(desk: Desk, word: str) -> None:
    assert re.search(rf"Example: referee letters {word} 12", desk.done("letters", word, "--help").out)
    assert re.search(rf"^  {word} ", desk.done("letters", "--help").out, re.MULTILINE)


# freeze, thaw


def test_a_game_is_frozen_and_thawed_and_its_players_are_told(playing: Desk) -> None:
    assert playing.done("freeze", "1", "--reason", "A ruling is  checked").out == ""
    assert "frozen (A ruling is checked)" in playing.done("games").out
    assert playing.done("games", "--json").json[0]["frozen"] == "A ruling is checked"
    assert "Frozen: A ruling is checked" in playing.done("show", "1").out
    take(playing, answer(playing.last_to(WENDY), MOVE))
    assert "is frozen by the umpire (A ruling is checked)" in " ".join(
        text_of(playing.last_to(WENDY)).split()
    )
    assert playing.last_to(YANNICK)["X-Referee-Kind"] == "notice"
    playing.done("thaw", "1")
    assert playing.done("games", "--json").json[0]["frozen"] is None
    take(playing, answer(playing.last_to(WENDY), MOVE))
    assert playing.done("letters", "--outcome", "ruled", "--json").json[0]["commands"] == [MOVE]


# watch


def test_somebody_watches_a_game_for_an_umpire_within_its_terms(playing: Desk) -> None:
    said = playing.do("watch", "1", "--who", "Carl <carl@example.net>")
    assert said.status == 2 and "have not agreed" in said.err
    game = str(playing.new_game("--option", "watchers=1"))
    said = playing.do("watch", game, "--who", "Carl <carl@example.net>", "--delay", "0")
    assert said.status == 2 and "1 to 99 turns late" in said.err
    assert playing.done("watch", game, "--who", "Carl <carl@example.net>", "--delay", "2").out == ""
    playing.done("run", "--once")
    first = playing.last_to("carl@example.net")
    assert first["X-Referee-Kind"] == "report" and "2 turns late" in " ".join(text_of(first).split())
    playing.done("watch", game, "--who", "carl@example.net", "--off")
    playing.done("run", "--once")
    assert text_of(playing.last_to("carl@example.net")).startswith(f"You watch game {game} no more.")
    assert playing.do("watch", game, "--who", "carl@example.net", "--off").status == 2


# A game that cannot be read


@pytest.fixture
def damaged(playing: Desk) -> Desk:
    """A desk whose first game was changed from outside, while a second one goes on."""
    playing.new_game()
    playing.done("run", "--once")
    with closing(sqlite3.connect(playing.database)) as database, database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE event SET kind = 'Unheard' WHERE game = 1")
    return playing


def test_a_letter_about_a_game_that_cannot_be_read_is_set_aside_and_its_writer_told(damaged: Desk) -> None:
    (first,) = (
        each for each in damaged.posted() if each["To"].startswith("Wendy") and each["X-Referee-Game"] == "1"
    )
    damaged.put(answer(first, MOVE))
    for _ in range(MOST_ATTEMPTS):
        damaged.done("run", "--once")
    (line,) = damaged.done("letters", "--outcome", "set-aside", "--json").json
    assert line["reason"].startswith("game 1 cannot be made from what was kept of it (KeyError)")
    assert "Your letter could not be handled" in text_of(damaged.last_to(WENDY))


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_played(damaged: Desk) -> None:
    take(damaged, write_mail("status 2", sender=YANNICK), write_mail("games", sender=WENDY))
    assert [each["outcome"] for each in damaged.done("letters", "--json").json] == ["answered"] * 2


def test_a_game_that_cannot_be_read_is_named_among_the_others(damaged: Desk) -> None:
    second, first = damaged.done("games", "--json").json
    assert "cannot be made from what was kept of it" in first["fault"]
    assert (second["fault"], second["to_move"] != []) == (None, True)
    assert "cannot be made from what was kept of it" in damaged.done("games").out.splitlines()[1]
    for words in (("show", "1"), ("record", "1"), ("freeze", "1", "--reason", "It is mended")):
        said = damaged.do(*words)
        assert (said.status, said.out) == (3, "")
        assert said.err.startswith("referee: game 1 cannot be made from what was kept of it (KeyError)")


# doctor


def found(desk: Desk, *words: str, status: int) -> dict[str, list[tuple[str, str]]]:
    """Ask the doctor; return what he says of each thing: level and text."""
    said = desk.do("doctor", "--json", *words)
    assert said.status == status, said
    assert said.json["healthy"] is (status == 0)
    sorted_out: dict[str, list[tuple[str, str]]] = {}
    for each in said.json["findings"]:
        sorted_out.setdefault(each["about"], []).append((each["level"], each["text"]))
    return sorted_out


def test_where_all_is_well_the_doctor_says_so_of_everything(playing: Desk) -> None:
    playing.write_settings(playing.settings.replace("[service]", f"[service]\n{OPERATOR}"))
    well = found(playing, status=0)
    assert set(well) == {"mailbox", "sender", "domain", "database", "disk", "clock", "letters", "outbox"}
    assert {level for each in well.values() for level, _ in each} == {"ok"}
    lines = playing.done("doctor").out.splitlines()
    assert all(re.match(rf"ok +({'|'.join(well)}) +[A-Za-z0-9].*\.$", line) for line in lines)
    assert list(playing.folder.glob("mail/**/referee-trial")) == []


def test_the_doctor_changes_nothing(playing: Desk) -> None:
    playing.put(write_mail("help", sender=WENDY))
    before = playing.done("letters", "--json").json
    assert ("ok", "Letters that lie there: 1.") in found(playing, status=0)["mailbox"]
    assert playing.done("letters", "--json").json == before
    assert len(list((playing.folder / "mail" / "in" / "new").iterdir())) == 1


def test_the_doctor_makes_no_database(desk: Desk) -> None:
    ((level, text),) = found(desk, "--offline", status=1)["database"]
    assert (level, text) == ("problem", f"There is no database {desk.database}; `referee init` creates it.")
    assert not desk.database.exists()


def test_a_database_that_another_program_holds_is_a_problem(
    playing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.store.engine.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(playing.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ill = found(playing, status=1)
        other.execute("ROLLBACK")
    assert (
        "problem",
        f"The database {playing.database} is being written by another program; wait for that program to end, or stop "
        "it.",
    ) in ill["database"]
    assert "letters" in ill


def test_a_database_that_may_not_be_written_is_a_problem(
    playing: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_reading(path: Path) -> str:
        return f"{path.as_uri()}?mode=ro"  # what SQLite falls back to where it may not write

    monkeypatch.setattr("referee.store.engine.existing_file", only_reading)
    _, second = found(playing, status=1)["database"]
    assert second == (
        "problem",
        f"The database {playing.database} may not be written; give the user of the service the right to write the "
        "file and its folder.",
    )


@pytest.mark.servers
def test_a_postgresql_database_that_may_only_be_read_is_a_problem(tmp_path: Path, postgres_url: str) -> None:
    desk = Desk(tmp_path, (SERVICE + MAILDIR_IN + MAILDIR_OUT).replace("sqlite:///referee.db", postgres_url))
    desk.done("init", "--offline")
    assert {level for level, _ in found(desk, "--offline", status=0)["database"]} == {"ok"}
    engine = create_engine(postgres_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE ROLE reader LOGIN")
        connection.exec_driver_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    url = make_url(postgres_url).set(username="reader").render_as_string(hide_password=False)
    desk.write_settings(desk.settings.replace(postgres_url, url))
    _, (level, told) = found(desk, "--offline", status=1)["database"]
    assert level == "problem"
    assert "may not be used by this user; grant" in told
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP OWNED BY reader")
        connection.exec_driver_sql("DROP ROLE reader")
    engine.dispose()


def test_letters_that_lie_in_the_mailbox_for_long_are_a_warning(playing: Desk) -> None:
    playing.put(write_mail("help", sender=WENDY), "late")
    long_ago = datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp()
    os.utime(playing.folder / "mail" / "in" / "new" / "late", (long_ago, long_ago))
    playing.put(write_mail("help", sender=WENDY))
    level, text = found(playing, status=0)["mailbox"][-1]
    assert level == "warning"
    assert text.startswith(
        "Letters that lie there: 2, the oldest since 2026-03-02 12:00 UTC; see that `referee run`"
    )


def test_letters_that_lie_on_the_server_for_long_are_a_warning(tmp_path: Path) -> None:
    mailbox, post = SmallImap(), SmallSmtp()
    with mailbox.running(), post.running():
        mailbox.deliver(write_mail("help", sender=WENDY))
        desk = Desk(tmp_path, SERVICE + imap(mailbox.port) + smtp(post.port))
        desk.done("init", "--offline")
        seen = examine(load(desk.config, {}), clock=FixedClock(datetime.now(UTC) + timedelta(hours=1)))
    last = [each for each in seen if each.about == "mailbox"][-1]
    assert last.level == "warning"
    assert last.text.startswith("Letters that lie there: 1, the oldest since ")


def test_servers_that_cannot_be_reached_are_problems_each_with_its_sentence(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SERVICE + imap(1) + smtp(1))
    desk.done("init", "--offline")
    ill = found(desk, status=1)
    for door in ("mailbox", "sender"):
        ((level, text),) = ill[door]
        assert level == "problem"
        assert "127.0.0.1:1" in text
    assert [level for level, _ in ill["database"]] == ["ok"]
    assert {"mailbox", "sender"}.isdisjoint(found(desk, "--offline", status=0))


def test_servers_that_answer_are_well_and_the_letters_there_counted(tmp_path: Path) -> None:
    mailbox, post = SmallImap(), SmallSmtp()
    with mailbox.running(), post.running():
        mailbox.deliver(write_mail("help", sender=WENDY), date=f"{datetime.now(UTC):%d-%b-%Y %H:%M:%S} +0000")
        desk = Desk(tmp_path, SERVICE + imap(mailbox.port) + smtp(post.port))
        desk.done("init", "--offline")
        well = found(desk, status=0)
    assert well["mailbox"][-1] == ("ok", "Letters that lie there: 1.")
    assert [level for level, _ in well["sender"]] == ["ok"]
    assert post.taken == []


def test_settings_that_seldom_mean_what_they_say_are_a_warning(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SERVICE.replace(f'["{HOST}"]', "[]") + MAILDIR_IN + MAILDIR_OUT)
    desk.done("init", "--offline")
    believed, told = found(desk, status=0)["settings"]
    assert (believed[0], told[0]) == ("warning", "warning")
    assert "authserv_id" in believed[1]
    assert "[service] operator is not set" in told[1]


def test_a_database_of_another_release_is_a_problem_and_the_servers_are_looked_at_all_the_same(
    desk: Desk,
) -> None:
    desk.done("init")
    with closing(sqlite3.connect(desk.database)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '0001'")
    ill = found(desk, status=1)
    ((level, text),) = ill["database"]
    assert level == "problem"
    assert "referee init" in text
    assert "mailbox" in ill


def test_what_is_stuck_is_named_with_its_reason_and_cure(playing: Desk) -> None:
    take(playing, write_mail("help", sender=WENDY), write_mail("V-N1", sender=YANNICK, domain="evil.example"))
    set_aside(playing, 1)
    playing.done("freeze", "1", "--reason", "A ruling is checked")
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute(
            "UPDATE outgoing SET state = 'refused', answer = '550 no such user \x1b' WHERE id = 1"
        )
        database.execute("UPDATE outgoing SET state = 'queued', tries = 2, answer = '452 full' WHERE id = 2")
        database.execute("UPDATE outgoing SET created = '2026-03-02 12:00:00.000000' WHERE id = 2")
        database.execute(
            "UPDATE person SET returns = 2, unreachable = '2026-03-01 00:00:00.000000' WHERE player = 2"
        )
    seen = found(playing, status=0)
    texts = {text: level for each in seen.values() for level, text in each}
    for part, level in (
        (
            "Letters set aside: 1, 1 (KeyError in the service); look at each with `referee letters show N`",
            "warning",
        ),
        ("Letters held this week until their senders confirm them: 1", "ok"),
        (
            f"Letters that were refused for now: 1, the oldest of 2026-03-02 12:00 UTC, {YANNICK} (452 full)",
            "warning",
        ),
        (f"Players whose letters come back: 1, {YANNICK}, player 2 (since 2026-03-01)", "warning"),
        (f"Letters that were refused for good this week: 1, {WENDY} (550 no such user", "warning"),
        ("Game 1 is frozen (A ruling is checked); `referee thaw 1`", "warning"),
    ):
        (found_level,) = (level for text, level in texts.items() if text.startswith(part))
        assert found_level == level, part
    assert all(line.isprintable() for line in playing.done("doctor").out.splitlines())


def test_letters_that_bear_no_result_of_a_named_host_are_counted(playing: Desk) -> None:
    """The settings may name the wrong host: then strangers who register are ignored, without anybody's knowing."""
    said = "Letters this week that no host named in the settings has checked"
    assert said not in playing.done("doctor", "--offline").out
    stranger = write_mail("register Zoe", sender="zoe@example.net").replace(
        HOST.encode(), b"mx.elsewhere.example"
    )
    take(
        playing, stranger, write_mail("V-N1", sender=YANNICK).replace(HOST.encode(), b"mx.elsewhere.example")
    )
    (line,) = (each for each in playing.done("doctor", "--offline").out.splitlines() if said in each)
    assert f"{said}: 2;" in line


def test_what_the_domain_s_records_lack_is_a_warning_and_nobody_is_asked_offline(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (SERVICE + MAILDIR_IN + MAILDIR_OUT).replace("example.org", "chess-club.se"))
    asked: list[tuple[str, str]] = []

    def records(name: str, sort: str) -> Sequence[str]:
        asked.append((name, sort))
        return ("10 mail.chess-club.se.",) if sort == "MX" else ()

    settings = load(desk.config, {})
    seen = [each for each in examine(settings, records=records) if each.about == "domain"]
    assert [each.level for each in seen] == ["ok", "warning", "warning", "ok"]
    assert "has no SPF record" in seen[1].text
    asked.clear()
    examine(settings, offline=True, records=records)
    assert asked == []


@pytest.fixture
def examined(playing: Desk) -> Any:
    """Let the doctor look at that desk after some time."""

    def look(after: timedelta) -> dict[str, Diagnosis]:
        clock = FixedClock(datetime.now(UTC) + after)
        seen = examine(load(playing.config, {}), offline=True, clock=clock)
        return {each.about: each for each in reversed(seen)}  # the first about each thing

    return look


def test_letters_that_nobody_settles_or_posts_are_a_problem(playing: Desk, examined: Any) -> None:
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute("UPDATE outgoing SET state = 'queued', tries = 0")
    assert examined(timedelta(minutes=1))["outbox"].level == "ok"
    late = examined(timedelta(hours=1))
    assert (late["outbox"].level, late["letters"].level) == ("problem", "ok")
    assert "referee run" in late["outbox"].text
    take(playing, write_mail("help", sender=WENDY))
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute("UPDATE letter SET outcome = NULL, attempts = 1, reason = 'KeyError in the service'")
    assert examined(timedelta(minutes=1))["letters"].level == "ok"
    late = examined(timedelta(hours=1))
    assert late["letters"].level == "problem"
    assert "referee run" in late["letters"].text


@pytest.fixture
def small_disk(desk: Desk) -> Iterator[Path]:
    """A disk of its own for the Maildir that letters go out by."""
    box = desk.folder / "mail" / "out"
    box.mkdir(parents=True)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", box], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("only root may mount a disk")
    yield box
    subprocess.run(["umount", box], check=True)


def fill(disk: Path) -> None:
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
        while filler.write(bytes(1024)):
            pass


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)


@pytest.mark.subprocess
@pytest.mark.parametrize(
    ("trouble", "mend", "why", "cure"),
    [
        (fill, lambda disk: (disk / "filler").unlink(), "No space left on device", "room on the disk"),
        (
            lambda disk: remount(disk, "ro"),
            lambda disk: remount(disk, "rw"),
            "Read-only file system",
            "be written again",
        ),
    ],
    ids=["full", "read-only"],
)
def test_a_maildir_that_takes_no_letters_is_found_without_the_servers_and_loses_none(
    desk: Desk,
    small_disk: Path,
    trouble: Callable[[Path], object],
    mend: Callable[[Path], object],
    why: str,
    cure: str,
) -> None:
    desk.done("run", "--once")
    desk.done("new", "confusion", *SEATS)
    trouble(small_disk)
    said = desk.do("run", "--once", "--json")
    assert (said.status, said.json["failures"]) == (3, 2)
    seen = found(desk, "--offline", status=1)
    (text,) = (text for level, text in seen["outbox"] if level == "problem")
    assert text.startswith("Letters that wait to be posted: 2, the oldest since 20")
    assert str(small_disk) in text and why in text and cure in text
    ((level, _),) = seen["sender"]
    assert level == "problem"
    mend(small_disk)
    assert desk.done("run", "--once", "--json").json["sent"] == 2
    assert {level for level, _ in found(desk, "--offline", status=0)["outbox"]} == {"ok"}
    assert sorted(path.name for path in small_disk.iterdir()) == ["cur", "new", "tmp"]


def test_clocks_of_players_that_cannot_be_looked_at_or_are_not_are_told(playing: Desk, examined: Any) -> None:
    playing.done("new", "confusion", *SEATS, "--option", "time=3d/move")
    assert "clocks" not in examined(timedelta(minutes=1))
    late = examined(timedelta(hours=1))["clocks"]
    assert late.level == "warning" and "of game 2, since" in late.text and "referee run" in late.text
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute("UPDATE clock SET failed = 'KeyError'")
    (stuck,) = (each for about, each in examined(timedelta(minutes=1)).items() if about == "clocks")
    assert stuck.level == "problem" and "game 2 cannot be looked at (KeyError)" in stuck.text
    with closing(sqlite3.connect(playing.database)) as database, database:
        database.execute("UPDATE clock SET failed = '12'")  # the letter for which the game waits
    (waits,) = (each for about, each in examined(timedelta(minutes=1)).items() if about == "clocks")
    assert waits.level == "problem"
    assert "time is up in game 2, and letter 12, which came in before and was not heard" in waits.text
    assert "see `referee letters show 12`" in waits.text


def test_a_clock_that_was_put_back_is_a_problem(examined: Any) -> None:
    assert examined(timedelta(minutes=-1))["clock"].level == "ok"
    behind = examined(timedelta(hours=-2))["clock"]
    assert behind.level == "problem"
    assert "set the clock right" in behind.text


@pytest.mark.parametrize(
    ("free", "level"), [(50_000_000, "problem"), (500_000_000, "warning"), (5_000_000_000, "ok")]
)
def test_a_disk_that_fills_up_is_told_in_time(
    examined: Any, monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    monkeypatch.setattr(Status, "room", lambda status: (free, 1_000_000))
    assert examined(timedelta())["disk"].level == level


def test_damage_of_the_database_is_a_problem(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Status, "damage", lambda status: "row 3 missing from index")
    ill = examined(timedelta())["database"]
    assert ill.level == "problem"
    assert "restore the last backup" in ill.text
