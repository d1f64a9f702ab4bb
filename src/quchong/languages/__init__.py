"""Languages of what people read: messages, the language that is spoken, and the catalogues.

Messages are written in English where they are used, as a template and values. They are translated into Chinese when
they are shown, by the gettext catalogues in this room; stored data (tables, JSON, logs) keep the English.
"""

from quchong.languages.message import (
    AND,
    COMMA,
    NAMES,
    OR,
    SEMICOLON,
    Message,
    as_it_is,
    filled,
    join_messages,
    join_names,
    page_word,
    several,
    stage_told,
)
from quchong.languages.spoken import (
    LANGUAGES,
    Language,
    add_catalogue,
    known_language,
    language,
    language_of_place,
    renaming,
    set_default_language,
    speaking,
    translated,
)
from quchong.languages.stored import Stored, retold

__all__ = [
    "AND",
    "COMMA",
    "LANGUAGES",
    "NAMES",
    "OR",
    "SEMICOLON",
    "Language",
    "Message",
    "Stored",
    "add_catalogue",
    "as_it_is",
    "filled",
    "join_messages",
    "join_names",
    "known_language",
    "language",
    "language_of_place",
    "page_word",
    "renaming",
    "retold",
    "set_default_language",
    "several",
    "speaking",
    "stage_told",
    "translated",
]
