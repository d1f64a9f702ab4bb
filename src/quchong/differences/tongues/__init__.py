"""Facts in languages besides Chinese and English, by a small table of words for each: negation, figures, months and days."""
