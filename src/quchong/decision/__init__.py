"""From scored pairs to who goes: what every engine decides in the same way."""
