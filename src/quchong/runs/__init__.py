"""Run folder: layout, reading, checks, restoring rows."""
