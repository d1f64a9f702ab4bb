"""Columns within columns: names such as content.text and messages[].content, and what they find in values and in arrays."""
