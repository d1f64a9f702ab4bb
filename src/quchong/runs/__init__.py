"""The run folder: layout, reading, checks, restoring rows."""
