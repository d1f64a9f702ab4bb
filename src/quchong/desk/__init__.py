"""A run in a browser, for people to decide and label: a local web application."""
