"""The commented settings file that `referee init --write-config` writes, made from the keys themselves."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from referee.service.settings.sections import all_keys, all_sections

WIDTH = 96

HEAD = """\
The referee's settings. Lines that begin with "#" and a space explain; lines that begin with "#" and a
word are settings that are not in force: take the "#" away to use one.

Every setting can be overridden from the environment: REFEREE_INBOX__HOST is [inbox] host. A relative
path is relative to the folder of this file. `referee check` shows what is in force and where it comes
from."""


def sample_settings() -> str:
    """Return a settings file (TOML) that shows every key with its meaning.

    Keys that most operators set are in force, the others are comments.
    """
    blocks = ["\n#\n".join(_comment(paragraph) for paragraph in HEAD.split("\n\n")) + "\n"]
    for section, about in all_sections().items():
        blocks.append(f"\n{_comment(about)}\n[{section}]\n")
        for key, field in all_keys().items():
            before, _, name = key.rpartition(".")
            if before == section:
                extra = field.json_schema_extra
                shown = isinstance(extra, dict) and extra["shown"]
                value = _toml(field.examples[0] if field.examples else field.default)
                blocks.append(
                    f"\n{_comment(field.description or '')}\n{'' if shown else '#'}{name} = {value}\n"
                )
    return "".join(blocks)


def _comment(text: str) -> str:
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _toml(value: Any) -> str:
    """Write a value as TOML: a text, a number or a list of texts. JSON's forms of these are valid TOML."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
