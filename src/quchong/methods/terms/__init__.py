"""Methods that compare the words of documents and their frequencies."""
