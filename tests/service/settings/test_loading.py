"""What is wrong with the settings is said in one sentence: the key, its place, what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.line_reader import OTHER_LANGUAGES
from referee.common.errors import SettingsError
from referee.common.i18n import LANGUAGES
from referee.service.settings import Effective, Inbox, Outbox, Settings, load, where_from
from referee.service.settings.sections import all_keys, form_of
from referee.service.settings.sources import variable_of
from tests.service.settings.files import COMPLETE, FOLDERS, loaded, write


def complaint(folder: Path, text: str, **environ: str) -> str:
    """Return the sentence with which these settings are refused."""
    with pytest.raises(SettingsError) as caught:
        loaded(folder, text, **environ)
    sentence = str(caught.value)
    assert caught.value.exit_status == 2
    assert "\n" not in sentence
    assert "pydantic" not in sentence
    assert "validation" not in sentence
    return sentence


def test_the_ports_follow_the_security(tmp_path: Path) -> None:
    ports = {}
    for security in ("tls", "starttls", "none"):
        settings = loaded(
            tmp_path, COMPLETE, REFEREE_INBOX__SECURITY=security, REFEREE_OUTBOX__SECURITY=security
        )
        ports[security] = (settings.inbox.port, settings.outbox.port)

    assert ports == {"tls": (993, 465), "starttls": (143, 587), "none": (143, 25)}
    assert (Inbox().port, Outbox().port) == (993, 587)
    assert Outbox(security="none", port=2525).port == 2525


def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    settings = loaded(tmp_path, COMPLETE)

    with pytest.raises(ValueError, match="frozen"):
        settings.inbox.host = "other.example.org"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (
            'hots = "imap.example.org"',
            "unknown key inbox.hots in {file} line 5: expected one of kind, host, port, security, ca_file, username, "
            "password, password_file, token_command, folder, done, path, size_limit, letters_an_hour, poll, timeout; "
            "did you mean host?",
        ),
        ("port = 99999", "inbox.port in {file} line 5: expected a port number from 1 to 65535, not 99999"),
        ('port = "993"', 'inbox.port in {file} line 5: expected a port number from 1 to 65535, not "993"'),
        ("port = true", "inbox.port in {file} line 5: expected a port number from 1 to 65535, not true"),
        (
            'security = "ssl"',
            'inbox.security in {file} line 5: expected one of "tls", "starttls", "none", not "ssl"',
        ),
        ("host = 5", "inbox.host in {file} line 5: expected a text on one line, not 5"),
        ('host = ""', 'inbox.host in {file} line 5: expected a text on one line, not ""'),
        ('folder = "a\\nb"', 'inbox.folder in {file} line 5: expected a text on one line, not "a\\nb"'),
        ("path = 1", "inbox.path in {file} line 5: expected the path of a folder, not 1"),
        (
            'ca_file = "ca.pem"',
            "inbox.ca_file in {file} line 5: the file {folder}/ca.pem cannot be read: no such file or directory",
        ),
    ],
)
def test_a_wrong_line_in_the_file_is_named(tmp_path: Path, written: str, sentence: str) -> None:
    name = written.partition(" ")[0]
    rest = "\n".join(line for line in COMPLETE.splitlines() if not line.startswith(f"{name} = "))

    said = complaint(tmp_path, rest.replace("[inbox]", f"[inbox]\n{written}"))

    assert said == sentence.format(file=tmp_path / "referee.toml", folder=tmp_path)


def test_a_wrong_entry_of_a_list_is_named(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE + '[trust]\nauthserv_id = ["mx.example.org", 1]')

    assert "trust.authserv_id in" in said
    assert 'expected a list of host names, ["mx.example.org"], not ["mx.example.org", 1]' in said


def test_a_list_is_not_a_text(tmp_path: Path) -> None:
    assert "expected a list" in complaint(tmp_path, COMPLETE + '[trust]\nauthserv_id = "mx.example.org"')


def test_a_wrong_password_is_not_repeated(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE.replace('"drowssap"', "12345"))

    assert said == f"inbox.password in {tmp_path}/referee.toml line 7: expected a password that is not empty"


@pytest.mark.parametrize(
    "address",
    [
        "Referee <referee@example.org>",
        "a@b.org, c@d.org",
        "referee",
        "referee@",
        "@example.org",
        "a b@c.org",
        "é@c.org",
    ],
)
def test_the_service_has_one_plain_address(tmp_path: Path, address: str) -> None:
    said = complaint(tmp_path, COMPLETE.replace("referee@example.org", address))

    assert "service.address" in said
    assert "one plain address such as referee@example.org" in said


@pytest.mark.parametrize(
    "url", ["mysql://host/db", "referee.db", "postgresql+psycopg2://me@host/db", "sqlite://"]
)
def test_another_kind_of_database_is_refused(tmp_path: Path, url: str) -> None:
    assert "service.database" in complaint(tmp_path, COMPLETE, REFEREE_SERVICE__DATABASE=url)


def test_a_database_url_is_not_repeated(tmp_path: Path) -> None:
    assert "hush" not in complaint(tmp_path, COMPLETE, REFEREE_SERVICE__DATABASE="mysql://me:hush@host/db")


def test_an_unknown_section_is_named_with_the_nearest(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE.replace("[inbox]", "[inbx]"))

    assert said == (
        f"unknown section [inbx] in {tmp_path}/referee.toml line 4: expected one of [service], [inbox], "
        "[outbox], [trust], [time], [metrics], [rules.confusion]; did you mean [inbox]?"
    )


def test_an_unknown_section_of_the_rules_is_named(tmp_path: Path) -> None:
    assert "did you mean [rules.confusion]?" in complaint(tmp_path, COMPLETE + "[rules.confusing]\nx = 1")


def test_a_key_outside_all_sections_is_sent_to_its_own(tmp_path: Path) -> None:
    said = complaint(tmp_path, 'database = "sqlite:///x.db"\n' + COMPLETE)

    assert "unknown key database" in said
    assert "did you mean service.database?" in said


def test_a_key_in_the_wrong_section_is_sent_to_the_right_one(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE + '[trust]\ndatabase = "x"')

    assert said.endswith("did you mean service.database?")


def test_a_section_that_is_none_is_named(tmp_path: Path) -> None:
    assert "expected a section [rules]" in complaint(tmp_path, "rules = 3\n" + COMPLETE)


def test_an_unknown_key_that_is_like_nothing_gets_no_suggestion(tmp_path: Path) -> None:
    assert "did you mean" not in complaint(tmp_path, COMPLETE + "[trust]\nxqzw = 1")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("REFEREE_INBX__HOST", "REFEREE_INBOX__HOST"),
        ("REFEREE_INBOX_HOST", "REFEREE_INBOX__HOST"),
        ("REFEREE_INBOX__PASWORD", "REFEREE_INBOX__PASSWORD"),
        ("REFEREE_CONFUSION__TABLE", "REFEREE_RULES__CONFUSION__TABLE"),
        ("referee_inbox__host", "REFEREE_INBOX__HOST"),
    ],
)
def test_an_unknown_variable_is_named_with_the_nearest(tmp_path: Path, name: str, meant: str) -> None:
    said = complaint(tmp_path, COMPLETE, **{name: "secret"})

    assert said == (
        f"the environment variable {name} is no setting: expected REFEREE_SECTION__KEY; did you mean {meant}?"
    )


@pytest.mark.parametrize("name", ["REFEREE_FOO", "REFEREE_PORT_8080_TCP", "REFEREE_SERVICE_HOST"])
def test_an_unknown_variable_that_is_like_none_gets_no_suggestion(tmp_path: Path, name: str) -> None:
    assert "did you mean" not in complaint(tmp_path, COMPLETE, **{name: "10.0.0.7"})


def test_the_service_writes_every_language_that_players_may_choose_and_no_other(tmp_path: Path) -> None:
    for language in LANGUAGES:
        chosen = loaded(tmp_path, COMPLETE, REFEREE_SERVICE__LANGUAGE=language)
        assert chosen.service.language == language
    for language in OTHER_LANGUAGES:
        said = complaint(tmp_path, COMPLETE, REFEREE_SERVICE__LANGUAGE=language)
        assert "one of the languages that letters are written in: en, fr" in said


def test_an_unknown_variable_is_an_error_even_when_empty(tmp_path: Path) -> None:
    assert "REFEREE_NOTHING" in complaint(tmp_path, COMPLETE, REFEREE_NOTHING="")


def test_a_wrong_value_in_the_environment_is_named(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE, REFEREE_INBOX__PORT="imaps")

    assert said == (
        'inbox.port in environment REFEREE_INBOX__PORT: expected a port number from 1 to 65535, not "imaps"'
    )


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    said = complaint(tmp_path, "[service]\naddress referee\n")

    assert str(tmp_path / "referee.toml") in said
    assert "at line 2" in said


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "referee.toml").write_bytes(b"\x00\xff")

    with pytest.raises(SettingsError, match="not UTF-8"):
        load(tmp_path / "referee.toml", {})


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, "\ufeff" + COMPLETE).inbox.host == "imap.example.org"


@pytest.mark.parametrize("complete", [True, False])
def test_a_named_file_must_be_there(tmp_path: Path, complete: bool) -> None:
    path = tmp_path / "absent.toml"
    for named, environ in ((path, {}), (None, {"REFEREE_CONFIG": str(path)})):
        with pytest.raises(SettingsError) as caught:
            load(named, environ, complete=complete)
        assert str(caught.value) == (
            f"the settings file {path} cannot be read: no such file or directory; expected a TOML file"
        )


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is a directory"):
        load(tmp_path, {})


def test_no_settings_at_all_say_how_to_get_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(
        SettingsError, match=r"--config FILE, REFEREE_CONFIG or a file referee.toml .*--write-config"
    ):
        load(None, {})


def test_commands_on_a_file_need_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    settings = load(None, {"REFEREE_TRUST__SENDER": "header"}, complete=False)

    assert settings.trust.sender == "header"
    assert settings.service.address == ""


def test_commands_on_a_file_read_no_passwords(tmp_path: Path) -> None:
    text = COMPLETE.replace('password = "drowssap"', 'password_file = "absent.secret"')

    assert load(write(tmp_path, text), {}, complete=False).inbox.password is None


def test_commands_on_a_file_still_refuse_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"inbox\.port"):
        load(write(tmp_path, "[inbox]\nport = 0"), {}, complete=False)


@pytest.mark.parametrize(
    ("text", "without", "sentence"),
    [
        (
            COMPLETE,
            "address",
            "service.address is missing: expected one plain address such as referee@example.org, in",
        ),
        (COMPLETE, "host", 'inbox.host is missing: expected a text on one line with inbox.kind = "imap", in'),
        (
            COMPLETE,
            "username",
            'inbox.username is missing: expected a text on one line with inbox.kind = "imap", in',
        ),
        (
            COMPLETE,
            "password",
            "inbox.password_file is missing: expected password_file, token_command or password in",
        ),
        (
            FOLDERS,
            "path",
            'inbox.path is missing: expected the path of a folder with inbox.kind = "maildir", in',
        ),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, text: str, without: str, sentence: str) -> None:
    lines = text.splitlines()
    lines.remove(next(line for line in lines if line.startswith(without)))

    said = complaint(tmp_path, "\n".join(lines))

    assert said.startswith(sentence)
    assert str(tmp_path / "referee.toml") in said


@pytest.mark.parametrize(("text", "key"), [(COMPLETE, "outbox.host"), (FOLDERS, "outbox.path")])
def test_what_the_outbox_misses_is_named(tmp_path: Path, text: str, key: str) -> None:
    head, outbox = text.split("[outbox]")
    kept = "\n".join(line for line in outbox.splitlines() if not line.startswith(key.removeprefix("outbox.")))

    said = complaint(tmp_path, f"{head}[outbox]{kept}")

    assert said.startswith(f"{key} is missing")
    assert variable_of(key) in said


def test_a_login_for_sending_needs_a_password(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE, REFEREE_OUTBOX__USERNAME="referee")

    assert said.startswith("outbox.password_file is missing")
    assert "credential outbox__password" in said


def test_a_password_for_sending_needs_a_login(tmp_path: Path) -> None:
    said = complaint(tmp_path, COMPLETE, REFEREE_OUTBOX__PASSWORD="hush")

    assert said.startswith("outbox.username is missing")
    assert "hush" not in said


def test_a_server_without_login_is_fine(tmp_path: Path) -> None:
    assert loaded(tmp_path, COMPLETE).outbox.username == ""


def test_folders_need_neither_server_nor_login(tmp_path: Path) -> None:
    settings = loaded(tmp_path, FOLDERS)

    assert settings.inbox.kind == settings.outbox.kind == "maildir"


def test_an_unverified_world_is_not_the_default(tmp_path: Path) -> None:
    assert loaded(tmp_path, COMPLETE).trust.sender == "verified"


def test_everything_in_force_is_shown_with_its_source(tmp_path: Path) -> None:
    settings = loaded(tmp_path, COMPLETE, REFEREE_TRUST__AUTHSERV_ID="mx.example.org")
    shown = {entry.key: entry for entry in where_from(settings)}
    file = tmp_path / "referee.toml"

    assert list(shown) == list(all_keys())
    assert shown["inbox.host"] == Effective("inbox.host", "imap.example.org", f"{file} line 5")
    assert shown["inbox.port"] == Effective("inbox.port", 993, "default")
    assert shown["inbox.password"] == Effective("inbox.password", "(hidden)", f"{file} line 7")
    assert shown["outbox.password"] == Effective("outbox.password", None, "default")
    assert shown["trust.authserv_id"] == Effective(
        "trust.authserv_id", ["mx.example.org"], "environment REFEREE_TRUST__AUTHSERV_ID"
    )


@pytest.mark.parametrize("named", ["mail/in", "./mail/../mail/in/", "{folder}/mail/in", "link"])
def test_letters_do_not_come_in_by_the_folder_that_they_go_out_by(tmp_path: Path, named: str) -> None:
    (tmp_path / "mail" / "in").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "mail" / "in")
    text = FOLDERS.replace("mail/out", named.format(folder=tmp_path))

    assert complaint(tmp_path, text).startswith(
        f"outbox.path in {tmp_path}/referee.toml line 10: expected another folder than that of inbox.path in "
        f"{tmp_path}/referee.toml line 6, or the service would read its own letters, not "
    )
    load(write(tmp_path, text), {}, complete=False)


def test_the_line_is_found_in_other_ways_of_writing_toml(tmp_path: Path) -> None:
    text = FOLDERS.replace("[inbox]", '\n[ "inbox" ] # letters in').replace(
        'path = "mail/in"', '  "path"="mail/in"'
    )
    settings = loaded(tmp_path, "rules.confusion = { }\n" + text)
    shown = {entry.key: entry.source for entry in where_from(settings)}

    assert shown["inbox.path"].endswith("referee.toml line 8")
    assert shown["inbox.kind"].endswith("referee.toml line 7")


def test_the_line_of_a_key_within_an_inline_table_is_that_of_the_table(tmp_path: Path) -> None:
    settings = loaded(tmp_path, 'trust = { sender = "header" }\n' + FOLDERS)

    assert {e.key: e.source for e in where_from(settings)}[
        "trust.sender"
    ] == f"{tmp_path}/referee.toml line 1"


def test_settings_made_by_hand_are_all_defaults() -> None:
    assert {entry.source for entry in where_from(Settings())} == {"default"}


def test_every_key_has_a_meaning_and_a_form() -> None:
    for name, field in all_keys().items():
        assert (field.description or "").endswith("."), name
        assert form_of(name).phrase, name


@given(
    key=st.sampled_from(list(all_keys())),
    value=st.one_of(st.integers(), st.booleans(), st.floats(), st.text(), st.lists(st.integers())),
)
def test_any_value_is_taken_or_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: object
) -> None:
    from referee.service.settings.loading import _validate, _with_absolute_paths
    from referee.service.settings.sources import Found

    folder = tmp_path_factory.getbasetemp()
    try:
        _validate(_with_absolute_paths({key: Found(value, "somewhere")}, folder, on_trial=True))
    except SettingsError as error:
        assert str(error).startswith(f"{key} in somewhere: ")


@given(st.text())
def test_any_text_is_settings_or_an_error_that_names_the_file(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        load(path, {}, complete=False)
    except SettingsError as error:
        assert str(path) in str(error)
