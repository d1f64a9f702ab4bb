"""Methods that find equal documents: by their texts or their addresses."""
