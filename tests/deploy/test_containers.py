"""The compose file and the image fit together, and fit the settings."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.service.settings import load, where_from
from referee.service.settings.sections import all_keys
from referee.service.settings.sources import CONFIG_VARIABLE, variable_of
from tests.deploy.places import DEPLOY, PROJECT

DOCKERFILE = (DEPLOY / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert isinstance(document, dict)
    return document


def test_every_variable_is_a_setting(compose: dict[str, Any]) -> None:
    known = {CONFIG_VARIABLE, *(variable_of(key) for key in all_keys())}

    ours = [name for name in compose["services"]["referee"]["environment"] if name.startswith("REFEREE_")]

    assert ours
    assert set(ours) <= known


def test_the_settings_of_the_container_load(compose: dict[str, Any], tmp_path: Path) -> None:
    """The sample settings, the container's environment and its secrets make a service that could start."""
    service = compose["services"]["referee"]
    for secret in service["secrets"]:
        (tmp_path / secret).write_text(f"hush {secret}\n")
    environ = {
        name: value.replace("/run/secrets", str(tmp_path)) for name, value in service["environment"].items()
    }

    settings = load(DEPLOY / "referee.toml", environ)

    assert settings.service.database == "postgresql+psycopg://referee:hush%20database@database/referee"
    assert settings.inbox.password is not None
    assert settings.outbox.password is not None
    assert settings.inbox.password.get_secret_value() == "hush imap"
    assert settings.outbox.password.get_secret_value() == "hush smtp"
    assert "hush" not in repr(where_from(settings))


def test_the_settings_file_is_mounted_where_the_service_looks(compose: dict[str, Any]) -> None:
    service = compose["services"]["referee"]

    assert service["configs"] == [{"source": "settings", "target": service["environment"][CONFIG_VARIABLE]}]
    assert compose["configs"]["settings"]["file"] == "private/referee.toml"


def test_database_and_service_speak_of_the_same_database(compose: dict[str, Any]) -> None:
    database = compose["services"]["database"]["environment"]
    url = compose["services"]["referee"]["environment"]["REFEREE_SERVICE__DATABASE"]

    assert url == f"postgresql+psycopg://{database['POSTGRES_USER']}@database/{database['POSTGRES_DB']}"
    assert database["POSTGRES_PASSWORD_FILE"] == "/run/secrets/database"


def test_what_the_services_use_is_declared(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in compose["volumes"], "a named volume, no folder of the host's"
        assert "healthcheck" in service
        assert not service.get("ports")


def test_secrets_lie_in_a_folder_that_is_never_committed(compose: dict[str, Any]) -> None:
    ignored = (DEPLOY / ".gitignore").read_text().splitlines()

    assert "/private/" in ignored
    assert {Path(secret["file"]).parent for secret in compose["secrets"].values()} == {Path("private")}


def test_the_image_s_user_is_a_fixed_number(compose: dict[str, Any]) -> None:
    numbers = {
        compose["services"]["referee"]["user"],
        re.findall(r"^USER (.+)$", DOCKERFILE, re.MULTILINE)[-1],
    }

    assert numbers == {"10001:10001"}
    assert "--uid 10001" in DOCKERFILE
    assert "--gid 10001" in DOCKERFILE


def test_the_compose_file_builds_the_image_from_the_project(compose: dict[str, Any]) -> None:
    build = compose["services"]["referee"]["build"]

    assert (DEPLOY / build["context"]).resolve() == PROJECT
    assert (PROJECT / build["dockerfile"]).is_file()


def test_the_image_is_made_from_files_that_are_there_and_not_ignored() -> None:
    kept = [
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]

    assert copied
    for source in copied:
        assert (PROJECT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in kept), source


def test_the_image_runs_the_service_and_is_stopped_by_sigterm() -> None:
    assert 'ENTRYPOINT ["referee"]' in DOCKERFILE
    assert 'CMD ["run"]' in DOCKERFILE
    assert "STOPSIGNAL SIGTERM" in DOCKERFILE
