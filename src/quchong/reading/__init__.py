"""Sources read as documents: web pages made texts, and the next batch read ahead."""
