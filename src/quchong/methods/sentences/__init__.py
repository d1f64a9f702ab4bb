"""Methods that compare sentences: their lengths, first words and signatures."""
