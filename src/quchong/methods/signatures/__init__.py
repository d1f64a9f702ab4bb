"""Methods that compare signatures, or find candidates by them: bits, MinHash values, set signatures."""
