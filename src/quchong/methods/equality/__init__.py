"""Methods by which documents are equal: in their texts or their addresses."""
