"""Records of text files: JSON lines and CSV, cut by us so that a bad one costs only itself."""
