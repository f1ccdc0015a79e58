"""Settings come from a file, from systemd's credentials and from the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.common.errors import SettingsError
from referee.service.settings import Settings, load, where_from
from tests.service.settings.files import COMPLETE, FOLDERS, loaded, write


def sources(settings: Settings) -> dict[str, str]:
    return {entry.key: entry.source for entry in where_from(settings)}


def test_the_file_named_on_the_command_line_goes_before_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COMPLETE.replace("imap.example.org", "here.example.org"))
    for name in ("named", "variable"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, COMPLETE.replace("imap.example.org", f"{name}.example.org"))
    environ = {"REFEREE_CONFIG": str(tmp_path / "variable" / "referee.toml")}

    assert load(tmp_path / "named" / "referee.toml", environ).inbox.host == "named.example.org"
    assert load(None, environ).inbox.host == "variable.example.org"
    assert load(None, {}).inbox.host == "here.example.org"


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    settings = loaded(tmp_path, COMPLETE, REFEREE_INBOX__HOST="other.example.org", REFEREE_INBOX__PORT="1143")

    assert (settings.inbox.host, settings.inbox.port) == ("other.example.org", 1143)
    assert sources(settings)["inbox.host"] == "environment REFEREE_INBOX__HOST"


def test_a_list_is_written_with_commas_in_the_environment(tmp_path: Path) -> None:
    settings = loaded(tmp_path, COMPLETE, REFEREE_TRUST__AUTHSERV_ID="mx.example.org, mx2.example.org")

    assert settings.trust.authserv_id == ("mx.example.org", "mx2.example.org")


def test_a_password_of_digits_stays_a_password_in_the_environment(tmp_path: Path) -> None:
    settings = loaded(tmp_path, COMPLETE, REFEREE_INBOX__PASSWORD="0123")

    assert settings.inbox.password is not None
    assert settings.inbox.password.get_secret_value() == "0123"


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    assert loaded(tmp_path, COMPLETE, REFEREE_INBOX__HOST="").inbox.host == "imap.example.org"


def test_the_environment_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(
        None,
        {
            "PATH": "/bin",
            "REFEREE_SERVICE__ADDRESS": "referee@example.org",
            "REFEREE_INBOX__KIND": "maildir",
            "REFEREE_INBOX__PATH": "in",
            "REFEREE_OUTBOX__KIND": "maildir",
            "REFEREE_OUTBOX__PATH": "/out",
        },
    )

    assert (settings.inbox.path, settings.outbox.path) == (tmp_path / "in", Path("/out"))


def test_a_rulebook_s_setting_can_come_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("")

    settings = loaded(tmp_path, COMPLETE, REFEREE_RULES__CONFUSION__TABLE="own.toml")

    assert settings.rules.tables() == {"rules.confusion.table": tmp_path / "own.toml"}


def test_relative_paths_are_relative_to_the_file_s_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    text = FOLDERS.replace("[inbox]", 'database = "sqlite:///games/referee.db"\n[inbox]')
    write(tmp_path, text)

    settings = load(Path("../referee.toml"), {})

    assert settings.inbox.path is not None
    assert settings.inbox.path.resolve() == tmp_path / "mail" / "in"
    assert settings.inbox.path.is_absolute()
    assert settings.service.database == f"sqlite:///{tmp_path}/elsewhere/../games/referee.db"


def test_without_a_word_the_database_lies_beside_the_file(tmp_path: Path) -> None:
    assert loaded(tmp_path, FOLDERS).service.database == f"sqlite:///{tmp_path}/referee.db"


@pytest.mark.parametrize(
    "url",
    ["sqlite:////var/lib/referee/referee.db", "sqlite:///:memory:", "postgresql+psycopg://me@host/games"],
)
def test_an_absolute_database_is_left_as_it_is(tmp_path: Path, url: str) -> None:
    assert loaded(tmp_path, FOLDERS, REFEREE_SERVICE__DATABASE=url).service.database == url


def test_a_path_may_begin_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert loaded(tmp_path, FOLDERS, REFEREE_INBOX__PATH="~/in").inbox.path == tmp_path / "home" / "in"


class TestSecrets:
    """A password comes from one place: the environment, else a credential, else the file."""

    def password(self, tmp_path: Path, text: str, **environ: str) -> tuple[str, str]:
        settings = loaded(tmp_path, text, **environ)
        assert settings.inbox.password is not None
        return settings.inbox.password.get_secret_value(), sources(settings)["inbox.password"]

    @pytest.fixture
    def with_file(self, tmp_path: Path) -> str:
        (tmp_path / "imap.secret").write_text("from the file\n")
        return COMPLETE.replace('password = "drowssap"', 'password_file = "imap.secret"')

    @pytest.fixture
    def credentials(self, tmp_path: Path) -> str:
        (tmp_path / "credentials").mkdir()
        (tmp_path / "credentials" / "inbox__password").write_text("from systemd")
        return str(tmp_path / "credentials")

    def test_a_password_file_is_read_without_its_line_s_end(self, tmp_path: Path, with_file: str) -> None:
        assert self.password(tmp_path, with_file) == ("from the file", f"file {tmp_path}/imap.secret")

    def test_a_password_file_that_everybody_can_read_is_taken(self, tmp_path: Path, with_file: str) -> None:
        (tmp_path / "imap.secret").chmod(0o644)

        assert self.password(tmp_path, with_file)[0] == "from the file"

    def test_the_password_file_of_a_box_that_is_a_folder_is_not_read(
        self, tmp_path: Path, with_file: str
    ) -> None:
        """As after `init --write-config`, when both kinds have become folders and the files that it names are not
        there."""
        (tmp_path / "imap.secret").unlink()
        text = with_file.replace("[inbox]", '[inbox]\nkind = "maildir"\npath = "mail/in"')
        assert loaded(tmp_path, text).inbox.password is None

    def test_a_systemd_credential_goes_before_the_file(
        self, tmp_path: Path, with_file: str, credentials: str
    ) -> None:
        (tmp_path / "imap.secret").unlink()  # as for a service that may not read it

        found = self.password(tmp_path, with_file, CREDENTIALS_DIRECTORY=credentials)

        assert found == ("from systemd", "credential inbox__password")

    def test_the_environment_goes_before_both(self, tmp_path: Path, with_file: str, credentials: str) -> None:
        found = self.password(
            tmp_path,
            with_file,
            CREDENTIALS_DIRECTORY=credentials,
            REFEREE_INBOX__PASSWORD="from the environment",
        )

        assert found == ("from the environment", "environment REFEREE_INBOX__PASSWORD")

    def test_a_password_file_in_the_environment_sets_a_password_in_the_file_aside(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "other.secret").write_text("other")

        assert self.password(tmp_path, COMPLETE, REFEREE_INBOX__PASSWORD_FILE="other.secret")[0] == "other"

    def test_a_token_command_in_the_environment_sets_the_password_aside(self, tmp_path: Path) -> None:
        settings = loaded(tmp_path, COMPLETE, REFEREE_INBOX__TOKEN_COMMAND="tokens --for me")

        assert settings.inbox.password is None
        assert settings.inbox.token_command == "tokens --for me"

    def test_other_credentials_are_not_ours(self, tmp_path: Path, credentials: str) -> None:
        (tmp_path / "credentials" / "tls.key").write_text("something else")

        assert self.password(tmp_path, COMPLETE, CREDENTIALS_DIRECTORY=credentials)[0] == "from systemd"

    def test_a_database_password_is_put_into_the_url(self, tmp_path: Path) -> None:
        (tmp_path / "database.secret").write_text("p@ss/word\n")

        settings = loaded(
            tmp_path,
            FOLDERS,
            REFEREE_SERVICE__DATABASE="postgresql+psycopg://referee@db:5433/games",
            REFEREE_SERVICE__DATABASE_PASSWORD_FILE="database.secret",
        )

        assert settings.service.database == "postgresql+psycopg://referee:p%40ss%2Fword@db:5433/games"

    def test_a_database_password_for_sqlite_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(SettingsError, match=r"service.database_password is set .* no place for it"):
            loaded(tmp_path, FOLDERS, REFEREE_SERVICE__DATABASE_PASSWORD="x")

    def test_two_ways_to_log_in_at_one_place_are_an_error(self, tmp_path: Path) -> None:
        text = COMPLETE.replace('password = "drowssap"', 'password = "drowssap"\ntoken_command = "tokens"')

        with pytest.raises(SettingsError) as caught:
            loaded(tmp_path, text)

        assert "inbox.password" in str(caught.value)
        assert "inbox.token_command" in str(caught.value)
        assert "line 8" in str(caught.value)
        assert "drowssap" not in str(caught.value)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (None, "cannot be read: no such file or directory"),
            (b"", "is empty"),
            (b"\n", "is empty"),
            (b"one\ntwo\n", "has several lines"),
            (b"\xff\xfe", "is not UTF-8"),
        ],
    )
    def test_a_password_file_without_a_password_is_named(
        self, tmp_path: Path, with_file: str, content: bytes | None, reason: str
    ) -> None:
        path = tmp_path / "imap.secret"
        path.unlink()
        if content is not None:
            path.write_bytes(content)

        with pytest.raises(SettingsError) as caught:
            loaded(tmp_path, with_file)

        assert str(caught.value).startswith(
            f"inbox.password_file in {tmp_path}/referee.toml line 7: the file {path} "
        )
        assert reason in str(caught.value)

    def test_a_password_file_that_we_may_not_read_is_named(
        self, tmp_path: Path, with_file: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        really_open = Path.open

        def closed(path: Path, *args: Any, **how: Any) -> Any:
            if path.name == "imap.secret":
                raise PermissionError(13, "Permission denied", str(path))
            return really_open(path, *args, **how)

        monkeypatch.setattr(Path, "open", closed)  # a closed file would still be open to root

        with pytest.raises(SettingsError, match=r"imap\.secret cannot be read: permission denied"):
            loaded(tmp_path, with_file)

    def test_no_secret_is_shown(self, tmp_path: Path) -> None:
        settings = loaded(
            tmp_path,
            COMPLETE,
            REFEREE_OUTBOX__USERNAME="referee",
            REFEREE_OUTBOX__TOKEN_COMMAND="tokens --key 5678",
            REFEREE_SERVICE__DATABASE="postgresql+psycopg://me:hush@ro@host/games?password=again&sslmode=require",
        )
        shown = repr(settings) + str(settings) + repr(where_from(settings))

        for secret in ("drowssap", "hush", "ro@host", "again"):
            assert secret not in shown
        assert "5678" not in repr(where_from(settings))
        assert settings.service.database.count("hush") == 1
