"""The operator's settings: read once, typed, and passed on as values.

- `sections`  every key, with its meaning, its form and its default
- `sources`   where values come from: the file, systemd credentials, the environment
- `loading`   the sources combined and checked, with each value's origin
- `sample`    the commented settings file, written from the same keys
"""

from referee.service.settings.loading import Effective, Survey, load, survey, warnings_about, where_from
from referee.service.settings.sample import sample_settings
from referee.service.settings.sections import Inbox, Outbox, Rules, Service, Settings, Trust

__all__ = [
    "Effective",
    "Inbox",
    "Outbox",
    "Rules",
    "Service",
    "Settings",
    "Survey",
    "Trust",
    "load",
    "sample_settings",
    "survey",
    "warnings_about",
    "where_from",
]
