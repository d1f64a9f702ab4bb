"""Error texts of libraries that messages quote: those of the JSON and TOML parsers and of SQLite, which are translated like
those of the system.
"""

JSON_LINES = (
    "invalid literal, expected 'true'", "invalid literal, expected 'false'", "invalid literal, expected 'null'",
    "invalid escape in string", "invalid escaped sequence in string", "unexpected control character in string",
    "no low surrogate in string", "invalid high surrogate in string", "invalid low surrogate in string",
    "invalid utf-8 encoding in string", "invalid UTF-8 encoding in string", "unexpected end of data",
    "unexpected content after document", "trailing comma is not allowed", "unexpected character, expected ':' after key",
    "unexpected character, expected ',' or '}'", "unexpected character, expected ',' or ']'",
    "unexpected character, expected a string key", "unexpected character, expected a JSON value",
    "number is infinity when parsed as double", "number with leading zero is not allowed", "no digit after sign",
    "no digit after decimal point", "no digit after exponent sign", "Recursion limit reached", "depth limit exceeded",
    "Input is a zero-length, empty document",
    # before version 3.12:
    "unexpected character", "invalid literal", "invalid escaped character in string", "array and object recursion depth exceeded",
    "no digit after minus sign",
)  # fmt: skip
"""Error texts of orjson, which parses lines."""

JSON_FILES = (
    "Expecting value", "Expecting ',' delimiter", "Expecting ':' delimiter", "Expecting property name enclosed in double quotes",
    "Extra data", "Unterminated string starting", "Invalid control character", "Invalid \\escape", "Invalid \\uXXXX escape",
    "Illegal trailing comma before end of object", "Illegal trailing comma before end of array",
)  # fmt: skip
"""Error texts of Python's own json, which parses arrays, labels and files of options, without the ` at` at their ends."""

TOML_FILES = (
    "Invalid value", "Invalid statement", "Invalid date or datetime", "Invalid initial character for a key part",
    "Expected '=' after a key in a key/value pair", "Expected newline or end of document after a statement",
    "Expected ']' at the end of a table declaration", "Expected ']]' at the end of an array declaration",
    "Unclosed array", "Unclosed inline table", "Unterminated string", "Illegal character", "Cannot overwrite a value",
    "Unescaped '\\' in a string", "Invalid hex value", "Expected \"'\"",
)  # fmt: skip
"""Error texts of tomllib, which parses files of options."""

SQLITE_FILES = (
    "database or disk is full", "disk I/O error", "database disk image is malformed", "file is not a database", "database is locked",
    "unable to open database file", "attempt to write a readonly database", "database table is locked", "out of memory",
    "locking protocol", "database schema has changed", "malformed database schema",
)  # fmt: skip
"""Error texts of SQLite, which has the catalogue of an index."""

LIBRARY_WORDS = (*JSON_LINES, *JSON_FILES, *TOML_FILES, *SQLITE_FILES)
