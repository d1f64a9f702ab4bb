"""Records of text files: JSON lines, JSON arrays and CSV, split by quchong itself so that a bad record affects no other."""
