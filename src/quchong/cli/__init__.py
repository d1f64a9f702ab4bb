"""Command line. No other part of the package prints or exits."""
