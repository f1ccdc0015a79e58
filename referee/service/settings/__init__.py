"""The operator's settings: read once, typed, and handed on as values.

- `sections`  every key there is, with its meaning, its form and its default
- `sources`   where values come from: the file, systemd credentials, the environment
- `loading`   the sources laid over each other, checked, and each value's origin remembered
- `sample`    the commented settings file, written from the same keys
"""

from referee.service.settings.loading import Effective, Survey, load, survey, warnings_about, where_from
from referee.service.settings.sample import sample_settings
from referee.service.settings.sections import Confusion, Inbox, Outbox, Rules, Service, Settings, Trust

__all__ = [
    "Confusion",
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
