"""Methods that compare signatures, or meet by them: bits, MinHash values, set signatures."""
