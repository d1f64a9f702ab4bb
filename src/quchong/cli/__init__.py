"""The command line. Nothing else prints or exits."""
